package experiment

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/scenes/panel"
)

// Methods whose upper steps are measured.
const (
	forum = "forum"
	moml  = "moml"
	moco  = "moco"
)

// CostLine is a method whose upper steps are measured and, for one that
// differentiates through the lower level's loop, how.
type CostLine struct {
	Method string       // "forum", "moml" or "moco"
	Mode   bilevel.Mode // of moml and moco; FORUM has none
}

// Title names the method, "" where it is none.
func (l CostLine) Title() string {
	return map[string]string{forum: "FORUM", moml: "MOML", moco: "MoCo"}[l.Method]
}

// Label names the line. Reverse mode, which the paper compares with, goes without
// saying.
func (l CostLine) Label() string {
	if l.differentiates() && l.Mode == bilevel.Forward {
		return l.Title() + " forward"
	}
	return l.Title()
}

func (l CostLine) differentiates() bool { return l.Method != forum }

// ModeName is the name of the mode, "" for FORUM.
func (l CostLine) ModeName() string {
	if l.differentiates() {
		return l.Mode.String()
	}
	return ""
}

// costSize is what the cost of an upper step depends on. T and p are real numbers
// here, since lines are drawn between whole ones.
type costSize struct{ n, m, t, p float64 }

// gradients is the number of gradients that an upper step evaluates: those of the
// m upper objectives and of T lower steps, and with FORUM ∇f at the loop's end.
// The loop's first gradient is a part of FORUM's ∇f(z).
func (l CostLine) gradients(s costSize) float64 {
	if l.differentiates() {
		return s.m + s.t
	}
	return s.m + s.t + 1
}

// products is the number of products of the lower Hessian with a vector: one for
// each lower step and each objective in reverse mode, each upper variable in
// forward mode.
func (l CostLine) products(s costSize) float64 {
	switch {
	case !l.differentiates():
		return 0
	case l.Mode == bilevel.Forward:
		return s.n * s.t
	}
	return s.m * s.t
}

// floats is the number of floats that a step holds at once, as the steppers count
// them.
func (l CostLine) floats(s costSize) float64 {
	both := s.n + s.p
	if !l.differentiates() {
		return (s.m+4)*both + 2*s.p + 3*s.m
	}
	held := (s.m+2)*both + s.p + s.m
	if l.Mode == bilevel.Forward {
		held += s.n * s.p
	} else {
		held += s.p * s.t
	}
	if l.Method == moco {
		held += s.m * s.n
	}
	return held
}

// formulas say what gradients, products and floats count.
func (l CostLine) formulas() (gradients, products, floats string) {
	if !l.differentiates() {
		return "T + m + 1", "none", "(m + 4)(n + p) + 2p + 3m, whatever T is"
	}
	products, floats = "mT", "(m + 2)(n + p) + p + m + pT"
	if l.Mode == bilevel.Forward {
		products, floats = "nT", "(m + 2)(n + p) + p + m + np"
	}
	if l.Method == moco {
		floats += " + mn"
	}
	return "T + m", products, floats
}

// work is what a step multiplies and adds: the gradients of f and the products,
// p(n+p) each with a dense Hessian, the upper gradients, n+p each, and the two values
// of f in FORUM's q̃. Measured times follow it up to one factor a line.
func (l CostLine) work(s costSize) float64 {
	dense := l.gradients(s) - s.m + l.products(s)
	if !l.differentiates() {
		dense += 2
	}
	return dense*s.p*(s.n+s.p) + s.m*(s.n+s.p)
}

// ForumCostConfig is what the cost of an upper step is measured for.
type ForumCostConfig struct {
	Lines    []CostLine
	N        int // n ≥ 1, upper variables
	M        int // m ≥ 1, upper objectives
	T        int // T ≥ 1 where p varies
	P        int // p ≥ 1 where T varies
	LargestT int // T goes up to it from a sixteenth, each twice the one before
	LargestP int // likewise
	// Repeats is the number of batches whose times are taken of every cell, ≥ 1.
	Repeats int
	// Batch is the least time of a batch, > 0. As many steps fit in as it takes.
	Batch time.Duration
	// MostWork is the number of multiplications of one step above which a cell is left
	// out, 0 for no such limit: a step cannot be interrupted.
	MostWork float64
	Seed     uint64
	// Clock tells the time since some moment.
	Clock func() time.Duration
}

