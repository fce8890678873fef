package federatedclients

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/federated"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// few holds settings for fast runs.
var few = map[string]string{"n": "6", "m": "3", "samples": "50", "budget": "6", "method": "most,most-l,mgda,fedavg,fedprox,fedmgda"}

func small(t testing.TB) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), few)
	scenetest.Step(t, s, -1)
	return s
}

// TestRecorded checks that the records of every row describe how its solutions serve the clients, and that recomputed
// rows have the same records.
func TestRecorded(t *testing.T) {
	s := small(t)
	_, clients, err := s.values.course()
	if err != nil {
		t.Fatal(err)
	}
	var o federated.Outcome
	apart := make([]float64, 9)
	for _, r := range s.Timeline().Runs() {
		for i := range r.Len() {
			row := r.Kept(i)
			clients.Evaluate(&o, row.X)
			clients.Divergence(apart, row.X)
			if accuracy(row) != o.MeanTest() || row.Number(validationName) != o.MeanValidation() || worstFifth(row) != federated.Worst(o.Test,
				0.2) ||
				divergence(row) != federated.MeanDivergence(apart, 3) || !slices.Equal(row.Value(clientsName), o.Test) {
				t.Errorf("%s, round %d: the record has %v", r.Name, row.K, row.Value(clientsName))
			}
			won := o.Won(3)
			for j, share := range chosenShares(row, 3) {
				if math.Abs(share-float64(won[j])/6) > 1e-15 {
					t.Errorf("%s, round %d: solution %d has the share %g of %v", r.Name, row.K, j+1, share, won)
				}
			}
			if most(row, 3) != slices.Max(chosenShares(row, 3)) {
				t.Errorf("%s, round %d: the largest share is %g", r.Name, row.K, most(row, 3))
			}
		}
	}
	tight := scenetest.Open(t, New(), few)
	tight.Timeline().SetLimit(1)
	scenetest.Step(t, tight, -1)
	for i, r := range s.Timeline().Runs() {
		for k := range 7 {
			want := r.Kept(k)
			got, err := tight.Timeline().At(tight.Timeline().Runs()[i], k)
			if err != nil || !slices.Equal(got.X, want.X) || !slices.Equal(got.Value(clientsName), want.Value(clientsName)) {
				t.Errorf("%s, round %d computed again is another, error %v", r.Name, k, err)
			}
		}
	}
}

// TestResults checks that results and facts agree with the last records, and that results can be encoded as JSON.
func TestResults(t *testing.T) {
	s := small(t)
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var results map[string]Result
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	if len(results) != 6 {
		t.Fatalf("%d results", len(results))
	}
	for name, result := range results {
		for fact, want := range map[string]float64{"accuracy": result.Accuracy, "worst": result.WorstFifth, "divergence": result.Divergence,
			"oracle": result.OracleLoss} {
			if got := scenetest.Fact(t, s.Facts(), fact+"."+name); got != want {
				t.Errorf("%s.%s is %g, the result %g", fact, name, got, want)
			}
		}
		if len(result.Clients) != 6 || len(result.Chosen) != 6 || slices.Min(result.Chosen) < 1 || slices.Max(result.Chosen) > 3 {
			t.Errorf("%s: clients %v, chosen %v", name, result.Clients, result.Chosen)
		}
		if (result.Zeros != nil) != plans.HasPlan(name) {
			t.Errorf("%s: zeros %v", name, result.Zeros)
		}
	}
	if got := scenetest.Fact(t, s.Facts(), "accuracy.wmgda"); !math.IsNaN(got) {
		t.Errorf("a method that does not run has the accuracy %g", got)
	}
	if got := scenetest.Fact(t, s.Facts(), "bp.fedavg"); got != 6*6*3 {
		t.Errorf("FedAvg's clients train %g times, want 108", got)
	}
	s.Drag(kinds.MarkerHandle, 0, 0)
	if got := scenetest.Fact(t, s.Facts(), "bp.fedavg"); got != 0 {
		t.Errorf("at the start FedAvg's clients have trained %g times", got)
	}
}

