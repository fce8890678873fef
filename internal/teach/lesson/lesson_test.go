package lesson_test

import (
	"testing"

	"paretoplay/internal/teach/lesson"
)

// TestLessons checks that every lesson of the page can be parsed and followed. Its goals must not be reached when
// their steps open. After Show they must be reached, and the stated numbers must hold.
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
