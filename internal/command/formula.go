package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/internal/engine/data"
)

// maxFormulas is the maximum size, in bytes, of a file of formulas. It exceeds the maximum total size of the lines.
const maxFormulas = 1 << 18

func checkFormulas(c *call) error {
	at := c.flags.String("at", "", "compute values and gradients at this point, `x1,x2,...`; its length sets the number of variables")
	direction := c.flags.String("direction", "", "compute the Hessians' products with this direction, `d1,d2,...`, at the same point")
	c.explain("formula FILE checks formulas, one per line, and writes JSON; - is standard input.\n" +
		"Variables are x1 ... x30; functions are " + strings.Join(formula.Functions(), " ") + ".\n" +
		"Other lines may be \"g = 1+x2\", \"a = 2\", \"x1 in [0, 1]\" and \"n = 5\". Lines \"F1 = ...\" and \"f = ...\" define\n" +
		"a two-level problem with upper variables a1 ... and lower variables w1 ...; a point lists both. Example:\n" +
		"  echo '(x1-1)^2 + x2^2' | paretoplay formula -at 0.5,1 -")
	if err := parseOnce(c.flags, c.args); err != nil {
		return err
	}
	if c.flags.NArg() != 1 {
		return errors.New("expected one file of formulas after the options, or - for standard input")
	}
	point, err := numbersOf("at", *at)
	if err != nil {
		return err
	}
	along, err := numbersOf("direction", *direction)
	switch {
	case err != nil:
		return err
	case along != nil && point == nil:
		return errors.New("-direction needs a point; add -at")
	case along != nil && len(along) != len(point):
		return fmt.Errorf("-direction has %d numbers, but -at has %d", len(along), len(point))
	}
	text, err := c.text(c.flags.Arg(0), maxFormulas)
	if err != nil {
		return err
	}
	out, err := checked(text, point, along)
	if err != nil {
		return err
	}
	for _, name := range out.Unused {
		out.remarks = append(out.remarks, "no objective uses "+name)
	}
	c.remarks = append(c.remarks, out.remarks...)
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(out) })
}

// numbersOf parses a flag's comma-separated numbers. It returns nil for "".
func numbersOf(flag, text string) (numbers []float64, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("-%s %s: %q is not a finite number", flag, text, part)
		}
		numbers = append(numbers, v)
	}
	return numbers, nil
}

// text reads a file, or standard input for "-". It returns an error if the text is longer than the limit most, in
// bytes.
func (c *call) text(name string, most int64) (string, error) {
	from := c.stdin
	if name != "-" {
		f, err := c.open("file", name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	}
	text, err := io.ReadAll(io.LimitReader(data.EndlessText(from), most+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(text)) > most {
		return "", fmt.Errorf("%s: the file has more than %d bytes", name, most)
	}
	return string(text), nil
}

type objective struct {
	Name     string    `json:"name"`
	Formula  string    `json:"formula"`
	Value    *float64  `json:"value"`
	Gradient []float64 `json:"gradient"` // null if a derivative is not finite, as for abs(x1)^0.8 at 0
	Product  []float64 `json:"product"`
}

// problemOf is the output for a text of formulas. For a two-level problem, N is the number of upper variables, P is the
// number of lower variables, and the last objective belongs to the lower level.
type problemOf struct {
	N          int         `json:"n"`
	P          int         `json:"p,omitempty"`
	Objectives []objective `json:"objectives"`
	Unused     []string    `json:"unused,omitempty"` // named numbers that no objective uses
	remarks    []string    // for standard error
}

// readFormulas is a parsed problem with one or two levels.
type readFormulas interface {
	Gradient(dst []float64, i int, x []float64)
	HessianProduct(dst []float64, i int, x, direction []float64)
	Formula(i int) string
	Line(i int) int
	Fault(x []float64) string
}

// checked parses a text and returns its output. It also evaluates the formulas at a point and along a direction, if
// these are given.
func checked(text string, at, direction []float64) (problemOf, error) {
	if !formula.IsBilevel(text) {
		p, err := formula.Parse(text, len(at))
		if err != nil {
			return problemOf{}, err
		}
		n, m := p.Dims()
		names, values := make([]string, m), make([]float64, m)
		for i := range names {
			names[i] = fmt.Sprintf("f%d", i+1)
		}
		if at != nil {
			p.Values(values, at)
		}
		return formulas(p, problemOf{N: n, Unused: p.Unused()}, names, values, at, direction)
	}
	p, err := formula.ParseBilevel(text, 0, 0)
	if err != nil {
		return problemOf{}, err
	}
	n, lower, m := p.Dims()
	if at != nil && len(at) != n+lower {
		return problemOf{}, fmt.Errorf("-at has %d numbers; a point has %d upper and %d lower variables", len(at), n, lower)
	}
	names, values := make([]string, m+1), make([]float64, m+1)
	for i := range m {
		names[i] = fmt.Sprintf("F%d", i+1)
	}
	names[m] = "f"
	if at != nil {
		p.Values(values[:m], at)
		values[m] = p.Lower(at)
	}
	return formulas(p, problemOf{N: n, P: lower}, names, values, at, direction)
}

// formulas adds the objectives, each with its derivatives, to the output out and returns it.
func formulas(p readFormulas, out problemOf, names []string, values, at, direction []float64) (problemOf, error) {
	n := out.N + out.P
	for i, name := range names {
		o := objective{Name: name, Formula: p.Formula(i)}
		if at != nil {
			o.Value, o.Gradient = &values[i], make([]float64, n)
			p.Gradient(o.Gradient, i, at)
		}
		if direction != nil {
			o.Product = make([]float64, n)
			p.HessianProduct(o.Product, i, at, direction)
		}
		if at != nil && !algo.Finite(values[i:i+1]) {
			return out, fmt.Errorf("%d:1: %s is not finite at this point: %s", p.Line(i), name, p.Fault(at))
		}
		if !algo.Finite(o.Gradient) || !algo.Finite(o.Product) {
			what := "the Hessian-vector product"
			if !algo.Finite(o.Gradient) {
				what, o.Gradient = "the gradient", nil
			}
			o.Product = nil
			out.remarks = append(out.remarks, fmt.Sprintf("%d:1: %s of %s is not finite at this point: %s", p.Line(i), what, name, p.Fault(at)))
		}
		out.Objectives = append(out.Objectives, o)
	}
	return out, nil
}
