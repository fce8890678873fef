package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"paretoplay/internal/atomicfile"
	"paretoplay/internal/engine/link"
)

// call is one command line in progress. Its output is held back until the command has succeeded, so that bad input
// writes nothing to standard output.
type call struct {
	*Program
	flags          *flag.FlagSet
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	inputs         []input
	outputs        []*output
	releases       []func() // called once the output is written
	remarks        []string // messages for standard error, printed if the command succeeds
	csvLocale      *string  // value of -csvlocale; nil if the command writes no CSV
}

// input is a file that a command reads.
type input struct {
	option string // option that names the file
	info   os.FileInfo
}

// once rejects a second value for a flag, because the second would silently replace the first.
type once struct {
	flag.Value
	set bool
}

func (o *once) Set(text string) error {
	if o.set {
		return errors.New("the flag is given twice")
	}
	o.set = true
	return o.Value.Set(text)
}

// IsBoolFlag reports whether the wrapped flag needs no value.
func (o *once) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parseOnce parses args. It rejects repeated flags, except flags that collect several values.
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
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) && !slices.ContainsFunc(args, isHelp) {
		return errors.New("-h takes no value; use -h alone to print the help")
	}
	return err
}

// parse parses the flags. It returns an error if other arguments follow them.
func (c *call) parse() error {
	if err := parseOnce(c.flags, c.args); err != nil {
		return err
	}
	if c.flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", c.flags.Arg(0))
	}
	return nil
}

// explain sets the text that -h prints: the command's name, its description, and its flags.
func (c *call) explain(does string) {
	c.flags.Usage = func() {
		fmt.Fprintf(c.flags.Output(), "Usage of %s:\n%s\n\n", c.flags.Name(), does)
		c.flags.PrintDefaults()
	}
}

func (c *call) given(name string) bool {
	found := false
	c.flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

func (c *call) release() {
	for _, release := range c.releases {
		release()
	}
}

// open opens, for reading, the file that an option names. It returns an error for a folder.
func (c *call) open(option, path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", option, path, atomicfile.Cause(err))
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("expected a file, not a folder")
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", option, path, errors.Join(atomicfile.Cause(err), f.Close()))
	}
	c.inputs = append(c.inputs, input{option, info})
	return f, nil
}

// repeated collects the values of a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, " ") }

func (r *repeated) Set(v string) error {
	*r = append(*r, v)
	return nil
}

// split splits values of the form name=value. It rejects a repeated name, because the second value would silently
// replace the first.
func (r repeated) split() ([]link.Value, error) {
	var out []link.Value
	given := map[string]bool{}
	for _, s := range r {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("-set %s: expected the form name=value", s)
		}
		if given[name] {
			return nil, fmt.Errorf("-set %s: the parameter %s is given twice", s, name)
		}
		given[name] = true
		out = append(out, link.Value{Name: name, Text: text})
	}
	return out, nil
}

func (r repeated) byName() (map[string]string, error) {
	values, err := r.split()
	out := map[string]string{}
	for _, v := range values {
		out[v.Name] = v.Text
	}
	return out, err
}
