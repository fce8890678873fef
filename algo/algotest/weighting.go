package algotest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
)

// Promise tells the function Weighting about an optional property of the tested weighting.
type Promise func(*promises)

type promises struct {
	simplex, permutation, nonConflicting, homogeneous, rotation, mayAllocate bool
	objectives                                                               []int
}

// SimplexWeights promises non-negative weights with sum 1, on every input for which the status is not NoSolution.
func SimplexWeights(p *promises) { p.simplex = true }

// PermutationInvariant promises that reordering the objectives leaves the direction unchanged and
// reorders the weights.
func PermutationInvariant(p *promises) { p.permutation = true }

// NonConflicting promises that subtracting the direction increases no objective to first order:
// J·direction ≥ 0.
func NonConflicting(p *promises) { p.nonConflicting = true }

// Homogeneous promises that scaling all gradients by one factor scales the direction by that
// factor and changes neither weights nor effective coefficients.
func Homogeneous(p *promises) { p.homogeneous = true }

// RotationInvariant promises that rotating the gradients rotates the direction and keeps the weights. The rule then
// uses only lengths and angles of gradients, so it depends only on their Gramian.
func RotationInvariant(p *promises) { p.rotation = true }

// MayAllocate waives the check that Weigh does not allocate.
func MayAllocate(p *promises) { p.mayAllocate = true }

// Objectives restricts the check to inputs with m ≥ 2 objectives, for weightings that support only one number of
// objectives. The default is 2, 3 and 5.
func Objectives(m int) Promise {
	return func(p *promises) { p.objectives = append(p.objectives, m) }
}

const (
	simplexTolerance = 1e-12 // error of Σλ; no weight may be negative, not even slightly

	permutationRelative = 1e-8  // relative to the longest row or direction; iterative rules stop at other points if the rows are reordered
	rotationRelative    = 1e-7  // relative to the longest row or direction; rules stop at other points if rounding errors differ
	conflictRelative    = 1e-8  // relative to ‖row‖·‖direction‖
	roundingRelative    = 1e-14 // relative to the longest row; allowed remainder of a direction that cancels to zero

	scaleRelative    = 1e-9  // for decisions at different scales; relative to the largest entry of weights or direction
	combinedRelative = 1e-14 // relative to the terms that add up to an entry of the direction

	replaySteps = 4
)

// Weighting checks the weightings that construct returns. Each call must return a fresh weighting with the same
// configuration. The check uses ordinary Jacobians and difficult ones: equal, opposite, collinear and zero rows, and
// rows of very small, very large and very different sizes. It checks that
//   - Weigh returns finite weights and directions, and no error;
//   - the direction is exactly zero on a zero Jacobian and if the status is NoSolution;
//   - the direction is the combination of the gradients given by Effective, unless that is nil;
//   - results are also finite for gradients of sizes from 1e-300 to 1e300;
//   - inputs are not modified;
//   - the weights are the same if no direction is requested, and if the rows are omitted because Needs does not
//     request them;
//   - after Load restores what Save appended, results repeat bit for bit, both in a fresh weighting and in one that has
//     made further decisions;
//   - Weigh does not allocate after its first call.
//
// It also checks the given promises. Losses are positive and decrease from call to call. A weighting that needs
// additional samples gets independent samples near the first one. A weighting that observes losses receives them after
// every call.
func Weighting(t T, construct func() algo.Weighting, given ...Promise) {
	t.Helper()
	var p promises
	for _, g := range given {
		g(&p)
	}
	if p.objectives == nil {
		p.objectives = []int{2, 3, 5}
	}
	for _, m := range p.objectives {
		for _, c := range jacobianCases(m) {
			checkDecision(t, construct, c, &p)
			if p.permutation && !c.extreme {
				checkPermutation(t, construct, c)
			}
			if p.rotation && !c.extreme {
				checkRotation(t, construct, c)
			}
			checkScales(t, construct, c, p.homogeneous)
		}
		checkWeightingReplay(t, construct, m)
		if !p.mayAllocate {
			checkWeightingAllocations(t, construct(), m)
		}
	}
}

