package regression

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// TestRunsSpendEqualWork checks that every run stops at the step that uses up its budget of work, and that the run
// records its work. According to the formulas, all steps of a method cost the same unless a batch is shared.
func TestRunsSpendEqualWork(t *testing.T) {
	for _, set := range []map[string]string{{"seeds": "2"}, {"share": "true"}, {"partition": rowBlocks, "m": "1,0,3,2,1"}} {
		s := opened(t, set)
		ends := 0
		for _, r := range s.Timeline().Runs() {
			last, before := r.Kept(r.Len()-1), r.Kept(r.Len()-2)
			if spent := last.Number(sweeps.WorkName); spent < 20e6 || before.Number(sweeps.WorkName) >= 20e6 || spent != s.spent[r] {
				t.Errorf("%v: %s ends at %v after %v, known was %v", set, r.Name, spent, before.Number(sweeps.WorkName), s.spent[r])
			}
			if r.Status() != algo.Budget || int(last.Number(sweeps.WorkName)) != alternation(r).Work() {
				t.Errorf("%v: %s: %v", set, r.Name, r.Status())
			}
			ends = max(ends, r.Last())
		}
		if s.Timeline().Budget() != ends {
			t.Errorf("%v: the last run ends at %d, the time line at %d", set, ends, s.Timeline().Budget())
		}
	}
	s := opened(t, map[string]string{"budget": "7"})
	for _, r := range s.Timeline().Runs() {
		if r.Last() != 7 {
			t.Errorf("%s makes %d steps of 7", r.Name, r.Last())
		}
	}
}

// TestSharedIsTheSame checks that keeping X·U changes the points of a run by no more than rounding errors.
func TestSharedIsTheSame(t *testing.T) {
	set := map[string]string{"m": "1,0,0,0,0", "work": "2", "method": sweeps.BlockSMOO}
	fresh := opened(t, set)
	set["share"] = "true"
	shared := opened(t, set)
	a, b := fresh.Timeline().Runs()[0], shared.Timeline().Runs()[0]
	for i := range min(a.Len(), b.Len()) {
		if d := floats.Distance(a.Kept(i).X, b.Kept(i).X, math.Inf(1)); d > 1e-12 {
			t.Fatalf("after %d steps the points are %g apart", i, d)
		}
	}
}

// TestStepSizes checks that a live change of a step size affects the runs that use it.
func TestStepSizes(t *testing.T) {
	for _, c := range []struct {
		which, name string
		want        map[string]float64
	}{
		{sweeps.EqualSteps, "alpha", map[string]float64{sweeps.BlockSMOO: 0.003, sweeps.WeightedSum: 0.003}},
		{sweeps.EqualSteps, "weightedsum.alpha", map[string]float64{sweeps.BlockSMOO: 0.01, sweeps.WeightedSum: 0.01}},
		{sweeps.BestSteps, "alpha", map[string]float64{sweeps.BlockSMOO: 0.01, sweeps.WeightedSum: 0.05}},
		{sweeps.BestSteps, "weightedsum.alpha", map[string]float64{sweeps.BlockSMOO: 0.01, sweeps.WeightedSum: 0.003}},
	} {
		s := scenetest.Open(t, New(), map[string]string{"stepsizes": c.which})
		s.Timeline().Change(0, c.name, "0.003")
		scenetest.Step(t, s, 1)
		for method, want := range c.want {
			if got := s.Timeline().FindFrom(method, 0).Kept(0).StepSize; got != want {
				t.Errorf("%s steps, %s: %s has %v, want %v", c.which, c.name, method, got, want)
			}
		}
	}
}

// TestTests checks that the displayed losses are computed on data from which no method learns.
func TestTests(t *testing.T) {
	s := opened(t, map[string]string{"work": "1", "N": "200", "d": "12"})
	p := s.data.test
	if p.Examples() != 50 {
		t.Errorf("%d examples for tests", p.Examples())
	}
	n, _ := p.Dims()
	for _, r := range s.Timeline().Runs() {
		row := r.Kept(r.Len() - 1)
		for k, shown := range row.List(testsName) {
			var sum float64
			u, v := mat.NewDense(12, 3, row.X[:36]), mat.NewDense(3, 5, row.X[36:n])
			var w mat.Dense
			w.Mul(u, v)
			for i := range p.Examples() {
				x, y := p.Data().Example(i)
				e := floats.Dot(x, mat.Col(nil, k, &w)) - y[k]
				sum += e * e / float64(p.Examples())
			}
			if math.Abs(sum-shown) > 1e-9*sum {
				t.Errorf("%s, response %d: %v, want %v", r.Name, k+1, shown, sum)
			}
		}
		if mean := runs.Average(row.List(testsName)); math.Abs(mean-row.Number(lossName)) > 1e-12*mean {
			t.Errorf("%s: the mean is %v, want %v", r.Name, row.Number(lossName), mean)
		}
	}
}

