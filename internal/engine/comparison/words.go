package comparison

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Columns returns the headings of Table.
func (c *Comparison) Columns() []string {
	return []string{"method", c.plan.Scene.Comparison.Step, "at the end", "rank", "to " + numeral.Format(c.target, 3), "spent"}
}

// Table returns a row for each method: title, step size, the fact at the end with the half-width of its 95 % interval,
// mean rank, median cost to reach the target, and total cost.
func (c *Comparison) Table() (rows [][]string) {
	for i := range c.methods {
		m := &c.methods[i]
		step := numeral.Format(m.Step, 3)
		if m.Edge {
			step += " (edge)"
		}
		final := "failed on " + fmt.Sprint(c.failed(i))
		switch {
		case c.exact(i):
			final = "≤ " + numeral.Format(least, 1)
		case c.failed(i) == 0:
			final = c.estimate(m.Final)
		}
		rows = append(rows, []string{m.Title, step, final, numeral.Fixed(m.Rank, 2), c.costText(m), numeral.Format(m.Spent, 3)})
	}
	return rows
}

// exact reports whether, on every seed, a method reached the constant least, below which values count as equal.
func (c *Comparison) exact(i int) bool {
	for _, v := range c.methods[i].Finals {
		if !(c.plan.Scene.Comparison.Log && v <= least) {
			return false
		}
	}
	return true
}

// costText returns the median cost to reach the target. If not all runs reached the target, the text also says how many
// did.
func (c *Comparison) costText(m *Method) string {
	var costs []float64
	for _, v := range m.Costs {
		if !math.IsNaN(v) {
			costs = append(costs, v)
		}
	}
	switch {
	case len(costs) == 0:
		return "never"
	case len(costs) < len(m.Costs):
		return fmt.Sprintf("%s in %d of %d", numeral.Format(experiment.Median(costs), 3), len(costs), len(m.Costs))
	}
	return numeral.Format(experiment.Median(costs), 3)
}

// estimate formats a mean with the half-width of its interval. If values are compared by ratio, it converts both back
// from logarithms, which turns the interval into a factor.
func (c *Comparison) estimate(e experiment.Estimate) string {
	if c.plan.Scene.Comparison.Log {
		return fmt.Sprintf("%s ×/÷ %s", numeral.Format(portable.Pow(10, e.Mean), 3),
			numeral.Format(portable.Pow(10, e.Spread), 3))
	}
	return fmt.Sprintf("%s ± %s", numeral.Format(e.Mean, 4), numeral.Format(e.Spread, 2))
}

// Notes returns sentences about the conditions and the limits of the comparison.
func (c *Comparison) Notes() (out []string) {
	out = append(out, fmt.Sprintf("Seeds %d to %d. The step sizes were tuned on %d other seeds. %s", c.Seed(0), c.Seed(c.plan.Seeds-1),
		tuningSeeds, c.conditions()))
	if !c.Varies() {
		out = append(out, "No result depends on the seed: all seeds give the same run, so the intervals have no meaning.")
	}
	for _, m := range c.methods {
		if m.Edge {
			out = append(out, fmt.Sprintf("%s was best at an end of the range of step sizes, %s; a step size beyond it may be better.", m.Title,
				numeral.Format(m.Step, 3)))
		}
	}
	for i, m := range c.methods {
		if c.failed(i) > 0 {
			out = append(out, fmt.Sprintf("%s failed on %d of %d seeds: %s.", m.Title, c.failed(i), c.plan.Seeds, reasons(m.Fails)))
		}
		if m.Stops > 0 {
			out = append(out, fmt.Sprintf("On %d of %d seeds %s ended because its rule had no solution; its last value counts.",
				m.Stops, c.plan.Seeds, m.Title))
		}
		if t := m.Trials[slices.IndexFunc(m.Trials, func(t Trial) bool { return t.Step == m.Step })]; t.Failed > 0 {
			out = append(out, fmt.Sprintf("%s: some runs failed with every step size. The fewest, %d of %d, failed with %s.", m.Title, t.Failed,
				tuningSeeds, numeral.Format(m.Step, 3)))
		}
	}
	return out
}

