package regression

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scenetest"
)

// seeds are those that what the cards say is of, from 1 on: each draws data, starts, batches and
// orders.
const seeds = 20

// opened is the scene with some values, its runs at the end.
func opened(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), values)
	scenetest.Step(t, s, -1)
	return s
}

// ended are facts of runs at their end.
var ended = scenetest.Ended[*Scene]{New: New, Alone: true}

// facts returns the fact of that name at the end of the runs with some values, for each seed.
func facts(t testing.TB, set map[string]string, name string) []float64 {
	t.Helper()
	return ended.Facts(t, set, seeds, name)
}

// decimals is a number in as many decimals as another one has.
func decimals(v float64, like string) string {
	_, digits, _ := strings.Cut(like, ".")
	return strconv.FormatFloat(v, 'f', len(digits), 64)
}

// mean checks a mean over the seeds.
func mean(t testing.TB, set map[string]string, name, stated string) {
	t.Helper()
	if v := race.Average(facts(t, set, name)); decimals(v, stated) != stated {
		t.Errorf("the mean of %s with %v is %.4g, stated is %s", name, set, v, stated)
	}
}

// ratioIs checks "mean ± standard error", or the mean alone, of how many times one fact is another in
// paired runs.
func ratioIs(t testing.TB, a map[string]string, of string, b map[string]string, to, stated string) {
	t.Helper()
	ratios := facts(t, a, of)
	for i, v := range facts(t, b, to) {
		ratios[i] /= v
	}
	middle, _, high := geometricMean(ratios)
	value, off, both := strings.Cut(stated, " ± ")
	if decimals(middle, value) != value || both && decimals(middle*math.Log(high/middle), off) != off {
		t.Errorf("%s with %v is %.4g ± %.2g times %s with %v, stated is %s", of, a, middle, middle*math.Log(high/middle), to, b, stated)
	}
}

// Settings of the claims: with more work than a card has all draws come to what is stated.
var (
	equalSteps = map[string]string{"work": "60"}
	ownSteps   = map[string]string{"work": "40", "stepsizes": sweeps.BestSteps}
	sharing    = map[string]string{"work": "40", "stepsizes": sweeps.BestSteps, "share": "true", "method": sweeps.BlockSMOO}
	noisy      = map[string]string{"work": "40", "sigma": "1"}
)

// with are the settings of Block-SMOO alone with equal steps, and one more.
func with(name, value string) map[string]string {
	return map[string]string{"work": "60", "method": sweeps.BlockSMOO, name: value}
}

// order checks in which order methods come to a test loss in one run of the scene; those that do not
// come last.
func order(t testing.TB, s *Scene, level string, want ...string) {
	t.Helper()
	before := 0.0
	for _, method := range want {
		at := scenetest.Fact(t, s.Facts(), "reach."+method+"."+level)
		if math.IsNaN(at) {
			at = math.Inf(1)
		}
		if at < before {
			t.Errorf("%s comes to %s after %v million, before the one that should be before it", method, level, at)
		}
		before = at
	}
}

// costs checks what the gradient of a step costs.
func costs(t testing.TB, share, kind, stated string) {
	t.Helper()
	s := scenetest.Open(t, New(), map[string]string{"share": share})
	if v := scenetest.Fact(t, s.Facts(), "ratio."+kind); decimals(v, stated) != stated {
		t.Errorf("%s costs %.4g, stated is %s", kind, v, stated)
	}
}

// csvTable is a table in which two columns depend on the others.
func csvTable() string {
	var b strings.Builder
	b.WriteString("hour,wind,PM2.5,PM10\n")
	for i := range 200 {
		hour, wind := i%24, [3]string{"N", "S", "E"}[i%3]
		fmt.Fprintf(&b, "%d,%s,%v,%v\n", hour, wind, 20+hour+i*7%5, 40-hour+2*len(wind)*(i%3))
	}
	return b.String()
}