// TestNearest checks that nearest returns the matrix C·a nearest to b, and that a row in the span of the others adds
// nothing.
func TestNearest(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	const r, n = 3, 7
	a, b := make([]float64, r*n), make([]float64, r*n)
	for i := range a {
		a[i], b[i] = source.NormFloat64(), source.NormFloat64()
	}
	for _, spanned := range []bool{false, true} {
		if spanned {
			for j := range n {
				a[2*n+j] = a[j] - 2*a[n+j]
			}
		}
		got := nearest(a, b, r, n)
		for i := range r { // the rest of b is orthogonal to every row of a
			for k := range r {
				left := 0.0
				for j := range n {
					left += (b[i*n+j] - got[i*n+j]) * a[k*n+j]
				}
				if math.Abs(left) > 1e-12 {
					t.Errorf("what is left of row %d has %g along row %d", i, left, k)
				}
			}
		}
	}
	if got := nearest(make([]float64, r*n), b, r, n); floats.Norm(got, 2) != 0 {
		t.Errorf("of nothing it is %v", got)
	}
}

// TestMatrices checks that the learnt matrices approach the true ones, and that both have the same scale.
func TestMatrices(t *testing.T) {
	for _, view := range []string{viewFactors, viewProduct} {
		s := opened(t, map[string]string{"view": view})
		s.Timeline().SetMarker(0)
		if m := s.matricesNow(); !(m.off > 0.5) {
			t.Errorf("at the start U·V is %v off", m.off)
		}
		s.Timeline().SetMarker(s.Timeline().Latest())
		m := s.matricesNow()
		if !(m.off < 0.02) || m.most == 0 || s.matricesNow() != m {
			t.Errorf("at the end U·V is %v off", m.off)
		}
		for i, of := range m.run {
			if d := distance(of.entries, m.truth[i].entries); d > 0.05*distance(m.truth[i].entries, nil) {
				t.Errorf("%s is %v away from %s", of.title, d, m.truth[i].title)
			}
		}
	}
}

// TestReaches checks that a curve reaches a level at a position between the neighbouring points of the curve.
func TestReaches(t *testing.T) {
	c := &kinds.Curve{X: []float64{0, 1, 2, 3}, Y: []float64{100, 10, 1, 0.1}}
	for level, want := range map[float64]float64{100: 0, 1: 2, math.Sqrt(10): 1.5} {
		if x, ok := reaches(c, level); !ok || math.Abs(x-want) > 1e-12 {
			t.Errorf("%v is reached at %v, want %v", level, x, want)
		}
	}
	if _, ok := reaches(c, 0.01); ok {
		t.Error("it is not reached")
	}
}

// TestCurves checks that the curves of means over seeds grow with the runs, and are the same after rows have been
// dropped.
func TestCurves(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"seeds": "3", "work": "1", "method": "blocksmoo,weightedsum"})
	for s.Timeline().Running() {
		scenetest.Step(t, s, 3)
		s.gather()
	}
	fresh := opened(t, map[string]string{"seeds": "3", "work": "1", "method": "blocksmoo,weightedsum"})
	for i, c := range s.gather().losses.list {
		want := fresh.gather().losses.list[i]
		if !floats.Same(c.X, want.X) || !floats.Same(c.Y, want.Y) || !floats.Same(c.Low, want.Low) || len(c.X) < 12 {
			t.Errorf("%s: gathered on the way it is another curve", c.Method)
		}
		log := 0.0
		for seed := range 3 {
			log += math.Log(s.Timeline().FindFrom(c.Method, seed).Kept(5).Number(lossName)) / 3
		}
		if math.Abs(c.Y[5]-math.Exp(log)) > 1e-9*c.Y[5] || !(c.Low[5] < c.Y[5] && c.Y[5] < c.High[5]) {
			t.Errorf("%s: %v from %v to %v", c.Method, c.Y[5], c.Low[5], c.High[5])
		}
	}
	s = New()
	s.Timeline().SetLimit(1 << 20) // rows are dropped on the way
	scenetest.Open(t, s, nil)
	for s.Timeline().Running() {
		scenetest.Step(t, s, 50)
		for _, c := range s.gather().losses.list {
			for i, x := range c.X {
				if i > 0 && x <= c.X[i-1] {
					t.Fatalf("%s goes back from %v to %v", c.Method, c.X[i-1], x)
				}
			}
		}
	}
}

