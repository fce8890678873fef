package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/scenes/panel"
)

const noCleaning = "nocleaning"

// HyperCleaningConfig is what the tables of hyper-cleaning are computed for.
type HyperCleaningConfig struct {
	Problem problem.HyperCleaningConfig // its Seed is that of the first run; the others count on
	T       []int                       // lower steps
	Rho     []float64                   // FORUM's
	// Compared is the ρ with which FORUM stands beside the other methods, one of Rho.
	Compared float64
	Runs     int // a cell, ≥ 1, each with other data
	Steps    int // upper steps a run, ≥ 1
	Eta      float64
	Mu       float64 // of α
	MuOmega  float64 // of ω, FORUM's
}

// DefaultHyperCleaning is the command line's: the paper's T, ρ and step sizes, on data
// sets of 40 samples, with a shared hidden layer.
func DefaultHyperCleaning() HyperCleaningConfig {
	return HyperCleaningConfig{
		Problem: problem.HyperCleaningConfig{Classes: 3, Train: 40, Validation: 30, Selection: 100, Test: 400,
			Corruption: 0.5, Spread: 0.4, Hidden: 8, Ridge: problem.DefaultHyperCleaningRidge, Seed: 1},
		T: []int{16, 32, 64, 128}, Rho: []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9}, Compared: 0.5,
		Runs: 3, Steps: 200, Eta: 0.3, Mu: 10, MuOmega: 0.3,
	}
}

// PageHyperCleaning is the page's: fewer T and ρ, and no hidden layer, so that it takes
// half a minute there.
func PageHyperCleaning() HyperCleaningConfig {
	c := DefaultHyperCleaning()
	c.Problem.Hidden, c.Problem.Test = 0, 200
	c.T, c.Rho, c.Steps = []int{16, 32, 64}, []float64{0, 0.5, 0.9}, 100
	return c
}

// What is measured of a run, in the order of HyperCleaningCell's numbers. Accuracy and
// F1 are in percent and of the test samples. Those named last are of the last
// iteration, the others of the first one with the best accuracy on validation 2.
const (
	accuracy1 = iota
	f11
	accuracy2
	f12
	accuracyBoth // mean of the data sets
	detection    // AUC of the weights, in [0, 1]
	chosenAt     // the iteration
	lastAccuracy // mean of the data sets
	lastDetection
	lastQ // q̃, NaN for methods without
	hyperCleaningMeasures
)

var hyperCleaningNames = [hyperCleaningMeasures]string{"accuracy1", "f1_1", "accuracy2", "f1_2", "accuracy", "auc", "k", "last_accuracy", "last_auc", "last_q"}

// HyperCleaningCell is a method with a T and, for FORUM, a ρ.
type HyperCleaningCell struct {
	Method string
	T      int
	Rho    float64 // NaN for methods other than FORUM
	// Mean and Deviation, the sample standard deviation, of what the runs measure. The
	// deviation of a single run is NaN.
	Mean, Deviation [hyperCleaningMeasures]float64
	Done            bool

	runs    [][hyperCleaningMeasures]float64 // those that are complete, while it is not
	current *cleaningRun                     // the one under way
}

// HyperCleaning compares FORUM with MOML, MoCo and no cleaning on toy hyper-cleaning,
// over T and over FORUM's ρ: Tables 1 and 5 of its paper in miniature. Every run has
// its own data, the same in all cells.
type HyperCleaning struct {
	config HyperCleaningConfig
	cells  []HyperCleaningCell // methods by T, then FORUM by ρ and T
	panels []panel.Panel
}