// costCondition is the condition number of the problems' lower level. The lower
// step size is half of the largest stable one.
const (
	costCondition = 10
	costEta       = 1
	costMu        = 0.02
	costRho       = 0.3 // FORUM's ρ of its paper
)

// DefaultForumCost is the figure of the command line: T varies as in the paper, with
// sizes that take seconds.
func DefaultForumCost() ForumCostConfig {
	return ForumCostConfig{
		Lines: []CostLine{{Method: forum}, {Method: moml}, {Method: moml, Mode: bilevel.Forward}, {Method: moco}},
		N:     32, M: 2, T: 64, P: 128, LargestT: 256, LargestP: 512,
		Repeats: 11, Batch: time.Millisecond, Seed: 1, Clock: Stopwatch(),
	}
}

// Stopwatch is a clock that starts now, for ForumCostConfig.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// CostCell is one method at one size.
type CostCell struct {
	CostLine
	T, P int
	// Times of the batches so far, in seconds an upper step.
	Times []float64
	// Time is their median, Low and High their quartiles; NaN without any.
	Time, Low, High float64
	// What a step costs, 0 until Counted.
	Gradients, Products, Floats int
	Counted                     bool
	TooLarge                    bool // more work than MostWork: neither counted nor measured

	size costSize
	rig  *costRig
}

// costRig is the stepper of a cell and the batch under way.
type costRig struct {
	stepper bilevel.Stepper
	start   algo.Snapshot // where every batch begins
	group   int           // steps between two looks at the clock
	taken   int           // steps so far

	begun   bool          // the batch
	first   int           // steps taken before it
	elapsed time.Duration // in earlier pieces of Work
}

// add takes the time of a step in one more batch.
func (c *CostCell) add(seconds float64) {
	c.Times = append(c.Times, seconds)
	sorted := slices.Sorted(slices.Values(c.Times))
	c.Time, c.Low, c.High = quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75)
}

// quantile of sorted numbers, linear between two of them.
func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (at-float64(i))*(sorted[j]-sorted[i])
}

// ForumCost measures what an upper step of FORUM, MOML and MoCo costs on random
// quadratic bilevel problems: time, gradients, Hessian-vector products and floats,
// against T at fixed p and against p at fixed T. It is Figure 1 of the paper, with
// problem.RandomBilevel in place of its hyper-cleaning.
//
// Counts come from the steppers and are the same in every call. Times are the
// caller's clock's: a batch is one or more steps from the same point, a cell's time
// the median of its batches. The batches of all cells take turns, there and back, so
// that a slow moment of the machine meets all methods. It works in pieces of a few
// steps.
type ForumCost struct {
	config   ForumCostConfig
	cells    []CostCell // size by size, in the order of the lines
	problems map[int]*problem.RandomBilevel
	panels   []panel.Panel
	show     CostDisplay

	turn    int // of Repeats·len(cells)
	batches int // taken so far
	counted int // cells
	wanted  int // batches of all cells
}

