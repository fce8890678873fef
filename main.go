// Command paretoplay shows gradient-based multi-objective optimisation at work.
// Without a word it serves the page; its other words run the same scenes
// without a browser.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

const usageText = `Pareto Playground: gradient-based multi-objective optimisation, live.

usage: paretoplay [-addr host:port] [-open]    serve the page, compiling it behind
       paretoplay build [-o dist] [-quick]     write the static site
       paretoplay scenes                       list scenes and parameters as JSON
       paretoplay run -scene name ...          run a scene, write JSON, CSV or pictures
       paretoplay weigh -method name ...       Jacobian on standard input, weights out
       paretoplay transport -solver name ...   costs and masses on standard input, plan out
       paretoplay hypervolume                  points and reference in, hypervolume out
       paretoplay experiment name ...          a paper's table or figure
       paretoplay claims [-quick]              what the papers claim, and what is true of it here
       paretoplay lessons [-lessons folder]    follow every step of lessons, say what is wrong
       paretoplay licences                     notices of all that program and site are made of

Serving:
  -addr host:port  where to listen (default 127.0.0.1:8080; port 0 takes any free one)
  -open            open the page in the browser
  -lessons folder  lessons of your own, beside the page's; repeat for more
Building:
  -o folder        where the site goes (default dist)
  -quick           compress at low effort: larger files, a minute less
  -lessons folder  as for serving

Serving and building need the source tree and the Go toolchain. The other
commands explain themselves with -h after their name.
`

func main() {
	os.Exit(dispatch(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// dispatch runs one command line and returns the exit status: 0, 2 for bad
// input, 1 for other failures.
func dispatch(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	command := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	switch command {
	case "serve", "build":
		if len(args) > 0 && isHelp(args[0]) {
			break
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		// A second interrupt ends the program at once.
		context.AfterFunc(ctx, stop)
		run := serveCommand
		if command == "build" {
			run = buildCommand
		}
		if err := run(ctx, args, stdout, stderr); !errors.Is(err, flag.ErrHelp) {
			return exitStatus(err, stderr)
		}
	case "help":
		if len(args) > 0 && args[0] != "serve" && args[0] != "build" {
			return headless([]string{args[0], "-h"}, stdin, stdout, stderr)
		}
	default:
		return headless(append([]string{command}, args...), stdin, stdout, stderr)
	}
	if _, err := io.WriteString(stdout, usageText); err != nil {
		return 1
	}
	return 0
}

func isHelp(arg string) bool {
	return arg == "-h" || arg == "-help" || arg == "--help"
}

// inputError is a mistake on the command line, as opposed to a failure of the
// machine or of ours.
type inputError struct{ error }

// exitStatus reports err on one line, unless it is nil, and returns the exit
// status that belongs to it.
func exitStatus(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if errors.As(err, new(inputError)) {
		fmt.Fprintln(stderr, inOneLine("paretoplay: "+err.Error()))
		return 2
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintln(stderr, "paretoplay:", err)
	return 1
}

// longestLine is how many characters of an error a person is shown.
const longestLine = 300

// inOneLine makes a line of a message, which may quote anything: of a longer one the
// beginning, which says where, and the end, which says what.
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

// once refuses a second value for a flag, which would silently replace the first.
type once struct {
	flag.Value
	set bool
}

func (o *once) Set(text string) error {
	if o.set {
		return errors.New("it is given twice")
	}
	o.set = true
	return o.Value.Set(text)
}

// IsBoolFlag lets a flag without a value stay one.
func (o *once) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parseOnce parses args; flags that collect their values may repeat, and no others.
func parseOnce(flags *flag.FlagSet, args []string) error {
	flags.VisitAll(func(f *flag.Flag) {
		if _, collects := f.Value.(*repeated); !collects {
			f.Value = &once{Value: f.Value}
		}
	})
	defer flags.VisitAll(func(f *flag.Flag) {
		if o, ok := f.Value.(*once); ok {
			f.Value = o.Value
		}
	})
	return flags.Parse(args)
}

// parseFlags parses args, which hold flags only.
func parseFlags(flags *flag.FlagSet, args []string) error {
	flags.SetOutput(io.Discard)
	err := parseOnce(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if err != nil {
		return inputError{fmt.Errorf("%s: %w (see paretoplay help)", flags.Name(), err)}
	}
	if flags.NArg() > 0 {
		return inputError{fmt.Errorf("%s: unexpected %q (see paretoplay help)", flags.Name(), flags.Arg(0))}
	}
	return nil
}
