package orderinggrid

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
	"paretoplay/internal/engine/runs/orders"
)

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, experiment.Line, *Tables]{New: New,
	Grid: func(s *Tables) *experiment.Grid[experiment.Line] { return s.Grid }}

// TestKept checks that docs/ordering.csv, which takes minutes to compute, is reproduced when it is read and written
// again, and that docs/ordering.md contains the tables of that file.
func TestKept(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
}

// TestKeptRuns computes some of the runs again, and checks that they agree exactly with the kept ones.
func TestKeptRuns(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	i := -1
	for want := range experiment.Of[Cell](s.Grid) {
		if i++; effort(want) > 10_000 || i%11 != 0 {
			continue
		}
		again := *want
		again.Each, again.Summary = nil, experiment.Summary{Wanted: want.Wanted}
		if err := s.judge(&again); err != nil {
			t.Fatal(err)
		}
		if got, want := experiment.JoinRows(again.Each), experiment.JoinRows(want.Each[:1]); got != want {
			t.Errorf("%s: the first run comes to %s, kept is %s", again.title(), got, want)
		}
		if i%44 != 0 {
			continue
		}
		if again.Tried = nil; again.tuned() {
			if err := s.tune(&again); err != nil {
				t.Fatal(err)
			}
			if got, want := experiment.JoinRows(again.Tried), experiment.JoinRows(want.Tried[:1]); got != want {
				t.Errorf("%s: the first step size comes to %s, kept is %s", again.title(), got, want)
			}
		}
	}
	// Compare all measures of one cell.
	want := s.cell(contests, &s.config.Contests[1], "mgda", Order{Method: orders.JoGBa})
	again := *want
	again.Each, again.Summary = nil, experiment.Summary{Wanted: want.Wanted}
	for range s.config.Runs {
		if err := s.judge(&again); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		if again.Mean[i] != want.Mean[i] && !want.lacks(i) || again.Deviation[i] != want.Deviation[i] && !want.lacks(i) {
			t.Errorf("%s is %v ± %v, kept is %v ± %v", name, again.Mean[i], again.Deviation[i], want.Mean[i], want.Deviation[i])
		}
	}
}

// found gives access to the kept tables, to check the text about them.
type found struct {
	t *testing.T
	*Tables
}

// cellOf returns the cell of an order on the task with the given problem, M and K. If same is true, it uses the
// contest in which all orders share one step size.
func (f found) cellOf(problem string, m, k int, weighting, optimizer string, same bool, o Order) *Cell {
	f.t.Helper()
	for i := range f.config.Contests {
		contest := &f.config.Contests[i]
		if contest.Problem != problem || contest.M != m || contest.K != k || contest.Optimizer != optimizer {
			continue
		}
		if one := len(contest.Alphas) == 1; one != same {
			continue
		}
		if c := f.cell(contests, contest, weighting, o); c != nil {
			return c
		}
	}
	f.t.Fatalf("there is no %s of %s, M = %d, K = %d, %s, %s", o.title(), problem, m, k, weighting, optimizer)
	return nil
}

// tuned returns the ratios to random orders for several orders, each with its best step size.
func (f found) tuned(problem string, m, k int, weighting string, methods ...string) []any {
	f.t.Helper()
	var out []any
	for _, method := range methods {
		out = append(out, f.againstRandom(f.cellOf(problem, m, k, weighting, plain, false, Order{Method: method})).Ratio(10))
	}
	return out
}

// same returns the ratios to random orders for a shared step size, on least squares with two objectives.
func (f found) same(k int, weighting string, list ...Order) []any {
	f.t.Helper()
	var out []any
	for _, o := range list {
		out = append(out, f.againstRandom(f.cellOf(leastSquares, 2, k, weighting, plain, true, o)).Ratio(10))
	}
	return out
}

// measured returns a measure for a shared step size, on least squares with two objectives.
func (f found) measured(k int, weighting string, measure, decimals int, list ...Order) []any {
	f.t.Helper()
	var out []any
	for _, o := range list {
		e := f.measure(f.cellOf(leastSquares, 2, k, weighting, plain, true, o), measure)
		if measure != herding {
			e.Spread = math.NaN()
		}
		out = append(out, e.Text(decimals))
	}
	return out
}

