// Command paretoplay shows gradient-based multi-objective optimisation at work.
// Without a word it serves the page; its other words run the same scenes
// without a browser.
package main

import (
	"embed"
	"os"

	"paretoplay/command"
)

// notices belong to everything that the program and the site are made of. A test writes
// them, go test . -run Licences -regen, and holds them to what is linked.
//
//go:embed LICENCES.txt
var notices string

// kept are the tables of the experiments that take long, which claims are read from.
//
//go:embed docs/*.csv docs/block-smoo.md docs/ordering.md
var kept embed.FS

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func program() *command.Program {
	return &command.Program{Notices: notices, Kept: kept, Serve: serve}
}