// TestDrawing draws every state: at the start, halfway, diverged, with every clock, with a table, and while a table, its
// responses or a measurement is missing.
func TestDrawing(t *testing.T) {
	states := map[string]*Scene{
		"start": scenetest.Open(t, New(), nil), "end": opened(t, map[string]string{"work": "1", "seeds": "2"}),
		"diverged":  opened(t, map[string]string{"alpha": "0.5"}),
		"product":   opened(t, map[string]string{"view": viewProduct, "work": "1", "share": "true"}),
		"rows":      opened(t, map[string]string{"partition": rowBlocks, "work": "1", "axis": sweeps.CoordinatesName}),
		"steps":     opened(t, map[string]string{"work": "1", "axis": kinds.Iterations, "method": sweeps.WeightedSum}),
		"measuring": opened(t, map[string]string{"work": "1", "axis": secondsAxis}),
		"one":       opened(t, map[string]string{"q": "1", "r": "1", "d": "1", "m": "1", "N": "4", "work": "0.1", "budget": "30"}),
		"waiting":   scenetest.Open(t, New(), map[string]string{"problem": yours}),
		"choosing":  guest(t, csvTable(), nil),
		"table":     guest(t, csvTable(), map[string]string{"responses": "PM2.5,PM10", "work": "0.1", "batch": "16"}),
	}
	scenetest.Step(t, states["table"], -1)
	for name, s := range states {
		for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
			for _, size := range []vg.Point{{X: 1200, Y: 800}, {X: 380, Y: 300}} {
				texts, calls := scenetest.Draw(t, s, size.X, size.Y, theme)
				if calls < 10 {
					t.Errorf("%s: %d drawing calls", name, calls)
				}
				all := strings.ReplaceAll(strings.Join(texts, " "), "\u00a0", " ")
				if strings.Contains(all, "NaN") || strings.Contains(all, "Inf") {
					t.Errorf("%s: %s", name, all)
				}
				want := map[string]string{"waiting": "No table yet", "choosing": "at least one of", "measuring": "Measuring"}[name]
				if !strings.Contains(all, want) {
					t.Errorf("%s: %q is not said in %s", name, want, all)
				}
			}
		}
		if data, err := json.Marshal(s.Results()); err != nil || strings.Contains(string(data), "NaN") {
			t.Errorf("%s: results %.200s, %v", name, data, err)
		}
		for _, f := range s.Facts() {
			f.Value()
		}
	}
}

// TestMeasured checks that all methods take turns until all are measured, and that the axis then converts each method's
// multiplications to seconds at its measured speed.
func TestMeasured(t *testing.T) {
	s := New()
	var now time.Duration
	s.watch = func() time.Duration { now += time.Millisecond; return now }
	scenetest.Open(t, s, map[string]string{"axis": secondsAxis, "work": "1", "share": "true"})
	scenetest.Step(t, s, -1)
	for n := 0; ; n++ {
		slice := 3
		pending, err := s.Work(func() bool { slice--; return slice >= 0 })
		if err != nil {
			t.Fatal(err)
		}
		if !pending {
			break
		}
		if n > 1000 {
			t.Fatal("it does not end")
		}
	}
	for _, cell := range s.measured.cells {
		steps := float64(cell.Cycle)
		if !cell.Done() || math.Abs(cell.pace()*cell.work*steps-0.001) > 1e-12 {
			t.Errorf("%s: %v s for each of %v multiplications", cell.method, cell.pace(), cell.work*steps)
		}
	}
	for i, c := range s.gather().losses.list {
		r := s.Timeline().FindFrom(c.Method, 0)
		if want := s.spent[r.Run] * s.measured.cells[i].pace(); math.Abs(c.X[len(c.X)-1]-want) > 1e-12*want {
			t.Errorf("%s ends at %v, want %v", c.Method, c.X[len(c.X)-1], want)
		}
	}
	if text := s.describeCost(); !strings.Contains(text, "million multiply-adds per second in this browser") {
		t.Error(text)
	}
}

