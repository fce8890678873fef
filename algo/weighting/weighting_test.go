package weighting

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/param"
)

func construct(t testing.TB, m Method) algo.Weighting {
	t.Helper()
	var l param.List
	w, err := m.Bind(&l, "")(Context{Objectives: 3, Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return w
}

func TestMethodsKeepTheirPromises(t *testing.T) {
	for _, m := range Methods {
		t.Run(m.Name, func(t *testing.T) {
			var promises []algotest.Promise
			if m.Promises.Simplex {
				promises = append(promises, algotest.SimplexWeights)
			}
			if m.Promises.Permutation {
				promises = append(promises, algotest.PermutationInvariant)
			}
			if m.Promises.NonConflicting {
				promises = append(promises, algotest.NonConflicting)
			}
			if m.Promises.Homogeneous {
				promises = append(promises, algotest.Homogeneous)
			}
			if !m.Coordinates {
				promises = append(promises, algotest.RotationInvariant)
			}
			algotest.Weighting(t, func() algo.Weighting { return construct(t, m) }, promises...)
			if got := construct(t, m).Needs(); got != m.Needs {
				t.Errorf("needs %+v, listed %+v", got, m.Needs)
			}
		})
	}
}

// TestBlindRulesLookAtNoGradient checks that a rule with Needs.Blind makes the same decision for other gradients and
// without a Jacobian. Other rules must decide differently.
func TestBlindRulesLookAtNoGradient(t *testing.T) {
	losses := []float64{1, 2, 3}
	for _, m := range Methods {
		in, r := input([][]float64{{1, 2, 0}, {-1, 1, 3}, {0.5, 0, -2}}, losses)
		other, q := input([][]float64{{4, -2, 1}, {3, 1, 5}, {1, 1, -1}}, losses)
		if m.Needs.Blind {
			other.Jacobian, q.Direction = nil, nil
		}
		if err := construct(t, m).Weigh(r, in); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if err := construct(t, m).Weigh(q, other); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if same := slices.Equal(r.Weights, q.Weights) && slices.Equal(r.Effective, q.Effective); same != m.Needs.Blind && !unmoved[m.Name] {
			t.Errorf("%s: decides the same: %v, but Needs.Blind is %v", m.Name, same, m.Needs.Blind)
		}
	}
}

// unmoved lists rules that use gradients, although they return no weights or their first weights do not depend on the
// gradients.
var unmoved = map[string]bool{"graddrop": true, "gradnorm": true, "excessmtl": true}

// TestNormalizationsKeepTheContract checks that MGDA passes the checks of algotest.Weighting with every normalization.
// The order of objectives may matter if divided gradients coincide, because λ* is then not unique and the combined
// gradients differ.
func TestNormalizationsKeepTheContract(t *testing.T) {
	for n := range normalizations {
		algotest.Weighting(t, func() algo.Weighting { return NewMGDA(Normalization(n)) }, algotest.SimplexWeights)
	}
}

func TestNormalizationsIgnoreTheOrder(t *testing.T) {
	rows := [][]float64{{1, 2, 0, 1}, {-1, 1, 3, 0}, {0.5, 0, -2, 1}, {3, 3, 3, 3}}
	losses := []float64{1, 2, 3, 4}
	for n := range normalizations {
		in, r := input(rows, losses)
		if err := NewMGDA(Normalization(n)).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(rows)
		slices.Reverse(losses)
		in, other := input(rows, losses)
		if err := NewMGDA(Normalization(n)).Weigh(other, in); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(rows)
		slices.Reverse(losses)
		slices.Reverse(other.Weights)
		if !near(r.Weights, other.Weights, 1e-13) || !near(r.Direction, other.Direction, 1e-13) {
			t.Errorf("%v: %v and %v in another order", Normalization(n), *r, *other)
		}
	}
}

// furtherSamples is the largest number of further samples that a listed method needs.
const furtherSamples = 2

// input returns an input with all data that a method may need. Further samples equal the rows.
func input(rows [][]float64, losses []float64) (*algo.Input, *algo.Result) {
	j := algo.NewJacobian(len(rows), len(rows[0]))
	for i, r := range rows {
		copy(j.Row(i), r)
	}
	in := &algo.Input{Losses: losses}
	in.SetGradients(j)
	for range furtherSamples {
		in.Extra = append(in.Extra, j)
	}
	return in, &algo.Result{Weights: make([]float64, j.Rows), Direction: make([]float64, j.Cols), Effective: make([]float64, j.Rows)}
}

func TestListedDirections(t *testing.T) {
	rows := [][]float64{{1, 2, 0}, {-1, 1, 3}, {0.5, 0, -2}}
	losses := []float64{1, 2, 3}
	const c = 1e-7
	scaled := make([][]float64, 3)
	for i, r := range rows {
		for _, v := range r {
			scaled[i] = append(scaled[i], v*c)
		}
	}
	for _, m := range Methods {
		t.Run(m.Name, func(t *testing.T) {
			in, r := input(rows, losses)
			if err := construct(t, m).Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			if (r.Weights != nil) != m.Promises.Weights || (r.Effective != nil) != m.Promises.Weights {
				t.Errorf("weights %v, effective coefficients %v", r.Weights, r.Effective)
			}
			if m.Promises.Combination {
				want := make([]float64, 3)
				in.Jacobian.Combine(want, r.Weights)
				if !near(r.Direction, want, 1e-14) {
					t.Errorf("direction %v, Gᵀλ = %v", r.Direction, want)
				}
			}
			if m.Promises.Homogeneous {
				inSmall, small := input(scaled, losses)
				if err := construct(t, m).Weigh(small, inSmall); err != nil {
					t.Fatal(err)
				}
				for i := range small.Direction {
					small.Direction[i] /= c
				}
				if !near(small.Direction, r.Direction, 1e-12) {
					t.Errorf("direction at scale %g is %v, at 1 %v", c, small.Direction, r.Direction)
				}
			}
		})
	}
}

func near(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance) {
			return false
		}
	}
	return true
}

func TestMGDAOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/aggregators.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name string
			G    [][]float64
			Agg  struct {
				MGDA struct {
					W, Dir []float64
					Norm   float64
				}
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 20 {
		t.Fatalf("%d cases, want 20", len(file.Cases))
	}
	for _, c := range file.Cases {
		want := c.Agg.MGDA
		for _, withRows := range []bool{true, false} {
			in, r := input(c.G, nil)
			if !withRows {
				in.Jacobian, r.Direction = nil, nil
			}
			g := NewMGDA(NormalizeNone)
			if err := g.Weigh(r, in); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if r.Status != algo.Converged || !(r.Gap <= 1e-14) {
				t.Errorf("%s: status %v, gap %g", c.Name, r.Status, r.Gap)
			}
			if !near(r.Weights, want.W, 1e-10) {
				t.Errorf("%s: weights %v, want %v", c.Name, r.Weights, want.W)
			}
			if withRows && !near(r.Direction, want.Dir, 1e-10*want.Norm) {
				t.Errorf("%s: direction %v, want %v", c.Name, r.Direction, want.Dir)
			}
		}
	}
}

func TestMGDANormalizationsByHand(t *testing.T) {
	// Orthogonal rows of length 1 and 2: λ_i ∝ (s_i/‖g_i‖)².
	rows := [][]float64{{1, 0}, {0, 2}}
	losses := []float64{3, 1}
	for n, want := range map[Normalization][]float64{
		NormalizeNone:     {0.8, 0.2},          // 1 : 1/4
		NormalizeL2:       {0.5, 0.5},          // 1 : 1
		NormalizeLoss:     {36. / 37, 1. / 37}, // 9 : 1/4
		NormalizeLossPlus: {9. / 10, 1. / 10},  // 9 : 1
	} {
		in, r := input(rows, losses)
		if err := NewMGDA(n).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		// The direction combines the original rows.
		direction := []float64{want[0], 2 * want[1]}
		if !near(r.Weights, want, 1e-15) || !near(r.Direction, direction, 1e-15) {
			t.Errorf("%v: weights %v, direction %v; want %v, %v", n, r.Weights, r.Direction, want, direction)
		}
	}
}