// NewHyperCleaning returns tables with nothing computed yet, or an error that names
// the value that is out of range.
func NewHyperCleaning(c HyperCleaningConfig) (*HyperCleaning, error) {
	if c.Runs < 1 || c.Steps < 1 {
		return nil, fmt.Errorf("experiment: runs = %d and steps = %d must be positive", c.Runs, c.Steps)
	}
	if !slices.Contains(c.Rho, c.Compared) {
		return nil, fmt.Errorf("experiment: compared = %v must be one of rho = %v", c.Compared, c.Rho)
	}
	s := &HyperCleaning{config: c}
	for _, method := range []string{noCleaning, moml, moco} {
		for _, t := range c.T {
			s.cells = append(s.cells, HyperCleaningCell{Method: method, T: t, Rho: math.NaN()})
		}
	}
	for _, rho := range c.Rho {
		for _, t := range c.T {
			s.cells = append(s.cells, HyperCleaningCell{Method: forum, T: t, Rho: rho})
		}
	}
	p, err := problem.NewHyperCleaning(c.Problem)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	for i := range s.cells { // every cell's configuration is checked before anything is computed
		if _, err := s.stepper(&s.cells[i], p); err != nil {
			return nil, fmt.Errorf("experiment: %w", err)
		}
	}
	s.panels = s.newPanels()
	return s, nil
}

func (s *HyperCleaning) stepper(c *HyperCleaningCell, p *problem.HyperCleaning) (bilevel.Stepper, error) {
	loop, upper, start := bilevel.Loop{Steps: c.T, StepSize: s.config.Eta}, bilevel.Upper{StepSize: s.config.Mu}, p.Start()
	switch c.Method {
	case noCleaning:
		return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: start, Loop: loop})
	case moml:
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: loop, Upper: upper})
	case moco:
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Beta: 0.5, Gamma: 0.1})
	}
	upper.OmegaStepSize = s.config.MuOmega
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: c.Rho})
}

// cleaningRun is one run of a cell under way.
type cleaningRun struct {
	problem  *problem.HyperCleaning
	stepper  bilevel.Stepper
	left     int     // steps
	best     float64 // accuracy on validation 2 so far
	measured [hyperCleaningMeasures]float64
}

// begin starts a run of a cell.
func (s *HyperCleaning) begin(c *HyperCleaningCell, run int) (*cleaningRun, error) {
	config := s.config.Problem
	config.Seed += uint64(run)
	p, err := problem.NewHyperCleaning(config)
	if err != nil {
		return nil, err
	}
	stepper, err := s.stepper(c, p)
	if err != nil {
		return nil, err
	}
	r := &cleaningRun{problem: p, stepper: stepper, left: s.config.Steps, best: -1}
	r.look()
	return r, nil
}

// look measures the point, if it is the best so far or the last.
func (r *cleaningRun) look() {
	v, m := r.stepper.View(), &r.measured
	selection := 0.0
	for set := range problem.HyperCleaningSets {
		a, _ := r.problem.Score(v.X, set, problem.Selection)
		selection += a
	}
	if selection > r.best {
		r.best = selection
		for set := range problem.HyperCleaningSets {
			a, f1 := r.problem.Score(v.X, set, problem.Test)
			m[accuracy1+2*set], m[f11+2*set] = 100*a, 100*f1
		}
		m[accuracyBoth] = (m[accuracy1] + m[accuracy2]) / 2
		m[detection], m[chosenAt] = r.problem.Detection(v.X), float64(v.K)
	}
	if r.left == 0 {
		for set := range problem.HyperCleaningSets {
			a, _ := r.problem.Score(v.X, set, problem.Test)
			m[lastAccuracy] += 100 * a / problem.HyperCleaningSets
		}
		m[lastDetection], m[lastQ] = r.problem.Detection(v.X), r.stepper.Trace().Q
	}
}

// advance makes a step of the run, which has some left.
func (r *cleaningRun) advance() error {
	status, err := r.stepper.Step()
	if err == nil && status != algo.Running {
		err = fmt.Errorf("iteration %d ends as %v", r.stepper.View().K, status)
	}
	if err != nil {
		return err
	}
	r.left--
	r.look()
	return nil
}

