// Package comparison compares a scene's methods over seeds. It tunes each method's step size on separate seeds, and
// then runs all methods with the same starts and noise. Differences are paired by seed and have confidence intervals.
// The report names differences that the seeds cannot confirm. Failed runs are counted and rank last.
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

// Plan describes a comparison.
type Plan struct {
	Scene   scene.About
	Values  map[string]string // parameter values that override the scene's settings for comparisons
	Methods []string          // without the baseline, which is always added
	Seeds   int               // number of seeds for the comparison, without those for tuning; at least 2
	// SeedBase is the number before the first seed, from 0 to MostSeedBase. A different base repeats the comparison
	// with other seeds.
	SeedBase int
	// Target is the target value of the fact. A run's cost is measured until the fact reaches this value. NaN selects
	// the value that half of the worst method's runs reach.
	Target float64
}

const (
	// MostSeeds is the maximum number of seeds of a comparison.
	MostSeeds = 1000
	// MostSeedBase is the maximum value of Plan.SeedBase.
	MostSeedBase = 1_000_000_000
	// tuningSeeds is the number of seeds for tuning a step size. The first of them is SeedBase + tuningFrom.
	tuningSeeds = 5
	tuningFrom  = 1_000_001
	// wanted is the probability that all intervals together contain their true differences.
	wanted = 0.95
)

// factors multiply the scene's step size to give the first step sizes to try. Two more step sizes are tried for every
// method. If the best step size so far is the smallest or largest, both new ones are beyond it; otherwise, one is on
// each side of it.
var factors = []float64{0.03, 0.1, 0.3, 1, 3, 10}

// Trial is a tried step size.
type Trial struct {
	Step   float64
	Score  float64 // mean of the fact over the tuning seeds, a geometric mean if values are compared by ratio; NaN if a run failed
	Failed int     // number of runs that failed
}

// Method holds the result of one method.
type Method struct {
	ID     string
	Title  string
	Step   float64 // the best step size
	Edge   bool    // whether the best step size is the smallest or largest that was tried
	Trials []Trial

	Finals []float64           // the fact at the end, by seed; NaN if the run failed
	Fails  []Failure           // reasons for failure, by seed
	Stops  int                 // number of runs that count although they ended because the rule had no solution
	Final  experiment.Estimate // mean of Finals and half-width of its interval; both of logarithms to base 10 if values are compared by ratio
	Rank   float64             // mean rank over the seeds; 1 is the best rank
	Costs  []float64           // backpropagations needed to reach the target, by seed; NaN if it was not reached
	Spent  float64             // mean number of backpropagations at the end, over the seeds
}

// Pair is the difference between two methods.
type Pair struct {
	A, B       int                 // indices in Comparison.Methods
	Difference experiment.Estimate // mean of A's finals minus B's, paired by seed, and half-width of its interval
	Better     int                 // the better method, or −1 if the seeds do not distinguish the two
	// Cost is like Difference, but compares the logarithms to base 10 of the costs to reach the target. It is NaN
	// unless both methods reached the target on all seeds. Cheaper is the cheaper method, or −1.
	Cost    experiment.Estimate
	Cheaper int
}

// Comparison is a comparison, in progress or finished. Use it from one goroutine at a time.
type Comparison struct {
	plan    Plan
	values  map[string]string
	step    param.Descriptor
	methods []Method

	tuning  []job // runs of the method being tuned, by step size and seed
	widened bool  // whether tuning contains all step sizes of the method, including the last two
	at      int   // index of the current method
	seed    int
	run     *run // the current run
	done    int  // number of finished runs
	phase   phase
	target  float64
	reached []passage // by method and seed, without the tuning runs
}

type phase int

const (
	tuningPhase phase = iota
	comparingPhase
	donePhase
)

// job is a step size to try. For each seed it has a score, and the cost at which the fact reaches the constant solved.
type job struct {
	step   float64
	scores []float64 // scores by seed; NaN if the run failed
	costs  []float64
}

// passage records the values of a run's fact at its checkpoints, and the cost spent until each of them.
type passage struct {
	values, spent []float64
}

// New returns a comparison that has not started. It returns an error if the scene has no comparison, a method or parameter is
// unknown, or the number of seeds is out of range.
func New(p Plan) (*Comparison, error) {
	by := p.Scene.Comparison
	if by == nil {
		return nil, fmt.Errorf("methods of scene %s cannot be compared: the scene defines no fact for comparisons", p.Scene.ID)
	}
	if p.Seeds < 2 || p.Seeds > MostSeeds {
		return nil, fmt.Errorf("%d seeds: a comparison needs 2 to %d", p.Seeds, MostSeeds)
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
			return nil, fmt.Errorf("cannot set %s, which a comparison chooses itself", name)
		}
		c.values[name] = text
	}
	names := slices.Clone(p.Methods)
	if by.Baseline != "" && !slices.Contains(names, by.Baseline) {
		names = append(names, by.Baseline)
	}
	if len(names) < 2 {
		return nil, fmt.Errorf("a comparison needs at least two methods")
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("the method %s is named twice", name)
		}
		m, ok := about(p.Scene, name)
		if !ok {
			return nil, fmt.Errorf("unknown method %s in scene %s", scene.Quote(name), p.Scene.ID)
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

// middle returns the scene's default step size.
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
	for _, name := range s.Params().Names() { // in a fixed order, so that the first error is always the same
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
		return fmt.Errorf("unknown parameter %s in scene %s", scene.Quote(name), c.plan.Scene.ID)
	}
	return s.Params().Check()
}

