package orderinggrid

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/portable"
)

// Bound is a theorem's bound on the mean of ω² over T epochs with K samples, for random orders (3.6) or JoGBa (3.9).
// Its constants are estimated at the start point.
type Bound struct {
	Alpha float64   // step size that the theorem requires
	Terms []float64 // terms that sum to the bound
}

// termNames lists the names of the terms by theorem.
var termNames = map[string][]string{
	orders.Random: {"√(2F₁Δ(F²+σ²)/KT)", "σ²(1+ln T)/T"},
	orders.JoGBa:  {"11(A²F₁²Δ²(F²+σ²)/K²T²)^(1/3)", "σ²/T", "65Δ(F+F₁)/T", "8ΔAF₁/KT"},
}

// bound returns the bound that a method's theorem states for k samples and t epochs.
func bound(method string, c *ordering.Constants, k, t int) Bound {
	kt, epochs := float64(k)*float64(t), float64(t)
	square := float64(c.Deviation * c.Deviation)
	f := float64(c.Lipschitz*c.Lipschitz) + square
	if method == orders.Random {
		return Bound{c.RandomStepSize(k, t), []float64{math.Sqrt(2 * c.Smoothness * c.Gap * f / kt),
			square * (1 + portable.Log(epochs)) / epochs}}
	}
	a := c.Balance * c.Smoothness
	return Bound{c.JoGBaStepSize(k, t), []float64{11 * portable.Cbrt(a*a*c.Gap*c.Gap*f/(kt*kt)), square / epochs,
		65 * c.Gap * (c.Lipschitz + c.Smoothness) / epochs, 8 * c.Gap * a / kt}}
}

func (b *Bound) total() float64 {
	var sum float64
	for _, term := range b.Terms {
		sum += term
	}
	return sum
}

// bounds returns the theorem's bound for the order in a cell of rates. It uses the cell's longest horizon and the
// first run after tuning.
func (s *Tables) bounds(c *Cell) (Bound, error) {
	seed := s.config.Seed + uint64(s.config.Tuning)
	p, err := c.problem(seed)
	if err != nil {
		return Bound{}, err
	}
	start, err := c.start(p)
	if err != nil {
		return Bound{}, err
	}
	constants, err := ordering.Estimate(p, start, 1, ordering.AsPublished, ordering.Greedy)
	if err != nil {
		return Bound{}, err
	}
	return bound(c.Method, &constants, c.K, c.Horizons[len(c.Horizons)-1]), nil
}

// theorems lists the theorems about random orders and JoGBa.
var theorems = []struct{ method, title string }{{orders.Random, "3.6, random"}, {orders.JoGBa, "3.9, JoGBa"}}

// writeBounds writes the theorems' bounds for weights by MGDA, the case that the theorems cover.
func (s *Tables) writeBounds(b *experiment.Text) error {
	var failed error
	b.Printf("\nThe theorems' bounds for the first of the runs with MGDA's weights, with constants estimated for the " +
		"scene's schedules\n\n")
	b.Table(func(out io.Writer) {
		fmt.Fprintln(out, "theorem\tK\tT\tterms\tbound\tmeasured\tits α\tbest α")
		for _, theorem := range theorems {
			for i := range s.config.Rates {
				r := &s.config.Rates[i]
				if !slices.Contains(r.Weightings, "mgda") {
					continue
				}
				for _, k := range r.Ks {
					c := s.cell(rates, r.at(k), "mgda", Order{Method: theorem.method})
					if !s.complete(c) {
						continue
					}
					bound, err := s.bounds(c)
					if err != nil {
						failed = err
						return
					}
					terms := make([]string, len(bound.Terms))
					for i, term := range bound.Terms {
						terms[i] = termNames[theorem.method][i] + " = " + experiment.Significant(term, 2)
					}
					last := len(c.Horizons) - 1
					fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%g\n", theorem.title, k, r.last(), strings.Join(terms, ", "),
						experiment.Significant(bound.total(), 2), experiment.Significant(portable.Pow(10, c.Each[0][last]), 2),
						experiment.Significant(bound.Alpha, 2), c.chosenAlphas()[last])
				}
			}
		}
	})
	return failed
}
