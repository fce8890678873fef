package weighting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// defaultRule returns the rule of a method with its defaults.
func defaultRule(t testing.TB, name string) algo.Weighting {
	t.Helper()
	m, ok := Lookup(name)
	if !ok {
		t.Fatalf("no method %s", name)
	}
	return must(m.Bind(new(param.List), "")(Context{}))
}

// decided returns the decision of a rule for rows and losses. If no losses are given, all are 1.
func decided(t testing.TB, rule algo.Weighting, rows [][]float64, losses ...float64) *algo.Result {
	t.Helper()
	if losses == nil {
		losses = slices.Repeat([]float64{1}, len(rows))
	}
	in, r := input(rows, losses)
	r.Effective = make([]float64, len(rows))
	if err := rule.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	return r
}

// harmed returns the largest −g_i·d relative to max‖g_i‖·‖d‖.
func harmed(rows [][]float64, d []float64) (worst float64) {
	size := length(d)
	for _, row := range rows {
		if size > 0 {
			worst = max(worst, -dot(row, d)/size/longest(rows))
		}
	}
	return worst
}

// TestNearlyOpposite checks directions for nearly opposite rows, in every order of the rows. For rows in the plane, 0
// is the only direction that harms no objective.
func TestNearlyOpposite(t *testing.T) {
	paper := func(c float64) algo.Weighting { return must(NewCAGrad(c, RescaleNone)) }
	fair := func(alpha float64) algo.Weighting { return must(NewFairGrad(alpha)) }
	named := func(name string) algo.Weighting { return defaultRule(t, name) }
	for _, c := range []struct {
		rule   algo.Weighting
		rows   [][]float64
		want   []float64
		status algo.Status
	}{
		{named("upgrad"), [][]float64{{1, 1}, {-1, -1.0000003}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("upgrad"), [][]float64{{1, 1}, {-1, -1.00000015}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("upgrad"), [][]float64{{1, 1}, {-1, -1.0000001}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("upgrad"), [][]float64{{1, 1}, {-1, -0.9999999}, {1, 0}}, []float64{0, 0}, algo.Converged},
		{named("upgrad"), [][]float64{{1, 1, 0}, {-1, -1.0000001, 0}, {-1, 3, 0.01}}, []float64{0, 0, 0.01 / 3}, algo.Converged},
		{named("dualproj"), [][]float64{{1, 1}, {-1, -1.0000003}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("dualproj"), [][]float64{{1, 1}, {-1, -1.00000015}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("dualproj"), [][]float64{{1, 1}, {-1, -1.0000001}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("dualproj"), [][]float64{{1, 1}, {-1, -0.9999999}, {1, 0}}, []float64{0, 0}, algo.Converged},
		{named("dualproj"), [][]float64{{1, 1, 0}, {-1, -1.0000001, 0}, {-1, 3, 0.01}}, []float64{0, 0, 0.01 / 3}, algo.Converged},
		{named("mgda"), [][]float64{{1, 1}, {-1, -1.0000003}, {-1, 3}}, []float64{0, 0}, algo.Converged},
		{named("nashmtl"), [][]float64{{1, 1}, {-1, -1.0000003}, {-1, 3}}, []float64{0, 0}, algo.NoSolution},

		{paper(0.4), [][]float64{{1, 0}, {-2, 0}, {0, 1}, {0, 2}}, []float64{0, 0.75}, algo.Converged},
		{paper(0.9), [][]float64{{1, 0}, {-2, 0}, {0, 1}, {0, 2}}, []float64{0, 0.75}, algo.Converged},
		{paper(1), [][]float64{{0.1}, {-0.3}}, []float64{0}, algo.Converged},
		{paper(2), [][]float64{{0.1}, {-0.3}}, []float64{0}, algo.Converged},
		{paper(2), [][]float64{{1, 3}, {-0.1, -0.3}}, []float64{0, 0}, algo.Converged},
		{paper(2), [][]float64{{0.7, 0.1}, {-0.2, 0.6}, {-0.9, -0.4}}, []float64{0, 0}, algo.Converged},

		// The existence of a solution depends only on the angles, so rows of very different lengths have a solution.
		{named("nashmtl"), [][]float64{{1e10, 0}, {0, 1}}, []float64{1, 1}, algo.Converged},
		{fair(1), [][]float64{{1e10, 0}, {0, 1}}, []float64{1, 1}, algo.Converged},
		{fair(2), [][]float64{{1e10, 0}, {0, 1}}, []float64{math.Pow(1e10, -1.0/3), 1}, algo.Converged},
		{named("nashmtl"), [][]float64{{3e8, 1}, {-3e8, 2}}, []float64{1 / math.Sqrt(4.5) / 1e8 / 2, 3 / math.Sqrt(4.5)}, algo.Converged},
		{fair(2), [][]float64{{1e300, 0}, {0, 1e300}}, []float64{1e-100, 1e-100}, algo.Underflow},

		{named("imtlg"), [][]float64{{1, 0}, {0, 1}, {1, 1}}, []float64{0, 0}, algo.Degenerate},
		{named("imtlg"), [][]float64{{1, 2}, {3, 6}}, []float64{1.2, 2.4}, algo.Degenerate},
		{named("imtlg"), [][]float64{{1, 2}, {1, 2}, {3, 1}}, nil, algo.Converged},
		{named("imtlg"), [][]float64{{1, 2}, {1, 2.0000001}, {3, 1}}, []float64{1.8284271247, 1.5857864376}, algo.Converged},
		{named("imtlg"), [][]float64{{1, 0}, {-1, 0}}, []float64{0, 0}, algo.Converged},

		{named("epo"), [][]float64{{1, 0}, {-1, 0}}, []float64{0, 0}, algo.Converged},
		{named("epo"), [][]float64{{1, 0}, {-1, 1e-9}}, []float64{0, 5e-10}, algo.Converged},
	} {
		for shift := range c.rows {
			rows := append(slices.Clone(c.rows[shift:]), c.rows[:shift]...)
			r := decided(t, c.rule, rows)
			if r.Status != c.status {
				t.Errorf("%T on %v: %v with gap %g, want %v", c.rule, rows, r.Status, r.Gap, c.status)
			}
			if r.Status == algo.Converged && r.Gap > 1e-8 {
				t.Errorf("%T on %v: gap %g", c.rule, rows, r.Gap)
			}
			for i, want := range c.want {
				if got := r.Direction[i]; !(math.Abs(got-want) <= 1e-7*math.Abs(want)) && !(want < 1e-8 && math.Abs(got-want) <= 1e-7) {
					t.Errorf("%T on %v: direction %v, want %v", c.rule, rows, r.Direction, c.want)
				}
			}
		}
	}
}

// TestNashOnADependentRow uses a third row that is, to within 1e-8, minus half the sum of the others. It checks that no
// result is infinite or NaN, because JSON can represent neither.
func TestNashOnADependentRow(t *testing.T) {
	rows := [][]float64{
		{-1.634458097876963, -0.5896575671954235, 0.4900469922667428, 1.4412212133691968, -0.5967857202585577},
		{0.06297177296515619, -1.241494570113807, -0.46837959642252563, 0.9917968560582078, 0.26963185086493774},
		{0.7857431658404412, 0.9155760788909018, -0.010833709484959148, -1.2165090282991047, 0.16357694225337938},
	}
	for _, name := range []string{"nashmtl", "fairgrad"} {
		r := decided(t, defaultRule(t, name), rows)
		if r.Status != algo.Converged || !(r.Gap <= balanced) || harmed(rows, r.Direction) > 0 {
			t.Errorf("%s: %+v", name, *r)
		}
		// g_i·d = w_i^(−1/α)
		power := map[string]float64{"nashmtl": -1, "fairgrad": -0.5}[name]
		for i, row := range rows {
			if got, want := dot(row, r.Direction), math.Pow(r.Weights[i], power); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s: product %d is %g, want %g", name, i+1, got, want)
			}
		}
	}
}

// nearly returns random rows that nearly cancel or nearly agree.
func nearly(r *rand.Rand, m, n int, kind string) [][]float64 {
	rows := randomRows(r, m, n)
	for c, v := range rows[0] {
		switch kind {
		case "opposite":
			rows[1][c] = -v * (1 + math.Pow(10, -5-2*r.Float64())*r.NormFloat64())
		case "opposite in single precision":
			rows[0][c] = float64(float32(v))
			rows[1][c] = float64(float32(-0.7 * rows[0][c]))
		case "parallel":
			rows[1][c] = v * (1 + 1e-7*r.NormFloat64())
		case "stationary":
			rows[2][c] = -(v+rows[1][c])/2 + 1e-8*r.NormFloat64()
		case "dependent":
			rows[2][c] = v + rows[1][c] + 1e-8*r.NormFloat64()
		}
	}
	return rows
}

var nearlyKinds = []string{"opposite", "opposite in single precision", "parallel", "stationary", "dependent"}

// changing lists the rules whose decisions depend on earlier decisions.
var changing = strings.Fields("moco dbmtl excessmtl dwa famo gradnorm uw gradvac")

// TestPromisesNearOpposite checks that rules that promise to harm no objective keep the promise if their status is
// Converged. Reordering the rows or rounding their entries must change a converged direction only by rounding errors.
func TestPromisesNearOpposite(t *testing.T) {
	for _, m := range Methods {
		if m.Needs.Extra > 0 || !m.Promises.Permutation || slices.Contains(changing, m.Name) {
			continue // another order is another decision
		}
		t.Run(m.Name, func(t *testing.T) {
			for seed := range uint64(2) {
				r := rand.New(rand.NewPCG(seed, 77))
				for trial := range 400 {
					shape := [][2]int{{3, 2}, {3, 5}, {5, 3}, {5, 20}, {10, 40}}[trial%5]
					kind := nearlyKinds[r.IntN(len(nearlyKinds))]
					rows := nearly(r, shape[0], shape[1], kind)
					rule := defaultRule(t, m.Name)
					losses := make([]float64, len(rows))
					for i := range losses {
						losses[i] = 0.5 + 1.5*r.Float64()
					}
					got := decided(t, rule, rows, losses...)
					what := fmt.Sprintf("seed %d, trial %d, %d×%d, %s", seed, trial, shape[0], shape[1], kind)
					if m.Promises.NonConflicting && got.Status == algo.Converged && harmed(rows, got.Direction) > against {
						t.Errorf("%s: harmed by %g, gap %g", what, harmed(rows, got.Direction), got.Gap)
					}
					if m.Promises.NonConflicting && got.Status == algo.Budget {
						t.Errorf("%s: budget, gap %g", what, got.Gap)
					}
					order := r.Perm(len(rows))
					other := make([][]float64, len(rows))
					permuted := make([]float64, len(rows))
					for i, at := range order {
						permuted[i] = losses[at]
						other[i] = slices.Clone(rows[at])
						for c := range other[i] {
							other[i][c] *= 1 + 1e-15*r.NormFloat64()
						}
					}
					changed := decided(t, rule, other, permuted...)
					if changed.Status != got.Status {
						t.Errorf("%s: %v, in another order %v", what, got.Status, changed.Status)
						continue
					}
					var off float64
					for c, v := range got.Direction {
						off = max(off, math.Abs(v-changed.Direction[c]))
					}
					if off > 1e-5*max(length(got.Direction), 1e-6*longest(rows)) {
						t.Errorf("%s: direction %v, in another order %v", what, got.Direction, changed.Direction)
					}
				}
			}
		})
	}
}

// TestGramianAlone checks decisions for which only the Gramian is known. A converged direction must harm no objective,
// and a decision with status Budget must report a gap above 1e-12, except for MGDA.
func TestGramianAlone(t *testing.T) {
	for _, name := range []string{"mgda", "upgrad", "dualproj", "nashmtl", "fairgrad"} {
		unknown := 0
		r := rand.New(rand.NewPCG(5, 78))
		for trial := range 400 {
			rows := nearly(r, 3+trial%3, 5+trial%7, nearlyKinds[trial%len(nearlyKinds)])
			in, _ := input(rows, nil)
			in.Jacobian = nil
			result := &algo.Result{Weights: make([]float64, len(rows))}
			if err := defaultRule(t, name).Weigh(result, in); err != nil {
				t.Fatal(err)
			}
			if result.Status != algo.Converged {
				unknown++
				if result.Status == algo.Budget && name != "mgda" && !(result.Gap > 1e-12) {
					t.Errorf("%s, trial %d: budget with gap %g", name, trial, result.Gap)
				}
				continue
			}
			d := make([]float64, len(rows[0]))
			for i, row := range rows {
				for c, v := range row {
					d[c] += result.Weights[i] * v
				}
			}
			if size := length(d); size > 1e-9*longest(rows) && harmed(rows, d) > 1e-6 {
				t.Errorf("%s, trial %d: converged, and harmed by %g", name, trial, harmed(rows, d))
			}
		}
		if unknown == 0 && name != "mgda" {
			t.Errorf("%s: every decision with the Gramian alone converged", name)
		}
		// If the rows point in clearly different directions, the Gramian is sufficient.
		in, _ := input([][]float64{{1, 0.5, 0}, {-0.5, 1, 0}, {0.2, 0.1, 1}}, nil)
		in.Jacobian = nil
		result := &algo.Result{Weights: make([]float64, 3)}
		if err := defaultRule(t, name).Weigh(result, in); err != nil || result.Status != algo.Converged || !(result.Gap < 1e-12) {
			t.Errorf("%s: %+v, %v", name, *result, err)
		}
	} // The Gramian does not determine how the second and third row share their weight.
	in, _ := input([][]float64{{1, 0, 0}, {-1, 1e-9, 0}, {-1, 0, 1e-9}}, nil)
	in.Jacobian = nil
	result := &algo.Result{Weights: make([]float64, 3)}
	if err := defaultRule(t, "mgda").Weigh(result, in); err != nil || result.Status != algo.Budget {
		t.Errorf("mgda: %+v, %v", *result, err)
	}
}

// TestShortestOfThreeOpposite uses the gradients (1, e·y_1), (−1, e·y_2) and (−½, e·y_3). In their shortest convex
// combination, the first coordinates cancel up to e². The combination is on the segment from e(y_1 + y_2)/2 to e(y_1
// + 2y_3)/3. The Gramian alone does not determine its position.
func TestShortestOfThreeOpposite(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, e := range []float64{1e-6, 1e-7, 1e-8, 1e-9} {
		for trial := range 200 {
			rows := [][]float64{{1}, {-1}, {-0.5}}
			for i := range rows {
				for range 8 {
					rows[i] = append(rows[i], e*r.NormFloat64())
				}
			}
			var from, along, square float64
			for c := 1; c <= 8; c++ {
				a, b := (rows[0][c]+rows[1][c])/2, (rows[0][c]+2*rows[2][c])/3
				along += a * (a - b)
				square += (a - b) * (a - b)
			}
			share := min(max(along/square, 0), 1)
			for c := 1; c <= 8; c++ {
				a, b := (rows[0][c]+rows[1][c])/2, (rows[0][c]+2*rows[2][c])/3
				from = math.Hypot(from, a+share*(b-a))
			}
			out := decided(t, NewMGDA(NormalizeNone), rows)
			var size float64
			for _, v := range out.Direction {
				size = math.Hypot(size, v)
			}
			if out.Status != algo.Converged || math.Abs(size/from-1) > 1e-5 {
				t.Errorf("e = %g, trial %d: length %v, %v, the shortest has %v", e, trial, size, out.Status, from)
			}
		}
	}
}