// work goes on with a cell while more() holds, and reports whether it is complete.
func (s *HyperCleaning) work(c *HyperCleaningCell, more func() bool) (complete bool, err error) {
	for run := len(c.runs); run < s.config.Runs; run++ {
		if c.current == nil {
			if c.current, err = s.begin(c, run); err != nil {
				return false, err
			}
		}
		for c.current.left > 0 {
			if !more() {
				return false, nil
			}
			if err := c.current.advance(); err != nil {
				return false, fmt.Errorf("%s, T = %d, seed %d: %w", c.Method, c.T, s.config.Problem.Seed+uint64(run), err)
			}
		}
		c.runs, c.current = append(c.runs, c.current.measured), nil
	}
	var values []float64
	for i := range c.Mean {
		values = values[:0]
		for _, measured := range c.runs {
			values = append(values, measured[i])
		}
		c.Mean[i], c.Deviation[i] = meanAndDeviation(values)
	}
	c.Done = true
	return true, nil
}

// Work computes while more() holds, and reports whether anything is left.
func (s *HyperCleaning) Work(more func() bool) (pending bool, err error) {
	for i := range s.cells {
		c := &s.cells[i]
		if c.Done {
			continue
		}
		if complete, err := s.work(c, more); !complete || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// meanAndDeviation returns the mean and the sample standard deviation, NaN for that of
// a single value.
func meanAndDeviation(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(values)-1))
}

// Cells returns the cells: no cleaning, MOML and MoCo by T, then FORUM by ρ and T. The
// caller does not modify them.
func (s *HyperCleaning) Cells() []HyperCleaningCell { return s.cells }

// done is the number of complete cells.
func (s *HyperCleaning) done() int {
	count := 0
	for i := range s.cells {
		if s.cells[i].Done {
			count++
		}
	}
	return count
}

// cell finds a cell; ρ counts for FORUM alone.
func (s *HyperCleaning) cell(method string, t int, rho float64) *HyperCleaningCell {
	i := slices.IndexFunc(s.cells, func(c HyperCleaningCell) bool {
		return c.Method == method && c.T == t && (method != forum || c.Rho == rho)
	})
	return &s.cells[i]
}

// paperRow is a row of the paper's Table 1: accuracy and F1 on MNIST, then on
// FashionMNIST, in percent, means over three seeds.
type paperRow struct {
	method string
	t      int
	values [4]float64
}

var paperTable1 = []paperRow{
	{moml, 16, [4]float64{88.81, 88.78, 79.98, 79.59}}, {moco, 16, [4]float64{88.25, 88.22, 80.09, 79.65}}, {forum, 16, [4]float64{90.79, 90.79, 82.37, 82.10}},
	{moml, 32, [4]float64{87.29, 87.26, 80.63, 80.50}}, {moco, 32, [4]float64{87.59, 87.56, 80.42, 80.41}}, {forum, 32, [4]float64{90.65, 90.63, 82.11, 81.79}},
	{moml, 64, [4]float64{88.64, 88.61, 80.64, 80.60}}, {moco, 64, [4]float64{88.05, 88.03, 80.94, 80.67}}, {forum, 64, [4]float64{90.81, 90.81, 82.07, 81.72}},
	{moml, 128, [4]float64{88.88, 88.86, 80.31, 80.10}}, {moco, 128, [4]float64{88.21, 88.20, 80.31, 79.81}}, {forum, 128, [4]float64{90.13, 90.11, 82.07, 81.79}},
}

// paperTable5 is the part of the paper's Table 5 with η = 0.3: mean accuracy of both
// data sets in percent, by ρ and T.
var paperTable5 = map[float64]map[int]float64{
	0:   {16: 83.94, 32: 84.07, 64: 84.30, 128: 83.94},
	0.1: {16: 85.44, 32: 85.52, 64: 85.50, 128: 85.32},
	0.3: {16: 85.99, 32: 86.18, 64: 85.92, 128: 85.96},
	0.5: {16: 86.58, 32: 86.38, 64: 86.44, 128: 86.10},
	0.7: {16: 86.53, 32: 86.64, 64: 86.66, 128: 86.48},
	0.9: {16: 86.91, 32: 86.61, 64: 86.51, 128: 86.65},
}

