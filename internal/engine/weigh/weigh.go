// Package weigh computes the JSON answers of the commands weigh, transport, hypervolume and golden, and of scenes that
// show gradients. The answers are decisions of methods, plans of solvers, and volumes.
package weigh

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
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/portable"
)

// Input is the input of the weigh command: a Jacobian or a Gramian.
type Input struct {
	Jacobian [][]float64 // m rows of n ≥ 1 numbers; nil if only a Gramian is given
	Gramian  []float64   // m×m, symmetric, the products of the rows; nil if a Jacobian is given
	Losses   []float64   // one per row, or nil
	Seed     uint64
}

// Answer is the weigh command's output for one method.
type Answer struct {
	Method       string      `json:"method"`
	Weights      []float64   `json:"weights"`   // null for a rule without weights
	Effective    []float64   `json:"effective"` // coefficients c with direction = Gᵀc; null if there are none
	Direction    []float64   `json:"direction"` // null if only the Gramian is known
	Norm         float64     `json:"norm"`
	Stationarity float64     `json:"stationarity"`
	Gap          *float64    `json:"gap"` // null for a rule without an inner problem
	Status       algo.Status `json:"status"`
	// Rates are the first-order changes of the losses per unit of step size, for the step −direction. They are
	// −g_i·direction, or null on overflow.
	Rates   []*float64 `json:"rates"`
	Cosines []*float64 `json:"cosines"` // cosines of the angles between direction and each gradient; null if either is zero
	// Angles are the angles in degrees between the direction and the other methods' directions, by method. An angle is
	// null if either direction is zero. Angles are present only if all methods were requested.
	Angles map[string]*float64 `json:"angles,omitempty"`
	// Convention is present if the answer follows another library.
	*Convention
}

// Convention describes the library's conventions that an answer follows.
type Convention struct {
	As          string  `json:"as"` // the library's name and release, such as "torchjd 0.18"
	Version     string  `json:"version"`
	Differs     *string `json:"differs"`      // how the method differs from ours; null if they agree
	NotImitated *string `json:"not_imitated"` // parts of the library's class, such as its solver's errors; null if there are none
}

// Read reads and validates the input of the weigh command, {"jacobian" or "gramian", "losses", "seed"}. losses and seed may
// be absent or null.
func Read(r io.Reader) (*Input, error) {
	in, err := data.Read(r, data.GradientsObject)
	if err != nil {
		return nil, err
	}
	out := &Input{Jacobian: in.Rows(data.JacobianName), Losses: in.Losses(), Seed: in.Seed()}
	if g := in.Matrix(data.GramianName); g != nil {
		out.Gramian = g.Data
	}
	return out, nil
}

// aliases maps each method with history to a method that makes the same first decision. With a single Jacobian, the
// first decision is the only one.
var aliases = map[string]string{"psmgd": "mgda", "crmogm": "mgda"}

// Methods returns the method names that Apply accepts. They do not include "all".
func Methods() []string {
	var out []string
	for _, m := range weighting.Methods {
		out = append(out, m.Name)
	}
	return append(out, slices.Sorted(maps.Keys(aliases))...)
}

// Parameters returns a method's parameters for Apply, with their defaults. The list is empty for an unknown method.
func Parameters(method string) *param.List {
	if target, ok := aliases[method]; ok {
		method = target
	}
	l := new(param.List)
	if m, ok := weighting.Lookup(method); ok {
		m.BindAll(l)
	}
	return l
}

// Apply applies a method to the input. Settings map parameter names to texts.
func Apply(method string, settings map[string]string, in *Input) (*Answer, error) {
	return (*Library)(nil).Apply(method, settings, in)
}

