package smooth

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/timeline"
)

// BenchmarkSwarm measures 2000 iterations of MOO-SVGD on Fonseca's problem, with all records. Its cost grows with the
// number of pairs of points: twice the starts cost about four times as much, not eight times.
func BenchmarkSwarm(b *testing.B) {
	const iterations = 2000
	for _, starts := range []int{20, 40} {
		b.Run(fmt.Sprint("starts=", starts), func(b *testing.B) {
			r, _ := bound(b)
			r.On = []string{moosvgd}
			p, err := problem.NewFonseca(2, 0)
			if err != nil {
				b.Fatal(err)
			}
			c := Course{Problem: p, Horizon: iterations, Seed: 1}
			for i := range starts {
				sin, cos := math.Sincos(float64(i))
				c.Starts = append(c.Starts, []float64{sin, cos})
			}
			for b.Loop() {
				all, err := r.Runs(c)
				if err != nil {
					b.Fatal(err)
				}
				line := timeline.New(timeline.DefaultLimit)
				line.SetEnd(iterations, 0)
				line.Reset(all, nil)
				for line.Running() {
					if _, err := line.Step(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