// jacobianCase is a named Jacobian. It is extreme if the sizes of its rows differ so much that another order of
// summation loses the digits of the short rows.
type jacobianCase struct {
	name        string
	jac         *algo.Jacobian
	extreme     bool
	independent bool // whether the rows are linearly independent and of similar size
}

func jacobianCases(m int) []jacobianCase {
	const n = 7
	rng := newRand()
	var cases []jacobianCase
	add := func(name string, extreme bool, change func(j *algo.Jacobian)) {
		j := algo.NewJacobian(m, n)
		for i := range j.Data {
			j.Data[i] = rng.NormFloat64()
		}
		change(j)
		cases = append(cases, jacobianCase{name: name, jac: j, extreme: extreme})
	}
	scaleRow := func(row []float64, by float64) {
		for c := range row {
			row[c] *= by
		}
	}
	add("random", false, func(*algo.Jacobian) {})
	add("orthogonal", false, func(j *algo.Jacobian) {
		clear(j.Data)
		for i := range m {
			j.Row(i)[i%n] = float64(i + 1)
		}
	})
	add("duplicate rows", false, func(j *algo.Jacobian) { copy(j.Row(1), j.Row(0)) })
	add("all rows equal", false, func(j *algo.Jacobian) {
		for i := range m {
			copy(j.Row(i), j.Row(0))
		}
	})
	add("opposite rows", false, func(j *algo.Jacobian) {
		copy(j.Row(1), j.Row(0))
		scaleRow(j.Row(1), -1)
	})
	add("collinear rows", false, func(j *algo.Jacobian) {
		for i := range m {
			copy(j.Row(i), j.Row(0))
			scaleRow(j.Row(i), float64(i+1))
		}
	})
	add("one zero row", false, func(j *algo.Jacobian) { clear(j.Row(m - 1)) })
	add("all zero", false, func(j *algo.Jacobian) { clear(j.Data) })
	add("tiny rows", false, func(j *algo.Jacobian) { scaleRow(j.Data, 1e-9) })
	add("huge rows", false, func(j *algo.Jacobian) { scaleRow(j.Data, 1e9) })
	add("rows of sizes 1e-8 to 1e8", true, func(j *algo.Jacobian) {
		for i := range m {
			scaleRow(j.Row(i), math.Pow(10, -8+16*float64(i)/float64(m-1)))
		}
	})
	cases[0].independent, cases[1].independent = m <= n, m <= n
	return cases
}

// call contains the data for one call of Weigh, and a copy of the input that shows whether Weigh changed it.
type call struct {
	input, copied algo.Input
	after         []float64
}

// newCall returns call number k on jac. Losses decrease with k. Additional samples are jac with some noise, or
// without noise for a zero Jacobian.
func newCall(needs algo.Needs, jac *algo.Jacobian, k int) *call {
	rng := rand.New(rand.NewPCG(7, uint64(k)))
	losses := func(k int) []float64 {
		f := make([]float64, jac.Rows)
		for i := range f {
			f[i] = float64(i+2) / float64(k+1+i)
		}
		return f
	}
	build := func() algo.Input {
		in := algo.Input{K: k}
		in.SetGradients(copyJacobian(jac))
		if needs.Losses {
			in.Losses = losses(k)
		}
		return in
	}
	c := &call{input: build(), copied: build(), after: losses(k + 1)}
	for range needs.Extra {
		j := copyJacobian(jac)
		for i := range j.Data {
			j.Data[i] *= 1 + float64(0.1*rng.NormFloat64())
		}
		c.input.Extra = append(c.input.Extra, j)
		c.copied.Extra = append(c.copied.Extra, copyJacobian(j))
	}
	return c
}

func copyJacobian(j *algo.Jacobian) *algo.Jacobian {
	return &algo.Jacobian{Rows: j.Rows, Cols: j.Cols, Data: clone(j.Data)}
}

func (c *call) modified() string {
	a, b := &c.input, &c.copied
	switch {
	case !sameBits(a.Gram, b.Gram):
		return "Gram"
	case !sameBits(a.Jacobian.Data, b.Jacobian.Data):
		return "Jacobian"
	case !sameBits(a.Losses, b.Losses):
		return "Losses"
	}
	for i := range a.Extra {
		if !sameBits(a.Extra[i].Data, b.Extra[i].Data) {
			return "Extra"
		}
	}
	return ""
}

