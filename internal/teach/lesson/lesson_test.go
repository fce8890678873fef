package lesson_test

import (
	"testing"

	"paretoplay/internal/teach/lesson"
)

// TestLessons: every lesson of the page can be read and followed. No goal is reached as its step
// opens, every goal is reached after Show, and the stated numbers then hold.
func TestLessons(t *testing.T) {
	lessons, err := lesson.ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if err := l.Check(); err != nil {
				t.Error(err)
			}
			if _, err := l.JSON(); err != nil {
				t.Error(err)
			}
		})
	}
}
