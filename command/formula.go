package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"paretoplay/algo/formula"
)

// maxFormulas is the largest file of formulas in bytes: more than all lines that a text may have.
const maxFormulas = 1 << 18

func checkFormulas(c *call) error {
	at := c.flags.String("at", "", "values and gradients at this point, `x1,x2,...`; how many numbers say how many variables there are")
	direction := c.flags.String("direction", "", "products of the Hessians with this direction, `d1,d2,...`, at the same point")
	c.explain("FILE, which checks formulas, one a line, and writes JSON; - is standard input.\n" +
		"Variables are x1 ... x10, functions " + strings.Join(formula.Functions(), " ") + ".\n" +
		"Further lines may be \"g = 1+x2\", \"a = 2\", \"x1 in [0, 1]\" and \"n = 5\". Example:\n" +
		"  echo '(x1-1)^2 + x2^2' | paretoplay formula -at 0.5,1 -")
	if err := parseOnce(c.flags, c.args); err != nil {
		return err
	}
	if c.flags.NArg() != 1 {
		return errors.New("one file of formulas is expected, after the options; - is standard input")
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
		return errors.New("-direction needs -at, the point")
	case along != nil && len(along) != len(point):
		return fmt.Errorf("-direction has %d numbers, -at %d", len(along), len(point))
	}
	text, err := c.text(c.flags.Arg(0), maxFormulas)
	if err != nil {
		return err
	}
	p, err := formula.Parse(text, len(point))
	if err != nil {
		return err
	}
	out, err := formulas(p, point, along)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(out) })
}

// numbersOf reads numbers with commas between them; nil for "".
func numbersOf(flag, text string) (numbers []float64, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("-%s %s: %q is no finite number", flag, text, part)
		}
		numbers = append(numbers, v)
	}
	return numbers, nil
}

// text reads a file, or standard input for "-", of at most that many bytes.
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
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > most {
		return "", fmt.Errorf("%s: more than %d bytes", name, most)
	}
	return string(data), nil
}

// objective is what is written of one formula.
type objective struct {
	Name     string    `json:"name"`
	Formula  string    `json:"formula"`
	Value    *float64  `json:"value"`
	Gradient []float64 `json:"gradient"`
	Product  []float64 `json:"product"`
}

// problemOf is what is written of a text of formulas.
type problemOf struct {
	N          int         `json:"n"`
	Objectives []objective `json:"objectives"`
}

// formulas computes what is written, at a point and along a direction, if they are given.
func formulas(p *formula.Problem, at, direction []float64) (problemOf, error) {
	n, m := p.Dims()
	out := problemOf{N: n}
	values := make([]float64, m)
	if at != nil {
		p.Values(values, at)
	}
	for i := range m {
		o := objective{Name: fmt.Sprintf("f%d", i+1), Formula: p.Formula(i)}
		if at != nil {
			o.Value, o.Gradient = &values[i], make([]float64, n)
			p.Gradient(o.Gradient, i, at)
		}
		if direction != nil {
			o.Product = make([]float64, n)
			p.HessianProduct(o.Product, i, at, direction)
		}
		for _, v := range append(append([]float64{values[i]}, o.Gradient...), o.Product...) {
			if v-v != 0 {
				return out, fmt.Errorf("%d:1: f%d, or a derivative of it, is not finite at this point: %s", p.Line(i), i+1, p.Fault(at))
			}
		}
		out.Objectives = append(out.Objectives, o)
	}
	return out, nil
}
