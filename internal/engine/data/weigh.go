// Package data reads and writes the JSON of weigh, transport and hypervolume, and reads
// visitors' files, in the same way for the command line and for the page.
package data

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/runlog"
	"paretoplay/algo/weighting"
)

// Limits of inputs. A Jacobian of 200 rows and 10,000 columns in full precision is about 50 MB
// of text; the products of 1000 rows take 8 MB, and the slowest rules a minute for their
// decision.
const (
	MaxBytes   = 256 << 20
	MaxNumbers = 10_000_000 // of a matrix
	MaxRows    = 1000       // of weigh
	MaxColumns = 1_000_000  // of weigh
	MaxPoints  = 1_000_000  // of hypervolume
)

// WeighInput is the input of weigh: either a Jacobian or a Gramian.
type WeighInput struct {
	Jacobian [][]float64 // m rows of n ≥ 1 numbers; nil where only their products are known
	Gramian  []float64   // m×m, symmetric, the products of the rows; nil where there is a Jacobian
	Losses   []float64   // one a row; nil for none
	Seed     uint64
}

// Weighed is the output of weigh.
type Weighed struct {
	Method       string      `json:"method"`
	Weights      []float64   `json:"weights"`   // null for a rule without weights
	Effective    []float64   `json:"effective"` // coefficients c with direction = Gᵀc; null where there are none
	Direction    []float64   `json:"direction"` // null where only the Gramian is known
	Norm         float64     `json:"norm"`
	Stationarity float64     `json:"stationarity"`
	Gap          *float64    `json:"gap"` // null where there is no inner problem
	Status       algo.Status `json:"status"`
	// Rates are by how much each loss changes for each unit of the step size, to first order, where the
	// step is −direction: −g_i·direction, null where that is beyond all numbers.
	Rates   []*float64 `json:"rates"`
	Cosines []*float64 `json:"cosines"` // of the angle between direction and each gradient; null where one is zero
	// Angles, in degrees, are those between the direction and the other methods', by their names; null
	// where one is zero. They are there where all methods were asked.
	Angles map[string]*float64 `json:"angles,omitempty"`
}

// readObject reads one JSON object, or says where it departs from the layout. It stops reading
// there, so it never holds more than the limits allow.
func readObject(r io.Reader, l *Layout) (*Pasted, error) {
	reader := PasteReader{takes: l}
	if _, err := io.Copy(&reader, r); err != nil {
		return nil, err
	}
	return reader.Close()
}

const gramianName = "gramian"

var weighLayout = Layout{
	noun: "input", content: "a JSON object is expected", object: true,
	fields: []field{
		{name: jacobianName, what: matrix, rows: MaxRows, columns: MaxColumns, optional: true},
		{name: gramianName, what: matrix, rows: MaxRows, columns: MaxRows, optional: true},
		{name: lossesName, what: list, rows: MaxRows, optional: true},
		{name: seedName, what: integer, optional: true},
	},
	check: func(p *Pasted) (string, error) {
		jacobian, gramian := p.Matrix(jacobianName), p.Matrix(gramianName)
		switch {
		case jacobian == nil && gramian == nil:
			return "", fmt.Errorf("%s: at least one row of one number is needed, or a %s", jacobianName, gramianName)
		case jacobian != nil && gramian != nil:
			return "", fmt.Errorf("%s: there is a %s too; give one of them", gramianName, jacobianName)
		case jacobian != nil:
			return "", lossesFit(p)
		}
		if losses := p.Losses(); losses != nil && len(losses) != gramian.Rows {
			return "", fmt.Errorf("losses: there are %d for %d rows of the Gramian", len(losses), gramian.Rows)
		}
		// What is accepted is made exactly symmetric.
		m := runlog.Matrix{Rows: gramian.Rows, Columns: gramian.Cols, Data: gramian.Data}
		return "", m.Check()
	},
}

