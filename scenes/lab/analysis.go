package lab

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/weighting"
	"paretoplay/scenes/exchange"
)

// chosen is a method with its parameters.
type chosen struct {
	method    weighting.Method
	construct weighting.Constructor
	ordinary  bool   // its parameters have their defaults, which its promises are about
	settings  string // its parameters, as texts
}

// analysis is what the scene knows of one Jacobian. It is made piece by piece:
// the Gramian row by row, then the min-norm point, then the methods one by one.
type analysis struct {
	jacobian *algo.Jacobian
	input    algo.Input // jacobian as rules are given it, with the losses
	seed     uint64

	rows  int       // of the Gramian that are known
	norms []float64 // lengths of the gradients
	// Comparisons are made in units of 2^input.Exponent, where no product of ordinary
	// gradients and directions vanishes or overflows: the lengths in them.
	sizes    []float64
	measured bool
	shortest []float64 // the min-norm point of the gradients' hull
	lambda   []float64 // its weights
	omega    float64   // its length

	methods   []chosen
	decisions []decision          // of the first methods
	known     map[string]decision // the last of every method, by its name
	named     int                 // of methods: the one that a picture has named before it is asked
}

// decision is what a method makes of the gradients.
type decision struct {
	chosen
	algo.Result
	err     error // why the method refuses these gradients
	norm    float64
	unit    []float64 // the direction in the units of sizes
	size    float64   // its length
	slopes  []float64 // ⟨g_i, direction⟩ in the same: what one unit of step takes from objective i
	cosines []float64 // of the angle to each gradient; NaN where one is zero
	holds   properties
}

// properties are those that methods promise, as they are on these gradients.
type properties struct {
	Combination, Simplex, NonConflicting property
	Permutation, Homogeneous             property
}

type property int

const (
	unknown property = iota // not looked at
	holds
	fails
)

func newAnalysis(jac *algo.Jacobian, losses []float64, seed uint64, methods []chosen) *analysis {
	return &analysis{
		jacobian: jac, seed: seed, methods: methods, norms: make([]float64, jac.Rows),
		input:    algo.Input{Jacobian: jac, Gram: make([]float64, jac.Rows*jac.Rows), Losses: losses},
		shortest: make([]float64, jac.Cols), lambda: make([]float64, jac.Rows), known: map[string]decision{}, named: -1,
	}
}

// choose replaces the methods. What is known of the gradients stays, and so do
// decisions that would come out the same.
func (a *analysis) choose(seed uint64, methods []chosen) {
	if seed != a.seed {
		clear(a.known)
	}
	a.seed, a.methods, a.decisions, a.named = seed, methods, nil, -1
}

func (a *analysis) done() bool {
	return a.measured && len(a.decisions) == len(a.methods)
}

// progress is the share of the pieces that are done.
func (a *analysis) progress() float64 {
	return float64(a.rows+len(a.decisions)) / float64(a.jacobian.Rows+len(a.methods))
}

// largeEntries is the size of the Jacobians on which one method may take so long
// that a picture should name it before.
const largeEntries = 100_000

// finish does pieces that are left while more() holds. On a large Jacobian it stops
// before every method once, for a picture to say that this one is next.
func (a *analysis) finish(more func() bool) {
	for !a.done() && more() {
		if next, ok := a.next(); ok && a.named != next && len(a.jacobian.Data) >= largeEntries {
			a.named = next
			return
		}
		a.step()
	}
}

// next is the method that is asked next; ok is false where other pieces come first,
// and where its decision is known.
func (a *analysis) next() (i int, ok bool) {
	if i = len(a.decisions); !a.measured || i == len(a.methods) {
		return i, false
	}
	_, known := a.recall(a.methods[i])
	return i, !known
}

// recall is the decision of a method with the same parameters on these gradients.
func (a *analysis) recall(c chosen) (d decision, ok bool) {
	d, ok = a.known[c.method.Name]
	return d, ok && d.settings == c.settings
}

// step does one piece.
func (a *analysis) step() {
	m := a.jacobian.Rows
	switch {
	case a.rows < m:
		i := a.rows
		for j := i; j < m; j++ {
			v := floats.Dot(a.jacobian.Row(i), a.jacobian.Row(j))
			a.input.Gram[i*m+j], a.input.Gram[j*m+i] = v, v
		}
		a.norms[i] = floats.Norm(a.jacobian.Row(i), 2)
		if a.rows++; a.rows == m {
			a.rescale()
		}
	case !a.measured:
		var solver minnorm.Solver
		solver.SolveRows(a.lambda, a.input.Gram, a.input.Jacobian, nil)
		a.jacobian.Combine(a.shortest, a.lambda)
		a.omega = floats.Norm(a.shortest, 2)
		a.measured = true
	default:
		c := a.methods[len(a.decisions)]
		d, ok := a.recall(c)
		if !ok {
			d = a.decide(c)
			a.known[c.method.Name] = d
		}
		a.decisions = append(a.decisions, d)
	}
}

