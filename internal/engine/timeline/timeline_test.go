package timeline

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
)

// psmgd returns a run of PSMGD on Fonseca's problem with noise, with η and R as live parameters. It counts the stepper's
// steps, including replayed steps, in *steps.
func psmgd(t *testing.T, start int, steps *int) *Run {
	t.Helper()
	f, err := problem.NewFonseca(2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.9 - 0.3*float64(start), -0.6 + 0.2*float64(start)}
	s, err := descent.NewPSMGD(descent.Config{Problem: f, Start: x, Period: 4, StepSize: 0.1, Momentum: 0.3, Seed: 5, StartIndex: start})
	if err != nil {
		t.Fatal(err)
	}
	jac := algo.NewJacobian(2, 2)
	var measure pareto.Stationarity
	stepper := &counted{s, steps}
	return &Run{
		Name: fmt.Sprint("psmgd-", start), Method: "psmgd", StartIndex: start, Starts: [][]float64{x}, Stepper: stepper,
		AtPoint: []Extra{{Name: "length", Symbol: "‖x‖", Label: "length"}},
		MeasurePoint: func(v algo.View, stationarity, further []float64) {
			f.Jacobian(jac, v.X)
			stationarity[0] = measure.Measure(jac)
			further[0] = math.Hypot(v.X[0], v.X[1])
		},
		OfStep: []Extra{{Name: "move", Size: 2, Symbol: "Δ", Label: "move"}, {Name: "update", Label: ""}},
		MeasureStep: func(_ []float64, v algo.View, further []float64) {
			further[0], further[1], further[2] = v.StepSize*v.Direction[0], v.StepSize*v.Direction[1], s.Update()[0]
		},
		Apply: func(c Change) error {
			v, err := strconv.ParseFloat(c.Text, 64)
			if err != nil {
				return err
			}
			if c.Name == "R" {
				return s.SetPeriod(int(v))
			}
			return s.SetStepSize(v)
		},
	}
}

type counted struct {
	*descent.PSMGD
	steps *int
}

func (c *counted) Step() (algo.Status, error) {
	*c.steps++
	return c.PSMGD.Step()
}

