package runlog

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

// synthetic returns a log of random gradients that turn slowly. It contains everything except Jacobians.
func synthetic(records, objectives int) *Log {
	const variables, keep = 60, 0.9
	random := rand.New(rand.NewPCG(1, 2))
	s := objectives
	l := &Log{records: records, objectives: s}
	for _, b := range []struct {
		to    **block
		width int
	}{{&l.gramian, s * s}, {&l.cross, s * s}, {&l.losses, s}, {&l.after, s}} {
		*b.to = &block{width: b.width, double: make([]float64, records*b.width)}
	}
	g, other := algo.NewJacobian(s, variables), algo.NewJacobian(s, variables)
	for k := range records {
		for i := range g.Data {
			g.Data[i] = keep*g.Data[i] + random.NormFloat64()
			other.Data[i] = g.Data[i] + 2*random.NormFloat64()
		}
		g.Gram(l.gramian.double[k*s*s : (k+1)*s*s])
		for i := range s {
			for j := range s {
				for c, v := range g.Row(i) {
					l.cross.double[k*s*s+i*s+j] += v * other.Row(j)[c]
				}
			}
			l.losses.double[k*s+i] = 1 + random.Float64()
			l.after.double[k*s+i] = 1 + random.Float64()
		}
	}
	l, err := l.finish()
	check(err)
	return l
}

// BenchmarkAnalysis applies all methods that the log supports, with all periods.
func BenchmarkAnalysis(b *testing.B) {
	for _, size := range []struct{ records, objectives int }{{1000, 10}, {250, 40}} {
		l := synthetic(size.records, size.objectives)
		b.Run(fmt.Sprintf("T=%d,S=%d", size.records, size.objectives), func(b *testing.B) {
			options := NewOptions()
			options.Methods = All()
			for b.Loop() {
				if _, err := Analyse(l, options); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*10_000/float64(size.records), "s/10000records")
		})
	}
	for _, objectives := range []int{10, 40} {
		l := synthetic(100, objectives)
		for _, c := range All() {
			b.Run(fmt.Sprintf("S=%d,%s", objectives, c.Name), func(b *testing.B) {
				options := NewOptions()
				options.Methods = []Choice{c}
				for b.Loop() {
					if _, err := Analyse(l, options); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*10_000/100, "s/10000records")
			})
		}
	}
}