// TestPanels checks that every panel draws in both themes, wide and narrow, for every selected method and every curve, and that it has
// a description.
func TestPanels(t *testing.T) {
	s := small(t)
	for _, view := range []string{viewDivergence, viewLosses, viewWorst} {
		if err := s.Params().Assign("view", view); err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Timeline().Runs() {
			s.Timeline().Select(r.Name)
			for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
				var b bytes.Buffer
				f := axes.Figure{Width: 1000, Height: 700, Theme: theme, Placed: axes.Arrange(1000, 700, s.Panels(), "")}
				if err := f.WriteSVG(&b); err != nil {
					t.Fatal(err)
				}
				for _, want := range []string{"Accuracy of each client, sorted in every round", "the worst fifth", "Mean accuracy", "FedProx"} {
					if !strings.Contains(b.String(), want) {
						t.Errorf("%s, %s: the picture has no %q", view, r.Name, want)
					}
				}
				for _, width := range []vg.Length{140, 360} {
					for _, p := range s.Panels() {
						f := axes.Figure{Width: width, Height: 260, Theme: theme, Placed: axes.Arrange(width, 260, s.Panels(), p.ID())}
						if err := f.WriteSVG(&b); err != nil {
							t.Errorf("%s: %v", p.ID(), err)
						}
					}
				}
			}
			for _, p := range s.Panels() {
				if text := p.Describe(); !strings.Contains(text, r.Title) || strings.Contains(text, "NaN") {
					t.Errorf("%s says %q", p.ID(), text)
				}
			}
		}
	}
	empty := New()
	for _, p := range empty.Panels() {
		if text := p.Describe(); text != noRun {
			t.Errorf("without runs %s says %q", p.ID(), text)
		}
	}
	var b bytes.Buffer
	f := axes.Figure{Width: 1000, Height: 700, Theme: brush.Light, Placed: axes.Arrange(1000, 700, empty.Panels(), "")}
	if err := f.WriteSVG(&b); err != nil {
		t.Error(err)
	}
}

// TestFindClient checks that a press on a symbol finds the client, its accuracy and its chosen solution, and selects that solution.
func TestFindClient(t *testing.T) {
	s := small(t)
	frame := brush.Frame{Width: 500, Height: 400, Theme: brush.Light}
	hero := s.Panels()[0].(*axes.Plane)
	found := map[string]bool{}
	for x := vg.Length(0); x < 500; x += 4 {
		for y := vg.Length(0); y < 400; y += 4 {
			pick, ok := hero.Pick(frame, vg.Point{X: x, Y: y})
			if !ok {
				continue
			}
			track := s.Timeline().Find(pick.Run)
			if track.Run == nil || len(pick.Lines) != 2 {
				t.Fatalf("found %+v", pick)
			}
			found[pick.Lines[0]] = true
			row := s.at(track.Run)
			for i := range 6 {
				if pick.Lines[0] != track.Title+", "+clientName(i) {
					continue
				}
				want := "accuracy " + timeline.Number(row.Value(clientsName)[i]) + " with " + solutionName(track.Solution)
				if pick.Lines[1] != want || int(row.Value(chosenName)[i]) != track.Solution+1 {
					t.Errorf("%v, want %s", pick.Lines, want)
				}
			}
		}
	}
	for i := range 6 {
		if name := "MosT, " + clientName(i); !found[name] {
			t.Errorf("%s is not found", name)
		}
	}
}

// TestLinearizationTrains checks that, with linearization and with MGDA, every client trains every solution in each
// round.
func TestLinearizationTrains(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"budget": "3", "method": "linearization,mgda"})
	scenetest.Step(t, s, -1)
	for _, method := range []string{"linearization", "mgda"} {
		trainings(t, s, method, func(int) int { return 100 })
	}
}

// TestRefused checks that parameter values from which no data or runs can be built cause errors.
func TestRefused(t *testing.T) {
	for name, change := range map[string]func(p *Params){
		"rho1": func(p *Params) { p.Rho1 = -1 }, "batch": func(p *Params) { p.Batch = 0 }, "eta": func(p *Params) { p.Eta = 0 },
		"solver": func(p *Params) { p.Solver = "none" },
	} {
		s := New()
		change(&s.values)
		if err := s.Restart(nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// BenchmarkRound measures a round of the default methods, including the time to record it.
func BenchmarkRound(b *testing.B) {
	s := scenetest.Open(b, New(), map[string]string{"budget": "1000"})
	for b.Loop() {
		if s.Timeline().Latest() >= 900 {
			b.StopTimer()
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		scenetest.Step(b, s, 1)
	}
}

// TestWorstAreListed checks that the picture of the clients lists each method's mean accuracy on the worst
// fifth, and that it numbers the solutions. Its description begins with these means, the best first.
func TestWorstAreListed(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 4)
	scenetest.Says(t, s, "clients", scenetest.Full, "the worst fifth: higher is better", "bar: mean of the worst fifth", "FedAvg|17 %", "|5|")
	const want = "At round 4, the worst fifth of the clients get these shares of their test samples right: " +
		"MosT 44 %, MosT(L) 44 %, MGDA 27 %, FedAvg 17 %. "
	if got := s.Panels()[0].Describe(); !strings.HasPrefix(got, want) {
		t.Errorf("the clients are described as %q", got)
	}
}
