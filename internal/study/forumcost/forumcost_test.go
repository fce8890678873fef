package forumcost

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/bilevel"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
)

// costLines lists all lines that can be measured.
func costLines() []Line {
	return []Line{
		{Method: forum}, {Method: moml, Mode: bilevel.Reverse}, {Method: moml, Mode: bilevel.Forward},
		{Method: moco, Mode: bilevel.Reverse}, {Method: moco, Mode: bilevel.Forward},
	}
}

// smallCost returns a configuration that runs in almost no time.
func smallCost() Config {
	return Config{Lines: costLines(), N: 3, M: 2, T: 4, P: 5, LargestT: 16, LargestP: 20,
		Repeats: 3, Batch: 200 * time.Microsecond, Seed: 1, Clock: func() time.Duration { return 0 }}
}

// stepClock simulates a clock that advances by a given price with every step, and by a nanosecond with every reading.
func stepClock(s *Figure, price func(c *Cell) time.Duration) {
	var looks time.Duration
	s.config.Clock = func() time.Duration {
		looks++
		t := looks
		for c := range s.Each {
			if c.rig != nil {
				t += time.Duration(c.rig.taken) * price(c)
			}
		}
		return t
	}
}

// perWork simulates a machine that takes a nanosecond per multiplication.
func perWork(c *Cell) time.Duration { return time.Duration(c.work(c.size)) }

func newCost(t testing.TB, c Config, price func(c *Cell) time.Duration) *Figure {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	stepClock(s, price)
	return s
}

// batches returns the number of finished batches in all cells.
func batches(s *Figure) int {
	done, _ := s.Parts()
	return done
}