// paperRho is the ρ of the paper's Table 1.
const paperRho = 0.5

// paper returns what the paper reports of a cell on MNIST and FashionMNIST: accuracy
// and F1 of each, and the accuracies' mean. NaN is for what it does not report.
func (c *HyperCleaningCell) paper() (each [4]float64, mean float64) {
	for i := range each {
		each[i] = math.NaN()
	}
	mean = math.NaN()
	if i := slices.IndexFunc(paperTable1, func(r paperRow) bool { return r.method == c.Method && r.t == c.T }); i >= 0 && (c.Method != forum || c.Rho == paperRho) {
		each = paperTable1[i].values
		mean = (each[0] + each[2]) / 2
	}
	if v, ok := paperTable5[c.Rho][c.T]; ok && c.Method == forum {
		mean = v
	}
	return each, mean
}

func runHyperCleaning(o Options) (Outcome, error) {
	c := DefaultHyperCleaning()
	c.Runs *= o.Seeds
	if o.Quick {
		c.T, c.Rho, c.Steps, c.Problem.Hidden = []int{16, 64}, []float64{0, 0.5}, 100, 0
	}
	s, err := NewHyperCleaning(c)
	if err != nil {
		return nil, err
	}
	if err := o.begin("hyper-cleaning", s.resume); err != nil {
		return nil, err
	}
	return s, s.computeAll(o)
}

// computeAll computes what is left, o.Jobs cells at a time.
func (s *HyperCleaning) computeAll(o Options) error {
	return computeEach(len(s.cells), o, s, func(i int) (func(), error) {
		cell := s.cells[i] // only this call changes it
		var err error
		if !cell.Done {
			_, err = s.work(&cell, func() bool { return true })
		}
		return func() { s.cells[i] = cell }, err
	})
}

// hyperCleaningHead is the first line of the CSV file. The paper's columns are of
// another problem.
func hyperCleaningHead() []string {
	head := []string{"method", "T", "rho", "hidden", "runs", "steps"}
	for _, name := range hyperCleaningNames {
		head = append(head, name, name+"_sd")
	}
	return append(head, "paper_mnist_accuracy", "paper_mnist_f1", "paper_fashion_accuracy", "paper_fashion_f1", "paper_accuracy")
}

// identity are the columns that say which cell a line is of.
func (s *HyperCleaning) identity(c *HyperCleaningCell) []string {
	return []string{c.Method, strconv.Itoa(c.T), known(c.Rho), strconv.Itoa(s.config.Problem.Hidden), strconv.Itoa(s.config.Runs), strconv.Itoa(s.config.Steps)}
}

// known writes a number, "" for NaN.
func known(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return number(v)
}

