package orders

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/scenes/timeline"
)

// slots are the places for numbers in a formula.
var slots = regexp.MustCompile(`\\text\{@(\w+)\}`)

// TestEquations: each method has one formula.
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

// rounded is a number as it is written, and how far it may be from what was written.
type rounded struct{ value, off float64 }

var written = regexp.MustCompile(`−?[0-9][0-9.]*(e[−+]?[0-9]+)?`)

// read returns the numbers of a text, in so many decimals or in three digits.
func read(t *testing.T, text string, decimals bool) (out []rounded) {
	t.Helper()
	for _, s := range written.FindAllString(text, -1) {
		s = strings.ReplaceAll(s, "−", "-")
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		off := 0.005 * math.Abs(v) // three digits, or less where zeros at the end are left out
		if _, places, _ := strings.Cut(s, "."); decimals {
			off = 0.5 * math.Pow10(-len(places))
		}
		out = append(out, rounded{v, off})
	}
	return out
}

// combined is a + c·b, number by number.
func combined(a []rounded, c rounded, b []rounded) []rounded {
	out := make([]rounded, len(b))
	for i, v := range b {
		out[i] = rounded{c.value * v.value, math.Abs(c.value)*v.off + math.Abs(v.value)*c.off}
		if a != nil {
			out[i].value, out[i].off = out[i].value+a[i].value, out[i].off+a[i].off
		}
	}
	return out
}

func agree(a, b []rounded) bool {
	for i := range a {
		if math.Abs(a[i].value-b[i].value) > a[i].off+b[i].off+1e-12 {
			return false
		}
	}
	return len(a) == len(b)
}

// largest is the max norm.
func largest(v []rounded) (out rounded) {
	for _, a := range v {
		out.value, out.off = max(out.value, math.Abs(a.value)), max(out.off, a.off)
	}
	return out
}

// sum adds up a text such as "(0.5 (1, 2) + 0.5 (3, 4) + … of 2 more: (5, 6))".
func sum(t *testing.T, text string) (out []rounded) {
	t.Helper()
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	for _, part := range strings.Split(text, " + ") {
		before, point, ok := strings.Cut(part, "(")
		if !ok {
			t.Fatalf("%q has no gradient in %q", text, part)
		}
		weight := rounded{1, 0}
		if !strings.HasPrefix(part, "…") {
			weight = read(t, before, false)[0]
		}
		out = combined(out, weight, read(t, point, false))
	}
	return out
}

// balanceRow reads a row of what was balanced.
var balanceRow = regexp.MustCompile(`^(s[₁-₉]?) = (\(.*?\)), g([₁-₉]?) = (?:(\(.*?\)) − (\(.*?\)) = )?(\(.*?\)): ` +
	`‖s[₁-₉]? \+ g[₁-₉]?‖∞ = (\S+), ‖s[₁-₉]? − g[₁-₉]?‖∞ = (\S+?)(, so|; drawn:) ε[₁-₉]? = ([+−])1, (?:sample|example) (\d+) to place (\d+)`)

// TestStepNumbersAddUp: for every order, with weightings and optimizers, the numbers of a step
// add up within the rounding of what is written, all that the formula asks for is there, the sign
// is that of the smaller norm, and every sample of an epoch gets a place of its own.
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
						t.Errorf("%q, not %q …", got["due"], want)
					}
					if kept := strings.HasSuffix(got["due"], "weights as before"); kept != (c.values["R"] == "4" && (k-1)%4 > 0) {
						t.Errorf("step %d: %s", k, got["due"])
					}
					taken := sum(t, got["sum"])
					if got["made"] != "" {
						if c.values["optimizer"] == "" {
							t.Errorf("step %d: made is %q", k, got["made"])
						}
						taken = read(t, strings.Split(got["made"], " ⟵ ")[0], false)
					}
					alpha := read(t, got["alpha"], false)[0]
					alpha.off = 0
					alpha.value *= -1
					if made := combined(read(t, got["from"], true), alpha, taken); !agree(made, read(t, got["x"], true)) {
						t.Errorf("step %d: %v is %v", k, got, made)
					}
					for i, name := range []string{"first", "second"} {
						balanced(t, c.values["sign"] == "selfbalancing", got[name])
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
					t.Errorf("%d places are given, not %d", len(places), want)
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

// asked checks that a method's formula has a number for every place.
func asked(t *testing.T, method string, got map[string]string) {
	t.Helper()
	for _, e := range Equations() {
		if !slices.Contains(e.Methods, method) {
			continue
		}
		for _, m := range slots.FindAllStringSubmatch(e.Numbers, -1) {
			text, has := got[m[1]]
			if !has || text == "" && m[1] != "made" && m[1] != "second" {
				t.Errorf("there is no %s in %v", m[1], got)
			}
		}
	}
}

// balanced checks a row of what was balanced, "" for none.
func balanced(t *testing.T, drawn bool, row string) {
	t.Helper()
	if row == "" {
		return
	}
	found := balanceRow.FindStringSubmatch(row)
	if found == nil {
		t.Fatalf("%q cannot be read", row)
	}
	s, g := read(t, found[2], false), read(t, found[6], false)
	if found[4] != "" {
		if got := combined(read(t, found[4], false), rounded{-1, 0}, read(t, found[5], false)); !agree(got, g) {
			t.Errorf("%q: the vector is %v", row, got)
		}
	}
	plus, minus := read(t, found[7], false)[0], read(t, found[8], false)[0]
	if !strings.Contains(row, "…") {
		for side, want := range map[float64]rounded{1: plus, -1: minus} {
			if got := largest(combined(s, rounded{side, 0}, g)); !agree([]rounded{got}, []rounded{want}) {
				t.Errorf("%q: on side %v the norm is %v", row, side, got)
			}
		}
	}
	if drawn != (found[9] == "; drawn:") {
		t.Errorf("%q: drawn is %v", row, drawn)
	}
	if up := found[10] == "+"; !drawn && up != (plus.value <= minus.value) {
		t.Errorf("%q has the other sign", row)
	}
}
