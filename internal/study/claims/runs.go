package claims

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/portable"
)

// Seeds is the number of seeds with which each claim is tested.
const Seeds = 20

// UsualSeedBase is the number before the first seed of the tests. The page and the experiments start at seed 1, so
// their settings were not tuned on these seeds.
const UsualSeedBase = 1000

// MostSeedBase is the largest seed base that a caller may choose.
const MostSeedBase = 1_000_000_000

// seedList returns the seeds with which claims are tested, starting after the seed base.
func (l *lab) seedList() []uint64 {
	out := make([]uint64, Seeds)
	for i := range out {
		out[i] = uint64(l.options.SeedBase + 1 + i)
	}
	return out
}

// eachSeed calls f for every seed and returns the results.
func (l *lab) eachSeed(f func(seed uint64) float64) (out []float64) {
	for _, seed := range l.seedList() {
		out = append(out, f(seed))
	}
	return out
}

// startsAbout returns random start points for a seed. Each of their n coordinates is uniform between middle − region
// and middle + region.
func startsAbout(seed uint64, count, n int, middle, region float64) [][]float64 {
	s := runs.Starts{Region: region}
	return s.Points(seed, nil, count, s.Uniform(n, middle))
}

// psmgd runs PSMGD until done returns true, or for the given number of steps.
func (l *lab) psmgd(c descent.Config, steps int, done func(v algo.View) bool) (algo.View, algo.Status) {
	v, status, err := algo.Run(must(descent.NewPSMGD(c)), steps, done)
	check(err)
	return v, status
}

// descend runs PSMGD and returns the final view. After every step it calls look, which may be nil.
func (l *lab) descend(c descent.Config, steps int, look func(v algo.View)) algo.View {
	v, _ := l.psmgd(c, steps, func(v algo.View) bool {
		if look != nil && v.K > 0 {
			look(v)
		}
		return false
	})
	return v
}

// onFonseca configures runs on Fonseca's problem with two variables.
type onFonseca struct {
	fixed    bool // fixed random weights instead of PSMGD's
	period   int  // R
	momentum float64
	eta      float64
	steps    int
	starts   int // number per seed
}

// config returns the configuration of a seed's run from x, the seed's start point with index i.
func (c *onFonseca) config(p *problem.Fonseca, seed uint64, i int, x []float64) descent.Config {
	config := descent.Config{Problem: p, Start: x, StepSize: c.eta, Period: c.period, Momentum: c.momentum}
	if !c.fixed {
		return config
	}
	source := algo.Stream(seed, i, 0, algo.Dirichlet)
	w := float64(fraction(&source))
	return descent.LinearScalarization(config, []float64{w, 1 - w})
}

// halfSide is half the side of the square around 0 that contains the start points. The minima are at distance 1 from 0.
const halfSide = 1.2

// ends describes where runs end.
type ends struct {
	atEnd, runs int
	shares      []float64 // share of the runs at an end of the front, by seed
	tenths      int       // in how many of ten equal parts of the Pareto set runs end
}

// share returns the share of runs at an end of the front.
func (e *ends) share() Number { return share(e.atEnd, e.runs) }

// ends carries out the runs that c configures, for every seed, and returns where they end.
func (l *lab) ends(c onFonseca) *ends {
	out := &ends{}
	p := l.fonseca(0)
	_, tip := p.ParetoInterval()
	seen := map[int]bool{}
	out.shares = l.eachSeed(func(seed uint64) float64 {
		before := out.atEnd
		for i, x := range startsAbout(seed, c.starts, 2, 0, halfSide) {
			v := l.descend(c.config(p, seed, i, x), c.steps, nil)
			if min(v.F[0], v.F[1]) < p.End() {
				out.atEnd++
			}
			along := (v.X[0]+v.X[1])/2/tip + 1 // 0 at one end of the set, 2 at the other
			seen[min(max(int(5*along), 0), 9)] = true
			out.runs++
		}
		return float64(out.atEnd-before) / float64(c.starts)
	})
	out.tenths = len(seen)
	return out
}

