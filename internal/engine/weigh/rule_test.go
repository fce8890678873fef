package weigh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
)

// step returns a line with a Jacobian, or with only its Gramian if alone is true.
func step(rows [][]float64, losses []float64, alone bool) *runlog.Line {
	m, n := len(rows), len(rows[0])
	jac := algo.Jacobian{Rows: m, Cols: n, Data: slices.Concat(rows...)}
	line := &runlog.Line{Losses: losses}
	if !alone {
		line.Jacobian = runlog.Matrix{Rows: m, Columns: n, Data: jac.Data}
		return line
	}
	line.Gramian = runlog.Matrix{Rows: m, Columns: m, Data: make([]float64, m*m)}
	jac.Gram(line.Gramian.Data)
	return line
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestRuleIsWeigh checks that every method's first decision equals Apply's bit for bit on the golden cases.
func TestRuleIsWeigh(t *testing.T) {
	compared := 0
	for _, method := range Methods() {
		cases, err := Golden(method, nil, 30)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		for _, c := range cases {
			r, err := NewRule(method, nil, c.Seed)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Decide(step(c.Jacobian, c.Losses, false))
			if err != nil {
				t.Errorf("%s, %s: %v", method, c.Case, err)
				continue
			}
			compared++
			if got.Status != c.Status || !sameBits(got.Direction, c.Direction) ||
				c.Weights != nil && !sameBits(got.Weights, c.Weights) || c.Effective != nil && !sameBits(got.Effective, c.Effective) {
				t.Errorf("%s, %s: got %v, want %v", method, c.Case, got, c)
			}
		}
	}
	if compared < 500 {
		t.Errorf("%d decisions compared, want at least 500", compared)
	}
}

// TestRuleRemembers checks that ten decisions of every method equal a stream's bit for bit, even after a save, a load and
// a rejected step.
func TestRuleRemembers(t *testing.T) {
	for _, method := range Methods() {
		for _, alone := range []bool{false, true} {
			stream, err := NewStream([]string{method}, nil, []string{"weights", "effective"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewRule(method, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			source := rand.New(rand.NewPCG(5, 6))
			for k := range 10 {
				rows := make([][]float64, 3)
				losses, after := make([]float64, 3), make([]float64, 3)
				for i := range rows {
					rows[i] = []float64{source.NormFloat64(), source.NormFloat64(), source.NormFloat64(), source.NormFloat64()}
					losses[i], after[i] = 1+source.Float64(), 1+source.Float64()
				}
				line := step(rows, losses, alone)
				line.After = after
				want, wantErr := stream.Answer(line)
				got, err := r.Decide(line)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("%s, Gramian %v, step %d: got error %v, want %v as in the stream", method, alone, k, err, wantErr)
				}
				if err != nil {
					break
				}
				said := want.(map[string]any)
				if weights := said["weights"].([]float64); weights != nil && !sameBits(got.Weights, weights) {
					t.Errorf("%s, Gramian %v, step %d: got weights %v, want %v as in the stream", method, alone, k, got.Weights, weights)
				}
				if effective := said["effective"].([]float64); effective != nil && !sameBits(got.Effective, effective) {
					t.Errorf("%s, Gramian %v, step %d: got effective %v, want %v as in the stream", method, alone, k, got.Effective, effective)
				}
				if err := r.Observe(losses, after); err != nil {
					t.Fatal(err)
				}
				if bad := step(rows, []float64{math.NaN(), 1, 1}, alone); k == 3 {
					if _, err := r.Decide(bad); err == nil || !strings.Contains(err.Error(), "losses[0] is NaN") {
						t.Errorf("%s: a NaN loss: got error %v", method, err)
					}
				}
				if k == 5 {
					floats, words := r.Save()
					if r, err = NewRule(method, nil, 0); err != nil {
						t.Fatal(err)
					}
					if err := r.Load(floats, words); err != nil {
						t.Fatalf("%s: %v", method, err)
					}
				}
			}
		}
	}
}

// TestRuleRefuses checks that each error names its cause and leaves the rule unchanged.
func TestRuleRefuses(t *testing.T) {
	if _, err := NewRule("cagrd", nil, 0); err == nil || !strings.Contains(err.Error(), `unknown method "cagrd"`) {
		t.Errorf("unknown method: got error %v", err)
	}
	rows := [][]float64{{1, 0}, {-1, 1}}
	for _, c := range []struct {
		method   string
		settings []string
		line     *runlog.Line
		want     string
	}{
		{"cagrad", []string{"c=-1"}, step(rows, nil, false), "c"},
		{"cagrad", []string{"d=1"}, step(rows, nil, false), "d"},
		{"si", nil, step(rows, nil, false), "losses"},
		{"graddrop", nil, step(rows, nil, true), "jacobian"},
		{"mgda", nil, step(rows, []float64{1}, false), "losses: expected one for each of 2 objectives, got 1"},
		{"mgda", nil, step([][]float64{{1, math.Inf(1)}, {0, 1}}, nil, false), "jacobian[0, 1] is +Inf"},
		{"mgda", nil, &runlog.Line{}, "0 objectives"},
		{"mgda", nil, &runlog.Line{Gramian: runlog.Matrix{Rows: 2, Columns: 2, Data: []float64{1, 2, 0, 1}}}, "gramian"},
	} {
		r, err := NewRule(c.method, c.settings, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Decide(c.line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: got error %v, want one with %q", c.method, c.settings, err, c.want)
		}
		if c.settings == nil && r.rule != nil {
			t.Errorf("%s: a refused first step left a rule behind", c.method)
		}
	}
	r, err := NewRule("mgda", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Observe([]float64{1, 1}, []float64{1, 1}); err == nil {
		t.Error("Observe accepts losses before the first decision")
	}
	if _, err := r.Decide(step(rows, nil, false)); err != nil {
		t.Fatal(err)
	}
	for want, line := range map[string]*runlog.Line{
		"1 objectives, but the first call had 2": step([][]float64{{1, 0}}, nil, false),
		"1 columns, but the first call's had 2":  step([][]float64{{1}, {2}}, nil, false),
		"gramian: the first call had a jacobian": step(rows, nil, true),
	} {
		if _, err := r.Decide(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("another size: got error %v, want one with %q", err, want)
		}
	}
	if err := r.Observe([]float64{1}, []float64{1, 1}); err == nil {
		t.Error("Observe accepts one loss for two objectives")
	}
	floats, words := r.Save()
	for _, method := range []string{"moco", "excessmtl", "famo", "rlw"} {
		other, err := NewRule(method, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Load(floats, words); err == nil || !strings.Contains(err.Error(), "another method") {
			t.Errorf("%s loads mgda's state: got error %v", method, err)
		}
	}
	if err := r.Load(nil, []uint64{1}); err == nil {
		t.Error("Load accepts a state of one word")
	}
}

// TestRuleAllocates uses rules that do not allocate. It checks that Decide does not allocate anything either, except at
// the first step.
func TestRuleAllocates(t *testing.T) {
	rows := [][]float64{{1, 0, 2}, {-1, 1, 0}, {0.5, -2, 1}}
	for _, method := range []string{"mgda", "upgrad", "cagrad", "nashmtl", "imtlg"} {
		for _, alone := range []bool{false, true} {
			r, err := NewRule(method, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			line := step(rows, nil, alone)
			decide := func() {
				if _, err := r.Decide(line); err != nil {
					t.Fatal(err)
				}
			}
			decide()
			if n := testing.AllocsPerRun(20, decide); n > 0 {
				t.Errorf("%s, Gramian %v: got %v allocations per decision", method, alone, n)
			}
		}
	}
}

// BenchmarkRule measures how long a decision on a Gramian takes. For ls, which computes nothing, this is the time for
// checks and preparation.
func BenchmarkRule(b *testing.B) {
	for _, m := range []int{2, 10, 30} {
		source := rand.New(rand.NewPCG(7, 8))
		rows := make([][]float64, m)
		for i := range rows {
			for range 40 {
				rows[i] = append(rows[i], source.NormFloat64())
			}
		}
		line := step(rows, nil, true)
		for _, method := range []string{"ls", "mgda", "upgrad", "cagrad", "nashmtl"} {
			b.Run(fmt.Sprintf("%s-%d", method, m), func(b *testing.B) {
				r, err := NewRule(method, nil, 0)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := r.Decide(line); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