// same compares rows bit for bit.
func same(a, b Row) bool {
	bits := func(u, v []float64) bool {
		return (u == nil) == (v == nil) && slices.EqualFunc(u, v, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	}
	return a.K == b.K && a.BP == b.BP && a.Refreshed == b.Refreshed && bits(a.X, b.X) && bits(a.F, b.F) &&
		bits(a.Weights, b.Weights) && bits(a.Direction, b.Direction) && bits(a.atPoint, b.atPoint) && bits(a.ofStep, b.ofStep) &&
		bits([]float64{a.Stationarity, a.StepSize}, []float64{b.Stationarity, b.StepSize})
}

// history plays runs to their end with live changes. It returns the timeline and a copy of every row as it was recorded.
func history(t *testing.T, limit, iterations, runs int, steps *int) (*Timeline, [][]Row) {
	t.Helper()
	changes := map[int]Change{0: {Name: "eta", Text: "0.05"}, 37: {Name: "R", Text: "7"}, 150: {Name: "eta", Text: "0.2"},
		151: {Name: "R", Text: "1"}}
	line := New(limit)
	line.SetEnd(iterations, 0)
	var list []*Run
	for i := range runs {
		list = append(list, psmgd(t, i, steps))
	}
	line.Reset(list, nil)
	rows := make([][]Row, runs)
	for k := 0; line.Running(); k++ {
		if c, ok := changes[k]; ok {
			line.Change(k, c.Name, c.Text)
		}
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
		if line.Marker() != k+1 || line.Latest() != k+1 {
			t.Fatalf("after step %d the marker is at %d and the latest at %d", k+1, line.Marker(), line.Latest())
		}
		for i, r := range line.Runs() {
			if k == 0 {
				rows[i] = append(rows[i], r.Kept(0).clone())
			}
			// The second-to-last row has only now received its step. If the row was dropped immediately, its copy stays
			// without the step. Tests then compare with the full history of another timeline.
			rows[i] = append(rows[i], r.Kept(r.Len()-1).clone())
			if r.Len() > 1 && r.Kept(r.Len()-2).K == k {
				rows[i][k] = r.Kept(r.Len() - 2).clone()
			}
		}
	}
	return line, rows
}

// TestSeek checks that At returns the exact row of any iteration, kept or replayed, with live changes of R and η. Replays
// must not change later iterations.
func TestSeek(t *testing.T) {
	const iterations = 300
	var steps int
	full, want := history(t, DefaultLimit, iterations, 3, &steps)
	for i, r := range full.Runs() {
		if r.Len() != iterations+1 {
			t.Fatalf("run %d keeps %d rows of %d under the default limit", i, r.Len(), iterations+1)
		}
	}
	refreshed := 0
	for _, row := range want[0] {
		if row.Refreshed {
			refreshed++
		}
	}
	// R is 4 up to iteration 37, 7 up to 151, and then 1.
	if refreshed != 10+16+(iterations-151) {
		t.Fatalf("%d refreshes: the live changes did not act when they were made", refreshed)
	}
	for _, limit := range []int{1, 12 << 10, 40 << 10} {
		thin, _ := history(t, limit, iterations, 3, &steps)
		order := []int{iterations, 0, 1, 299, 298, 37, 38, 36, 150, 151, 152, 63, 64, 65, 5, 5, 4, 200, 201, 202, 203}
		for k := range iterations + 1 {
			order = append(order, k)
		}
		for i, r := range thin.Runs() {
			if r.Len() == iterations+1 {
				t.Errorf("limit %d: nothing was dropped", limit)
			}
			for _, k := range order {
				row, err := thin.At(r, k)
				if err != nil {
					t.Fatal(err)
				}
				if !same(row, want[i][k]) {
					t.Fatalf("limit %d, run %d: iteration %d is\n%+v, recorded was\n%+v", limit, i, k, row, want[i][k])
				}
			}
			if row, err := thin.At(r, iterations+50); err != nil || row.K != iterations {
				t.Errorf("beyond the end: got row %d, error %v", row.K, err)
			}
		}
		// The replays must not affect the rest of the runs.
		thin.SetEnd(iterations+20, 0)
		full, want := history(t, DefaultLimit, iterations+20, 3, &steps)
		for thin.Running() {
			if _, err := thin.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for i, r := range thin.Runs() {
			if got := r.Kept(r.Len() - 1); !same(got, want[i][iterations+20]) {
				t.Errorf("limit %d: after looking back the run ends at %+v instead of %+v", limit, got, full.Runs()[i].Kept(iterations+20))
			}
		}
	}
}

// TestThinnedRunIsReadInOnePass checks that reading every iteration in order, as an export does, takes a single pass
// instead of one replay per row.
func TestThinnedRunIsReadInOnePass(t *testing.T) {
	const iterations = 2000
	var steps int
	line, _ := history(t, 8<<10, iterations, 1, &steps)
	r := line.Runs()[0]
	steps = 0
	for k := range iterations + 1 {
		if _, err := line.At(r, k); err != nil {
			t.Fatal(err)
		}
	}
	if steps > 3*iterations {
		t.Errorf("reading %d iterations: got %d steps", iterations, steps)
	}
	if steps == 0 {
		t.Error("no row was replayed: the run is not thinned")
	}
}

// TestMemory checks that recorded rows stay below the limit in runs of any length, and that the first and last rows are
// kept.
func TestMemory(t *testing.T) {
	const limit = 64 << 10
	var steps int
	line := New(limit)
	line.SetEnd(5000, 0)
	runs := []*Run{psmgd(t, 0, &steps), psmgd(t, 1, &steps)}
	line.Reset(runs, nil)
	version := line.Version()
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
		if line.bytes() > limit {
			t.Fatalf("at iteration %d the rows take %d bytes of %d", line.Latest(), line.bytes(), limit)
		}
		for _, r := range runs {
			if r.Kept(0).K != 0 || r.Kept(r.Len()-1).K != line.Latest() {
				t.Fatalf("at iteration %d the first row is %d and the last %d", line.Latest(), r.Kept(0).K, r.Kept(r.Len()-1).K)
			}
		}
	}
	if line.Version() == version {
		t.Error("thinning did not change the version, so cached pictures stay")
	}
	if n := runs[0].Len(); n < 50 {
		t.Errorf("got only %d rows: thinning drops more than it must", n)
	}
	for i := range runs[0].Len() {
		if k := runs[0].Kept(i).K; runs[0].Index(k) != i || i+1 < runs[0].Len() && runs[0].Index(k+1) != i && runs[0].Kept(i+1).K != k+1 {
			t.Errorf("Index: row of iteration %d not found", k)
		}
	}
}

// TestUnlocated checks that rows without points and directions hold all other values bit for bit, recorded or replayed, and
// take less memory. MeasureStep must receive no start point for such rows.
func TestUnlocated(t *testing.T) {
	play := func(limit int, unlocated bool) (*Timeline, *Run) {
		var steps int
		line, r := New(limit), psmgd(t, 0, &steps)
		r.Unlocated = unlocated
		measure := r.MeasureStep
		r.MeasureStep = func(from []float64, v algo.View, further []float64) {
			if (from == nil) != unlocated {
				t.Errorf("a step leads away from %v", from)
			}
			measure(from, v, further)
		}
		line.SetEnd(400, 0)
		line.Reset([]*Run{r}, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		return line, r
	}
	whole, with := play(DefaultLimit, false)
	line, without := play(DefaultLimit, true)
	short, thinned := play(16<<10, true)
	if line.bytes() >= whole.bytes() || thinned.Len() == without.Len() {
		t.Errorf("%d bytes of %d with points; %d rows of %d in little memory", line.bytes(), whole.bytes(), thinned.Len(), without.Len())
	}
	for k := range with.Len() {
		want := with.Kept(k).clone()
		want.X, want.Direction = nil, nil
		if !same(want, without.Kept(k)) {
			t.Fatalf("k = %d: %+v, want %+v", k, without.Kept(k), want)
		}
		if again, err := short.At(thinned, k); err != nil || !same(want, again) {
			t.Fatalf("k = %d: computed again %+v, %v, want %+v", k, again, err, want)
		}
	}
	if cells := line.Readout().Rows[0].Cells; cells[1] != none {
		t.Errorf("the table has the variables %s", cells[1])
	}
}

// TestRows checks that weights, direction and step size belong to the step that starts at the row, so that the last
// row has none. A row's cost must be the cost of reaching the row.
func TestRows(t *testing.T) {
	var steps int
	line, _ := history(t, DefaultLimit, 8, 1, &steps)
	r := line.Runs()[0]
	for i := range r.Len() {
		row := r.Kept(i)
		last := i == r.Len()-1
		if (row.Weights == nil) != last || (row.Direction == nil) != last || (row.StepSize == 0) != last {
			t.Errorf("row %d: weights %v, direction %v, step size %v", i, row.Weights, row.Direction, row.StepSize)
		}
		if want := i + (i+3)/4; row.BP != want {
			t.Errorf("row %d: %d backpropagations, want %d", i, row.BP, want)
		}
		if row.Refreshed != (i%4 == 0 && !last) {
			t.Errorf("row %d: refreshed %v", i, row.Refreshed)
		}
	}
}

// script is a stepper with scripted points and errors.
type script struct {
	k      int
	until  int         // the step from this iteration returns fault or, if fault is nil, status
	status algo.Status // the step is committed unless status is Diverged
	fault  error
}

func (s *script) Step() (algo.Status, error) {
	if s.k == s.until {
		if s.fault != nil {
			return algo.Running, s.fault
		}
		if s.status != algo.Diverged {
			s.k++
		}
		return s.status, nil
	}
	s.k++
	return algo.Running, nil
}

func (s *script) View() algo.View {
	v := algo.View{K: s.k, Solutions: 1, X: []float64{float64(s.k)}, F: []float64{1 / float64(s.k+1)}, Cost: algo.Cost{Backpropagations: s.k}}
	if s.status == algo.Diverged && s.k == s.until {
		v.Diverged = algo.Divergence{K: s.k, Quantity: "gradient"}
	}
	return v
}

func (s *script) Save(to *algo.Snapshot)   { to.PutInt(s.k) }
func (s *script) Load(from *algo.Snapshot) { s.k = from.GetInt() }

func scripted(name string, s *script) *Run {
	return &Run{Name: name, Stepper: s, Starts: [][]float64{{float64(s.k)}},
		MeasurePoint: func(v algo.View, stationarity, _ []float64) { stationarity[0] = 1 / (v.X[0] + 1) }}
}

// TestDivergence checks that a diverged run keeps its last finite row and its divergence, while other runs continue.
func TestDivergence(t *testing.T) {
	line := New(DefaultLimit)
	line.SetEnd(10, 0)
	bad, good := scripted("bad", &script{until: 4, status: algo.Diverged}), scripted("good", &script{until: -1})
	line.Reset([]*Run{bad, good}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if bad.Status() != algo.Diverged || bad.Divergence() != (algo.Divergence{K: 4, Quantity: "gradient"}) {
		t.Errorf("status %v, divergence %+v", bad.Status(), bad.Divergence())
	}
	if bad.Last() != 4 || bad.Len() != 5 || good.Last() != 10 {
		t.Errorf("the diverged run ends at %d with %d rows, the other at %d", bad.Last(), bad.Len(), good.Last())
	}
	if row, err := line.At(bad, 9); err != nil || row.K != 4 || row.X[0] != 4 {
		t.Errorf("at iteration 9 the diverged run shows %+v, error %v", row, err)
	}
	if line.Status() != algo.Finished || good.Status() != algo.Budget {
		t.Errorf("runs that ended differently: %v, %v", line.Status(), good.Status())
	}
	// A higher budget must not continue a diverged run.
	line.SetEnd(20, 0)
	if bad.Status() != algo.Diverged || good.Status() != algo.Running || line.Status() != algo.Running {
		t.Errorf("with more budget: %v and %v, together %v", bad.Status(), good.Status(), line.Status())
	}
}

// TestAhead checks that Ahead returns the step that starts at any iteration and the resulting point. At the latest
// iteration, the step must include a pending change. Ahead must count nothing and change nothing.
func TestAhead(t *testing.T) {
	var steps int
	_, want := history(t, DefaultLimit, 60, 1, &steps)
	line := New(DefaultLimit)
	line.SetEnd(60, 0)
	r := psmgd(t, 0, &steps)
	line.Reset([]*Run{r}, nil)
	for k := range 60 {
		switch k {
		case 0:
			line.Change(0, "eta", "0.05")
		case 37:
			line.Change(37, "R", "7")
		}
		for _, at := range []int{k, k / 2} {
			row, next, ok := line.Ahead(r, at)
			if !ok || !same(row, want[0][at]) {
				t.Fatalf("at %d ahead of %d: %+v, want %+v", k, at, row, want[0][at])
			}
			if !slices.Equal(next.X, want[0][at+1].X) || next.BP != want[0][at+1].BP || !slices.Equal(next.atPoint, want[0][at+1].atPoint) {
				t.Fatalf("ahead of %d: got %+v, want %+v", at, next, want[0][at+1])
			}
		}
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
		if !same(r.Kept(k), want[0][k]) {
			t.Fatalf("row %d after looking ahead: %+v, want %+v", k, r.Kept(k), want[0][k])
		}
	}
	// A finished run must still return its next step. A run that cannot continue must return none.
	if row, _, ok := line.Ahead(r, 99); !ok || row.K != 60 || row.Direction == nil {
		t.Errorf("ahead of the end: %+v", row)
	}
	for _, s := range []*script{{until: 2, status: algo.Diverged}, {until: 2, fault: errors.New("no")}} {
		bad := scripted("bad", s)
		line.Reset([]*Run{bad}, nil)
		for range 2 {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if row, _, ok := line.Ahead(bad, 2); ok || row.K != 2 {
			t.Errorf("ahead of a step that fails: %+v", row)
		}
	}
}

// TestEnd checks that budget and stationarity end runs, and that a higher budget continues them. A method's own outcome
// must end a run permanently.
func TestEnd(t *testing.T) {
	line := New(DefaultLimit)
	play := func() {
		t.Helper()
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	line.SetEnd(5, 0)
	a, b := scripted("a", &script{until: -1}), scripted("b", &script{until: 7, status: algo.NoSolution})
	line.Reset([]*Run{a, b}, nil)
	play()
	if line.Latest() != 5 || line.Status() != algo.Budget {
		t.Errorf("the budget of 5 ends at %d with %v", line.Latest(), line.Status())
	}
	line.SetEnd(30, 0.1) // ω = 1/(k+1)
	play()
	if a.Last() != 9 || a.Status() != algo.Stationary {
		t.Errorf("ω ≤ 0.1 stops at %d with %v", a.Last(), a.Status())
	}
	if b.Last() != 8 || b.Status() != algo.NoSolution {
		t.Errorf("the run without a solution ends at %d with %v", b.Last(), b.Status())
	}
	line.SetEnd(30, 0)
	play()
	if a.Last() != 30 || a.Status() != algo.Budget || b.Last() != 8 {
		t.Errorf("without the stop: %d with %v, and %d", a.Last(), a.Status(), b.Last())
	}
	if running, err := line.Step(); running || err != nil || line.Latest() != 30 {
		t.Errorf("a step after the end: running %v, error %v, latest %d", running, err, line.Latest())
	}
	// A run's budget may be smaller than the timeline's, but not larger.
	line.SetEnd(30, 0)
	short, long := scripted("short", &script{until: -1}), scripted("long", &script{until: -1})
	short.Budget, long.Budget = 12, 90
	line.Reset([]*Run{short, long}, nil)
	play()
	if short.Last() != 12 || short.Status() != algo.Budget || long.Last() != 30 {
		t.Errorf("budgets of 12 and 90 within 30 end at %d with %v, and at %d", short.Last(), short.Status(), long.Last())
	}
	// A stationary start must end the run immediately.
	line.SetEnd(30, 1)
	line.Reset([]*Run{scripted("c", &script{until: -1})}, nil)
	if line.Running() || line.Status() != algo.Stationary {
		t.Errorf("a stationary start: %v", line.Status())
	}
}

// TestMarker checks that the marker stays within the recorded iterations.
func TestMarker(t *testing.T) {
	line := New(DefaultLimit)
	if line.Latest() != 0 || line.SetMarker(3) != 0 || line.Running() || line.Status() != algo.Finished {
		t.Error("empty timeline: marker is not 0")
	}
	line.SetEnd(5, 0)
	line.Reset([]*Run{scripted("a", &script{until: -1})}, nil)
	for range 3 {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for k, want := range map[int]int{-1: 0, 0: 0, 2: 2, 3: 3, 4: 3, math.MaxInt: 3} {
		if got := line.SetMarker(k); got != want || line.Marker() != want {
			t.Errorf("SetMarker(%d) = %d, want %d", k, got, want)
		}
	}
	if line.Find("a").Run == nil || line.Find("b").Run != nil {
		t.Error("Find")
	}
}

// TestLog checks that the log holds one value per parameter and iteration, in the order of iterations. A change must
// replace later changes of its parameter.
func TestLog(t *testing.T) {
	line := New(DefaultLimit)
	line.SetEnd(50, 0)
	line.Reset([]*Run{scripted("a", &script{until: -1})}, []Change{{K: 40, Name: "eta", Text: "9"}, {K: 40, Name: "R", Text: "2"}})
	line.Change(0, "eta", "1")
	line.Change(0, "eta", "2")
	if _, err := line.Step(); err != nil {
		t.Fatal(err)
	}
	line.Change(0, "eta", "3") // changes in the past move to the latest iteration
	want := []Change{{0, "eta", "2"}, {1, "eta", "3"}, {40, "R", "2"}}
	if !slices.Equal(line.Log(), want) {
		t.Errorf("log %v, want %v", line.Log(), want)
	}
}

// TestFaults checks that an error of a stepper or of a change names the run and the iteration.
func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	line := New(DefaultLimit)
	line.SetEnd(50, 0)
	line.Reset([]*Run{scripted("a", &script{until: 2, fault: broken})}, nil)
	var err error
	for err == nil && line.Latest() < 10 {
		_, err = line.Step()
	}
	if !errors.Is(err, broken) || err.Error() != "a at iteration 2: broken" {
		t.Errorf("error %v", err)
	}
	r := scripted("b", &script{until: -1})
	r.Apply = func(c Change) error { return fmt.Errorf("%s: %w", c.Name, broken) }
	line.Reset([]*Run{r}, []Change{{K: 1, Name: "eta", Text: "x"}})
	for err = nil; err == nil && line.Latest() < 10; {
		_, err = line.Step()
	}
	if !errors.Is(err, broken) || err.Error() != "b at iteration 1: eta: broken" {
		t.Errorf("error %v", err)
	}
}

// TestExtras checks that extra numbers belong to the point or the step that lists them, and that the table includes their
// columns.
func TestExtras(t *testing.T) {
	steps := 0
	tl, rows := history(t, DefaultLimit, 20, 1, &steps)
	for i, row := range rows[0] {
		if want := math.Hypot(row.X[0], row.X[1]); row.atPoint[0] != want {
			t.Errorf("k = %d: length %v, want %v", row.K, row.atPoint[0], want)
		}
		if i == len(rows[0])-1 {
			if row.ofStep != nil {
				t.Errorf("the last row has %v of a step", row.ofStep)
			}
			break
		}
		next := rows[0][i+1]
		for c := range row.X {
			if d := row.X[c] - next.X[c] - row.ofStep[c]; math.Abs(d) > 1e-15 {
				t.Errorf("k = %d: the move %v is not from %v to %v", row.K, row.ofStep[:2], row.X, next.X)
			}
		}
	}
	tl.SetMarker(20)
	out := tl.Readout()
	last, before := rows[0][20], rows[0][19]
	want := []string{Number(last.atPoint[0]), Vector(before.ofStep[:2])}
	if got := out.Rows[0].Cells[7:]; !slices.Equal(got, want) {
		t.Errorf("further cells %q, want %q", got, want)
	}
	if got := out.Columns[7:]; len(got) != 2 || got[0] != (Column{"‖x‖", "length"}) || got[1] != (Column{"Δ", "move"}) {
		t.Errorf("further columns %v", got)
	}
}

// TestInner checks that Inner numbers are recorded but omitted from files.
func TestInner(t *testing.T) {
	var steps int
	r := psmgd(t, 0, &steps)
	r.AtPoint = append([]Extra{{Name: "hidden", Size: 2, Inner: true}}, r.AtPoint...)
	measure := r.MeasurePoint
	r.MeasurePoint = func(v algo.View, stationarity, further []float64) {
		further[0], further[1] = 7, 8
		measure(v, stationarity, further[2:])
	}
	line := New(DefaultLimit)
	line.SetEnd(1, 0)
	line.Reset([]*Run{r}, nil)
	row := r.Kept(0)
	var names []string
	row.Further(func(e Extra, _ []float64) { names = append(names, e.Name) })
	if !slices.Equal(names, []string{"length", "move", "update"}) || !slices.Equal(row.List("hidden"), []float64{7, 8}) {
		t.Errorf("files have %v, the row has %v", names, row.List("hidden"))
	}
	if want := math.Hypot(row.X[0], row.X[1]); row.Number("length") != want {
		t.Errorf("the length is %v, want %v", row.Number("length"), want)
	}
}

// TestReadoutNumbers checks that numbers are short, that negative numbers have a real minus sign, and that missing numbers
// appear as dashes.
func TestReadoutNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.23456: "1.235", -0.5: "−0.5", 1e-9: "1e−9", 12345: "12,345", 1e-17: "0",
		math.Inf(1): "∞"} {
		if got := Number(v); got != want {
			t.Errorf("Number(%g) = %q, want %q", v, got, want)
		}
	}
	if Number(math.NaN()) != "–" || Vector(nil) != "–" {
		t.Error("a missing number is not shown as a dash")
	}
	for _, c := range []struct {
		v    []float64
		want string
	}{
		{[]float64{}, "()"}, {[]float64{1, -2}, "(1, −2)"}, {[]float64{1, 2, 3, 4}, "(1, 2, 3, 4)"}, {[]float64{1, 2, 3, 4, 5},
			"(1, 2, 3, 4, …)"},
	} {
		if got := Vector(c.v); got != c.want {
			t.Errorf("Vector(%v) = %q, want %q", c.v, got, c.want)
		}
	}
}

// TestSign checks that a scene's symbol replaces only the symbol of its column.
func TestSign(t *testing.T) {
	line := New(DefaultLimit)
	line.Sign("stationarity", "√KKT")
	var signs []string
	for _, c := range line.Readout().Columns {
		signs = append(signs, c.Symbol)
	}
	if want := []string{"k", "x", "f", "λ", "√KKT", "BP", ""}; !slices.Equal(signs, want) {
		t.Errorf("columns %v, want %v", signs, want)
	}
}

// TestOmit checks that the table lacks omitted columns and their cells.
func TestOmit(t *testing.T) {
	line := New(DefaultLimit)
	line.SetEnd(5, 0)
	line.Omit("weights", "backpropagations")
	line.Reset([]*Run{scripted("a", &script{until: 5})}, nil)
	table := line.Readout()
	var labels []string
	for _, c := range table.Columns {
		labels = append(labels, c.Label)
	}
	if want := []string{"iteration", "variables", "objectives", "stationarity", "status"}; !slices.Equal(labels, want) {
		t.Errorf("columns %v, want %v", labels, want)
	}
	if cells := table.Rows[0].Cells; len(cells) != len(labels) || cells[0] != "0" || cells[4] != "running" {
		t.Errorf("cells %v", cells)
	}
}

// TestStationarityBesidesItsStart checks that stationarity is written as 0 if it is only a rounding error relative to its
// value at the start. This must hold even if no other run is in the table.
func TestStationarityBesidesItsStart(t *testing.T) {
	c := number(7.85e-17)
	c.beside = 0.5
	if got := c.write(max(c.size(), c.beside)); got != "0" {
		t.Errorf("beside 0.5: got %s", got)
	}
	run := scripted("a", &script{until: 5})
	run.MeasurePoint = func(v algo.View, each, _ []float64) { each[0] = []float64{0.5, 0.1, 0.01, 1e-3, 1e-7, 7.85e-17}[v.K] }
	line := New(DefaultLimit)
	line.SetEnd(5, 0)
	line.Reset([]*Run{run}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	out := line.Readout()
	at := slices.IndexFunc(out.Columns, func(c Column) bool { return c.Label == stationarity })
	if row := out.Rows[0]; row.Cells[at] != "0" || row.Exact[at] == "" || row.Exact[at] == "0" {
		t.Errorf("got cell %q, in full %q", row.Cells[at], row.Exact[at])
	}
	r := line.Tracks()[0]
	if got := r.Left(r.Kept(r.Len() - 1)); got != "0" {
		t.Errorf("rounding: got %s", got)
	}
	if got := r.Left(r.Kept(1)); got == "0" {
		t.Error("stationarity after a step: got rounding only")
	}
}

// TestUnknownStationarity checks that the table has a stationarity column at every marker position if at least one run
// records stationarity.
func TestUnknownStationarity(t *testing.T) {
	unknown := func(name string) *Run {
		r := scripted(name, &script{until: 5})
		r.MeasurePoint = nil
		return r
	}
	line := New(DefaultLimit)
	line.SetEnd(5, 0)
	for _, c := range []struct {
		runs []*Run
		want []string
	}{
		{[]*Run{unknown("a"), unknown("b")}, []string{"k", "x", "f", "λ", "BP", ""}},
		{[]*Run{unknown("a"), scripted("b", &script{until: 5})}, []string{"k", "x", "f", "λ", "ω", "BP", ""}},
	} {
		line.Reset(c.runs, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range []int{0, 3, line.Latest()} {
			line.SetMarker(k)
			out := line.Readout()
			var signs []string
			for _, column := range out.Columns {
				signs = append(signs, column.Symbol)
			}
			if !slices.Equal(signs, c.want) {
				t.Errorf("columns %q at %d, want %q", signs, k, c.want)
			}
			for _, row := range out.Rows {
				n := len(row.Cells)
				if n != len(c.want) || row.Cells[0] != strconv.Itoa(k) || row.Cells[n-2] != "0" && k == 0 ||
					row.Cells[n-1] != line.Runs()[0].Status().String() {
					t.Errorf("cells %q at %d", row.Cells, k)
				}
			}
		}
	}
}

// TestThinningMeetsEveryPhase checks that a thinned run keeps rows of every phase if the run repeats every two, four
// or eight iterations.
func TestThinningMeetsEveryPhase(t *testing.T) {
	for _, period := range []int{2, 4, 8} {
		line := New(20_000)
		line.SetEnd(20_000, 0)
		r := scripted("a", &script{until: -1})
		line.Reset([]*Run{r}, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if r.Len() > 1000 {
			t.Fatalf("got %d rows", r.Len())
		}
		met := make([]int, period)
		for i := range r.Len() {
			met[r.Kept(i).K%period]++
		}
		if least := slices.Min(met); least < r.Len()/period-1 {
			t.Errorf("of %d rows those of a phase of %d are %v", r.Len(), period, met)
		}
	}
}

// TestBesides checks that a rounding error relative to other numbers is written as 0, with its full value in Exact.
// Numbers that are merely small must stay.
func TestBesides(t *testing.T) {
	for _, test := range []struct {
		v    []float64
		want string
	}{
		{[]float64{7.85e-17, 0.25}, "(0, 0.25)"},
		{[]float64{-7.85e-14, 2e-14}, "(−7.85e−14, 2e−14)"},
		{[]float64{1e-9, 1}, "(1e−9, 1)"},
		{[]float64{math.Inf(1), 1, 1e-20}, "(∞, 1, 0)"},
		{[]float64{math.NaN(), 0}, "(–, 0)"},
		{nil, "–"},
	} {
		if got := Vector(test.v); got != test.want {
			t.Errorf("%v: got %s, want %s", test.v, got, test.want)
		}
	}
	tiny, large := list([]float64{3e-15}), number(3e-15)
	if tiny.write(1) != "(0)" || large.write(1) != "0" || large.write(0) == "0" {
		t.Errorf("%s, %s, %s", tiny.write(1), large.write(1), large.write(0))
	}
}
