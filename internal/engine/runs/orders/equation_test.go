package orders

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// slots matches the placeholders for numbers in a formula.
var slots = regexp.MustCompile(`\\text\{@(\w+)\}`)

// TestEquations checks that each method has exactly one formula.
func TestEquations(t *testing.T) {
	for _, m := range family {
		count := 0
		for _, e := range Equations() {
			if slices.Contains(e.Methods, m.ID) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%s has %d formulas", m.ID, count)
		}
	}
}

// combined returns a + c·b.
func combined(a []scenetest.Rounded, c scenetest.Rounded, b []scenetest.Rounded) []scenetest.Rounded {
	out := make([]scenetest.Rounded, len(b))
	for i, v := range b {
		out[i] = scenetest.Rounded{Value: c.Value * v.Value, Off: math.Abs(c.Value)*v.Off + math.Abs(v.Value)*c.Off}
		if a != nil {
			out[i].Value, out[i].Off = out[i].Value+a[i].Value, out[i].Off+a[i].Off
		}
	}
	return out
}

func agree(a, b []scenetest.Rounded) bool {
	for i := range a {
		if math.Abs(a[i].Value-b[i].Value) > a[i].Off+b[i].Off+1e-12 {
			return false
		}
	}
	return len(a) == len(b)
}

// largest returns the max norm of v.
func largest(v []scenetest.Rounded) (out scenetest.Rounded) {
	for _, a := range v {
		out.Value, out.Off = max(out.Value, math.Abs(a.Value)), max(out.Off, a.Off)
	}
	return out
}

// sum parses a text such as "(0.5 (1, 2) + 0.5 (3, 4) + … of 2 more: (5, 6))" and adds up its terms.
func sum(t *testing.T, text string) (out []scenetest.Rounded) {
	t.Helper()
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	for _, part := range strings.Split(text, " + ") {
		before, point, ok := strings.Cut(part, "(")
		if !ok {
			t.Fatalf("%q has no gradient in %q", text, part)
		}
		weight := scenetest.Rounded{Value: 1}
		if !strings.HasPrefix(part, "…") {
			weight = scenetest.Read(t, before, false)[0]
		}
		out = combined(out, weight, scenetest.Read(t, point, false))
	}
	return out
}

// balanceRow parses one row of the balance text.
var balanceRow = regexp.MustCompile(`^(s[₁-₉]?) = (\(.*?\)), g([₁-₉]?) = (?:(\(.*?\)) − (\(.*?\)) = )?(\(.*?\)): ` +
	`‖s[₁-₉]? \+ g[₁-₉]?‖∞ = (\S+), ‖s[₁-₉]? − g[₁-₉]?‖∞ = (\S+?)(, so|; drawn:|; ⟨s[₁-₉]?, g[₁-₉]?⟩ = \S+, so)` +
	` ε[₁-₉]? = ([+−])1, (?:sample|example) (\d+) to place (\d+)`)