// effort contains the mean cost of each seed's runs.
type effort struct{ iterations, paid []float64 } // paid counts backpropagations

// untilStationary returns the cost of runs up to the iteration at which ω reaches 0.01.
func (l *lab) untilStationary(c onFonseca) (out effort) {
	p := l.fonseca(0)
	omega := pareto.StationarityOf(p)
	out.iterations = l.eachSeed(func(seed uint64) float64 {
		var iterations, paid int
		for i, x := range startsAbout(seed, c.starts, 2, 0, halfSide) {
			v := l.until(c.config(p, seed, i, x), func(v algo.View) bool { return omega(v.X) <= 0.01 })
			iterations, paid = iterations+v.K, paid+v.Cost.Backpropagations
		}
		out.paid = append(out.paid, float64(paid)/float64(c.starts))
		return float64(iterations) / float64(c.starts)
	})
	return out
}

// until runs PSMGD until done returns true. It panics after more than 10,000 steps.
func (l *lab) until(c descent.Config, done func(v algo.View) bool) algo.View {
	v, status := l.psmgd(c, 10_000, done)
	if status != algo.Converged {
		fail(fmt.Errorf("a run from %v ended as %v", c.Start, status))
	}
	return v
}

// fonseca returns Fonseca's problem with two variables and noise of standard deviation sigma in the gradients.
func (l *lab) fonseca(sigma float64) *problem.Fonseca {
	return must(problem.NewFonseca(2, sigma))
}

// fraction returns a random number from 0 to 1.
func fraction(source interface{ Uint64() uint64 }) float64 {
	return float64(source.Uint64()>>11) / (1 << 53)
}

// bowls returns a random problem of strongly convex quadratics in ten variables. The curvatures along the axes are
// between 1/2 and 2. In every variable, the minima are in [−1, 1] and the start is in [−4, 4].
func (l *lab) bowls(objectives int, seed uint64) (p *problem.Quadratics, start []float64) {
	const n = 10
	source := algo.Stream(seed, 0, 0, algo.Data)
	draw := func() float64 { return 2*float64(fraction(&source)) - 1 }
	of := make([]problem.QuadraticObjective, objectives)
	for k := range of {
		of[k] = problem.QuadraticObjective{A: make([]float64, n*n), Center: make([]float64, n)}
		for i := range n {
			of[k].A[i*n+i], of[k].Center[i] = portable.Exp2(draw()), draw()
		}
	}
	start = make([]float64, n)
	for i := range start {
		start[i] = 4 * draw()
	}
	return must(problem.NewQuadratics(0, of...)), start
}

// paid returns the number of backpropagations that PSMGD needs on bowls to reduce ω to a hundredth of its start value.
func (l *lab) paid(objectives, period int, seed uint64) float64 {
	p, start := l.bowls(objectives, seed)
	omega := pareto.StationarityOf(p)
	goal := omega(start) / 100
	v := l.until(descent.Config{Problem: algo.Exact(p), Start: start, StepSize: 0.1, Period: period}, func(v algo.View) bool {
		return omega(v.X) <= goal
	})
	return float64(v.Cost.Backpropagations)
}

// forum runs FORUM on the quadratic bilevel problem (24), with ρ = 0.3 and the paper's loop of 50 steps with η = 0.05.
// After every step it calls look, which may be nil.
func (l *lab) forum(c bilevel.FORUMConfig, steps int, look func(s *bilevel.FORUM)) *bilevel.FORUM {
	c.Problem, c.Rho, c.Loop = problem.NewQuadraticBilevel(), 0.3, bilevel.Loop{Steps: 50, StepSize: 0.05}
	s := must(bilevel.NewFORUM(c))
	for range steps {
		if must(s.Step()) != algo.Running {
			break
		}
		if look != nil {
			look(s)
		}
	}
	return s
}

// bilevelStart returns a random start on problem (24), within 1.5 of the middle of the solutions in every coordinate.
func bilevelStart(seed uint64) []float64 { return startsAbout(seed, 1, 3, 1.5, 1.5)[0] }