// weigh requests weights and a direction from w.
func weigh(w algo.Weighting, in *algo.Input) (*algo.Result, error) {
	m := in.Jacobian.Rows
	r := &algo.Result{Weights: make([]float64, m), Direction: make([]float64, in.Jacobian.Cols), Effective: make([]float64, m)}
	poison(r.Weights)
	poison(r.Effective)
	poison(r.Direction)
	if err := w.Weigh(r, in); err != nil {
		return nil, err
	}
	return r, nil
}

// decide runs call number k on jac. It passes the losses if the weighting needs them.
func decide(w algo.Weighting, jac *algo.Jacobian, k int) (*algo.Result, *call, error) {
	c := newCall(w.Needs(), jac, k)
	r, err := weigh(w, &c.input)
	if err != nil {
		return nil, c, err
	}
	if o, ok := w.(algo.Observer); ok && w.Needs().After {
		before := make([]float64, jac.Rows)
		for i := range before {
			before[i] = c.after[i] * 1.25
		}
		o.Observe(before, c.after)
	}
	return r, c, nil
}

func checkDecision(t T, construct func() algo.Weighting, c jacobianCase, p *promises) {
	t.Helper()
	m := c.jac.Rows
	w := construct()
	r, made, err := decide(w, c.jac, 0)
	if err != nil {
		t.Errorf("%d objectives, %s: %v", m, c.name, err)
		return
	}
	if what := made.modified(); what != "" {
		t.Errorf("%d objectives, %s: the input's %s was modified", m, c.name, what)
	}
	if !algo.Finite(r.Direction) {
		t.Errorf("%d objectives, %s: direction %v is not finite or not all written", m, c.name, r.Direction)
	}
	if r.Weights != nil && (len(r.Weights) != m || !algo.Finite(r.Weights)) {
		t.Errorf("%d objectives, %s: weights %v are not finite, not all written or not %d", m, c.name, r.Weights, m)
	}
	checkEffective(t, c, &made.input, r)
	if (maxAbs(c.jac.Data) == 0 || r.Status == algo.NoSolution) && maxAbs(r.Direction) != 0 {
		t.Errorf("%d objectives, %s: direction %v with status %v, want exactly zero", m, c.name, r.Direction, r.Status)
	}
	if p.simplex && r.Status != algo.NoSolution {
		checkSimplex(t, c, r.Weights)
	}
	if p.nonConflicting {
		for i := range m {
			row := c.jac.Row(i)
			allowed := float64(conflictRelative * norm(r.Direction))
			if !c.extreme {
				allowed += float64(roundingRelative * longestRow(c.jac))
			}
			if s := dot(row, r.Direction); !(s >= -allowed*norm(row)) {
				t.Errorf("%d objectives, %s: the direction conflicts with objective %d: inner product %.3g", m, c.name, i, s)
			}
		}
	}

	weightsOnly := &algo.Result{Weights: make([]float64, m)}
	again := newCall(w.Needs(), c.jac, 0)
	if err := construct().Weigh(weightsOnly, &again.input); err != nil {
		t.Errorf("%d objectives, %s, without a direction: %v", m, c.name, err)
	} else if !sameBits(weightsOnly.Weights, r.Weights) {
		t.Errorf("%d objectives, %s: weights %v, but %v if no direction is requested", m, c.name, r.Weights, weightsOnly.Weights)
	}
	if w.Needs().Jacobian {
		return
	}
	onGramian := &algo.Result{Weights: make([]float64, m)}
	again.input.Jacobian = nil
	if err := construct().Weigh(onGramian, &again.input); err != nil {
		t.Errorf("%d objectives, %s, without the rows that it does not need: %v", m, c.name, err)
	} else if !algo.Finite(onGramian.Weights) || (onGramian.Weights == nil) != (r.Weights == nil) {
		t.Errorf("%d objectives, %s: weights %v, but %v without the rows that it does not need", m, c.name, r.Weights, onGramian.Weights)
	}
}

