package check

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/ordering"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
)

// TestAsReleased: the numbers in the section "As published, as released" of docs/systems.md agree with the methods.
func TestAsReleased(t *testing.T) {
	_, section, _ := strings.Cut(documentText(t, "docs/systems.md"), "## As published, as released")
	text := strings.Join(strings.Fields(section), " ")
	told := slices.Concat(stalled(t), []string{places(t)}, strayed(t))
	for script, versions := range map[string][]string{
		"algo/bilevel/testdata/released.py":  {"commit 318607c"},
		"algo/ordering/testdata/released.py": {"5eafc13", "0.1.3"},
	} {
		source := documentText(t, script)
		for _, version := range versions {
			if told = append(told, version); !strings.Contains(source, version) {
				t.Errorf("%s does not name %s", script, version)
			}
		}
	}
	for _, want := range told {
		if !strings.Contains(text, want) {
			t.Errorf("docs/systems.md does not contain %q", want)
		}
	}
}

// stalled describes FORUM's runs from the paper's starts on problem (24).
func stalled(t *testing.T) []string {
	t.Helper()
	p := problem.NewQuadraticBilevel()
	ends := map[bilevel.Variant][]string{}
	var alphas []float64
	low, high := math.Inf(1), 0.0
	for _, variant := range []bilevel.Variant{bilevel.Released, bilevel.Paper} {
		for i, start := range problem.QuadraticBilevelStarts() {
			s, err := bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: bilevel.Loop{Steps: 50, StepSize: 0.05},
				Upper: bilevel.Upper{StepSize: 0.3}, Rho: 0.3, Variant: variant})
			if err != nil {
				t.Fatal(err)
			}
			for s.View().K < 200 {
				if _, err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
			ends[variant] = append(ends[variant], fmt.Sprintf("%.1e", p.Distance(s.View().X)))
			if i == 0 {
				alphas = append(alphas, s.View().X[0])
			}
			if variant == bilevel.Paper {
				continue
			}
			for s.View().K < 1000 {
				if _, err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
			low, high = min(low, p.Distance(s.View().X)), max(high, p.Distance(s.View().X))
		}
	}
	list := func(v []string) string {
		return strings.ReplaceAll(strings.Join(v[:2], ", ")+" and "+v[2], "e-0", "e-")
	}
	return []string{
		fmt.Sprintf("after 200 steps E is %s", list(ends[bilevel.Released])),
		strings.ReplaceAll(fmt.Sprintf("after 1000 between %.1e and %.1e", low, high), "e-0", "e-"),
		fmt.Sprintf("the paper's rule has %s after 200", list(ends[bilevel.Paper])),
		fmt.Sprintf("it ends at α = %.2f, by the paper's rule at %.2f", alphas[0], alphas[1]),
	}
}

// places says in how many places of each epoch the orders of GraB's two released codes, in algo/ordering/testdata,
// agree with the paper's order.
func places(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("algo/ordering/testdata/released.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Runs []struct {
			Name   string
			Orders [][]int
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	orders := map[string][][]int{}
	for _, r := range oracle.Runs {
		orders[r.Name] = r.Orders
	}
	same := map[string]string{}
	for _, name := range []string{"grab-sampler", "authors"} {
		var counts []string
		for epoch, order := range orders["paper"] {
			count := 0
			for k, example := range order {
				if orders[name][epoch][k] == example {
					count++
				}
			}
			counts = append(counts, fmt.Sprint(count))
		}
		last := len(counts) - 1
		same[name] = strings.Join(counts[:last], ", ") + " and " + counts[last]
	}
	return fmt.Sprintf("agree with the paper's in %s places for `grab-sampler`, in %s for the authors' experiments", same["grab-sampler"],
		same["authors"])
}

// bases holds the first seeds of the two sets of 20 seeds.
var bases = []uint64{1, 1001}

const seedsOfBase = 20

// strayed returns table rows that compare H and ω under each released sign rule with H and ω under the rule that uses
// the maximum norm. The test fails if either rule is ahead on at least nine in ten seeds of both sets.
func strayed(t *testing.T) (rows []string) {
	t.Helper()
	for _, kind := range []struct {
		name string
		kind ordering.Kind
	}{{"GraB, shared", ordering.GraBShared}, {"GraB, separate", ordering.GraBSeparate}, {"JoGBa", ordering.JoGBa}} {
		for _, rule := range []struct {
			name string
			rule ordering.SignRule
		}{{"`innerproduct`", ordering.InnerProduct}, {"`twonorm`", ordering.TwoNorm}} {
			row := fmt.Sprintf("| %s | %s |", kind.name, rule.name)
			for measure := range 2 {
				ahead, behind := seedsOfBase, seedsOfBase // the fewest over the two sets
				for _, base := range bases {
					var logs []float64
					less := 0
					for seed := base; seed < base+seedsOfBase; seed++ {
						ratio := late(t, kind.kind, rule.rule, seed)[measure] - late(t, kind.kind, ordering.Greedy, seed)[measure]
						if logs = append(logs, ratio); ratio < 0 {
							less++
						}
					}
					row += fmt.Sprintf(" %s, %d |", ratioOf(logs), less)
					ahead, behind = min(ahead, less), min(behind, seedsOfBase-less)
				}
				if max(ahead, behind) >= seedsOfBase*9/10 {
					t.Errorf("%s, %s: decided in measure %d, at least %d and %d", kind.name, rule.name, measure, ahead, behind)
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// lateKey identifies a run of late.
type lateKey struct {
	kind ordering.Kind
	rule ordering.SignRule
	seed uint64
}

var lateRuns = map[lateKey][2]float64{}

// late runs an order for 30 epochs and returns the mean logarithms of H and ω over the last third. The problem is least
// squares with M = 2, K = 128, d = 4, equal weights and α = 0.05.
func late(t *testing.T, kind ordering.Kind, rule ordering.SignRule, seed uint64) (means [2]float64) {
	t.Helper()
	key := lateKey{kind, rule, seed}
	if known, has := lateRuns[key]; has {
		return known
	}
	const examples, epochs, counted = 128, 30, 10
	p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: 2, Examples: examples, Variables: 4, Condition: 11,
		Heterogeneity: 1, Noise: 0.5, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ordering.New(ordering.Config{Problem: p, Start: make([]float64, 4), Kind: kind, Signs: rule, StepSize: 0.05,
		FixedWeights: []float64{0.5, 0.5}, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	omega, meter := pareto.StationarityOf(p), ordering.NewMeter(p, 1)
	meter.Hear(s)
	for epoch := range epochs {
		var e *ordering.Epoch
		for range examples {
			if _, err := s.Step(); err != nil {
				t.Fatal(err)
			}
			e = meter.Hear(s)
		}
		if epoch >= epochs-counted {
			means[0] += math.Log(e.H) / counted
			means[1] += math.Log(omega(s.View().X)) / counted
		}
	}
	lateRuns[key] = means
	return means
}

// ratioOf returns the geometric mean of ratios with its 95 % interval. logs holds the logarithms of the ratios.
func ratioOf(logs []float64) string {
	e := experiment.WithInterval(logs)
	return fmt.Sprintf("×%.2f [%.2f, %.2f]", math.Exp(e.Mean), math.Exp(e.Mean-e.Spread), math.Exp(e.Mean+e.Spread))
}