func measured(t testing.TB, c Config, price func(c *Cell) time.Duration) *Figure {
	t.Helper()
	s := newCost(t, c, price)
	if err := experiment.Run(s.Grid, experiment.Options{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCostCounts compares the steppers' counts with the formulas of the lines, for every method at several sizes.
func TestCostCounts(t *testing.T) {
	for _, size := range []struct{ n, m int }{{1, 1}, {3, 2}, {9, 5}} {
		config := smallCost()
		config.N, config.M, config.LargestP = size.n, size.m, 16
		s := measured(t, config, perWork)
		if len(s.Cells()) != 10*len(costLines()) {
			t.Fatalf("%d cells", len(s.Cells()))
		}
		for c := range s.Each {
			t.Run(fmt.Sprintf("%s, n = %d, m = %d, T = %d, p = %d", c.Label(), size.n, size.m, c.T, c.P), func(t *testing.T) {
				got := []float64{float64(c.Gradients), float64(c.Products), float64(c.Floats)}
				want := []float64{c.gradients(c.size), c.products(c.size), c.floats(c.size)}
				if !c.Counted || !slices.Equal(got, want) {
					t.Errorf("gradients, products and floats %v, want %v", got, want)
				}
			})
		}
	}
}

// TestCostFormulas compares the formulas with numbers worked out by hand, for n = 3, m = 2, T = 4, p = 5.
func TestCostFormulas(t *testing.T) {
	at := size{n: 3, m: 2, t: 4, p: 5}
	for i, want := range [][4]float64{
		// FORUM takes 5 lower gradients and 2 values with 40 multiplications each, and 2·8 for the upper gradients.
		{7, 0, 64, 7*40 + 16},
		{6, 8, 59, 12*40 + 16},
		{6, 12, 54, 16*40 + 16},
		{6, 8, 65, 12*40 + 16},
		{6, 12, 60, 16*40 + 16},
	} {
		l := costLines()[i]
		t.Run(l.Label(), func(t *testing.T) {
			if got := [4]float64{l.gradients(at), l.products(at), l.floats(at), l.work(at)}; got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	if got := paperOrder(at); got != 6+40 {
		t.Errorf("the paper's order is %g", got)
	}
}

// TestCostFactor checks measurements on a simulated machine that takes a nanosecond per multiplication. Apart from clock
// readings, every batch measures the work, and one factor fits all points.
func TestCostFactor(t *testing.T) {
	s := measured(t, smallCost(), func(c *Cell) time.Duration { return 3 * perWork(c) })
	for c := range s.Each {
		want := 3e-9 * c.work(c.size)
		looking := 1e-9 + 1e-3*want
		if len(c.Times) != 3 || math.Abs(c.Time-want) > looking || math.Abs(c.High-c.Low) > looking {
			t.Errorf("%s, T = %d, p = %d: %v, median %g with quartiles %g and %g, want %g",
				c.Label(), c.T, c.P, c.Times, c.Time, c.Low, c.High, want)
		}
	}
	factors := s.Factors()
	if len(factors) != 2*len(costLines()) {
		t.Errorf("%d factors", len(factors))
	}
	for _, f := range factors {
		if math.Abs(f.Factor-3e-9) > 0.01*3e-9 {
			t.Errorf("%+v", f)
		}
	}
	if !s.Finished() || s.Progress() != 1 {
		t.Errorf("progress %g", s.Progress())
	}
}

// TestCostMedian checks that if batches take different times, the results are the median and the quartiles, not the
// mean.
func TestCostMedian(t *testing.T) {
	for _, c := range []struct {
		times           []float64
		low, mid, upper float64
	}{
		{[]float64{5}, 5, 5, 5},
		{[]float64{3, 1}, 1.5, 2, 2.5},
		{[]float64{2, 900, 1, 4, 3}, 2, 3, 4},
		{[]float64{8, 2, 6, 4}, 3.5, 5, 6.5},
	} {
		var cell Cell
		for _, v := range c.times {
			cell.add(v)
		}
		if cell.Low != c.low || cell.Time != c.mid || cell.High != c.upper {
			t.Errorf("%v: %g, %g, %g", c.times, cell.Low, cell.Time, cell.High)
		}
	}
	for seconds, want := range map[float64]string{
		1.2345e-6: "1.23 µs", 85.21e-6: "85.2 µs", 999.9e-6: "1000 µs", 1.5e-3: "1.50 ms", 0.138: "138 ms", 2: "2.00 s",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%g is written as %s, want %s", seconds, got, want)
		}
	}
}

// TestCostOrder checks that batches alternate between cells, backwards in every second round, so that no cell is two
// batches ahead of another.
func TestCostOrder(t *testing.T) {
	s := newCost(t, smallCost(), perWork)
	var order []int
	before := make([]int, len(s.Cells()))
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 4, Partial: func(experiment.Outcome) error {
		least, most := math.MaxInt, 0
		for i, c := range s.Cells() {
			have := len(c.Times)
			if have > before[i] {
				order = append(order, i)
			}
			before[i], least, most = have, min(least, have), max(most, have)
		}
		if most > least+1 {
			t.Fatalf("a cell has %d batches, another %d", most, least)
		}
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	n := len(s.Cells())
	if len(order) != 3*n {
		t.Fatalf("%d batches", len(order))
	}
	for i, got := range order {
		want := i % n
		if i/n == 1 {
			want = n - 1 - want
		}
		if got != want {
			t.Fatalf("batch %d is of cell %d, want %d", i, got, want)
		}
	}
	// The cells of all methods at a size are next to each other.
	for i := 0; i < n; i += len(costLines()) {
		for j, l := range costLines() {
			if c := s.Cells()[i+j]; c.Line != l || c.T != s.Cells()[i].T || c.P != s.Cells()[i].P {
				t.Errorf("cell %d is %s at T = %d, p = %d", i+j, c.Label(), c.T, c.P)
			}
		}
	}
}

// TestCostInPieces checks that counts do not depend on how the work is divided. Times do not depend on it either, on a
// machine of constant speed. A piece ends soon after its time limit.
func TestCostInPieces(t *testing.T) {
	want := measured(t, smallCost(), perWork)
	for _, slice := range []time.Duration{10 * time.Microsecond, 300 * time.Microsecond, time.Second} {
		s := newCost(t, smallCost(), perWork)
		last := 0.0
		for pending := true; pending; {
			until := s.config.Clock() + slice
			var err error
			if pending, err = s.Work(func() bool { return s.config.Clock() < until }); err != nil {
				t.Fatal(err)
			}
			// Only a few steps follow after the time limit: groups of steps, which take an eighth of a batch each, and
			// single steps.
			if over := s.config.Clock() - until; over > smallCost().Batch/4+20*time.Microsecond {
				t.Fatalf("a piece of %v takes %v more", slice, over)
			}
			if s.Progress() < last {
				t.Fatalf("progress goes from %g to %g", last, s.Progress())
			}
			last = s.Progress()
		}
		for i := range s.Cells() {
			got, c := &s.Cells()[i], &want.Cells()[i]
			if got.Gradients != c.Gradients || got.Products != c.Products || got.Floats != c.Floats || math.Abs(got.Time-c.Time) > 1e-9+1e-3*c.Time {
				t.Errorf("slices of %v: %+v, want %+v", slice, got, c)
			}
		}
	}
	s := newCost(t, smallCost(), perWork)
	pending, err := s.Work(func() bool { return false })
	counted := slices.ContainsFunc(s.Cells(), func(c Cell) bool { return c.Counted })
	if !pending || err != nil || counted {
		t.Errorf("without time: pending %v, counted %v, error %v", pending, counted, err)
	}
}

// TestCoarseClock checks that ticks of a millisecond neither distort the times nor stop the measurement.
func TestCoarseClock(t *testing.T) {
	config := smallCost()
	config.Batch = 2 * time.Millisecond
	s := newCost(t, config, perWork)
	exact, looks := s.config.Clock, time.Duration(0)
	s.config.Clock = func() time.Duration {
		looks++
		return (exact() + looks*200*time.Nanosecond).Truncate(time.Millisecond)
	}
	if err := experiment.Run(s.Grid, experiment.Options{}); err != nil {
		t.Fatal(err)
	}
	for c := range s.Each {
		if want := 1e-9 * c.work(c.size); math.Abs(c.Time-want) > 0.25*want {
			t.Errorf("%s, T = %d, p = %d: %g, want about %g", c.Label(), c.T, c.P, c.Time, want)
		}
	}
}

// TestCostTooLarge checks that cells with too much work are neither counted nor measured, and that the others are
// finished.
func TestCostTooLarge(t *testing.T) {
	config := smallCost()
	config.MostWork = 1000
	s := measured(t, config, perWork)
	left := 0
	for c := range s.Each {
		if large := c.work(c.size) > 1000; large != c.TooLarge || c.Counted == large || (len(c.Times) == 0) != large {
			t.Errorf("%s, T = %d, p = %d with work %g: %+v", c.Label(), c.T, c.P, c.work(c.size), c)
		}
		if c.TooLarge {
			left++
		}
	}
	if left == 0 || left == len(s.Cells()) || !s.Finished() {
		t.Errorf("%d of %d cells are left out, finished %v", left, len(s.Cells()), s.Finished())
	}
	config.MostWork = 1
	if s := measured(t, config, perWork); s.Progress() != 1 || !s.Finished() {
		t.Errorf("with nothing to measure: progress %g", s.Progress())
	}
}

// TestCostFiles checks that every cell has a line in the CSV file and an entry in the JSON file, both with the same
// numbers as in the text table. The SVG file must be a picture.
func TestCostFiles(t *testing.T) {
	s := measured(t, smallCost(), perWork)
	var c, j, v, text bytes.Buffer
	if err := errors.Join(s.WriteCSV(&c), s.WriteJSON(&j), s.Picture(0).WriteSVG(&v), s.WriteText(&text)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&c).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Experiment string
		N, M       int
		Cells      []struct {
			Method                 string
			Mode                   *string
			T, P                   int
			Time                   float64
			Gradients, HVP, Floats int
		}
	}
	if err := json.Unmarshal(j.Bytes(), &decoded); err != nil {
		t.Fatal(err)
	}
	cells := len(s.Cells())
	if decoded.Experiment != "forum-cost" || decoded.N != 3 || decoded.M != 2 || len(decoded.Cells) != cells || len(lines) != 1+cells {
		t.Fatalf("%d lines, JSON %+v", len(lines), decoded)
	}
	for i, d := range decoded.Cells {
		mode := ""
		if d.Mode != nil {
			mode = *d.Mode
		}
		want := []string{d.Method, mode, "3", fmt.Sprint(d.P), "2", fmt.Sprint(d.T),
			fmt.Sprint(d.Gradients), fmt.Sprint(d.HVP), fmt.Sprint(d.Floats), experiment.Number(d.Time)}
		if got := lines[i+1][:10]; !slices.Equal(got, want) {
			t.Errorf("CSV %v, JSON %v", got, want)
		}
		if !strings.Contains(text.String(), duration(d.Time)) {
			t.Errorf("the table lacks %s", duration(d.Time))
		}
	}
	if rows := strings.Count(text.String(), "\n"); rows != 3+len(s.Cells()) || !strings.Contains(text.String(), "MOML forward") {
		t.Errorf("a table of %d lines: %s", rows, text.String())
	}
	if text := v.String(); !strings.HasPrefix(text, "<?xml") || !strings.Contains(text, "steps of the loop (T), 5 lower variables") {
		t.Errorf("SVG starts with %.80q", text)
	}
}

// TestCostResume checks that batches in an earlier file are not repeated. A file of another figure gives an error that
// names the line.
func TestCostResume(t *testing.T) {
	full := measured(t, smallCost(), perWork)
	half := newCost(t, smallCost(), perWork)
	left := 70
	var file bytes.Buffer
	err := experiment.Run(half.Grid, experiment.Options{Partial: func(o experiment.Outcome) error {
		file.Reset()
		if left--; left == 0 {
			return errors.Join(o.WriteCSV(&file), errors.New("interrupted"))
		}
		return o.WriteCSV(&file)
	}})
	if err == nil || batches(half) != 70 {
		t.Fatalf("%d batches, error %v", batches(half), err)
	}
	s := newCost(t, smallCost(), func(c *Cell) time.Duration { return 5 * perWork(c) }) // now the machine is slower
	if err := experiment.Resume(s.Grid, bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	if batches(s) != 70 || s.Progress() != half.Progress() {
		t.Fatalf("%d batches are taken over", batches(s))
	}
	if err := experiment.Run(s.Grid, experiment.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range s.Cells() {
		c, old := &s.Cells()[i], len(half.Cells()[i].Times)
		if len(c.Times) != 3 || !slices.Equal(c.Times[:old], half.Cells()[i].Times) {
			t.Errorf("cell %d has %v, of which %v were taken over", i, c.Times, half.Cells()[i].Times)
		}
		for _, v := range c.Times[old:] {
			if want := 5e-9 * c.work(c.size); math.Abs(v-want) > 2e-9+1e-3*want {
				t.Errorf("cell %d has %v", i, c.Times)
			}
		}
		if w := &full.Cells()[i]; c.Gradients != w.Gradients || c.Products != w.Products || c.Floats != w.Floats {
			t.Errorf("cell %d counts %+v, want %+v", i, c, w)
		}
	}
	// If the file is complete, nothing is left to do.
	file.Reset()
	if err := full.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	again := newCost(t, smallCost(), perWork)
	if err := experiment.Resume(again.Grid, bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	pending, err := again.Work(func() bool { t.Error("a finished figure is measured on"); return true })
	if !again.Finished() || pending || err != nil {
		t.Errorf("a finished figure: pending %v, error %v", pending, err)
	}
	var second bytes.Buffer
	if err := again.WriteCSV(&second); err != nil || second.String() != file.String() {
		t.Errorf("a finished file is written as another one: %v", err)
	}

	lines := strings.SplitAfter(file.String(), "\n")
	line := func(change func(fields []string)) string {
		fields := strings.Split(strings.TrimSpace(lines[1]), ",")
		change(fields)
		return lines[0] + strings.Join(fields, ",") + "\n"
	}
	for _, c := range []struct{ text, where string }{
		{"", "line 1"}, {"method,T\n", "line 1"}, {"\"", "line 1"}, {lines[0] + "forum,1\n", "line 2"},
		{line(func(f []string) { f[0] = "bome" }), "line 2: not a cell"},
		{line(func(f []string) { f[2] = "4" }), "line 2: not a cell"},
		{line(func(f []string) { f[5] = "3" }), "line 2: not a cell"},
		{line(func(f []string) { f[7] = "1" }), "line 2: not a cell"},
		{line(func(f []string) { f[12] = "1 1 1 1" }), "4 batches"},
		{line(func(f []string) { f[12] = "1 x" }), `"x" is not a time`},
		{line(func(f []string) { f[12] = "1 -1" }), `"-1" is not a time`},
		{line(func(f []string) { f[12] = "NaN" }), "is not a time"},
		{line(func(f []string) { f[12] = "+Inf" }), "is not a time"},
		{lines[0] + lines[1] + lines[1], "line 3: the same cell as line 2"},
	} {
		s := newCost(t, smallCost(), perWork)
		if err := experiment.Resume(s.Grid, strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.where) {
			t.Errorf("%q: error %v, want one with %s", c.text, err, c.where)
		}
	}
}

// TestRunForumCost checks that the experiment rejects data, and that repetitions add batches.
func TestRunForumCost(t *testing.T) {
	_, err := Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Data: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("a file that is not read: %v", err)
	}
	_, err = Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Resume: strings.NewReader("x\n")})
	if err == nil || !strings.Contains(err.Error(), "-resume: line 1") {
		t.Errorf("a file of something else: %v", err)
	}
	last, calls := 0.0, 0
	outcome, err := Experiment.Run(experiment.Options{Seeds: 2, Quick: true, Jobs: 7, Progress: func(p experiment.Progress) {
		done := p.Done
		if done <= last || done > 1 {
			t.Errorf("progress goes from %g to %g", last, done)
		}
		last = done
		calls++
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := outcome.(*Figure)
	if last != 1 || calls != batches(s) || len(s.Cells()[0].Times) != 7 {
		t.Errorf("%d calls up to %g, %d batches of a cell", calls, last, len(s.Cells()[0].Times))
	}
	for c := range s.Each {
		if !(c.Time > 0) || !(c.Low <= c.Time) || !(c.Time <= c.High) {
			t.Errorf("%s takes %g, from %g to %g", c.Label(), c.Time, c.Low, c.High)
		}
	}
}

// TestBadForumCost checks that an invalid value gives an error that names the setting.
func TestBadForumCost(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"n = 0":           func(c *Config) { c.N = 0 },
		"m = -1":          func(c *Config) { c.M = -1 },
		"T = 0":           func(c *Config) { c.T = 0 },
		"p = 0":           func(c *Config) { c.P = 0 },
		"largest T = 0":   func(c *Config) { c.LargestT = 0 },
		"largest p = 0":   func(c *Config) { c.LargestP = 0 },
		"repetitions = 0": func(c *Config) { c.Repeats = 0 },
		"batch = 0s":      func(c *Config) { c.Batch = 0 },
		"most work = NaN": func(c *Config) { c.MostWork = math.NaN() },
		"clock":           func(c *Config) { c.Clock = nil },
		"lines":           func(c *Config) { c.Lines = nil },
		`method "bome"`:   func(c *Config) { c.Lines = []Line{{Method: "bome"}} },
		`mode "back"`:     func(c *Config) { c.Lines = []Line{{Method: moml, Mode: "back"}} },
	} {
		c := smallCost()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestCostDrawing draws the panels in every display, first without measurements, then with some, and then with all. It
// also queries points under the pointer.
func TestCostDrawing(t *testing.T) {
	config := smallCost()
	config.MostWork = 5000
	s := newCost(t, config, perWork)
	check := func(state string, points bool) {
		for _, display := range []Display{{}, {Linear: true}, {Count: Gradients}, {Linear: true, Count: Gradients}, {Count: Both, Price: 3},
			{Linear: true, Price: 2.5}} {
			s.Display(display)
			for _, p := range s.Panels() {
				for _, size := range []vg.Point{{X: 360, Y: 330}, {X: 300, Y: 200}, {X: 40, Y: 30}} {
					for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
						f := brush.Frame{Width: size.X, Height: size.Y, Theme: theme}
						var r recorder.Canvas
						c := draw.NewCanvas(&r, size.X, size.Y)
						for _, l := range p.Layers(f) {
							l.Draw(c)
						}
						if len(r.Actions) == 0 || p.Describe() == "" {
							t.Errorf("%s, %s: nothing is drawn or said", state, p.ID())
						}
					}
				}
				found := 0
				f := brush.Frame{Width: 360, Height: 330, Theme: brush.Light}
				for x := vg.Length(0); x < 360; x += 6 {
					for y := vg.Length(0); y < 330; y += 6 {
						if pick, ok := p.Pick(f, vg.Point{X: x, Y: y}); ok {
							found++
							if len(pick.Lines) < 4 || pick.Handle != "" {
								t.Fatalf("%s, %s: %+v", state, p.ID(), pick)
							}
						}
					}
				}
				if (found > 0) != points {
					t.Errorf("%s, %s, %+v: %d places with a point", state, p.ID(), display, found)
				}
			}
		}
	}
	check("empty", false)
	keys := func() (out []string) {
		for _, p := range s.Panels() {
			for _, l := range p.Layers(brush.Frame{Width: 360, Height: 330, Theme: brush.Light}) {
				out = append(out, l.Key)
			}
		}
		return out
	}
	before := keys()
	if _, err := s.Work(func() bool { return batches(s) < 40 }); err != nil || batches(s) == 0 || s.Finished() {
		t.Fatalf("%d batches, error %v", batches(s), err)
	}
	for i, k := range keys() {
		if i%2 == 1 && k == before[i] {
			t.Errorf("a part is measured and picture %d is the same", i/2)
		}
	}
	if text := s.Panels()[0].Describe(); !strings.Contains(text, "% of the batches are measured") || !strings.Contains(text, "FORUM") {
		t.Errorf("a part is described as %q", text)
	}
	check("partial", true)
	if _, err := s.Work(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	check("finished", true)
	if text := s.Panels()[0].Describe(); strings.Contains(text, "batches are measured") || strings.Contains(text, "left out") {
		t.Errorf("the end is described as %q", text)
	}
	if text := s.Panels()[3].Describe(); !strings.Contains(text, "4 points are left out") {
		t.Errorf("points that are left out are described as %q", text)
	}
	// A single method without products still has an axis.
	alone := smallCost()
	alone.Lines = alone.Lines[:1]
	s = measured(t, alone, perWork)
	check("FORUM alone", true)
}

// TestPrice checks that files, table, picture and texts count a product as the given number of gradients, or as one by
// default. The price does not change counts or times.
func TestPrice(t *testing.T) {
	plain := measured(t, smallCost(), perWork)
	for _, price := range []float64{0, 1, 2.5, 4} {
		config := smallCost()
		config.Price = price
		s := measured(t, config, perWork)
		if want := (Display{Count: Both, Price: price}); price != 0 && s.show != want {
			t.Errorf("price %g is shown as %+v", price, s.show)
		}
		var file, text, record bytes.Buffer
		if err := errors.Join(s.WriteCSV(&file), s.WriteText(&text), s.WriteJSON(&record)); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&file).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		each := cmp.Or(price, 1)
		for i := range s.Cells() {
			c, before := &s.Cells()[i], &plain.Cells()[i]
			if c.Counts != before.Counts || c.Time != before.Time {
				t.Errorf("price %g: %+v, without %+v", price, c.Counts, before.Counts)
			}
			want := float64(c.Gradients) + each*float64(c.Products)
			line := lines[i+1]
			if line[len(line)-2] != data.Real(each) || line[len(line)-1] != data.Real(want) || s.Row(c)[5] != experiment.Number(want) {
				t.Errorf("price %g: %v, want %g", price, line, want)
			}
		}
		if !strings.Contains(text.String(), fmt.Sprintf("counts as %g gradients", each)) ||
			!strings.Contains(record.String(), fmt.Sprintf(`"hvpprice":%g`, each)) {
			t.Errorf("price %g: %s", price, text.String())
		}
		words := s.Panels()[1].Describe()
		if priced := strings.Contains(words, fmt.Sprintf("A product counts as %g gradients", each)); priced != (each != 1) {
			t.Errorf("price %g: %s", price, words)
		}
	}
	// With n = 3, m = 2 and T = 4, FORUM takes T + m + 1 = 7, and MOML in reverse mode takes T + m + c·mT = 6 + 8c.
	show := Display{Count: Both, Price: 3}
	at := size{n: 3, m: 2, t: 4, p: 5}
	for method, want := range map[string]float64{forum: 7, moml: 30} {
		l := Line{Method: method, Mode: bilevel.Reverse}
		if got := show.of(l.gradients(at), l.products(at)); got != want {
			t.Errorf("%s counts %g, want %g", method, got, want)
		}
	}
	for _, price := range []float64{0.5, 4.5, -1, math.NaN()} {
		config := smallCost()
		config.Price = price
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), "hvpprice") {
			t.Errorf("price %g: error %v", price, err)
		}
	}
}

// BenchmarkForumCostWork measures the time and the allocations of a 100 µs slice of work.
func BenchmarkForumCostWork(b *testing.B) {
	config := smallCost()
	config.Repeats, config.Clock = math.MaxInt/100, runs.Stopwatch()
	s, err := New(config)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		until := s.config.Clock() + 100*time.Microsecond
		if _, err := s.Work(func() bool { return s.config.Clock() < until }); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPictureGrows checks that half-way through the measurement, the pictures contain some of their final points.
func TestPictureGrows(t *testing.T) {
	s := newCost(t, smallCost(), perWork)
	marks := func() (n int) {
		var r recorder.Canvas
		f := brush.Frame{Width: 640, Height: 400, Theme: brush.Light}
		for _, l := range s.Panels()[1].Layers(f) {
			l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
		}
		for _, a := range r.Actions {
			if _, is := a.(*recorder.Fill); is {
				n++
			}
		}
		return n
	}
	begun := marks()
	if _, err := s.Work(func() bool { return s.Progress() < 0.5 }); err != nil {
		t.Fatal(err)
	}
	half := marks()
	if _, err := s.Work(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	if end := marks(); !(begun < half && half < end) {
		t.Errorf("%d marks at the beginning, %d half-way, %d at the end", begun, half, end)
	}
}

// TestUnfold checks that a picture that is still unfolding has the axes of the whole picture, but only the points up to
// the drawn share of the horizontal axis. The lines' names are at the end of that share. The axis of times stays fixed
// after every cell has been measured once.
func TestUnfold(t *testing.T) {
	s := newCost(t, smallCost(), perWork)
	share := 0.0
	s.Unfold(func() float64 { return share })
	s.Display(Display{Linear: true})
	f := brush.Frame{Width: 640, Height: 400, Theme: brush.Light}
	picture := func(panel int) (marks int, name vg.Length) {
		var r recorder.Canvas
		for _, l := range s.Panels()[panel].Layers(f) {
			l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
		}
		for _, a := range r.Actions {
			switch a := a.(type) {
			case *recorder.Fill:
				marks++
			case *recorder.FillString:
				if a.String == "FORUM" {
					name = a.Point.X
				}
			}
		}
		return marks, name
	}
	ranges := func() (x, y axes.Axis) { return s.Panels()[0].(*axes.Plane).Ranges() }
	for !s.begun() {
		if _, err := s.Work(func() bool { return !s.begun() }); err != nil {
			t.Fatal(err)
		}
	}
	_, held := ranges()
	if _, err := s.Work(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	if _, end := ranges(); !end.Same(held) {
		t.Errorf("times ended at %v, and end at %v", held.Max, end.Max)
	}
	last, before := -1, vg.Length(0)
	for _, share = range []float64{0, 0.1, 0.3, 0.6, 1} {
		now, name := picture(1)
		if now < last || share == 1 && now <= last || name <= before {
			t.Errorf("at a share of %v there are %d marks, before %d, and a name at %v, before at %v", share, now, last, name, before)
		}
		last, before = now, name
	}
}
