package weighting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/param"
)

func TestFirstResultsByHand(t *testing.T) {
	conflict := [][]float64{{1, 0}, {-1, 1}} // product −1, squared lengths 1 and 2
	lengths := [][]float64{{1, 0}, {0, 2}}
	unit := [][]float64{{1, 0}, {0, 1}}
	root := math.Cbrt(0.25) // 2^(−2/3)
	for _, c := range []struct {
		name              string
		w                 algo.Weighting
		rows              [][]float64
		losses            []float64
		weights, expected []float64
	}{
		// g_1 + ½g_2 = (½, ½) and g_2 + g_1 = (0, 1).
		{"pcgrad", NewPCGrad(Sum, Order{}), conflict, nil, []float64{2, 1.5}, []float64{0.5, 1.5}},
		{"pcgrad mean", NewPCGrad(Mean, Order{}), conflict, nil, []float64{1, 0.75}, []float64{0.25, 0.75}},
		{"gradvac", must(NewGradVac(0.5, Order{})), conflict, nil, []float64{2, 1.5}, []float64{0.5, 1.5}},
		{"upgrad", must(NewUPGrad(0)), conflict, nil, []float64{1, 0.75}, []float64{0.25, 0.75}},
		{"upgrad, no conflict", must(NewUPGrad(0)), lengths, nil, []float64{0.5, 0.5}, []float64{0.5, 1}},
		// g_w = g_0 = (½, ½): the direction is (1 + c)g_0.
		{"cagrad none", must(NewCAGrad(0.4, RescaleNone)), unit, nil, []float64{0.5, 0.5}, []float64{0.7, 0.7}},
		{"cagrad sq", must(NewCAGrad(0.4, RescaleSquare)), unit, nil, []float64{0.5, 0.5}, []float64{0.7 / 1.16, 0.7 / 1.16}},
		{"cagrad lin", must(NewCAGrad(0.4, RescaleLinear)), unit, nil, []float64{0.5, 0.5}, []float64{0.5, 0.5}},
		// With two opposite rows and an orthogonal row, F ≥ 0, and F = 0 only at g_w = 0.
		{"cagrad at g_w = 0", must(NewCAGrad(0.4, RescaleNone)), [][]float64{{1, 0}, {-1, 0}, {0, 3}}, nil, []float64{0.5, 0.5, 0},
			[]float64{0, 1}},
		// With c = 0, the direction is the mean gradient, and g_1 has the smallest product with this direction.
		{"cagrad c = 0", must(NewCAGrad(0, RescaleNone)), lengths, nil, []float64{1, 0}, []float64{0.5, 1}},
		// α_1 = 2α_2 makes both projections 2/3.
		{"imtlg", NewIMTLG(), lengths, nil, []float64{2. / 3, 1. / 3}, []float64{2. / 3, 2. / 3}},
		{"imtlg and a zero row", NewIMTLG(), [][]float64{{1, 0}, {0, 0}, {0, 2}}, nil, []float64{2. / 3, 0, 1. / 3}, []float64{2. / 3, 2. / 3}},
		{"imtlg on opposite rows", NewIMTLG(), [][]float64{{1, 0}, {-3, 0}}, nil, []float64{0.75, 0.25}, []float64{0, 0}},
		{"imtlg on equal rows", NewIMTLG(), [][]float64{{1, 2}, {1, 2}}, nil, []float64{0.5, 0.5}, []float64{1, 2}},
		// The rows are orthogonal, so the equations separate: ‖g_i‖²α_i² = 1. FairGrad with α = 2 solves
		// ‖g_i‖²w_i^(3/2) = 1.
		{"nashmtl", must(NewNashMTL(0)), lengths, nil, []float64{1, 0.5}, []float64{1, 1}},
		{"nashmtl maxnorm", must(NewNashMTL(1)), lengths, nil, []float64{math.Sqrt2 / 2, math.Sqrt2 / 4},
			[]float64{math.Sqrt2 / 2, math.Sqrt2 / 2}},
		{"nashmtl maxnorm that does not bind", must(NewNashMTL(2)), lengths, nil, []float64{1, 0.5}, []float64{1, 1}},
		{"fairgrad", must(NewFairGrad(2)), lengths, nil, []float64{1, root * root}, []float64{1, 2 * root * root}},
		{"fairgrad α = ½", must(NewFairGrad(0.5)), lengths, nil, []float64{1, root}, []float64{1, 2 * root}},
		// σ = 2, 1, and the columns of U and V are coordinate vectors.
		{"alignedmtl", NewAlignedMTL(Mean), lengths, nil, []float64{0.5, 0.25}, []float64{0.5, 0.5}},
		{"alignedmtl sum", NewAlignedMTL(Sum), lengths, nil, []float64{1, 0.5}, []float64{1, 1}},
		{"alignedmtl of rank 1", NewAlignedMTL(Mean), [][]float64{{1, 2}, {1, 2}}, nil, []float64{0.5, 0.5}, []float64{1, 2}},
		// C = I: Ca = a with a_1 > 0 > a_2, so all weight goes to g_1.
		{"epo balances", must(NewEPO(nil)), unit, []float64{2, 1}, []float64{1, 0}, []float64{1, 0}},
		{"epo with a preference", must(NewEPO([]float64{1, 4})), unit, []float64{2, 1}, []float64{0, 1}, []float64{0, 1}},
		// C1 = (1, 4), a = 0.
		{"epo descends", must(NewEPO([]float64{1, 2})), lengths, []float64{2, 1}, []float64{0, 1}, []float64{0, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, r := input(c.rows, c.losses)
			if err := c.w.Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			if !near(r.Weights, c.weights, 1e-13) || !near(r.Direction, c.expected, 1e-13) || r.Status != algo.Converged || r.Gap > 1e-13 {
				t.Errorf("weights %v, direction %v (%v, gap %g), want %v, %v", r.Weights, r.Direction, r.Status, r.Gap, c.weights, c.expected)
			}
		})
	}
}

