package lesson

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/session"
)

// lessonSeeds is the number of seeds on which the statements of lessons are checked. lessonShare is the
// share of seeds on which a statement must hold, unless it is about one run.
const (
	lessonSeeds = 20
	lessonShare = 0.9
)

// onSeed follows a lesson with another seed, and counts which goals are reached and which checks hold.
func (l *Lesson) onSeed(t testing.TB, seed int, held map[string]int) {
	t.Helper()
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Steps {
		step := &l.Steps[i]
		state, err := l.seeded(step.State, seed)
		if err != nil {
			t.Fatal(err)
		}
		wrong := false
		if err := l.follow(s, i, state, nil, func(int, string, ...any) { wrong = true }); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
		if !wrong {
			held[goalOf(i)]++
		}
		for _, c := range step.checks {
			if c.with == nil && holds(s, c) == nil {
				held[checkOf(i, c)]++
			}
		}
	}
}

func goalOf(step int) string           { return fmt.Sprintf("%d goal", step) }
func checkOf(step int, c check) string { return fmt.Sprintf("%d line %d", step, c.line) }

// TestLessonsOnSeeds checks that the statements after a step's goal hold on nine in ten seeds, unless the step says
// that it is about one run.
func TestLessonsOnSeeds(t *testing.T) {
	lessons, err := ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		drawn, err := l.Drawn()
		if err != nil {
			t.Fatal(err)
		}
		if !drawn {
			continue // every visitor sees the same
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			held := map[string]int{}
			for _, seed := range scenetest.SeedList(lessonSeeds) {
				l.onSeed(t, seed, held)
			}
			share := lessonShare
			if scenetest.Fresh() {
				share = scenetest.FreshShare
			}
			least := share*lessonSeeds - 1e-9
			for i, step := range l.Steps {
				said := element.ReplaceAllString(step.Then, "")
				if n := held[goalOf(i)]; step.Goal != nil && float64(n) < least && !scenetest.OfOneRun(step.Text+" "+step.Goal.Text+" "+said) {
					t.Errorf("%s:%d: step %d, %s: its goal is met on %d of %d seeds", l.file, step.line, i+1, step.Title, n, lessonSeeds)
				}
				for _, c := range step.checks {
					if n := held[checkOf(i, c)]; c.with == nil && float64(n) < least && !scenetest.OfOneRun(said) {
						t.Errorf("%s:%d: step %d, %s: it holds on %d of %d seeds that %s, and %q does not say “here” or “in this run”",
							l.file, c.line, i+1, step.Title, n, lessonSeeds, c.source, strings.TrimSpace(said))
					}
				}
			}
		})
	}
}
