package smooth

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/timeline"
)

// read parses a text of StepNumbers: one number, or the coordinates of a point.
func read(t *testing.T, text string) []float64 {
	t.Helper()
	text = strings.NewReplacer("−", "-", "·10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9").Replace(text)
	var out []float64
	for _, part := range strings.Split(strings.Trim(text, "()"), ", ") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// TestStepNumbersAddUp checks for every method, with and without an optimizer, that the numbers of its equation add up
// to x_k within rounding. The equation must have a number for every placeholder.
func TestStepNumbersAddUp(t *testing.T) {
	slots := regexp.MustCompile(`\\text\{@(\w+)\}`)
	of := map[string]string{}
	for _, e := range Equations() {
		for _, m := range e.Methods {
			if of[m] != "" {
				t.Errorf("%s has two equations", m)
			}
			of[m] = e.Numbers
		}
	}
	for _, c := range []map[string]string{{}, {"momentum": "0.5"}, {"optimizer": "adam"}, {"optimizer": "heavyball"}, {"clip": "0.1"},
		{"R": "1", "psmgd.weighting": "cagrad"}, {"R": "3", "psmgd.weighting": "cagrad"}} {
		r, l := bound(t)
		for name, value := range c {
			if err := l.Assign(name, value); err != nil {
				t.Fatal(err)
			}
		}
		line, p := played(t, r), course(t).Problem
		for line.Running() {
			if line.Latest() == 20 {
				line.Change(20, "R", "7")
			}
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for _, track := range line.Tracks() {
			t.Run(fmt.Sprint(c, track.Name()), func(t *testing.T) {
				for _, k := range []int{1, 2, 6, 40} {
					if k > track.Last() {
						continue
					}
					got, err := r.StepNumbers(line, p, track, k)
					if err != nil {
						t.Fatal(err)
					}
					var asked []string
					for _, m := range slots.FindAllStringSubmatch(of[track.Method], -1) {
						if asked = append(asked, m[1]); m[1] != "made" && got[m[1]] == "" {
							t.Errorf("step %d: no %s in %v", k, m[1], got)
						}
					}
					taken, off := []float64{0, 0}, 0.0005 // error bound from rounding
					switch {
					case got["made"] != "":
						taken = read(t, strings.Split(got["made"], " ⟵ ")[0])
					case slices.Contains(asked, "d"):
						taken = read(t, got["d"])
					default:
						for i, w := range []float64{read(t, got["w1"])[0], read(t, got["w2"])[0]} {
							off += 0.0005 * (math.Abs(w) + 1)
							for j, g := range read(t, got["g"+strconv.Itoa(i+1)]) {
								taken[j] += w * g
							}
						}
					}
					if plain := c["optimizer"] == "" && c["clip"] == "" && c["psmgd.weighting"] == ""; plain && got["made"] != "" {
						t.Errorf("step %d: got made = %q", k, got["made"])
					}
					x, from, eta := read(t, got["x"]), read(t, got["from"]), read(t, got["eta"])[0]
					for j := range x {
						if want := from[j] - eta*taken[j]; math.Abs(x[j]-want) > 0.001+0.001*math.Abs(taken[j])+eta*off {
							t.Errorf("step %d: %v give %v, want %v", k, got, want, x[j])
						}
					}
				}
			})
		}
	}
}

// TestStepNumbersSayWhoseWeights checks that the weights between two refreshes come from the earlier refresh, even if
// the row of that refresh was dropped. Iterations that no step led to must have no numbers.
func TestStepNumbersSayWhoseWeights(t *testing.T) {
	r, _ := bound(t)
	r.On = []string{psmgd}
	all, err := r.Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(6000)
	line.SetEnd(60, 0)
	line.Reset(all, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	track := line.Tracks()[0]
	if track.Len() > 50 {
		t.Fatalf("got %d rows: none was dropped", track.Len())
	}
	for k, want := range map[int]string{1: "0", 4: "0", 5: "4", 8: "4", 47: "44"} {
		got, err := r.StepNumbers(line, course(t).Problem, track, k)
		if err != nil || got["j"] != want || got["k"] != strconv.Itoa(k) {
			t.Errorf("step %d: got %v, error %v, want the weights of iteration %s", k, got, err, want)
		}
	}
	for _, k := range []int{0, 61} {
		if _, err := r.StepNumbers(line, course(t).Problem, track, k); err == nil {
			t.Errorf("iteration %d has the numbers of a step", k)
		}
	}
}

// TestNumbersAreShort checks that numbers have three decimals, and that small numbers have three significant digits.
func TestNumbersAreShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", -0.31249: "−0.312", 12.3456: "12.346", 0.0123456: "0.0123",
		-1.23456e-5: "−1.23·10⁻⁵",
		2e-12:       "2·10⁻¹²", 0.5: "0.5"} {
		if got := number(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
	if got := point([]float64{1, 0.25, -2, 4}); got != "(1, 0.25, −2, …)" {
		t.Error(got)
	}
}
