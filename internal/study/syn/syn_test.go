package syn

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

	"paretoplay/algo/federated"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	return Config{Rho: []float64{0, 1}, Clients: 5, Most: 60, Solutions: 3, Epochs: 7, Look: 3, Rates: []float64{0.01, 0.1}, Runs: 2, Seed: 1}
}

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid },
	Same: same}

// untimed returns a file's fields except the fields that depend on time.
func untimed(t testing.TB, file string) [][]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range lines[0] {
		if strings.HasPrefix(name, "seconds") || strings.Contains(name, "_share") {
			for _, line := range lines[1:] {
				line[i] = ""
			}
		}
	}
	return lines
}

func same(t testing.TB, a, b string) bool {
	t.Helper()
	return slices.EqualFunc(untimed(t, a), untimed(t, b), slices.Equal)
}

// TestPieces checks that the result depends neither on how the work is divided nor on the number of jobs, and that
// progress goes from 0 to 1.
func TestPieces(t *testing.T) {
	_, runs := tables.Begin(t, small()).Parts()
	tables.Pieces(t, small(), 3, runs*small().Epochs, 1, 5, 100000)
	s := tables.Begin(t, small())
	last := 0.0
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 3, Progress: func(p experiment.Progress) {
		if p.Done <= last {
			t.Errorf("progress goes from %g to %g", last, p.Done)
		}
		last = p.Done
	}}); err != nil || last != 1 {
		t.Errorf("progress ends at %g, error %v", last, err)
	}
}

// TestRates checks that the first run is repeated for every rate, and that the other runs use the rate with the best
// validation accuracy. The cell's first run is the one with that rate.
func TestRates(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	for i := range s.Cells() {
		c := &s.Cells()[i]
		m := find(c.Method)
		if len(c.Tried) != 2 || len(c.Each(accuracy)) != 2 {
			t.Fatalf("%s: tried %v, accuracies %v", c.Method, c.Tried, c.Each(accuracy))
		}
		best := slices.Max(c.Tried)
		if c.Rate != s.config.Rates[slices.Index(c.Tried, best)] {
			t.Errorf("%s: of %v the rate %g is taken", c.Method, c.Tried, c.Rate)
		}
		var sum float64
		for seed := range 2 {
			got := measure(t, s, &Cell{Rho: c.Rho, Method: m.name, Summary: experiment.Summary{Runs: seed}}, c.Rate)
			if got[accuracy] != c.Each(accuracy)[seed] {
				t.Errorf("%s, run %d: accuracy %g, made again %g", c.Method, seed+1, c.Each(accuracy)[seed], got[accuracy])
			}
			if seed == 0 && got[validation] != best {
				t.Errorf("%s: the first run has %g on validation, it was tried with %g", c.Method, got[validation], best)
			}
			sum += got[accuracy] / 2
		}
		if math.Abs(sum-c.Mean[accuracy]) > 1e-12*sum {
			t.Errorf("%s: accuracy %g, the mean of the runs is %g", c.Method, c.Mean[accuracy], sum)
		}
	}
}

// step makes Advance stop after one piece of work.
func step() bool { return false }

