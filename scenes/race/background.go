package race

import (
	"paretoplay/algo"
	"paretoplay/scenes/panel"
)

// Background is the picture behind the paths of runs, which depends on the problem and the start
// alone.
type Background struct {
	Pairs   [][][]float64 // minimisers of weighted sums of two objectives, for each pair
	Minimum []float64     // of the mean of all objectives, nil if unknown
	Reach   Window        // holds them and the start
}

// Limits up to which the Pareto set is drawn.
const (
	mostPaired   = 4  // objectives
	mostSolved   = 64 // variables
	betweenPairs = 48 // weights from one objective to the other
)

// NewBackground computes the background of a problem.
func NewBackground(on algo.Problem, start []float64) *Background {
	out, box := new(Background), NewBox()
	d, m := on.Dims()
	box.Add(start)
	p, ok := on.(interface {
		Minimum(lambda []float64) ([]float64, error)
	})
	if ok && d <= mostSolved && m <= mostPaired {
		lambda := make([]float64, m)
		solve := func() []float64 {
			w, err := p.Minimum(lambda)
			if err != nil { // it has no minimum, or too many
				return nil
			}
			box.Add(w)
			return w
		}
		for i := range m {
			lambda[i] = 1 / float64(m)
		}
		out.Minimum = solve()
		for i := range m {
			for j := range i {
				var pair [][]float64
				for n := range betweenPairs + 1 {
					clear(lambda)
					lambda[i] = float64(n) / betweenPairs
					lambda[j] = 1 - lambda[i]
					if w := solve(); w != nil {
						pair = append(pair, w)
					}
				}
				out.Pairs = append(out.Pairs, pair)
			}
		}
	}
	out.Reach = WindowAbout(box)
	return out
}

// WindowAbout is a window that seldom changes: its middle may be a quarter away from the box's.
func WindowAbout(b *Box) Window {
	const room, least, grain = 1.4, 1.4e-6, 0.5
	return b.Window(room, least, grain)
}

// Draw draws the Pareto set by pairs of objectives, and where the mean of all is least.
func (g *Background) Draw(b *panel.Brush) {
	for _, pair := range g.Pairs {
		b.Optima(len(pair), func(i int) (float64, float64) { return Flat(pair[i]) })
	}
	if g.Minimum != nil && len(g.Pairs) > 0 {
		x, y := Flat(g.Minimum)
		b.Marker(x, y, panel.Plus, 6, b.Theme.Ink, true)
	}
}

// Entries returns its legend entries.
func (g *Background) Entries(t *panel.Theme) []panel.Entry {
	if g == nil || len(g.Pairs) == 0 {
		return nil
	}
	return []panel.Entry{{Label: "Pareto optimal", Stroke: panel.Stroke{Color: t.Optimum, Width: 7}},
		{Label: "least mean loss", Shape: panel.Plus, Fill: t.Ink}}
}
