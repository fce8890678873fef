package transport

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

// wells is a problem with objectives ½‖θ − c_i‖², whose gradients can be computed one by one.
type wells [][]float64

func (w wells) Dims() (n, m int) { return len(w[0]), len(w) }

func (w wells) Values(f, x []float64) {
	for i, centre := range w {
		f[i] = 0
		for c, v := range x {
			f[i] += 0.5 * (v - centre[c]) * (v - centre[c])
		}
	}
}

func (w wells) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range w {
		w.Gradient(jac.Row(i), i, 0, len(x), x)
	}
}

func (w wells) Gradient(dst []float64, i, lo, hi int, x []float64) {
	for c := lo; c < hi; c++ {
		dst[c-lo] = x[c] - w[i][c]
	}
}

// trajectory is one case of most.json, a file of results that other programs computed with 100 digits. The file's
// "meta" entry describes the fields.
type trajectory struct {
	Name, Method    string
	N, M, K, T      int
	Centres, Starts [][]float64
	A, B            []float64
	Eta             float64
	Scale           string
	Tau             struct{ Value float64 }
	Curriculum      struct{ Kind string }
	Weights         [][]float64
	Theorem1        *struct{ Sum, Bound float64 }
	Rows            []trajectoryRow
}

type trajectoryRow struct {
	K               int
	X, F            [][]float64
	A, B            []float64
	Tau             float64
	Plan            [][]float64
	Cost, Objective float64
	ColumnSum       []float64
	Active          []int
	Weights         [][]float64
	LambdaUnique    []bool
	Direction       [][]float64
	BD2             []float64
	BD2Mean         float64
	Inner           []struct {
		X [][]float64
	}
}

func trajectories(t testing.TB) []trajectory {
	t.Helper()
	data, err := os.ReadFile("testdata/most.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []trajectory }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// config returns the configuration that the case describes.
func (o *trajectory) config(t testing.TB) Config {
	t.Helper()
	c := Config{
		Problem: algo.Exact(wells(o.Centres)), Starts: o.Starts, A: o.A, B: o.B, StepSize: o.Eta, Inner: o.K,
		Tau: o.Tau.Value, Restarts: DefaultRestarts, Horizon: o.T,
	}
	c.Scale = Scale(o.Scale)
	switch o.Curriculum.Kind {
	case "linear":
		c.Curriculum = PaperCurriculum
	case "none":
	default:
		t.Fatalf("curriculum %q", o.Curriculum.Kind)
	}
	switch o.Method {
	case "most", "most-nocl", "most-noreg":
	case "most-o":
		c.Matching = ObjectiveSelects
	case "most-m":
		c.Matching = ModelSelects
	case "most-l":
		c.PlanAsWeights = true
	case "mgda":
		c.Matching = Unmatched
	case "linearization":
		c.Matching = Unmatched
		c.Weighting = func(j int) (algo.Weighting, error) { return weighting.NewLinearScalarization(o.Weights[j]) }
	default:
		t.Fatalf("method %q", o.Method)
	}
	return c
}

func newMosT(t testing.TB, c Config) *MosT {
	t.Helper()
	s, err := NewMosT(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func advance(t testing.TB, s *MosT) Round {
	t.Helper()
	if status, err := s.Step(); status != algo.Running || err != nil {
		t.Fatalf("round %d: %v, %v, %+v", s.View().K, status, err, s.View().Diverged)
	}
	r, ok := s.Round()
	if !ok {
		t.Fatal("Round returned false after a step")
	}
	return r
}

// trajectoryTolerance is the tolerance that most.json recommends.
const trajectoryTolerance = 1e-9

func TestTrajectories(t *testing.T) {
	for _, o := range trajectories(t) {
		t.Run(o.Name, func(t *testing.T) {
			s := newMosT(t, o.config(t))
			compared := 0
			for _, want := range o.Rows {
				for s.View().K < want.K {
					advance(t, s)
				}
				alike(t, want.K, "x", s.View().X, joined(want.X))
				alike(t, want.K, "f", s.View().F, joined(want.F))
				if got := s.View().K; got != want.K {
					t.Fatalf("K = %d, want %d", got, want.K)
				}
				before, _ := s.Round()
				r := advance(t, s)
				if want.Plan != nil {
					alike(t, want.K, "plan", r.Plan.Mass, joined(want.Plan))
					alike(t, want.K, "a", r.A, want.A)
					alike(t, want.K, "b", r.B, want.B)
					alike(t, want.K, "column sums", r.ColumnSums, want.ColumnSum)
					alike(t, want.K, "tau, cost, objective", []float64{r.Tau, r.Plan.Cost, r.Objective},
						[]float64{want.Tau, want.Cost, want.Objective})
					for j, count := range want.Active {
						if r.Active[j] != count {
							t.Errorf("K = %d: solution %d serves %d, want %d", want.K, j, r.Active[j], count)
						}
					}
				}
				alike(t, want.K, "direction", s.View().Direction, joined(want.Direction))
				alike(t, want.K, "Σ b‖d‖²", r.BD2, want.BD2)
				if want.K == o.T { // the mean over the T steps, without the extra one
					r.BD2Mean = before.BD2Mean
				}
				alike(t, want.K, "its mean", []float64{r.BD2Mean}, []float64{want.BD2Mean})
				for j, weights := range want.Weights {
					if weights == nil {
						weights = make([]float64, o.N)
					} else if want.LambdaUnique != nil && !want.LambdaUnique[j] {
						continue
					}
					compared++
					alike(t, want.K, "weights", row(s.View().Weights, j, o.N), weights)
				}
				if len(want.Inner) > 0 {
					alike(t, want.K, "x after the inner steps", s.View().X, joined(want.Inner[len(want.Inner)-1].X))
				}
			}
			if compared == 0 {
				t.Error("no weights were compared")
			}
		})
	}
}

func alike(t testing.TB, k int, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("K = %d: %s has length %d, want %d", k, what, len(got), len(want))
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= trajectoryTolerance*max(1, math.Abs(v))) {
			t.Errorf("K = %d: %s[%d] = %v, want %v", k, what, i, got[i], v)
			return
		}
	}
}

func joined(rows [][]float64) (all []float64) {
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}
