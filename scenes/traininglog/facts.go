package traininglog

import (
	"math"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/scene"
)

// factKinds are the facts of the log and of the method; they are NaN while there is no report.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "records", Text: "The number of records.", Label: "records",
		Value: reported(func(r *runlog.Report) float64 { return float64(r.Records) })},
	{Name: "objectives", Text: "The number of objectives.", Label: "objectives",
		Value: reported(func(r *runlog.Report) float64 { return float64(r.Objectives) })},
	{Name: "conflict", Text: "The share of pairs of gradients that conflict on single batches, in the mean over the pairs.",
		Label: "share of pairs that conflict on single batches",
		Value: reported(func(r *runlog.Report) float64 {
			return meanOver(r.Pairs, func(p runlog.Pair) *float64 { return &p.Conflict })
		})},
	{Name: "averaged", Text: "The share of pairs that conflict in products averaged over the window, in the mean over the pairs.",
		Label: "share of pairs that conflict, averaged",
		Value: reported(func(r *runlog.Report) float64 {
			return meanOver(r.Pairs, func(p runlog.Pair) *float64 { return p.Averaged })
		})},
	{Name: "ratio", Text: "How many times as long the longest gradient is as the shortest, in the median.",
		Label: "longest gradient to shortest", Value: reported(func(r *runlog.Report) float64 { return known(r.NormRatio) })},
	{Name: "equal", Of: []string{"harm, hurt or independent"}, Text: "What equal weights do: the harm; the share of records in which some " +
		"objective is hurt, on the batch; or on another one.",
		Label: "equal weights: %s", Over: figures,
		Value: func(s *Scene, i int) float64 {
			if s.report == nil {
				return math.NaN()
			}
			return figure(s.report.Equal.Figures, s.report.Equal.Independent, i)
		}},
	{Name: "method", Of: []string{"harm, hurt or independent"}, Text: "What the method does with weights of every record: as for " +
		"equal weights.",
		Label: "the method: %s", Over: figures,
		Value: func(s *Scene, i int) float64 {
			m := s.method()
			if m == nil {
				return math.NaN()
			}
			return figure(m.Figures, m.Independent, i)
		}},
	{Name: "stale", Of: []string{"harm or hurt"}, Text: "What the method does with weights that are kept for R records.",
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
	{Name: "fixed", Of: []string{"harm or hurt"}, Text: "What the mean of the method’s weights does, fixed.",
		Label: "the mean of its weights, fixed: %s", Over: figures[:2],
		Value: func(s *Scene, i int) float64 {
			m := s.method()
			if m == nil || m.Fixed == nil {
				return math.NaN()
			}
			return figure(*m.Fixed, nil, i)
		}},
	{Name: "oldest", Text: "The largest R that does no more harm than equal weights and stays within the bound of hurt, 0 for none.",
		Label: "oldest weights that do", Unit: "records",
		Value: func(s *Scene, _ int) float64 {
			m := s.method()
			if m == nil {
				return math.NaN()
			}
			_, _, both := s.report.Oldest(m)
			return float64(both)
		}},
	{Name: "beside", Of: []string{"best, method or old"}, Text: "Where the log has outcomes of trainings that were run beside it: how many " +
		"times as large the test losses are, as a geometric mean, of the best of the others as of equal weights; of the method likewise; or " +
		"of the method with old weights as with new ones.",
		Label: "trained beside it: %s", Over: becameOf,
		Value: func(s *Scene, i int) float64 {
			if s.report == nil || s.report.Beside() == nil {
				return math.NaN()
			}
			b := s.report.Beside()
			return []float64{b.BestRatio, b.MethodRatio, b.OldRatio}[i]
		}},
	{Name: "share", Text: "The share of the gradients’ squared lengths that the plane at the marker shows.",
		Label: "share that the plane shows",
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

// becameOf names the ratios of losses in comparisons with other trainings.
var becameOf = []scene.FactArgument{{Name: "best", Label: "losses of the best of the others to those of equal weights"},
	{Name: "method", Label: "losses of the method to those of equal weights"},
	{Name: "old", Label: "losses with old weights to those with new ones"}}

// figures names the figures of directions.
var figures = []scene.FactArgument{{Name: "harm", Label: "harm"}, {Name: "hurt", Label: "share of records that hurt"},
	{Name: "independent", Label: "share of records that hurt on another batch"}}

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

// reported returns a fact of the report, NaN while there is none.
func reported(value func(r *runlog.Report) float64) func(s *Scene, _ int) float64 {
	return func(s *Scene, _ int) float64 {
		if s.report == nil {
			return math.NaN()
		}
		return value(s.report)
	}
}
