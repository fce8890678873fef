package session

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/scenetest"
)

// TestEverySceneChecksItsClaims: the package of each scene has a test of what its texts say.
func TestEverySceneChecksItsClaims(t *testing.T) {
	tests := regexp.MustCompile(`(?m)^func Test(Cards|Claims)\(`)
	for _, a := range scenes.All {
		files, err := filepath.Glob(filepath.Join("..", a.ID, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		checked := slices.ContainsFunc(files, func(name string) bool {
			data, err := os.ReadFile(name)
			return err == nil && tests.Match(data)
		})
		if !checked {
			t.Errorf("nothing checks what the texts of %s say", a.ID)
		}
	}
}

// fact is a named number of the session.
func fact(t *testing.T, s *Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}