// TestTableSizes checks that a table too large for the page gives an error that names the size, and that rows beyond N
// are left out.
func TestTableSizes(t *testing.T) {
	var wide strings.Builder
	for i := range maxFeatures + 90 {
		fmt.Fprintf(&wide, "c%d,", i)
	}
	wide.WriteString("y\n")
	for row := range 9 {
		for i := range maxFeatures + 90 {
			fmt.Fprintf(&wide, "%d,", (row*i+row)%11)
		}
		fmt.Fprintf(&wide, "%d\n", row)
	}
	s := guest(t, wide.String(), nil)
	if err := s.Params().Assign("responses", "y"); err != nil {
		t.Fatal(err)
	}
	var refused *algo.RangeError
	if err := s.Restart(nil); !errors.As(err, &refused) || refused.Name != "features" {
		t.Errorf("%v", err)
	}
	if err := scenetest.Open(t, New(), nil).Params().Assign("d", "401"); err == nil {
		t.Error("401 features can be drawn")
	}
	s = New()
	for name, text := range map[string]string{"d": "400", "N": "16384"} {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); !errors.As(err, &refused) || refused.Name != "N" {
		t.Errorf("%v", err)
	}
	s = guest(t, csvTable(), map[string]string{"responses": "PM10", "N": "40"})
	if a, b := s.data.train.Examples(), s.data.test.Examples(); a != 40 || b != 10 || s.values.R != 1 {
		t.Errorf("%d and %d rows, rank %d", a, b, s.values.R)
	}
}

// TestStepNumbers checks that the numbers of a step agree with the run.
func TestStepNumbers(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 30)
	for _, r := range s.Timeline().Tracks() {
		for _, k := range []int{1, 17, 30} {
			numbers, err := s.StepNumbers(r, k)
			if err != nil || numbers["alpha"] != "0.01" || numbers["x"] == "" {
				t.Errorf("%s, step %d: %v, %v", r.Name(), k, numbers, err)
			}
		}
	}
	if _, err := s.StepNumbers(timeline.Track{Run: s.Timeline().Runs()[0]}, 99); err == nil {
		t.Error("a step that was not made has numbers")
	}
}

// TestCurvesEndTogether checks that, while runs continue, their curves end at a position that all runs have reached,
// although steps differ in cost. At the end, the curve of every run is shown in full.
func TestCurvesEndTogether(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	ends := func() (out []float64) {
		for _, c := range s.gather().losses.list {
			out = append(out, c.X[len(c.X)-1])
		}
		return out
	}
	for s.Timeline().Running() {
		scenetest.Step(t, s, 150)
		if !s.Timeline().Running() {
			break
		}
		least := math.Inf(1)
		for _, r := range s.Timeline().Runs() {
			if r.Status() == algo.Running {
				least = min(least, r.Kept(r.Len()-1).Number(sweeps.WorkName)/million)
			}
		}
		for i, x := range ends() {
			if x > least || x < 0.9*least {
				t.Errorf("k = %d: curve %d ends at %v, where all have come to %v", s.Timeline().Latest(), i, x, least)
			}
		}
	}
	for i, r := range s.Timeline().Runs() {
		if x, want := ends()[i], r.Kept(r.Len()-1).Number(sweeps.WorkName)/million; x != want {
			t.Errorf("%s ends at %v, its curve at %v", r.Name, want, x)
		}
	}
}

// TestPricesAreListed checks that a wide picture lists the cost at which each method's loss reached the levels. A
// narrow picture must write the numbers beside the curves, with no number beneath another method's marker.
func TestPricesAreListed(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Finish(t, s)
	scenetest.Says(t, s, "loss", scenetest.Full, "cost so far: million multiply-adds", "cost until the loss is|100|1|0.01",
		"Function-Alternate|1.28|4.58|6.91")
	var c recorder.Canvas
	b := s.Panels()[0].(*axes.Plane).Brush(brush.Frame{Width: 420, Height: 330, Theme: brush.Light}, &c)
	xmin, xmax, _, _ := b.Bounds()
	at := func(share float64) reached { return reached{xmin + share*(xmax-xmin), brush.Light.Look("blocksmoo")} }
	numberPlaces(b, 1, []reached{at(0.5), at(0.52), at(0.54), at(0.9)})
	if got := len(drawtest.Texts(c.Actions)); got != 3 { // left of the first, right of the third, left of the last
		t.Errorf("%d numbers are written: %q", got, drawtest.Texts(c.Actions))
	}
}
