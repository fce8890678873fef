package runlog

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// These are the defaults of Options.
const (
	DefaultWindow = 50
	DefaultBound  = 0.05
	DefaultMethod = "mgda"
)

// DefaultPeriods are the periods R that an Analysis tries if Options has none.
var DefaultPeriods = []int{1, 2, 4, 8, 16, 32}

const (
	maxPeriods = 64
	maxPhases  = 32 // maximum number of refresh phases over which results are averaged

	lengthRecords = 1000 // maximum number of records from which the medians of lengths are computed
)

// Options configures an Analysis.
type Options struct {
	Methods []Choice // the verdict is about the first method that the log supports; nil means DefaultMethod
	Periods []int    // at most 64 values of R from 1 to MaxRecords; 1 is always added; nil means DefaultPeriods
	Window  int      // number of records over which noise is averaged, at least 1; 0 means DefaultWindow
	Bound   float64  // how far, from 0 to 1, Hurt of old weights may exceed Hurt of new ones; 0 is not replaced by DefaultBound
	Seed    uint64   // seed of methods with random draws
	Series  bool     // keep the values of every record, in Method.Series
}

// NewOptions returns the default options.
func NewOptions() Options { return Options{Bound: DefaultBound} }

// All returns a Choice with default settings for each of Methods, DefaultMethod first.
func All() []Choice {
	out := []Choice{{Name: DefaultMethod}}
	for _, name := range Methods() {
		if name != DefaultMethod {
			out = append(out, Choice{Name: name})
		}
	}
	return out
}

// Pair describes the conflict of two objectives i < j, counted from 0.
type Pair struct {
	I        int      `json:"i"`
	J        int      `json:"j"`
	Conflict float64  `json:"conflict"` // fraction of records with a negative cosine
	Cosine   float64  `json:"cosine"`   // mean cosine over the records; the cosine with a zero gradient is 0
	Averaged *float64 `json:"averaged"` // fraction of windows whose averaged product is negative; nil if there is no cross or no whole window
}

// Figures measure how much directions hurt objectives.
type Figures struct {
	Hurt float64 `json:"hurt"` // fraction of records in which an objective has a rate below −1e-9
	Harm float64 `json:"harm"` // amount by which the least rate is below 0, averaged over the records
}

// Equal contains the results for equal weights.
type Equal struct {
	Figures
	Independent  *float64 `json:"independent"`   // fraction of records in which an objective is hurt on the other batch; nil without cross
	AveragedHurt *float64 `json:"averaged_hurt"` // fraction of windows whose averaged products hurt an objective; nil if Pair.Averaged is nil
	Series       *Series  `json:"-"`             // only with Options.Series
}

// Stale contains the results of a method whose weights are computed at every R-th record.
type Stale struct {
	R int `json:"R"`
	Figures
	Backprops float64 `json:"backprops"` // backpropagations per step: (S + R − 1)/R
}

// Method contains the results of a method along the path of the log.
type Method struct {
	Name     string   `json:"method"`
	Settings []string `json:"-"`
	Figures           // results with weights computed at every record
	// Independent is the fraction of records in which an objective is hurt on the other batch. It is nil without cross.
	Independent *float64 `json:"independent"`
	// MeanWeights contains the means of the effective weights over all records, divided by the sum of these means. It
	// is nil if this sum is not positive.
	MeanWeights []float64 `json:"mean_weights"`
	Fixed       *Figures  `json:"fixed"`     // results of MeanWeights at all records; nil if MeanWeights is nil
	Stale       []Stale   `json:"stale"`     // results of old weights, by increasing R
	Undecided   int       `json:"undecided"` // number of records at which the rule finds no solution; the direction is then zero

	Half   *Half   `json:"-"` // nil unless the sum of the first half's mean weights is positive
	Series *Series `json:"-"` // only with Options.Series
}

// Half contains the results of fixed weights on the second half of the records. The weights are the mean of the
// method's weights on the first half.
type Half struct {
	Weights []float64
	Fixed   Figures
	Equal   Figures // results of equal weights on the second half
}

// Series contains the values of every record.
type Series struct {
	Weights []float64 // T rows of S numbers: the effective weights, divided by the sum of their magnitudes; zeros if this sum is 0
	Least   []float64 // T numbers: the least rate at each record; an objective is hurt if its rate is below −1e-9
	Other   []float64 // T numbers: the least rate on the other batch, computed with the gradient lengths of this batch; nil without cross
}

