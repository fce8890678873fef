package clusters

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// logarithmic returns a logarithmic axis that contains a range. The axis is one to six decades long.
func logarithmic(label string, lo, hi float64) axes.Axis {
	const room, least, limit = 1.5, 10, 1e6
	return axes.Axis{Label: label, Min: min(max(lo, hi/limit), hi/least) / room, Max: hi * room, Log: true}
}

// number returns a function that reads the named number from a row.
func number(name string) func(timeline.Row) float64 {
	return func(r timeline.Row) float64 { return r.Number(name) }
}

// selectedCurve describes a quantity over the rounds, with its value for the selected run at the marker.
func (s *Scene) selectedCurve(what string, value func(timeline.Row) float64) string {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return s.waiting()
	}
	row := s.Timeline().ShownStep(timeline.Track{Run: r.Run})
	return fmt.Sprintf("%s over the rounds. For %s the value is %s at round %d.", what, r.Title, timeline.Number(value(row)), row.K)
}

// lossHistory returns the panel of every run's oracle loss, with the time marker's handle.
func (s *Scene) lossHistory() *kinds.History {
	h := s.history("curve", "Loss of the goals")
	h.Fixed = false
	h.Value = number(plans.OracleLoss)
	h.Y = func() axes.Axis {
		lo, hi := s.extent(plans.OracleLoss)
		_, mean := s.extent(plans.MeanLoss)
		return logarithmic("loss", lo, max(hi, mean))
	}
	h.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.Timeline().Shown(timeline.Track{Run: r.Run})
		return fmt.Sprintf("Losses over the rounds: the oracle loss (the best solution for each goal) and, as thinner lines, the mean over "+
			"all solutions. For %s they are %s and %s at round %d.", r.Title, timeline.Number(row.Number(plans.OracleLoss)),
			timeline.Number(row.Number(plans.MeanLoss)), row.K)
	})
	return h
}

// lossPanel returns h, the panel of oracle losses, with the mean losses added.
func (s *Scene) lossPanel(h *kinds.History) axes.Panel {
	return plans.LossPanel(h, "best for each goal (oracle)")
}

// zerosPanel shows how sparse the plans are over the rounds.
func (s *Scene) zerosPanel() axes.Panel {
	h := s.history("curve", "Zeros of the plan")
	h.Value = number(plans.Zeros)
	h.Y = func() axes.Axis { return axes.Axis{Label: "share of zeros", Min: 0, Max: 1.02} }
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		n, m := float64(len(s.centres)), float64(s.values.M)
		if least := 1 - (n+m-1)/(n*m); n > 0 && least > 0 {
			b.HLine(least, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
			xmin, xmax, _, _ := b.Bounds()
			b.Text(xmin+float64(0.02*(xmax-xmin)), least, "minimum for an exact plan", brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: -1})
		}
	}}
	h.Text = func() string {
		return s.selectedCurve("The share of zero entries in the plan (at least 1 − (n+m−1)/(nm) if it is exact)", number(plans.Zeros))
	}
	return h.Panel()
}

// changePanel shows how much the plan changes in each round.
func (s *Scene) changePanel() axes.Panel {
	const least = 1e-9
	h := s.history("curve", "Change of the plan")
	value := func(r timeline.Row) float64 { return max(r.Number(plans.Change), least) } // max keeps NaN
	h.Value = value
	h.Y = func() axes.Axis {
		_, most := s.extent(plans.Change)
		return axes.Axis{Label: "divergence from the previous plan", Min: least, Max: max(10, 1.2*most), Log: true}
	}
	h.Text = func() string {
		return s.selectedCurve("The symmetric Kullback–Leibler divergence between consecutive plans (0 is drawn as 1e-9)", number(plans.Change))
	}
	return h.Panel()
}

// theoremPanel shows the quantity that Theorem 1 bounds, and its bound if the theorem applies.
func (s *Scene) theoremPanel() axes.Panel {
	h := s.history("curve", "Theorem 1: running mean of Σ b_j‖d_j‖²")
	value := func(r timeline.Row) float64 {
		v := r.Number(plans.BD2Mean)
		if v <= 0 {
			return math.NaN()
		}
		return v
	}
	h.Value = value
	h.Y = func() axes.Axis {
		lo, hi := s.extent(plans.BD2Mean)
		return logarithmic("mean over the rounds so far", lo, hi)
	}
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		bound, holds := s.bound()
		if math.IsNaN(bound) {
			return
		}
		name := "1/k"
		if holds {
			name = "bound, C/k"
		}
		last := s.Timeline().Budget()
		stroke := brush.Stroke{Color: b.Theme.Muted, Width: 1.25, Dash: []vg.Length{5, 3}}
		b.Line(last, func(k int) (float64, float64) { return float64(k), bound / float64(k+1) }, stroke)
		at := last / 2
		b.Text(float64(at), bound/float64(at+1), name, brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
	}}
	h.Text = func() string {
		text := s.selectedCurve("The mean of Σ b_j‖d_j‖² over the rounds so far (at most of order 1/k by Theorem 1)", number(plans.BD2Mean))
		if bound, holds := s.bound(); holds {
			text += fmt.Sprintf(" It is at most %s divided by the number of rounds.", timeline.Number(bound))
		}
		return text
	}
	return h.Panel()
}

// bound returns the constant C of the line C/k above the running mean of the selected run. With gradients of Lipschitz
// constant ν, each round lowers Σ Γ_ij L_i(θ_j) by at least η(1 − νη/2) Σ_j b_j‖d_j‖², and a new plan does not raise
// this sum. The bound requires MGDA's directions, one step per plan, fixed marginals and cheapest plans. If one of
// these conditions fails, holds is false, and the line C/k is only a guide that starts at the value of the first round.
func (s *Scene) bound() (c float64, holds bool) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return math.NaN(), false
	}
	first, v := r.Run.Kept(0), &s.values
	nu := s.problem.Lipschitz()
	if len(s.Timeline().Log()) > 0 || !v.descends(r.Method) || v.Eta*nu >= 2 {
		return first.Number(plans.BD2Mean), false
	}
	return first.Number(plans.Cost) / (v.Eta * (1 - float64(nu*v.Eta/2))), true
}

// wonPanel shows, for each solution, the share of the goals for which it is best.
func (s *Scene) wonPanel() axes.Panel {
	p := &kinds.Stack{Name: "won", Heading: "Goals that each solution is best for", Timeline: s.Timeline(), Label: "share of the goals",
		Shares: won, Look: (*brush.Theme).NumberedSolution, Of: solutionName, Clock: s.clock}
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := r.Run.Kept(r.Index(min(s.Timeline().Marker(), r.Last())))
		shares := won(row)
		most := 0
		for j, v := range shares {
			if v > shares[most] {
				most = j
			}
		}
		return fmt.Sprintf("Stacked over the rounds: the share of the goals that each solution of %s is best for. At round %d, %s has the "+
			"largest share, %.0f %%.", r.Title, row.K, solutionName(most), 100*shares[most])
	})
	return p.Panel()
}

// won returns, for each solution of a run, the share of the goals for which it is best, as recorded in a row.
func won(row timeline.Row) []float64 {
	return row.List(plans.Won)
}
