package main

import (
	"fmt"
	"io"
)

// headless runs the commands that need no browser.
func headless(args []string, _ io.Reader, _, stderr io.Writer) int {
	fmt.Fprintf(stderr, "paretoplay: %q is not a command (see paretoplay help)\n", args[0])
	return 2
}
