package orders

import (
	"paretoplay/algo/ordering"
	"paretoplay/scenes/race"
)

// Background is what lies behind the paths of runs: it depends on the problem and the start alone.
type Background struct {
	Pairs   [][][]float64 // minimisers of weighted sums of two objectives, for each pair
	Minimum []float64     // of the mean of all objectives, nil where it is not known
	Reach   race.Window   // holds them and the start
}

// For how many the Pareto set is drawn.
const (
	mostPaired   = 4  // objectives
	mostSolved   = 64 // variables
	betweenPairs = 48 // weights from one objective to the other
)

// NewBackground computes what is known of a problem.
func NewBackground(on ordering.Problem, start []float64) *Background {
	out, box := new(Background), race.NewBox()
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
func WindowAbout(b *race.Box) race.Window {
	const room, least, grain = 1.4, 1.4e-6, 0.5
	return b.Window(room, least, grain)
}