// tune adds the first step sizes of the next method.
func (c *Comparison) tune() {
	c.tuning, c.widened = nil, false
	for _, f := range factors {
		c.tuning = c.widen(c.tuning, f*c.middle())
	}
}

// widen inserts a step size, clamped to the parameter's range, into the ordered jobs.
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

// Work continues the comparison while more() is true. It reports whether work remains. After an error the comparison cannot
// continue.
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

// Progress returns the number of finished runs and an estimate of the total.
func (c *Comparison) Progress() (done, of int) {
	each := (len(factors)+2)*tuningSeeds + c.plan.Seeds
	return c.done, max(c.done, len(c.methods)*each)
}

// next starts the next run. It returns nil at the end of a phase.
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

// further returns the last two step sizes to try. If the best step size so far is the smallest or largest and the
// parameter's range allows it, both are beyond that step size. Otherwise they are between the best step size and its
// neighbours.
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

// failed returns the number of failed runs, whose values are NaN.
func failed(values []float64) (count int) {
	for _, v := range values {
		if math.IsNaN(v) {
			count++
		}
	}
	return count
}

// score returns the mean score of a step size, or NaN if a run failed.
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

// scaled returns a value on the scale for differences, which is log10 if values are compared by ratio.
func (c *Comparison) scaled(v float64) float64 {
	if !c.plan.Scene.Comparison.Log {
		return v
	}
	return portable.Log10(max(v, least)) // stays NaN if v is NaN
}

// If values are compared by ratio, values below the constant least count as equal, because they are mostly rounding
// errors. Values below the constant solved mean that the problem is solved. Of the step sizes that reach least, the one
// that reaches solved at the lowest cost wins. No target is below solved.
const (
	least  = 1e-10
	solved = 1e-6
)

// better reports whether one value is better than another; NaN is the worst.
func (c *Comparison) better(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a) && math.IsNaN(b)
	}
	if c.plan.Scene.Comparison.Higher {
		return a > b
	}
	return a < b
}

// best returns the index of the best step size among those with the fewest failures. Among equally good ones, it
// returns the one that reaches the constant solved at the lowest cost.
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

// take records a finished run.
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

// conclude computes means, ranks and costs from the final values.
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

// cost returns the cost at which a run first reached a target, or NaN if it never reached the target.
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

// Methods returns the results, in the plan's order. The baseline is last unless the plan contains it. The results are
// complete once Work has finished.
func (c *Comparison) Methods() []Method { return c.methods }

// Seed returns the seed that belongs to entry i of Method.Finals, counted from 0.
func (c *Comparison) Seed(i int) int { return c.plan.SeedBase + 1 + i }

// Target returns the target value of the fact. A run's cost is measured until the fact reaches this value.
func (c *Comparison) Target() float64 { return c.target }

// Pairs returns the differences between all methods, with each pair once. The intervals of all differences and costs
// hold simultaneously with a probability of 95 % (Bonferroni's correction). A method that failed on some seed is worse
// than a method that never failed. If both methods failed, Pairs gives no verdict.
func (c *Comparison) Pairs() (out []Pair) {
	if c.phase != donePhase {
		return nil
	}
	const each = 2 // number of intervals per pair
	count := each * len(c.methods) * (len(c.methods) - 1) / 2
	for a := range c.methods {
		for b := a + 1; b < len(c.methods); b++ {
			out = append(out, c.pair(a, b, 1-(1-wanted)/float64(count)))
		}
	}
	return out
}

// pair compares two methods. Each of its intervals holds with the given probability.
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
	case math.Abs(mean) > half: // two identical methods have no deviation
		p.Better = b
		if c.better(mean, 0) {
			p.Better = a
		}
	}
	return p
}

// paired returns the mean of a minus b over paired values, and the half-width of its interval for the given
// probability.
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

// failed returns the number of seeds on which a method failed.
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

// Fact describes the fact by which methods are compared.
func (c *Comparison) Fact() scene.FactHelp {
	help, _ := c.plan.Scene.FactKind(c.plan.Scene.Comparison.Fact + "." + c.methods[0].ID)
	return help
}

// Settings returns parameter values as name=value, ordered by name.
func Settings(values map[string]string) string {
	var out []string
	for name, text := range values {
		out = append(out, name+"="+text)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