// guest is the scene with a table, and some values.
func guest(t testing.TB, text string, values map[string]string) *Scene {
	t.Helper()
	s := New()
	for name, value := range values {
		if err := s.Params().Assign(name, value); err != nil {
			t.Fatal(err)
		}
	}
	r := exchange.NewReader(s.Takes())
	if _, err := r.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	p, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Paste(p); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// learns checks that all methods come down to what a table allows.
func learns(t testing.TB) {
	t.Helper()
	s := guest(t, csvTable(), map[string]string{"responses": "PM2.5,PM10", "work": "0.5", "batch": "16"})
	if p := s.data.train; p.Data().Features() != 3 || p.Examples() != 140 || s.data.test.Examples() != 60 {
		t.Errorf("%d features of %d rows to learn from and %d for tests", p.Data().Features(), p.Examples(), s.data.test.Examples())
	}
	scenetest.Step(t, s, -1)
	for _, m := range s.values.On {
		start := s.Timeline().FindFrom(m, 0).Kept(0).Number(lossName)
		if loss := scenetest.Fact(t, s.Facts(), "loss."+m); !(loss < 0.8*start) {
			t.Errorf("%s goes from %v to %v", m, start, loss)
		}
	}
}

var claims = scenetest.Claims{
	"summary": {{Says: "Each line is a method that learns to predict five responses from a hundred features: how large its error on other " +
		"data is, for the multiplications that its gradients took.", Holds: func(t testing.TB) {
		s := opened(t, nil)
		d, q := s.data.train.Data().Features(), s.data.train.Data().Responses()
		if list := s.gather().losses.list; d != 100 || q != 5 || len(list) != 4 || s.values.Axis != sweeps.WorkName {
			t.Errorf("%d features, %d responses, %d lines over %s", d, q, len(list), s.values.Axis)
		}
	}}},
	"try": {{Says: "Give each method a step size of its own: then the weighted sum, third with equal steps, is " +
		"first.", Holds: func(t testing.TB) {
		const bs, ws, fa, ba = sweeps.BlockSMOO, sweeps.WeightedSum, sweeps.FunctionAlternate, sweeps.BlockAlternate
		order(t, opened(t, nil), "hundredth", fa, bs, ws, ba)
		order(t, opened(t, map[string]string{"stepsizes": sweeps.BestSteps}), "hundredth", ws, fa, bs)
	}}},
	"dataSummary": {{Says: "Each line is a method that learns to predict your responses from the other columns: how large its error on the " +
		"last 30 % of the rows is, for the multiplications that its gradients took.", Holds: learns}},
	"dataTry": {{Says: "Change the rank: it says from how many mixtures of the columns all responses are " +
		"predicted.", Holds: func(t testing.TB) {
		for _, r := range []string{"1", "2"} {
			s := guest(t, csvTable(), map[string]string{"responses": "PM2.5,PM10", "r": r})
			if n := fmt.Sprint(s.data.train.Rank()); n != r {
				t.Errorf("rank %s, asked for is %s", n, r)
			}
		}
	}}},
	"equal": {
		{Says: "With α = 0.01 for all, a test loss of 1 takes Function-Alternate 4.3 million multiply-adds, Block-SMOO 8.4, the weighted sum " +
			"13.3 and Block-Alternate 19.5 (means of 20 draws).", Holds: func(t testing.TB) {
			mean(t, equalSteps, "reach.functionalternate.one", "4.3")
			mean(t, equalSteps, "reach.blocksmoo.one", "8.4")
			mean(t, equalSteps, "reach.weightedsum.one", "13.3")
			mean(t, equalSteps, "reach.blockalternate.one", "19.5")
		}},
		{Says: "A step down one response’s gradient costs a third of one down all: Block-SMOO is 1.56 ± 0.05 times sooner than the weighted " +
			"sum, and Function-Alternate, which parts no variables, another 1.92 ± 0.07 times.", Holds: func(t testing.TB) {
			costs(t, "false", "U", "0.3")
			ratioIs(t, equalSteps, "reach.weightedsum.one", equalSteps, "reach.blocksmoo.one", "1.56 ± 0.05")
			ratioIs(t, equalSteps, "reach.blocksmoo.one", equalSteps, "reach.functionalternate.one", "1.92 ± 0.07")
		}},
	},
	"best": {
		{Says: "Each method has the largest step size of the paper’s grid with which no draw of 20 diverges.", Holds: func(t testing.TB) {
			for alpha, methods := range map[string]map[string]bool{
				"0.01": {sweeps.BlockSMOO: false, sweeps.FunctionAlternate: false, sweeps.WeightedSum: false, sweeps.BlockAlternate: false},
				"0.02": {sweeps.BlockSMOO: true, sweeps.FunctionAlternate: true, sweeps.WeightedSum: false, sweeps.BlockAlternate: false},
				"0.05": {sweeps.WeightedSum: false, sweeps.BlockAlternate: true},
			} {
				for method, want := range methods {
					if got := race.Average(facts(t, map[string]string{"alpha": alpha}, "diverged."+method)) > 0; got != want {
						t.Errorf("%s with α = %s diverges: %v", method, alpha, got)
					}
				}
			}
			for method, want := range map[string]string{sweeps.BlockSMOO: "0.01", sweeps.FunctionAlternate: "0.01", sweeps.WeightedSum: "0.05",
				sweeps.BlockAlternate: "0.02"} {
				if got := New().Params().Text(method + ".alpha"); got != want {
					t.Errorf("%s has α = %s", method, got)
				}
			}
		}},
		{Says: "Now the weighted sum is first: a test loss of 0.01 takes it 4.2 million multiply-adds, Function-Alternate 6.6, Block-SMOO " +
			"12.8 and Block-Alternate 15.1.", Holds: func(t testing.TB) {
			mean(t, ownSteps, "reach.weightedsum.hundredth", "4.2")
			mean(t, ownSteps, "reach.functionalternate.hundredth", "6.6")
			mean(t, ownSteps, "reach.blocksmoo.hundredth", "12.8")
			mean(t, ownSteps, "reach.blockalternate.hundredth", "15.1")
		}},
		{Says: "Block-SMOO’s early lead is one of equal steps: here it is 3.06 ± 0.07 times later than the weighted " +
			"sum.", Holds: func(t testing.TB) {
			ratioIs(t, ownSteps, "reach.blocksmoo.hundredth", ownSteps, "reach.weightedsum.hundredth", "3.06 ± 0.07")
		}},
	},
	"large": {
		{Says: "With α = 0.05 the weighted sum is at its best.", Holds: func(t testing.TB) {
			if got := New().Params().Text(sweeps.WeightedSum + ".alpha"); got != "0.05" {
				t.Errorf("its own is %s", got)
			}
		}},
		{Says: "Of 20 draws Block-SMOO and Function-Alternate diverge in all, Block-Alternate in 5.", Holds: func(t testing.TB) {
			for method, want := range map[string]float64{sweeps.BlockSMOO: 20, sweeps.FunctionAlternate: 20, sweeps.BlockAlternate: 5,
				sweeps.WeightedSum: 0} {
				if got := seeds * race.Average(facts(t, map[string]string{"alpha": "0.05"}, "diverged."+method)); math.Round(got) != want {
					t.Errorf("%s diverges in %v of 20", method, got)
				}
			}
		}},
		{Says: "In the weighted sum a response’s gradient counts a fifth; alone it counts in full.", Holds: func(t testing.TB) {
			s := scenetest.Open(t, New(), nil)
			scenetest.Step(t, s, 1)
			for method, want := range map[string]float64{sweeps.WeightedSum: 0.2, sweeps.BlockSMOO: 1} {
				if got := slices.Max(s.Timeline().FindFrom(method, 0).Kept(0).Weights); got != want {
					t.Errorf("%s has the weight %v", method, got)
				}
			}
		}},
	},
	"shared": {
		{Says: "Beyond the paper: all steps of a visit to V see one batch, so that X·U is computed once.", Holds: func(t testing.TB) {
			costs(t, "true", "again", "0.009")
		}},
		{Says: "Block-SMOO then comes to 0.01 in 7.3 million multiply-adds, 1.73 ± 0.05 times sooner than with fresh " +
			"batches.", Holds: func(t testing.TB) {
			mean(t, sharing, "reach.blocksmoo.hundredth", "7.3")
			ratioIs(t, ownSteps, "reach.blocksmoo.hundredth", sharing, "reach.blocksmoo.hundredth", "1.73 ± 0.05")
		}},
		{Says: "With each method at its best the weighted sum is still 1.76 ± 0.04 times sooner.", Holds: func(t testing.TB) {
			ratioIs(t, sharing, "reach.blocksmoo.hundredth", ownSteps, "reach.weightedsum.hundredth", "1.76 ± 0.04")
		}},
	},
	"savings": {
		{Says: "One response’s gradient costs 0.317 of the weighted sum’s on U, and 0.321 on U and V together: parting the variables saves " +
			"next to nothing, for every part needs the errors on the whole batch.", Holds: func(t testing.TB) {
			costs(t, "false", "U", "0.317")
			costs(t, "false", "V", "0.317")
			costs(t, "false", "one", "0.321")
		}},
		{Says: "Only when the steps of a visit to V share their batch, as here, do all but the first cost little, " +
			"0.0093.", Holds: func(t testing.TB) {
			costs(t, "true", "again", "0.0093")
			costs(t, "true", "V", "0.474")
		}},
		{Says: "At the paper’s size it is 0.329, 0.33 and 0.0025.", Holds: func(t testing.TB) {
			d, err := (&Params{Roster: sweeps.New(), D: 400, Q: 5, R: 3, N: 512}).drawn()
			if err != nil {
				t.Fatal(err)
			}
			const batch, u, n = 512, 1200, 1215
			whole := float64(d.train.WeightedWork(batch, 0, n, false))
			for stated, work := range map[string]int{"0.329": d.train.Work(batch, 0, 0, u, false), "0.33": d.train.Work(batch, 0, 0, n, false),
				"0.0025": d.keeping().Work(batch, 0, u, n, true)} {
				if got := decimals(float64(work)/whole, stated); got != stated {
					t.Errorf("%s, stated is %s", got, stated)
				}
			}
		}},
	},
	"finer": {
		{Says: "With each row of V a block of its own Block-SMOO makes most of its steps on few variables at full price: to a test loss of " +
			"0.01 it takes 1.95 ± 0.06 times as long.", Holds: func(t testing.TB) {
			s := scenetest.Open(t, New(), map[string]string{"partition": rowBlocks})
			if v := scenetest.Fact(t, s.Facts(), "ratio.V"); v < 0.31 || len(blocksOf(s.data.train, rowBlocks)) != 4 {
				t.Errorf("a row of V costs %v", v)
			}
			ratioIs(t, with("partition", rowBlocks), "reach.blocksmoo.hundredth", with("partition", twoBlocks), "reach.blocksmoo.hundredth",
				"1.95 ± 0.06")
		}},
		{Says: "Longer visits do not help either: with four turns for each response in the place of two it " +
			"takes 1.19 ± 0.03 times as long to 100, and with eight one draw of 20 diverges.", Holds: func(t testing.TB) {
			ratioIs(t, with("m", "4,4,4,4,4"), "reach.blocksmoo.hundred", with("partition", twoBlocks), "reach.blocksmoo.hundred", "1.19 ± 0.03")
			mean(t, with("m", "8,8,8,8,8"), "diverged.blocksmoo", "0.05")
			mean(t, with("partition", twoBlocks), "diverged.blocksmoo", "0.00")
		}},
	},
	"noise": {
		{Says: "With noise of standard deviation 1 nobody’s test loss can be far below 1.", Holds: func(t testing.TB) {
			for _, v := range facts(t, noisy, "optimum") {
				if v < 0.9 {
					t.Errorf("least squares comes to %v", v)
				}
			}
		}},
		{Says: "Least squares has 1.04; the weighted sum ends 1.2 % above it, Block-SMOO and Function-Alternate 9.8 % and 9 %: at the same " +
			"step size single responses’ gradients keep shaking U and V more.", Holds: func(t testing.TB) {
			mean(t, noisy, "optimum", "1.04")
			ratioIs(t, noisy, "loss.weightedsum", noisy, "optimum", "1.012")
			ratioIs(t, noisy, "loss.blocksmoo", noisy, "optimum", "1.098")
			ratioIs(t, noisy, "loss.functionalternate", noisy, "optimum", "1.09")
		}},
	},
}

// TestClaims: what the scene says as it opens and on its cards is so.
func TestClaims(t *testing.T) { claims.Check(t, About) }