// checkEffective compares the direction with the combination of the gradients that Effective gives.
func checkEffective(t T, c jacobianCase, in *algo.Input, r *algo.Result) {
	t.Helper()
	if r.Effective == nil {
		return
	}
	m := c.jac.Rows
	if len(r.Effective) != m || !algo.Finite(r.Effective) {
		t.Errorf("%d objectives, %s: effective coefficients %v are not finite, not all written or not %d", m, c.name, r.Effective, m)
		return
	}
	for i, d := range r.Direction {
		// In units of 2^Exponent, products neither overflow nor underflow.
		d = math.Ldexp(d, -in.Exponent)
		var sum, terms float64
		for j, v := range r.Effective {
			v = float64(v * in.Jacobian.Row(j)[i])
			sum += v
			terms += math.Abs(v)
		}
		smallest := math.Ldexp(1, -1022-in.Exponent) // smallest normal number; subnormal numbers have fewer digits
		if !(math.Abs(d-sum) <= combinedRelative*max(terms, smallest)) {
			t.Errorf("%d objectives, %s: coordinate %d of the direction is %v, but the effective coefficients %v give %v (in units of 2^%d)",
				m, c.name, i, d, r.Effective, sum, in.Exponent)
			return
		}
	}
}

// checkScales checks decisions on the rows of c multiplied by powers of two, which change no digit. If the rows are
// independent, it also multiplies them by powers of ten. Results must be finite. A homogeneous rule must give the same
// result as for c. If its direction overflows, it must instead report Diverged with a direction of 0.
func checkScales(t T, construct func() algo.Weighting, c jacobianCase, homogeneous bool) {
	t.Helper()
	base, _, err := decide(construct(), c.jac, 0)
	if err != nil {
		return // checkDecision reports this
	}
	check := func(factor string, scaled *algo.Jacobian, times func(float64) float64) {
		at := c
		at.name, at.jac = c.name+", "+factor, scaled
		r, made, err := decide(construct(), scaled, 0)
		if err != nil {
			t.Errorf("%d objectives, %s: %v", c.jac.Rows, at.name, err)
			return
		}
		if what := made.modified(); what != "" {
			t.Errorf("%d objectives, %s: the input's %s was modified", c.jac.Rows, at.name, what)
		}
		if !algo.Finite(r.Direction) || !algo.Finite(r.Weights) {
			t.Errorf("%d objectives, %s: weights %v and direction %v are not finite", c.jac.Rows, at.name, r.Weights, r.Direction)
			return
		}
		checkEffective(t, at, &made.input, r)
		if !homogeneous {
			return
		}
		want := make([]float64, len(base.Direction))
		for i, v := range base.Direction {
			want[i] = times(v)
		}
		if !algo.Finite(want) {
			if r.Status != algo.Diverged || maxAbs(r.Direction) != 0 {
				t.Errorf("%d objectives, %s: the direction overflows, and is %v with status %v", c.jac.Rows, at.name, r.Direction, r.Status)
			}
			return
		}
		if r.Status != base.Status {
			t.Errorf("%d objectives, %s: status %v, at scale 1 %v", c.jac.Rows, at.name, r.Status, base.Status)
		}
		for _, v := range []struct {
			name      string
			got, want []float64
			smallest  float64
		}{{"weights", r.Weights, base.Weights, 0}, {"effective coefficients", r.Effective, base.Effective, 0},
			{"direction", r.Direction, want, 0x1p-1022}} {
			if len(v.got) != len(v.want) || !(maxDifference(v.got, v.want) <= max(scaleRelative*maxAbs(v.want), v.smallest)) {
				t.Errorf("%d objectives, %s: %s %v, expected from scale 1: %v", c.jac.Rows, at.name, v.name, v.got, v.want)
			}
		}
	}
	for _, e := range []int{-996, -700, -532, -250, 250, 512, 700, 996, 1020} {
		scaled, exact := copyJacobian(c.jac), true
		for i, v := range c.jac.Data {
			scaled.Data[i] = math.Ldexp(v, e)
			exact = exact && math.Ldexp(scaled.Data[i], -e) == v
		}
		if exact {
			check(fmt.Sprintf("times 2^%d", e), scaled, func(v float64) float64 { return math.Ldexp(v, e) })
		}
	}
	if !c.independent {
		return
	}
	for _, factor := range []float64{1e-300, 1e-200, 1e-160, 1e155, 1e200, 1e300} {
		scaled := copyJacobian(c.jac)
		for i := range scaled.Data {
			scaled.Data[i] *= factor
		}
		check(fmt.Sprintf("times %g", factor), scaled, func(v float64) float64 { return v * factor })
	}
}

