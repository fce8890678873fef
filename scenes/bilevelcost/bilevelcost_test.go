package bilevelcost

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/study/forumcost"
)

// with returns the scene with the given values. Every reading of the scene's clock advances the clock by half a batch,
// so that batches have two steps.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := New()
	var now time.Duration
	s.clock = func() time.Duration { now += batch / 2; return now }
	return scenetest.Open(t, s, values)
}

// finished returns the scene with the given values after all its work is done.
func finished(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := with(t, values)
	pending, err := s.Work(func() bool { return true })
	if pending || err != nil {
		t.Fatalf("pending %v, error %v", pending, err)
	}
	return s
}

// cell returns the cell of the line with the given label at the given size.
func cell(t testing.TB, s *Scene, label string, steps, p int) *forumcost.Cell {
	t.Helper()
	cells := s.cost.Cells()
	i := slices.IndexFunc(cells, func(c forumcost.Cell) bool { return c.Label() == label && c.T == steps && c.P == p })
	if i < 0 {
		t.Fatalf("%s has no cell at T = %d, p = %d", label, steps, p)
	}
	return &cells[i]
}

func labels(s *Scene) (out []string) {
	for _, c := range s.cost.Cells() {
		if l := c.Label(); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// TestLines checks that each selected method has a line in its mode, and that forward mode has a separate line if both
// modes are selected.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		methods, mode string
		want          []string
	}{
		{"forum,moml,moco", "both", []string{"FORUM", "MOML", "MOML forward", "MoCo"}},
		{"forum,moml,moco", "reverse", []string{"FORUM", "MOML", "MoCo"}},
		{"forum,moml,moco", "forward", []string{"FORUM", "MOML forward", "MoCo forward"}},
		{"moco", "both", []string{"MoCo"}},
		{"forum", "forward", []string{"FORUM"}},
	} {
		if got := labels(with(t, map[string]string{"method": c.methods, "mode": c.mode})); !slices.Equal(got, c.want) {
			t.Errorf("%s in mode %s: %v", c.methods, c.mode, got)
		}
	}
}

// TestDefault checks that every line is measured at every size, that the two sweeps share a cell, and that table,
// results and file agree.
func TestDefault(t *testing.T) {
	s := finished(t, nil)
	cells := s.cost.Cells()
	if len(cells) != 4*9 {
		t.Fatalf("%d cells", len(cells))
	}
	for i := range cells {
		t.Run(fmt.Sprintf("%s, T = %d, p = %d", cells[i].Label(), cells[i].T, cells[i].P), func(t *testing.T) {
			if c := &cells[i]; c.TooLarge || !c.Counted || len(c.Times) != s.values.Repetitions || c.Time != (batch/2).Seconds() {
				t.Errorf("%s at T = %d, p = %d: %+v", c.Label(), c.T, c.P, c)
			}
		})
	}
	table := s.Readout()
	if len(table.Rows) != len(cells) {
		t.Errorf("%d rows", len(table.Rows))
	}
	for i, row := range table.Rows {
		c := &cells[i]
		if len(row.Cells) != len(table.Columns) || row.Method != c.Method || row.Cells[1] != fmt.Sprint(c.T) ||
			row.Cells[5] != fmt.Sprint(c.Products) || !strings.HasPrefix(row.Cells[3], "250 µs (") {
			t.Errorf("row %+v of %+v", row, c)
		}
	}
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var results struct {
		Pending bool
		Done    float64
		Cells   []struct {
			Method             string
			Mode               *string
			T, P, Batches, HVP int
			Time               *float64
		}
		Factors []struct {
			Over                     string
			SecondsPerMultiplication float64
		}
	}
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	if results.Pending || results.Done != 1 || len(results.Cells) != len(cells) || len(results.Factors) != 8 {
		t.Errorf("results %.300s", data)
	}
	for i, got := range results.Cells {
		c := &cells[i]
		if got.Method != c.Method || (got.Mode == nil) != (c.Method == "forum") || got.T != c.T || got.P != c.P || got.HVP != c.Products ||
			got.Time == nil || *got.Time != c.Time || got.Batches != 25 {
			t.Errorf("results have %+v of %+v", got, c)
		}
	}
	var file bytes.Buffer
	if err := s.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	if lines, err := csv.NewReader(&file).ReadAll(); err != nil || len(lines) != 1+len(cells) {
		t.Errorf("%d lines, error %v", len(lines), err)
	}
}

