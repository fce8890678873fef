// Package analysis computes everything about the decisions on one Jacobian: the gradients, every method's decision on
// these gradients, and the cone of directions that make no objective worse. It does not draw anything.
package analysis

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/weigh"
	"paretoplay/internal/portable"
)

// Chosen is a method that was selected for the analysis, with its parameters.
type Chosen struct {
	Method    weighting.Method
	Construct weighting.Constructor
	Ordinary  bool   // whether the parameters have their defaults; the method's promises hold only in this case
	Settings  string // the parameters as texts
}

// Analysis is the analysis of one Jacobian, computed in pieces: first the Gramian row by row, then the min-norm point,
// then each method's decision.
type Analysis struct {
	Jacobian *algo.Jacobian
	Input    algo.Input // the Jacobian in the form that rules need, with the losses
	seed     uint64

	Rows  int       // number of computed rows of the Gramian
	Norms []float64 // lengths of the gradients
	// sizes holds the gradients' lengths in units of 2^Input.Exponent. Comparisons use these units because in them,
	// products of ordinary gradients and directions neither vanish nor overflow.
	sizes    []float64
	Measured bool
	Shortest []float64 // the min-norm point of the gradients' convex hull
	lambda   []float64 // weights of the min-norm point
	Omega    float64   // length of the min-norm point

	Methods   []Chosen
	Decisions []Decision          // decisions of the first len(Decisions) methods
	known     map[string]Decision // the latest decision of every method, by name
	named     int                 // index of the latest method that was announced in a picture
}

// Decision is a method's decision on the gradients.
type Decision struct {
	Chosen
	algo.Result
	Err     error // why the method refuses these gradients, or nil
	Norm    float64
	unit    []float64 // the direction in the units of sizes
	Size    float64   // length of the direction in the units of sizes
	Slopes  []float64 // ⟨g_i, direction⟩ in the units of sizes: how much a unit step lowers objective i
	Cosines []float64 // cosines of the angles to the gradients; NaN if a vector is zero
	holds   properties
}

// properties records, for each property that methods may promise, whether the property holds on these gradients.
type properties struct {
	Combination, Simplex, NonConflicting property
	Permutation, Homogeneous             property
}

type property int

const (
	unknown property = iota // not tested
	holds
	fails
)

// New returns an analysis of jac's rows. No piece of the analysis is computed yet.
func New(jac *algo.Jacobian, losses []float64, seed uint64, methods []Chosen) *Analysis {
	return &Analysis{
		Jacobian: jac, seed: seed, Methods: methods, Norms: make([]float64, jac.Rows),
		Input:    algo.Input{Jacobian: jac, Gram: make([]float64, jac.Rows*jac.Rows), Losses: losses},
		Shortest: make([]float64, jac.Cols), lambda: make([]float64, jac.Rows), known: map[string]Decision{}, named: -1,
	}
}

// Choose replaces the methods. It keeps results about the gradients, and decisions that are still valid.
func (a *Analysis) Choose(seed uint64, methods []Chosen) {
	if seed != a.seed {
		clear(a.known)
	}
	a.seed, a.Methods, a.Decisions, a.named = seed, methods, nil, -1
}

// Done reports whether all pieces are computed.
func (a *Analysis) Done() bool {
	return a.Measured && len(a.Decisions) == len(a.Methods)
}

// Progress returns the fraction of computed pieces, from 0 to 1.
func (a *Analysis) Progress() float64 {
	return float64(a.Rows+len(a.Decisions)) / float64(a.Jacobian.Rows+len(a.Methods))
}

// largeEntries is the number of entries above which one method may take so long that a picture should announce it.
const largeEntries = 100_000

// Finish computes pieces while more() is true. For a large Jacobian it returns once before every method, so that a picture can
// announce the method.
func (a *Analysis) Finish(more func() bool) {
	for !a.Done() && more() {
		if next, ok := a.Next(); ok && a.named != next && len(a.Jacobian.Data) >= largeEntries {
			a.named = next
			return
		}
		a.step()
	}
}

// Next returns the index of the method whose decision is computed next. ok is false if other pieces come first or if
// the decision is already known.
func (a *Analysis) Next() (i int, ok bool) {
	if i = len(a.Decisions); !a.Measured || i == len(a.Methods) {
		return i, false
	}
	_, known := a.recall(a.Methods[i])
	return i, !known
}