func checkSimplex(t T, c jacobianCase, w []float64) {
	t.Helper()
	if w == nil {
		t.Errorf("%d objectives, %s: no weights, simplex weights were promised", c.jac.Rows, c.name)
		return
	}
	var sum float64
	for _, v := range w {
		sum += v
		if !(v >= 0) {
			t.Errorf("%d objectives, %s: weights %v are not on the simplex", c.jac.Rows, c.name, w)
			return
		}
	}
	if !(math.Abs(sum-1) <= simplexTolerance) {
		t.Errorf("%d objectives, %s: weights %v have sum %v", c.jac.Rows, c.name, w, sum)
	}
}

// checkPermutation compares the decision on c with the decision on its rows in reverse order. It always compares the
// directions, but the weights only for independent rows, because otherwise they need not be unique.
func checkPermutation(t T, construct func() algo.Weighting, c jacobianCase) {
	t.Helper()
	m := c.jac.Rows
	r, _, err := decide(construct(), c.jac, 0)
	if err != nil {
		return // checkDecision reports this
	}
	made := newCall(construct().Needs(), c.jac, 0)
	permuted := newCall(construct().Needs(), c.jac, 0)
	reverse := func(dst, src *algo.Jacobian) {
		for i := range m {
			copy(dst.Row(i), src.Row(m-1-i))
		}
	}
	rows := algo.NewJacobian(m, c.jac.Cols)
	reverse(rows, c.jac)
	permuted.input.SetGradients(rows)
	for i := range permuted.input.Losses {
		permuted.input.Losses[i] = made.input.Losses[m-1-i]
	}
	for i := range permuted.input.Extra {
		reverse(permuted.input.Extra[i], made.input.Extra[i])
	}
	other, err := weigh(construct(), &permuted.input)
	if err != nil {
		t.Errorf("%d objectives, %s, in another order: %v", m, c.name, err)
		return
	}
	tolerance := permutationRelative * max(longestRow(c.jac), norm(r.Direction))
	if e := maxDifference(r.Direction, other.Direction); !(e <= tolerance) {
		t.Errorf("%d objectives, %s: direction %v, in another order %v (difference %.3g, allowed %.3g)",
			m, c.name, r.Direction, other.Direction, e, tolerance)
	}
	if !c.independent || r.Weights == nil || other.Weights == nil {
		if (r.Weights == nil) != (other.Weights == nil) {
			t.Errorf("%d objectives, %s: weights in one order only", m, c.name)
		}
		return
	}
	slices.Reverse(other.Weights)
	if e := maxDifference(r.Weights, other.Weights); !(e <= permutationRelative*maxAbs(r.Weights)) {
		t.Errorf("%d objectives, %s: weights %v, in another order %v", m, c.name, r.Weights, other.Weights)
	}
}