// projectInOrder applies PCGrad to vectors, as in the paper.
func projectInOrder(rows [][]float64, order [][]int) []float64 {
	out := make([]float64, len(rows[0]))
	for i, row := range rows {
		g := slices.Clone(row)
		for _, j := range order[i] {
			if p := dot(g, rows[j]); p < 0 {
				for c, v := range rows[j] {
					g[c] -= p / dot(rows[j], rows[j]) * v
				}
			}
		}
		for c, v := range g {
			out[c] += v
		}
	}
	return out
}

func randomRows(r *rand.Rand, m, n int) [][]float64 {
	rows := make([][]float64, m)
	for i := range rows {
		rows[i] = make([]float64, n)
		for c := range rows[i] {
			rows[i][c] = r.NormFloat64()
		}
	}
	return rows
}

func TestPCGradOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := randomRows(r, 4, 3)
	decide := func(o Order, k int) []float64 {
		in, result := input(rows, nil)
		in.K = k
		if err := NewPCGrad(Sum, o).Weigh(result, in); err != nil {
			t.Fatal(err)
		}
		return result.Direction
	}
	perRow := [][]int{{3, 1, 2}, {2, 0, 3}, {0, 1, 3}, {1, 2, 0}}
	if got, want := decide(Order{Lists: perRow}, 0), projectInOrder(rows, perRow); !near(got, want, 1e-13) {
		t.Errorf("a list for each row: %v, want %v", got, want)
	}
	// With one list for all rows, the rule must skip the index of the row that it changes.
	if got, want := decide(Order{Lists: [][]int{{2, 0, 3, 1}}}, 0),
		projectInOrder(rows, [][]int{{2, 3, 1}, {2, 0, 3}, {0, 3, 1}, {2, 0, 1}}); !near(got, want, 1e-13) {
		t.Errorf("one list: %v, want %v", got, want)
	}
	// Random orders depend on seed, start and iteration.
	base := decide(Order{Seed: 5}, 7)
	if !near(base, decide(Order{Seed: 5}, 7), 0) {
		t.Error("the same seed and iteration give another direction")
	}
	differs := func(o Order, from, to int) bool {
		for k := from; k < to; k++ {
			if !near(base, decide(o, k), 1e-12) {
				return true
			}
		}
		return false
	}
	if !differs(Order{Seed: 5}, 8, 40) || !differs(Order{Seed: 6}, 7, 40) || !differs(Order{Seed: 5, Start: 1}, 7, 40) {
		t.Error("seed, start or iteration has no effect")
	}
}

