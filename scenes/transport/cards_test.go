package transport

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes/scenetest"
)

// claim is a sentence of the page, to the letter, and what shows that it holds.
type claim struct {
	says  string
	holds func(t *testing.T)
}

// card opens a card with some further values; "" is the scene itself.
func card(t *testing.T, id string, values ...string) *Scene {
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

// end is a card whose runs have ended.
func end(t *testing.T, id string, values ...string) *Scene {
	t.Helper()
	s := card(t, id, values...)
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(s.Timeline().Latest())
	return s
}

func fact(t *testing.T, s *Scene, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// is asks that a number is what is said of it, as it is rounded there.
func is(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, said is %v", what, got, want)
	}
}

// zero entries are drawn as none.
func nonzeros(s *Scene, solver string) (count int) {
	row := s.Timeline().AtMarker(s.Timeline().FindFrom(solver, 0))
	for _, v := range row.X {
		if v >= 1e-6*slices.Max(row.X) {
			count++
		}
	}
	return count
}

var texts = map[string][]claim{
	"summary": {
		{"Masses of rows are carried to columns as cheaply as can be.", func(t *testing.T) {
			s := end(t, "", "solver", "exact")
			is(t, "the gap of the exact solver", fact(t, s, "gap.exact"), 0, 1e-12)
			is(t, "what its potentials prove", fact(t, s, "bound.exact"), fact(t, s, "least"), 1e-12)
		}},
		{"Sinkhorn and IPOT scale rows and columns in turn, an iteration at a time: Sinkhorn comes to a plan that ε blurs, IPOT to an exact one.",
			func(t *testing.T) {
				s := end(t, "")
				is(t, "IPOT's gap", fact(t, s, "gap.ipot"), 0, 1e-9)
				if g, z := fact(t, s, "gap.sinkhorn"), fact(t, s, "zeros.sinkhorn"); g < 1e-3 || z > fact(t, s, "zeros.ipot")-0.3 {
					t.Errorf("Sinkhorn's gap is %v, its share of zeros %v", g, z)
				}
			}},
	},
	"try": {
		{"Play to the end, then drag ε: the smaller it is, the sharper Sinkhorn’s plan and the more iterations it takes.", func(t *testing.T) {
			sharp, long := math.Inf(1), math.Inf(1)
			for _, eps := range []string{"0.001", "0.003", "0.01", "0.03", "0.1", "0.3"} {
				s := end(t, "", "eps", eps)
				z, k := fact(t, s, "zeros.sinkhorn"), fact(t, s, "iteration.sinkhorn")
				if z > sharp || k >= long || s.Timeline().Find(sinkhorn).Status().String() != "converged" {
					t.Errorf("ε = %s: %v iterations, %v are zero", eps, k, z)
				}
				sharp, long = z, k
			}
		}},
		{"Drag the bars, and paint costs in the other view.", func(t *testing.T) {
			s := card(t, "")
			if name, text := s.Drag("a-paint", 3, 0.2); name != "a" || !strings.Contains(text, "0.2") {
				t.Errorf("dragging a bar gives %s = %s", name, text)
			}
			if name, _ := s.Drag(paintHandle, 3, 2); name != "painted" || s.values.Cost != costPainted {
				t.Errorf("painting sets %q", name)
			}
		}},
	},
	"blurred": {
		{"With ε = 0.3 Sinkhorn is done after 5 iterations.", func(t *testing.T) {
			is(t, "the last iteration", fact(t, end(t, "blurred"), "iteration.sinkhorn"), 5, 0)
		}},
		{"No entry of its plan is zero, and the plan costs 65 times as much as it need.", func(t *testing.T) {
			s := end(t, "blurred")
			is(t, "the share of zeros", fact(t, s, "zeros.sinkhorn"), 0, 0)
			is(t, "the ratio", fact(t, s, "cost.sinkhorn")/fact(t, s, "least"), 65, 0.5)
		}},
	},
	"sharp": {
		{"With ε = 0.001 Sinkhorn takes 466 iterations.", func(t *testing.T) {
			is(t, "the last iteration", fact(t, end(t, "sharp"), "iteration.sinkhorn"), 466, 0)
		}},
		{"Four of five entries are zero, and the cost is within 0.1 % of the least.", func(t *testing.T) {
			s := end(t, "sharp")
			is(t, "the share of zeros", fact(t, s, "zeros.sinkhorn"), 0.8, 0.03)
			is(t, "the ratio", fact(t, s, "cost.sinkhorn")/fact(t, s, "least"), 1, 0.001)
		}},
		{"Drag ε up: the plan spreads.", func(t *testing.T) {
			if z := fact(t, end(t, "sharp", "eps", "0.01"), "zeros.sinkhorn"); z > fact(t, end(t, "sharp"), "zeros.sinkhorn")-0.3 {
				t.Errorf("the share of zeros is %v", z)
			}
		}},
	},
	"proximal": {
		{"IPOT comes to the exact plan whatever β is; β only says how soon.", func(t *testing.T) {
			for _, beta := range []string{"0.003", "0.03", "0.3", "3"} {
				s := end(t, "proximal", "beta", beta)
				is(t, "with β = "+beta+" the gap", fact(t, s, "gap.ipot"), 0, 1e-8)
				is(t, "and the marginal error", fact(t, s, "marginal.ipot"), 0, 1e-9)
			}
		}},
		{"With β = 1 it takes 1802 iterations, with β = 3 three times as many, and below 0.3 nothing is gained: 541 to 767.", func(t *testing.T) {
			one := fact(t, end(t, "proximal"), "iteration.ipot")
			is(t, "the last iteration", one, 1802, 0)
			is(t, "with β = 3 the factor", fact(t, end(t, "proximal", "beta", "3"), "iteration.ipot")/one, 3, 0.05)
			var all []float64
			for _, beta := range []string{"0.3", "0.1", "0.03", "0.01", "0.003"} {
				all = append(all, fact(t, end(t, "proximal", "beta", beta), "iteration.ipot"))
			}
			is(t, "the fewest", slices.Min(all), 541, 0)
			is(t, "the most", slices.Max(all), 767, 0)
			is(t, "that of β = 0.3", all[0], 541, 0)
		}},
	},
	"marginals": {
		{"IPOT begins with abᵀ, whose marginals are right and whose cost is 130 times the least.", func(t *testing.T) {
			s := card(t, "marginals")
			is(t, "the marginal error", fact(t, s, "marginal.ipot"), 0, 1e-14)
			is(t, "the ratio", fact(t, s, "cost.ipot")/fact(t, s, "least"), 130, 5)
			is(t, "its first entry", s.Timeline().Find(ipot).Kept(0).X[0], 1./160, 1e-15)
		}},
		{"Sinkhorn with ε = 0.3 also ends with right marginals, at 65 times the least.", func(t *testing.T) {
			s := end(t, "marginals")
			is(t, "the marginal error", fact(t, s, "marginal.sinkhorn"), 0, 1e-9)
			is(t, "the ratio", fact(t, s, "cost.sinkhorn")/fact(t, s, "least"), 65, 0.5)
		}},
		{"So IPOT goes on until its potentials prove the cost, too.", func(t *testing.T) {
			s := end(t, "marginals")
			is(t, "what its potentials prove, of the cost,", fact(t, s, "bound.ipot")/fact(t, s, "cost.ipot"), 1, 1e-6)
			if b := fact(t, s, "bound.sinkhorn"); b > 0.1*fact(t, s, "cost.sinkhorn") {
				t.Errorf("Sinkhorn's prove %v", b)
			}
		}},
	},
	"ties": {
		{"Costs are 0 or 1, and many plans cost nothing.", func(t *testing.T) {
			s := end(t, "ties")
			for _, c := range s.problem.cost {
				if c != 0 && c != 1 {
					t.Errorf("a cost is %v", c)
				}
			}
			for _, solver := range []string{ipot, sinkhorn, exact} {
				is(t, solver+"'s cost", fact(t, s, "cost."+solver), 0, 1e-12)
			}
		}},
		{"The exact solver comes to a corner with 25 entries, n + m − 1.", func(t *testing.T) {
			s := end(t, "ties")
			is(t, "their number", float64(nonzeros(s, exact)), 25, 0)
			is(t, "that of the exact plan", fact(t, s, "entries"), 25, 0)
		}},
		{"IPOT and Sinkhorn come to the same plan: it spreads over the 94 entries that cheapest plans can use.", func(t *testing.T) {
			s := end(t, "ties")
			x := s.Timeline().AtMarker(s.Timeline().FindFrom(ipot, 0)).X
			y := s.Timeline().AtMarker(s.Timeline().FindFrom(sinkhorn, 0)).X
			for k := range x {
				if !(math.Abs(x[k]-y[k]) < 1e-9) {
					t.Errorf("entry %d is %v and %v", k, x[k], y[k])
				}
			}
			is(t, "their number", float64(nonzeros(s, ipot)), 94, 0)
			// Entries that cost 0 are all used, and no others can be.
			count := 0
			for _, c := range s.problem.cost {
				if c == 0 {
					count++
				}
			}
			is(t, "the number of those without cost", float64(count), 94, 0)
		}},
	},
	"crawl": {
		{"Six rows, six columns and equal masses: the exact plan matches them one to one.", func(t *testing.T) {
			s := card(t, "crawl")
			is(t, "the number of entries", fact(t, s, "entries"), 6, 0)
			for _, v := range s.problem.exact.Mass {
				if v != 0 {
					is(t, "an entry", v, 1./6, 1e-12)
				}
			}
		}},
		{"At ε = 0.01 Sinkhorn is not done after 3000 iterations, here and with seeds 2 and 3; IPOT is after 24, the exact solver after 3 " +
			"pivots.",
			func(t *testing.T) {
				for _, seed := range []string{"1", "2", "3"} {
					s := end(t, "crawl", "seed", seed)
					if status := s.Timeline().Find(sinkhorn).Status().String(); status != "budget" || fact(t, s, "iteration.sinkhorn") != 3000 {
						t.Errorf("seed %s: Sinkhorn is %s", seed, status)
					}
					if seed == "1" {
						is(t, "IPOT's last iteration", fact(t, s, "iteration.ipot"), 24, 0)
						is(t, "the number of pivots", fact(t, s, "iteration.exact"), 3, 0)
					}
				}
			}},
	},
	"pivots": {
		{"Every plan on the way of the exact solver meets its marginals and has at most 25 entries.", func(t *testing.T) {
			r := end(t, "pivots").Timeline().Find(exact)
			for i := range r.Len() {
				row := r.Kept(i)
				count := 0
				for _, v := range row.X {
					if v > 0 {
						count++
					}
				}
				if row.F[marginalError] > 1e-14 || count > 25 {
					t.Errorf("after %d pivots the marginals are off by %v, %d entries", row.K, row.F[marginalError], count)
				}
			}
		}},
		{"Each pivot lowers the cost, or leaves it: 25 of them bring it from 0.146 to 0.097.", func(t *testing.T) {
			r := end(t, "pivots").Timeline().Find(exact)
			for i := range r.Len() - 1 {
				if a, b := r.Kept(i).Number("cost"), r.Kept(i+1).Number("cost"); b > a+1e-15 {
					t.Errorf("pivot %d raises the cost from %v to %v", i+1, a, b)
				}
			}
			is(t, "the number of pivots", float64(r.Last()), 25, 0)
			is(t, "the first cost", r.Kept(0).Number("cost"), 0.146, 0.0005)
			is(t, "the last cost", r.Kept(r.Len()-1).Number("cost"), 0.097, 0.0005)
		}},
	},
	"hills": {
		{"The rows hold two hills of mass, the columns one.", func(t *testing.T) {
			s := card(t, "hills")
			for _, c := range []struct {
				mass []float64
				want int
			}{{s.problem.task.A, 2}, {s.problem.task.B, 1}} {
				hills, rising := 0, true
				for i := 1; i < len(c.mass); i++ {
					if c.mass[i] < c.mass[i-1] && rising {
						hills++
					}
					if c.mass[i] != c.mass[i-1] {
						rising = c.mass[i] > c.mass[i-1]
					}
				}
				is(t, "the number of hills", float64(hills), float64(c.want), 0)
			}
		}},
		{"With squared distances nothing crosses: in the exact plan no row goes further left than the row above.", func(t *testing.T) {
			p := card(t, "hills").problem
			from := 0
			for i := range p.n {
				row := p.exact.Mass[i*p.m : (i+1)*p.m]
				for j, v := range row {
					if v > 0 && j < from {
						t.Errorf("row %d goes to column %d, a row above to %d", i+1, j+1, from+1)
					}
				}
				for j, v := range row {
					if v > 0 {
						from = max(from, j)
					}
				}
			}
		}},
		{"Drag the bars.", func(t *testing.T) {
			if name, _ := card(t, "hills").Drag("b-3", 2, 0.3); name != "b" {
				t.Errorf("a bar of b sets %q", name)
			}
		}},
	},
	"empty": {
		{"Rows 1 to 4 and column 10 hold nothing: their entries are zero in every plan.", func(t *testing.T) {
			s := end(t, "empty")
			for _, r := range s.Timeline().Runs() {
				for i := range r.Len() {
					for k, v := range r.Kept(i).X {
						if (k/10 < 4 || k%10 == 9) && v != 0 {
							t.Fatalf("%s at %d: entry %d is %v", r.Name, r.Kept(i).K, k, v)
						}
					}
				}
			}
		}},
		{"They have potentials all the same, and these are feasible: they say up to which cost nothing would be carried there.",
			func(t *testing.T) {
				s := end(t, "empty")
				for _, r := range s.Timeline().Runs() {
					row := r.Kept(r.Len() - 1)
					u, v := row.Value("u"), row.Value("v")
					for k, c := range s.problem.cost {
						if !(u[k/10]+v[k%10] <= c+1e-12) {
							t.Errorf("%s: u_%d + v_%d is %v, the cost %v", r.Name, k/10+1, k%10+1, u[k/10]+v[k%10], c)
						}
					}
				}
			}},
	},
	"whole": {
		{"With τ = 0.1 the best plan that is found keeps 85 % of the mass in the largest entries of their rows, without τ 82.5 %.",
			func(t *testing.T) {
				is(t, "the share", fact(t, card(t, "whole"), "whole"), 0.85, 1e-12)
				is(t, "without τ", fact(t, card(t, "whole", "tau", "0"), "whole"), 0.825, 1e-12)
			}},
		{"It costs 0.7 % more.", func(t *testing.T) {
			is(t, "the ratio", fact(t, card(t, "whole"), "paid")/fact(t, card(t, "whole", "tau", "0"), "paid"), 1.007, 0.0005)
		}},
		{"Up to τ = 3 no more is found.", func(t *testing.T) {
			for _, tau := range []string{"0.2", "0.5", "1", "3"} {
				is(t, "with τ = "+tau+" the share", fact(t, card(t, "whole", "tau", tau), "whole"), 0.85, 1e-12)
			}
		}},
	},
}

// TestTexts: every sentence of the cards and of the invitation is a claim that holds.
func TestTexts(t *testing.T) {
	all := map[string]string{"summary": About.Summary, "try": About.Try}
	for _, p := range presets {
		all[p.ID] = p.Text
	}
	for name, text := range all {
		var said []string
		for i, c := range texts[name] {
			said = append(said, c.says)
			t.Run(name+" "+strconv.Itoa(i+1), c.holds)
		}
		if got := strings.Join(said, " "); got != text {
			t.Errorf("%s says\n%q, checked is\n%q", name, text, got)
		}
	}
	for name := range texts {
		if _, there := all[name]; !there {
			t.Errorf("there is no text %s", name)
		}
	}
}
