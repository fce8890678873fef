package traininglog

import (
	"math"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/scene"
)

// factKinds are the facts of the log and of the method. They are NaN while there is no report.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "records", Text: "The number of records in the log.", Label: "records",
		Value: reported(func(r *runlog.Report) float64 { return float64(r.Records) })},
	{Name: "objectives", Text: "The number of objectives.", Label: "objectives",
		Value: reported(func(r *runlog.Report) float64 { return float64(r.Objectives) })},
	{Name: "conflict", Text: "The share of records in which a pair of gradients conflicts on single batches, averaged over the pairs.",
		Label: "share of pairs that conflict on single batches",
		Value: reported(func(r *runlog.Report) float64 {
			return meanOver(r.Pairs, func(p runlog.Pair) *float64 { return &p.Conflict })
		})},
	{Name: "averaged", Text: "The share of windows in which the averaged product of a pair of gradients is below 0; mean over the pairs.",
		Label: "share of pairs that conflict after averaging",
		Value: reported(func(r *runlog.Report) float64 {
			return meanOver(r.Pairs, func(p runlog.Pair) *float64 { return p.Averaged })
		})},
	{Name: "ratio", Text: "The median ratio between the lengths of the longest and the shortest gradient.",
		Label: "ratio of the longest gradient to the shortest", Value: reported(func(r *runlog.Report) float64 { return known(r.NormRatio) })},
	{Name: "equal", Of: []string{"harm, hurt or independent"}, Text: "For equal weights: the harm, or the share of records whose step " +
		"hurts an objective, on the step’s own batch or on another batch.",
		Label: "equal weights: %s", Over: figures,
		Value: func(s *Scene, i int) float64 {
			if s.report == nil {
				return math.NaN()
			}
			return figure(s.report.Equal.Figures, s.report.Equal.Independent, i)
		}},
	{Name: "method", Of: []string{"harm, hurt or independent"}, Text: "For the method, with weights recomputed at every " +
		"record: the harm, or the share of records whose step hurts an objective, on the step’s own batch or on another batch.",
		Label: "the method: %s", Over: figures,
		Value: func(s *Scene, i int) float64 {
			m := s.method()
			if m == nil {
				return math.NaN()
			}
			return figure(m.Figures, m.Independent, i)
		}},
	{Name: "stale", Of: []string{"harm or hurt"}, Text: "The method’s harm or hurt, with weights kept for R records.",
		Label: "the method, weights kept for R records: %s", Over: figures[:2],
		Value: func(s *Scene, i int) float64 {
			if m := s.method(); m != nil {
				for _, stale := range m.Stale {
					if stale.R == s.values.R {
						return figure(stale.Figures, nil, i)
					}
				}
			}
			return math.NaN()
		}},
	{Name: "fixed", Of: []string{"harm or hurt"}, Text: "The harm or hurt of weights fixed at the mean of the method’s weights.",
		Label: "fixed mean weights: %s", Over: figures[:2],
		Value: func(s *Scene, i int) float64 {
			m := s.method()
			if m == nil || m.Fixed == nil {
				return math.NaN()
			}
			return figure(*m.Fixed, nil, i)
		}},
	{Name: "oldest", Text: "The largest R with no more harm than equal weights and with hurt within the bound, or 0 if there is " +
		"none.",
		Label: "oldest acceptable weights", Unit: "records",
		Value: func(s *Scene, _ int) float64 {
			m := s.method()
			if m == nil {
				return math.NaN()
			}
			_, _, both := s.report.Oldest(m)
			return float64(both)
		}},
	{Name: "beside", Of: []string{"best, method or old"}, Text: "For a log with outcomes of other runs, the geometric mean ratio of " +
		"test losses: the best other run to equal weights, the method to equal weights, or the method’s old to its new weights.",
		Label: "other training runs: %s", Over: becameOf,
		Value: func(s *Scene, i int) float64 {
			if s.report == nil || s.report.Beside() == nil {
				return math.NaN()
			}
			b := s.report.Beside()
			return []float64{b.BestRatio, b.MethodRatio, b.OldRatio}[i]
		}},
	{Name: "share", Text: "The share of the gradients’ squared lengths that the plane at the marker shows.",
		Label: "share of squared lengths in the plane",
		Value: func(s *Scene, _ int) float64 {
			if s.log == nil {
				return math.NaN()
			}
			n := s.log.Objectives()
			gramian := make([]float64, n*n)
			s.log.Products(gramian, s.record())
			return flatten(gramian, n).share
		}},
}

// becameOf lists the ratios of losses by which other training runs are compared.
var becameOf = []scene.FactArgument{{Name: "best", Label: "losses of the best other run, relative to equal weights"},
	{Name: "method", Label: "losses of the method, relative to equal weights"},
	{Name: "old", Label: "losses with old weights, relative to new weights"}}

// figures lists the measures of directions.
var figures = []scene.FactArgument{{Name: "harm", Label: "harm"}, {Name: "hurt", Label: "share of records whose step hurts an objective"},
	{Name: "independent", Label: "share of records whose step hurts an objective on another batch"}}

func figure(f runlog.Figures, independent *float64, i int) float64 {
	switch i {
	case 0:
		return f.Harm
	case 1:
		return f.Hurt
	}
	return known(independent)
}

func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

func meanOver(pairs []runlog.Pair, of func(runlog.Pair) *float64) float64 {
	sum := 0.0
	for _, p := range pairs {
		sum += known(of(p))
	}
	return sum / float64(len(pairs))
}

// reported turns a function of the report into a fact. The fact is NaN while there is no report.
func reported(value func(r *runlog.Report) float64) func(s *Scene, _ int) float64 {
	return func(s *Scene, _ int) float64 {
		if s.report == nil {
			return math.NaN()
		}
		return value(s.report)
	}
}