// TestPCGradOrderInDistribution checks that the distribution of the directions of PCGrad and GradVac does not depend on
// the order of the objectives. For every order of the rows, the mean over many random orders must equal the mean over
// all orders.
func TestPCGradOrderInDistribution(t *testing.T) {
	rows := [][]float64{{1, 0.2}, {-1, 0.7}, {-0.3, -1}}
	mean := func(rows [][]float64, w func(seed uint64) algo.Weighting) []float64 {
		const draws = 4000
		sum := make([]float64, 2)
		for seed := range uint64(draws) {
			in, r := input(rows, nil)
			if err := w(seed).Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			for c, v := range r.Direction {
				sum[c] += v / draws
			}
		}
		return sum
	}
	var exact [2]float64
	for bits := range 8 {
		order := [][]int{{1, 2}, {0, 2}, {0, 1}}
		for i := range order {
			if bits>>i&1 == 1 {
				slices.Reverse(order[i])
			}
		}
		for c, v := range projectInOrder(rows, order) {
			exact[c] += v / 8
		}
	}
	reversed := [][]float64{rows[2], rows[1], rows[0]}
	for _, rows := range [][][]float64{rows, reversed} {
		if got := mean(rows, func(seed uint64) algo.Weighting { return NewPCGrad(Sum, Order{Seed: seed}) }); !near(got, exact[:], 0.05) {
			t.Errorf("pcgrad: mean %v, want %v", got, exact)
		}
		if got := mean(rows, func(seed uint64) algo.Weighting { return must(NewGradVac(0.5, Order{Seed: seed})) }); !near(got, exact[:], 0.05) {
			t.Errorf("gradvac: mean %v, want %v", got, exact)
		}
	}
}

