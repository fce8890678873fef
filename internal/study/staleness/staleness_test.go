package staleness

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	return Config{Eta: []float64{0.3, 0.5}, Momentum: []float64{0, 0.9}, Period: []int{1, 8, 32}, Runs: 4, Steps: 50, Region: 1.2, Seed: 1}
}

// tables creates and computes the maps that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Map]{New: New, Grid: func(s *Map) *experiment.Grid[Cell] { return s.Grid }}

// TestStalenessMap compares the map with an independent computation from 60 other start points. The shares in that
// computation have a standard deviation of up to 0.065, and the tolerance is about two standard deviations. At the
// far end that computation counted runs with f1 > 0.93, whereas the map counts runs with f2 < 0.05, of which there
// are fewer. The test therefore counts by both limits.
func TestStalenessMap(t *testing.T) {
	const tolerance = 0.12
	config := Default()
	config.Momentum, config.Runs = []float64{0, 0.5, 0.9}, 200
	s := tables.Complete(t, config, 2)
	for _, row := range []struct {
		eta, alpha float64
		shares     [6]float64
	}{
		{0.1, 0, [6]float64{.20, .18, .17, .17, .17, .18}},
		{0.1, 0.9, [6]float64{.17, .52, .95, .98, 1, 1}},
		{0.3, 0, [6]float64{.18, .17, .17, .15, .47, .85}},
		{0.3, 0.5, [6]float64{.17, .17, .45, .95, .98, 1}},
		{0.5, 0, [6]float64{.18, .17, .17, .30, .78, .98}},
		{0.5, 0.9, [6]float64{.98, 1, 1, 1, 1, 1}},
	} {
		for j, want := range row.shares {
			r := config.Period[j]
			i := slices.IndexFunc(s.Cells(), func(c Cell) bool { return c.Eta == row.eta && c.Momentum == row.alpha && c.R == r })
			c := &s.Cells()[i]
			collapsed, far := 0, 0
			for start := range config.Runs {
				one := *c
				one.Done = start
				run, err := s.begin(&one)
				if err != nil {
					t.Fatal(err)
				}
				for range config.Steps {
					if _, err := run.Stepper.Step(); err != nil {
						t.Fatal(err)
					}
				}
				end := run.Stepper.View().F
				if end[0] < 0.05 || end[1] < 0.05 {
					collapsed++
				}
				if end[0] < 0.05 || end[0] > 0.93 {
					far++
				}
			}
			if got := float64(far) / float64(config.Runs); math.Abs(got-want) > tolerance {
				t.Errorf("η = %g, α = %g, R = %d: share %.2f, want %.2f", row.eta, row.alpha, r, got, want)
			}
			if c.Collapsed != collapsed {
				t.Errorf("η = %g, α = %g, R = %d: the map has %d collapsed runs, there are %d", row.eta, row.alpha, r, c.Collapsed, collapsed)
			}
		}
	}
	// The age determines the share, which is at the baseline for small ages and at least ¾ for large ones.
	baseline := s.Cells()[0].Share()
	for _, c := range s.Cells() {
		if want := c.Eta * (float64(c.R)*c.Momentum/(1-c.Momentum) + float64(c.R-1)/2); c.Age != want {
			t.Errorf("age %g, want %g", c.Age, want)
		}
		if c.Age < 1.1 && c.Share() > baseline+0.02 {
			t.Errorf("age %.2f: share %.2f, the baseline is %.2f", c.Age, c.Share(), baseline)
		}
		if c.Age > 3.4 && c.Share() < 0.75 {
			t.Errorf("age %.2f: share %.2f", c.Age, c.Share())
		}
	}
}

// TestLimit checks that with momentum, the line α(1+2η/e)^R = 1 divides the map without exception. All 24 cells below
// it are at the baseline, and all 48 above it have a share of a quarter or more. Without momentum, the product ηR
// decides whether runs collapse.
func TestLimit(t *testing.T) {
	s := tables.Complete(t, Default(), 2)
	baseline := s.Cells()[0].Share()
	below, above := 0, 0
	for _, c := range s.Cells() {
		if want := c.Momentum * math.Pow(1+2*c.Eta/math.E, float64(c.R)); math.Abs(c.Growth()/want-1) > 1e-12 && c.Growth() != want {
			t.Errorf("growth %g, want %g", c.Growth(), want)
		}
		switch {
		case c.Momentum == 0:
			if c.Growth() != 0 || c.Eta*float64(c.R) < 3 && c.Share() > baseline || c.Eta*float64(c.R) > 4 && c.Share() < 0.4 {
				t.Errorf("η = %g, R = %d without momentum: share %.2f", c.Eta, c.R, c.Share())
			}
		case c.Growth() > 1:
			if above++; c.Share() < 0.25 {
				t.Errorf("η = %g, α = %g, R = %d, above the line: share %.2f", c.Eta, c.Momentum, c.R, c.Share())
			}
		default:
			if below++; c.Share() > baseline {
				t.Errorf("η = %g, α = %g, R = %d, below the line: share %.2f", c.Eta, c.Momentum, c.R, c.Share())
			}
		}
	}
	if baseline > 0.07 || below != 24 || above != 48 {
		t.Errorf("the baseline is %.2f, %d cells are below and %d above", baseline, below, above)
	}
}

