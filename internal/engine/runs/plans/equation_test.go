package plans

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

var ours = Letters{Point: "x", Loss: "f", Objective: "goal"}

// add parses a text such as "= 0.3 (1, 2) + 0.7 (3, 4) + … of 2 more: (5, 6), of goals 3, 5, 9". It returns the sum and
// the number of terms.
func add(t *testing.T, text string) (sum []scenetest.Rounded, terms int) {
	t.Helper()
	text = text[strings.Index(text, "= ")+2:]
	text, _, _ = strings.Cut(text, ", of ")
	sum = make([]scenetest.Rounded, 2)
	for _, part := range strings.Split(text, " + ") {
		before, point, ok := strings.Cut(part, "(")
		if !ok {
			t.Fatalf("%q has no gradient in %q", text, part)
		}
		weight := scenetest.Rounded{Value: 1}
		if !strings.HasPrefix(part, "…") && strings.TrimSpace(before) != "" {
			weight = scenetest.Read(t, before, false)[0]
			terms++
		}
		g := scenetest.Read(t, point, false)
		for i := range sum {
			sum[i].Value += weight.Value * g[i].Value
			sum[i].Off += math.Abs(weight.Value)*g[i].Off + math.Abs(g[i].Value)*weight.Off
		}
	}
	return sum, terms
}

func near(a, b scenetest.Rounded) bool { return math.Abs(a.Value-b.Value) <= a.Off+b.Off+1e-12 }

// selected selects a method's track from a start and returns it.
func selected(t *testing.T, line *timeline.Timeline, method string, start int) timeline.Track {
	t.Helper()
	track := line.FindFrom(method, start)
	if track.Run == nil {
		t.Fatalf("no track of %s", method)
	}
	return track
}

// TestStepNumbersAddUp checks that the point minus η times the direction is the next point, and that the direction is
// the written sum. Both must hold within the rounding of the written numbers.
func TestStepNumbersAddUp(t *testing.T) {
	const n, m, budget = 13, 4, 12
	summed := map[string]bool{}
	for _, values := range []map[string]string{
		{}, {"scale": "raw"}, {"scale": "column"}, {"step": "sign"}, {"step": "adam"}, {"K": "3"}, {"solver": "sinkhorn"},
	} {
		r, l := bound(n, m, all()...)
		assign(t, l, "moosvgd.repulsion", "0.05")
		for name, text := range values {
			assign(t, l, name, text)
		}
		line := rounds(t, r, course(t, n, m), budget)
		for _, track := range line.Tracks() {
			for _, k := range []int{1, 5, budget, budget + 1} {
				numbers, err := r.StepNumbers(line, track, k, ours)
				if err != nil || numbers == nil {
					t.Fatalf("%v, %s at %d: %v, %v", values, track.Name(), k, numbers, err)
				}
				x, next := scenetest.Read(t, numbers["x"], true), scenetest.Read(t, numbers["next"], true)
				d, eta := scenetest.Read(t, numbers["d"], false), scenetest.Read(t, numbers["eta"], false)[0]
				for i := range x {
					want := scenetest.Rounded{Value: x[i].Value - eta.Value*d[i].Value, Off: x[i].Off + eta.Value*d[i].Off}
					if !near(want, next[i]) {
						t.Errorf("%v, %s at %d: %v", values, track.Name(), k, numbers)
					}
				}
				sum := numbers["sum"]
				before, after, _ := strings.Cut(sum, "= ")
				if !strings.Contains(after, " (") { // no gradients are written
					continue
				}
				if before != "" { // several steps: the sum is the first step's direction
					d = scenetest.Read(t, before[strings.Index(before, "("):], false)
				}
				total, terms := add(t, sum)
				if terms == 0 || terms > maxTerms {
					t.Errorf("%v, %s: %d terms in %q", values, track.Name(), terms, sum)
				}
				for i := range total {
					if !near(total[i], d[i]) {
						t.Errorf("%v, %s at %d: %q: got sum %v, want %v", values, track.Name(), k, sum, total, d)
					}
				}
				summed[track.Method] = true
			}
		}
	}
	for _, method := range all() {
		if writes := !slices.Contains([]string{MOOSVGD, Linearization, FedAvg, FedProx, FedMGDA}, method); summed[method] != writes {
			t.Errorf("%s: got gradients written %v, want %v", method, summed[method], writes)
		}
	}
}

