// Command paretoplay shows gradient-based multi-objective optimisation at work. Without
// a command it serves the page; its commands run the same scenes without a browser.
package main

import (
	"embed"
	"os"

	"paretoplay/internal/command"
)

// notices are the licences of everything in the program and the site. A test writes
// them, go test . -run Licences -regen, and compares them with what is linked.
//
//go:embed LICENCES.txt
var notices string

// kept holds the tables of long experiments, from which claims are read, and the lessons, whose names the codes
// of classes mean.
//
//go:embed docs/*.csv docs/block-smoo.md docs/fairness.md docs/ordering.md assets/lessons/*.md
var kept embed.FS

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func program() *command.Program {
	return &command.Program{Notices: notices, Kept: kept, Serve: serve}
}
