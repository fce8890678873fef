package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"paretoplay/scenes"
	"paretoplay/scenes/lesson"
)

// Names of the site's files of lessons.
const (
	lessonsName   = "lessons.json"
	lessonsFolder = "lessons/"
)

// lessonFolders returns the folders of lessons: the source tree’s own, then a teacher’s.
func lessonFolders(sourceDir string, own []string) []string {
	return append([]string{filepath.Join(sourceDir, "assets", "lessons")}, own...)
}

// lessonFiles reads the lessons of folders. It returns the site’s files for them by name, and their
// entries in a list. A fault in a lesson is bad input.
func lessonFiles(folders ...string) (files map[string][]byte, list []lesson.Head, err error) {
	lessons, err := lesson.Read(scenes.All, folders...)
	if err != nil {
		return nil, nil, InputError{firstFault(err)}
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

// firstFault returns an error with the first line, and how many more there are.
func firstFault(err error) error {
	first, others, _ := strings.Cut(err.Error(), "\n")
	if others == "" {
		return err
	}
	return fmt.Errorf("%s (and %d more like it)", first, strings.Count(others, "\n")+1)
}

// FollowLessons reads the lessons of folders and follows every step of them.
func FollowLessons(folders ...string) ([]*lesson.Lesson, error) {
	lessons, err := lesson.Read(scenes.All, folders...)
	if err != nil {
		return nil, firstFault(err)
	}
	var faults []error
	for _, l := range lessons {
		faults = append(faults, l.Check())
	}
	if err := errors.Join(faults...); err != nil {
		return nil, firstFault(err)
	}
	return lessons, nil
}