// TestGradVacTargets checks that the second decision raises each cosine to the target that the first decision stored.
func TestGradVacTargets(t *testing.T) {
	rows := [][]float64{{1, 0}, {-1, 1}}
	g := must(NewGradVac(0.5, Order{}))
	in, r := input(rows, nil)
	for range 2 {
		if err := g.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
	}
	target := -0.5 / math.Sqrt2
	for i, j := range []int{1, 0} {
		// Weight j is 1 plus the coefficient of g_j in row i.
		changed := []float64{rows[i][0] + (r.Weights[j]-1)*rows[j][0], rows[i][1] + (r.Weights[j]-1)*rows[j][1]}
		if cosine := dot(changed, rows[j]) / length(changed) / length(rows[j]); math.Abs(cosine-target) > 1e-14 {
			t.Errorf("row %d has cosine %g after, want %g", i, cosine, target)
		}
	}
	// If targets reach 1, all results stay finite, even if gradients change direction.
	same, _ := input([][]float64{{1, 1}, {1, 1}}, nil)
	for range 200 {
		if err := g.Weigh(r, same); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Weigh(r, in); err != nil || r.Status != algo.Converged || !algo.Finite(r.Direction) {
		t.Errorf("after equal gradients: %v, %+v", err, *r)
	}
}

func TestGradDrop(t *testing.T) {
	// The entries agree in coordinate 0, conflict in coordinate 1, where P = 3/4, and are zero in coordinate 2.
	rows := [][]float64{{1, 3, 0}, {2, -1, 0}}
	const draws = 4000
	positive := 0
	for k := range draws {
		in, r := input(rows, nil)
		in.K = k
		if err := must(NewGradDrop(0, 3, 0)).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if r.Weights != nil || r.Direction[0] != 3 || r.Direction[2] != 0 || r.Direction[1] != 3 && r.Direction[1] != -1 {
			t.Fatalf("draw %d: %+v", k, *r)
		}
		if r.Direction[1] == 3 {
			positive++
		}
		leaky := &algo.Result{Weights: make([]float64, 2), Direction: make([]float64, 3)}
		if err := must(NewGradDrop(1, 3, 0)).Weigh(leaky, in); err != nil || !near(leaky.Direction, []float64{3, 2, 0}, 0) {
			t.Fatalf("leak 1: %v, %v", leaky.Direction, err)
		}
	}
	if p := float64(positive) / draws; math.Abs(p-0.75) > 0.03 {
		t.Errorf("the positive sign was kept with frequency %g, want 0.75", p)
	}
}

// TestNoSolution checks that Nash-MTL and FairGrad return NoSolution if Gᵀλ = 0 for some λ on the simplex, and a
// solution otherwise.
func TestNoSolution(t *testing.T) {
	cases := []struct {
		name string
		rows [][]float64
		want algo.Status
	}{
		{"zero", [][]float64{{0, 0}, {0, 0}}, algo.NoSolution},
		{"a zero row", [][]float64{{1, 2}, {0, 0}}, algo.NoSolution},
		{"opposite rows", [][]float64{{1, 2}, {-3, -6}}, algo.NoSolution},
		{"a triangle around 0", [][]float64{{2, 0}, {-1, 1}, {-1, -1}}, algo.NoSolution},
		{"nearly opposite rows", [][]float64{{1, 1e-11}, {-1, 1e-11}}, algo.NoSolution},
		{"opposite but for 1e-6", [][]float64{{1, 1e-6}, {-1, 1e-6}}, algo.Converged},
		{"equal rows", [][]float64{{1, 2}, {1, 2}}, algo.Converged},
		{"collinear rows", [][]float64{{1, 2}, {2, 4}, {3, 6}}, algo.Converged},
		{"sizes 1e-4 and 1e4", [][]float64{{1e-4, 0}, {-1e4, 1e4}}, algo.Converged},
	}
	for name, construct := range map[string]func() algo.Weighting{
		"nashmtl":  func() algo.Weighting { return must(NewNashMTL(1)) },
		"fairgrad": func() algo.Weighting { return must(NewFairGrad(2)) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				for _, scale := range []float64{1, 1e-8, 1e8} {
					rows := make([][]float64, len(c.rows))
					for i, row := range c.rows {
						for _, v := range row {
							rows[i] = append(rows[i], v*scale)
						}
					}
					in, r := input(rows, nil)
					if err := construct().Weigh(r, in); err != nil {
						t.Fatal(err)
					}
					if r.Status != c.want || r.Status == algo.NoSolution && !near(r.Direction, make([]float64, 2), 0) {
						t.Errorf("%s at scale %g: %v (gap %g), direction %v", c.name, scale, r.Status, r.Gap, r.Direction)
					}
				}
			}
		})
	}
	t.Run("imtlg", func(t *testing.T) {
		// The direction with equal projections is proportional to 2u_1 + 2u_2 − u_3. With ‖g_3‖ = ¼, the coefficients α
		// of this direction have sum zero.
		in, r := input([][]float64{{1, 0, 0}, {0, 1, 0}, {0.15, 0.15, math.Sqrt(0.28) / 4}}, nil)
		if err := NewIMTLG().Weigh(r, in); err != nil || r.Status != algo.NoSolution || !near(r.Direction, []float64{0, 0, 0}, 0) {
			t.Errorf("%v, %+v", err, *r)
		}
	})
}

// TestFairnessEquations checks that solutions satisfy the equations with the unnormalised Gramian.
func TestFairnessEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		m := 2 + r.IntN(7)
		rows := randomRows(r, m, m+r.IntN(5))
		for i := range rows {
			scale := math.Pow(10, 2*r.NormFloat64())
			for c := range rows[i] {
				rows[i][c] *= scale
			}
		}
		for _, alpha := range []float64{1, 2, 5} {
			in, result := input(rows, nil)
			if err := must(NewFairGrad(alpha)).Weigh(result, in); err != nil {
				t.Fatal(err)
			}
			if result.Status == algo.NoSolution {
				continue
			}
			if result.Status != algo.Converged {
				t.Errorf("α = %g: %v, gap %g", alpha, result.Status, result.Gap)
			}
			for i, w := range result.Weights {
				product := dot(in.Jacobian.Row(i), result.Direction)
				// The product has a rounding error if its terms nearly cancel.
				rounding := 1e-13 * length(in.Jacobian.Row(i)) * length(result.Direction)
				if want := math.Pow(w, -1/alpha); !(math.Abs(product-want) <= 1e-9*want+rounding) {
					t.Errorf("α = %g: product %g with row %d, want %g", alpha, product, i, want)
				}
			}
		}
	}
}