// recall returns the earlier decision, on these gradients, of a method with the same parameters.
func (a *Analysis) recall(c Chosen) (d Decision, ok bool) {
	d, ok = a.known[c.Method.Name]
	return d, ok && d.Settings == c.Settings
}

// step computes the next piece of the analysis.
func (a *Analysis) step() {
	m := a.Jacobian.Rows
	switch {
	case a.Rows < m:
		i := a.Rows
		for j := i; j < m; j++ {
			v := portable.Dot(a.Jacobian.Row(i), a.Jacobian.Row(j))
			a.Input.Gram[i*m+j], a.Input.Gram[j*m+i] = v, v
		}
		a.Norms[i] = portable.Length(a.Jacobian.Row(i))
		if a.Rows++; a.Rows == m {
			a.rescale()
		}
	case !a.Measured:
		var solver minnorm.Solver
		solver.SolveRows(a.lambda, a.Input.Gram, a.Input.Jacobian, nil)
		a.Jacobian.Combine(a.Shortest, a.lambda)
		a.Omega = portable.Length(a.Shortest)
		a.Measured = true
	default:
		c := a.Methods[len(a.Decisions)]
		d, ok := a.recall(c)
		if !ok {
			d = a.decide(c)
			a.known[c.Method.Name] = d
		}
		a.Decisions = append(a.Decisions, d)
	}
}

// rescale chooses the units in which gradients are compared.
func (a *Analysis) rescale() {
	a.Input.Rescale()
	a.sizes = a.Norms
	if a.Input.Exponent == 0 {
		return
	}
	a.sizes = make([]float64, a.Jacobian.Rows)
	for i := range a.sizes {
		a.sizes[i] = portable.Length(a.Input.Jacobian.Row(i))
	}
}

// inUnits returns v in the units of sizes. It may return v itself.
func (a *Analysis) inUnits(v []float64) []float64 {
	if a.Input.Exponent == 0 {
		return v
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Ldexp(x, -a.Input.Exponent)
	}
	return out
}

// UnitRows returns the gradients in the units of sizes.
func (a *Analysis) UnitRows() [][]float64 {
	out := make([][]float64, a.Jacobian.Rows)
	for i := range out {
		out[i] = a.Input.Jacobian.Row(i)
	}
	return out
}

// Cosine returns the cosine of the angle between two gradients, or NaN if one is zero.
func (a *Analysis) Cosine(i, j int) float64 {
	return cosine(a.Input.Gram[i*a.Jacobian.Rows+j], a.sizes[i], a.sizes[j])
}

// cosine returns product/(a·b), or NaN if one of the lengths a and b is zero.
func cosine(product, a, b float64) float64 {
	if a == 0 || b == 0 {
		return math.NaN()
	}
	return max(-1, min(product/a/b, 1))
}

// Between returns the cosine of the angle between two directions.
func Between(d, e *Decision) float64 {
	if d.Err != nil || e.Err != nil {
		return math.NaN()
	}
	if d.Size == 0 || e.Size == 0 {
		return math.NaN()
	}
	var product float64
	for i, v := range d.unit {
		product += float64(v / d.Size * (e.unit[i] / e.Size))
	}
	return cosine(product, 1, 1)
}

// Conflicts returns the number of pairs of gradients whose angle exceeds 90°, and the total number of pairs.
func (a *Analysis) Conflicts() (n, pairs int) {
	for i := range a.Jacobian.Rows {
		for j := range i {
			pairs++
			if a.Conflict(i, j) {
				n++
			}
		}
	}
	return n, pairs
}

// Conflict reports whether the angle between two gradients exceeds 90° by more than rounding errors.
func (a *Analysis) Conflict(i, j int) bool { return a.Cosine(i, j) < -Tolerance }

// Tolerance is the relative size below which a number counts as 0.
const Tolerance = 1e-9

// Worse reports whether the direction makes objective i worse to first order.
func (a *Analysis) Worse(d *Decision, i int) bool {
	return d.Slopes[i] < -a.sizes[i]*max(Tolerance*d.Size, a.Rest())
}

// Rest returns the length below which a direction is only rounding error and counts as zero.
func (a *Analysis) Rest() float64 { return float64(1e-12 * slices.Max(a.sizes)) }

// Worsened returns the objectives, counted from 0, that the direction makes worse.
func (a *Analysis) Worsened(d *Decision) []int {
	var out []int
	for i := range d.Slopes {
		if a.Worse(d, i) {
			out = append(out, i)
		}
	}
	return out
}

