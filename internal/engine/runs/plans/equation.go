package plans

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Letters holds a scene's symbols and words for the formulas.
type Letters struct {
	Point, Loss string // symbols in TeX
	Objective   string // word for an objective; its plural ends in s
	// Gradient replaces ∇L_i(θ_j), in TeX, and Sent explains it in one sentence. Both are "" for plain gradients.
	Gradient, Sent string
}

// Equations returns formulas for a solution's step with the offered methods. Each formula ends with a step against a
// direction. StepNumbers returns the numbers for the formulas.
func Equations(l Letters, offered []param.Method) (out []scene.Equation) {
	gradient := "g_i, \\qquad g_i = " + cmp.Or(l.Gradient, fmt.Sprintf(`\nabla %s_i(%s_j)`, l.Loss, l.Point))
	for _, e := range []scene.Equation{
		{ID: "plan", Methods: withPlan(Weights, Extended), Symbols: `d_j = c_j \sum_i \lambda_i\, \Gamma_{ij}\, ` + gradient,
			Text: fmt.Sprintf("Solution j descends the gradients of the %ss that the plan Γ assigns to it. Each gradient is weighted by its "+
				"mass in the plan and by MGDA’s weight λ. The factor c divides by the mean mass of the objectives served, unless changed by the scale "+
				"of the directions.",
				l.Objective)},
		{ID: "mixtures", Methods: []string{Extended},
			Symbols: fmt.Sprintf(`d_j = c_j \sum_r \lambda_r\, \Gamma_{rj}\, g_r, \qquad g_r = \sum_i w_{ri}\, \nabla %s_i(%s_j)`, l.Loss, l.Point),
			Text: "Solution j descends the gradients of the mixtures r that the plan Γ assigns to it. Each gradient is weighted by its mass in " +
				"the plan and by MGDA’s weight λ. The factor c divides by the mean mass of the objectives served, unless changed by the scale of the " +
				"directions."},
		{ID: "masses", Methods: []string{Weights},
			Symbols: `d_j = \sum_i \frac{\Gamma_{ij}}{\sum_l \Gamma_{lj}}\, ` + gradient,
			Text: fmt.Sprintf("Solution j descends the gradients of the %ss that the plan Γ assigns to it. Each gradient is weighted by its "+
				"share of the solution’s mass.", l.Objective)},
		{ID: "alone", Methods: []string{MGDA, EPO}, Symbols: `d_j = \sum_i \lambda_i\, ` + gradient,
			Text: "Every solution descends the gradients of all objectives with the method’s weights λ, regardless of the other solutions."},
		{ID: "fixed", Methods: []string{Linearization}, Symbols: `d_j = \sum_i w_{ij}\, ` + gradient,
			Text: "Every solution descends the gradients of all objectives with weights w that are drawn once, before the first step."},
		{ID: "repelled", Methods: []string{MOOSVGD},
			Symbols: fmt.Sprintf(`d_j = \sum_l \big( k(%[1]s(%[2]s_j), %[1]s(%[2]s_l))\, g_l^* `+
				`- a\, \nabla_{%[2]s_l} k(%[1]s(%[2]s_l), %[1]s(%[2]s_j)) \big)`,
				l.Loss, l.Point),
			Text: "Every solution follows the MGDA directions g* of all solutions. The kernel k gives the largest weight to solutions with " +
				"similar losses. It also pushes each solution away from such solutions, with strength a."},
		{ID: "average", Methods: []string{FedAvg, FedProx}, Symbols: `d_j = \sum_i p_i\, u_{ij}`,
			Text: "Solution j becomes the average of the clients’ locally trained versions. u is the difference between the solution and " +
				"client i’s version, divided by η; p is the client’s share of the samples."},
		{ID: "directions", Methods: []string{FedMGDA}, Symbols: `d_j = \sum_i \lambda_i\, \frac{u_{ij}}{\| u_{ij} \|}`,
			Text: "Solution j steps against the shortest weighted sum of the clients’ normalised updates u. The weights λ are near the " +
				"clients’ shares of the samples."},
	} {
		e.Methods = slices.DeleteFunc(e.Methods, func(name string) bool {
			return !slices.ContainsFunc(offered, func(m param.Method) bool { return m.ID == name })
		})
		if len(e.Methods) == 0 {
			continue
		}
		if l.Sent != "" && strings.Contains(e.Symbols, gradient) {
			e.Text += " " + l.Sent
		}
		e.Symbols = fmt.Sprintf(`%[1]s_j \leftarrow %[1]s_j - \eta\, d_j, \qquad %[2]s`, l.Point, e.Symbols)
		e.Numbers = `\text{@next} = \text{@x} - \text{@eta}\; \text{@d}, \qquad \text{@d}\; \text{@sum}`
		out = append(out, e)
	}
	return out
}

