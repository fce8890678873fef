package transportplan

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
	ot "paretoplay/algo/transport"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// card returns a preset, or the default scene for "". The list values alternates names and texts.
func card(t testing.TB, id string, values ...string) *Scene {
	t.Helper()
	all := map[string]string{}
	if id != "" {
		for name, text := range scenetest.Preset(t, presets, id).Values {
			all[name] = text
		}
	}
	for i := 0; i < len(values); i += 2 {
		all[values[i]] = values[i+1]
	}
	return scenetest.Open(t, New(), all)
}

// end returns a card at the end of its runs.
func end(t testing.TB, id string, values ...string) *Scene {
	t.Helper()
	s := card(t, id, values...)
	scenetest.Step(t, s, -1)
	return s
}

func fact(t testing.TB, s *Scene, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// is fails the test unless a number is within a tolerance of the stated one.
func is(t testing.TB, what string, got, said, within float64) {
	t.Helper()
	if !(math.Abs(got-said) <= within) {
		t.Errorf("%s is %v, want %v", what, got, said)
	}
}

// took checks the number of iterations after which a solver has converged.
func took(t testing.TB, s *Scene, solver string, iterations float64) {
	t.Helper()
	is(t, "the last iteration of "+solver, fact(t, s, "iteration."+solver), iterations, 0)
	if status := s.Timeline().Find(solver).Status(); status != algo.Converged {
		t.Errorf("%s is %v", solver, status)
	}
}

// rows returns a run's kept rows. For short runs these are all iterations.
func rows(s *Scene, solver string) []timeline.Row {
	var out []timeline.Row
	r := s.Timeline().Find(solver)
	for i := range r.Len() {
		out = append(out, r.Kept(i))
	}
	return out
}

const ipot, sinkhorn, exact = "ipot", "sinkhorn", "exact"

// texts holds the claims of the page's texts. The keys are the cards' IDs and, for texts of the default scene, the
// texts' names.
var texts = scenetest.Claims{
	"summary": {
		{Says: "Bakeries have bread, cafés want it, and every route between them has a cost: who delivers to whom? Each picture is one " +
			"solver’s plan, from the rows above to the columns below, as cheap as possible. Wider lines and darker cells carry more.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "")
				for _, r := range s.Timeline().Tracks() {
					row := s.Timeline().AtMarker(r)
					var missing float64
					for i, a := range s.task.A {
						missing += math.Abs(a - sum(row.X[i*s.values.M:(i+1)*s.values.M]))
					}
					is(t, "what the rows of "+r.Title+" miss", missing, 0, 1e-4)
				}
			}},
		{Says: "Exact goes from one plan to a cheaper one. IPOT and Sinkhorn scale rows and columns in turn, IPOT towards an exact plan, " +
			"Sinkhorn towards a blurred one.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := end(t, "")
			is(t, "Exact’s gap", fact(t, s, "gap.exact"), 0, 1e-15)
			is(t, "IPOT’s gap", fact(t, s, "gap.ipot"), 0, 1e-6)
			if fact(t, s, "elsewhere.ipot") > 0.01 || fact(t, s, "elsewhere.sinkhorn") < 0.3 || fact(t, s, "nonzeros.sinkhorn") < 70 {
				t.Errorf("IPOT carries %v elsewhere, Sinkhorn %v", fact(t, s, "elsewhere.ipot"), fact(t, s, "elsewhere.sinkhorn"))
			}
			falls(t, s)
		}},
	},
	"try": {
		{Says: "Move the slider of Sinkhorn’s blur, ε, down: its plan gets sharper but takes more iterations.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				cells, long := math.Inf(1), 0.0
				for _, eps := range []string{"1", "0.3", "0.1", "0.05", "0.02", "0.01", "0.005"} {
					s := end(t, "", "eps", eps, "budget", "1000")
					n, k := fact(t, s, "nonzeros.sinkhorn"), fact(t, s, "iteration.sinkhorn")
					took(t, s, sinkhorn, k)
					if n > cells || k <= long {
						t.Errorf("ε = %s: %v cells after %v iterations, before %v after %v", eps, n, k, cells, long)
					}
					cells, long = n, k
				}
			}},
	},
	"dataSummary": {
		{Says: "The costs come from your file, and so do the masses if it has any.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			for text, a := range map[string][]float64{
				"1,2,3\n3,2,1":                         {0.5, 0.5},
				`{"cost":[[1,2,3],[3,2,1]],"a":[3,1]}`: {0.75, 0.25},
			} {
				s := pasted(t, text)
				if !slices.Equal(s.task.Cost, []float64{1, 2, 3, 3, 2, 1}) || !slices.Equal(s.task.A, a) {
					t.Errorf("%s becomes %+v", text, s.task)
				}
			}
		}},
		{Says: "Each map is a solver’s plan: how much mass it carries from each row to each column.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := pasted(t, "1,2,3\n3,2,1")
				scenetest.Step(t, s, -1)
				is(t, "the first row", sum(s.Timeline().AtMarker(s.Timeline().Find(exact)).X[:3]), 0.5, 1e-15)
			}},
	},
	"dataTry": {
		{Says: "Drag a cell of the cost matrix: the picture changes, but your file does not.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := pasted(t, "1,2,3\n3,2,1")
			name, text := s.Drag("cost-2-3", 0, s.heightOf(2.5))
			if err := s.Params().Assign(name, text); err != nil {
				t.Fatal(err)
			}
			if err := s.Restart(nil); err != nil {
				t.Fatal(err)
			}
			if s.task.Cost[5] != 2.5 || !s.ShowsPasted() || s.pasted.First().Data[5] != 1 {
				t.Errorf("the costs are %v, the file’s %v", s.task.Cost, s.pasted.First().Data)
			}
		}},
	},
	"blurred": {
		{Says: "Sinkhorn’s plan sends mass everywhere and costs four times the optimum.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				s := end(t, "blurred")
				is(t, "the number of cells", fact(t, s, "nonzeros.sinkhorn"), 144, 0)
				is(t, "the ratio", fact(t, s, "cost.sinkhorn")/fact(t, s, "optimum"), 4, 0.5)
			}},
		{Says: "With ε = 0.2, Sinkhorn is done after 12 iterations, with mass in every cell.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) { took(t, end(t, "blurred"), sinkhorn, 12) }},
		{Says: "Drag ε down.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			if fact(t, end(t, "blurred", "eps", "0.1", "budget", "100"), "cost.sinkhorn") > 0.8*fact(t, end(t, "blurred"), "cost.sinkhorn") {
				t.Error("the plan gets hardly cheaper")
			}
		}},
	},
	"sharp": {
		{Says: "With little blur, Sinkhorn gets within one percent of the lowest cost, but only after thousands of iterations.",
			Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				s := end(t, "sharp")
				if more := fact(t, s, "cost.sinkhorn")/fact(t, s, "optimum") - 1; !(more > 0 && more < 0.01) {
					t.Errorf("it costs %v more", more)
				}
			}},
		{Says: "With ε = 0.002, Sinkhorn takes 2854 iterations; with ε = 0.02, only 120.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			took(t, end(t, "sharp"), sinkhorn, 2854)
			took(t, end(t, "sharp", "eps", "0.02"), sinkhorn, 120)
		}},
	},
	"proximal": {
		{Says: "For any β, IPOT gets arbitrarily close to the exact plan; β only affects how soon.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := card(t, "proximal")
				for _, beta := range []float64{leastRegularization, 0.01, 0.1, 1, 10, maxRegularization} {
					solver, err := ot.NewIPOT(ot.IPOTConfig{Beta: beta, Limit: 300_000})
					if err != nil {
						t.Fatal(err)
					}
					var p ot.Plan
					if err := solver.Solve(&p, &s.task); err != nil {
						t.Fatal(err)
					}
					if !p.Converged || math.Abs(p.Cost-fact(t, s, "optimum")) > 1e-6*p.Cost || s.elsewhere(p.Mass) > 1e-5 {
						t.Errorf("β = %v: after %d iterations the cost is %v, %v is elsewhere", beta, p.Iterations, p.Cost, s.elsewhere(p.Mass))
					}
				}
			}},
		{Says: "With β = 1, IPOT’s potentials prove after 1105 iterations that it is within a millionth of the lowest cost; with β = 3, " +
			"after 2988.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				took(t, end(t, "proximal"), ipot, 1105)
				took(t, end(t, "proximal", "beta", "3"), ipot, 2988)
				for _, beta := range []string{"1", "3"} {
					s := end(t, "proximal", "beta", beta)
					is(t, "the share of the gap", fact(t, s, "gap.ipot")/fact(t, s, "optimum"), 0, millionth)
					is(t, "the least cost", fact(t, s, "optimum"), leastCost, 1e-12)
				}
			}},
		{Says: "A small β does not help: with β = 0.1, IPOT takes 3870, because one scaling of rows and columns cannot follow such long steps.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				took(t, end(t, "proximal", "beta", "0.1"), ipot, 3870)
				// With a small β, the remaining error is in the marginals; with a large β, it is in the cost.
				small, large := end(t, "proximal", "beta", "0.1", "budget", "300"), end(t, "proximal", "beta", "10", "budget", "300")
				if fact(t, small, "error.ipot") < 1000*fact(t, large, "error.ipot") || fact(t, small, "gap.ipot") > 1e-5*fact(t, large, "gap.ipot") {
					t.Errorf("after 300 iterations errors are %v and %v, gaps %v and %v", fact(t, small, "error.ipot"), fact(t, large, "error.ipot"),
						fact(t, small, "gap.ipot"), fact(t, large, "gap.ipot"))
				}
			}},
	},
	"marginals": {
		{Says: "The sums of IPOT’s plan are right to within two millionths, but it still costs three times the optimum.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "marginals")
				is(t, "the error, in millionths,", 1e6*fact(t, s, "error.ipot"), 2, 0.5)
				is(t, "the ratio", fact(t, s, "cost.ipot")/fact(t, s, "optimum"), 3, 0.1)
			}},
		{Says: "IPOT starts with the plan abᵀ, which has the exact masses but costs seven times the optimum.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := card(t, "marginals")
				is(t, "the error", fact(t, s, "error.ipot"), 0, 1e-15)
				is(t, "the ratio", fact(t, s, "cost.ipot")/fact(t, s, "optimum"), 7, 0.5)
				is(t, "an entry", s.Timeline().Find(ipot).Kept(0).X[3*12+5], s.task.A[3]*s.task.B[5], 1e-16)
			}},
		{Says: "So IPOT stops only when its potentials prove that its cost is nearly minimal.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			for _, row := range rows(end(t, "marginals", "budget", "20000"), ipot)[1:] {
				if row.F[0] > 1e-9 {
					continue
				}
				if proved := row.Number(recordedCost)-row.Number(recordedBound) <= 1e-6*row.Number(recordedCost); proved {
					return
				}
			}
			t.Error("it is never proved")
		}},
	},
	"ties": {
		{Says: "Every plan costs the same here, so the solvers end with different plans, all of them optimal.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "ties")
				for _, solver := range []string{ipot, sinkhorn, exact} {
					is(t, "the gap", fact(t, s, "gap."+solver), 0, 1e-14)
				}
				if e := fact(t, s, "elsewhere.ipot"); !(e > 0.5) || fact(t, s, "elsewhere.exact") != 0 {
					t.Errorf("elsewhere is %v", e)
				}
			}},
		{Says: "All mass moves to the right, and the cost is the distance.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := card(t, "ties")
				want := fact(t, s, "optimum")
				for seed := uint64(1); seed <= 5; seed++ { // random plans: each fills cells in random order
					source := algo.Stream(seed, 0, 0, algo.Data)
					a, b, cost := slices.Clone(s.task.A), slices.Clone(s.task.B), 0.0
					for range 1000 {
						i, j := int(source.Uint64()%12), int(source.Uint64()%12)
						moved := min(a[i], b[j])
						a[i], b[j] = a[i]-moved, b[j]-moved
						cost += moved * s.task.Cost[i*12+j]
					}
					is(t, "what is left to carry", sum(a), 0, 1e-12)
					is(t, "the cost of a random plan", cost, want, 1e-12)
				}
			}},
		{Says: "IPOT and Sinkhorn are done after one iteration; their plan abᵀ fills 36 cells and Exact’s plan fills 7.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "ties")
				for _, solver := range []string{ipot, sinkhorn} {
					took(t, s, solver, 1)
					is(t, "the number of cells", fact(t, s, "nonzeros."+solver), 36, 0)
					for i, v := range s.Timeline().AtMarker(s.Timeline().Find(solver)).X {
						is(t, "an entry", v, s.task.A[i/12]*s.task.B[i%12], 1e-15)
					}
				}
				is(t, "the number of cells", fact(t, s, "nonzeros.exact"), 7, 0)
			}},
	},
	"empty": {
		{Says: "Even an empty row and an empty column have potentials.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := end(t, "empty")
			for _, solver := range []string{ipot, sinkhorn, exact} {
				row := s.Timeline().AtMarker(s.Timeline().Find(solver))
				if u, v := row.Value(recordedU)[5], row.Value(recordedV)[8]; !(math.Abs(u) < 1 && math.Abs(v) < 1) {
					t.Errorf("%s has the potentials %v and %v", solver, u, v)
				}
			}
		}},
		{Says: "No plan has mass in row 6 or column 9.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := end(t, "empty")
			for _, solver := range []string{ipot, sinkhorn, exact} {
				for _, row := range rows(s, solver) {
					for i := range 12 {
						if row.X[5*12+i] != 0 || row.X[i*12+8] != 0 {
							t.Fatalf("%s has mass there at iteration %d", solver, row.K)
						}
					}
				}
			}
		}},
		{Says: "If a little mass moves from row 3 to row 6, the optimum changes by this mass times the difference of their potentials, row " +
			"6 minus row 3.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "empty")
				const bit = 1e-3
				a := slices.Clone(s.task.A)
				a[2], a[5] = a[2]-bit, a[5]+bit
				change := (fact(t, card(t, "empty", "a", param.FormatShares(a)), "optimum") - fact(t, s, "optimum")) / bit
				for solver, within := range map[string]float64{exact: 1e-9, ipot: 1e-6} {
					u := s.Timeline().AtMarker(s.Timeline().Find(solver)).Value(recordedU)
					is(t, "the difference of "+solver+"’s potentials", u[5]-u[2], change, within)
				}
			}},
	},
	"whole": {
		{Says: "With a reward for undivided rows, fewer rows are divided, and the plan costs slightly more.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s, plain := end(t, "whole"), end(t, "whole", "tau", "0")
				if with, without := divided(s, exact), divided(plain, exact); !(with < without) {
					t.Errorf("%d rows are divided, without τ %d", with, without)
				}
				is(t, "percent more", 100*(fact(t, s, "cost.exact")/fact(t, plain, "optimum")-1), 6, 0.5)
			}},
		{Says: "With τ = 0.2, IPOT and Exact end with 84 % of the mass in the rows’ largest entries; without τ, 78 % is optimal.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s, plain := end(t, "whole"), end(t, "whole", "tau", "0")
				is(t, "percent whole of IPOT", 100*fact(t, s, "whole.ipot"), 84, 0.5)
				is(t, "percent whole of Exact", 100*fact(t, s, "whole.exact"), 84, 0.5)
				is(t, "percent whole without τ", 100*fact(t, plain, "optimum.whole"), 78, 0.5)
			}},
		{Says: "Raise τ to 0.5: the problem is not convex, and Exact stays at 84 %, although a plan with 89 % is better.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := end(t, "whole", "tau", "0.5") // the seed only decides whether the search finds the better plan
				is(t, "percent whole of Exact", 100*fact(t, s, "whole.exact"), 84, 0.5)
				is(t, "percent whole of the optimum", 100*fact(t, s, "optimum.whole"), 89, 0.5)
				result := s.Results().(map[string]any)
				if best := result["optimum"].(Optimum).Objective; !(best < result["runs"].([]Result)[1].Objective-1e-3) {
					t.Errorf("the better objective is %v of %+v", best, result["runs"])
				}
				// On its way, Exact passes the plan that is optimal for τ = 0.
				cost, there := fact(t, end(t, "whole", "tau", "0"), "optimum"), false
				for _, row := range rows(s, exact) {
					there = there || math.Abs(row.Number(recordedCost)-cost) < 1e-12
				}
				if !there {
					t.Error("Exact never was at the plan of τ = 0")
				}
			}},
	},
	"pivots": {
		{Says: "Each pivot of Exact reroutes mass and lowers the cost.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := end(t, "pivots")
			took(t, s, exact, 11)
			falls(t, s)
			all := rows(s, exact)
			for k := range len(all) - 1 {
				if slices.Equal(all[k].X, all[k+1].X) {
					t.Errorf("pivot %d moves no mass", k)
				}
			}
		}},
		{Says: "In Exact’s first plan, each row in turn takes the cheapest columns with room. Exact is done after 11 pivots.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := card(t, "pivots")
				room, want := slices.Clone(s.task.B), make([]float64, 144)
				for i, left := range s.task.A {
					for left > 1e-12 {
						best := -1
						for j, c := range s.task.Cost[i*12 : (i+1)*12] {
							if room[j] > 1e-12 && (best < 0 || c < s.task.Cost[i*12+best]) {
								best = j
							}
						}
						moved := min(left, room[best])
						want[i*12+best] += moved
						left, room[best] = left-moved, room[best]-moved
					}
				}
				for k, v := range s.Timeline().Find(exact).Kept(0).X {
					is(t, "an entry", v, want[k], 1e-12)
				}
			}},
		{Says: "Every intermediate plan has the right masses and at most 23 cells with mass, n + m − 1.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				for _, row := range rows(end(t, "pivots"), exact) {
					cells := 0
					for _, v := range row.X {
						if v > 0 {
							cells++
						}
					}
					if row.F[0] > 1e-14 || cells > 23 {
						t.Errorf("at iteration %d the error is %v and %d cells have mass", row.K, row.F[0], cells)
					}
				}
			}},
	},
	"crawl": {
		{Says: "Sinkhorn hardly progresses, even long after IPOT and Exact are done.", Seeds: scenetest.Over(20, 0.9),
			Each: func(t testing.TB, seed int) {
				s := end(t, "crawl", "seed", strconv.Itoa(seed))
				for _, solver := range []string{ipot, exact} {
					if s.Timeline().Find(solver).Status() != algo.Converged {
						t.Errorf("%s is not done", solver)
					}
				}
				if left := fact(t, s, "error.sinkhorn"); s.Timeline().Find(sinkhorn).Status() == algo.Converged || left < doneError {
					t.Errorf("Sinkhorn is done with the error %v", left)
				}
			}},
		{Says: "With six rows, six columns and equal masses, the optimum matches rows to columns one to one.", Seeds: scenetest.Over(20, 0.9),
			Each: func(t testing.TB, seed int) {
				s := card(t, "crawl", "seed", strconv.Itoa(seed))
				is(t, "the largest entries", fact(t, s, "optimum.whole"), 1, 1e-15)
				is(t, "the number of cells", fact(t, s, "optimum.nonzeros"), 6, 0)
			}},
		{Says: "With ε = 0.01, Sinkhorn is not done after 5000 iterations for 18 of 20 seeds.", Seeds: scenetest.Of(20),
			Holds: func(t testing.TB) {
				var iterations []float64
				for _, seed := range scenetest.SeedList(20) {
					s := end(t, "crawl", "seed", strconv.Itoa(seed), "solver", sinkhorn)
					iterations = append(iterations, fact(t, s, "iteration.sinkhorn"))
				}
				scenetest.StatesCount(t, "Sinkhorn is not done", iterations, func(k float64) bool { return k == 5000 }, 18)
			}},
		{Says: "IPOT is done after fewer than 1000 iterations, Exact after fewer than 20 pivots.", Seeds: scenetest.Over(20, 0.9),
			Each: func(t testing.TB, seed int) {
				s := end(t, "crawl", "seed", strconv.Itoa(seed), "solver", "exact,ipot")
				for solver, most := range map[string]float64{ipot: 1000, exact: 20} {
					if k := fact(t, s, "iteration."+solver); k >= most || s.Timeline().Find(solver).Status() != algo.Converged {
						t.Errorf("%s: %v iterations, %v", solver, k, s.Timeline().Find(solver).Status())
					}
				}
			}},
	},
}