// TestPending checks the state before anything is measured: the results and the table exist, the file is empty, and all
// times are unknown.
func TestPending(t *testing.T) {
	s := with(t, nil)
	if pending, err := s.Work(func() bool { return false }); !pending || err != nil {
		t.Fatalf("pending %v, error %v", pending, err)
	}
	data, err := json.Marshal(s.Results())
	if err != nil || !strings.Contains(string(data), `"pending":true,"done":0,`) || !strings.Contains(string(data), `"time":null`) ||
		strings.Contains(string(data), "NaN") {
		t.Errorf("results %.300s, error %v", data, err)
	}
	if row := s.Readout().Rows[0].Cells; !slices.Equal(row[3:], []string{"–", "–", "–", "–", "–"}) {
		t.Errorf("row %v", row)
	}
	var file bytes.Buffer
	if err := s.WriteCSV(&file); err != nil || strings.Count(file.String(), "\n") != 1 {
		t.Errorf("file %q, error %v", file.String(), err)
	}
	if name, text := s.Drag("x", 1, 1); name != "" || text != "" {
		t.Errorf("a drag sets %s", name)
	}
}

// TestCountsRepeat checks that counts are the same in another measurement of the same problem, and for another problem
// of the same sizes.
func TestCountsRepeat(t *testing.T) {
	want := finished(t, map[string]string{"repetitions": "1"})
	for _, values := range []map[string]string{{"measurement": "2"}, {"seed": "77"}} {
		values["repetitions"] = "1"
		s := finished(t, values)
		for i, c := range s.cost.Cells() {
			if w := want.cost.Cells()[i]; c.Gradients != w.Gradients || c.Products != w.Products || c.Floats != w.Floats {
				t.Errorf("%v: %s at T = %d, p = %d counts %d, %d, %d", values, c.Label(), c.T, c.P, c.Gradients, c.Products, c.Floats)
			}
		}
	}
}

// TestLimits checks that measurements at the ends of every range finish, and that no step exceeds the allowed work.
func TestLimits(t *testing.T) {
	most := New()
	for _, d := range most.Params().Descriptors() {
		if d.Kind != param.Integer || d.Name == "repetitions" || d.Name == "measurement" {
			continue
		}
		for _, end := range []float64{d.Min, d.Max} {
			values := map[string]string{d.Name: fmt.Sprint(end), "repetitions": "1"}
			s := finished(t, values)
			measured := 0
			for _, c := range s.cost.Cells() {
				if len(c.Times) > 0 {
					measured++
				}
			}
			if measured < 15 {
				t.Errorf("%v: only %d cells are measured", values, measured)
			}
		}
		for _, text := range []string{fmt.Sprint(d.Min - 1), fmt.Sprint(d.Max + 1), "1.5", "x"} {
			if err := most.Params().Assign(d.Name, text); err == nil || !strings.Contains(err.Error(), d.Name) {
				t.Errorf("%s = %s: error %v", d.Name, text, err)
			}
		}
	}
	all := finished(t, map[string]string{"n": "64", "m": "8", "p": "256", "T": "1024", "largestT": "1024", "largestp": "256",
		"repetitions": "1"})
	for _, c := range all.cost.Cells() {
		if multiplications := float64(c.Gradients+c.Products-8) * float64(c.P*(64+c.P)); multiplications > maxWork {
			t.Errorf("%s at T = %d, p = %d makes a step of %g multiplications", c.Label(), c.T, c.P, multiplications)
		}
	}
}

func preset(t testing.TB, id string) *Scene {
	t.Helper()
	i := slices.IndexFunc(presets, func(p scene.Preset) bool { return p.ID == id })
	if i < 0 {
		t.Fatalf("no preset %s", id)
	}
	return finished(t, presets[i].Values)
}

