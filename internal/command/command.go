// Package command implements the command line of paretoplay. All commands use the same style of flags and error
// messages.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

const usageText = `Pareto Playground: gradient-based multi-objective optimisation, live.

usage: paretoplay [-addr host:port] [-open]    serve the page and compile it
       paretoplay watch file [-addr ...]       serve the page for the log of training in progress
       paretoplay build [-o dist] [-quick]     write the static site
       paretoplay build -single file           write the page as one file, to open or mail
       paretoplay scenes                       list scenes and parameters as JSON
       paretoplay run -scene name ...          run a scene; write JSON, CSV or pictures
       paretoplay weigh -method name ...       compute weights for a Jacobian on standard input
       paretoplay replay file ...              analyse a training run's log and print a verdict
       paretoplay compare -scene name ...      compare tuned methods over paired seeds
       paretoplay transport -solver name ...   compute a plan for costs and masses on standard input
       paretoplay hypervolume                  compute the hypervolume of points up to a reference
       paretoplay formula [-at x] file         check formulas; write values and derivatives as JSON
       paretoplay golden -method name ...      write test cases with answers, for other implementations
       paretoplay experiment name ...          compute a paper's table or figure
       paretoplay experiment reproduce name    compare the table with the published figures
       paretoplay merge a.csv b.csv ...        join an experiment's shards into one table
       paretoplay claims [-quick]              test the papers' claims
       paretoplay lessons [-lessons folder]    follow every step of lessons; report errors
       paretoplay class check codes.txt        list who completed which lesson, from a class's codes
       paretoplay licences                     print the licences of everything in program and site
       paretoplay version                      print the version, the commit and the version of Go

Serving:
  -addr host:port  address to listen on (default 127.0.0.1:8080; port 0 selects a free port)
  -open            open the page in the browser
  -lessons folder  folder with additional lessons; repeat for more
Building:
  -o folder        output folder of the site (default dist)
  -quick           compress less: the build is a minute faster, the files are larger
  -lessons folder  as for serving
  -single, -scorm and -worksheet write one file instead; see build -h

Serving, watching and building need the source tree and the Go toolchain. For help on any
other command, add -h after its name.
`

// Program holds the values and functions that the main package provides to the commands.
type Program struct {
	Notices string // licences of everything in the program and the site
	// Serve serves the page until ctx is done. It prints its progress to stdout.
	Serve func(ctx context.Context, o ServeOptions, stdout, stderr io.Writer) error
}

// ServeOptions are the flags of serve.
type ServeOptions struct {
	Address string   // host:port
	Open    bool     // whether to open the page in the browser
	Lessons []string // folders with additional lessons

	Page    string       // suffix of the page's address in the browser
	Watched http.Handler // serves the watched log; nil if no log is watched
}

// Fault is an error caused by the system or by a bug, as opposed to bad input.
type Fault struct{ error }

// Unwrap returns the cause, for errors.Is.
func (f Fault) Unwrap() error { return f.error }

var commands = map[string]func(*call) error{
	"serve":       serve,
	"watch":       watchLog,
	"build":       build,
	"scenes":      listScenes,
	"run":         runScene,
	"weigh":       weighGradients,
	"compare":     compare,
	"replay":      replay,
	"transport":   solveTransport,
	"hypervolume": hypervolume,
	"formula":     checkFormulas,
	"golden":      golden,
	"experiment":  runExperiment,
	"merge":       mergeShards,
	"claims":      testClaims,
	"lessons":     tryLessons,
	"class":       ofClass,
	"licences":    printLicences,
	"version":     printVersion,
}

// Run runs one command line, given without the program's name, and returns the exit status. The status is 2 for bad
// input and 1 for a Fault; both print a message on stderr. Without a command, Run serves the page.
func (p *Program) Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name := "serve"
	switch {
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, args = args[0], args[1:]
	case len(args) > 0 && isHelp(args[0]):
		name = "help"
	}
	if name == "help" {
		if len(args) == 0 || isHelp(args[0]) {
			if _, err := io.WriteString(stdout, usageText); err != nil {
				return 1
			}
			return 0
		}
		name, args = args[0], []string{"-h"}
	}
	command, ok := commands[name]
	if !ok {
		fmt.Fprintln(stderr, inOneLine(fmt.Sprintf("paretoplay: unknown command %q; run paretoplay help to list all", name)))
		return 2
	}
	flags := flag.NewFlagSet("paretoplay "+name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	c := &call{Program: p, flags: flags, args: args, stdin: stdin, stdout: stdout, stderr: stderr}
	defer c.release()
	err := command(c)
	if err == nil {
		err = c.write()
	}
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		flags.Usage()
		return 0
	}
	if err == nil {
		for _, text := range c.remarks {
			fmt.Fprintln(stderr, inOneLine(fmt.Sprintf("paretoplay %s: %s", name, text)))
		}
	}
	return exitStatus(name, err, stderr)
}

// exitStatus prints err on stderr, unless it is nil, and returns the exit status for it.
func exitStatus(command string, err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return 0
	case !errors.As(err, new(Fault)):
		fmt.Fprintln(stderr, inOneLine(fmt.Sprintf("paretoplay %s: %v", command, err)))
		return 2
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "paretoplay %s: %v\n", command, err)
	return 1
}

func isHelp(arg string) bool {
	return arg == "-h" || arg == "-help" || arg == "--help"
}

// longestLine is the maximum length of a printed error, in characters.
const longestLine = 300

// inOneLine puts a message on one line, because a message may quote input that has several lines. It shortens a long
// message in the middle, because the beginning names the place and the end describes the error.
func inOneLine(message string) string {
	message = strings.ReplaceAll(strings.TrimSpace(message), "\n", "; ")
	line := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, message))
	if len(line) <= longestLine {
		return string(line)
	}
	const gap = " … "
	end := longestLine / 2
	return string(line[:longestLine-end-utf8.RuneCountInString(gap)]) + gap + string(line[len(line)-end:])
}