// Omega measures how far the run was, at its first and last records, from a point at which no direction improves all
// objectives. It contains the lengths of the shortest vectors in the convex hulls of the gradients.
type Omega struct {
	First float64 `json:"first"`
	Last  float64 `json:"last"`
}

// LossEnds contains the means of a loss over the first and over the last tenth of the records. A tenth is at least one record.
type LossEnds struct {
	First float64 `json:"first"`
	Last  float64 `json:"last"`
}

// Spacing contains the smallest and the largest number of steps between neighbouring records.
type Spacing struct {
	Least int64 `json:"least"`
	Most  int64 `json:"most"`
}

// Report is the result of an Analysis. Its JSON encoding is the output of the replay command without the verdict.
type Report struct {
	Records       int      `json:"records"`
	Objectives    int      `json:"objectives"`
	Names         []string `json:"names"`
	Stride        int64    `json:"stride"`
	ConflictShare float64  `json:"conflict_share"` // fraction of records in which any pair conflicts
	Pairs         []Pair   `json:"pairs"`
	NormRatio     *float64 `json:"norm_ratio"` // median over the records of the ratio of the longest to the shortest gradient; nil if infinite
	Omega         Omega    `json:"omega"`
	// Scaled contains weights of sum 1 that equalise the median lengths of all gradients. It is nil if a median is
	// 0. For long logs, the medians use lengthRecords evenly spaced records.
	Scaled []float64 `json:"scaled_weights"`
	// LossEnds contains one entry per objective. It is nil if the log has no losses.
	LossEnds []LossEnds `json:"loss_ends,omitempty"`
	// Signal contains the fraction of signal in each objective's gradients, Σ D_ii / Σ C_ii over all records. It is
	// 1 without noise, about 0 for pure noise, and never negative. It is nil without cross.
	Signal  []float64 `json:"signal"`
	Equal   Equal     `json:"equal"`
	Methods []Method  `json:"methods"`
	Absent  []Absent  `json:"absent"`
	// Outcomes contains the results of other training runs on the same problem. It is empty if the log has none.
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Notes contains one sentence for each way in which the tracker that wrote the file lost information.
	Notes []string `json:"notes,omitempty"`
	// LeftOut counts, by cause, the records that the file contains but the log omits.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// Spacing is nil if the records are evenly spaced.
	Spacing *Spacing `json:"spacing,omitempty"`

	FirstStep, LastStep int64   `json:"-"`
	Window              int     `json:"-"`
	Windows             int     `json:"-"` // number of whole windows
	Bound               float64 `json:"-"`
	// Negative states for each objective whether its computed fraction of signal was below 0. In that case Signal
	// contains 0 for the objective.
	Negative []bool `json:"-"`
	// Forward and Backward are the durations in seconds of a forward pass and of one objective's backward pass.
	// They are 0 if unknown.
	Forward   float64 `json:"-"`
	Backward  float64 `json:"-"`
	HasCross  bool    `json:"-"`
	HasLosses bool    `json:"-"`
}

// Backprops returns b(R) = (S + R − 1)/R, the mean number of backpropagations per step. Every R-th step needs S of
// them, and every other step needs one.
func (r *Report) Backprops(period int) float64 {
	return float64(r.Objectives+period-1) / float64(period)
}

// Saved returns the cost of a step with R = 1 divided by its cost with the given period R. It compares seconds if the
// log has them, otherwise backpropagations. The result is below S.
func (r *Report) Saved(period int) float64 {
	if r.Backward > 0 {
		return (r.Forward + float64(float64(r.Objectives)*r.Backward)) / r.Seconds(period)
	}
	return float64(r.Objectives) / r.Backprops(period)
}

// Seconds returns the duration in seconds of a step with period R, or 0 if the log has no times.
func (r *Report) Seconds(period int) float64 {
	return r.Forward + float64(r.Backprops(period)*r.Backward)
}

// Analysis analyses a log record by record, in two passes. The first pass applies the rules. The second pass measures
// the fixed weights that follow from the decisions of the rules. Apart from one number per record and Options.Series,
// the memory of an Analysis does not grow with the number of records.
type Analysis struct {
	log     *Log
	options Options
	report  *Report

	meter  *meter
	asker  *asker
	rules  []*ruled
	equal  []float64
	evened tally
	other  int // number of records in which equal weights hurt an objective on the other batch
	second tally

	pass, next int

	products     *sums // products of the current window
	own, squares *sums // Σ D_ii and Σ C_ii over all records
	negative     []int // number of windows with a negative product, for each pair
	hurtWindows  int   // number of windows in which equal weights hurt an objective
	conflicts    []int
	cosines      []float64
	anyConflict  int
	ratios       []float64
	lengths      []float64 // S rows; gradient lengths of the records used for medians
	lossRow      []float64
}

