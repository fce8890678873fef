package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

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
	flags.Func("lessons", "lessons of your own: a `folder` with files of Markdown; repeat for more", func(folder string) error {
		if folder == "" {
			return errors.New("a folder is expected")
		}
		return folders.Set(folder)
	})
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
		return nil, nil, inputError{firstFault(err)}
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

// firstFault is the first of an error's lines, and how many there are besides.
func firstFault(err error) error {
	first, others, _ := strings.Cut(err.Error(), "\n")
	if others == "" {
		return err
	}
	return fmt.Errorf("%s (and %d more like it)", first, strings.Count(others, "\n")+1)
}

// followLessons reads the lessons of folders and follows every step of them.
func followLessons(folders ...string) ([]*lesson.Lesson, error) {
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

// tryLessons runs the lessons of a teacher’s folders, or those of the source tree.
func tryLessons(c *call) error {
	folders := lessonsFlag(c.flags)
	c.explain("which follows every step of lessons without a browser: those of your own folders, or of the source tree.\n" +
		"What is wrong is said with file and line.")
	if err := c.parse(); err != nil {
		return err
	}
	if len(*folders) == 0 {
		source, err := findSource()
		if err != nil {
			return err
		}
		*folders = lessonFolders(source.dir, nil)
	}
	lessons, err := followLessons(*folders...)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "lesson\tscene\tminutes\tsteps\ttitle")
		for _, l := range lessons {
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", l.Name, l.Scene, l.Minutes, len(l.Steps), l.Title)
		}
		return table.Flush()
	})
}
