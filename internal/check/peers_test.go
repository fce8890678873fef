package check

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/weigh"
	"paretoplay/scenes/ownproblem"
)

// peerCase is a small input with other libraries' answers to it.
type peerCase struct {
	Work  string
	Name  string
	Input struct {
		Points    [][]float64
		Other     [][]float64 // the front of a second method
		Reference []float64
		X         []float64
		Cost      [][]float64
		A, B      []float64
		Eps       float64
	}
	Answers []peerAnswer
}

type peerAnswer struct {
	Library, Call string
	Value         numbers
}

// numbers is a number or a list of numbers.
type numbers []float64

func (n *numbers) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]float64)(n))
	}
	*n = numbers{0}
	return json.Unmarshal(text, &(*n)[0])
}

func (n numbers) String() string {
	texts := make([]string, len(n))
	for i, v := range n {
		texts[i] = strconv.FormatFloat(v, 'g', 6, 64)
	}
	if len(n) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// near reports whether two answers agree to 1e-8. The tolerance allows for Sinkhorn's algorithm, which stops at 1e-9 of
// the mass.
func (n numbers) near(other numbers) bool {
	return slices.EqualFunc(n, other, func(a, b float64) bool { return math.Abs(a-b) <= 1e-8*max(1, math.Abs(a), math.Abs(b)) })
}

// peerRule converts our value to a library's value.
type peerRule struct {
	work, library, call string // which answers it applies to: beginnings of the library's name and of the call; empty for any
	text                string // for the table
	// theirs converts our value to the library's. If it is nil, no conversion exists, and the values must differ for some
	// input.
	theirs func(*peerCase, numbers) numbers
}

// peerRules holds a rule for each kind of answer. The first matching rule applies.
var peerRules = []peerRule{
	{"hypervolume", "jMetal", "PISAHypervolume(r).compute(F)", "the volume up to (1, …, 1): the reference is ignored", upToOne},
	{"hypervolume", "jMetal", "WFGHypervolume(r).compute(F)", "the volume up to (1, …, 1): the reference is ignored", upToOne},
	{"hypervolume", "jMetal", "", "ours / Π r", overReference},
	{"hypervolume", "platypus", "", "ours / Π (maximum − minimum)", overReference},
	{"hypervolume", "MOEA", "Hypervolume(", "ours / Π (maximum − minimum)", overReference},
	{"hypervolume", "botorch", "", "ours, for negated points; too small for some sets with ties in four or more objectives", nil},
	{"contributions", "moocore", "hv_contributions(F, ref=r)", "ours once dominated points are left out", withoutDominated},
	{"non-dominated", "moocore", "is_nondominated(F)", "ours, each of equal points once", firstOfEqual},
	{"non-dominated", "jmetalpy", "", "ours, each of equal points once", firstOfEqual},
	{"non-dominated", "botorch", "is_non_dominated(-F)", "ours, each of equal points once", firstOfEqual},
	{"non-dominated", "jMetal", "", "ours, each of equal points once", firstOfEqual},
	{"non-dominated", "MOEA", "NondominatedPopulation(NO_", "ours, each of equal points once", firstOfEqual},
	{"problem", "botorch", "ZDT3", "f₁ as ours, f₂ divided by g: wrong away from the front, where g > 1", overG},
	{"purity", "MOEA", "", "ours · points of the method's front / points of the union's front", purityToContribution},
	{"spread", "jMetal", "", "another formula", nil},
	{"transport", "scipy", "", "`cost`", asOurs},
	{"transport", "", "", "the entry of this name in `values`", asOurs},
	{"", "", "", "ours", asOurs},
}

func asOurs(_ *peerCase, ours numbers) numbers { return ours }
func upToOne(c *peerCase, _ numbers) numbers {
	v, err := pareto.Hypervolume(c.Input.Points, slices.Repeat([]float64{1}, len(c.Input.Reference)))
	if err != nil {
		return nil
	}
	return numbers{v}
}

func overReference(c *peerCase, ours numbers) numbers {
	out := ours[0]
	for _, r := range c.Input.Reference {
		out /= r
	}
	return numbers{out}
}

func withoutDominated(c *peerCase, _ numbers) numbers {
	kept, err := pareto.NonDominated(c.Input.Points)
	if err != nil {
		return nil
	}
	var points [][]float64
	for _, i := range kept {
		points = append(points, c.Input.Points[i])
	}
	own, err := pareto.Contributions(points, c.Input.Reference)
	if err != nil {
		return nil
	}
	out := make(numbers, len(c.Input.Points))
	for k, i := range kept {
		out[i] = own[k]
	}
	return out
}

func firstOfEqual(c *peerCase, ours numbers) numbers {
	var out numbers
	for _, i := range ours {
		if !slices.ContainsFunc(out, func(j float64) bool { return slices.Equal(c.Input.Points[int(i)], c.Input.Points[int(j)]) }) {
			out = append(out, i)
		}
	}
	return out
}

func overG(c *peerCase, ours numbers) numbers {
	g := 1.0
	for _, x := range c.Input.X[1:] {
		g += 9 * x / float64(len(c.Input.X)-1)
	}
	return numbers{ours[0], ours[1] / g}
}

func purityToContribution(c *peerCase, ours numbers) numbers {
	union, errUnion := pareto.NonDominated(slices.Concat(c.Input.Points, c.Input.Other))
	own, errOwn := pareto.NonDominated(c.Input.Points)
	if errUnion != nil || errOwn != nil {
		return nil
	}
	return numbers{ours[0] * float64(len(own)) / float64(len(union))}
}

// ours returns our answer to the question that a library's call answers.
func (c *peerCase) ours(t *testing.T, call string) numbers {
	t.Helper()
	in := &c.Input
	fail := func(err error) {
		if err != nil {
			t.Fatalf("%s, %s: %v", c.Work, c.Name, err)
		}
	}
	switch c.Work {
	case "hypervolume", "contributions":
		v, err := weigh.Hypervolume(in.Points, in.Reference, nil, c.Work == "contributions")
		fail(err)
		if v.Contributions != nil {
			return v.Contributions
		}
		return numbers{v.Hypervolume}
	case "non-dominated":
		kept, err := pareto.NonDominated(in.Points)
		fail(err)
		var out numbers
		for _, i := range kept {
			out = append(out, float64(i))
		}
		return out
	case "problem":
		p, err := peerProblem(c.Name, len(in.X))
		fail(err)
		out := make(numbers, 2)
		p.Values(out, in.X)
		return out
	case "purity", "spread":
		q, _, err := pareto.Compare(in.Points, in.Other)
		fail(err)
		if c.Work == "purity" {
			return numbers{q[0].Purity}
		}
		return numbers{q[0].Delta}
	case "transport":
		return c.transported(t, call)
	}
	t.Fatalf("unknown work %q", c.Work)
	return nil
}

// transported returns the value of our plan that corresponds to the result of a library's call.
func (c *peerCase) transported(t *testing.T, call string) numbers {
	t.Helper()
	in := &data.TransportInput{Task: transport.Task{Cost: slices.Concat(c.Input.Cost...), A: c.Input.A, B: c.Input.B}}
	solver, settings := "exact", map[string]string(nil)
	if c.Input.Eps > 0 {
		solver, settings = "sinkhorn", map[string]string{"eps": fmt.Sprint(c.Input.Eps)}
	}
	out, err := weigh.Transport(solver, settings, in)
	if err != nil || !out.Converged {
		t.Fatalf("%s by %s: error %v, or not converged", c.Name, solver, err)
	}
	v, ok := out.Values.POT[planValue(call)]
	if !ok {
		v, ok = out.Values.OTT[planValue(call)]
	}
	if !ok {
		v = out.Cost // scipy has no name for it
	}
	return numbers{v}
}

// planValue returns the key, in a plan's values, of the value that a library's call returns. The key is the call
// without ott's prefix "Sinkhorn." and without arguments, except the kind of regularization.
func planValue(call string) string {
	begin, rest, _ := strings.Cut(call, "(")
	name := begin + rest[strings.LastIndex(rest, ")")+1:]
	if strings.Contains(call, `reg_type="entropy"`) {
		name += `, reg_type="entropy"`
	}
	return strings.TrimPrefix(name, "Sinkhorn.")
}

// peerProblem returns the named test problem in d variables.
func peerProblem(name string, d int) (algo.Problem, error) {
	switch {
	case name == "Fonseca":
		return problem.NewFonseca(d, 0)
	case name == "RE21":
		card := ownproblem.About.Presets[slices.IndexFunc(ownproblem.About.Presets, func(p scene.Preset) bool { return p.ID == "truss" })].Values
		return formula.Parse(card["define"]+"\nf1 = "+card["f1"]+"\nf2 = "+card["f2"], 0)
	}
	return problem.NewZDT(int(name[len(name)-1]-'0'), d)
}

// rule returns the first matching rule for an answer.
func (c *peerCase) rule(a *peerAnswer) *peerRule {
	for i := range peerRules {
		r := &peerRules[i]
		if (r.work == "" || r.work == c.Work) && strings.HasPrefix(a.Library, r.library) && strings.HasPrefix(a.Call, r.call) {
			return r
		}
	}
	return nil
}

// peerCases reads the answers that bench/conventions/fronts stored.
func peerCases(t *testing.T) []peerCase {
	t.Helper()
	text, err := os.ReadFile("docs/peers.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept struct{ Cases []peerCase }
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	return kept.Cases
}

// TestPeers: the rules in docs/peers.md convert our values to those of other libraries. If the document says that no
// conversion exists, the values differ for some input.
func TestPeers(t *testing.T) {
	answers, different, used := 0, map[string]bool{}, map[*peerRule]bool{}
	for _, c := range peerCases(t) {
		for _, a := range c.Answers {
			answers++
			ours, r := c.ours(t, a.Call), c.rule(&a)
			used[r] = true
			if r.theirs == nil {
				different[r.text] = different[r.text] || !ours.near(a.Value)
			} else if want := r.theirs(&c, ours); !want.near(a.Value) {
				t.Errorf("%s of %s, %s: %s returns %v, ours is %v; by the rule %q it would return %v",
					c.Work, c.Name, a.Library, a.Call, a.Value, ours, r.text, want)
			}
		}
	}
	if answers < 200 {
		t.Errorf("docs/peers.json has %d answers, want at least 200", answers)
	}
	for i := range peerRules {
		r := &peerRules[i]
		if !used[r] {
			t.Errorf("the rule %q applies to no answer of %s in %s", r.text, r.work, r.library)
		}
		if r.theirs == nil && !different[r.text] {
			t.Errorf("by the rule %q, no value of %s in %s differs", r.text, r.work, r.library)
		}
	}
}

// peerRows returns the table for one kind of work, or for one test problem. The table contains our answers and each
// library's answers for every input. Libraries with the same answers share a row.
func peerRows(work, problem string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		type group struct {
			calls    []string
			answered string // the rest of the row
		}
		var names []string // names of inputs
		ours := map[string]string{}
		rows := map[string]map[string]string{} // by call and input
		var order []string
		rules := map[string]string{}
		for _, c := range peerCases(t) {
			if c.Work != work || problem != "" && c.Name != problem {
				continue
			}
			name := c.Name
			if c.Work == "problem" {
				name = "x = " + numbers(c.Input.X).String()
			}
			if c.Input.Eps > 0 {
				name += fmt.Sprintf(", eps = %g", c.Input.Eps)
			}
			for _, a := range c.Answers {
				if c.Work != "transport" { // a plan's values have as many names as there are calls
					ours[name] = c.ours(t, a.Call).String()
				}
				call := a.Library + ": `" + a.Call + "`"
				if rows[call] == nil {
					rows[call] = map[string]string{}
					order = append(order, call)
				}
				rows[call][name], rules[call] = a.Value.String(), c.rule(&a).text
			}
			names = append(names, name)
		}
		names = slices.Compact(names)
		out := []string{"| | " + strings.Join(names, " | ") + " | theirs is |", "|---|" + strings.Repeat("---|", len(names)) + "---|"}
		row := func(head string, values map[string]string, rule string) string {
			cells := head
			for _, name := range names {
				cells += " | " + values[name]
			}
			return "| " + cells + " | " + rule + " |"
		}
		if len(ours) > 0 {
			out = append(out, row("**ours**", ours, ""))
		}
		var groups []*group
		for _, call := range order {
			answered := row("", rows[call], rules[call])
			at := slices.IndexFunc(groups, func(g *group) bool { return g.answered == answered })
			if at < 0 {
				at, groups = len(groups), append(groups, &group{answered: answered})
			}
			groups[at].calls = append(groups[at].calls, call)
		}
		for _, g := range groups {
			out = append(out, "| "+strings.Join(g.calls, "; ")+strings.TrimPrefix(g.answered, "| "))
		}
		return out
	}
}
