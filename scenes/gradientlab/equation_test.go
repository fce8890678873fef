package gradientlab

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// numbersOf reads a list such as "(1, −0.5)".
func numbersOf(t testing.TB, text string) []float64 {
	t.Helper()
	var out []float64
	for _, part := range strings.Split(strings.Trim(text, "()"), ", ") {
		v, err := strconv.ParseFloat(strings.ReplaceAll(part, "−", "-"), 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// TestEquation checks that the formula's numbers add up within rounding to four digits, in the plane and in space. Each
// number must have a place in the formula.
func TestEquation(t *testing.T) {
	for _, values := range []map[string]string{
		{"method": "ls"}, {"method": "mgda"}, {"method": "cagrad"}, {"method": "ls,nashmtl", "eta": "0.7"},
		{"method": "upgrad", "view": "space"}, {"method": "pcgrad", "gradients": "3,0.2;1.6,1.8;-1.9,1.3;0.1,-2;1,1;2,-2"},
	} {
		s := with(t, values)
		method, numbers := s.Extras().Decision()
		if !strings.HasPrefix(values["method"], method) || method == "" {
			t.Errorf("%v: the numbers are of %q", values, method)
		}
		for _, e := range equations {
			for name := range numbers {
				if !strings.Contains(e.Numbers, `\text{@`+name+"}") {
					t.Errorf("%s has no place for %s", e.ID, name)
				}
			}
			if got := strings.Count(e.Numbers, `\text{@`); got != len(numbers) {
				t.Errorf("%s has %d places for %d numbers", e.ID, got, len(numbers))
			}
		}
		d, changes, slopes := numbersOf(t, numbers["d"]), numbersOf(t, numbers["change"]), numbersOf(t, numbers["slopes"])
		sum, size := make([]float64, len(d)), 0.0
		for _, term := range strings.Split(numbers["sum"], " + ") {
			weight, vector, _ := strings.Cut(term, " ")
			for k, g := range numbersOf(t, vector) {
				sum[k] += numbersOf(t, weight)[0] * g
				size += math.Abs(numbersOf(t, weight)[0] * g)
			}
		}
		for k := range d {
			if math.Abs(sum[k]-d[k]) > 1e-3*size {
				t.Errorf("%v: the sum is %v, d = %v", values, sum, d)
			}
		}
		for i := range changes {
			if want := -numbersOf(t, numbers["eta"])[0] * slopes[i]; math.Abs(want-changes[i]) > 1e-3*math.Abs(want) {
				t.Errorf("%v: f%d changes by %v, −η g·d = %v", values, i+1, changes[i], want)
			}
			if got := scenetest.Fact(t, s.Facts(), "change."+method+"."+strconv.Itoa(i+1)); math.Abs(got-changes[i]) > 1e-3*math.Abs(got)+1e-9 {
				t.Errorf("%v: the formula says %v, the fact %v", values, changes[i], got)
			}
		}
	}
	// Without data or effective weights, there are no numbers.
	for _, values := range []map[string]string{
		{"view": viewData}, {"method": "graddrop"}, {"method": "nashmtl", "gradients": "2,0;-1,0"},
	} {
		if method, numbers := with(t, values).Extras().Decision(); method != "" || numbers != nil {
			t.Errorf("%v: %s %v", values, method, numbers)
		}
	}
	s := with(t, map[string]string{"view": viewData, "method": "mgda"})
	bring(t, s, pasted(t, 8, 20, 1))
	if _, err := s.Work(always); err != nil {
		t.Fatal(err)
	}
	if _, numbers := s.Extras().Decision(); numbers != nil {
		t.Errorf("eight gradients are written as %v", numbers)
	}
}
