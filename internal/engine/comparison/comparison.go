// Package comparison compares methods of a scene over seeds: each runs with the step size that suits it,
// tuned on seeds of its own, on the same starts and noise as the others. Differences are paired by seed and
// have intervals, and what the seeds do not tell apart is called so. Runs that fail are counted, and are worse
// than all others.
package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// Plan says what is compared.
type Plan struct {
	Scene   scene.About
	Values  map[string]string // of parameters, beside the scene's own for comparisons
	Methods []string          // without the baseline, which joins them
	Seeds   int               // over which the tuned methods are compared; at least 2
	// SeedBase is the seed before the first of them: other seeds for the same question. From 0 to MostSeedBase.
	SeedBase int
	// Target is the value of the fact whose cost is asked for; NaN for the one that half of the runs of the
	// method that is worst reach.
	Target float64
}

const (
	// MostSeeds is the most seeds that are compared.
	MostSeeds = 1000
	// MostSeedBase is the largest seed before the first.
	MostSeedBase = 1_000_000_000
	// tuningSeeds is how many seeds a step size is tuned on, the first of them tuningFrom beyond the base.
	tuningSeeds = 5
	tuningFrom  = 1_000_001
	// wanted is the chance with which all intervals together hold what they should.
	wanted = 0.95
)

// factors are by what step sizes the scene's own is multiplied at first. Two more follow, as many for each method: beyond
// the best where that is at an end, and on both sides of it elsewhere.
var factors = []float64{0.03, 0.1, 0.3, 1, 3, 10}

// Trial is a step size that was tried.
type Trial struct {
	Step   float64
	Score  float64 // the mean of the fact, or its geometric mean, over the seeds for tuning; NaN where a run failed
	Failed int     // of the runs
}

// Method is how a method did.
type Method struct {
	ID     string
	Title  string
	Step   float64 // the best
	Edge   bool    // whether that is the smallest or largest that was tried
	Trials []Trial

	Finals []float64           // the fact at the end, by seed; NaN where the run failed
	Fails  []Failure           // by seed
	Stops  int                 // of the runs that count, how many ended because the rule had no solution
	Final  experiment.Estimate // their mean, of logarithms to base 10 where ratios matter, and half of its interval
	Rank   float64             // mean over the seeds, 1 for the best
	Costs  []float64           // backpropagations until the target was reached, by seed; NaN where it was not
	Spent  float64             // backpropagations at the end, mean over the seeds
}

// Pair is the difference between two methods.
type Pair struct {
	A, B       int                 // of Methods
	Difference experiment.Estimate // of A's finals less B's, seed by seed, and half of its interval
	Better     int                 // the method that is better, −1 if the seeds do not tell them apart
	// Cost is the same of logarithms to base 10 of what they spent until they reached the target, NaN unless
	// both did on all seeds, and Cheaper as Better.
	Cost    experiment.Estimate
	Cheaper int
}

// Comparison is a comparison under way, or done. One value serves one goroutine at a time.
type Comparison struct {
	plan    Plan
	values  map[string]string
	step    param.Descriptor
	methods []Method

	tuning  []job // of the method that is tuned, by step size and seed
	widened bool  // whether it has all of its step sizes
	at      int   // of methods
	seed    int
	run     *run // under way
	done    int  // runs
	phase   phase
	target  float64
	reached []passage // by method and seed, of the runs that are compared
}

type phase int

const (
	tuningPhase phase = iota
	comparingPhase
	donePhase
)

// job is a step size with what the seeds so far came to, and what it cost them to come to solved.
type job struct {
	step   float64
	scores []float64 // NaN where a run failed
	costs  []float64
}

// passage is how a run's fact went with what it had spent.
type passage struct {
	values, spent []float64
}

