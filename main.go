// Command paretoplay shows gradient-based multi-objective optimisation at work. Without a command it serves the page; its commands run
// the same scenes without a browser.
package main

import (
	_ "embed"
	"os"

	"paretoplay/internal/command"
)

// notices contains the licences of everything in the program and the site. `make regen-licences` writes the file, and a
// test compares it with the linked packages.
//
//go:embed LICENCES.txt
var notices string

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func program() *command.Program {
	return &command.Program{Notices: notices, Serve: serve}
}
