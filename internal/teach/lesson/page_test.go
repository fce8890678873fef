package lesson_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"paretoplay/internal/teach/lesson"
)

var regenerate = flag.Bool("regen", false, "write the questions of the last page anew")

// These are the limits for the page's lessons.
const (
	maxWords   = 350
	minMinutes = 6.5
	maxMinutes = 11
	sentences  = 3
)

// TestLessonsHaveTheirForm checks that the page's lessons are short, state their purpose and what to remember, and end
// with a step that is answered without help.
func TestLessonsHaveTheirForm(t *testing.T) {
	lessons, err := lesson.ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i, l := range lessons {
		names[l.Name] = true
		if l.Words > maxWords || l.Time() < minMinutes || l.Time() > maxMinutes {
			t.Errorf("%s: got %d words, want at most %d; got %.1f minutes, want %v to %v",
				l.Name, l.Words, maxWords, l.Time(), minMinutes, maxMinutes)
		}
		if len(l.Know) != sentences || l.Aim == "" {
			t.Errorf("%s: got %d sentences to keep, want %d; got aim %q", l.Name, len(l.Know), sentences, l.Aim)
		}
		if last := l.Steps[len(l.Steps)-1]; last.Kind != lesson.Transfer {
			t.Errorf("%s: the last step, %s, is not answered without help", l.Name, last.Title)
		}
		if l.Number != nil && *l.Number != i {
			t.Errorf("%s: got number %d at place %d of the path", l.Name, *l.Number, i)
		}
		for _, before := range l.After {
			if !names[before] {
				t.Errorf("%s: it comes after %s, which is not an earlier lesson", l.Name, before)
			}
		}
	}
}

// TestReview checks that the questions of the last page are those that the lessons define, with answers from the facts
// of their runs.
func TestReview(t *testing.T) {
	lessons, err := lesson.ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]lesson.Question{}
	for _, l := range lessons {
		if all[l.Name], err = l.Questions(); err != nil {
			t.Error(err)
		}
		if len(all[l.Name]) == 0 {
			t.Errorf("%s: no question for the last page", l.Name)
		}
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	const file = "../../../assets/review.json"
	if *regenerate {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the lessons say (%v); make regen-lessons writes it anew", file, err)
	}
}