// ReadWeigh reads and checks the input of weigh, {"jacobian" or "gramian", "losses", "seed"}; the last two
// may be absent or null.
func ReadWeigh(r io.Reader) (*WeighInput, error) {
	in, err := readObject(r, &weighLayout)
	if err != nil {
		return nil, err
	}
	out := &WeighInput{Jacobian: in.Rows(jacobianName), Losses: in.Losses(), Seed: in.Seed()}
	if g := in.Matrix(gramianName); g != nil {
		out.Gramian = g.Data
	}
	return out, nil
}

// aliases maps methods with history to the method that they equal at their first call, and so
// on a single Jacobian.
var aliases = map[string]string{"psmgd": "mgda", "crmogm": "mgda"}

// WeighMethods returns the names that Weigh takes, besides "all".
func WeighMethods() []string {
	var out []string
	for _, m := range weighting.Methods {
		out = append(out, m.Name)
	}
	return append(out, slices.Sorted(maps.Keys(aliases))...)
}

// WeighParameters returns the parameters of a method that Weigh takes, with their defaults; none for another name.
func WeighParameters(method string) *param.List {
	if target, ok := aliases[method]; ok {
		method = target
	}
	l := new(param.List)
	if m, ok := weighting.Lookup(method); ok {
		m.Bind(l, "")
	}
	return l
}

// Weigh applies a method to the input, with settings as texts by name.
func Weigh(method string, settings map[string]string, in *WeighInput) (*Weighed, error) {
	name := method
	if target, ok := aliases[method]; ok {
		name = target
	}
	if in.Gramian != nil {
		return weighGramian(method, name, settings, in)
	}
	m, n := len(in.Jacobian), len(in.Jacobian[0])
	rule, err := newRule(name, settings, m, in.Seed)
	if err != nil {
		return nil, err
	}
	jac := algo.NewJacobian(m, n)
	for i, row := range in.Jacobian {
		copy(jac.Row(i), row)
	}
	input := algo.Input{Losses: in.Losses}
	input.SetGradients(jac)
	result, err := Decide(rule, jac, &input)
	if err != nil {
		return nil, explain(method, err)
	}
	return weighed(method, jac, result), nil
}

// explain names the method that lacks losses.
func explain(method string, err error) error {
	if errors.Is(err, ErrNoLosses) {
		return fmt.Errorf("losses: %s needs them, and there are none", method)
	}
	return err
}

// weighed describes a decision on the gradients jac.
func weighed(method string, jac *algo.Jacobian, result algo.Result) *Weighed {
	var measure pareto.Stationarity
	out := &Weighed{Method: method, Weights: result.Weights, Effective: result.Effective, Direction: result.Direction,
		Norm: floats.Norm(result.Direction, 2), Stationarity: measure.Measure(jac), Status: result.Status}
	out.complete(result)
	out.along(jac)
	return out
}

// complete stores what remains of a decision.
func (w *Weighed) complete(result algo.Result) {
	if most := max(w.Norm, w.Stationarity); math.IsInf(most, 1) {
		// The length of a vector of finite numbers may overflow.
		w.Norm, w.Stationarity = min(w.Norm, math.MaxFloat64), min(w.Stationarity, math.MaxFloat64)
		w.Status = algo.Diverged
	}
	if result.Gap == result.Gap {
		w.Gap = &result.Gap
	}
	if result.Status == algo.Diverged {
		w.Weights, w.Effective = nil, nil // the zeros that stand there were not decided
	}
}

// along stores what the direction does to objectives with the gradients jac.
func (w *Weighed) along(jac *algo.Jacobian) {
	direction, row := make([]float64, jac.Cols), make([]float64, jac.Cols)
	exponent := scale(direction, w.Direction)
	size := floats.Norm(direction, 2)
	for i := range jac.Rows {
		own := scale(row, jac.Row(i))
		product := floats.Dot(row, direction)
		w.Rates = append(w.Rates, Known(0-math.Ldexp(product, own+exponent))) // 0 − 0 is not −0
		w.Cosines = append(w.Cosines, Known(max(-1, min(product/size/floats.Norm(row, 2), 1))))
	}
}

// scale stores v/2^exponent in dst, with the exponent that makes the largest number about 1.
func scale(dst, v []float64) (exponent int) {
	_, exponent = math.Frexp(floats.Norm(v, math.Inf(1)))
	for i, x := range v {
		dst[i] = math.Ldexp(x, -exponent)
	}
	return exponent
}