// TestPresets checks the cards' statements by counting gradients and products.
func TestPresets(t *testing.T) {
	if len(presets) != 6 {
		t.Errorf("%d presets: some have no test", len(presets))
	}
	// evaluations returns the total number of gradients and products.
	evaluations := func(c *forumcost.Cell) float64 { return float64(c.Gradients + c.Products) }

	s := preset(t, "figure1")
	for _, steps := range []int{8, 16, 32, 64, 128} {
		forum := cell(t, s, "FORUM", steps, 20)
		for _, other := range []string{"MOML", "MoCo"} {
			t.Run(fmt.Sprintf("figure1, %s, T = %d", other, steps), func(t *testing.T) {
				c := cell(t, s, other, steps, 20)
				if ratio := evaluations(c) / evaluations(forum); ratio < 2.3 || ratio > 3 {
					t.Errorf("%s evaluates %g times as much as FORUM at T = %d", other, ratio, steps)
				}
				if c.Products != 2*steps || forum.Products != 0 || forum.Floats != 202 || c.Floats < 20*steps {
					t.Errorf("T = %d: %+v and %+v", steps, c, forum)
				}
			})
		}
	}
	for _, p := range []int{4, 64} {
		if c := cell(t, s, "MOML", 64, p); c.TooLarge {
			t.Errorf("p = %d is left out", p)
		}
	}

	s = preset(t, "upper")
	left := 0
	for _, c := range s.cost.Cells() {
		switch {
		case c.TooLarge:
			left++
			if c.Label() != "MOML forward" {
				t.Errorf("%s is too large at T = %d, p = %d", c.Label(), c.T, c.P)
			}
		case c.Label() == "MOML forward" && c.Products != 32*c.T, c.Label() == "FORUM" && c.Products != 0, c.Label() == "MOML" &&
			c.Products != 2*c.T:
			t.Errorf("%s makes %d products for T = %d", c.Label(), c.Products, c.T)
		}
	}
	if left < 2 {
		t.Errorf("%d cells are too large", left)
	}

	s, two := preset(t, "objectives"), preset(t, "figure1")
	for _, steps := range []int{8, 128} {
		if c := cell(t, s, "MOML", steps, 20); c.Products != 8*steps {
			t.Errorf("%d products at T = %d", c.Products, steps)
		}
		if more := cell(t, s, "FORUM", steps, 20).Gradients - cell(t, two, "FORUM", steps, 20).Gradients; more != 6 {
			t.Errorf("FORUM evaluates %d gradients more", more)
		}
	}

	s = preset(t, "memory")
	for label, growth := range map[string]int{"FORUM": 0, "MOML forward": 0, "MOML": 12 * (512 - 32), "MoCo": 12 * (512 - 32)} {
		t.Run("memory, "+label, func(t *testing.T) {
			if got := cell(t, s, label, 512, 12).Floats - cell(t, s, label, 32, 12).Floats; got != growth {
				t.Errorf("%s holds %d floats more", label, got)
			}
		})
	}
	if s.values.Axis != axisLinear {
		t.Error("the axes are not linear")
	}

	s = preset(t, "price")
	priced := 0
	// FORUM evaluates 131 gradients, and the others evaluate 130 gradients and 256 products. The others cost seven times as
	// much if a product counts as 3 gradients, and three times as much if it counts as 1.
	for _, row := range s.Readout().Rows {
		if row.Cells[1] != "128" || row.Cells[2] != "20" {
			continue
		}
		if want := map[string]string{"forum": "131", "moml": "898", "moco": "898"}[row.Method]; row.Cells[6] != want {
			t.Errorf("a step of %s counts %s gradients, want %s", row.Method, row.Cells[6], want)
		}
		priced++
	}
	if priced != 3 {
		t.Errorf("%d rows are at T = 128", priced)
	}
	s = preset(t, "short")
	for _, steps := range []int{1, 2, 4, 8} {
		if more := cell(t, s, "FORUM", steps, 20).Floats > cell(t, s, "MOML", steps, 20).Floats; more != (steps < 4) {
			t.Errorf("T = %d: FORUM holds more floats than MOML: %v", steps, more)
		}
	}
}

// TestDrawing draws the scene before, during and after the measurement, at desktop and phone size, in both themes.
func TestDrawing(t *testing.T) {
	for _, values := range []map[string]string{nil, {"axis": "linear", "count": "gradients"}, {"method": "forum"},
		{"n": "64", "T": "1024", "mode": "forward"}} {
		s := with(t, values)
		share := []float64{0, 0.4, 2}
		for _, until := range share {
			if _, err := s.Work(func() bool { return s.cost.Progress() < until }); err != nil {
				t.Fatal(err)
			}
			for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
				for _, size := range []vg.Point{{X: 1120, Y: 720}, {X: 320, Y: 300}} {
					texts, calls := scenetest.Draw(t, s, size.X, size.Y, theme)
					if calls == 0 {
						t.Errorf("%v: nothing is drawn", values)
					}
					progress := slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "measured") })
					if progress != !s.cost.Finished() {
						t.Errorf("%v: finished %v, progress drawn %v", values, s.cost.Finished(), progress)
					}
				}
			}
		}
	}
}

// BenchmarkDraw measures a frame in which every picture is redrawn.
func BenchmarkDraw(b *testing.B) {
	s := finished(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		scenetest.Draw(b, s, 1120, 720, brush.Light)
	}
}