// TestSmallGradients checks that scaling the gradients only scales the direction, by a power of the same factor.
// Published libraries fail here for small gradients.
func TestSmallGradients(t *testing.T) {
	rows := [][]float64{{1, 2, 0}, {-1, 1, 3}, {0.5, 0, -2}}
	for name, c := range map[string]struct {
		w     func() algo.Weighting
		power float64
	}{
		"cagrad":      {func() algo.Weighting { return must(NewCAGrad(0.4, RescaleSquare)) }, 1},
		"upgrad":      {func() algo.Weighting { return must(NewUPGrad(0)) }, 1},
		"upgrad 1e-4": {func() algo.Weighting { return must(NewUPGrad(1e-4)) }, 1},
		"imtlg":       {func() algo.Weighting { return NewIMTLG() }, 1},
		"alignedmtl":  {func() algo.Weighting { return NewAlignedMTL(Mean) }, 1},
		"pcgrad":      {func() algo.Weighting { return NewPCGrad(Sum, Order{}) }, 1},
		"nashmtl":     {func() algo.Weighting { return must(NewNashMTL(0)) }, 0},
		"fairgrad":    {func() algo.Weighting { return must(NewFairGrad(2)) }, -1. / 3},
	} {
		t.Run(name, func(t *testing.T) {
			in, r := input(rows, nil)
			if err := c.w().Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			for _, scale := range []float64{1e-4, 1e-8, 1e-60, 1e8} {
				small := make([][]float64, len(rows))
				for i, row := range rows {
					for _, v := range row {
						small[i] = append(small[i], v*scale)
					}
				}
				inSmall, other := input(small, nil)
				if err := c.w().Weigh(other, inSmall); err != nil {
					t.Fatal(err)
				}
				for i := range other.Direction {
					other.Direction[i] /= math.Pow(scale, c.power)
				}
				if e := relative(other.Direction, r.Direction); !(e <= 1e-12) {
					t.Errorf("at scale %g: off by %g", scale, e)
				}
			}
		})
	}
	// UPGrad resolves the conflict: its direction must not become the plain mean.
	t.Run("upgrad on a conflict", func(t *testing.T) {
		in, r := input([][]float64{{1e-6, 0}, {-1e-6, 1e-6}}, nil)
		if err := must(NewUPGrad(0)).Weigh(r, in); err != nil || !near(r.Direction, []float64{0.25e-6, 0.75e-6}, 1e-20) {
			t.Errorf("%v, %v", err, r.Direction)
		}
	})
}

// TestVertex checks that rules reach the vertices of the simplex, at which the weights are exactly 0 and 1.
func TestVertex(t *testing.T) {
	in, r := input([][]float64{{1, 0}, {5, 1}}, nil)
	if err := NewMGDA(NormalizeNone).Weigh(r, in); err != nil || !near(r.Weights, []float64{1, 0}, 0) ||
		!near(r.Direction, []float64{1, 0}, 0) {
		t.Errorf("%v, %+v", err, *r)
	}
}

// TestCAGradCertificate checks that CAGrad's direction is within c‖g_0‖ of g_0, and that the gap is near 0. Such a gap
// proves that no direction in this ball has a larger smallest product with the gradients.
func TestCAGradCertificate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 500 {
		m := 2 + r.IntN(9)
		rows := randomRows(r, m, 1+r.IntN(12))
		c := []float64{0.1, 0.4, 0.9}[trial%3]
		in, result := input(rows, nil)
		if err := must(NewCAGrad(c, RescaleNone)).Weigh(result, in); err != nil {
			t.Fatal(err)
		}
		if result.Status != algo.Converged || result.Gap > 1e-9 {
			t.Errorf("trial %d, %d rows of %d, c = %g: %v, gap %g", trial, m, len(rows[0]), c, result.Status, result.Gap)
		}
		mean, distance := make([]float64, len(rows[0])), make([]float64, len(rows[0]))
		for _, row := range rows {
			for i, v := range row {
				mean[i] += v / float64(m)
			}
		}
		for i, v := range result.Direction {
			distance[i] = v - mean[i]
		}
		if length(distance) > c*length(mean)*(1+1e-9) {
			t.Errorf("trial %d: %g from the mean gradient, allowed %g", trial, length(distance), c*length(mean))
		}
	}
}