// divided returns how many rows of a solver's plan carry mass to more than one column.
func divided(s *Scene, solver string) (n int) {
	mass := s.Timeline().AtMarker(s.Timeline().Find(solver)).X
	for row := range slices.Chunk(mass, s.values.M) {
		if nonZeros(row) > 1 {
			n++
		}
	}
	return n
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// falls checks that every pivot of Exact lowers the cost.
func falls(t testing.TB, s *Scene) {
	t.Helper()
	before := math.Inf(1)
	for _, row := range rows(s, exact) {
		if cost := row.Number(recordedCost); !(cost < before) {
			t.Errorf("pivot %d leaves the cost %v at %v", row.K, before, cost)
		} else {
			before = cost
		}
	}
}

// TestCards checks every sentence of the cards and invitations.
func TestCards(t *testing.T) { texts.Check(t, About) }

// help holds those statements of the parameters' help texts that runs can test.
var help = scenetest.CardClaims{
	"solver": {
		{Says: "until it reaches a plan of least cost", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "solver", exact)
			is(t, "Exact’s gap", scenetest.Number(t, s, "gap.exact"), 0, 1e-15)
		}},
		{Says: "The plan approaches an exact plan (proximal steps).", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			before := math.Inf(1)
			for _, budget := range []string{"10", "30", "100", "300"} {
				gap := scenetest.Number(t, c.End(t, "solver", ipot, "budget", budget), "gap.ipot")
				if !(gap > 0 && gap < before) {
					t.Errorf("after %s iterations the gap goes from %v to %v", budget, before, gap)
				}
				before = gap
			}
		}},
	},
	"eps": {{Says: "A larger ε blurs the plan more.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
		cells := 0.0
		for _, eps := range []string{"0.005", "0.02", "0.1", "0.3"} {
			n := scenetest.Number(t, c.End(t, "solver", sinkhorn, "eps", eps, "budget", "1000"), "nonzeros.sinkhorn")
			if n <= cells {
				t.Errorf("ε = %s: %v cells, before %v", eps, n, cells)
			}
			cells = n
		}
	}}},
	"beta": {{Says: "A larger β means smaller steps.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
		before := math.Inf(1)
		for _, beta := range []string{"0.3", "1", "3", "10"} {
			x := scenetest.Track(t, c.End(t, "solver", ipot, "beta", beta, "budget", "1"), "ipot")
			moved := 0.0
			for i, v := range x.Kept(1).X {
				moved += math.Abs(v - x.Kept(0).X[i])
			}
			if !(moved < before) {
				t.Errorf("β = %s: the first step moves %v, before %v", beta, moved, before)
			}
			before = moved
		}
	}}},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, About) }