// WriteCSV writes one line a complete cell. Accuracy and F1 are in percent.
func (s *HyperCleaning) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(hyperCleaningHead()); err != nil {
		return err
	}
	for i := range s.cells {
		c := &s.cells[i]
		if !c.Done {
			continue
		}
		line := s.identity(c)
		for i := range hyperCleaningNames {
			line = append(line, known(c.Mean[i]), known(c.Deviation[i]))
		}
		each, mean := c.paper()
		for _, v := range append(each[:], mean) {
			line = append(line, known(v))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// resume takes over the cells of an earlier CSV file. Lines of another configuration
// are an error.
func (s *HyperCleaning) resume(r io.Reader) error {
	lines, err := readTable(r, hyperCleaningHead())
	if err != nil {
		return err
	}
	for n, line := range lines {
		i := slices.IndexFunc(s.cells, func(c HyperCleaningCell) bool {
			id := s.identity(&c)
			return slices.Equal(id, line[:len(id)])
		})
		if i < 0 {
			return fmt.Errorf("line %d: not a cell of this table", n+2)
		}
		c := &s.cells[i]
		from := len(s.identity(c))
		for j, name := range hyperCleaningNames {
			for k, dst := range []*float64{&c.Mean[j], &c.Deviation[j]} {
				text := line[from+2*j+k]
				// Nothing but q̃ and the deviation of one run may be unknown.
				mayLack := j == lastQ && c.Method != forum || k == 1 && s.config.Runs == 1
				if text == "" && mayLack {
					*dst = math.NaN()
					continue
				}
				v, err := strconv.ParseFloat(text, 64)
				if err != nil || math.IsNaN(v-v) {
					return fmt.Errorf("line %d: %s %q is no number", n+2, name, text)
				}
				*dst = v
			}
		}
		c.Done = true
	}
	return nil
}

// MarshalJSON writes null for what is not known.
func (c *HyperCleaningCell) MarshalJSON() ([]byte, error) {
	value := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	out := map[string]any{"method": c.Method, "T": c.T, "rho": value(c.Rho)}
	for i, name := range hyperCleaningNames {
		out[name], out[name+"_sd"] = nil, nil
		if c.Done {
			out[name], out[name+"_sd"] = value(c.Mean[i]), value(c.Deviation[i])
		}
	}
	each, mean := c.paper()
	out["paper"] = map[string]any{"mnist_accuracy": value(each[0]), "mnist_f1": value(each[1]),
		"fashion_accuracy": value(each[2]), "fashion_f1": value(each[3]), "accuracy": value(mean)}
	return json.Marshal(out)
}

// WriteJSON writes {"experiment", "runs", "steps", "eta", "mu", "muomega", "problem", "cells"}.
func (s *HyperCleaning) WriteJSON(w io.Writer) error {
	c, p := &s.config, &s.config.Problem
	cells := make([]*HyperCleaningCell, len(s.cells))
	for i := range cells {
		cells[i] = &s.cells[i]
	}
	return json.NewEncoder(w).Encode(map[string]any{
		"experiment": "hyper-cleaning", "runs": c.Runs, "steps": c.Steps, "eta": c.Eta, "mu": c.Mu, "muomega": c.MuOmega,
		"problem": map[string]any{"classes": p.Classes, "train": p.Train, "validation": p.Validation, "selection": p.Selection, "test": p.Test,
			"corruption": p.Corruption, "spread": p.Spread, "hidden": p.Hidden, "ridge": p.Ridge, "seed": p.Seed},
		"cells": cells,
	})
}

// WriteSVG draws the panels in one picture.
func (s *HyperCleaning) WriteSVG(w io.Writer) error {
	const width, height = 1280, 840
	return panel.WriteSVG(w, width, height, panel.Light, panel.Arrange(width, height, s.panels, ""))
}

// titles of the methods in tables and legends.
var hyperCleaningTitles = map[string]string{noCleaning: "no cleaning", moml: "MOML", moco: "MoCo", forum: "FORUM"}

// compared are the methods of the first table.
var hyperCleaningCompared = []string{noCleaning, moml, moco, forum}

// with writes a mean with its deviation.
func (c *HyperCleaningCell) with(measure, decimals int) string {
	text := strconv.FormatFloat(c.Mean[measure], 'f', decimals, 64)
	if d := c.Deviation[measure]; !math.IsNaN(d) {
		text += " ± " + strconv.FormatFloat(d, 'f', decimals, 64)
	}
	return text
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// WriteText writes the two tables for people.
func (s *HyperCleaning) WriteText(w io.Writer) error {
	c, p := &s.config, &s.config.Problem
	var b strings.Builder
	fmt.Fprintf(&b, "Toy hyper-cleaning: %d training samples for each of two data sets in the plane, %.0f %% of the labels wrong, %d validation samples, %d hidden units.\n",
		p.Train, 100*p.Corruption, p.Validation, p.Hidden)
	fmt.Fprintf(&b, "Test accuracy and F1 in %%, at the iteration of %d that is best on validation 2; detection is the weights' AUC at the last one. Mean ± deviation of %d runs.\n", c.Steps, c.Runs)
	fmt.Fprint(&b, "The paper's columns are of another problem, MNIST and FashionMNIST with a network: compare who leads, not the numbers.\n\n")
	fmt.Fprintf(&b, "Methods, FORUM with ρ = %g (the paper's Table 1)\n\n", c.Compared)
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "T\tmethod\taccuracy 1\tF1 1\taccuracy 2\tF1 2\tdetection\tpaper: MNIST\tF1\tFashion\tF1")
	for _, t := range c.T {
		for _, method := range hyperCleaningCompared {
			cell := s.cell(method, t, c.Compared)
			if !cell.Done {
				continue
			}
			each, _ := cell.paper()
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t, hyperCleaningTitles[method],
				cell.with(accuracy1, 1), cell.with(f11, 1), cell.with(accuracy2, 1), cell.with(f12, 1), cell.with(lastDetection, 3),
				orDash(each[0]), orDash(each[1]), orDash(each[2]), orDash(each[3]))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprint(&b, "\nFORUM by ρ: mean accuracy of both data sets, q̃ at the last iteration, and the paper's accuracy (its Table 5)\n\n")
	out = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "ρ")
	for _, t := range c.T {
		fmt.Fprintf(out, "\tT = %d\tq̃\tpaper", t)
	}
	fmt.Fprintln(out)
	for _, rho := range c.Rho {
		fmt.Fprint(out, number(rho))
		for _, t := range c.T {
			cell := s.cell(forum, t, rho)
			if !cell.Done {
				fmt.Fprint(out, "\t–\t–\t–")
				continue
			}
			_, mean := cell.paper()
			fmt.Fprintf(out, "\t%s\t%.1e\t%s", cell.with(accuracyBoth, 1), cell.Mean[lastQ], orDash(mean))
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Panels returns accuracy, detection and the paper's accuracy, over T and over ρ.
func (s *HyperCleaning) Panels() []panel.Panel { return s.panels }

// hyperCleaningChart is one panel: a measure over T, or over ρ at each T.
type hyperCleaningChart struct {
	name, heading, label string
	lo, hi               float64
	// NaN for what is not known, or not yet
	value func(c *HyperCleaningCell) (mean, deviation float64)
}

// computed is a measure of cells that are done.
func computed(measure int) func(c *HyperCleaningCell) (mean, deviation float64) {
	return func(c *HyperCleaningCell) (float64, float64) {
		if !c.Done {
			return math.NaN(), math.NaN()
		}
		return c.Mean[measure], c.Deviation[measure]
	}
}

func (s *HyperCleaning) newPanels() []panel.Panel {
	charts := []hyperCleaningChart{
		{"accuracy", "Test accuracy here", "%, mean of both data sets", 40, 100, computed(accuracyBoth)},
		{"detection", "Wrong labels detected here", "AUC of the weights", 0.4, 1.04, computed(lastDetection)},
		{"paper", "In the paper, on MNIST and FashionMNIST", "%, mean of both data sets", 80, 90,
			func(c *HyperCleaningCell) (float64, float64) {
				_, mean := c.paper()
				return mean, math.NaN()
			}},
	}
	var out []panel.Panel
	for _, chart := range charts {
		out = append(out, s.overT(chart))
	}
	for _, chart := range charts {
		if chart.name == "accuracy" {
			chart.lo = 80 // without no cleaning the lines lie close
		}
		out = append(out, s.overRho(chart))
	}
	return out
}

// drawCells draws a line through what is known of cells, with whiskers of one deviation.
func drawCells(b *panel.Brush, cells []*HyperCleaningCell, x func(c *HyperCleaningCell) float64, chart hyperCleaningChart, look panel.Look) {
	b.Line(len(cells), func(i int) (float64, float64) {
		mean, _ := chart.value(cells[i])
		return x(cells[i]), mean
	}, look.Stroke(1.75))
	for _, c := range cells {
		mean, deviation := chart.value(c)
		if math.IsNaN(mean) {
			continue
		}
		if !math.IsNaN(deviation) {
			b.Line(2, func(i int) (float64, float64) { return x(c), mean + deviation*float64(2*i-1) }, panel.Stroke{Color: look.Hue, Width: 1})
		}
		b.Marker(x(c), mean, look.Shape, 4, look.Hue, true)
	}
}

func (s *HyperCleaning) overT(chart hyperCleaningChart) panel.Panel {
	c := &s.config
	lines := func() map[string][]*HyperCleaningCell {
		out := map[string][]*HyperCleaningCell{}
		for _, method := range hyperCleaningCompared {
			for _, t := range c.T {
				out[method] = append(out[method], s.cell(method, t, c.Compared))
			}
		}
		return out
	}
	return &panel.Plane{
		Name: chart.name + "-T", Heading: chart.heading,
		Text: func() string {
			var parts []string
			for _, method := range hyperCleaningCompared {
				for _, cell := range lines()[method] {
					if mean, _ := chart.value(cell); !math.IsNaN(mean) {
						parts = append(parts, fmt.Sprintf("%s %.3g at T = %d", hyperCleaningTitles[method], mean, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, against T. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			x := panel.Axis{Label: "lower steps T"}
			for _, t := range c.T {
				x.Categories = append(x.Categories, strconv.Itoa(t))
			}
			return x, panel.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for _, method := range hyperCleaningCompared {
				if method != noCleaning || chart.name != "paper" { // which has no such number
					out = append(out, t.Look(method).Entry(hyperCleaningTitles[method]))
				}
			}
			if done := s.done(); done < len(s.cells) && chart.name != "paper" {
				out = append(out, panel.Entry{Label: fmt.Sprintf("%d of %d computed", done, len(s.cells))})
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Draw: func(b *panel.Brush) {
				all := lines()
				for i, method := range hyperCleaningCompared {
					// A little apart, so that whiskers do not hide each other.
					shift := 0.06 * (float64(i) - float64(len(hyperCleaningCompared)-1)/2)
					drawCells(b, all[method], func(cell *HyperCleaningCell) float64 { return float64(slices.Index(c.T, cell.T)) + shift }, chart, b.Theme.Look(method))
				}
			}}}
		},
	}
}

// rhoShapes tell the T of the lines over ρ apart, together with their lightness.
var rhoShapes = [...]panel.Shape{panel.Circle, panel.Square, panel.Triangle, panel.Diamond}

func (s *HyperCleaning) overRho(chart hyperCleaningChart) panel.Panel {
	c := &s.config
	look := func(t *panel.Theme, i int) panel.Look {
		return panel.Look{Hue: t.Objective(i, len(c.T)), Shape: rhoShapes[i%len(rhoShapes)]}
	}
	line := func(t int) (out []*HyperCleaningCell) {
		for _, rho := range c.Rho {
			out = append(out, s.cell(forum, t, rho))
		}
		return out
	}
	return &panel.Plane{
		Name: chart.name + "-rho", Heading: chart.heading + ", FORUM",
		Text: func() string {
			var parts []string
			for _, t := range c.T {
				for _, cell := range line(t) {
					if mean, _ := chart.value(cell); !math.IsNaN(mean) {
						parts = append(parts, fmt.Sprintf("%.3g at ρ = %g, T = %d", mean, cell.Rho, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, for FORUM against ρ. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			return panel.Axis{Label: "ρ", Min: -0.05, Max: 0.95}, panel.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for i, lower := range c.T {
				out = append(out, look(t, i).Entry(fmt.Sprint("T = ", lower)))
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Draw: func(b *panel.Brush) {
				for i, t := range c.T {
					shift := 0.008 * (float64(i) - float64(len(c.T)-1)/2)
					drawCells(b, line(t), func(c *HyperCleaningCell) float64 { return c.Rho + shift }, chart, look(b.Theme, i))
				}
			}}}
		},
	}
}
