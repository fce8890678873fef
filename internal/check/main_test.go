package check

import (
	"fmt"
	"os"
	"testing"

	"paretoplay/internal/command"
)

// TestMain runs the tests in the module's folder, because their paths are relative to it.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// program returns the command line without its server and notices.
func program() *command.Program { return &command.Program{} }