// TestLimitDrawn checks, in both themes, that every map has the line and that the legend names it.
func TestLimitDrawn(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		for i := range s.config.Eta {
			p := s.Panels()[i].(*axes.Plane)
			if entries := p.Legend(theme); len(entries) != 1 || entries[0].Label != "α(1 + 2η/e)^R = 1" || entries[0].Stroke.Width == 0 {
				t.Errorf("the legend is %+v", entries)
			}
			var r recorder.Canvas
			for _, l := range p.Layers(brush.Frame{Width: 400, Height: 300, Theme: theme}) {
				l.Draw(draw.NewCanvas(&r, 400, 300))
			}
			drawn := false
			for n, a := range r.Actions {
				set, ok := a.(*recorder.SetColor)
				if !ok || set.Color != limitStroke(theme).Color {
					continue
				}
				drawn = drawn || slices.ContainsFunc(r.Actions[n:], func(a recorder.Action) bool { _, ok := a.(*recorder.Stroke); return ok })
			}
			if !drawn {
				t.Errorf("%s: map %d has no line", theme.Name, i+1)
			}
		}
	}
}

// TestWorkInPieces checks that the result depends neither on how the work is divided nor on the number of jobs, and
// that progress goes from 0 to 1.
func TestWorkInPieces(t *testing.T) {
	want := tables.Complete(t, small(), 1)
	for _, jobs := range []int{2, 7, 100} {
		if got := tables.Complete(t, small(), jobs); !slices.Equal(got.Cells(), want.Cells()) {
			t.Errorf("%d jobs: cells %+v", jobs, got.Cells())
		}
	}
	for _, piece := range []int{1, 3, 1000} {
		s, err := New(small())
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for pending := true; pending; calls++ {
			before, _ := s.Parts()
			left := piece
			pending, err = s.Work(func() bool { left--; return left >= 0 })
			if err != nil {
				t.Fatal(err)
			}
			if done, _ := s.Parts(); done-before > piece {
				t.Fatalf("%d runs when there was time for %d", done-before, piece)
			}
		}
		if runs := len(s.Cells()) * s.config.Runs; calls < runs/piece {
			t.Errorf("%d runs in %d pieces of %d", runs, calls, piece)
		}
		if !slices.Equal(s.Cells(), want.Cells()) {
			t.Errorf("pieces of %d: cells %+v", piece, s.Cells())
		}
	}
	s, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	last, calls := 0.0, 0
	err = experiment.Run(s.Grid, experiment.Options{Jobs: 3, Progress: func(p experiment.Progress) {
		done := p.Done
		if done <= last || done > 1 {
			t.Errorf("progress goes from %g to %g", last, done)
		}
		last = done
		calls++
	}})
	if err != nil || last != 1 || calls != len(s.Cells()) {
		t.Errorf("progress ends at %g after %d calls, error %v", last, calls, err)
	}
}

// TestFiles checks that the CSV file has a line for every cell, that the JSON file has the same contents, and that the
// SVG file is a picture.
func TestFiles(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	var c, j, v bytes.Buffer
	if err := errors.Join(s.WriteCSV(&c), s.WriteJSON(&j), s.Picture(0).WriteSVG(&v)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&c).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1+len(s.Cells()) || strings.Join(lines[0], ",") != "eta,momentum,R,runs,steps,collapsed,share,age" {
		t.Errorf("%d lines, first %v", len(lines), lines[0])
	}
	var decoded struct {
		Experiment string
		Steps      int
		Cells      []map[string]any
	}
	if err := json.Unmarshal(j.Bytes(), &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Experiment != "fonseca-staleness" || decoded.Steps != 50 || len(decoded.Cells) != len(s.Cells()) {
		t.Errorf("JSON %+v", decoded)
	}
	for i, cell := range decoded.Cells {
		for col, name := range lines[0] {
			want, ok := cell[name]
			switch name {
			case "steps":
				want = 50.0
			case "share":
				want = cell["collapsed"].(float64) / cell["runs"].(float64)
			default:
				if !ok {
					t.Fatalf("JSON has no %s", name)
				}
			}
			if got, err := strconv.ParseFloat(lines[i+1][col], 64); err != nil || got != want {
				t.Errorf("cell %d: %s is %s in CSV and %v in JSON", i, name, lines[i+1][col], want)
			}
		}
	}
	text := v.String()
	if !strings.HasPrefix(text, "<?xml") || !strings.Contains(text, "</svg>") || !strings.Contains(text, "How many collapse") {
		t.Errorf("SVG starts with %.80q", text)
	}
}

// TestResume checks that the cells of an earlier file are not computed again. A file of another map gives an error
// that names the line.
func TestResume(t *testing.T) {
	want := tables.Complete(t, small(), 2)
	var full bytes.Buffer
	if err := want.WriteCSV(&full); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(full.String(), "\n")
	half := strings.Join(lines[:6], "")
	s, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Resume(s.Grid, strings.NewReader(half)); err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Cells() {
		if done := i < 5; (c.Done == c.Runs) != done || done && c.Collapsed != want.Cells()[i].Collapsed {
			t.Errorf("cell %d after resuming: %+v", i, c)
		}
	}
	var partial bytes.Buffer
	if err := s.WriteCSV(&partial); err != nil || partial.String() != half {
		t.Errorf("the half of a map is written as %q, error %v", partial.String(), err)
	}
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Cells(), want.Cells()) {
		t.Error("resumed, the map is another one")
	}
	for _, c := range []struct{ text, where string }{
		{"", "line 1"}, {"eta,R\n", "line 1"}, {lines[0] + "0.3,0,1,4,50,9,0,0\n", "line 2"}, {lines[0] + "0.3,0,1,4,50,-1,0,0\n", "line 2"},
		{lines[0] + lines[1] + "0.3,0,1,4,60,1,0,0\n", "line 3"},
		{lines[0] + "0.3,0,1,8,50,1,0,0\n", "line 2"}, {lines[0] + "0.3,0,5,4,50,1,0,0\n", "line 2"},
		{lines[0] + "0.3,0,1,4,50,x,0,0\n", "line 2"}, {lines[0] + "0.3,0\n", "line 2"}, {"\"", "line 1"},
	} {
		s, err := New(small())
		if err != nil {
			t.Fatal(err)
		}
		if err := experiment.Resume(s.Grid, strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.where) {
			t.Errorf("%q: error %v, want one with %s", c.text, err, c.where)
		}
	}
}