// rescale finds the units in which gradients are compared.
func (a *analysis) rescale() {
	a.input.Rescale()
	a.sizes = a.norms
	if a.input.Exponent == 0 {
		return
	}
	a.sizes = make([]float64, a.jacobian.Rows)
	for i := range a.sizes {
		a.sizes[i] = floats.Norm(a.input.Jacobian.Row(i), 2)
	}
}

// inUnits is v in the units of sizes, which may be v itself.
func (a *analysis) inUnits(v []float64) []float64 {
	if a.input.Exponent == 0 {
		return v
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Ldexp(x, -a.input.Exponent)
	}
	return out
}

// unitRows are the gradients in the units of sizes.
func (a *analysis) unitRows() [][]float64 {
	out := make([][]float64, a.jacobian.Rows)
	for i := range out {
		out[i] = a.input.Jacobian.Row(i)
	}
	return out
}

func (a *analysis) cosine(i, j int) float64 {
	return cosine(a.input.Gram[i*a.jacobian.Rows+j], a.sizes[i], a.sizes[j])
}

// cosine is NaN where one of the vectors is zero.
func cosine(product, a, b float64) float64 {
	if a == 0 || b == 0 {
		return math.NaN()
	}
	return max(-1, min(product/a/b, 1))
}

// between is the cosine of the angle between two directions.
func between(d, e *decision) float64 {
	if d.err != nil || e.err != nil {
		return math.NaN()
	}
	if d.size == 0 || e.size == 0 {
		return math.NaN()
	}
	var product float64
	for i, v := range d.unit {
		product += v / d.size * (e.unit[i] / e.size)
	}
	return cosine(product, 1, 1)
}

// conflicts counts the pairs of gradients with an angle above 90°.
func (a *analysis) conflicts() (n, pairs int) {
	for i := range a.jacobian.Rows {
		for j := range i {
			pairs++
			if a.conflict(i, j) {
				n++
			}
		}
	}
	return n, pairs
}

// conflict tells an angle above 90° from a right one within rounding.
func (a *analysis) conflict(i, j int) bool { return a.cosine(i, j) < -tolerance }

// tolerance is the share of the sizes involved below which a number counts as 0.
const tolerance = 1e-9

// worse reports whether the direction makes objective i worse to first order.
func (a *analysis) worse(d *decision, i int) bool {
	return d.slopes[i] < -a.sizes[i]*max(tolerance*d.size, a.rest())
}

// rest is the size below which a direction is what rounding leaves of zero.
func (a *analysis) rest() float64 { return 1e-12 * slices.Max(a.sizes) }

// worsened are the objectives that the direction makes worse, from 0.
func (a *analysis) worsened(d *decision) []int {
	var out []int
	for i := range d.slopes {
		if a.worse(d, i) {
			out = append(out, i)
		}
	}
	return out
}

func (a *analysis) context() weighting.Context {
	return weighting.Context{Objectives: a.jacobian.Rows, Seed: a.seed}
}

// decide asks a method as at its first call, with all samples equal.
func (a *analysis) decide(c chosen) decision {
	d := decision{chosen: c}
	rule, err := c.construct(a.context())
	if err == nil {
		d.Result, err = exchange.Decide(rule, a.jacobian, &a.input)
	}
	if err == nil && !(algo.Finite(d.Direction) && algo.Finite(d.Weights) && algo.Finite(d.Effective)) {
		err = errors.New("its decision is not finite")
	}
	if err != nil {
		d.err = err
		return d
	}
	d.norm = floats.Norm(d.Direction, 2)
	d.unit = a.inUnits(d.Direction)
	d.size = floats.Norm(d.unit, 2)
	for i := range a.jacobian.Rows {
		slope := floats.Dot(a.input.Jacobian.Row(i), d.unit)
		d.slopes = append(d.slopes, slope)
		d.cosines = append(d.cosines, cosine(slope, a.sizes[i], d.size))
	}
	a.check(&d)
	return d
}

// largestChecked is the size of the Jacobians on which every property is tried
// out: two of them take further decisions.
const largestChecked = 64

