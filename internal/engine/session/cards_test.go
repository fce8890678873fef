package session

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes"
)

// TestEverySceneIsChecked: the package of each scene runs the suite that every scene must pass, and tests
// what its texts say.
func TestEverySceneIsChecked(t *testing.T) {
	needed := []*regexp.Regexp{regexp.MustCompile(`(?m)^func Test(Cards|Claims)\(`), regexp.MustCompile(`scenetest\.Scene\(t, `)}
	for _, a := range scenes.All {
		files, err := filepath.Glob(filepath.Join("../../..", scenetest.Folder(a), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range needed {
			if !slices.ContainsFunc(files, func(name string) bool {
				data, err := os.ReadFile(name)
				return err == nil && test.Match(data)
			}) {
				t.Errorf("no test of %s has %s", a.ID, test)
			}
		}
	}
}

// fact is a named number of the session.
func fact(t *testing.T, s *Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}