// TestStepNumbersLeaveRunsAlone checks that StepNumbers changes neither records nor later steps.
func TestStepNumbersLeaveRunsAlone(t *testing.T) {
	const n, m, budget = 7, 3, 6
	var ends [2][]float64
	for i := range ends {
		r, _ := bound(n, m, MosT, Extended, MGDA)
		runs, err := r.Runs(course(t, n, m))
		if err != nil {
			t.Fatal(err)
		}
		line := timeline.New(timeline.DefaultLimit)
		line.SetEnd(budget, 0)
		line.Reset(runs, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				continue
			}
			for _, track := range line.Tracks() {
				if _, err := r.StepNumbers(line, track, line.Latest(), ours); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, run := range line.Runs() {
			ends[i] = append(ends[i], run.Kept(run.Len()-1).X...)
		}
	}
	if !slices.Equal(ends[0], ends[1]) {
		t.Errorf("runs with StepNumbers end at %v, others at %v", ends[1], ends[0])
	}
}

// TestLongSumsAreCut checks that omitted terms are counted and that long gradients show only their weights.
func TestLongSumsAreCut(t *testing.T) {
	r, l := bound(13, 2, Weights, FedAvg, FedMGDA)
	assign(t, l, "solver", "sinkhorn")
	line := rounds(t, r, course(t, 13, 2), 3)
	for method, want := range map[string]string{
		Weights: `^= [^ ]+ \(\S+, \S+\) \+ [^ ]+ \(\S+, \S+\) \+ [^ ]+ \(\S+, \S+\) \+ … of 10 more: \(\S+, \S+\), of goals \d+, \d+, \d+$`,
		FedMGDA: `^= \S+ u(.+)/‖u.+‖ \+ .* \+ … of \d+ more$`,
		FedAvg:  `^= 0.0769 u₁ \+ 0.0769 u₂ \+ 0.0769 u₃ \+ … of 10 more$`,
	} {
		numbers, err := r.StepNumbers(line, selected(t, line, method, 1), 2, ours)
		if err != nil || !regexp.MustCompile(want).MatchString(numbers["sum"]) {
			t.Errorf("%s: got %q, want %s; error %v", method, numbers["sum"], want, err)
		}
	}
	// This problem has thirty variables.
	p, err := problem.NewZDT(1, 30)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, 30)
	for i := range start {
		start[i] = 0.5
	}
	course := Course{Problem: algo.Exact(p), Starts: [][]float64{start, start}, Horizon: 3, Seed: 1}
	r, l = bound(2, 2, MGDA, MosT, Extended)
	assign(t, l, "eta", "5")
	line = rounds(t, r, course, 3)
	numbers, err := r.StepNumbers(line, selected(t, line, MGDA, 0), 1, ours)
	if err != nil {
		t.Fatal(err)
	}
	if want := "(0.50, 0.50, 0.50, …)"; numbers["x"] != want {
		t.Errorf("got x = %s, want %s", numbers["x"], want)
	}
	// With this step size, the box shortens the step.
	want := regexp.MustCompile(`^cut off by the box from \(\S+, \S+, \S+, …\) = (1 g.|\S+ g. \+ \S+ g.)$`)
	if !want.MatchString(numbers["sum"]) {
		t.Errorf("got %q, want %s", numbers["sum"], want)
	}
}

// TestSignsAreNamed checks that the sums mention the signs of gradients if steps use them.
func TestSignsAreNamed(t *testing.T) {
	r, l := bound(5, 2, MGDA, Linearization)
	assign(t, l, "step", "sign")
	line := rounds(t, r, course(t, 5, 2), 3)
	numbers, err := r.StepNumbers(line, selected(t, line, Linearization, 0), 2, ours)
	if want := regexp.MustCompile(`^= sgn\(\S+ g. \+ \S+ g. \+ \S+ g. \+ … of 2 more\)$`); err != nil || !want.MatchString(numbers["sum"]) {
		t.Errorf("got %q, want %s; error %v", numbers["sum"], want, err)
	}
}

// TestRestsAreNothing checks that rounding error is written as 0.
func TestRestsAreNothing(t *testing.T) {
	if got := spelled([]float64{-2.78e-17, 0.2}, timeline.Significant); got != "(0, 0.2)" {
		t.Error(got)
	}
	r, _ := bound(13, 4, EPO)
	line := rounds(t, r, course(t, 13, 4), 6)
	for k := 1; k <= 6; k++ {
		for _, track := range line.Tracks() {
			numbers, err := r.StepNumbers(line, track, k, ours)
			if err != nil || strings.Contains(numbers["sum"], "e−1") || strings.Contains(numbers["sum"], "e−2") {
				t.Errorf("%s at %d: %v, %v", track.Name(), k, numbers, err)
			}
		}
	}
}

// TestNothingServed checks that a solution that does not move has direction 0, and that the text says so.
func TestNothingServed(t *testing.T) {
	c := course(t, 1, 3)
	r, _ := bound(1, 3, Objectives)
	line := rounds(t, r, c, 2)
	var stays int
	for _, track := range line.Tracks() {
		numbers, err := r.StepNumbers(line, track, 1, ours)
		if err != nil {
			t.Fatal(err)
		}
		if numbers["sum"] == "= 0: it does not move" && numbers["x"] == numbers["next"] {
			stays++
		}
	}
	if stays != 2 {
		t.Errorf("got %d of 3 solutions that stay, want 2", stays)
	}
}

// TestEquations checks that each offered method has one formula, with a placeholder for every number.
func TestEquations(t *testing.T) {
	for _, e := range Equations(ours, Methods()) {
		for _, name := range []string{"x", "next", "eta", "d", "sum"} {
			if !strings.Contains(e.Numbers, `\text{@`+name+"}") {
				t.Errorf("%s has no slot for %s", e.ID, name)
			}
		}
	}
	for _, method := range all() {
		count := 0
		for _, e := range Equations(ours, Methods()) {
			if slices.Contains(e.Methods, method) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%s has %d formulas", method, count)
		}
	}
	if out := Equations(ours, Methods(MGDA)); len(out) != 1 || !slices.Equal(out[0].Methods, []string{MGDA}) {
		t.Errorf("MGDA alone: got %+v", out)
	}
}