// New returns a comparison on which nothing has been done. It refuses scenes that cannot be compared,
// unknown methods and parameters, and numbers of seeds out of range.
func New(p Plan) (*Comparison, error) {
	by := p.Scene.Comparison
	if by == nil {
		return nil, fmt.Errorf("methods of the scene %s cannot be compared by one number", p.Scene.ID)
	}
	if p.Seeds < 2 || p.Seeds > MostSeeds {
		return nil, fmt.Errorf("%d seeds: a comparison takes 2 to %d", p.Seeds, MostSeeds)
	}
	if p.SeedBase < 0 || p.SeedBase > MostSeedBase {
		return nil, fmt.Errorf("the seed base %d: allowed is 0 to %d", p.SeedBase, MostSeedBase)
	}
	c := &Comparison{plan: p, values: map[string]string{}, target: p.Target}
	for name, text := range by.Values {
		c.values[name] = text
	}
	for name, text := range p.Values {
		if name == "method" || name == "seed" || name == by.Step {
			return nil, fmt.Errorf("%s is what a comparison chooses itself", name)
		}
		c.values[name] = text
	}
	names := slices.Clone(p.Methods)
	if by.Baseline != "" && !slices.Contains(names, by.Baseline) {
		names = append(names, by.Baseline)
	}
	if len(names) < 2 {
		return nil, fmt.Errorf("a comparison takes at least two methods")
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("the method %s is named twice", name)
		}
		m, ok := about(p.Scene, name)
		if !ok {
			return nil, fmt.Errorf("%s is no method of the scene %s", scene.Quote(name), p.Scene.ID)
		}
		c.methods = append(c.methods, Method{ID: name, Title: m.Title})
	}
	s := p.Scene.New()
	c.step, _ = s.Params().Lookup(by.Step)
	for _, name := range names {
		if err := c.assign(s, name, c.middle(), 1); err != nil {
			return nil, err
		}
	}
	c.tune()
	return c, nil
}

func about(a scene.About, id string) (param.Method, bool) {
	for _, m := range a.Methods {
		if m.ID == id {
			return m, true
		}
	}
	return param.Method{}, false
}

// middle is the scene's own step size.
func (c *Comparison) middle() float64 {
	v, _ := c.step.Default.(float64)
	return v
}

// assign sets a scene's parameters for a run.
func (c *Comparison) assign(s scene.Scene, method string, step float64, seed int) error {
	values := map[string]string{"method": method, "seed": fmt.Sprint(seed), c.plan.Scene.Comparison.Step: fmt.Sprint(step)}
	for name, text := range c.values {
		values[name] = text
	}
	for _, name := range s.Params().Names() { // in an order of its own, so that errors are alike
		text, given := values[name]
		if !given {
			continue
		}
		delete(values, name)
		if err := s.Params().Assign(name, text); err != nil {
			return err
		}
	}
	for name := range values {
		return fmt.Errorf("%s is no parameter of the scene %s", scene.Quote(name), c.plan.Scene.ID)
	}
	return s.Params().Check()
}

// tune begins with the next method's step sizes.
func (c *Comparison) tune() {
	c.tuning, c.widened = nil, false
	for _, f := range factors {
		c.tuning = c.widen(c.tuning, f*c.middle())
	}
}

// widen adds a step size, within the parameter's range, in order.
func (c *Comparison) widen(jobs []job, step float64) []job {
	step = min(max(step, c.step.Min), c.step.Max)
	step = experiment.Rounded(step, 3)
	i, found := slices.BinarySearchFunc(jobs, step, func(j job, s float64) int {
		switch {
		case j.step < s:
			return -1
		case j.step > s:
			return 1
		}
		return 0
	})
	if found {
		return jobs
	}
	return slices.Insert(jobs, i, job{step: step})
}

// Work goes on while more() holds, and reports whether there is more to do. On an error nothing more can be
// done.
func (c *Comparison) Work(more func() bool) (pending bool, err error) {
	for c.phase != donePhase && more() {
		if c.run == nil {
			if c.run, err = c.next(); err != nil {
				return false, err
			}
			continue
		}
		ended, err := c.run.work(more)
		if err != nil {
			return false, err
		}
		if ended {
			c.done++
			c.take(c.run)
			c.run = nil
		}
	}
	return c.phase != donePhase, nil
}

// Progress is how many runs are done, and of how many, as far as is known.
func (c *Comparison) Progress() (done, of int) {
	each := (len(factors)+2)*tuningSeeds + c.plan.Seeds
	return c.done, max(c.done, len(c.methods)*each)
}

// next begins the run that is due, or ends a phase; nil where a phase has ended.
func (c *Comparison) next() (*run, error) {
	m := &c.methods[c.at]
	if c.phase == comparingPhase {
		return c.begin(m.ID, m.Step, c.Seed(c.seed-1))
	}
	for i := range c.tuning {
		if n := len(c.tuning[i].scores); n < tuningSeeds {
			return c.begin(m.ID, c.tuning[i].step, c.plan.SeedBase+tuningFrom+n)
		}
	}
	best := c.best()
	if !c.widened {
		for _, step := range c.further(best) {
			c.tuning = c.widen(c.tuning, step)
		}
		c.widened = true
		return nil, nil
	}
	for i := range c.tuning {
		j := &c.tuning[i]
		m.Trials = append(m.Trials, Trial{j.step, c.score(j.scores), failed(j.scores)})
	}
	m.Step, m.Edge = c.tuning[best].step, best == 0 || best == len(c.tuning)-1
	if c.at++; c.at < len(c.methods) {
		c.tune()
		return nil, nil
	}
	c.at, c.seed, c.phase = 0, 1, comparingPhase
	return nil, nil
}