// ruled contains the state of one method during the analysis.
type ruled struct {
	out    Method
	rule   algo.Weighting
	result algo.Result
	absent string

	other, undecided int
	mean, half       []float64 // mean effective weights of all records, and of the first half
	ring             []float64 // the weights of the latest records, divided by their largest magnitude
	known            []bool    // for each age, whether its entry of least is already valid for this record
	least            []float64
	stale            []staleTally

	fixed, fixedHalf tally
	fixedW, halfW    []float64 // MeanWeights and Half.Weights, divided by their largest entry
}

// tally accumulates Figures.
type tally struct {
	hurt int
	harm float64
	n    int
}

func (t *tally) add(least float64) {
	t.n++
	if least < hurtBelow {
		t.hurt++
	}
	t.harm += max(0, -least)
}

func (t *tally) figures() Figures {
	if t.n == 0 {
		return Figures{}
	}
	return Figures{Hurt: float64(t.hurt) / float64(t.n), Harm: t.harm / float64(t.n)}
}

// staleTally accumulates the results of old weights, for one period.
type staleTally struct {
	period int
	phases []int
	held   [][]float64 // weights by phase, for periods longer than the ring
	tally
}

// NewAnalysis validates the options, and returns an analysis of a log before its first record.
func NewAnalysis(l *Log, o Options) (*Analysis, error) {
	if l == nil || l.records == 0 {
		return nil, errors.New("the log has no records")
	}
	if o.Methods == nil {
		o.Methods = []Choice{{Name: DefaultMethod}}
	}
	if o.Window == 0 {
		o.Window = DefaultWindow
	}
	if o.Window < 1 || o.Window > MaxRecords {
		return nil, fmt.Errorf("window = %d: a whole number from 1 to %d is expected", o.Window, MaxRecords)
	}
	if !(o.Bound >= 0 && o.Bound <= 1) {
		return nil, fmt.Errorf("bound = %g: a number from 0 to 1 is expected", o.Bound)
	}
	periods, err := checkPeriods(o.Periods)
	if err != nil {
		return nil, err
	}
	o.Periods = periods
	s := l.objectives
	pairs := s * (s - 1) / 2
	forward, backward := l.Seconds()
	a := &Analysis{
		log: l, options: o, meter: newMeter(l), asker: newAsker(l), equal: make([]float64, s),
		products: newSums(s * s), own: newSums(s), squares: newSums(s),
		negative: make([]int, pairs), conflicts: make([]int, pairs), cosines: make([]float64, pairs),
		report: &Report{
			Records: l.records, Objectives: s, Names: l.names, Stride: l.Stride(), Window: o.Window, Bound: o.Bound,
			Notes: l.notes, LeftOut: l.leftOut,
			Spacing: l.spacing(), FirstStep: l.steps[0], LastStep: l.steps[l.records-1], Forward: forward, Backward: backward,
			Outcomes: l.Outcomes(), HasCross: l.HasCross(), HasLosses: l.HasLosses(), Pairs: []Pair{}, Methods: []Method{}, Absent: []Absent{},
		},
	}
	for i := range a.equal {
		a.equal[i] = 1
	}
	if o.Series {
		a.report.Equal.Series = newSeries(l)
	}
	a.lengths, a.lossRow = make([]float64, s*min(l.records, lengthRecords)), make([]float64, s)
	if l.HasLosses() {
		a.report.LossEnds = make([]LossEnds, s)
	}
	for _, c := range o.Methods {
		r, err := newRuled(l, c, &o)
		if err != nil {
			return nil, err
		}
		a.rules = append(a.rules, r)
	}
	return a, nil
}

// checkPeriods returns the periods in increasing order, including 1.
func checkPeriods(given []int) ([]int, error) {
	if given == nil {
		return DefaultPeriods, nil
	}
	periods := append(slices.Clone(given), 1)
	slices.Sort(periods)
	periods = slices.Compact(periods)
	if periods[0] < 1 || periods[len(periods)-1] > MaxRecords || len(periods) > maxPeriods {
		return nil, fmt.Errorf("periods = %v: at most %d whole numbers from 1 to %d are expected", given, maxPeriods, MaxRecords)
	}
	return periods, nil
}