// TestExperiment checks that repetitions add runs, and that an unused input file is rejected.
func TestExperiment(t *testing.T) {
	_, err := Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Data: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("a file that is not read: %v", err)
	}
	outcome, err := Experiment.Run(experiment.Options{Seeds: 3, Quick: true, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if c := outcome.(*Map).Cells()[0]; c.Runs != 45 {
		t.Errorf("three times 15 runs are %d", c.Runs)
	}
}

// TestBadConfig checks that an invalid value gives an error that names the setting.
func TestBadConfig(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"runs = 0":     func(c *Config) { c.Runs = 0 },
		"steps = -1":   func(c *Config) { c.Steps = -1 },
		"region = NaN": func(c *Config) { c.Region = math.NaN() },
		"eta = -1":     func(c *Config) { c.Eta[1] = -1 },
		"momentum = 1": func(c *Config) { c.Momentum[1] = 1 },
		"R = 0":        func(c *Config) { c.Period[2] = 0 },
	} {
		c := small()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestOtherRules checks that the files of maps for other rules or for the two bowls name the rule and the problem.
// These maps omit the line and the texts that hold only for MGDA on Fonseca's problem. Unsupported rules and problems
// are rejected.
func TestOtherRules(t *testing.T) {
	config := small()
	config.Weighting, config.Problem = "cagrad", Bowls
	s := tables.Complete(t, config, 2)
	for _, c := range s.Cells() {
		if c.Collapsed != 0 {
			t.Errorf("%+v", c)
		}
	}
	var c, j bytes.Buffer
	if err := errors.Join(s.WriteCSV(&c), s.WriteJSON(&j)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(c.String(), "weighting,problem,eta,") || !strings.Contains(c.String(), "\ncagrad,quadratic,0.3,0.0,1,4,50,0,0.0,") ||
		!strings.Contains(j.String(), `"weighting": "cagrad"`) && !strings.Contains(j.String(), `"weighting":"cagrad"`) {
		t.Errorf("files\n%s\n%.300s", c.String(), j.String())
	}
	// A map cannot be resumed from the file of another map.
	other, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Resume(other.Grid, &c); err == nil {
		t.Error("the map of MGDA resumes from the file of CAGrad's")
	}
	plain := tables.Complete(t, small(), 2)
	for i, p := range s.Panels() {
		p, usual := p.(*axes.Plane), plain.Panels()[i].(*axes.Plane)
		if p.Text() == usual.Text() || p.Name != usual.Name {
			t.Errorf("%s says %q", p.Name, p.Text())
		}
		if i < 2 && len(p.Legend(brush.Light)) > 0 {
			t.Errorf("%s has the legend %+v", p.Name, p.Legend(brush.Light))
		}
	}
	if pick := s.pick(&s.Cells()[0], vg.Point{}); pick.Values["psmgd.weighting"] != "cagrad" || pick.Values["problem"] != Bowls ||
		strings.Contains(strings.Join(pick.Lines, " "), "(1 + 2η/e)") {
		t.Errorf("%+v", pick)
	}
	for want, settings := range map[string]map[string]string{
		`weighting = "moco": allowed are mgda cagrad sdmgrad`: {"weighting": "moco"},
		`problem = "toy": allowed are fonseca quadratic`:      {"problem": "toy"},
		"-set R: fonseca-staleness has no such setting":       {"R": "2"},
	} {
		_, err := Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Settings: settings})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
