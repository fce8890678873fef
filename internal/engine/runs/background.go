package runs

import (
	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Background is the picture behind the paths of runs. It depends only on the problem and the start.
type Background struct {
	Pairs   [][][]float64 // for each pair of objectives, the minimisers of their weighted sums
	Minimum []float64     // minimiser of the mean of all objectives; nil if unknown
	Reach   Window        // window that contains the minimisers and the start

	box      *Box
	minimum  func(lambda []float64) ([]float64, error)
	m        int
	computed int // number of minimisers computed so far
}

// The Pareto set is drawn only for problems within these limits.
const (
	maxPaired    = 4  // maximum number of objectives
	maxSolved    = 64 // maximum number of variables
	betweenPairs = 48 // number of weights tried between two objectives
)

// atOnce is the maximum algo.LabourOf of a problem whose background is computed immediately.
const atOnce = 1 << 15

// NewBackground returns the background of a problem. If the computation takes long, NewBackground leaves it to Work.
func NewBackground(on algo.Problem, start []float64) *Background {
	out := &Background{box: NewBox()}
	d, m := on.Dims()
	out.box.Add(start)
	p, ok := on.(interface {
		Minimum(lambda []float64) ([]float64, error)
	})
	if ok && d <= maxSolved && m <= maxPaired {
		out.minimum, out.m = p.Minimum, m
	}
	out.Reach = WindowAbout(out.box)
	if algo.LabourOf(on, d) <= atOnce {
		out.Work(func() bool { return true })
	}
	return out
}

// Work continues the computation of the background while more() is true. It reports whether work remains.
func (g *Background) Work(more func() bool) (pending bool) {
	if g.minimum == nil {
		return false
	}
	total := 1 + g.m*(g.m-1)/2*(betweenPairs+1)
	for ; g.computed < total; g.computed++ {
		if !more() {
			return true
		}
		g.compute(g.computed)
	}
	g.minimum = nil
	g.Reach = WindowAbout(g.box)
	return false
}

// compute computes one minimiser: first of the mean, then of each pair of objectives in turn.
func (g *Background) compute(number int) {
	lambda := make([]float64, g.m)
	if number == 0 {
		for i := range lambda {
			lambda[i] = 1 / float64(g.m)
		}
		g.Minimum = g.solve(lambda)
		return
	}
	pair, n := (number-1)/(betweenPairs+1), (number-1)%(betweenPairs+1)
	if n == 0 {
		g.Pairs = append(g.Pairs, nil)
	}
	i := 1
	j := pair
	for ; j >= i; i++ {
		j -= i
	}
	lambda[i] = float64(n) / betweenPairs
	lambda[j] = 1 - lambda[i]
	if w := g.solve(lambda); w != nil {
		g.Pairs[pair] = append(g.Pairs[pair], w)
	}
}

// solve returns the minimiser of a weighted sum, or nil if there is none or more than one.
func (g *Background) solve(lambda []float64) []float64 {
	w, err := g.minimum(lambda)
	if err != nil {
		return nil
	}
	g.box.Add(w)
	return w
}

// WindowAbout returns a window around a box. The window seldom changes as the box grows, because the window's middle
// may differ from the box's by up to a quarter of the window's half-width.
func WindowAbout(b *Box) Window {
	const room, least, grain = 1.4, 1.4e-6, 0.5
	return b.Window(room, least, grain)
}

// Draw draws the Pareto set of each pair of objectives, and the point with the least mean of all objectives.
func (g *Background) Draw(b *brush.Brush) {
	for _, pair := range g.Pairs {
		b.Optima(len(pair), func(i int) (float64, float64) { return Flat(pair[i]) })
	}
	if g.Minimum != nil && len(g.Pairs) > 0 {
		x, y := Flat(g.Minimum)
		b.Marker(x, y, brush.Plus, 6, b.Theme.Ink, true)
	}
}

// Entries returns the legend entries of the background.
func (g *Background) Entries(t *brush.Theme) []axes.Entry {
	if g == nil || len(g.Pairs) == 0 {
		return nil
	}
	return []axes.Entry{{Label: "Pareto optimal", Stroke: brush.Stroke{Color: t.Optimum, Width: 7}},
		{Label: "lowest mean loss", Shape: brush.Plus, Fill: t.Ink}}
}
