package orders

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/ordering"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Equations returns the step equations of the family. For orders that ignore gradients, there is one equation for a
// common order and one for separate orders of the objectives. For balancing orders, the equations include the effect on
// the next order. StepNumbers returns the numbers in the equations.
func Equations() []scene.Equation {
	const (
		step  = `w_k = w_{k-1} - \alpha \sum_m \lambda_m\, \nabla \ell_m(w_{k-1};\, \xi_{%s})`
		rows  = `\begin{array}{l} \text{@due} \\ \text{@x} = \text{@from} - \text{@alpha}\;\text{@made}\;\text{@sum}%s \end{array}`
		made  = " If an optimizer is selected, it transforms the sum first."
		all   = "The step goes against the objectives’ gradients, weighted by λ, on the sample at place j."
		each  = "The step goes against the objectives’ gradients, weighted by λ, each on the sample at place j of the objective’s own order."
		place = " With ε = +1 the sample takes the next free place from the front of the next epoch’s order, with ε = −1 from the back."
	)
	shared, own := `\pi(j)`, `\pi_m(j)`
	balanced := func(order, sum string) string {
		return fmt.Sprintf(`\begin{array}{l} `+step+` \\ `+sum+` \end{array}`, order)
	}
	out := []scene.Equation{
		{ID: "drawn", Symbols: fmt.Sprintf(step, shared), Text: all + " The order does not depend on the gradients." + made},
		{ID: "drawnown", Symbols: fmt.Sprintf(step, own), Text: each + " The orders do not depend on the gradients." + made},
		{ID: "shared", Methods: []string{GraBShared},
			Symbols: balanced(shared, `g = \sum_m \lambda_m\, \nabla \ell_m - v, \qquad s \leftarrow s + \varepsilon\, g`),
			Text: all + made + " The sum, minus its mean v in the previous epoch, is added to s or subtracted, whichever keeps s small." +
				place},
		{ID: "separate", Methods: []string{GraBSeparate},
			Symbols: balanced(own, `g_m = \nabla \ell_m - v_m, \qquad s_m \leftarrow s_m + \varepsilon_m\, g_m`),
			Text: each + made + " Each gradient, minus the objective’s mean gradient in the previous epoch, is added to the objective’s sum s or " +
				"subtracted, whichever keeps s small." + place},
		{ID: "joint", Methods: []string{JoGBa},
			Symbols: balanced(own, `g_m = \nabla \ell_m - v, \qquad s \leftarrow s + \varepsilon_m\, g_m`),
			Text: each + made + " Objective by objective, the gradient, minus the previous epoch’s v, is added to the common sum s or " +
				"subtracted, whichever keeps s small." + place},
	}
	for _, m := range family {
		if m.kind.Balances() {
			continue
		}
		e := &out[0]
		if m.own {
			e = &out[1]
		}
		e.Methods = append(e.Methods, m.ID)
	}
	for i := range out {
		further := ""
		if i > 1 {
			further = ` \\ \text{@first} \\ \text{@second}`
		}
		out[i].Numbers = fmt.Sprintf(rows, further)
	}
	return out
}

const (
	maxTerms   = 3 // maximum number of a sum's terms that are written
	maxSpelled = 3 // maximum number of a vector's coordinates that are written
	maxRows    = 2 // maximum number of objectives for which the balance is written

	rounding = 1e-9 // fraction of the whole below which a part is rounding error and counts as 0
)

// StepNumbers returns the numbers in the equation of a track's method, for the step that led to iteration k. p is the
// runs' problem. The stepper itself computed the numbers.
func (r *Roster) StepNumbers(t *timeline.Timeline, p ordering.Problem, track timeline.Track, k int) (map[string]string, error) {
	if k < 1 || k > track.Last() {
		return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", track.Last())}
	}
	row, err := t.At(track.Run, k-1)
	if err != nil {
		return nil, err
	}
	from := slices.Clone(row.X) // a replayed row is valid only until the next one
	out := map[string]string{}
	err = t.Visit(track.Run, k, func(s algo.Stepper) { r.describe(out, track.Method, p, s.(*ordering.Descent), from) })
	return out, err
}

