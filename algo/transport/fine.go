package transport

import (
	"math"

	"paretoplay/algo"
)

// fine is an unevaluated sum of two float64 numbers; low is at most a rounding error of high. It has about 106 bits, so
// costs of order 1 keep their digits next to costs of 1e14, which mark forbidden cells.
type fine struct{ high, low float64 }

// plus returns a + b, with an error of about 2^-104 relative to the larger of the two.
func (a fine) plus(b fine) fine {
	s, e := twoSum(a.high, b.high)
	t, f := twoSum(a.low, b.low)
	s, e = quickSum(s, e+t)
	s, e = quickSum(s, e+f)
	return fine{s, e}
}

func (a fine) minus(b fine) fine { return a.plus(fine{-b.high, -b.low}) }

// below reports whether a < b.
func (a fine) below(b fine) bool { return a.high < b.high || a.high == b.high && a.low < b.low }

// twoSum returns the rounded sum of a and b, and the rounding error.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// quickSum does the same as twoSum for |a| ≥ |b| or a = 0.
func quickSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

const (
	// fineRounding is the rounding error of a potential, relative to the largest cost, for each cell on the path to
	// the root.
	fineRounding = 0x1p-103
	// gapRounding times the total number of rows and columns is the gap, relative to Σ Γ_ij |C_ij|, at which the
	// search for pivots ends.
	gapRounding = 0x1p-50
	// plainGap is the largest gap, relative to Σ Γ_ij |C_ij|, for which double precision suffices to prove a plan
	// optimal.
	plainGap = 1e-12
	// provenGap is the largest gap, relative to Σ Γ_ij |C_ij|, at which a plan counts as proved optimal.
	provenGap = 1e-9
)

// finePotentials computes the potentials of the columns in extended precision.
func (e *Exact) finePotentials() {
	if !e.arranged {
		e.arrange()
	}
	e.w[e.root] = fine{}
	for _, j := range e.order[1:] {
		i := e.over[j]
		from := e.up[i]
		step := fine{high: e.cost[i*e.cols+j]}.minus(fine{high: e.cost[i*e.cols+from]})
		e.w[j] = step.plus(e.w[from])
	}
}

// certify returns an upper bound on the tree's cost minus the least cost, in divided costs. The bound follows from the
// potentials, because every plan costs at least their dual bound. It also returns the most negative reduced
// cost and its cell.
func (e *Exact) certify(yielder *algo.Yielder) (gap float64, row, col int, least float64) {
	e.finePotentials()
	largest := 1.0
	for j, w := range e.w {
		e.high[j] = w.high
		largest = max(largest, math.Abs(w.high))
	}
	// rounding is a generous bound on the error of costs minus potentials in double precision.
	rounding := 16 * float64(e.cols) * 0x1p-52 * (largest + 1)
	largest += 1 // now at least the sum of a cost and a potential
	high := e.high
	for i, a := range e.massRow {
		costs := e.cost[i*e.cols : (i+1)*e.cols][:len(high)]
		k := e.up[i]
		own := fine{high: costs[k]}.minus(e.w[k])
		best, lowest := k, own
		if e.least && e.spare[i] > rounding { // only a cell of the tree can be the best
			for j := e.branches.columns.first[i]; j >= 0; j = e.branches.columns.next[j] {
				if d := (fine{high: costs[j]}).minus(e.w[j]); d.below(lowest) {
					best, lowest = j, d
				}
			}
			costs = nil
		}
		yielder.Yield(len(costs))
		// Use extended precision only for cells that double precision cannot distinguish from the best cell.
		unsure := 0x1p-50 * (largest + math.Abs(lowest.high))
		for j, c := range costs {
			d := c - high[j]
			if d-lowest.high > unsure || d-lowest.high > 0x1p-50*(math.Abs(c)+math.Abs(high[j])+math.Abs(lowest.high)) {
				continue
			}
			if d := (fine{high: c}).minus(e.w[j]); d.below(lowest) {
				best, lowest = j, d
				unsure = 0x1p-50 * (largest + math.Abs(lowest.high))
			}
		}
		short := lowest.minus(own)
		gap -= float64(a * (short.high + short.low))
		if short.high < least {
			row, col, least = i, best, short.high
		}
	}
	return gap, row, col, least
}

// size returns the sum of |C_ij| times the integer masses on the tree, in divided costs. It ignores masses that are
// only rounding errors.
func (e *Exact) size() float64 {
	perturbed := int64(e.rows + 1)
	least := perturbed * int64(4*(e.rows+e.cols))
	var units int64
	var sum float64
	for i, w := range e.wantRow {
		units += w
		if f := e.flowRow[i]; f >= least {
			sum += float64(float64(f) * math.Abs(e.cost[i*e.cols+e.up[i]]))
		}
	}
	for j, f := range e.flowCol {
		if i := e.over[j]; i >= 0 && f >= least {
			sum += float64(float64(f) * math.Abs(e.cost[i*e.cols+j]))
		}
	}
	return sum / float64(units) * e.total
}

// coarseGap returns an upper bound on the gap of a finished search, computed in double precision. It combines the
// tolerance of the search with the rounding errors of the potentials.
func (e *Exact) coarseGap() float64 {
	largest := 1.0
	for _, v := range e.v {
		largest = max(largest, math.Abs(v))
	}
	return 16 * float64(e.cols) * 0x1p-52 * largest * e.total
}

// polish performs the pivots that double precision misses. Next to very large costs, the potentials lose the digits
// of small costs. polish ends when rounding errors explain the gap, or when no pivot lowers the cost by more than its
// rounding error.
func (e *Exact) polish(limit int) {
	if e.since > e.rows {
		return
	}
	if e.coarseGap() <= plainGap*e.size() {
		e.since = e.rows + 1
		return
	}
	for {
		gap, i, j, least := e.certify(e.yielder)
		if gap <= float64(e.rows+e.cols)*gapRounding*e.size() || least > -float64(e.cols)*fineRounding {
			e.since, e.proved, e.gap = e.rows+1, true, gap
			return
		}
		if e.pivots == limit {
			return
		}
		e.yielder.Yield(e.rows + e.cols)
		e.pivot(i, j)
		e.pivots++
	}
}

// prove stores the gap of plan p. It clears p.Converged if the gap or its uncertainty exceeds a rounding error. u
// holds the potentials of the rows in double precision.
func (e *Exact) prove(p *Plan, u []float64) {
	up, upAgain := 1/e.down, 1/e.downAgain
	if p.Converged && e.coarseGap()*up*upAgain <= plainGap*e.magnitude {
		p.Gap = 0
		for i, a := range e.massRow {
			k := e.up[i]
			p.Gap += float64(a * (e.cost[i*e.cols+k] - e.v[k] - u[i]))
		}
		p.Gap *= up * upAgain
		return
	}
	if !e.proved {
		e.gap, _, _, _ = e.certify(nil)
		e.proved = p.Converged
	}
	p.Gap = float64(e.gap * up * upAgain)
	switch unsure := float64(float64(e.cols) * fineRounding * e.total * up * upAgain); {
	case e.magnitude == 0: // a plan of cost 0 provides no scale
		p.Converged = p.Converged && p.Gap <= unsure
	case unsure > provenGap*e.magnitude:
		p.Gap += unsure
		p.Converged = false
	default:
		p.Converged = p.Converged && p.Gap <= provenGap*e.magnitude
	}
}
