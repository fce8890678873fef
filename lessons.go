package main

import (
	"encoding/json"
	"flag"
	"path/filepath"

	"paretoplay/scenes"
	"paretoplay/scenes/lesson"
)

// Names of the site's files of lessons.
const (
	lessonsName   = "lessons.json"
	lessonsFolder = "lessons/"
)

// lessonsFlag is a teacher’s own folders of lessons.
func lessonsFlag(flags *flag.FlagSet) *repeated {
	folders := &repeated{}
	flags.Var(folders, "lessons", "lessons of your own: a `folder` with files of Markdown; repeat for more")
	return folders
}

// lessonFolders are where lessons are read from: the source tree’s own, then a teacher’s.
func lessonFolders(sourceDir string, own []string) []string {
	return append([]string{filepath.Join(sourceDir, "assets", "lessons")}, own...)
}

// lessonFiles reads the lessons of folders. It returns the site’s files of them by name, and what a
// list says of each. What is wrong with a lesson is bad input.
func lessonFiles(folders ...string) (files map[string][]byte, list []lesson.Head, err error) {
	lessons, err := lesson.Read(scenes.All, folders...)
	if err != nil {
		return nil, nil, inputError{err}
	}
	files = map[string][]byte{}
	for _, l := range lessons {
		list = append(list, l.Head)
		if files[lessonsFolder+l.Name+".json"], err = l.JSON(); err != nil {
			return nil, nil, err
		}
	}
	files[lessonsName], err = json.Marshal(list)
	return files, list, err
}
