package lesson_test

import (
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/lesson"
)

// folder has the lessons of the page.
const folder = "../../assets/lessons"

// TestLessons: every lesson of the page can be read.
func TestLessons(t *testing.T) {
	lessons, err := lesson.Read(scenes.All, folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		if _, err := l.JSON(); err != nil {
			t.Error(err)
		}
	}
}