func (a *Analysis) context() weighting.Context {
	return weighting.Context{Objectives: a.Jacobian.Rows, Seed: a.seed}
}

// decide computes a method's first decision. If the method needs several samples, each sample has these gradients.
func (a *Analysis) decide(c Chosen) Decision {
	d := Decision{Chosen: c}
	rule, err := c.Construct(a.context())
	if err == nil {
		d.Result, err = weigh.Decide(rule, a.Jacobian, &a.Input)
	}
	if err == nil && !(algo.Finite(d.Direction) && algo.Finite(d.Weights) && algo.Finite(d.Effective)) {
		err = errors.New("its decision is not finite")
	}
	if err != nil {
		d.Err = err
		return d
	}
	d.Norm = portable.Length(d.Direction)
	d.unit = a.inUnits(d.Direction)
	d.Size = portable.Length(d.unit)
	for i := range a.Jacobian.Rows {
		slope := portable.Dot(a.Input.Jacobian.Row(i), d.unit)
		d.Slopes = append(d.Slopes, slope)
		d.Cosines = append(d.Cosines, cosine(slope, a.sizes[i], d.Size))
	}
	a.check(&d)
	return d
}

// largestChecked is the maximum number of entries of a Jacobian for which every property is tested. The tests of two
// properties need additional decisions.
const largestChecked = 64

// check tests which properties hold on these gradients.
func (a *Analysis) check(d *Decision) {
	d.holds.NonConflicting = truth(len(a.Worsened(d)) == 0)
	if d.Weights != nil {
		d.holds.Simplex = truth(slices.Min(d.Weights) >= 0 && math.Abs(portable.Sum(d.Weights)-1) <= Tolerance)
		combined := make([]float64, a.Jacobian.Cols)
		a.Input.Jacobian.Combine(combined, d.Weights)
		d.holds.Combination = truth(floats.Distance(combined, d.unit, math.Inf(1)) <= Tolerance*(d.Size+a.Size(d.Weights)))
	}
	if len(a.Jacobian.Data) > largestChecked {
		return
	}
	m := a.Jacobian.Rows
	// Halve the numbers if doubling them would make the largest ones overflow.
	factor := 2.0
	if a.Input.Exponent > 0 {
		factor = 0.5
	}
	reversed, multiplied := algo.NewJacobian(m, a.Jacobian.Cols), algo.NewJacobian(m, a.Jacobian.Cols)
	for i := range m {
		copy(reversed.Row(m-1-i), a.Jacobian.Row(i))
		portable.AddScaled(multiplied.Row(i), factor, a.Jacobian.Row(i))
	}
	losses := slices.Clone(a.Input.Losses)
	slices.Reverse(losses)
	d.holds.Permutation = a.sameAs(d, reversed, losses, 1)
	d.holds.Homogeneous = a.sameAs(d, multiplied, a.Input.Losses, factor)
}

// Size returns the length of Gᵀλ in the units of sizes.
func (a *Analysis) Size(weights []float64) float64 {
	v := 0.0
	for i, w := range weights {
		v = max(v, math.Abs(w)*a.sizes[i])
	}
	return v
}

// solverTolerance is the allowed difference between decisions on changed gradients, relative to the direction's length.
// Rules with an inner problem solve that problem to a tolerance of about 1e-8.
const solverTolerance = 1e-6

// sameAs computes the method's decision on changed gradients, with the given losses. It reports whether the new
// direction equals d's direction times factor.
func (a *Analysis) sameAs(d *Decision, changed *algo.Jacobian, losses []float64, factor float64) property {
	input := algo.Input{Losses: losses}
	input.SetGradients(changed)
	rule, err := d.Construct(a.context())
	if err != nil {
		return unknown
	}
	r, err := weigh.Decide(rule, changed, &input)
	if err != nil || r.Status != d.Status {
		return fails
	}
	change := a.inUnits(r.Direction)
	portable.AddScaled(change, -factor, d.unit)
	return truth(portable.Length(change) <= factor*(float64(solverTolerance*d.Size)+a.Rest()))
}

func truth(b bool) property {
	if b {
		return holds
	}
	return fails
}

// Promise is a property that a method may guarantee.
type Promise struct {
	Symbol, Label string
	made          func(weighting.Promises) bool
	here          func(properties) property
}

