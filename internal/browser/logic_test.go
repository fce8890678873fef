package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPageLogic runs the page's JavaScript tests that need no document, in Node.
func TestPageLogic(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED, the page's logic is not tested: no node on the PATH")
	}
	files, err := filepath.Glob("*_test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if said, err := exec.Command(node, append([]string{"--test"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