// TestAlignedMTLIllConditioned checks that Aligned-MTL works even if the small singular value is lost in GGᵀ.
func TestAlignedMTLIllConditioned(t *testing.T) {
	for _, small := range []float64{1e-3, 1e-6, 1e-9, 1e-12} {
		// Σ = diag(1, small), U a rotation by 45°, V = I.
		s := math.Sqrt2 / 2
		in, r := input([][]float64{{s, s * small}, {s, -s * small}}, nil)
		if err := NewAlignedMTL(Mean).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		// σ_min·VUᵀw with w = (½, ½) is (small/√2, 0).
		if want := []float64{small * s, 0}; !near(r.Direction, want, 1e-13*small) {
			t.Errorf("σ_min = %g: direction %v, want %v", small, r.Direction, want)
		}
	}
}

func TestConfiguredRules(t *testing.T) {
	rows := [][]float64{{1, 0}, {-1, 1}, {0, -1}}
	for _, c := range []struct {
		method, name, text, fault string
	}{
		{"pcgrad", "order", "1,2;2,0;0,1", ""},
		{"pcgrad", "order", "2,1,0", ""},
		{"pcgrad", "order", "1,2;;0,1", ""},
		{"pcgrad", "order", "1,2;2,0", "order has 2 lists; use one for each of 3 objectives or one for all"},
		{"pcgrad", "order", "1,2;2,2;0,1", "order[1] = [2 2]: use each of the other objectives from 0 to 2 once"},
		{"pcgrad", "order", "1,3;2,0;0,1", "order[0] = [1 3]: use each of the other objectives from 0 to 2 once"},
		{"pcgrad", "order", "1;2,0;0,1", "order[0] = [1] lacks objective 2"},
		{"pcgrad", "order", "1,2", "order[0] = [1 2] lacks objective 0"},
		{"pcgrad", "order", "1,0.5,2", "order[0] = [1 0.5 2]: use whole numbers"},
		{"pcgrad", "reduction", "mean", ""},
		{"gradvac", "beta", "0.01", ""},
		{"gradvac", "order", "0,1,2", ""},
		{"graddrop", "leak", "0.5", ""},
		{"cagrad", "c", "0.5", ""},
		{"cagrad", "rescale", "none", ""},
		{"nashmtl", "maxnorm", "1", ""},
		{"fairgrad", "alpha", "1", ""},
		{"upgrad", "regularization", "1e-4", ""},
		{"alignedmtl", "scale", "sum", ""},
		{"epo", "preference", "0.2,0.3,0.5", ""},
		{"epo", "preference", "0.5,0.5", "preference = [0.5 0.5]: use one number for each of 3 objectives"},
		{"stch", "preference", "0.2,0.3,0.5", ""},
		{"stch", "preference", "0.5,0.5", "preference = [0.5 0.5]: use one number for each of 3 objectives"},
		{"epsilon", "limits", "0.2,0.3,0.5", ""},
		{"epsilon", "limits", "0.5,0.5", "limits = [0.5 0.5]: use one number for each of 3 objectives"},
		{"epsilon", "objective", "4", "objective = 4: use an objective from 1 to 3, or 0 for the last"},
	} {
		t.Run(c.method+" "+c.name+"="+c.text, func(t *testing.T) {
			m, ok := Lookup(c.method)
			if !ok {
				t.Fatalf("no %s", c.method)
			}
			var l param.List
			constructor := m.Bind(&l, "")
			if err := l.Assign(c.name, c.text); err != nil {
				t.Fatal(err)
			}
			w, err := constructor(Context{Objectives: 3})
			if c.fault != "" {
				if err == nil || err.Error() != c.fault {
					t.Errorf("%v, want %s", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			in, r := input(rows, []float64{3, 2, 1})
			if err := w.Weigh(r, in); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRejectedSettings(t *testing.T) {
	fault := func(_ any, err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for got, want := range map[string]string{
		fault(NewCAGrad(-1, 0)):               "c = -1",
		fault(NewCAGrad(math.NaN(), 0)):       "c = NaN",
		fault(NewNashMTL(-1)):                 "maxnorm = -1",
		fault(NewFairGrad(0)):                 "alpha = 0",
		fault(NewUPGrad(math.Inf(1))):         "regularization = +Inf",
		fault(NewGradVac(1.5, Order{})):       "beta = 1.5",
		fault(NewGradDrop(-0.5, 0, 0)):        "leak = -0.5",
		fault(NewEPO([]float64{1, 0})):        "preference[1] = 0",
		fault(parseReduction("scale", "max")): `scale = "max"`,
		fault(ParseRescale("all")):            `rescale = "all"`,
	} {
		if !strings.HasPrefix(got, want) || !strings.Contains(got, ": use ") {
			t.Errorf("got %q, want %q and what is allowed", got, want)
		}
	}
	in, r := input([][]float64{{1, 0}, {0, 1}}, []float64{1, 0})
	const want = "preference: loss 2 is 0; it must be above 0"
	if err := must(NewEPO(nil)).Weigh(r, in); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestSolvedVariantsKeepTheContract checks that rules also pass the checks of algotest.Weighting with settings other
// than the defaults.
func TestSolvedVariantsKeepTheContract(t *testing.T) {
	for name, w := range map[string]func() algo.Weighting{
		"pcgrad mean":    func() algo.Weighting { return NewPCGrad(Mean, Order{}) },
		"gradvac 0.01":   func() algo.Weighting { return must(NewGradVac(0.01, Order{Seed: 1})) },
		"graddrop leak":  func() algo.Weighting { return must(NewGradDrop(0.5, 1, 2)) },
		"nashmtl 1":      func() algo.Weighting { return must(NewNashMTL(1)) },
		"fairgrad 1/2":   func() algo.Weighting { return must(NewFairGrad(0.5)) },
		"fairgrad 10":    func() algo.Weighting { return must(NewFairGrad(10)) },
		"cagrad 0":       func() algo.Weighting { return must(NewCAGrad(0, RescaleNone)) },
		"cagrad 0.9":     func() algo.Weighting { return must(NewCAGrad(0.9, RescaleLinear)) },
		"upgrad 1e-4":    func() algo.Weighting { return must(NewUPGrad(1e-4)) },
		"alignedmtl sum": func() algo.Weighting { return NewAlignedMTL(Sum) },
	} {
		t.Run(name, func(t *testing.T) { algotest.Weighting(t, w) })
	}
}

func BenchmarkSolvedMethods(b *testing.B) {
	for _, name := range []string{"mgda", "pcgrad", "gradvac", "graddrop", "cagrad", "imtlg", "nashmtl", "fairgrad", "upgrad",
		"alignedmtl", "epo", "config", "dualproj", "gls", "stch", "epsilon", "dbmtl", "gradnorm", "excessmtl"} {
		m, _ := Lookup(name)
		for _, objectives := range []int{2, 3, 10, 30} {
			for _, n := range []int{10, 1000, 100_000} {
				r := rand.New(rand.NewPCG(20, uint64(objectives)))
				rows := randomRows(r, objectives, n)
				losses := make([]float64, objectives)
				for i := range losses {
					losses[i] = 0.5 + r.Float64()
				}
				in, result := input(rows, losses)
				w := construct(b, m)
				weights, direction := result.Weights, result.Direction
				b.Run(fmt.Sprintf("%s/S=%d/d=%d", name, objectives, n), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						*result = algo.Result{Weights: weights, Direction: direction}
						in.Jacobian.Gram(in.Gram) // part of the cost of a step
						if err := w.Weigh(result, in); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkUPGrad200 measures UPGrad at the largest size it is intended for: 200 projections.
func BenchmarkUPGrad200(b *testing.B) {
	in, r := input(randomRows(rand.New(rand.NewPCG(7, 8)), 200, 250), nil)
	w := must(NewUPGrad(0))
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Weigh(r, in); err != nil {
			b.Fatal(err)
		}
	}
}