func newSeries(l *Log) *Series {
	out := &Series{Weights: make([]float64, l.records*l.objectives), Least: make([]float64, l.records)}
	if l.HasCross() {
		out.Other = make([]float64, l.records)
	}
	return out
}

// newRuled creates the state of a method.
func newRuled(l *Log, c Choice, o *Options) (*ruled, error) {
	if !slices.Contains(Methods(), c.Name) {
		return nil, fmt.Errorf("unknown method %.40q; available: %v", c.Name, Methods())
	}
	rule, err := newRule(c, l.objectives, o.Seed)
	if err != nil {
		return nil, err
	}
	var needs algo.Needs
	if rule != nil {
		needs = rule.Needs()
	}
	s := l.objectives
	r := &ruled{
		rule: rule, absent: l.whyAbsent(c.Name, needs), out: Method{Name: c.Name, Settings: c.Settings},
		result: algo.Result{Weights: make([]float64, s), Effective: make([]float64, s)},
		mean:   make([]float64, s), half: make([]float64, s),
	}
	if r.absent != "" {
		return r, nil
	}
	if o.Series {
		r.out.Series = newSeries(l)
	}
	age := 1
	for _, period := range o.Periods {
		t := staleTally{period: period}
		count := min(period, maxPhases)
		for i := range count {
			t.phases = append(t.phases, i*period/count)
		}
		if period > maxPhases {
			for range count {
				t.held = append(t.held, make([]float64, s))
			}
		} else {
			age = max(age, period)
		}
		r.stale = append(r.stale, t)
	}
	r.ring, r.known, r.least = make([]float64, age*s), make([]bool, age), make([]float64, age)
	return r, nil
}

// Work analyses up to the given number of further records, out of 2·T in total. It reports whether the analysis is complete.
func (a *Analysis) Work(records int) (done bool) {
	for range records {
		if a.pass == 2 {
			break
		}
		a.meter.look(a.log, a.next)
		if a.pass == 0 {
			a.decide(a.next)
		} else {
			a.judge(a.next)
		}
		if a.next++; a.next == a.log.records {
			a.next = 0
			if a.pass++; a.pass == 1 {
				a.fit()
			} else {
				a.conclude()
			}
		}
	}
	return a.pass == 2
}

// Progress returns the completed fraction of the work, from 0 to 1.
func (a *Analysis) Progress() float64 {
	return float64(a.pass*a.log.records+a.next) / float64(2*a.log.records)
}

// Report returns the result. It returns nil while the analysis is incomplete.
func (a *Analysis) Report() *Report {
	if a.pass < 2 {
		return nil
	}
	return a.report
}

// Analyse runs a complete analysis. It returns an error if the log has no records or an option is out of range.
func Analyse(l *Log, o Options) (*Report, error) {
	a, err := NewAnalysis(l, o)
	if err != nil {
		return nil, err
	}
	a.Work(2 * l.records)
	return a.report, nil
}

// decide analyses record k in the first pass: it applies the rules and measures their decisions.
func (a *Analysis) decide(k int) {
	a.geometry()
	a.average(k)
	a.asker.look(k)
	least := a.meter.least(a.equal)
	a.evened.add(least)
	even := a.report.Equal.Series
	even.put(k, a.equal, least)
	if a.meter.cross != nil {
		other, hurt := a.meter.other(a.equal)
		even.putOther(k, other)
		if hurt {
			a.other++
		}
	}
	for _, r := range a.rules {
		if r.absent != "" {
			continue
		}
		if why := a.ask(r, k); why != "" {
			r.absent = why
			continue
		}
		a.age(r, k)
	}
	a.measure(k)
	if k == 0 {
		a.report.Omega.First = a.meter.omega()
	}
	if k == a.log.records-1 {
		a.report.Omega.Last = a.meter.omega()
	}
}

// measure stores the lengths of gradients, and sums the losses of the first and the last records.
func (a *Analysis) measure(k int) {
	n, s := a.log.records, a.report.Objectives
	kept := min(n, lengthRecords)
	// The j-th stored record is record ⌈j·n/kept⌉.
	if j := (k*kept + n - 1) / n; j < kept && (j*n+kept-1)/kept == k {
		for i, v := range a.meter.lengths {
			a.lengths[i*kept+j] = math.Ldexp(v, a.meter.exponent)
		}
	}
	tenth := max(n/10, 1)
	if a.report.LossEnds == nil || k >= tenth && k < n-tenth {
		return
	}
	for i, v := range a.log.Losses(a.lossRow, k)[:s] {
		if k < tenth {
			a.report.LossEnds[i].First += v / float64(tenth)
		}
		if k >= n-tenth {
			a.report.LossEnds[i].Last += v / float64(tenth)
		}
	}
}

