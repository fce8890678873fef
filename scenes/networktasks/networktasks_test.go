package networktasks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	model "paretoplay/algo/problem/network"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	experiment "paretoplay/internal/study/networkgrid"
)

// few holds settings for a short run with cheap steps.
var few = map[string]string{"S": "8", "budget": "40", "hidden1": "16", "hidden2": "8"}

// TestRecords checks that recorded answers equal the networks' answers, at every visited iteration.
func TestRecords(t *testing.T) {
	s := scenetest.Open(t, New(), few)
	s.Timeline().SetLimit(40 << 10) // thins the rows, so that some are recomputed
	scenetest.Step(t, s, -1)
	outputs, tasks := s.net.Outputs(), s.tasks()
	check := s.net.Again()
	dropped := 0
	for _, r := range s.Timeline().Runs() {
		for _, k := range []int{0, 1, 7, 10, 20, 23, 40} {
			s.Timeline().SetMarker(k)
			if r.Kept(r.Index(k)).K != k {
				dropped++
			}
			answers := slices.Clone(s.answers(r))
			row, err := s.Timeline().At(r, k)
			if err != nil {
				t.Fatal(err)
			}
			accuracy := slices.Clone(row.List(accuracyName))
			err = s.Timeline().Visit(r, k, func(stepper algo.Stepper) {
				x := stepper.View().X
				want := make([]float64, outputs)
				if check.Probabilities(want, x, model.Test, 0); !slices.Equal(want, answers) {
					t.Errorf("%s, k = %d: answers %v, want %v", r.Name, k, answers, want)
				}
				var score model.Score
				score.Reset(check)
				check.Judge(&score, x, model.Test, 0, tests)
				if (accuracy != nil) != (k > 0 && k%every == 0) {
					t.Errorf("%s, k = %d: accuracies %v", r.Name, k, accuracy)
				}
				for task := range accuracy {
					if accuracy[task] != score.Accuracy(task) {
						t.Errorf("%s, k = %d, task %d: accuracy %v, want %v", r.Name, k, task, accuracy[task], score.Accuracy(task))
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for task := range tasks {
				right, share := s.right(answers, 0, task)
				yes := answers[task]
				if s.net.Answer(model.Test, 0, task) == 0 {
					yes = 1 - yes
				}
				if share != yes || right != (share > 0.5) {
					t.Errorf("task %d: right %v with %v, yes has %v", task, right, share, answers[task])
				}
			}
		}
	}
	if dropped == 0 {
		t.Error("no row was computed again")
	}
}

// TestAnew checks that the age of PSMGD's weights agrees with its steps, even if R changes during the run.
func TestAnew(t *testing.T) {
	s := scenetest.Open(t, New(), few)
	for k := 0; s.Timeline().Running(); k++ {
		for at, period := range map[int]string{5: "3", 11: "7", 12: "5", 30: "1", 33: "4"} {
			if k == at {
				s.Timeline().Change(k, "R", period)
			}
		}
		scenetest.Step(t, s, 1)
	}
	r := s.Timeline().FindFrom(psmgd, 0)
	last := 0
	for i := range r.Len() - 1 {
		row := r.Kept(i)
		if row.Refreshed {
			last = row.K
		}
		if got := s.anew(psmgd, row.K); got != last || s.age(row) != float64(row.K-last) {
			t.Errorf("k = %d: weights of %d with age %v, they are of %d", row.K, got, s.age(row), last)
		}
	}
	numbers, err := s.StepNumbers(r, 10)
	if err != nil || numbers["j"] != fmt.Sprint(s.anew(psmgd, 9)) || numbers["S"] != "8" {
		t.Errorf("the step says %v, %v", numbers, err)
	}
	if _, err := s.StepNumbers(r, 41); err == nil {
		t.Error("there are numbers of a step that was not made")
	}
	if v := s.age(s.Timeline().FindFrom(ls, 0).Kept(3)); !math.IsNaN(v) {
		t.Errorf("weights that are never computed have the age %v", v)
	}
}

// TestCost checks the step costs that the scene states.
func TestCost(t *testing.T) {
	for _, tasks := range []string{"2", "8"} {
		s := scenetest.Open(t, New(), map[string]string{"S": tasks, "budget": "16", "method": strings.Join(offered, ","), "R": "8"})
		scenetest.Step(t, s, -1)
		for _, r := range s.Timeline().Runs() {
			if want := s.values.perStep(r.Method, s.tasks()) * 16; float64(r.Kept(r.Len()-1).BP) != want {
				t.Errorf("S = %s: %s takes %d backpropagations, want %v", tasks, r.Method, r.Kept(r.Len()-1).BP, want)
			}
		}
	}
}

// TestTuned checks that every method has its own step size, and that with Adam these are the experiment's step sizes.
func TestTuned(t *testing.T) {
	for _, optimizer := range []descent.OptimizerKind{descent.Adam, descent.Plain} {
		for _, method := range offered {
			for _, tasks := range model.Sets {
				eta := tuned(string(optimizer), method, strconv.Itoa(tasks))
				if !(eta > 0) {
					t.Errorf("%v, %s, %d tasks: the step size is %v", optimizer, method, tasks, eta)
				}
				v := experiment.Variant{Method: method, R: 1, Normalize: "none", Optimizer: optimizer}
				if method == psmgd {
					v.R = 8
				}
				if want := experiment.StepSize(tasks, v); optimizer == descent.Adam && tasks != 20 && eta != want {
					t.Errorf("%s, %d tasks: the step size is %v, the experiment’s %v", method, tasks, eta, want)
				}
			}
		}
	}
}

// TestPrints checks that the displayed first layer is from the marker or shortly before it, and that the number of kept
// layers is bounded.
func TestPrints(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"S": "2", "method": "ls", "budget": "700", "hidden1": "4", "hidden2": "4"})
	scenetest.Step(t, s, -1)
	r := s.Timeline().Runs()[0]
	p := s.prints[r]
	if len(p.kept) > maxPrints || len(p.kept) < maxPrints/2 || p.kept[0].k != 0 {
		t.Errorf("%d prints are kept", len(p.kept))
	}
	for _, k := range []int{0, 5, 100, 699, 700} {
		s.Timeline().SetMarker(k)
		one := s.print()
		if one.k > k || one.k <= k-p.every {
			t.Errorf("at %d the print is of %d", k, one.k)
		}
		err := s.Timeline().Visit(r, one.k, func(stepper algo.Stepper) {
			for i, w := range stepper.View().X[:4*model.Pixels] {
				if one.weights[i] != float32(w) {
					t.Fatalf("at %d weight %d is %v, want %v", k, i, one.weights[i], w)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestClocks checks that, for every choice of the horizontal axis, the curves lie within the axis and the marker can be
// dragged.
func TestClocks(t *testing.T) {
	for _, axis := range []string{kinds.Iterations, kinds.Backpropagations, gradientSeconds, measuredSeconds} {
		s := scenetest.Open(t, New(), few)
		if err := s.Params().Assign("axis", axis); err != nil {
			t.Fatal(err)
		}
		now := time.Duration(0)
		s.watch = func() time.Duration { now += time.Millisecond; return now }
		scenetest.Finish(t, s)
		x, _ := s.curvesPanel().(*axes.Plane).Axes()
		for _, c := range s.gather() {
			if len(c.X) != 4 || !slices.IsSorted(c.X) || c.X[0] < x.Min || c.X[3] > x.Max {
				t.Errorf("%s: %s is tested at %v, the axis is from %v to %v", axis, c.Method, c.X, x.Min, x.Max)
			}
		}
		s.Drag(kinds.MarkerHandle, s.placeOf(17), 0)
		if k := s.Timeline().Marker(); k != 17 {
			t.Errorf("%s: the marker is dragged to %d", axis, k)
		}
	}
}

// TestDrift checks that constant weights have no drift, and that weights that change from step to step do drift.
func TestDrift(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"S": "8", "budget": "30", "method": "mgda,rlw,uw", "uw.lr": "0.0001"})
	scenetest.Step(t, s, -1)
	row := func(method string, k int) timeline.Row { return s.Timeline().FindFrom(method, 0).Kept(k) }
	sum := 0.0
	for k := range 29 {
		a, b := shares(row(mgda, k)), shares(row(mgda, k+1))
		for i := range a {
			sum += math.Abs(a[i]-b[i]) / 2 / 29
		}
	}
	if got := drift(s.Timeline().FindFrom(mgda, 0).Run, 30)[0]; math.Abs(got-sum) > 1e-12 {
		t.Errorf("MGDA’s weights move by %v, want %v", got, sum)
	}
	if got := drift(s.Timeline().FindFrom("uw", 0).Run, 30)[0]; !(got < 0.01) {
		t.Errorf("weights that are hardly learned move by %v", got)
	}
	for i, v := range drift(s.Timeline().FindFrom(mgda, 0).Run, 30) {
		if math.IsNaN(v) != (ages[i] > 29) {
			t.Errorf("after %d of 30 steps %v has moved", ages[i], v)
		}
	}
}

// TestWaiting checks that while the pictures are missing, every panel says so, and there are no runs.
func TestWaiting(t *testing.T) {
	s := New()
	s.Read = func() (*model.Digits, error) { return nil, nil }
	scenetest.Open(t, s, nil)
	if s.Needs() != File || s.Extras().Lacks == "" || len(s.Timeline().Runs()) > 0 || s.Results() != nil {
		t.Errorf("it needs %q, and has %d runs", s.Needs(), len(s.Timeline().Runs()))
	}
	for _, p := range s.Panels() {
		if p.Describe() != waiting {
			t.Errorf("%s says %q", p.ID(), p.Describe())
		}
	}
	scenetest.Draw(t, s, 900, 600, brush.Light)
	for _, f := range s.Facts() {
		if v := f.Value(); !math.IsNaN(v) {
			t.Errorf("%s is %v", f.Name, v)
		}
	}
}

// TestUnknownRecording checks that the error for an unknown run lists the available ones.
func TestUnknownRecording(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"S": "8", "budget": "2", "method": "mgda,ls"})
	_, err := s.Recording("nobody")
	if err == nil || err.Error() != `unknown run "nobody"; available: mgda-1 ls-1` {
		t.Errorf("got error %v", err)
	}
}