// checkRotation compares the decision on c with the decision on its rotated rows. The rotation reverses the component
// along a vector that involves all coordinates, and then the first coordinate. checkRotation always compares the
// directions, but the weights only for independent rows.
func checkRotation(t T, construct func() algo.Weighting, c jacobianCase) {
	t.Helper()
	r, _, err := decide(construct(), c.jac, 0)
	if err != nil {
		return // checkDecision reports this
	}
	normal := make([]float64, c.jac.Cols)
	for i := range normal {
		normal[i] = float64(i+1) / float64(len(normal))
	}
	square := dot(normal, normal)
	rotate := func(row []float64) {
		along := 2 * dot(row, normal) / square
		for i, v := range normal {
			row[i] -= float64(along * v)
		}
		row[0] = -row[0]
	}
	made := newCall(construct().Needs(), c.jac, 0)
	rows := algo.NewJacobian(c.jac.Rows, c.jac.Cols)
	copy(rows.Data, c.jac.Data)
	for _, j := range append([]*algo.Jacobian{rows}, made.input.Extra...) {
		for i := range j.Rows {
			rotate(j.Row(i))
		}
	}
	made.input.SetGradients(rows)
	other, err := weigh(construct(), &made.input)
	if err != nil {
		t.Errorf("%d objectives, %s, rotated: %v", c.jac.Rows, c.name, err)
		return
	}
	want := slices.Clone(r.Direction)
	rotate(want)
	tolerance := rotationRelative * max(longestRow(c.jac), norm(want))
	if e := maxDifference(want, other.Direction); !(e <= tolerance) {
		t.Errorf("%d objectives, %s: direction %v, of rotated gradients %v (difference %.3g, allowed %.3g)",
			c.jac.Rows, c.name, want, other.Direction, e, tolerance)
	}
	if !c.independent || r.Weights == nil || other.Weights == nil {
		return
	}
	if e := maxDifference(r.Weights, other.Weights); !(e <= rotationRelative*maxAbs(r.Weights)) {
		t.Errorf("%d objectives, %s: weights %v, of rotated gradients %v", c.jac.Rows, c.name, r.Weights, other.Weights)
	}
}

func checkWeightingReplay(t T, construct func() algo.Weighting, m int) {
	t.Helper()
	cases := jacobianCases(m)
	jac := func(k int) *algo.Jacobian { return cases[k%2].jac } // alternates random and orthogonal rows
	run := func(w algo.Weighting, from int) []*algo.Result {
		var results []*algo.Result
		for k := from; k < from+replaySteps; k++ {
			r, _, err := decide(w, jac(k), k)
			if err != nil {
				t.Errorf("%d objectives, call %d of a sequence: %v", m, k, err)
				return results
			}
			results = append(results, r)
		}
		return results
	}
	for _, calls := range []int{0, replaySteps} {
		w := construct()
		if calls > 0 && len(run(w, 0)) < calls {
			return
		}
		var snap algo.Snapshot
		snap.PutFloats(0.25)
		snap.PutWord(77)
		w.Save(&snap)
		snap.PutFloats(0.25)
		snap.PutWord(77)
		want := run(w, calls)
		for _, into := range []struct {
			name string
			w    algo.Weighting
		}{{"the same weighting", w}, {"a fresh weighting", construct()}} {
			snap.Rewind()
			if snap.GetFloat() != 0.25 || snap.GetWord() != 77 {
				t.Errorf("Save after %d calls overwrites what was in the snapshot", calls)
				return
			}
			if fault := recovered(func() { into.w.Load(&snap) }); fault != nil {
				t.Errorf("Load into %s panics: %v", into.name, fault)
				return
			}
			if !atEnd(&snap, 0.25, 77) {
				t.Errorf("Load into %s does not read exactly what Save appended", into.name)
			}
			got := run(into.w, calls)
			for i := range min(len(got), len(want)) {
				if !sameBits(got[i].Weights, want[i].Weights) || !sameBits(got[i].Direction, want[i].Direction) ||
					!sameBits(got[i].Effective, want[i].Effective) || got[i].Status != want[i].Status {
					t.Errorf("%d objectives: after Load into %s call %d gives %+v, it was %+v", m, into.name, calls+i, *got[i], *want[i])
					break
				}
			}
		}
	}
}

func checkWeightingAllocations(t T, w algo.Weighting, m int) {
	t.Helper()
	jac := jacobianCases(m)[0].jac
	c := newCall(w.Needs(), jac, 0)
	weights := make([]float64, m)
	r := new(algo.Result)
	direction, effective := make([]float64, jac.Cols), make([]float64, m)
	noAllocations(t, "Weigh", func() {
		r.Direction, r.Weights, r.Effective, r.Status = direction, weights, effective, algo.Running
		if err := w.Weigh(r, &c.input); err != nil {
			t.Errorf("%d objectives, repeated call: %v", m, err)
		}
		c.input.K++
	})
}

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

func longestRow(j *algo.Jacobian) float64 {
	var longest float64
	for i := range j.Rows {
		longest = max(longest, norm(j.Row(i)))
	}
	return longest
}