// scaled returns weights of sum 1 that equalise the median lengths of all gradients. It returns nil if a median is 0.
func (a *Analysis) scaled() []float64 {
	kept := min(a.log.records, lengthRecords)
	out, least := make([]float64, a.report.Objectives), math.Inf(1)
	for i := range out {
		out[i] = median(a.lengths[i*kept : (i+1)*kept])
		least = min(least, out[i])
	}
	if !(least > 0) {
		return nil
	}
	for i, v := range out {
		out[i] = least / v
	}
	return shares(out)
}

// median sorts v and returns its median.
func median(v []float64) float64 {
	slices.Sort(v)
	return float64(v[(len(v)-1)/2]/2) + float64(v[len(v)/2]/2)
}

// geometry counts the conflicts at the current record, and adds up the cosines.
func (a *Analysis) geometry() {
	m, any, pair := a.meter, false, 0
	for i := range m.s {
		for j := i + 1; j < m.s; j++ {
			cosine := m.cosine(i, j)
			a.cosines[pair] += cosine
			if cosine < 0 {
				any = true
				a.conflicts[pair]++
			}
			pair++
		}
	}
	if any {
		a.anyConflict++
	}
	a.ratios = append(a.ratios, m.ratio())
}

// average adds record k to the current window, and counts conflicts when the window is complete.
func (a *Analysis) average(k int) {
	m, s := a.meter, a.meter.s
	if m.cross == nil {
		return
	}
	a.products.add(m.exponent, func(e int) float64 { return float64(m.cross[e]/2) + float64(m.cross[e%s*s+e/s]/2) })
	a.own.add(m.exponent, func(i int) float64 { return m.cross[i*s+i] })
	a.squares.add(m.exponent, func(i int) float64 { return max(m.c[i*s+i], 0) })
	if (k+1)%a.options.Window != 0 {
		return
	}
	a.report.Windows++
	pair, hurts := 0, false
	for i := range s {
		sum := 0.0
		for j := range s {
			v := a.products.v[i*s+j]
			sum += v
			if j > i {
				if v < 0 {
					a.negative[pair]++
				}
				pair++
			}
		}
		hurts = hurts || sum < 0
	}
	if hurts {
		a.hurtWindows++
	}
	a.products.reset()
}

// ask applies a rule to record k. If the rule makes no decision, ask returns the reason.
func (a *Analysis) ask(r *ruled, k int) string {
	s := a.log.objectives
	if r.result.Effective == nil {
		r.result.Effective = make([]float64, s)
	}
	if err := a.asker.ask(&r.result, r.rule, k); err != nil {
		return a.log.explain(k, err)
	}
	c := r.result.Effective
	if c == nil {
		return "its direction is not a weighted sum of the gradients"
	}
	if r.result.Status == algo.NoSolution || r.result.Status == algo.Diverged {
		r.undecided++
	}
	for i, v := range c {
		r.mean[i] += v / float64(a.log.records)
		if half := a.log.records / 2; k < half {
			r.half[i] += v / float64(half)
		}
	}
	unit(c)
	slot := r.slot(k)
	copy(slot, c)
	for i := range r.stale {
		t := &r.stale[i]
		for j, held := range t.held {
			if k == 0 || k >= t.phases[j] && (k-t.phases[j])%t.period == 0 {
				copy(held, c)
			}
		}
	}
	return ""
}

// slot returns the part of the ring that stores the weights of record k.
func (r *ruled) slot(k int) []float64 {
	s := len(r.mean)
	at := k % len(r.least) * s
	return r.ring[at : at+s]
}

// age measures, on record k, the method's weights from this record and from earlier ones.
func (a *Analysis) age(r *ruled, k int) {
	clear(r.known)
	at := func(old int) float64 {
		if !r.known[old] {
			r.known[old], r.least[old] = true, a.meter.least(r.slot(k-old))
		}
		return r.least[old]
	}
	for i := range r.stale {
		t := &r.stale[i]
		for j, phase := range t.phases {
			switch {
			case t.held != nil:
				t.add(a.meter.least(t.held[j]))
			case k < phase:
				t.add(at(k)) // before the first refresh, the first record’s weights apply
			default:
				t.add(at((k - phase) % t.period))
			}
		}
	}
	r.out.Series.put(k, r.slot(k), at(0))
	if a.meter.cross != nil {
		other, hurt := a.meter.other(r.slot(k))
		r.out.Series.putOther(k, other)
		if hurt {
			r.other++
		}
	}
}