// check finds out which properties hold on these gradients.
func (a *analysis) check(d *decision) {
	d.holds.NonConflicting = truth(len(a.worsened(d)) == 0)
	if d.Weights != nil {
		d.holds.Simplex = truth(slices.Min(d.Weights) >= 0 && math.Abs(floats.Sum(d.Weights)-1) <= tolerance)
		combined := make([]float64, a.jacobian.Cols)
		a.input.Jacobian.Combine(combined, d.Weights)
		d.holds.Combination = truth(floats.Distance(combined, d.unit, math.Inf(1)) <= tolerance*(d.size+a.size(d.Weights)))
	}
	if len(a.jacobian.Data) > largestChecked {
		return
	}
	m := a.jacobian.Rows
	// Twice as long gradients of the largest numbers are none.
	factor := 2.0
	if a.input.Exponent > 0 {
		factor = 0.5
	}
	reversed, multiplied := algo.NewJacobian(m, a.jacobian.Cols), algo.NewJacobian(m, a.jacobian.Cols)
	for i := range m {
		copy(reversed.Row(m-1-i), a.jacobian.Row(i))
		floats.AddScaled(multiplied.Row(i), factor, a.jacobian.Row(i))
	}
	losses := slices.Clone(a.input.Losses)
	slices.Reverse(losses)
	d.holds.Permutation = a.sameAs(d, reversed, losses, 1)
	d.holds.Homogeneous = a.sameAs(d, multiplied, a.input.Losses, factor)
}

// size is the largest term of Gᵀλ, in the units of sizes.
func (a *analysis) size(weights []float64) float64 {
	v := 0.0
	for i, w := range weights {
		v = max(v, math.Abs(w)*a.sizes[i])
	}
	return v
}

// solverTolerance is what decisions on changed gradients may differ by, relative
// to the direction: rules with an inner problem solve it to about 1e-8.
const solverTolerance = 1e-6

// sameAs decides on changed gradients and losses and compares the direction with factor
// times the one that d has.
func (a *analysis) sameAs(d *decision, changed *algo.Jacobian, losses []float64, factor float64) property {
	input := algo.Input{Losses: losses}
	input.SetGradients(changed)
	rule, err := d.construct(a.context())
	if err != nil {
		return unknown
	}
	r, err := exchange.Decide(rule, changed, &input)
	if err != nil || r.Status != d.Status {
		return fails
	}
	change := a.inUnits(r.Direction)
	floats.AddScaled(change, -factor, d.unit)
	return truth(floats.Norm(change, 2) <= factor*(solverTolerance*d.size+a.rest()))
}

func truth(b bool) property {
	if b {
		return holds
	}
	return fails
}

// promise is one line of what methods promise.
type promise struct {
	Symbol, Label string
	made          func(weighting.Promises) bool
	here          func(properties) property
}

var promises = []promise{
	{"Gᵀλ", "a combination", func(p weighting.Promises) bool { return p.Combination }, func(h properties) property { return h.Combination }},
	{"λ ∈ Δ", "on the simplex", func(p weighting.Promises) bool { return p.Simplex }, func(h properties) property { return h.Simplex }},
	{"Gd ≥ 0", "no objective worse", func(p weighting.Promises) bool { return p.NonConflicting },
		func(h properties) property { return h.NonConflicting }},
	{"order", "order is no matter", func(p weighting.Promises) bool { return p.Permutation },
		func(h properties) property { return h.Permutation }},
	{"scale", "scales with the gradients", func(p weighting.Promises) bool { return p.Homogeneous },
		func(h properties) property { return h.Homogeneous }},
}

// verdict says whether a promise is made and whether it holds here.
func (d *decision) verdict(p promise) string {
	made := d.ordinary && p.made(d.method.Promises)
	switch here := p.here(d.holds); {
	case !d.decided():
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

// decided reports whether there is a direction.
func (d *decision) decided() bool {
	return d.err == nil && d.Status != algo.NoSolution && d.Status != algo.Diverged
}

// differ reports whether the method's own weights are others than the effective ones.
func (d *decision) differ() bool {
	if d.Weights == nil || d.Effective == nil {
		return d.Weights != nil
	}
	return floats.Distance(d.Weights, d.Effective, math.Inf(1)) > tolerance*floats.Norm(d.Effective, math.Inf(1))
}

// statusText is the status in words for people.
func (d *decision) statusText() string {
	switch {
	case d.err != nil:
		return "refuses: " + d.err.Error()
	case d.Status == algo.NoSolution:
		return "no solution"
	case d.Status == algo.Diverged:
		return "not finite"
	}
	return "decided"
}

// share returns c_i/Σ|c| and Σ|c| for the effective weights c; ok is false where there
// are none.
func (d *decision) share(i int) (share, total float64, ok bool) {
	if d.err != nil || d.Effective == nil {
		return 0, 0, false
	}
	total = floats.Norm(d.Effective, 1)
	if total == 0 {
		return 0, 0, true
	}
	return d.Effective[i] / total, total, true
}

func objective(i int) string { return fmt.Sprintf("f_{%d}", i+1) }