// measure completes a run and returns its measures.
func measure(t *testing.T, s *Tables, c *Cell, rate float64) [measures]float64 {
	t.Helper()
	r, err := s.begin(c, rate)
	for err == nil && r.Left > 0 {
		_, err = r.Advance(step)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.measured
}

// TestMeasures checks that a run's measures match its solutions, and that transport and weights together take only a
// part of the total time.
func TestMeasures(t *testing.T) {
	s := tables.Begin(t, small())
	c := &Cell{Rho: 1, Method: "most"}
	r, err := s.begin(c, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	best, at, then := -1.0, 0, 0.0
	var o federated.Outcome
	for k := 1; r.Left > 0; k++ {
		if _, err := r.Advance(step); err != nil {
			t.Fatal(err)
		}
		if r.clients.Evaluate(&o, r.Stepper.View().X); (k%3 == 0 || k == 7) && o.MeanValidation() > best {
			best, at, then = o.MeanValidation(), k, 100*o.MeanTest()
		}
	}
	m, v := &r.measured, r.Stepper.View()
	if m[earlyEpoch] != float64(at) || m[earlyAccuracy] != then {
		t.Errorf("epoch %g is the best with %g, want %d with %g", m[earlyEpoch], m[earlyAccuracy], at, then)
	}
	if m[accuracy] != 100*o.MeanTest() || m[worst40] != 100*federated.Worst(o.Test, 0.4) || m[worst80] != 100*federated.Worst(o.Test, 0.8) {
		t.Errorf("measured %v of %v", m, o.Test)
	}
	if !(m[worst20] <= m[worst40] && m[worst40] <= m[worst60] && m[worst60] <= m[worst80] && m[worst80] <= m[accuracy]) {
		t.Errorf("the worst clients: %v", m)
	}
	if m[oracle] != transport.OracleLoss(v.F, 5) || !(m[oracle] < m[mean]) || !(m[divergence] > 0) {
		t.Errorf("losses %g and %g, divergence %g", m[oracle], m[mean], m[divergence])
	}
	if won := o.Won(3); m[largest] != 20*float64(slices.Max(won)) || m[winners] < 1 || m[winners] > 3 {
		t.Errorf("won %v, measured %g and %g", won, m[largest], m[winners])
	}
	if !(m[seconds] > 0 && m[transported] > 0 && m[weighed] > 0 && m[transported]+m[weighed] < 100) {
		t.Errorf("%g s, of which %g and %g %%", m[seconds], m[transported], m[weighed])
	}
	for method, timed := range map[string][2]bool{"fedavg": {}, "mgda": {false, true}, "most-l": {true, false}, "most-o": {false, true}} {
		m := measure(t, s, &Cell{Rho: 0, Method: method}, 0.1)
		if got := [2]bool{m[transported] > 0, m[weighed] > 0}; got != timed {
			t.Errorf("%s: transport and weights take time: %v, want %v", method, got, timed)
		}
	}
}

// TestMethods checks that the runs of all methods differ, and that linearization uses one point of the simplex per
// solution.
func TestMethods(t *testing.T) {
	c := small()
	c.Clients, c.Most, c.Solutions, c.Epochs = 13, 200, 4, 12
	s := tables.Begin(t, c)
	seen := map[string]string{}
	for _, m := range methods {
		r, err := s.begin(&Cell{Rho: 0.5, Method: m.name}, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		for r.Left > 0 {
			if _, err := r.Advance(step); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		for _, v := range r.Stepper.View().X {
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		}
		if other, twice := seen[b.String()]; twice {
			t.Errorf("%s does as %s", m.name, other)
		}
		seen[b.String()] = m.name
	}
	w := fixedWeights(30, 5, 1)
	for j := range w {
		var sum float64
		for _, v := range w[j] {
			sum += v
		}
		if math.Abs(sum-1) > 1e-12 || slices.Min(w[j]) < 0 || j > 0 && slices.Equal(w[j], w[0]) {
			t.Errorf("the weights of linearization %d are %v", j, w[j])
		}
	}
}

// TestPaired checks that gains are means of the differences between runs with the same data. The standard error of a
// gain is the standard deviation of the differences divided by the square root of the number of runs.
func TestPaired(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	a, b := s.cell("most", 1), s.cell("mgda", 1)
	d := [2]float64{a.Each(accuracy)[0] - b.Each(accuracy)[0], a.Each(accuracy)[1] - b.Each(accuracy)[1]}
	gain := a.over(b)
	got, failure := gain.Mean, gain.Spread
	if math.Abs(got-(d[0]+d[1])/2) > 1e-12 || math.Abs(failure-math.Abs(d[0]-d[1])/2) > 1e-12 {
		t.Errorf("the gain is %g ± %g of the differences %v", got, failure, d)
	}
	if d := a.over(a); d.Known() || !math.IsNaN(d.Spread) {
		t.Errorf("a method gains %+v on itself", d)
	}
	lines, err := csv.NewReader(strings.NewReader(experimenttest.CSV(t, s))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	row := lines[slices.IndexFunc(lines, func(l []string) bool { return l[0] == "1.0" && l[1] == "most" })]
	for name, want := range map[string]float64{"over_mgda": got, "over_mgda_se": failure, "paper_accuracy": 92.21, "eta": a.Rate} {
		if v := row[slices.Index(lines[0], name)]; v != data.Real(want) {
			t.Errorf("the file has %s for %s, want %g", v, name, want)
		}
	}
}

// TestResume checks that the cells of an earlier file are not computed again. A file of other tables gives an error
// that names the line.
func TestResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, small(), 2))
	lines := strings.SplitAfter(strings.TrimSuffix(full, "\n"), "\n")
	if len(lines) != 1+2*len(methods) {
		t.Fatalf("there are %d lines", len(lines))
	}
	names := strings.Split(strings.TrimSpace(lines[0]), ",")
	with := func(line, name, value string) string {
		fields := strings.Split(line, ",")
		fields[slices.Index(names, name)] = value
		return strings.Join(fields, ",")
	}
	marked := with(lines[3], "worst20", "12.5") // a number that no run gives shows which rows come from the file
	s := tables.Begin(t, small())
	if err := experiment.Resume(s.Grid, strings.NewReader(lines[0]+lines[1]+marked)); err != nil {
		t.Fatal(err)
	}
	if done, wanted := s.Parts(); done != 6 || wanted != 3*2*len(methods) {
		t.Errorf("%d of %d parts are taken over", done, wanted)
	}
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if got := experimenttest.CSV(t, s); !same(t, got, strings.Replace(full, lines[3], marked, 1)) {
		t.Errorf("resumed, the tables are\n%s", got)
	}
	if s.cell("mgda", 0).Rate == 0 {
		t.Error("the rate is not taken over")
	}
	for _, c := range []struct{ text, where string }{
		{"", "line 1"}, {"rho,method\n", "line 1"}, {lines[0] + with(lines[1], "method", "psmgd"), "line 2"},
		{lines[0] + lines[1] + with(lines[2], "epochs", "8"), "line 3"}, {lines[0] + with(lines[1], "tried", "50"), "line 2: 1 numbers"},
		{lines[0] + with(lines[1], "accuracies", "50 x"), "line 2: run"}, {lines[0] + with(lines[1], "worst20", "NaN"), "line 2"},
		{lines[0] + lines[1] + lines[1], "same cell"},
	} {
		err := experiment.Resume(tables.Begin(t, small()).Grid, strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.where) {
			t.Errorf("%.200q: error %v, want one with %s", c.text, err, c.where)
		}
	}
}

// TestFiles checks that JSON, text and pictures contain the results, and that they can also be written without results.
func TestFiles(t *testing.T) {
	for _, s := range []*Tables{tables.Complete(t, small(), 2), tables.Begin(t, small())} {
		var j, v, text bytes.Buffer
		if err := errors.Join(s.WriteJSON(&j), s.Picture(0).WriteSVG(&v), s.WriteText(&text)); err != nil {
			t.Fatal(err)
		}
		var decoded struct {
			Experiment string
			Epochs     int
			Cells      []map[string]any
		}
		if err := json.Unmarshal(j.Bytes(), &decoded); err != nil {
			t.Fatal(err)
		}
		if decoded.Experiment != "syn" || decoded.Epochs != 7 || len(decoded.Cells) != 2*len(methods) {
			t.Errorf("JSON of %q with %d epochs and %d cells", decoded.Experiment, decoded.Epochs, len(decoded.Cells))
		}
		done, _ := s.Parts()
		if c := s.cell("fedprox", 1); c.Done {
			i := slices.IndexFunc(decoded.Cells, func(m map[string]any) bool { return m["method"] == "fedprox" && m["rho"] == 1.0 })
			if decoded.Cells[i]["worst60"] != c.Mean[worst60] || decoded.Cells[i]["paper_accuracy"] != 87.58 {
				t.Errorf("JSON has %v", decoded.Cells[i])
			}
			if !strings.Contains(text.String(), c.Estimate(accuracy).Text(2)) {
				t.Errorf("the text has no %q:\n%s", c.Estimate(accuracy).Text(2), text.String())
			}
		}
		for _, want := range []string{"MosT w/o R(Γ)", "92.21 ± 0.08", "ρ = 1", "with at most 60 samples"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the text has no %q", want)
			}
		}
		if unfinished := strings.Contains(v.String(), "runs computed"); unfinished != (done == 0) {
			t.Errorf("with %d runs computed the picture says that some are not: %v", done, unfinished)
		}
		for _, p := range s.Panels() {
			if p.Describe() == "" {
				t.Errorf("%s has no words", p.ID())
			}
		}
		err := (&axes.Figure{Width: 400, Height: 300, Theme: brush.Dark, Placed: axes.Arrange(400, 300, s.Panels(), "worst-1")}).WriteSVG(&v)
		if err != nil || !strings.Contains(v.String(), "Linearization") {
			t.Errorf("a panel alone: error %v", err)
		}
	}
}

func TestRefuses(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"runs = 0":     func(c *Config) { c.Runs = 0 },
		"epochs = 0":   func(c *Config) { c.Epochs = 0 },
		"look = 0":     func(c *Config) { c.Look = 0 },
		"of rates, 0":  func(c *Config) { c.Rates = nil },
		"eta = -1":     func(c *Config) { c.Rates[1] = -1 },
		"rho1 = -1":    func(c *Config) { c.Rho[1] = -1 },
		"clients = -1": func(c *Config) { c.Clients = -1 },
		"most":         func(c *Config) { c.Most = 3 },
	} {
		c := small()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	c := small()
	c.Rates = []float64{1e308}
	if err := experiment.Run(tables.Begin(t, c).Grid, experiment.Options{Jobs: 1}); err == nil || !strings.Contains(err.Error(), "seed 1") {
		t.Errorf("η = 1e308: %v", err)
	}
}

// TestKept checks that docs/syn.csv, which takes an hour to compute, is reproduced when it is read and written again,
// and that docs/syn.md contains the tables of that file.
func TestKept(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
}

// TestKeptSmall checks that docs/syn-small.csv, which takes ten minutes to compute, is reproduced when it is read and
// written again. Each of its runs contains the measures for comparing methods in pairs.
func TestKeptSmall(t *testing.T) {
	s, _ := tables.Kept(t, name+"-small", configFor(experiment.Options{Quick: true, Seeds: 7}))
	for i := range s.Cells() {
		c := &s.Cells()[i]
		for _, number := range runwise {
			each := c.Each(number)
			if mean, _ := experiment.MeanAndDeviation(each); len(each) != 21 || math.Abs(mean-c.Mean[number]) > 1e-9*math.Abs(mean) {
				t.Errorf("%s, ρ = %g: %d runs with the mean %s %g, want 21 with %g", c.Method, c.Rho, len(each), names[number], mean,
					c.Mean[number])
			}
		}
	}
}

// TestFindings checks the statements in docs/syn.md about the tables.
func TestFindings(t *testing.T) {
	text := experimenttest.Words(t, name)
	s, _ := tables.Kept(t, name, Default())
	each := func(format string, value func(rho float64) string) string {
		return fmt.Sprintf(format, value(0), value(0.5), value(1))
	}
	over := func(a, b string) func(rho float64) string {
		return func(rho float64) string {
			return s.cell(a, rho).over(s.cell(b, rho)).Text(1)
		}
	}
	papers := func(a, b string) func(rho float64) string {
		return func(rho float64) string {
			return fmt.Sprintf("%.1f", s.cell(a, rho).paper().Mean-s.cell(b, rho).paper().Mean)
		}
	}
	for _, want := range []string{
		"MosT gains " + each("%s, %s and %s points", over("most", "mgda")) + ", in the paper " + each("%s, %s and %s", papers("most", "mgda")),
		"MosT is " + each("%s, %s and %s points ahead", over("most", "linearization")),
		"drawn at random, in the paper " + each("%s, %s and %s", papers("most", "linearization")),
		"by " + each("%s, %s and %s points over MosT", over("most-l", "most")) + "; in the paper it is behind by " +
			each("%s, %s and %s", papers("most", "most-l")),
		"MosT gains " + each("%s, %s and %s points from it", over("most", "most-nocl")),
		"in the paper " + each("%s, %s and %s", papers("most", "most-nocl")) + ". The published curriculum",
		"**R(Γ)** has no effect on accuracy that these runs tell apart from none ([`regularisation`](claims.md)): " +
			each("%s, %s and %s points", over("most", "most-noreg")),
		"(O) is behind MosT by " + each("%s, %s and %s points", over("most", "most-o")),
		"FedAvg gets " + each("%s, %s and %s", func(rho float64) string {
			return fmt.Sprintf("%.1f", s.cell("fedavg"+equally, rho).Mean[accuracy])
		}),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/syn.md does not say %q", want)
		}
	}
	for _, rho := range s.config.Rho {
		of := func(method string, measure int) float64 { return s.cell(method, rho).Mean[measure] }
		if of("most-l", oracle) >= of("most", oracle) {
			t.Errorf("ρ = %g: MosT(L)'s training loss is the higher", rho)
		}
		if of("most-o", winners) != 5 {
			t.Errorf("ρ = %g: of (O) %g solutions are chosen", rho, of("most-o", winners))
		}
		if d := s.cell("most-published", rho).over(s.cell("most-nocl", rho)); d.Mean > d.Spread {
			t.Errorf("ρ = %g: the published curriculum gains %s", rho, d.Text(1))
		}
		if of("fedavg", divergence) > 0.025 || of("most", divergence) < 1.5 {
			t.Errorf("ρ = %g: predictions diverge by %g and %g", rho, of("fedavg", divergence), of("most", divergence))
		}
		if of("most", transported) >= 1 || of("most", transported) < 0.45 || of("most-noreg", transported) > 0.15 ||
			math.Abs(of("most", weighed)-0.3) > 0.1 {
			t.Errorf("ρ = %g: transport takes %g and %g %%, MGDA %g %%", rho, of("most", transported), of("most-noreg", transported),
				of("most", weighed))
		}
		for i := range methods {
			if _, known := paperAccuracy[methods[i].name]; known && of(methods[i].name, accuracy) > of("most-l", accuracy) {
				t.Errorf("ρ = %g: %s is above MosT(L)", rho, methods[i].name)
			}
		}
	}
}