const (
	maxTerms   = 3 // maximum number of a sum's terms that are written
	maxSpelled = 3 // maximum number of a vector's coordinates that are written

	rounding = 1e-9 // fraction of the whole below which a part is rounding error and counts as 0
)

// term is the contribution of one gradient to a direction.
type term struct {
	of       int // index of the objective or mixture, counted from 0
	weight   float64
	gradient []float64 // nil if it has too many coordinates to write
}

// StepNumbers returns the numbers for the formulas of Equations at the step that led a track to iteration k ≥ 1, or nil
// if that step or its direction is unknown. If the round is more than one step against the recorded direction, the text
// "sum" says so.
func (r *Roster) StepNumbers(t *timeline.Timeline, track timeline.Track, k int, l Letters) (map[string]string, error) {
	whole, after, ok := t.Ahead(track.Run, k-1)
	if !ok {
		return nil, nil
	}
	row, next := track.Of(whole), track.Of(after)
	x, to := row.X, next.X
	if row.Direction == nil {
		return nil, nil
	}
	direction := slices.Clone(row.Direction)
	terms, err := r.terms(t, track, k, row)
	if err != nil {
		return nil, err
	}
	sum := r.sum(track, direction, terms, l)
	// This is the mean direction of the whole round, which may consist of several steps.
	way := make([]float64, len(x))
	for i := range way {
		way[i] = (x[i] - to[i]) / row.StepSize
	}
	if floats.Distance(way, direction, math.Inf(1)) > rounding*(1+floats.Norm(x, math.Inf(1))/row.StepSize) {
		sum = strings.TrimSpace(r.further(direction) + " " + sum)
	} else {
		way = direction
	}
	points := timeline.Apart(x, to)
	return map[string]string{
		"x": spelled(x, points), "next": spelled(to, points), "eta": timeline.Number(row.StepSize),
		"d": spelled(way, timeline.Significant), "sum": sum,
	}, nil
}

// further returns a text that says what a round does with a direction, for rounds that are more than one step against
// the direction.
func (r *Roster) further(direction []float64) string {
	d := spelled(direction, timeline.Significant)
	switch {
	case r.K > 1:
		return fmt.Sprintf("from %d steps, the first along %s", r.K, d)
	case r.Step == string(transport.AdamStep):
		return "Adam’s update for " + d
	}
	return "cut off by the box from " + d
}

// terms returns the terms of a step's direction, largest first. It returns nil if the method's direction is not a sum
// of a few gradients.
func (r *Roster) terms(t *timeline.Timeline, track timeline.Track, k int, row timeline.Row) ([]term, error) {
	if track.Method == MOOSVGD {
		return nil, nil
	}
	weights := row.Weights
	gradients := map[int][]float64{}
	if _, ok := track.Stepper.(*transport.MosT); ok && (len(row.X) <= maxSpelled || track.Method == Extended) {
		x := slices.Clone(row.X)
		err := t.Visit(track.Run, k, func(s algo.Stepper) {
			most := s.(*transport.MosT)
			if track.Method == Extended { // the recorded weights refer to the mixed objectives
				round, _ := most.Round()
				rows, _ := most.Matched()
				weights = slices.Clone(round.Lambda[track.Solution*rows : (track.Solution+1)*rows])
			}
			if len(x) > maxSpelled || track.Method == Linearization { // linearization follows the gradient of its weighted sum
				return
			}
			served, jacobian := most.Served(track.Solution, x)
			for at, i := range served {
				gradients[i] = slices.Clone(jacobian.Row(at))
			}
		})
		if err != nil && !errors.Is(err, timeline.ErrNoStep) {
			return nil, err
		}
	}
	factor := r.factor(track.Method, row)
	var out []term
	for i, weight := range weights {
		out = append(out, term{i, weight * factor(i), gradients[i]})
	}
	slices.SortStableFunc(out, func(a, b term) int {
		switch {
		case math.Abs(a.weight) > math.Abs(b.weight):
			return -1
		case math.Abs(a.weight) < math.Abs(b.weight):
			return 1
		}
		return 0
	})
	return slices.DeleteFunc(out, func(t term) bool { return math.Abs(t.weight) <= rounding*math.Abs(out[0].weight) }), nil
}

