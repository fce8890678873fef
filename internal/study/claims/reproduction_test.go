package claims

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/docs"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/blocksmoo"
	"paretoplay/internal/study/fairnessgrid"
	"paretoplay/internal/study/forumcost"
	"paretoplay/internal/study/hypercleaning"
	"paretoplay/internal/study/networkgrid"
	"paretoplay/internal/study/noise"
	"paretoplay/internal/study/orderinggrid"
	"paretoplay/internal/study/staleness"
	"paretoplay/internal/study/syn"
	"paretoplay/internal/study/zdt"
)

// reproducible lists the experiments that have a table.
var reproducible = []*experiment.Experiment{&staleness.Experiment, &noise.Experiment, &forumcost.Experiment, &hypercleaning.Experiment,
	&syn.Experiment, &zdt.Experiment, &fairnessgrid.Experiment, &orderinggrid.Experiment, &blocksmoo.Experiment, &networkgrid.Experiment}

// made caches the tables by experiment.
var made = map[string]*Reproduction{}

// reproduced returns the table from a kept file, or from the quick form if no file is kept.
func reproduced(t *testing.T, e *experiment.Experiment) *Reproduction {
	t.Helper()
	if made[e.Name] != nil {
		return made[e.Name]
	}
	file, seeds, kept := KeptTable(e.Name, false)
	o := experiment.Options{Seeds: seeds, Jobs: 2, Quick: !kept}
	if kept {
		data, err := fs.ReadFile(docs.Tables, file)
		if err != nil {
			t.Fatal(err)
		}
		o.Resume = bytes.NewReader(data)
	} else {
		o.Seeds = 2
	}
	outcome, err := e.Left(o)
	if err == nil {
		if left := outcome.Size(); kept && left.Cells > 0 {
			t.Errorf("docs/%s lacks %d cells", file, left.Cells)
		}
		err = experiment.Finish(outcome, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if made[e.Name], err = Reproduce(e.Name, outcome, o.Quick); err != nil {
		t.Fatal(err)
	}
	return made[e.Name]
}

// find returns the only comparison with the given name in the group whose title begins with group.
func (r *Reproduction) find(t *testing.T, group, of string) *Comparison {
	t.Helper()
	var found []*Comparison
	for i := range r.Groups {
		for k := range r.Groups[i].Rows {
			if c := &r.Groups[i].Rows[k]; strings.HasPrefix(r.Groups[i].Title, group) && c.Of == of {
				found = append(found, c)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s: %d comparisons of %q in %q", r.Experiment, len(found), of, group)
	}
	return found[0]
}

// TestReproductions checks that in the table of each experiment every row has its place and figure in the paper, that
// names of groups and rows are unique, and that the picture and the files contain all of them.
func TestReproductions(t *testing.T) {
	if len(reproductions) != len(reproducible) {
		t.Errorf("%d experiments have tables of %d", len(reproductions), len(reproducible))
	}
	for _, e := range reproducible {
		t.Run(e.Name, func(t *testing.T) {
			r := reproduced(t, e)
			if r.Paper == "" || r.Theirs == "" || r.Here == "" || r.Runs < 2 || len(r.Groups) == 0 {
				t.Errorf("%+v", r)
			}
			rows, unknown := 0, 0
			titles := map[string]bool{}
			for _, g := range r.Groups {
				if g.Title == "" || g.Quantity == "" || titles[g.Title] || len(g.Rows) == 0 {
					t.Errorf("group %q of %q with %d rows", g.Title, g.Quantity, len(g.Rows))
				}
				titles[g.Title] = true
				names := map[string]bool{}
				for _, c := range g.Rows {
					rows++
					if !c.Ours.known() {
						unknown++
					}
					if c.Of == "" || c.Place == "" || c.Says == "" || names[c.Of] || !slices.Contains(matches, c.Match) {
						t.Errorf("%s: %+v", g.Title, c)
					}
					names[c.Of] = true
					if strings.Contains(c.Says+c.Of+c.OursText(), "NaN") || strings.Contains(c.Says, "%!") {
						t.Errorf("%s: %s: %s, %s", g.Title, c.Of, c.Says, c.OursText())
					}
					if c.asked == level && !c.Figure.known() {
						t.Errorf("%s: %s is compared with nothing", g.Title, c.Of)
					}
				}
			}
			if unknown > rows/8 {
				t.Errorf("%d of %d numbers are not known", unknown, rows)
			}
			var text, markdown, table, picture bytes.Buffer
			for _, err := range []error{r.WriteText(&text), r.WriteMarkdown(&markdown), r.WriteCSV(&table), r.Picture(0).WriteSVG(&picture)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			lines, err := csv.NewReader(&table).ReadAll()
			if err != nil || len(lines) != rows+1 {
				t.Errorf("CSV has %d lines for %d rows, error %v", len(lines), rows, err)
			}
			if n := strings.Count(markdown.String(), "** |\n"); n != rows {
				t.Errorf("Markdown has %d verdicts for %d rows", n, rows)
			}
			for line := range strings.Lines(markdown.String()) {
				if cells := strings.Count(strings.ReplaceAll(line, "\\|", ""), "|"); strings.HasPrefix(line, "|") && cells != 6 {
					t.Errorf("a line of the table has %d bars: %s", cells, line)
				}
			}
			if !strings.Contains(text.String(), r.counts()) || strings.Count(r.counts(), ";") > len(matches) {
				t.Errorf("the text does not count the verdicts: %s", r.counts())
			}
			if !strings.Contains(picture.String(), "<svg") {
				t.Errorf("the picture begins with %.60q", picture.String())
			}
			for _, width := range []axes.PrintWidth{0, axes.OneColumn, axes.TwoColumns} {
				f := r.Picture(width)
				if len(f.Placed) != len(r.Groups) {
					t.Errorf("%v: %d panels of %d groups", width, len(f.Placed), len(r.Groups))
				}
				for i, p := range f.Placed {
					var trial axes.Trial
					if err := trial.Try(p.Panel, p.Frame(f.Theme, false)); err != nil {
						t.Errorf("%v: %s: %v", width, p.Panel.Title(), err)
					}
					if words := p.Panel.Describe(); !strings.Contains(words, "; the paper: ") {
						t.Errorf("%s is described as %q", p.Panel.Title(), words)
					}
					if p.Rect.Min.X < 0 || p.Rect.Max.X > f.Width || p.Rect.Min.Y < 0 || p.Rect.Max.Y > f.Height {
						t.Errorf("%v: panel %d at %v is outside %v × %v", width, i+1, p.Rect, f.Width, f.Height)
					}
				}
			}
		})
	}
	if _, err := Reproduce("no-such", nil, false); err == nil || !strings.Contains(err.Error(), "no-such has no published figures") {
		t.Errorf("the error is %v", err)
	}
}

// TestVerdictRule compares verdicts on invented numbers with verdicts worked out by hand.
func TestVerdictRule(t *testing.T) {
	figure := Number{2, 1.9, 2.1}
	below := Number{-2, -2.1, -1.9}
	for i, c := range []struct {
		asked     question
		figure    Number
		ours      Number
		reference float64
		want      Match
	}{
		{more, figure, Number{2.2, 2, 2.4}, 0, Agrees},
		{more, figure, Number{1, 0.5, 1.5}, 0, SameDirection},
		{more, figure, Number{5, 4, 6}, 0, SameDirection},
		{more, figure, Number{1, -0.5, 2.5}, 0, CannotTell},
		{more, figure, Number{-1, -1.5, -0.5}, 0, Contradicts},
		{more, figure, Number{1, math.NaN(), math.NaN()}, 0, CannotTell}, // one run
		{more, none(), Number{1, 0.5, 1.5}, 0, DirectionOnly},
		{more, none(), Number{1, 0.5, 1.5}, 1, CannotTell},
		{more, none(), exact(0.5), 1, Contradicts}, // without randomness
		{less, below, Number{-2.2, -2.4, -2}, 0, Agrees},
		{less, below, Number{-1, -1.5, -0.5}, 0, SameDirection},
		{less, below, Number{1, 0.5, 1.5}, 0, Contradicts},
		{less, none(), Number{0.5, 0.4, 0.6}, 1, DirectionOnly},
		{level, figure, Number{2.2, 2, 2.4}, 0, Agrees},
		{level, figure, Number{2.2, 1, 3.4}, 0, CannotTell}, // wider than a quarter of the figure
		{level, figure, Number{9, 5, 13}, 0, OtherSize},
		{level, figure, none(), 0, CannotTell},
		{alike, none(), Number{0, -0.5, 0.5}, 0, Agrees},
		{alike, none(), Number{0, -1.5, 0.5}, 0, CannotTell},
		{alike, none(), Number{2, 1.5, 2.5}, 0, Contradicts},
	} {
		r := Comparison{asked: c.asked, Figure: c.figure, Ours: c.ours, reference: c.reference, bounds: [2]float64{-1, 1}}
		if got := r.judge(); got != c.want {
			t.Errorf("case %d: %s, want %s", i+1, got, c.want)
		}
		r.elsewhere = true
		if want := map[bool]Match{true: OtherData, false: c.want}[c.want == Contradicts]; r.judge() != want {
			t.Errorf("case %d on other data: %s, want %s", i+1, r.judge(), want)
		}
	}
}

// TestPublishedIntervals compares the uncertainty of published figures with values worked out by hand.
func TestPublishedIntervals(t *testing.T) {
	near := func(what string, n Number, value, low, high float64) {
		t.Helper()
		if max(math.Abs(n.Value-value), math.Abs(n.Low-low), math.Abs(n.High-high)) > 1e-3 {
			t.Errorf("%s is %+v, want %g [%g, %g]", what, n, value, low, high)
		}
	}
	near("two decimals", printed(plain(5.87), 2), 5.87, 5.865, 5.875)
	// Student's quantile for three runs is 4.3027.
	near("a deviation", printed(experiment.Estimate{Mean: 4.02, Spread: 0.92}, 2), 4.02, 4.02-2.2854, 4.02+2.2854)
	near("a difference", printedGap(plain(5.87), plain(5.72), 2), 0.15, 0.14, 0.16)
	near("of deviations 3 and 4", printedGap(experiment.Estimate{Mean: 10, Spread: 3}, experiment.Estimate{Mean: 4, Spread: 4}, 2), 6,
		6-4.3027*5/math.Sqrt(3), 6+4.3027*5/math.Sqrt(3))
	near("a ratio", printedRatio(12.94, 2.23, 2), 5.8027, 12.935/2.235, 12.945/2.225)
	near("shares of 9 and 3 in 10", shareGap(9, 10, 3, 10).Number, 0.6,
		0.6-math.Hypot(0.9-0.55498, 0.65245-0.3), 0.6+math.Hypot(0.99747-0.9, 0.3-0.06674))
	if text := differenceText(-4.27, -4.04, 2); text != "-4.27 − (-4.04) = -0.23" {
		t.Error(text)
	}
}

// TestFailedRuns checks that failed runs are counted. If any run failed, the share of won pairs replaces a ratio and
// is compared with one half.
func TestFailedRuns(t *testing.T) {
	inf := math.Inf(1)
	m := sooner([]float64{1, 2, 3, inf, inf}, []float64{2, 1, inf, 1, inf})
	low, high := experiment.ShareInterval(2, 4)
	if !m.wins || m.failed != 4 || m.runs != 5 || m.Number != (Number{0.5, low, high}) {
		t.Errorf("%+v", m)
	}
	if m := sooner([]float64{1, 2}, []float64{2, 4}); m.wins || m.failed != 0 || math.Abs(m.Value-0.5) > 1e-12 {
		t.Errorf("%+v", m)
	}
	table := &table{lab: newLab(Options{})}
	table.begin("race", "ratio", true)
	bad := slices.Repeat([]float64{inf}, 10)
	good := slices.Repeat([]float64{1}, 10)
	for of, measure := range map[string]func() measured{
		"ahead": func() measured { return sooner(good, bad) }, "behind": func() measured { return sooner(bad, good) },
		"both fail": func() measured { return sooner(bad, bad) },
	} {
		table.toward(of, "Figure 1", "a curve", less, 1, 2, measure)
	}
	r := &Reproduction{Groups: table.groups}
	for of, want := range map[string]Match{"ahead": DirectionOnly, "behind": Contradicts, "both fail": CannotTell} {
		c := r.find(t, "race", of)
		if c.Match != want || c.Failed == 0 || !strings.Contains(c.OursText(), "of 20 runs failed") {
			t.Errorf("%s: %s, %s", of, c.Match, c.OursText())
		}
	}
	if _, err := try(func() measured { return sooner(good, bad[1:]) }); err == nil {
		t.Error("runs without pairs are compared")
	}
}

// TestPublishedFigures compares published figures and their places with the papers.
func TestPublishedFigures(t *testing.T) {
	zdt, clients := reproduced(t, &zdt.Experiment), reproduced(t, &syn.Experiment)
	for _, c := range []struct {
		r         *Reproduction
		group, of string
		place     string
		says      string
	}{
		{zdt, "ZDT3, sign steps", "EPO", "Table 5", "4.53 ± 0.68"},
		{zdt, "MosT-E’s lead on ZDT1", "over Linearization, signs", "Table 5", "5.87 − 5.72 = 0.15"},
		{clients, "Accuracy, ρ = 0.5", "FedMGDA+", "Table 1", "85.21 ± 1.42"},
		{clients, "MosT’s gain, ρ = 1", "MosT − w-MGDA", "Table E", "92.21 − 89.32 = 2.89"},
		{clients, "Transport", "ρ = 1", "Table 8, of the seconds", "0.38"},
		{reproduced(t, &hypercleaning.Experiment), "FORUM against", "FORUM − MOML, T = 16", "Table 1, mean of both sets", "86.58 − 84.40 = 2.18"},
		{reproduced(t, &fairnessgrid.Experiment), "MosT-E’s lead", "over EPO", "Table 7", "7.65 − 2.44 = 5.21"},
		{reproduced(t, &blocksmoo.Experiment), "Purity", "r = 2, one batch per step", "Table 1", "0.6947 − 0.5105 = 0.1842"},
		{reproduced(t, &networkgrid.Experiment), "Time", "MGDA over PSMGD", "Table 3", "12.94/2.23 = 5.80"},
		{reproduced(t, &orderinggrid.Experiment), "ω over ω with random orders; the paper: Δm% on QM9", "JoGBa, Nash-MTL", "Table 2",
			"Δm% 59.2 − 62.0 = -2.8"},
		{reproduced(t, &staleness.Experiment), "How long can weights stay fixed? α = 0.9", "R = 16 − R = 8, η = 0.1", "Table 7",
			"Δm% 109.7 − 92.4 = 17.3"},
	} {
		if got := c.r.find(t, c.group, c.of); got.Place != c.place || got.Says != c.says {
			t.Errorf("%s, %s: %s has %q, want %s and %q", c.group, c.of, got.Place, got.Says, c.place, c.says)
		}
	}
}

// TestFiguresByValue compares the figures used in several rows with those in the papers.
func TestFiguresByValue(t *testing.T) {
	_, minutes := networkgrid.PublishedPeriod(32)
	ours, theirs := blocksmoo.Published()
	for i, c := range [][2]float64{
		{networkgrid.PublishedLoss(11, "rlw"), 203.8}, {networkgrid.PublishedLoss(11, "famo"), 58.5},
		{networkgrid.PublishedLoss(40, "mgda"), 14.85}, {networkgrid.PublishedMinutes("nashmtl"), 8.45}, {minutes, 2.07},
		{orderinggrid.Published(1, "pcgrad", "jogba"), 3.56},
		{orderinggrid.Published(2, "cagrad", "grab-shared"), 112.1}, {zdt.Published("mgda", 2).Spread, 0.94},
		{zdt.Published("moosvgd", 3).Mean, 5.77}, {syn.Published("most-m", 1).Mean, 75.20}, {fairnessgrid.Published("most-e").Spread,
			0.06}, {ours.Gamma, 0.4955}, {theirs.Delta, 1.1549},
		{hypercleaning.Published("forum", 64, 0.5, 0.3), 86.44}, {hypercleaning.Published("forum", 16, 0.5, 0.1), 86.57},
	} {
		if c[0] != c[1] {
			t.Errorf("figure %d is %g, the paper has %g", i+1, c[0], c[1])
		}
	}
}

// TestTooFewRuns checks that a comparison over one run has no interval and says so.
func TestTooFewRuns(t *testing.T) {
	c := reproduced(t, &blocksmoo.Experiment).find(t, "Purity", "r = 2, one batch per outer iteration")
	if c.Match != CannotTell || c.OursText() != "0.5952, only one run, so no interval" {
		t.Errorf("%s, %s", c.Match, c.OursText())
	}
}

// TestEqualRuns checks that a few equal runs give no verdict, although their deviation is 0. A number without
// randomness gives a verdict.
func TestEqualRuns(t *testing.T) {
	table := &table{lab: newLab(Options{})}
	table.begin("equal", "difference", false)
	for of, runs := range map[string]int{"two": 2, "five": 5, "six": 6} {
		table.toward(of, "Figure 1", "a curve", less, 0, 2, func() measured { return average(slices.Repeat([]float64{-1}, runs)) })
	}
	table.toward("counted", "Figure 1", "a curve", less, 0, 2, func() measured { return sure(-1) })
	r := &Reproduction{Groups: table.groups}
	for of, want := range map[string]Match{"two": CannotTell, "five": CannotTell, "six": DirectionOnly, "counted": DirectionOnly} {
		if c := r.find(t, "equal", of); c.Match != want {
			t.Errorf("%s: %s, %s", of, c.Match, c.OursText())
		}
	}
	if text := r.find(t, "equal", "two").OursText(); text != "-1.00, the same in all 2 runs, too few for an interval" {
		t.Error(text)
	}
}

// TestUnknownFigures checks that a figure that a paper lacks is unknown, not 0.
func TestUnknownFigures(t *testing.T) {
	_, minutes := networkgrid.PublishedPeriod(2)
	for what, v := range map[string]float64{
		"zdt": zdt.Published("no-such", 1).Mean, "syn": syn.Published("most", 0.3).Mean, "fairness": fairnessgrid.Published("no-such").Mean,
		"transport": syn.PublishedTransport(0.3), "cleaning": hypercleaning.Published("moml", 3, math.NaN(), 0.3),
		"order": orderinggrid.Published(1, "ls", "jogba"), "loss": networkgrid.PublishedLoss(2, "ls"), "minutes": minutes,
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %g", what, v)
		}
	}
}