// NewForumCost returns a figure with nothing measured yet, or an error that names
// the value that is out of range.
func NewForumCost(c ForumCostConfig) (*ForumCost, error) {
	for _, d := range []struct {
		name  string
		value int
	}{{"n", c.N}, {"m", c.M}, {"T", c.T}, {"p", c.P}, {"largest T", c.LargestT}, {"largest p", c.LargestP}, {"repetitions", c.Repeats}} {
		if d.value < 1 {
			return nil, fmt.Errorf("experiment: %s = %d: it must be at least 1", d.name, d.value)
		}
	}
	if c.Batch <= 0 {
		return nil, fmt.Errorf("experiment: batch = %v: it must be positive", c.Batch)
	}
	if !(c.MostWork >= 0) {
		return nil, fmt.Errorf("experiment: most work = %v: it must not be negative", c.MostWork)
	}
	if c.Clock == nil {
		return nil, errors.New("experiment: clock: there must be one")
	}
	if len(c.Lines) == 0 {
		return nil, errors.New("experiment: lines: there must be at least one")
	}
	for _, l := range c.Lines {
		if l.differentiates() && !slices.Contains(bilevel.Modes(), l.Mode) {
			return nil, fmt.Errorf("experiment: mode %v: must be one of %v", l.Mode, bilevel.Modes())
		}
		if l.Title() == "" {
			return nil, fmt.Errorf("experiment: method %q: must be one of %s %s %s", l.Method, forum, moml, moco)
		}
	}
	s := &ForumCost{config: c, problems: map[int]*problem.RandomBilevel{}}
	type size struct{ t, p int }
	var sizes []size
	add := func(t, p int) {
		if !slices.Contains(sizes, size{t, p}) {
			sizes = append(sizes, size{t, p})
		}
	}
	for _, t := range doublings(c.LargestT) {
		add(t, c.P)
	}
	for _, p := range doublings(c.LargestP) {
		add(c.T, p)
	}
	slices.SortFunc(sizes, func(a, b size) int { return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.p, b.p)) })
	for _, at := range sizes {
		for _, l := range c.Lines {
			cell := CostCell{CostLine: l, T: at.t, P: at.p, Time: math.NaN(), Low: math.NaN(), High: math.NaN(),
				size: costSize{n: float64(c.N), m: float64(c.M), t: float64(at.t), p: float64(at.p)}}
			cell.TooLarge = c.MostWork > 0 && l.work(cell.size) > c.MostWork
			if !cell.TooLarge {
				s.wanted += c.Repeats
			}
			s.cells = append(s.cells, cell)
		}
	}
	s.panels = s.newPanels()
	return s, nil
}

// doublings are most and what halving it four times leaves, in rising order.
func doublings(most int) []int {
	var out []int
	for range 5 {
		if most >= 1 {
			out = append(out, most)
		}
		most /= 2
	}
	slices.Reverse(out)
	return out
}

// Cells returns the cells, size by size; the caller does not modify them.
func (s *ForumCost) Cells() []CostCell { return s.cells }

// Progress is the share of the batches that are done, from 0 to 1.
func (s *ForumCost) Progress() float64 {
	if s.wanted == 0 {
		return 1
	}
	return float64(s.batches) / float64(s.wanted)
}

// Finished reports whether everything is measured.
func (s *ForumCost) Finished() bool { return s.batches == s.wanted }

// problem returns the random problem with p lower variables.
func (s *ForumCost) problem(p int) (*problem.RandomBilevel, error) {
	if known := s.problems[p]; known != nil {
		return known, nil
	}
	condition := float64(costCondition)
	if p == 1 {
		condition = 1
	}
	made, err := problem.NewRandomBilevel(problem.RandomBilevelConfig{N: s.config.N, P: p, M: s.config.M, Condition: condition, Seed: s.config.Seed})
	if err != nil {
		return nil, err
	}
	s.problems[p] = made
	return made, nil
}

// stepper returns the method of a cell at the origin.
func (s *ForumCost) stepper(c *CostCell) (bilevel.Stepper, error) {
	on, err := s.problem(c.P)
	if err != nil {
		return nil, err
	}
	start := make([]float64, s.config.N+c.P)
	loop, upper := bilevel.Loop{Steps: c.T, StepSize: costEta}, bilevel.Upper{StepSize: costMu}
	switch c.Method {
	case moml:
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Mode: c.Mode})
	case moco:
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Mode: c.Mode, Beta: 0.5, Gamma: 0.1})
	}
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Rho: costRho})
}

// prepare makes the stepper of a cell and counts what its first step costs. The
// batches begin after that step, when everything has been allocated.
func (s *ForumCost) prepare(c *CostCell) error {
	stepper, err := s.stepper(c)
	if err != nil {
		return err
	}
	c.rig = &costRig{stepper: stepper, group: 1}
	before := stepper.View().Cost
	if err := c.step(); err != nil {
		return err
	}
	after := stepper.View().Cost
	c.Gradients = after.Backpropagations - before.Backpropagations
	c.Products = after.HessianVectorProducts - before.HessianVectorProducts
	c.Floats = stepper.PeakFloats()
	if !c.Counted {
		c.Counted = true
		s.counted++
	}
	stepper.Save(&c.rig.start)
	return nil
}