// compare stores the angles between the directions of a list.
func compare(list []*Weighed) {
	units := make([][]float64, len(list))
	for i, w := range list {
		w.Angles = map[string]*float64{}
		unit := make([]float64, len(w.Direction))
		scale(unit, w.Direction)
		if size := floats.Norm(unit, 2); size > 0 {
			floats.Scale(1/size, unit)
			units[i] = unit
		}
	}
	for i, w := range list {
		for j, other := range list[:i] {
			var angle *float64
			if a, b := units[i], units[j]; a != nil && b != nil {
				angle = Known(angleBetween(a, b))
			}
			w.Angles[other.Method], other.Angles[w.Method] = angle, angle
		}
	}
}

// angleBetween is the angle between two unit vectors in degrees. It is 0 to the last digit where they are
// the same, which their product is not.
func angleBetween(a, b []float64) float64 {
	var apart, together float64
	for i, v := range a {
		apart += (v - b[i]) * (v - b[i])
		together += (v + b[i]) * (v + b[i])
	}
	return 2 * math.Atan2(math.Sqrt(apart), math.Sqrt(together)) * 180 / math.Pi
}

// ErrNoLosses reports that a rule needs losses and was given none.
var ErrNoLosses = errors.New("losses are needed, and there are none")

// Decide asks a new rule for its first decision, on the gradients jac, m×n, which input already
// holds, and on input's losses, if any. All samples are equal.
func Decide(rule algo.Weighting, jac *algo.Jacobian, input *algo.Input) (algo.Result, error) {
	needs := rule.Needs()
	if needs.Losses && input.Losses == nil {
		return algo.Result{}, ErrNoLosses
	}
	in := *input
	in.Extra = nil
	for range needs.Extra {
		in.Extra = append(in.Extra, jac)
	}
	m := jac.Rows
	result := algo.Result{Weights: make([]float64, m), Effective: make([]float64, m), Direction: make([]float64, jac.Cols)}
	err := rule.Weigh(&result, &in)
	return result, err
}

// WeighAll applies every method with its defaults, and compares their directions. It leaves out methods
// that need losses if there are none, or none that they accept, and those that read coordinates of a Gramian.
func WeighAll(in *WeighInput) ([]*Weighed, error) {
	list := []*Weighed{}
	for _, name := range WeighMethods() {
		m, _ := weighting.Lookup(name)
		if m.Needs.Losses && in.Losses == nil || m.Coordinates && in.Gramian != nil {
			continue
		}
		out, err := Weigh(name, nil, in)
		if err != nil && m.Needs.Losses {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, out)
	}
	if in.Gramian == nil {
		compare(list)
	}
	return list, nil
}

func newRule(name string, settings map[string]string, objectives int, seed uint64) (algo.Weighting, error) {
	if _, ok := weighting.Lookup(name); !ok {
		return nil, fmt.Errorf("%q is no method; there are: %s", name, strings.Join(WeighMethods(), " "))
	}
	var list []string
	for _, parameter := range slices.Sorted(maps.Keys(settings)) {
		list = append(list, parameter+"="+settings[parameter])
	}
	return weighting.NewFor(weighting.Context{Objectives: objectives, Seed: seed}, name, list...)
}

var hypervolumeLayout = Layout{
	noun: "input", content: "a JSON object is expected", object: true,
	fields: []field{
		{name: "points", what: matrix, rows: MaxPoints, columns: MaxPoints, empty: true},
		{name: "reference", what: list, rows: MaxPoints},
	},
}

// Hypervolume reads {"points", "reference"} and returns the volume that the points
// dominate.
func Hypervolume(r io.Reader) (float64, error) {
	in, err := readObject(r, &hypervolumeLayout)
	if err != nil {
		return 0, err
	}
	volume, err := pareto.Hypervolume(in.Rows("points"), in.List("reference"))
	if err == nil && math.IsInf(volume, 0) {
		err = errors.New("points: their volume is too large for double precision; scale them down")
	}
	return volume, err
}