func TestMGDAZeroGradientUnderNormalization(t *testing.T) {
	for n := range normalizations {
		in, r := input([][]float64{{1, 1}, {0, 0}, {2, -1}}, []float64{1, 2, 3})
		if err := NewMGDA(Normalization(n)).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if !near(r.Direction, []float64{0, 0}, 0) || !near(r.Weights, []float64{0, 1, 0}, 0) {
			t.Errorf("%v: weights %v, direction %v", Normalization(n), r.Weights, r.Direction)
		}
	}
}

func TestMGDARejectsLosses(t *testing.T) {
	in, r := input([][]float64{{1, 0}, {0, 1}}, []float64{1, -2})
	const want = "normalize = loss+: loss 2 is -2; it must be above 0"
	if err := NewMGDA(NormalizeLossPlus).Weigh(r, in); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestNormalizationNames(t *testing.T) {
	for i, o := range normalizations {
		n, err := ParseNormalization(o)
		if err != nil || n != Normalization(i) || n.String() != o {
			t.Errorf("%q → %v, %v", o, n, err)
		}
	}
	const want = `normalize = "l1": use one of none l2 loss loss+`
	if _, err := ParseNormalization("l1"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("NewMGDA(9) does not panic")
		}
	}()
	NewMGDA(9)
}

func TestLinearScalarization(t *testing.T) {
	l, err := NewLinearScalarization([]float64{0.25, 0.75})
	if err != nil {
		t.Fatal(err)
	}
	in, r := input([][]float64{{4, 0}, {0, 8}}, nil)
	if err := l.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	if !near(r.Weights, []float64{0.25, 0.75}, 0) || !near(r.Direction, []float64{1, 6}, 0) {
		t.Errorf("weights %v, direction %v", r.Weights, r.Direction)
	}
	for _, c := range []struct {
		weights []float64
		want    string
	}{
		{[]float64{0.5, -0.5}, "weights[1] = -0.5: use a number from 0 to 1"},
		{[]float64{math.NaN(), 1}, "weights[0] = NaN: use a number from 0 to 1"},
		{[]float64{0.5, 0.7}, "weights = [0.5 0.7] with sum 1.2; the sum must be 1"},
		{[]float64{}, "weights = [] with sum 0; the sum must be 1"},
	} {
		if _, err := NewLinearScalarization(c.weights); err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.weights, err, c.want)
		}
	}
	in, r = input([][]float64{{1}, {2}, {3}}, nil)
	const want = "weights = [0.25 0.75]: use one for each of 3 objectives"
	if err := l.Weigh(r, in); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFaultyInput(t *testing.T) {
	for _, m := range Methods {
		t.Run(m.Name, func(t *testing.T) {
			in, r := input([][]float64{{1, 2}, {math.NaN(), 1}}, []float64{1, 1})
			if err := construct(t, m).Weigh(r, in); err != nil || r.Status != algo.Diverged || !near(r.Direction, []float64{0, 0}, 0) {
				t.Errorf("on NaN: %v, %v, %v", err, r.Status, r.Direction)
			}
			for name, spoil := range map[string]func(*algo.Result, *algo.Input){
				"short Gramian":         func(_ *algo.Result, in *algo.Input) { in.Gram = in.Gram[:3] },
				"no Jacobian":           func(_ *algo.Result, in *algo.Input) { in.Jacobian = nil },
				"short direction":       func(r *algo.Result, _ *algo.Input) { r.Direction = r.Direction[:1] },
				"Jacobian of more rows": func(_ *algo.Result, in *algo.Input) { in.Jacobian = algo.NewJacobian(3, 2) },
			} {
				in, r := input([][]float64{{1, 2}, {3, 1}}, []float64{1, 1})
				spoil(r, in)
				if err := construct(t, m).Weigh(r, in); err == nil {
					t.Errorf("%s is accepted", name)
				}
			}
		})
	}
	in, r := input([][]float64{{1, 2}, {3, 1}}, []float64{1})
	if err := NewMGDA(NormalizeLoss).Weigh(r, in); err == nil {
		t.Error("mgda accepts too few losses")
	}
}