func (c *CostCell) step() error {
	c.rig.taken++
	status, err := c.rig.stepper.Step()
	if err == nil && status != algo.Running {
		err = fmt.Errorf("a step ends as %v", status)
	}
	if err != nil {
		return fmt.Errorf("experiment: %s, T = %d, p = %d: %w", c.Label(), c.T, c.P, err)
	}
	return nil
}

// mostReads is how often the clock is read in a row for its next tick: within it comes
// that of the coarsest clock of a browser, a millisecond.
const mostReads = 20_000

// tick waits until the clock shows another time, and returns it. Whoever begins to
// measure there, and ends where the clock changes, does not pay for coarse ticks.
func (s *ForumCost) tick() time.Duration {
	before := s.config.Clock()
	for range mostReads {
		if now := s.config.Clock(); now != before {
			return now
		}
	}
	return before
}

// batch goes on with a batch while more() holds, and reports whether it is complete.
// In a cell's first batch the clock is looked at after every step, later about 32 times
// a batch, since looking takes time too.
func (s *ForumCost) batch(c *CostCell, more func() bool) (complete bool, err error) {
	r := c.rig
	if !r.begun {
		r.start.Rewind()
		r.stepper.Load(&r.start)
		r.begun, r.first, r.elapsed = true, r.taken, 0
	}
	from := s.tick()
	for {
		for range r.group {
			if err := c.step(); err != nil {
				return false, err
			}
		}
		now := s.config.Clock()
		if r.elapsed+now-from >= s.config.Batch {
			steps := r.taken - r.first
			r.begun, r.group = false, max(1, steps/32)
			c.add((r.elapsed + now - from).Seconds() / float64(steps))
			s.batches++
			return true, nil
		}
		if !more() {
			r.elapsed += now - from
			return false, nil
		}
	}
}

// current is the cell whose turn it is, nil when all have had theirs. In every second
// round the order is reversed.
func (s *ForumCost) current() *CostCell {
	for ; s.turn < s.config.Repeats*len(s.cells); s.turn++ {
		round, i := s.turn/len(s.cells), s.turn%len(s.cells)
		if round%2 == 1 {
			i = len(s.cells) - 1 - i
		}
		if c := &s.cells[i]; !c.TooLarge && len(c.Times) <= round {
			return c
		}
	}
	return nil
}

// Work measures while more() holds, and reports whether anything is left.
func (s *ForumCost) Work(more func() bool) (pending bool, err error) {
	for c := s.current(); c != nil; c = s.current() {
		if !more() {
			return true, nil
		}
		if c.rig == nil {
			if err := s.prepare(c); err != nil {
				return false, err
			}
			continue
		}
		complete, err := s.batch(c, more)
		if err != nil {
			return false, err
		}
		if !complete {
			return true, nil
		}
	}
	return false, nil
}

// Factor is the time that a line takes for one multiplication of its work where T,
// or else p, varies, in seconds; ok is false while there is none. It is fitted by least
// squares on logarithms, each cell with the root of its work as weight: what the work
// leaves out counts at small sizes.
func (s *ForumCost) Factor(l CostLine, overT bool) (seconds float64, ok bool) {
	var sum, total float64
	for i := range s.cells {
		c := &s.cells[i]
		if _, here := s.place(c, overT); here && c.CostLine == l && len(c.Times) > 0 {
			work := l.work(c.size)
			weight := math.Sqrt(work)
			sum += weight * math.Log(c.Time/work)
			total += weight
		}
	}
	if total == 0 {
		return 0, false
	}
	return math.Exp(sum / total), true
}

// place reports whether a cell belongs to the figures over T, or else over p, and
// where.
func (s *ForumCost) place(c *CostCell, overT bool) (x float64, ok bool) {
	if overT {
		return float64(c.T), c.P == s.config.P
	}
	return float64(c.P), c.T == s.config.T
}