// factor returns the factor of each weight: c_j Γ_ij if the method has a plan, but 1 if the weights come from the plan
// or if there is no plan.
func (r *Roster) factor(method string, row timeline.Row) func(i int) float64 {
	if !HasPlan(method) || method == Weights {
		return func(int) float64 { return 1 }
	}
	masses, c := row.List(Plan), 1.0
	switch r.Scale {
	case string(transport.Column):
		c = 1 / row.Number(ColumnSum)
	case string(transport.ColumnCount):
		c = row.Number(Active) / row.Number(ColumnSum)
	}
	return func(i int) float64 { return c * masses[i] }
}

// sum writes a direction as the sum of its largest terms and the sum of all others.
func (r *Roster) sum(track timeline.Track, direction []float64, terms []term, l Letters) string {
	if track.Method == MOOSVGD {
		return ""
	}
	if floats.Norm(direction, 1) == 0 {
		return "= 0: it does not move"
	}
	shown := terms[:min(len(terms), maxTerms)]
	var texts, names []string
	rest := slices.Clone(direction)
	written := true
	for _, t := range shown {
		name := strconv.Itoa(t.of + 1)
		names = append(names, name)
		if t.gradient == nil {
			written = false
			texts = append(texts, timeline.Significant(t.weight)+" "+r.gradientName(track.Method, subscript(name)))
			continue
		}
		portable.AddScaled(rest, -t.weight, t.gradient)
		texts = append(texts, timeline.Significant(t.weight)+" "+spelled(t.gradient, timeline.Significant))
	}
	others := len(terms) - len(shown)
	text := "= " + strings.Join(texts, " + ")
	switch {
	case others > 0 && written:
		text += fmt.Sprintf(" + … of %d more: %s", others, spelled(rest, timeline.Significant))
	case others > 0:
		text += fmt.Sprintf(" + … of %d more", others)
	}
	if !written && track.Method == Linearization && r.signs() {
		return "= sgn(" + strings.TrimPrefix(text, "= ") + ")"
	}
	if !written {
		return text
	}
	noun := l.Objective
	if track.Method == Extended {
		noun = "mixture"
	}
	if len(names) > 1 {
		noun += "s"
	}
	return fmt.Sprintf("%s, of %s %s", text, noun, strings.Join(names, ", "))
}

// gradientName returns the symbol for what a step uses of an objective: its gradient, the gradient's signs, or a
// client's update.
func (r *Roster) gradientName(method, index string) string {
	switch {
	case method == FedMGDA:
		return "u" + index + "/‖u" + index + "‖"
	case method == FedAvg, method == FedProx:
		return "u" + index
	case r.signs() && method != Linearization:
		return "sgn g" + index
	}
	return "g" + index
}

// signs reports whether steps use the signs of gradients. Linearization uses the signs of the weighted sum's gradient.
func (r *Roster) signs() bool { return r.Step == string(transport.SignStep) }

func subscript(digits string) string {
	return strings.Map(func(d rune) rune { return '₀' + d - '0' }, digits)
}

// spelled writes the first coordinates of a point or a direction.
func spelled(v []float64, write func(float64) string) string {
	return timeline.Cleared(v, maxSpelled, rounding, write)
}
