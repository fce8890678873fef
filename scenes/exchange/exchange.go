// Package exchange is the JSON that goes into and comes out of weigh and
// hypervolume, the same for the command line and for the page.
package exchange

import (
	"bytes"
	"encoding/json"
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
	"paretoplay/algo/weighting"
)

// Largest inputs that are read: a Jacobian of 200 rows and 10,000 columns in
// full precision is about 50 MB of text.
const (
	MaxBytes   = 256 << 20
	MaxRows    = 10_000
	MaxColumns = 1_000_000
)

// WeighInput is what weigh reads.
type WeighInput struct {
	Jacobian []Numbers `json:"jacobian"`
	Losses   Numbers   `json:"losses"`
	Seed     uint64    `json:"seed"`
}

// Numbers is a list in which every entry is a number: package json would read
// null as 0.
type Numbers []float64

// UnmarshalJSON reads a list of numbers; null is no list.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = nil
		return nil
	}
	if bytes.Contains(data, []byte("null")) {
		return fmt.Errorf("null stands in place of a number in %.40s", data)
	}
	return json.Unmarshal(data, (*[]float64)(n))
}

// Weighed is what weigh writes.
type Weighed struct {
	Method       string      `json:"method"`
	Weights      []float64   `json:"weights"`   // null for a rule without weights
	Effective    []float64   `json:"effective"` // coefficients c with direction = Gᵀc; null where there are none
	Direction    []float64   `json:"direction"`
	Norm         float64     `json:"norm"`
	Stationarity float64     `json:"stationarity"`
	Gap          *float64    `json:"gap"` // null where there is no inner problem
	Status       algo.Status `json:"status"`
}

// decode reads one JSON object strictly: unknown names, several values and
// oversized input are errors that say where.
func decode(r io.Reader, into any) error {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return err
	}
	if len(data) > MaxBytes {
		return fmt.Errorf("the input is larger than %d MB", MaxBytes>>20)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("the input is empty; a JSON object is expected")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line, column := position(data, syntax.Offset)
			return fmt.Errorf("line %d, column %d: %v", line, column, err)
		}
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one JSON value")
	}
	return nil
}

func position(data []byte, offset int64) (line, column int) {
	before := data[:min(int(offset), len(data))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n') - 1
}

// ReadWeigh reads and checks the input of weigh.
func ReadWeigh(r io.Reader) (*WeighInput, error) {
	var in WeighInput
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	if len(in.Jacobian) == 0 || len(in.Jacobian[0]) == 0 {
		return nil, errors.New("jacobian: at least one row of one number is needed")
	}
	if m, n := len(in.Jacobian), len(in.Jacobian[0]); m > MaxRows || n > MaxColumns {
		return nil, fmt.Errorf("jacobian: %d rows of %d columns; at most %d of %d are read", m, n, MaxRows, MaxColumns)
	}
	for i, row := range in.Jacobian {
		if len(row) != len(in.Jacobian[0]) {
			return nil, fmt.Errorf("jacobian: row %d has %d numbers, row 1 has %d", i+1, len(row), len(in.Jacobian[0]))
		}
	}
	if in.Losses != nil && len(in.Losses) != len(in.Jacobian) {
		return nil, fmt.Errorf("losses: there are %d for %d rows of the Jacobian", len(in.Losses), len(in.Jacobian))
	}
	return &in, nil
}

// aliases are methods with history that answer as another one on a single
// Jacobian, as at their first call.
var aliases = map[string]string{"psmgd": "mgda", "crmogm": "mgda"}

// WeighMethods are the names that Weigh takes, beside "all".
func WeighMethods() []string {
	var out []string
	for _, m := range weighting.Methods {
		out = append(out, m.Name)
	}
	return append(out, slices.Sorted(maps.Keys(aliases))...)
}

// Weigh applies a method to the input, with settings as texts by name.
func Weigh(method string, settings map[string]string, in *WeighInput) (*Weighed, error) {
	name := method
	if target, ok := aliases[method]; ok {
		name = target
	}
	m, n := len(in.Jacobian), len(in.Jacobian[0])
	rule, err := newRule(name, settings, weighting.Context{Objectives: m, Seed: in.Seed})
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
	if errors.Is(err, ErrNoLosses) {
		return nil, fmt.Errorf("losses: %s needs them, and there are none", method)
	}
	if err != nil {
		return nil, err
	}
	var measure pareto.Stationarity
	out := &Weighed{Method: method, Weights: result.Weights, Effective: result.Effective, Direction: result.Direction,
		Norm: floats.Norm(result.Direction, 2), Stationarity: measure.Measure(jac), Status: result.Status}
	if most := max(out.Norm, out.Stationarity); math.IsInf(most, 1) {
		// Vectors of numbers that are finite may be longer than any number.
		out.Norm, out.Stationarity = min(out.Norm, math.MaxFloat64), min(out.Stationarity, math.MaxFloat64)
		out.Status = algo.Diverged
	}
	if result.Gap == result.Gap {
		out.Gap = &result.Gap
	}
	return out, nil
}

// ErrNoLosses says that a rule needs losses and was given none.
var ErrNoLosses = errors.New("losses are needed, and there are none")

// Decide asks a new rule for its decision on the gradients jac, m×n, which input has been
// given, and its losses, where it has any: the first one, with all samples equal.
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

// WeighAll applies every method, each with its defaults. Those that need losses
// are left out where there are none, or none that they accept.
func WeighAll(in *WeighInput) ([]*Weighed, error) {
	list := []*Weighed{}
	for _, name := range WeighMethods() {
		m, _ := weighting.Lookup(name)
		if m.Needs.Losses && in.Losses == nil {
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
	return list, nil
}

func newRule(name string, settings map[string]string, c weighting.Context) (algo.Weighting, error) {
	method, ok := weighting.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("%q is no method; there are: %s", name, strings.Join(WeighMethods(), " "))
	}
	var params param.List
	construct := method.Bind(&params, "")
	params.Seed(&c.Seed, param.Descriptor{
		Name: "seed", Label: "Seed", Help: "Of the random draws of a method that makes some.", Effect: param.Restart,
	})
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if err := params.Assign(name, settings[name]); err != nil {
			return nil, err
		}
	}
	return construct(c)
}

// HypervolumeInput is what hypervolume reads.
type HypervolumeInput struct {
	Points    []Numbers `json:"points"`
	Reference Numbers   `json:"reference"`
}

// Hypervolume reads points and a reference and returns the volume they
// dominate.
func Hypervolume(r io.Reader) (float64, error) {
	var in HypervolumeInput
	if err := decode(r, &in); err != nil {
		return 0, err
	}
	if in.Points == nil {
		return 0, errors.New("points: a list of points is needed")
	}
	if len(in.Reference) == 0 {
		return 0, errors.New("reference: a point is needed")
	}
	points := make([][]float64, len(in.Points))
	for i, p := range in.Points {
		points[i] = p
	}
	return pareto.Hypervolume(points, in.Reference)
}
