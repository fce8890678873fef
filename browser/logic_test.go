package browser

import (
	"os"
	"os/exec"
	"testing"
)

// The page's logic that needs no document is tested in node.
func TestPageLogic(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED, the page's logic is not tested: no node on the PATH")
	}
	args := []string{"--test", "page_logic_test.mjs", "teaching_test.mjs", "workshop_test.mjs"}
	if said, err := exec.Command(node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