// further are the two step sizes that are tried last: beyond the best where that is at an end that its parameter
// lets go on, and otherwise between it and its neighbours.
func (c *Comparison) further(best int) [2]float64 {
	const apart = 3
	at, last := c.tuning[best].step, len(c.tuning)-1
	part := func(other int, share float64) float64 { return at * portable.Pow(c.tuning[other].step/at, share) }
	switch {
	case best == 0 && at/apart > c.step.Min:
		return [2]float64{at / apart, at / (apart * apart)}
	case best == 0:
		return [2]float64{part(1, 1./3), part(1, 2./3)}
	case best == last && at*apart < c.step.Max:
		return [2]float64{at * apart, at * apart * apart}
	case best == last:
		return [2]float64{part(last-1, 1./3), part(last-1, 2./3)}
	}
	return [2]float64{part(best-1, 0.5), part(best+1, 0.5)}
}

// failed is how many of the values are those of runs that failed.
func failed(values []float64) (count int) {
	for _, v := range values {
		if math.IsNaN(v) {
			count++
		}
	}
	return count
}

// score sums up a step size: NaN where a run failed.
func (c *Comparison) score(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += c.scaled(v)
	}
	mean := sum / float64(len(values))
	if c.plan.Scene.Comparison.Log {
		return portable.Pow(10, mean)
	}
	return mean
}

// scaled is a value as differences are taken of it.
func (c *Comparison) scaled(v float64) float64 {
	if !c.plan.Scene.Comparison.Log {
		return v
	}
	return portable.Log10(max(v, least)) // NaN of NaN
}

// Where ratios matter, values below least count as equal, being little but rounding, and those below solved
// as solved: of step sizes that come to least the one that is solved at the least cost is the best, and no
// target is lower.
const (
	least  = 1e-10
	solved = 1e-6
)

// better reports whether one value is better than another; NaN is worse than all.
func (c *Comparison) better(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a) && math.IsNaN(b)
	}
	if c.plan.Scene.Comparison.Higher {
		return a > b
	}
	return a < b
}

// best is the best of the step sizes with which the fewest runs fail; of equal ones that which solves the problem first.
func (c *Comparison) best() (at int) {
	for i := range c.tuning {
		one, other := &c.tuning[i], &c.tuning[at]
		if a, b := failed(one.scores), failed(other.scores); a != b {
			if a < b {
				at = i
			}
			continue
		}
		a, b := c.score(one.scores), c.score(other.scores)
		if c.better(a, b) || !c.better(b, a) && sum(one.costs) < sum(other.costs) {
			at = i
		}
	}
	return at
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// take takes over what a run has come to.
func (c *Comparison) take(r *run) {
	if c.phase == tuningPhase {
		for i := range c.tuning {
			if c.tuning[i].step == r.step {
				c.tuning[i].scores = append(c.tuning[i].scores, r.final())
				c.tuning[i].costs = append(c.tuning[i].costs, c.cost(r.passage, solved))
			}
		}
		return
	}
	m := &c.methods[c.at]
	if r.stopped && r.failure == "" {
		m.Stops++
	}
	m.Finals, m.Fails = append(m.Finals, r.final()), append(m.Fails, r.failure)
	m.Spent += r.spent() / float64(c.plan.Seeds)
	c.reached = append(c.reached, r.passage)
	if c.seed++; c.seed <= c.plan.Seeds {
		return
	}
	c.seed = 1
	if c.at++; c.at < len(c.methods) {
		return
	}
	c.conclude()
	c.phase = donePhase
}

// conclude computes what the finals come to.
func (c *Comparison) conclude() {
	for i := range c.methods {
		m := &c.methods[i]
		m.Final = experiment.WithInterval(c.scaledAll(m.Finals))
		for seed := range m.Finals {
			rank := 1.0
			for o := range c.methods {
				switch other := c.methods[o].Finals[seed]; {
				case o == i:
				case c.better(c.scaled(other), c.scaled(m.Finals[seed])):
					rank++
				case !c.better(c.scaled(m.Finals[seed]), c.scaled(other)):
					rank += 0.5
				}
			}
			m.Rank += rank / float64(c.plan.Seeds)
		}
	}
	if math.IsNaN(c.target) {
		for i := range c.methods {
			if middle := experiment.Median(c.methods[i].Finals); i == 0 || c.better(c.target, middle) {
				c.target = middle
			}
		}
		if c.plan.Scene.Comparison.Log {
			c.target = max(c.target, solved)
		}
	}
	for i := range c.methods {
		for seed := range c.plan.Seeds {
			c.methods[i].Costs = append(c.methods[i].Costs, c.cost(c.reached[i*c.plan.Seeds+seed], c.target))
		}
	}
}

// cost is what a run had spent when it first came to a target, NaN if it did not.
func (c *Comparison) cost(p passage, target float64) float64 {
	for i, v := range p.values {
		if v == target || c.better(v, target) {
			return p.spent[i]
		}
	}
	return math.NaN()
}

func (c *Comparison) scaledAll(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = c.scaled(v)
	}
	return out
}