// TestFindings checks the statements in docs/ordering.md about the tables.
func TestFindings(t *testing.T) {
	words := experimenttest.Words(t, name)
	s, _ := tables.Kept(t, name, Default())
	f := found{t, s}
	balanced := []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa}
	random, own := Order{Method: orders.Random}, Order{Method: orders.RandomOwn}
	shared, separate, joint := Order{Method: orders.GraBShared}, Order{Method: orders.GraBSeparate}, Order{Method: orders.JoGBa}
	centred := Order{orders.JoGBa, perObjective}
	walks := []Order{{orders.GraBShared, selfBalancing}, {orders.GraBSeparate, selfBalancing}, {orders.JoGBa, selfBalancing}}
	omega := func(k int, weighting string, same bool, o Order) string {
		return experiment.Significant(math.Pow(10, s.late(f.cellOf(leastSquares, 2, k, weighting, plain, same, o)).Mean), 3)
	}
	best := func(o Order) float64 { return f.cellOf(leastSquares, 2, 512, "ls", plain, false, o).chosenAlphas()[0] }
	rate := func(near float64, weighting string) *Rate {
		for i := range s.config.Rates {
			if r := &s.config.Rates[i]; r.Near == near && r.Weightings[0] == weighting {
				return r
			}
		}
		t.Fatalf("there are no rates with %s from %v", weighting, near)
		return nil
	}
	overT := func(near float64, weighting string, o Order) (out []any) {
		r := rate(near, weighting)
		for _, k := range r.Ks {
			out = append(out, strconv.FormatFloat(s.overT(s.cell(rates, r.at(k), weighting, o)).Mean, 'f', 2, 64))
		}
		return out
	}
	starts := func(near float64, o Order) (out []any) {
		r := rate(near, "ls")
		for _, k := range r.Ks {
			out = append(out, strconv.FormatFloat(100*s.firstShare(s.cell(rates, r.at(k), "ls", o)), 'f', 0, 64))
		}
		return out
	}
	overK := func(near float64, weighting string, o Order) any {
		return s.overK(rate(near, weighting), weighting, o).Text(2)
	}
	theorem := func(method string) (of Bound, c *Cell) {
		r := rate(0, "mgda")
		c = s.cell(rates, r.at(512), "mgda", Order{Method: method})
		of, err := s.bounds(c)
		if err != nil {
			t.Fatal(err)
		}
		return of, c
	}
	randomBound, randomCell := theorem(orders.Random)
	jointBound, jointCell := theorem(orders.JoGBa)
	cost := func(batch int) (out []any) {
		for c := range experiment.Of[Timing](s.Grid) {
			if c.Batch == batch {
				_, share := c.times()
				out = append(out, fmt.Sprintf("%.0f", 100*share))
			}
		}
		return out
	}
	withAdam := func(weighting string) (out []any) {
		for _, method := range balanced {
			out = append(out, s.againstRandom(f.cellOf(leastSquares, 2, 512, weighting, adam, false, Order{Method: method})).Ratio(10))
		}
		return out
	}
	ofShared := func(problem string, m, k int) string {
		return s.against(f.cellOf(problem, m, k, "ls", plain, false, joint), shared).Ratio(10)
	}
	three := "%s, %s and %s"
	say := fmt.Sprintf
	for _, want := range []string{
		say("on least squares with K = 512, GraB's shared order reaches %s, its separate orders %s and JoGBa %s of the ω of random orders",
			f.tuned(leastSquares, 2, 512, "ls", balanced...)...),
		say("with M = 3 "+three, f.tuned(leastSquares, 3, 128, "ls", balanced...)...),
		say("on diagonal quadratics "+three, f.tuned(diagonal, 2, 128, "ls", balanced...)...),
		say("on the logistic regression "+three, f.tuned(logistic, 2, 128, "ls", balanced...)...),
		say("with K = 128 in two variables "+three, f.tuned(leastSquares, 2, 128, "ls", balanced...)...),
		say("shared GraB and JoGBa take α = %g and %g there, random orders %g", best(shared), best(joint), best(random)),
		say("with α = 0.02 for all, the three reach "+three, f.same(512, "ls", shared, separate, joint)...),
		say("after %s, %s and %s epochs of 12, random orders after %s", append(f.measured(512, "ls", arrival, 1, shared, separate, joint),
			f.measured(512, "ls", arrival, 1, random)...)...),
		say("MGDA brings the three to "+three, f.tuned(leastSquares, 2, 512, "mgda", balanced...)...),
		say("PCGrad to "+three, f.tuned(leastSquares, 2, 512, "pcgrad", balanced...)...),
		say("CAGrad to "+three, f.tuned(leastSquares, 2, 512, "cagrad", balanced...)...),
		say("Nash-MTL to "+three, f.tuned(leastSquares, 2, 512, "nashmtl", balanced...)...),
		say("separate random orders reach %s with K = 512", f.tuned(leastSquares, 2, 512, "ls", orders.RandomOwn)...),
		say("with α = 0.02, shared GraB reaches %s, separate GraB %s and JoGBa %s", f.same(512, "mgda", shared, separate, joint)...),
		say("separate random orders reach %s, separate GraB %s, JoGBa %s and shared GraB %s", f.same(128, "mgda", own, separate,
			joint, shared)...),
		say("Separate orders that stay fixed give only K pairs and gain nothing: %s", f.same(128, "mgda", Order{Method: orders.OnceOwn})...),
		say("with M = 3, separate random orders reach %s and shared GraB %s", f.tuned(leastSquares, 3, 128, "mgda", orders.RandomOwn,
			orders.GraBShared)...),
		say("with K = 512, separate random orders reach %s, JoGBa %s and shared GraB %s", f.tuned(regression, 2, 512, "ls",
			orders.RandomOwn, orders.JoGBa, orders.GraBShared)...),
		say("with d = 400, where every objective can be fitted, they reach "+three, f.tuned(regression, 2, 128, "ls", orders.RandomOwn,
			orders.JoGBa, orders.GraBShared)...),
		say("with K = 512, separate GraB reaches %s, separate random orders %s, JoGBa %s and shared GraB %s",
			f.tuned(regression, 2, 512, "mgda", orders.GraBSeparate, orders.RandomOwn, orders.JoGBa, orders.GraBShared)...),
		say("it is %s for random orders, %s for JoGBa, %s with v/M, %s for separate and %s for shared GraB", f.measured(512, "ls", herding, 2,
			random, joint, centred, separate, shared)...),
		say("With MGDA it is "+three+" for random orders, JoGBa and separate GraB, and %s for shared GraB", f.measured(512, "mgda", herding, 2,
			random, joint, separate, shared)...),
		say("wobbles by %s of α with random orders, %s with JoGBa, %s with separate and %s with shared GraB", f.measured(512, "ls", wobble, 1,
			random, joint, separate, shared)...),
		say("is "+three+" of random's with shared GraB, separate GraB and JoGBa", f.same(512, "ls", walks...)...),
		say("A is %s, %s and %s, whereas the greedy rule has %s, %s and %s", append(f.measured(512, "ls", signBound, 2, walks...),
			f.measured(512, "ls", signBound, 2, shared, separate, joint)...)...),
		say("with K = 512, v/M reaches %s and v %s", f.same(512, "ls", centred, joint)...),
		say("the mean of ω² falls as T to the power of "+three+" with random orders, "+three+" with shared GraB and "+three+" with JoGBa",
			append(append(overT(0.97, "ls", random), overT(0.97, "ls", shared)...), overT(0.97, "ls", joint)...)...),
		say("as K to the power of "+three, overK(0.97, "ls", random), overK(0.97, "ls", shared), overK(0.97, "ls", joint)),
		say("the powers of K are "+three, overK(0, "ls", random), overK(0, "ls", shared), overK(0, "ls", joint)),
		say("the case of the theorems, "+three+" there, and %s with separate random orders", overK(0, "mgda", random),
			overK(0, "mgda", shared), overK(0, "mgda", joint), overK(0, "mgda", own)),
		say(three+" %% of the mean with random orders, "+three+" %% with shared GraB", append(starts(0, random), starts(0, shared)...)...),
		say("the powers of T are "+three+" with random orders and shared GraB "+three, append(overT(0, "mgda", random),
			overT(0, "mgda", shared)...)...),
		say(three+" with separate random orders, and "+three+" with JoGBa", append(overT(0, "mgda", own),
			overT(0, "mgda", joint)...)...),
		say("Theorem 3.6 promises %s, of which %s is σ²(1+ln T)/T, "+
			"and Theorem 3.9 %s, of which %s is 65Δ(F+F₁)/T and %s the term (KT)^(-2/3)",
			experiment.Significant(randomBound.total(), 2), experiment.Significant(randomBound.Terms[1], 2),
			experiment.Significant(jointBound.total(), 2),
			experiment.Significant(jointBound.Terms[2], 2), experiment.Significant(jointBound.Terms[0], 2)),
		say("the measured values are %s and %s", experiment.Significant(math.Pow(10, randomCell.Each[0][4]), 2),
			experiment.Significant(math.Pow(10, jointCell.Each[0][4]), 2)),
		say("α = %s and %s, whereas the best step sizes are %g and %g", experiment.Significant(randomBound.Alpha, 2),
			experiment.Significant(jointBound.Alpha, 2),
			randomCell.chosenAlphas()[4], jointCell.chosenAlphas()[4]),
		say("from about T = %s on", experiment.Significant(1000*math.Pow(jointBound.Terms[2]/jointBound.Terms[0], 3), 1)),
		say("adds "+three+" %% to the update for d = 10, 1000 and 100,000 with single samples, and "+three+" %% with examples of 64",
			append(cost(1), cost(64)...)...),
		say("ω itself is then %s for random orders and %s for JoGBa", omega(512, "ls", true, random), omega(512, "ls", true, joint)),
		say("on shared inputs with d = 400, where FlipFlop reaches %s and one fixed order %s", f.tuned(regression, 2, 128, "ls",
			orders.FlipFlop, orders.Once)...),
		say("FlipFlop reaches %s and one fixed order %s on diagonal quadratics", f.tuned(diagonal, 2, 128, "ls", orders.FlipFlop,
			orders.Once)...),
		say("on the logistic regression %s and %s", f.tuned(logistic, 2, 128, "ls", orders.FlipFlop, orders.Once)...),
		say("with K = 512 and equal weights, shared GraB, separate GraB and JoGBa reach "+three+", and with MGDA "+three,
			append(withAdam("ls"), withAdam("mgda")...)...),
		say("JoGBa's ω is %s of shared GraB's with K = 512, %s with K = 128 in two variables, %s with M = 3, %s on diagonal quadratics and "+
			"%s on the logistic regression", ofShared(leastSquares, 2, 512), ofShared(leastSquares, 2, 128), ofShared(leastSquares, 3, 128),
			ofShared(diagonal, 2, 128), ofShared(logistic, 2, 128)),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("docs/ordering.md does not say %q", want)
		}
	}
}