// describe adds the numbers of a stepper's last step to out. The step began at the point from.
func (r *Roster) describe(out map[string]string, method string, p ordering.Problem, s *ordering.Descent, from []float64) {
	v := s.View()
	point := timeline.Apart(from, v.X)
	out["x"], out["from"], out["alpha"] = spelled(v.X, point), spelled(from, point), timeline.Number(v.StepSize)
	out["due"] = r.due(s, v.Refreshed)
	gradients := r.gradients(p, s, from)
	sum := make([]float64, len(from))
	gradients.Combine(sum, v.Weights)
	out["sum"], out["made"] = spelledSum(v.Weights, gradients, sum), ""
	taken := v.Direction
	if update := s.Update(); update != nil {
		taken = update
	}
	if !floats.EqualApprox(taken, sum, rounding*(portable.Length(taken)+portable.Length(sum))) {
		out["made"] = spelled(taken, timeline.Significant) + " ⟵ " + r.maker()
	}
	out["first"], out["second"] = "", ""
	rows := r.balance(method, s)
	for i, name := range []string{"first", "second"} {
		if i < len(rows) {
			out[name] = rows[i]
		}
	}
	if len(rows) > maxRows {
		out["second"] += fmt.Sprintf("; and so on for %d more", len(rows)-maxRows)
	}
}

// due returns the names of the samples that a stepper's last step used.
func (r *Roster) due(s *ordering.Descent, refreshed bool) string {
	var numbers []string
	for i, order := range s.Orders() {
		if i == maxTerms {
			numbers = append(numbers, "…")
			break
		}
		numbers = append(numbers, strconv.Itoa(order[s.Position()-1]+1))
	}
	noun := r.noun()
	if len(numbers) > 1 {
		noun += "s"
	}
	text := fmt.Sprintf("epoch %d, place %d: %s %s", s.Epoch(), s.Position(), noun, strings.Join(numbers, ", "))
	if r.Weighting != equal && !refreshed {
		text += ", weights as before"
	}
	return text
}

// noun returns the word for an example: a sample, or a batch of samples.
func (r *Roster) noun() string {
	if r.Batch > 1 {
		return "example"
	}
	return "sample"
}

// gradients returns the gradients that a stepper used in its last step. The step began at the point from.
func (r *Roster) gradients(p ordering.Problem, s *ordering.Descent, from []float64) *algo.Jacobian {
	if seen := s.View().Jacobian; seen != nil {
		return seen
	}
	n, m := p.Dims()
	out := algo.NewJacobian(m, n)
	batch := make([]int, r.Batch)
	for i := range batch {
		batch[i] = s.Orders()[0][s.Position()-1]*r.Batch + i
	}
	p.JacobianAt(out, from, &algo.Sample{Batch: batch})
	return out
}

// maker returns words that name what turns the written sum into a different update: an optimizer or a weighting.
func (r *Roster) maker() string {
	switch r.Optimizer {
	case string(descent.Adam):
		return "Adam of"
	case string(descent.HeavyBall):
		return "heavy ball of"
	}
	m, _ := weighting.Lookup(r.Weighting)
	return m.Title + " instead of"
}

