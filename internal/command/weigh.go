package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/algo/runlog"
	"paretoplay/internal/atomicfile"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func weighGradients(c *call) error {
	method := c.flags.String("method", "", "one of "+strings.Join(weigh.Methods(), " ")+", or all; with -stream also "+
		"a comma-separated `list`. Add -h after a method for its parameters")
	var settings repeated
	c.flags.Var(&settings, "set", "set a parameter of the method, `name=value`; repeat for more")
	stream := c.flags.Bool("stream", false, "read one JSON object per line and answer each line at once; methods remember earlier lines")
	var libraries []string
	for _, l := range weigh.Libraries {
		libraries = append(libraries, fmt.Sprintf("%s (%s %s)", l.Name, l.Title, l.Version))
	}
	as := c.flags.String("as", "", "follow the conventions of another `library`: "+strings.Join(libraries, " or ")+".\n"+
		"These are its sums and means, defaults, clipping and regularisation; the field differs lists them. Its solvers' errors\n"+
		"and random numbers are not imitated; the field not_imitated lists these. -set takes precedence")
	fieldList := c.flags.String("fields", "", "a comma-separated `list` of "+strings.Join(weigh.Fields, " ")+
		" to write in addition to method and status (default all; with -stream "+strings.Join(weigh.StreamFields, ",")+")")
	c.explain(fmt.Sprintf("Reads {\"jacobian\": [[...], ...], \"losses\": [...], \"seed\": n} from standard input. losses and seed are\n"+
		"optional. The Jacobian has at most %d rows of %d numbers, and at most %d numbers in total.\n"+
		"Instead of the Jacobian, {\"gramian\": [[...], ...]} may give the products of its rows; the answer then has no\n"+
		"direction. With -stream, each line is a record of a training run's log with at most %d objectives. It may also\n"+
		"have cross, after and step.",
		data.MaxRows, data.MaxColumns, data.MaxNumbers, runlog.MaxObjectives))
	usage := c.flags.Usage
	c.flags.Usage = func() {
		usage()
		for name := range strings.SplitSeq(*method, ",") {
			library, err := lookUp(*as)
			if err != nil {
				library = nil
			}
			explainParameters(c.flags.Output(), name, library)
		}
	}
	if err := c.parse(); err != nil {
		return err
	}
	library, err := lookUp(*as)
	if err != nil {
		return fmt.Errorf("-as: %w", err)
	}
	names := weigh.Methods()
	methods := []string{*method}
	if *stream {
		methods = strings.Split(*method, ",")
	}
	for _, name := range methods {
		switch {
		case *method == "":
			return fmt.Errorf("-method is missing; available: %s all", strings.Join(names, " "))
		case *method == "all" && len(settings) > 0:
			return errors.New("-set applies to one method, not to all")
		case *method != "all" && !slices.Contains(names, name):
			return fmt.Errorf("unknown method %q; available: %s all", name, strings.Join(names, " "))
		case *method != "all":
			if err := library.Check(name); err != nil {
				return err
			}
		}
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	var fields []string
	if c.given("fields") {
		fields = strings.Split(*fieldList, ",")
		if err := weigh.CheckFields(fields); err != nil {
			return fmt.Errorf("-fields: %w", err)
		}
	}
	if *stream {
		return c.weighLines(methods, byName, fields, library)
	}
	in, err := weigh.Read(c.stdin)
	if err != nil {
		return err
	}
	if *method != "all" {
		result, err := library.Apply(*method, byName, in)
		if err != nil {
			return err
		}
		return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(picked(result, fields)) })
	}
	list, err := library.ApplyAll(in)
	if err != nil {
		return err
	}
	answers := []any{}
	for _, result := range list {
		answers = append(answers, picked(result, fields))
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(answers) })
}

// lookUp returns the library with the given name, or nil for "".
func lookUp(name string) (*weigh.Library, error) {
	if name == "" {
		return nil, nil
	}
	return weigh.LookupLibrary(name)
}

// explainParameters prints the parameters that -set accepts for a method, if there are any. The defaults are those of
// the library, which may be nil.
func explainParameters(w io.Writer, method string, library *weigh.Library) {
	l := library.Parameters(method)
	if len(l.Names()) == 0 {
		return
	}
	fmt.Fprintf(w, "Parameters of %s, for -set:\n", method)
	for _, d := range l.Descriptors() {
		allowed := ": " + d.Allowed()
		if d.Kind == param.Points { // a list, whose format the help explains
			allowed = ""
		}
		fmt.Fprintf(w, "  %s=%s\n    \t%s%s. %s\n", d.Name, l.Text(d.Name), d.Label, allowed, d.Help)
		for _, o := range d.Options {
			fmt.Fprintf(w, "    \t%s: %s\n", o.Value, o.Help)
		}
	}
}

// picked returns the requested fields of an answer. It returns the whole answer if no fields are requested.
func picked(result *weigh.Answer, fields []string) any {
	if fields == nil {
		return result
	}
	return result.Pick(fields)
}

// refusedLine is the answer to an invalid line of a stream.
type refusedLine struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// weighLines answers a stream line by line. It writes each answer at once, because a training loop may wait for it. If
// a line is invalid, the answer is the error, and methods do not remember the line. After the last line, weighLines
// returns an error if any line was invalid.
func (c *call) weighLines(methods []string, settings map[string]string, fields []string, as *weigh.Library) error {
	if fields == nil {
		fields = weigh.StreamFields
	}
	s, err := weigh.NewStream(methods, settings, fields, as)
	if err != nil {
		return err
	}
	lines := runlog.NewLines(data.EndlessText(c.stdin), data.MaxBytes)
	out := json.NewEncoder(c.stdout)
	told := map[string]bool{}
	refused, first := 0, error(nil)
	answer := func(line *runlog.Line, err error) (any, error) {
		if err == nil {
			for _, name := range line.Ignored {
				if !told[name] && len(told) < runlog.MaxObjectives {
					told[name] = true
					fmt.Fprintln(c.stderr, inOneLine(fmt.Sprintf("paretoplay weigh: line %d: ignoring %q", line.Number, name)))
				}
			}
			said, wrong := s.Answer(line)
			if wrong == nil {
				return said, nil
			}
			err = &runlog.LineError{Number: line.Number, Err: wrong}
		}
		fault, settings := new(runlog.LineError), new(weigh.SettingsError)
		if !errors.As(err, &fault) || errors.As(err, &settings) {
			return nil, err
		}
		if refused++; refused == 1 {
			first = fault
		}
		return refusedLine{fault.Number, fault.Err.Error()}, nil
	}
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		said, err := answer(line, err)
		if err != nil {
			return err
		}
		if err := out.Encode(said); err != nil {
			return Fault{fmt.Errorf("standard output: %w", atomicfile.Cause(err))}
		}
	}
	switch refused {
	case 0:
		return nil
	case 1:
		return first
	}
	return fmt.Errorf("%d lines are invalid; the first is %w", refused, first)
}