// Methods are the methods in their order, the baseline last unless it was named; complete once Work is
// done.
func (c *Comparison) Methods() []Method { return c.methods }

// Seed is the one of a method's i-th final.
func (c *Comparison) Seed(i int) int { return c.plan.SeedBase + 1 + i }

// Target is the value of the fact whose cost is given.
func (c *Comparison) Target() float64 { return c.target }

// Pairs are the differences between all methods, each pair once. Their intervals, of differences and of costs, hold
// together with a chance of 95 %, by Bonferroni's correction. A method that failed on some seed is worse than one
// that did not, and of two that did nothing is said.
func (c *Comparison) Pairs() (out []Pair) {
	if c.phase != donePhase {
		return nil
	}
	const each = 2 // intervals of a pair
	count := each * len(c.methods) * (len(c.methods) - 1) / 2
	for a := range c.methods {
		for b := a + 1; b < len(c.methods); b++ {
			out = append(out, c.pair(a, b, 1-(1-wanted)/float64(count)))
		}
	}
	return out
}

// pair has intervals that hold with a chance each.
func (c *Comparison) pair(a, b int, chance float64) Pair {
	p := Pair{A: a, B: b, Better: -1, Cheaper: -1}
	p.Difference = paired(c.scaledAll(c.methods[a].Finals), c.scaledAll(c.methods[b].Finals), chance)
	p.Cost = paired(logarithms(c.methods[a].Costs), logarithms(c.methods[b].Costs), chance)
	if mean := p.Cost.Mean; math.Abs(mean) > p.Cost.Spread {
		p.Cheaper = b
		if mean < 0 {
			p.Cheaper = a
		}
	}
	mean, half := p.Difference.Mean, p.Difference.Spread
	switch a0, b0 := c.failed(a), c.failed(b); {
	case a0 > 0 && b0 > 0:
		return p
	case a0 > 0:
		p.Better = b
	case b0 > 0:
		p.Better = a
	case math.Abs(mean) > half: // two methods that are alike have no deviation
		p.Better = b
		if c.better(mean, 0) {
			p.Better = a
		}
	}
	return p
}

// paired is the mean of the differences of paired values, and half of the interval that holds it with a
// chance.
func paired(a, b []float64, chance float64) experiment.Estimate {
	differences := experiment.Differences(a, b)
	mean, deviation := experiment.MeanAndDeviation(differences)
	return experiment.Estimate{Mean: mean, Spread: experiment.HalfIntervalAt(chance, deviation, len(differences))}
}

func logarithms(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = portable.Log10(v)
	}
	return out
}

// failed is on how many seeds a method did.
func (c *Comparison) failed(i int) int { return failed(c.methods[i].Finals) }

// Varies reports whether any method's result depends on the seed.
func (c *Comparison) Varies() bool {
	for _, m := range c.methods {
		for _, v := range m.Finals {
			if v != m.Finals[0] && !(math.IsNaN(v) && math.IsNaN(m.Finals[0])) {
				return true
			}
		}
	}
	return false
}

// Fact explains the number by which methods are compared.
func (c *Comparison) Fact() scene.FactHelp {
	help, _ := c.plan.Scene.FactKind(c.plan.Scene.Comparison.Fact + "." + c.methods[0].ID)
	return help
}

// Settings writes values of parameters as name=value, in order.
func Settings(values map[string]string) string {
	var out []string
	for name, text := range values {
		out = append(out, name+"="+text)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