// balance describes where a stepper's last step placed its samples. It returns one text for every sum or objective,
// or nil if the orders do not depend on signs.
func (r *Roster) balance(method string, s *ordering.Descent) (rows []string) {
	signs, examples := s.Signs(), s.Examples()
	next, left, right := s.Next()
	before, offered := make([]float64, len(s.View().X)), make([]float64, len(s.View().X))
	for i := range next { // one common order, or one for each objective
		if signs == nil || !s.Offer(before, offered, i) {
			return nil
		}
		var plus, minus float64
		for j, v := range before {
			plus, minus = max(plus, math.Abs(v+offered[j])), max(minus, math.Abs(v-offered[j]))
		}
		index := ""
		if len(next) > 1 {
			index = subscript(i + 1)
		}
		sum := "s"
		if method == GraBSeparate {
			sum += index
		}
		sign, place := "+1", left[i]
		if signs[i] < 0 {
			sign, place = "−1", examples-right[i]+1
		}
		g := "g" + index
		rows = append(rows, fmt.Sprintf("%s = %s, %s = %s: ‖%s + %s‖∞ = %s, ‖%s − %s‖∞ = %s%s ε%s = %s, %s %d to place %d",
			sum, spelled(before, timeline.Significant), g, r.centred(s, i, offered),
			sum, g, timeline.Significant(plus), sum, g, timeline.Significant(minus), r.because(before, offered, sum, g), index, sign,
			r.noun(), s.Orders()[i][s.Position()-1]+1, place))
	}
	return rows
}

// because returns the two norms, the sign and the reason for the sign as one text. The sign follows from the norms,
// from a random draw, or from the inner product of the sum and the offer.
func (r *Roster) because(before, offered []float64, sum, g string) string {
	switch ordering.SignRule(r.Sign) {
	case ordering.SelfBalancing:
		return "; drawn:"
	case ordering.InnerProduct, ordering.TwoNorm:
		return fmt.Sprintf("; ⟨%s, %s⟩ = %s, so", sum, g, timeline.Significant(portable.Dot(before, offered)))
	}
	return ", so"
}

// centred writes an offer as the vector before centring minus the centre.
func (r *Roster) centred(s *ordering.Descent, objective int, offered []float64) string {
	v := s.View()
	whole := v.Direction
	if len(s.Orders()) > 1 {
		whole = v.Jacobian.Row(objective)
	}
	mean := make([]float64, len(whole))
	floats.SubTo(mean, whole, offered)
	if floats.Norm(mean, math.Inf(1)) <= rounding*floats.Norm(whole, math.Inf(1)) {
		return spelled(offered, timeline.Significant)
	}
	return fmt.Sprintf("%s − %s = %s", spelled(whole, timeline.Significant), spelled(mean, timeline.Significant),
		spelled(offered, timeline.Significant))
}

// spelledSum writes a sum of gradients as its largest terms and the sum of all others.
func spelledSum(weights []float64, gradients *algo.Jacobian, sum []float64) string {
	heaviest := make([]int, len(weights))
	for i := range heaviest {
		heaviest[i] = i
	}
	slices.SortStableFunc(heaviest, func(a, b int) int {
		switch {
		case math.Abs(weights[a]) > math.Abs(weights[b]):
			return -1
		case math.Abs(weights[a]) < math.Abs(weights[b]):
			return 1
		}
		return 0
	})
	shown := heaviest[:min(len(heaviest), maxTerms)]
	slices.Sort(shown)
	rest := slices.Clone(sum)
	var texts []string
	for _, i := range shown {
		portable.AddScaled(rest, -weights[i], gradients.Row(i))
		texts = append(texts, timeline.Significant(weights[i])+" "+spelled(gradients.Row(i), timeline.Significant))
	}
	if others := len(weights) - len(shown); others > 0 {
		texts = append(texts, fmt.Sprintf("… of %d more: %s", others, spelled(rest, timeline.Significant)))
	}
	return "(" + strings.Join(texts, " + ") + ")"
}

// subscript returns a number written as a subscript.
func subscript(number int) string {
	return strings.Map(func(d rune) rune { return '₀' + d - '0' }, strconv.Itoa(number))
}

// spelled writes the first coordinates of a point or a gradient.
func spelled(v []float64, write func(float64) string) string {
	return timeline.Cleared(v, maxSpelled, rounding, write)
}