// TestTold checks the statements in docs/ordering.md that contain no numbers.
func TestTold(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	f := found{t, s}
	near := func(what string, got, low, high float64) {
		t.Helper()
		if !(got >= low && got <= high) {
			t.Errorf("%s is %v, want %v to %v", what, got, low, high)
		}
	}
	// With equal weights, balanced orders are ahead of random ones on every problem without shared inputs. There,
	// FlipFlop is not behind random orders, and keeping one order is never ahead of them.
	for i := range s.config.Contests {
		contest := &s.config.Contests[i]
		if contest.Optimizer != plain || len(contest.Alphas) == 1 || contest.Problem == regression {
			continue
		}
		for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
			if r := s.againstRandom(s.cell(contests, contest, "ls", Order{Method: method})); r.Mean+r.Spread > math.Log10(0.6) {
				t.Errorf("%s, %s: %s", contest.Task.title(), method, r.Ratio(10))
			}
		}
		if r := s.againstRandom(s.cell(contests, contest, "ls", Order{Method: orders.FlipFlop})); r.Mean-r.Spread > 0 {
			t.Errorf("%s, FlipFlop: %s", contest.Task.title(), r.Ratio(10))
		}
		if r := s.againstRandom(s.cell(contests, contest, "ls", Order{Method: orders.Once})); r.Mean < 0 {
			t.Errorf("%s, one order that is kept: %s", contest.Task.title(), r.Ratio(10))
		}
		if contest.Problem != logistic {
			continue
		}
		for _, w := range []string{"mgda", "pcgrad", "cagrad"} {
			for _, o := range contest.Orders {
				c := s.cell(contests, contest, w, o)
				near(c.title(), math.Pow(10, s.againstRandom(c).Mean), 0.75, 1.05)
				near("its step size", c.chosenAlphas()[0], contest.Alphas[0], contest.Alphas[0])
			}
		}
	}
	h := func(method string) float64 {
		return f.cellOf(leastSquares, 2, 512, "ls", plain, true, Order{Method: method}).Mean[herding]
	}
	near("H of JoGBa by H of random orders", h(orders.JoGBa)/h(orders.Random), 0.4, 0.6)
	near("H of separate GraB by H of JoGBa", h(orders.GraBSeparate)/h(orders.JoGBa), 0.4, 0.6)
	for c := range experiment.Of[Cell](s.Grid) {
		if c.Variant == selfBalancing && c.Mean[clippedPart] != 0 {
			t.Errorf("%s: %v of the probabilities had to be cut", c.title(), c.Mean[clippedPart])
		}
	}
}