// put stores the least rate of record k, and the weights w divided by the sum of their magnitudes.
func (s *Series) put(k int, w []float64, least float64) {
	if s == nil {
		return
	}
	s.Least[k] = least
	total := 0.0
	for _, v := range w {
		total += math.Abs(v)
	}
	if total == 0 {
		return
	}
	for i, v := range w {
		s.Weights[k*len(w)+i] = v / total
	}
}

func (s *Series) putOther(k int, least float64) {
	if s != nil {
		s.Other[k] = least
	}
}

// fit computes fixed weights from the decisions of the rules.
func (a *Analysis) fit() {
	for _, r := range a.rules {
		if r.absent != "" {
			continue
		}
		if w := shares(r.mean); w != nil {
			r.out.MeanWeights, r.fixedW = w, slices.Clone(w)
			unit(r.fixedW)
		}
		if w := shares(r.half); w != nil {
			r.out.Half, r.halfW = &Half{Weights: w}, slices.Clone(w)
			unit(r.halfW)
		}
	}
}

// shares returns v divided by its sum. It returns nil if the sum is not positive or not finite.
func shares(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x / sum
	}
	if !algo.Finite(out) {
		return nil
	}
	return out
}

// judge analyses record k in the second pass: it measures the fixed weights.
func (a *Analysis) judge(k int) {
	late := k >= a.log.records/2
	if late {
		a.second.add(a.meter.least(a.equal))
	}
	for _, r := range a.rules {
		if r.absent != "" {
			continue
		}
		if r.fixedW != nil {
			r.fixed.add(a.meter.least(r.fixedW))
		}
		if r.halfW != nil && late {
			r.fixedHalf.add(a.meter.least(r.halfW))
		}
	}
}

// conclude turns the sums over all records into the figures of the report.
func (a *Analysis) conclude() {
	r, n := a.report, float64(a.log.records)
	share := func(count int, of float64) *float64 {
		v := float64(count) / of
		return &v
	}
	windows := float64(r.Windows)
	r.ConflictShare = float64(a.anyConflict) / n
	pair := 0
	for i := range r.Objectives {
		for j := i + 1; j < r.Objectives; j++ {
			p := Pair{I: i, J: j, Conflict: float64(a.conflicts[pair]) / n, Cosine: a.cosines[pair] / n}
			if r.Windows > 0 {
				p.Averaged = share(a.negative[pair], windows)
			}
			r.Pairs = append(r.Pairs, p)
			pair++
		}
	}
	if v := median(a.ratios); !math.IsInf(v, 1) {
		r.NormRatio = &v
	}
	r.Scaled = a.scaled()
	r.Equal.Figures = a.evened.figures()
	if r.HasCross {
		r.Equal.Independent = share(a.other, n)
		for i, v := range a.own.v {
			signal := 0.0
			if a.squares.v[i] > 0 {
				signal = math.Ldexp(v/a.squares.v[i], 2*(a.own.exponent-a.squares.exponent))
			}
			r.Signal = append(r.Signal, max(0, signal))
			r.Negative = append(r.Negative, signal < 0)
		}
	}
	if r.Windows > 0 {
		r.Equal.AveragedHurt = share(a.hurtWindows, windows)
	}
	for _, m := range a.rules {
		if m.absent != "" {
			r.Absent = append(r.Absent, Absent{m.out.Name, m.absent})
			continue
		}
		r.Methods = append(r.Methods, m.conclude(a, n))
	}
}

// conclude returns the results of a method.
func (m *ruled) conclude(a *Analysis, n float64) Method {
	out := &m.out
	out.Undecided = m.undecided
	if a.report.HasCross {
		v := float64(m.other) / n
		out.Independent = &v
	}
	for _, t := range m.stale {
		out.Stale = append(out.Stale, Stale{R: t.period, Figures: t.figures(), Backprops: a.report.Backprops(t.period)})
	}
	out.Figures = out.Stale[0].Figures
	if out.MeanWeights != nil {
		f := m.fixed.figures()
		out.Fixed = &f
	}
	if out.Half != nil {
		out.Half.Fixed, out.Half.Equal = m.fixedHalf.figures(), a.second.figures()
	}
	return *out
}
