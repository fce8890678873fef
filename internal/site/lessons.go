package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// Names of the site's lesson files.
const (
	lessonsName   = "lessons.json"
	lessonsFolder = "lessons/"
)

// lessonFolders returns the lesson folders: first the source tree’s, then the teacher’s.
func lessonFolders(sourceDir string, own []string) []string {
	return append([]string{filepath.Join(sourceDir, "assets", "lessons")}, own...)
}

// lessonFiles reads the lessons in the given folders. It returns the site’s files for them by name, and the list of
// lessons. It returns an InputError if a lesson is invalid.
func lessonFiles(folders ...string) (files map[string][]byte, list []lesson.Head, err error) {
	lessons, err := lesson.Read(scenes.All, folders...)
	if err != nil {
		return nil, nil, InputError{firstFault(err)}
	}
	return filesOf(lessons)
}

// filesOf returns the site’s files for the lessons by name, and the list of lessons.
func filesOf(lessons []*lesson.Lesson) (files map[string][]byte, list []lesson.Head, err error) {
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

// readLesson reads one lesson, which must exist.
func (s *Source) readLesson(name string) (*lesson.Lesson, error) {
	file := ""
	for _, folder := range s.folders {
		file = filepath.Join(folder, name+".md")
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	return lesson.ReadFile(scenes.All, file)
}

// firstFault returns an error with the first line of err and the number of further lines.
func firstFault(err error) error {
	first, others, _ := strings.Cut(err.Error(), "\n")
	if others == "" {
		return err
	}
	return fmt.Errorf("%s (and %d more errors)", first, strings.Count(others, "\n")+1)
}

// ReadLessons reads the lessons in the given folders: the named ones, or all if only is empty.
func ReadLessons(folders, only []string) ([]*lesson.Lesson, error) {
	lessons, err := lesson.Read(scenes.All, folders...)
	if err != nil {
		return nil, InputError{firstFault(err)}
	}
	if len(only) == 0 {
		return lessons, nil
	}
	var chosen []*lesson.Lesson
	for _, name := range only {
		at := slices.IndexFunc(lessons, func(l *lesson.Lesson) bool { return l.Name == name })
		if at < 0 {
			names := make([]string, len(lessons))
			for i, l := range lessons {
				names[i] = l.Name
			}
			return nil, unknownLesson(name, names)
		}
		chosen = append(chosen, lessons[at])
	}
	return chosen, nil
}

// ownLessons reads a teacher's lessons. It returns none if there are no folders.
func ownLessons(folders []string) ([]*lesson.Lesson, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	return ReadLessons(folders, nil)
}

// FollowLessons follows every step of the given lessons as a visitor would.
func FollowLessons(lessons []*lesson.Lesson) error {
	var faults []error
	for _, l := range lessons {
		faults = append(faults, l.Check())
	}
	if err := errors.Join(faults...); err != nil {
		return firstFault(err)
	}
	return nil
}
