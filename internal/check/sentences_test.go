package check

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes"
)

// sentencesOf returns a scene's sentences with the seeds on which they are asserted.
func sentencesOf(t *testing.T, a scene.About) []scenetest.Sentence {
	t.Helper()
	list, err := scenetest.ReadSentences(a.ID, scenetest.Folder(a))
	if err != nil {
		t.Fatalf("%s: %v", a.ID, err)
	}
	if len(list) == 0 {
		t.Fatalf("%s says nothing", a.ID)
	}
	return list
}

// assertedOn describes the seeds on which a sentence is asserted.
func assertedOn(s scenetest.Sentence) string {
	switch s.Seeds.Kind {
	case scenetest.Each:
		return fmt.Sprintf("true on %d of %d seeds, %.0f %% asked", s.Held, s.Seeds.Count, 100*s.Seeds.Share)
	case scenetest.Statistic:
		return fmt.Sprintf("a number over %d seeds", s.Seeds.Count)
	case scenetest.NoSeed:
		return "no seed enters"
	}
	return "this run"
}

// sentenceRows lists all sentences of the scenes.
func sentenceRows(t *testing.T) []string {
	rows := []string{"| scene | text | sentence | asserted on |", "|---|---|---|---|"}
	for _, a := range scenes.All {
		for _, s := range sentencesOf(t, a) {
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", s.Scene, s.Text, strings.NewReplacer("|", "\\|", "\n", " ").Replace(s.Says),
				assertedOn(s)))
		}
	}
	return rows
}

// seedRows counts the scenes' sentences by the kind of seeds on which they are asserted.
func seedRows(t *testing.T) []string {
	rows := []string{"| scene | each of several seeds | a number over seeds | no seed enters | this run |", "|---|---|---|---|---|"}
	line := func(name string, n map[scenetest.SeedKind]int) string {
		return fmt.Sprintf("| %s | %d | %d | %d | %d |", name, n[scenetest.Each], n[scenetest.Statistic], n[scenetest.NoSeed], n[scenetest.Shown])
	}
	all := map[scenetest.SeedKind]int{}
	for _, a := range scenes.All {
		count := map[scenetest.SeedKind]int{}
		for _, s := range sentencesOf(t, a) {
			count[s.Seeds.Kind]++
			all[s.Seeds.Kind]++
		}
		rows = append(rows, line("`"+a.ID+"`", count))
	}
	return append(rows, line("all", all))
}

// TestSentencesOfOneRun prints every sentence that is asserted on a single seed. The scenes' own tests reject such a
// sentence unless the sentence says that it is about one run.
func TestSentencesOfOneRun(t *testing.T) {
	for _, a := range scenes.All {
		for _, s := range sentencesOf(t, a) {
			if s.Seeds.Kind == scenetest.Shown {
				t.Logf("%s, %s: %s", s.Scene, s.Text, s.Says)
			}
		}
	}
}
