package fairness

import (
	"math"
	"sync/atomic"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
)

// front holds the Pareto-optimal θ of a problem, from the most accurate to the fairest.
type front struct {
	of        problem.FairnessConfig
	theta, f  [][]float64
	reference []float64 // reference point of hypervolumes
	volume    float64   // hypervolume of all points
}

// frontPoints is the number of points on a front. They are denser where the front bends.
const frontPoints = 41

// beyond is the distance of the reference point beyond the worst values at the front's ends, as a share of the range between them. A
// tenth is usual.
const beyond = 0.1

// lastFront caches the latest front of any scene, because lessons and undo reopen the same problem repeatedly.
var lastFront atomic.Pointer[front]

// frontOf returns the front of a problem. Callers must not change it.
func frontOf(p *problem.Fairness, of problem.FairnessConfig, yielder *algo.Yielder) *front {
	if last := lastFront.Load(); last != nil && last.of == of {
		return last
	}
	out := newFront(p, of, yielder)
	lastFront.Store(out)
	return out
}

func newFront(p *problem.Fairness, of problem.FairnessConfig, yielder *algo.Yielder) *front {
	out := &front{of: of}
	for i := range frontPoints {
		theta, f := make([]float64, 2), make([]float64, 2)
		u := float64(i) / (frontPoints - 1)
		// μ goes from 0 to ∞, evenly in its effect on the curvature along c. Use math.Pow, because the results of stored
		// links must stay the same to the last bit.
		p.ParetoPoint(theta, 0.3*math.Pow(u/(1-u), 1.5), yielder)
		p.Values(f, theta)
		out.theta, out.f = append(out.theta, theta), append(out.f, f)
	}
	accurate, fair := out.accurate(), out.fair()
	out.reference = []float64{fair[0] + float64(beyond*(fair[0]-accurate[0])), accurate[1] + float64(beyond*(accurate[1]-fair[1]))}
	if v, err := pareto.Hypervolume(out.f, out.reference); err == nil { // cannot fail: all points are finite
		out.volume = v
	}
	return out
}

// accurate returns the objectives at the end with the lowest loss. fair returns those at the other end.
func (f *front) accurate() []float64 { return f.f[0] }

func (f *front) fair() []float64 { return f.f[len(f.f)-1] }

// most returns the hypervolume of the front's points. The convex curve between them would add little.
func (f *front) most() float64 { return f.volume }