func (l *Library) apply(method string, settings map[string]string, in *Input) (*Answer, error) {
	if in.Gramian != nil {
		return l.applyGramian(method, settings, in)
	}
	m, n := len(in.Jacobian), len(in.Jacobian[0])
	rule, err := l.newRule(method, settings, m, in.Seed)
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

// explain adds the method's name to ErrNoLosses.
func explain(method string, err error) error {
	if errors.Is(err, ErrNoLosses) {
		return fmt.Errorf("losses: %s needs losses, but the input has none", method)
	}
	return err
}

// weighed returns the answer for a decision on the gradients jac.
func weighed(method string, jac *algo.Jacobian, result algo.Result) *Answer {
	var measure pareto.Stationarity
	out := &Answer{Method: method, Weights: result.Weights, Effective: result.Effective, Direction: result.Direction,
		Norm: portable.Length(result.Direction), Stationarity: measure.Measure(jac), Status: result.Status}
	out.complete(result)
	out.along(jac)
	return out
}

func (w *Answer) complete(result algo.Result) {
	if most := max(w.Norm, w.Stationarity); math.IsInf(most, 1) {
		// The length of a vector with finite numbers may overflow.
		w.Norm, w.Stationarity = min(w.Norm, math.MaxFloat64), min(w.Stationarity, math.MaxFloat64)
		w.Status = algo.Diverged
	}
	w.Gap = data.Known(result.Gap)
	if result.Status == algo.Diverged {
		w.Weights, w.Effective = nil, nil // the zeros in them are not a decision
	}
}

// along computes how the direction changes the objectives, whose gradients are jac.
func (w *Answer) along(jac *algo.Jacobian) {
	direction, row := make([]float64, jac.Cols), make([]float64, jac.Cols)
	exponent := scale(direction, w.Direction)
	size := portable.Length(direction)
	for i := range jac.Rows {
		own := scale(row, jac.Row(i))
		product := portable.Dot(row, direction)
		w.Rates = append(w.Rates, data.Known(0-math.Ldexp(product, own+exponent))) // 0 − v, because −v could be −0
		w.Cosines = append(w.Cosines, data.Known(max(-1, min(product/size/portable.Length(row), 1))))
	}
}

// scale stores v/2^exponent in dst and returns the exponent. With this exponent, the largest absolute value in dst is
// about 1.
func scale(dst, v []float64) (exponent int) {
	_, exponent = math.Frexp(floats.Norm(v, math.Inf(1)))
	for i, x := range v {
		dst[i] = math.Ldexp(x, -exponent)
	}
	return exponent
}

// compare computes the angles between the directions of all answers.
func compare(list []*Answer) {
	units := make([][]float64, len(list))
	for i, w := range list {
		w.Angles = map[string]*float64{}
		unit := make([]float64, len(w.Direction))
		scale(unit, w.Direction)
		if size := portable.Length(unit); size > 0 {
			floats.Scale(1/size, unit)
			units[i] = unit
		}
	}
	for i, w := range list {
		for j, other := range list[:i] {
			var angle *float64
			if a, b := units[i], units[j]; a != nil && b != nil {
				angle = data.Known(angleBetween(a, b))
			}
			w.Angles[other.Method], other.Angles[w.Method] = angle, angle
		}
	}
}

// angleBetween returns the angle between two unit vectors in degrees. For equal vectors it returns exactly 0; the arc
// cosine of their product may differ from 0.
func angleBetween(a, b []float64) float64 {
	var apart, together float64
	for i, v := range a {
		apart += float64((v - b[i]) * (v - b[i]))
		together += float64((v + b[i]) * (v + b[i]))
	}
	return 2 * portable.Atan2(math.Sqrt(apart), math.Sqrt(together)) * 180 / math.Pi
}

// ErrNoLosses means that a rule needs losses, but the input has none.
var ErrNoLosses = errors.New("losses are missing")

// Decide returns a new rule's first decision on the gradients jac, m×n, and on input's losses, if any. input must already
// hold jac. Rules that need several samples get jac for each.
func Decide(rule algo.Weighting, jac *algo.Jacobian, input *algo.Input) (algo.Result, error) {
	needs := rule.Needs()
	if needs.Losses && input.Losses == nil {
		return algo.Result{}, ErrNoLosses
	}
	in := *input
	in.Extra = samples(nil, nil, needs.Extra, jac)
	m := jac.Rows
	result := algo.Result{Weights: make([]float64, m), Effective: make([]float64, m), Direction: make([]float64, jac.Cols)}
	err := rule.Weigh(&result, &in)
	return result, err
}

// ApplyAll applies every method of the library, or every method if l is nil, with default parameters, and compares the
// directions. It omits methods that need losses if there are none, and methods that reject the given losses. If only a
// Gramian is given, it also omits methods that need coordinates.
func (l *Library) ApplyAll(in *Input) ([]*Answer, error) {
	list := []*Answer{}
	for _, name := range l.Methods() {
		m, _ := weighting.Lookup(name)
		if m.Coordinates && in.Gramian != nil {
			continue
		}
		rule, err := l.newRule(name, nil, 1, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		needs := rule.Needs().Losses
		if needs && in.Losses == nil {
			continue
		}
		out, err := l.Apply(name, nil, in)
		if err != nil && needs {
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

func (l *Library) newRule(method string, given map[string]string, objectives int, seed uint64) (algo.Weighting, error) {
	name := method
	if target, ok := aliases[method]; ok {
		name = target
	}
	if _, ok := weighting.Lookup(name); !ok {
		return nil, fmt.Errorf("unknown method %q; available: %s", name, strings.Join(Methods(), " "))
	}
	rule, err := weighting.NewFor(weighting.Context{Objectives: objectives, Seed: seed}, name, l.list(method, given)...)
	if err != nil {
		return nil, err
	}
	return l.conform(method, rule), nil
}

// Volume is the output of the hypervolume command.
type Volume struct {
	Hypervolume float64 `json:"hypervolume"`
	Ignored     int     `json:"ignored"` // number of points at or beyond the reference in some objective; such points add nothing
	// IgnoredPoints lists the numbers of the ignored points in ascending order. The first point has number 1.
	IgnoredPoints []int `json:"ignored_points,omitempty"`
	// Contributions lists how much volume each point adds, if requested.
	Contributions []float64 `json:"contributions,omitempty"`
	// Points is the total number of points.
	Points int `json:"-"`
}

// MaxContributions is the maximum number of points for which Hypervolume computes contributions.
const MaxContributions = 20_000

// Hypervolume returns the volume that points dominate up to the reference. If contributions is true, it also returns each
// point's contribution. maximise lists the objectives to maximise, counted from 1.
//
// It returns an error if points and reference differ in length, an objective does not exist, or the volume overflows. It
// also returns an error if contributions of more than MaxContributions points are requested.
func Hypervolume(points [][]float64, reference []float64, maximise []int, contributions bool) (*Volume, error) {
	if contributions && len(points) > MaxContributions {
		return nil, fmt.Errorf("points: too many for contributions: %d; allowed is at most %d", len(points), MaxContributions)
	}
	reference = slices.Clone(reference)
	flipped := points
	if len(maximise) > 0 {
		flipped = make([][]float64, len(points))
		for i, p := range points {
			flipped[i] = slices.Clone(p)
		}
	}
	seen := map[int]bool{}
	for _, j := range maximise {
		if j < 1 || j > len(reference) || seen[j] {
			return nil, &algo.RangeError{Name: "maximise", Value: j,
				Allowed: fmt.Sprintf("each objective from 1 to %d at most once", len(reference))}
		}
		seen[j] = true
		reference[j-1] = -reference[j-1]
		for _, p := range flipped {
			if len(p) >= j {
				p[j-1] = -p[j-1]
			}
		}
	}
	volume, err := pareto.Hypervolume(flipped, reference)
	if err != nil {
		return nil, err
	}
	if math.IsInf(volume, 0) {
		return nil, errors.New("points: the volume is too large for double precision; scale the points down")
	}
	out := &Volume{Hypervolume: volume, Points: len(points)}
	for i, p := range flipped {
		if !pareto.StrictlyDominates(p, reference) {
			out.IgnoredPoints = append(out.IgnoredPoints, i+1)
		}
	}
	out.Ignored = len(out.IgnoredPoints)
	if contributions {
		if out.Contributions, err = pareto.Contributions(flipped, reference); err != nil {
			return nil, err
		}
	}
	return out, nil
}