func TestMethodList(t *testing.T) {
	var names []string
	for _, m := range Methods {
		names = append(names, m.Name)
		t.Run(m.Name, func(t *testing.T) {
			if m.Title == "" || m.Paper == "" || m.Help == "" {
				t.Errorf("title %q, paper %q, help %q", m.Title, m.Paper, m.Help)
			}
			if got, ok := Lookup(m.Name); !ok || got.Name != m.Name {
				t.Errorf("Lookup(%q) = %q, %v", m.Name, got.Name, ok)
			}
			for _, d := range m.Parameters() {
				if d.Name == "" || d.Method != m.Name {
					t.Errorf("parameter %+v", d)
				}
				if d.Label == "" || d.Help == "" {
					t.Errorf("%s has the label %q and the help %q", d.Name, d.Label, d.Help)
				}
				for _, o := range d.Options {
					if o.Label == "" || o.Help == "" {
						t.Errorf("%s: the option %s has the label %q and the help %q", d.Name, o.Value, o.Label, o.Help)
					}
					if _, err := New(m.Name, 2, d.Name+"="+o.Value); err != nil {
						t.Error(err)
					}
				}
			}
			var l param.List
			m.Bind(&l, "")
			for _, name := range []string{m.Bounds, m.Order} {
				if _, bound := l.Lookup(name); name != "" && !bound {
					t.Errorf("unknown parameter %s", name)
				}
			}
			if _, bound := l.Lookup("preference"); bound != (m.Preference.OfTwo != "") || bound != (m.Preference.OfMany != "") {
				t.Errorf("has a preference: %v, but Preference is %+v", bound, m.Preference)
			}
		})
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(names) {
		t.Errorf("a name occurs twice in %v", names)
	}
	if _, ok := Lookup("sgd"); ok {
		t.Error("Lookup found the unknown method sgd")
	}
}

func TestBoundParameters(t *testing.T) {
	m, _ := Lookup("mgda")
	var l param.List
	constructor := m.Bind(&l, "mgda.")
	if err := l.Assign("mgda.normalize", "l2"); err != nil {
		t.Fatal(err)
	}
	w, err := constructor(Context{})
	if err != nil {
		t.Fatal(err)
	}
	in, r := input([][]float64{{1, 0}, {0, 2}}, nil)
	if err := w.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	if !near(r.Weights, []float64{0.5, 0.5}, 0) {
		t.Errorf("weights %v", r.Weights)
	}
	if err := l.Assign("mgda.normalize", "l1"); err == nil {
		t.Error("normalize accepts l1")
	}
}

func BenchmarkMGDA(b *testing.B) {
	in, r := input([][]float64{{1, 0.3}, {-0.4, 2}}, nil)
	g := NewMGDA(NormalizeNone)
	b.ReportAllocs()
	for b.Loop() {
		if err := g.Weigh(r, in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestEffectivePromise checks that rules that promise effective coefficients return them at every decision. Other rules
// must return none from the second decision on.
func TestEffectivePromise(t *testing.T) {
	rows := [][]float64{{1, 0.2, 0}, {0.3, 1, 0.5}, {0.1, 0.4, 2}}
	for _, m := range Methods {
		t.Run(m.Name, func(t *testing.T) {
			if m.Promises.Combination && !m.Promises.Effective {
				t.Error("Promises.Combination needs Promises.Effective")
			}
			w := construct(t, m)
			for k := range 5 {
				in, r := input(rows, []float64{1, 2, 3})
				in.K = k
				in.Jacobian.Data[0] += float64(k)
				in.SetGradients(in.Jacobian)
				if err := w.Weigh(r, in); err != nil {
					t.Fatal(err)
				}
				if has := r.Effective != nil; has != m.Promises.Effective && (k > 0 || !has) {
					t.Errorf("decision %d: effective coefficients %v", k+1, r.Effective)
				}
				if r.Effective == nil {
					continue
				}
				sum := make([]float64, 3)
				in.Combine(sum, r.Effective)
				if !near(sum, r.Direction, 1e-12) {
					t.Errorf("decision %d: direction %v, coefficients make %v", k+1, r.Direction, sum)
				}
			}
		})
	}
}