// Promises lists the promises in the order of the page's table.
var Promises = []Promise{
	{"Gᵀλ", "a combination", func(p weighting.Promises) bool { return p.Combination }, func(h properties) property { return h.Combination }},
	{"λ ∈ Δ", "on the simplex", func(p weighting.Promises) bool { return p.Simplex }, func(h properties) property { return h.Simplex }},
	{"Gd ≥ 0", "no objective worse", func(p weighting.Promises) bool { return p.NonConflicting },
		func(h properties) property { return h.NonConflicting }},
	{"order", "order does not matter", func(p weighting.Promises) bool { return p.Permutation },
		func(h properties) property { return h.Permutation }},
	{"scale", "scales with the gradients", func(p weighting.Promises) bool { return p.Homogeneous },
		func(h properties) property { return h.Homogeneous }},
}

// Verdict says in words whether a method makes a promise, and whether the promise holds here.
func (d *Decision) Verdict(p Promise) string {
	made := d.Ordinary && p.made(d.Method.Promises)
	switch here := p.here(d.holds); {
	case !d.Decided():
		return "–"
	case here == unknown && made:
		return "promised"
	case here == unknown:
		return "–"
	case here == holds && made:
		return "promised, holds"
	case here == holds:
		return "holds here"
	case made:
		return "promised, broken"
	}
	return "no"
}

// Decided reports whether the decision has a direction.
func (d *Decision) Decided() bool {
	return d.Err == nil && d.Status != algo.NoSolution && d.Status != algo.Diverged
}

// Differ reports whether the method's weights differ from its effective weights.
func (d *Decision) Differ() bool {
	if d.Weights == nil || d.Effective == nil {
		return d.Weights != nil
	}
	return floats.Distance(d.Weights, d.Effective, math.Inf(1)) > Tolerance*floats.Norm(d.Effective, math.Inf(1))
}

// StatusText returns the decision's status in words.
func (d *Decision) StatusText() string {
	switch {
	case d.Err != nil:
		return "refuses: " + d.Err.Error()
	case d.Status == algo.NoSolution:
		return "no solution"
	case d.Status == algo.Diverged:
		return "not finite"
	case d.Status == algo.Degenerate:
		return "not unique"
	case d.Status == algo.Underflow:
		return "weights underflow"
	}
	return "decided"
}

// Share returns c_i/Σ|c| and Σ|c|, where c are the effective weights. ok is false if there are no weights.
func (d *Decision) Share(i int) (share, total float64, ok bool) {
	if d.Err != nil || d.Effective == nil {
		return 0, 0, false
	}
	total = floats.Norm(d.Effective, 1)
	if total == 0 {
		return 0, 0, true
	}
	return d.Effective[i] / total, total, true
}

// Angle returns the angle between two gradients in degrees, or NaN if one is zero.
func (a *Analysis) Angle(i, j int) float64 { return Degrees(a.Cosine(i, j)) }

// Degrees returns the angle with the given cosine, in degrees, or NaN for NaN.
func Degrees(cosine float64) float64 { return portable.Acos(cosine) * 180 / math.Pi }

// WorseCount returns the number of objectives that the direction makes worse.
func (a *Analysis) WorseCount(d *Decision) int { return len(a.Worsened(d)) }

// Original converts the product of two vectors from the units of sizes to the units of the gradients.
func (a *Analysis) Original(product float64) float64 { return math.Ldexp(product, 2*a.Input.Exponent) }

// Cleaned returns the slope of objective i in the units of sizes, or 0 if the slope is only a rounding error.
func (a *Analysis) Cleaned(d *Decision, i int) float64 {
	if math.Abs(d.Slopes[i]) <= a.sizes[i]*max(Tolerance*d.Size, a.Rest()) {
		return 0
	}
	return d.Slopes[i]
}

// LeftOut returns the objectives, counted from 0, whose gradients do not contribute to the direction.
func (d *Decision) LeftOut() (out []int) {
	for i, c := range d.Effective {
		if math.Abs(c) <= Tolerance*floats.Norm(d.Effective, math.Inf(1)) {
			out = append(out, i)
		}
	}
	return out
}

// WorstChange returns the objective, counted from 0, that gains least from a step along the direction.
func (d *Decision) WorstChange() int {
	return slices.Index(d.Slopes, slices.Min(d.Slopes))
}

// Harms reports whether a direction makes an objective worse.
func (a *Analysis) Harms(d Decision) bool { return d.Err == nil && a.WorseCount(&d) > 0 }