// reasons returns the number of failures for each reason, as in "2 diverged, 1 ended dominated by its start".
func reasons(fails []Failure) string {
	var out []string
	for _, why := range []Failure{Diverged, Vanished, Dominated, Unknown} {
		count := 0
		for _, f := range fails {
			if f == why {
				count++
			}
		}
		if count > 0 {
			out = append(out, fmt.Sprintf("%d %s", count, why))
		}
	}
	return strings.Join(out, ", ")
}

func (c *Comparison) conditions() string {
	if text := Settings(c.values); text != "" {
		return "With " + text + "."
	}
	return "All other parameters have the scene’s defaults."
}

// Verdicts returns, for each pair, a sentence that says which method is better and by how much, or that the seeds do not
// distinguish the two. The clearest difference comes first.
func (c *Comparison) Verdicts() (out []string) {
	pairs := c.Pairs()
	clear := func(p Pair) float64 {
		if p.Better < 0 {
			return math.Inf(1)
		}
		return p.Difference.Spread / math.Abs(p.Difference.Mean)
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int {
		switch x, y := clear(a), clear(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, p := range pairs {
		out = append(out, c.verdict(p))
	}
	for _, p := range pairs {
		if text := c.costVerdict(p); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func (c *Comparison) verdict(p Pair) string {
	a, b := p.A, p.B
	d := p.Difference
	if p.Better == b {
		a, b, d.Mean = b, a, -d.Mean
	}
	first, second := c.methods[a].Title, c.methods[b].Title
	if n := c.failed(b); n > 0 && p.Better >= 0 {
		return fmt.Sprintf("%s is better than %s, which failed on %d of %d seeds.", first, second, n, c.plan.Seeds)
	}
	if c.failed(a) > 0 {
		return fmt.Sprintf("%s and %s both failed on some seeds, so there is no verdict.", first, second)
	}
	if c.exact(a) && c.exact(b) {
		return fmt.Sprintf("%s and %s both solve the problem; the remaining difference is mostly rounding.", first, second)
	}
	if p.Better < 0 {
		return fmt.Sprintf("%s and %s are not distinguishable: %s.", first, second, c.interval(d))
	}
	return fmt.Sprintf("%s is better than %s: %s.", first, second, c.interval(d))
}

// costVerdict says in words which of two methods reaches the target at lower cost. It returns "" if one of the methods
// does not reach the target.
func (c *Comparison) costVerdict(p Pair) string {
	a, b, d := p.A, p.B, p.Cost
	if math.IsNaN(d.Mean) {
		return ""
	}
	f := func(v float64) string { return numeral.Format(portable.Pow(10, v), 3) }
	if p.Cheaper < 0 {
		return fmt.Sprintf("The costs of %s and %s to reach %s are not distinguishable: %s times as much%s.",
			c.methods[a].Title, c.methods[b].Title, numeral.Format(c.target, 3), f(d.Mean), between(f(d.Mean-d.Spread), f(d.Mean+d.Spread)))
	}
	if p.Cheaper == a {
		a, b, d.Mean = b, a, -d.Mean
	}
	return fmt.Sprintf("%s reaches %s at lower cost than %s, which spends %s times as much%s.", c.methods[b].Title,
		numeral.Format(c.target, 3), c.methods[a].Title, f(d.Mean), between(f(d.Mean-d.Spread), f(d.Mean+d.Spread)))
}

// interval returns a difference and its interval as text.
func (c *Comparison) interval(d experiment.Estimate) string {
	low, high := d.Mean-d.Spread, d.Mean+d.Spread
	if c.plan.Scene.Comparison.Log {
		f := func(v float64) string { return numeral.Format(portable.Pow(10, v), 3) }
		if low < 0 && high < 0 { // say how many times smaller A is
			return fmt.Sprintf("%s times smaller%s", f(-d.Mean), between(f(-high), f(-low)))
		}
		return fmt.Sprintf("%s times as large%s", f(d.Mean), between(f(low), f(high)))
	}
	return fmt.Sprintf("a difference of %s%s", numeral.Format(d.Mean, 3),
		between(numeral.Format(low, 3), numeral.Format(high, 3)))
}

// between returns the ends of an interval as text, or "" if both ends have the same text.
func between(low, high string) string {
	if low == high {
		return ""
	}
	return fmt.Sprintf(", between %s and %s", low, high)
}

// MarshalJSON writes a comparison: {"scene", "fact", "higher", "log", "step", "seedbase", "seeds", "settings", "varies", "target",
// "methods": [...], "pairs": [{"a", "b", "difference", "low", "high", "better", "cost", "costlow", "costhigh", "cheaper"}],
// "verdict": [...]}.
//
// Differences of costs, and all differences if "log" is true, are differences between logarithms to base 10. "better" and
// "cheaper" are methods, or null if the seeds cannot tell the two apart. A method's "finals" are null for failed runs, and
// its "failures" give the reasons, "" for other runs.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	by := c.plan.Scene.Comparison
	type pair struct {
		A          string   `json:"a"`
		B          string   `json:"b"`
		Difference *float64 `json:"difference"`
		Low        *float64 `json:"low"`
		High       *float64 `json:"high"`
		Better     *string  `json:"better"`
		Cost       *float64 `json:"cost"`
		CostLow    *float64 `json:"costlow"`
		CostHigh   *float64 `json:"costhigh"`
		Cheaper    *string  `json:"cheaper"`
	}
	type trial struct {
		Step   float64  `json:"step"`
		Score  *float64 `json:"score"`
		Failed int      `json:"failed"`
	}
	type method struct {
		ID     string     `json:"method"`
		Step   float64    `json:"step"`
		Edge   bool       `json:"edge"`
		Trials []trial    `json:"trials"`
		Finals []*float64 `json:"finals"`
		Fails  []Failure  `json:"failures"`
		Mean   *float64   `json:"mean"`
		Half   *float64   `json:"half"`
		Rank   float64    `json:"rank"`
		Costs  []*float64 `json:"costs"`
		Spent  float64    `json:"spent"`
	}
	var pairs []pair
	for _, p := range c.Pairs() {
		out := pair{A: c.methods[p.A].ID, B: c.methods[p.B].ID, Difference: known(p.Difference.Mean),
			Low: known(p.Difference.Mean - p.Difference.Spread), High: known(p.Difference.Mean + p.Difference.Spread)}
		if p.Better >= 0 {
			out.Better = &c.methods[p.Better].ID
		}
		out.Cost, out.CostLow, out.CostHigh = known(p.Cost.Mean), known(p.Cost.Mean-p.Cost.Spread), known(p.Cost.Mean+p.Cost.Spread)
		if p.Cheaper >= 0 {
			out.Cheaper = &c.methods[p.Cheaper].ID
		}
		pairs = append(pairs, out)
	}
	var methods []method
	for _, m := range c.methods {
		out := method{ID: m.ID, Step: m.Step, Edge: m.Edge, Finals: allKnown(m.Finals), Fails: m.Fails,
			Mean: known(m.Final.Mean), Half: known(m.Final.Spread), Rank: m.Rank, Costs: allKnown(m.Costs), Spent: m.Spent}
		for _, t := range m.Trials {
			out.Trials = append(out.Trials, trial{t.Step, known(t.Score), t.Failed})
		}
		methods = append(methods, out)
	}
	return json.Marshal(map[string]any{
		"scene": c.plan.Scene.ID, "fact": by.Fact, "higher": by.Higher, "log": by.Log, "step": by.Step, "seedbase": c.plan.SeedBase,
		"seeds":    c.plan.Seeds,
		"settings": c.values, "varies": c.Varies(), "target": known(c.target), "methods": methods, "pairs": pairs, "verdict": c.Verdicts(),
	})
}

// known returns a number for JSON, or null if it is NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func allKnown(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i, v := range values {
		out[i] = known(v)
	}
	return out
}