// runForumCost measures with one job whatever o.Jobs is: jobs at the same time would
// slow each other.
func runForumCost(o Options) (Outcome, error) {
	c := DefaultForumCost()
	c.Repeats *= o.Seeds
	if o.Quick {
		c.N, c.P, c.LargestT, c.LargestP, c.T = 8, 32, 128, 64, 32
		c.Repeats = max(1, c.Repeats/3)
	}
	s, err := NewForumCost(c)
	if err != nil {
		return nil, err
	}
	if err := o.begin("forum-cost", s.resume); err != nil {
		return nil, err
	}
	return s, s.measureAll(o)
}

// measureAll measures everything, batch by batch.
func (s *ForumCost) measureAll(o Options) error {
	for c := s.current(); c != nil; c = s.current() {
		if c.rig == nil {
			if err := s.prepare(c); err != nil {
				return err
			}
		}
		if _, err := s.batch(c, func() bool { return true }); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(s.Progress())
		}
		if o.Partial != nil {
			if err := o.Partial(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// forumCostHead is the first line of the CSV file.
var forumCostHead = []string{"method", "mode", "n", "p", "m", "T", "gradients", "hvp", "floats", "time", "low", "high", "batches"}

// identity are the columns that say which cell a line is of, and its counts.
func (s *ForumCost) identity(c *CostCell) []string {
	whole := func(v float64) string { return strconv.Itoa(int(v)) }
	return []string{c.Method, c.ModeName(), strconv.Itoa(s.config.N), strconv.Itoa(c.P), strconv.Itoa(s.config.M), strconv.Itoa(c.T),
		whole(c.gradients(c.size)), whole(c.products(c.size)), whole(c.floats(c.size))}
}

// WriteCSV writes one line for each cell that has been measured at least once: its
// median and quartiles in seconds, and the times of its batches.
func (s *ForumCost) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(forumCostHead); err != nil {
		return err
	}
	for i := range s.cells {
		c := &s.cells[i]
		if len(c.Times) == 0 {
			continue
		}
		batches := make([]string, len(c.Times))
		for j, t := range c.Times {
			batches[j] = number(t)
		}
		line := s.identity(c)
		line[6], line[7], line[8] = strconv.Itoa(c.Gradients), strconv.Itoa(c.Products), strconv.Itoa(c.Floats)
		if err := out.Write(append(line, number(c.Time), number(c.Low), number(c.High), strings.Join(batches, " "))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// resume takes over the batches of an earlier CSV file. Lines of another
// configuration are an error.
func (s *ForumCost) resume(r io.Reader) error {
	lines, err := readTable(r, forumCostHead)
	if err != nil {
		return err
	}
	for n, line := range lines {
		i := slices.IndexFunc(s.cells, func(c CostCell) bool { return !c.TooLarge && slices.Equal(s.identity(&c), line[:9]) })
		if i < 0 {
			return fmt.Errorf("line %d: not a cell of this figure", n+2)
		}
		c := &s.cells[i]
		batches := strings.Fields(line[12])
		if have := len(c.Times) + len(batches); have > s.config.Repeats {
			return fmt.Errorf("line %d: %d batches of a cell that has %d", n+2, have, s.config.Repeats)
		}
		for _, text := range batches {
			t, err := strconv.ParseFloat(text, 64)
			if err != nil || !(t > 0) || math.IsInf(t, 1) {
				return fmt.Errorf("line %d: batch %q is no time", n+2, text)
			}
			c.add(t)
			s.batches++
		}
		if !c.Counted {
			c.Gradients, c.Products, c.Floats = int(c.gradients(c.size)), int(c.products(c.size)), int(c.floats(c.size))
			c.Counted = true
			s.counted++
		}
	}
	return nil
}

// costCellJSON is a cell in files and in the page's state. Times are in seconds.
type costCellJSON struct {
	Method    string   `json:"method"`
	Mode      *string  `json:"mode"` // null for FORUM
	T         int      `json:"T"`
	P         int      `json:"p"`
	Batches   int      `json:"batches"`
	Time      *float64 `json:"time"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	Gradients *int     `json:"gradients"`
	Products  *int     `json:"hvp"`
	Floats    *int     `json:"floats"`
	TooLarge  bool     `json:"tooLarge"`
}

// MarshalJSON writes null for what is not known yet.
func (c *CostCell) MarshalJSON() ([]byte, error) {
	out := costCellJSON{Method: c.Method, T: c.T, P: c.P, Batches: len(c.Times), TooLarge: c.TooLarge}
	if c.differentiates() {
		mode := c.ModeName()
		out.Mode = &mode
	}
	if len(c.Times) > 0 {
		out.Time, out.Low, out.High = &c.Time, &c.Low, &c.High
	}
	if c.Counted {
		out.Gradients, out.Products, out.Floats = &c.Gradients, &c.Products, &c.Floats
	}
	return json.Marshal(out)
}

// CostFactor is the fitted factor of a line.
type CostFactor struct {
	Method string  `json:"method"`
	Mode   string  `json:"mode"` // "" for FORUM
	Over   string  `json:"over"` // T or p
	Factor float64 `json:"secondsPerMultiplication"`
}

// Factors are those of the lines that have been measured.
func (s *ForumCost) Factors() []CostFactor {
	out := []CostFactor{}
	for _, l := range s.config.Lines {
		for _, over := range []string{"T", "p"} {
			if f, ok := s.Factor(l, over == "T"); ok {
				out = append(out, CostFactor{l.Method, l.ModeName(), over, f})
			}
		}
	}
	return out
}

// WriteJSON writes {"experiment", "n", "m", "T", "p", "repetitions", "seed", "cells", "factors"}.
func (s *ForumCost) WriteJSON(w io.Writer) error {
	c := &s.config
	cells := make([]*CostCell, len(s.cells))
	for i := range cells {
		cells[i] = &s.cells[i]
	}
	return json.NewEncoder(w).Encode(map[string]any{
		"experiment": "forum-cost", "n": c.N, "m": c.M, "T": c.T, "p": c.P, "repetitions": c.Repeats, "seed": c.Seed,
		"cells": cells, "factors": s.Factors(),
	})
}

// WriteSVG draws the panels in one picture.
func (s *ForumCost) WriteSVG(w io.Writer) error {
	const width, height = 1280, 840
	return panel.WriteSVG(w, width, height, panel.Light, panel.Arrange(width, height, s.panels, ""))
}

// CostColumns are the heads of CostCell.Row.
var CostColumns = []string{"T", "p", "time of a step", "gradients", "HVP", "floats"}

// Row is what there is to read of a cell; "–" stands for what is not known.
func (c *CostCell) Row() []string {
	row := []string{strconv.Itoa(c.T), strconv.Itoa(c.P), "–", "–", "–", "–"}
	if c.TooLarge {
		row[2] = "too long to measure here"
	}
	if len(c.Times) > 0 {
		row[2] = c.timeText()
	}
	if c.Counted {
		row[3], row[4], row[5] = strconv.Itoa(c.Gradients), strconv.Itoa(c.Products), strconv.Itoa(c.Floats)
	}
	return row
}

// timeText is the median with the quartiles.
func (c *CostCell) timeText() string {
	return fmt.Sprintf("%s (%s to %s)", duration(c.Time), duration(c.Low), duration(c.High))
}

// duration writes seconds with three digits and a unit.
func duration(seconds float64) string {
	v, unit := seconds*1e6, "µs"
	switch {
	case v >= 1e6:
		v, unit = v/1e6, "s"
	case v >= 1e3:
		v, unit = v/1e3, "ms"
	}
	decimals := 0
	for limit := 100.0; decimals < 2 && v < limit; limit /= 10 {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + unit
}

// WriteText writes a table for people.
func (s *ForumCost) WriteText(w io.Writer) error {
	c := &s.config
	if _, err := fmt.Fprintf(w, "An upper step with n = %d and m = %d: median and quartiles of the times of %d batches.\n\n", c.N, c.M, c.Repeats); err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(out, "method\t"+strings.Join(CostColumns, "\t")); err != nil {
		return err
	}
	for i := range s.cells {
		cell := &s.cells[i]
		if _, err := fmt.Fprintln(out, cell.Label()+"\t"+strings.Join(cell.Row(), "\t")); err != nil {
			return err
		}
	}
	return out.Flush()
}