// TestStepNumbersAddUp checks the numbers of a step for every order, with weightings and optimizers. They must add up
// within rounding and fill all placeholders of the formula. The sign must belong to the smaller norm, and every sample
// of an epoch must get a different place.
func TestStepNumbersAddUp(t *testing.T) {
	const examples = 6
	type shape struct{ m, d int }
	for _, c := range []struct {
		shape
		values map[string]string
	}{
		{shape{2, 2}, nil}, {shape{1, 1}, nil}, {shape{4, 3}, nil}, {shape{2, 2}, map[string]string{"weighting": "mgda"}},
		{shape{3, 2}, map[string]string{"weighting": "mgda", "R": "4"}}, {shape{2, 2}, map[string]string{"optimizer": "adam"}},
		{shape{2, 2}, map[string]string{"weighting": "pcgrad"}}, {shape{2, 3}, map[string]string{"sign": "selfbalancing"}},
		{shape{2, 2}, map[string]string{"sign": "innerproduct"}}, {shape{3, 3}, map[string]string{"sign": "twonorm"}},
		{shape{2, 2}, map[string]string{"centring": "perobjective", "weighting": "imtlg"}},
		{shape{2, 2}, map[string]string{"batch": "3"}},
	} {
		r, _ := bound(t, c.values)
		p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: c.m, Examples: examples * r.Batch, Variables: c.d,
			Condition: 4, Heterogeneity: 1, Noise: 0.5, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		runs, err := r.Runs(Course{Problem: p, Start: make([]float64, c.d), Epochs: 3, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		line := timeline.New(timeline.DefaultLimit)
		line.SetEnd(3*examples, 0)
		line.Reset(runs, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for _, track := range line.Tracks() {
			t.Run(fmt.Sprint(c.shape, c.values, track.Method), func(t *testing.T) {
				places := map[string]bool{}
				for k := 1; k <= 3*examples; k++ {
					got, err := r.StepNumbers(line, p, track, k)
					if err != nil {
						t.Fatal(err)
					}
					asked(t, track.Method, got)
					want := fmt.Sprintf("epoch %d, place %d: %s ", (k-1)/examples, (k-1)%examples+1, r.noun())
					if due := strings.Replace(got["due"], "s ", " ", 1); !strings.HasPrefix(due, want) {
						t.Errorf("got %q, want %q …", got["due"], want)
					}
					if kept := strings.HasSuffix(got["due"], "weights as before"); kept != (c.values["R"] == "4" && (k-1)%4 > 0) {
						t.Errorf("step %d: %s", k, got["due"])
					}
					taken := sum(t, got["sum"])
					if got["made"] != "" {
						if c.values["optimizer"] == "" {
							t.Errorf("step %d: got made = %q", k, got["made"])
						}
						taken = scenetest.Read(t, strings.Split(got["made"], " ⟵ ")[0], false)
					}
					alpha := scenetest.Read(t, got["alpha"], false)[0]
					alpha.Off = 0
					alpha.Value *= -1
					if made := combined(scenetest.Read(t, got["from"], true), alpha, taken); !agree(made, scenetest.Read(t, got["x"], true)) {
						t.Errorf("step %d: %v is %v", k, got, made)
					}
					for i, name := range []string{"first", "second"} {
						balanced(t, c.values["sign"], got[name])
						if found := balanceRow.FindStringSubmatch(got[name]); found != nil {
							places[fmt.Sprint((k-1)/examples, i, found[12])] = true
						}
					}
				}
				want := 0
				if kind, own := Kind(track.Method); kind.Balances() {
					want = 3 * examples
					if own {
						want *= min(c.m, maxRows)
					}
				}
				if len(places) != want {
					t.Errorf("got %d places, want %d", len(places), want)
				}
			})
		}
		for _, k := range []int{0, 3*examples + 1} {
			if _, err := r.StepNumbers(line, p, line.Tracks()[0], k); err == nil {
				t.Errorf("iteration %d has the numbers of a step", k)
			}
		}
	}
}

// asked checks that got has a number for every placeholder of a method's formula.
func asked(t *testing.T, method string, got map[string]string) {
	t.Helper()
	for _, e := range Equations() {
		if !slices.Contains(e.Methods, method) {
			continue
		}
		for _, m := range slots.FindAllStringSubmatch(e.Numbers, -1) {
			text, has := got[m[1]]
			if !has || text == "" && m[1] != "made" && m[1] != "second" {
				t.Errorf("no %s in %v", m[1], got)
			}
		}
	}
}

// balanced checks one row of the balance text. It accepts an empty row.
func balanced(t *testing.T, rule, row string) {
	t.Helper()
	if row == "" {
		return
	}
	found := balanceRow.FindStringSubmatch(row)
	if found == nil {
		t.Fatalf("cannot parse %q", row)
	}
	s, g := scenetest.Read(t, found[2], false), scenetest.Read(t, found[6], false)
	if found[4] != "" {
		if got := combined(scenetest.Read(t, found[4], false), scenetest.Rounded{Value: -1}, scenetest.Read(t, found[5], false)); !agree(got, g) {
			t.Errorf("%q: got vector %v", row, got)
		}
	}
	plus, minus := scenetest.Read(t, found[7], false)[0], scenetest.Read(t, found[8], false)[0]
	if !strings.Contains(row, "…") {
		for side, want := range map[float64]scenetest.Rounded{1: plus, -1: minus} {
			if got := largest(combined(s, scenetest.Rounded{Value: side}, g)); !agree([]scenetest.Rounded{got}, []scenetest.Rounded{want}) {
				t.Errorf("%q: side %v: got norm %v", row, side, got)
			}
		}
	}
	up := found[10] == "+"
	inner := scenetest.Rounded{}
	for i, v := range s {
		inner.Value += v.Value * g[i].Value
		inner.Off += v.Off*math.Abs(g[i].Value) + g[i].Off*math.Abs(v.Value)
	}
	switch rule {
	case "selfbalancing":
		if found[9] != "; drawn:" {
			t.Errorf("%q: got a drawn sign", row)
		}
	case "innerproduct", "twonorm":
		_, text, _ := strings.Cut(found[9], " = ")
		told := scenetest.Read(t, strings.TrimSuffix(text, ", so"), false)[0]
		if up != (told.Value < 0 || told.Value == 0 && rule == "twonorm") {
			t.Errorf("%q: got the wrong sign", row)
		}
		if !strings.Contains(row, "…") && !agree([]scenetest.Rounded{inner}, []scenetest.Rounded{told}) {
			t.Errorf("%q: got inner product %v", row, inner)
		}
	default:
		if up != (plus.Value <= minus.Value) || found[9] != ", so" {
			t.Errorf("%q: got the wrong sign", row)
		}
	}
}
