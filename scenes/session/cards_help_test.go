package session

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/scenes/race/twolevel"
)

// helpClaims are what the help of parameters says that a run can show, by scene and
// parameter.
var helpClaims = map[string]map[string]claims{
	"fonseca": {
		"R": {{"R = 1 without weight momentum is MGDA.", func(t *testing.T, c *card) {
			for momentum, same := range map[string]bool{"0": true, "0.9": false} {
				s := c.end(t, "method", "psmgd,mgda", "R", "1", "momentum", momentum)
				for i, r := range of(t, s, "psmgd") {
					if x, y := last(r).X, last(of(t, s, "mgda")[i]).X; slices.Equal(x, y) != same {
						t.Errorf("α = %s: they end at %v and %v", momentum, x, y)
					}
				}
			}
		}}},
		"momentum": {{"on a front that bulges away from the origin that brings the collapse to its ends back", func(t *testing.T, c *card) {
			for momentum, most := range map[string]float64{"0": 2, "0.9": 10} {
				for _, s := range c.seeded(t, "momentum", momentum) {
					between(t, "with α = "+momentum+" the number at the ends", fact(t, s, "collapsed.psmgd"), max(0, 10*(most-9)), most)
				}
			}
		}}},
		"crmogm.momentum": {{"CR-MOGM is PSMGD with R = 1 and this momentum of the weights", func(t *testing.T, c *card) {
			s := c.end(t, "method", "psmgd,crmogm", "R", "1", "momentum", "0.7", "crmogm.momentum", "0.7")
			for i, r := range of(t, s, "psmgd") {
				if x, y := last(r).X, last(of(t, s, "crmogm")[i]).X; !slices.Equal(x, y) {
					t.Errorf("they end at %v and %v", x, y)
				}
			}
		}}},
		"region": {{"Beyond 2 in every one both gradients of Fonseca’s problem are short: a plateau.", func(t *testing.T, c *card) {
			jac, longest := algo.NewJacobian(2, 2), 0.0
			for _, x := range []float64{-4, -3, -2.5, -2, 2, 2.5, 3, 4} {
				for _, y := range []float64{-4, -3, -2.5, -2, 2, 2.5, 3, 4} {
					fonsecaOf(t, 2).Jacobian(jac, []float64{x, y})
					for i := range 2 {
						longest = max(longest, math.Hypot(jac.Row(i)[0], jac.Row(i)[1]))
					}
				}
			}
			fonsecaOf(t, 2).Jacobian(jac, []float64{0, 0})
			if near := math.Hypot(jac.Row(0)[0], jac.Row(0)[1]); longest > near/5 {
				t.Errorf("the longest is %v, at 0 it is %v", longest, near)
			}
		}}},
		"epo.preference": {{"EPO looks for the point of the front where r₁f₁ = (1 − r₁)f₂", func(t *testing.T, c *card) {
			s := c.end(t, "method", "epo", "epo.preference", "0.45", "start", "0.2,-0.2", "starts", "1", "budget", "5000", "eta", "0.05")
			f := last(runOf(t, s, "epo-1")).F
			if math.Abs(0.45*f[0]-0.55*f[1]) > 0.02 {
				t.Errorf("it ends at %v", f)
			}
		}}},
	},
	"lab": {
		"cagrad.c": {{"0 is the mean gradient.", func(t *testing.T, c *card) {
			if angle := turned(t, c.end(t, "cagrad.c", "0"), "cagrad", "ls"); angle > 1e-5 {
				t.Errorf("they are %v° apart", angle)
			}
		}}},
		"fairgrad.alpha": {{"1 is Nash-MTL, large values look after the objective that gains least.", func(t *testing.T, c *card) {
			s := c.end(t, "method", "nashmtl,fairgrad", "fairgrad.alpha", "1")
			if angle := turned(t, s, "fairgrad", "nashmtl"); angle > 1e-3 {
				t.Errorf("they are %v° apart", angle)
			}
			large := decisionOf(t, c.end(t, "method", "fairgrad", "fairgrad.alpha", "50"), "fairgrad")
			small := decisionOf(t, s, "fairgrad")
			if a, b := slices.Max(small.Change)/small.Norm, slices.Max(large.Change)/large.Norm; !(b < a) {
				t.Errorf("the least gain a length goes from %v to %v", -a, -b)
			}
		}}},
		"sdmgrad.kappa": {{"0 is MGDA; large values follow the mean gradient", func(t *testing.T, c *card) {
			const methods = "ls,mgda,sdmgrad"
			if angle := turned(t, c.end(t, "method", methods, "sdmgrad.kappa", "0"), "sdmgrad", "mgda"); angle > 1e-5 {
				t.Errorf("at 0 they are %v° apart", angle)
			}
			before := 180.0
			for _, kappa := range []string{"0", "1", "3", "10"} {
				angle := turned(t, c.end(t, "method", methods, "sdmgrad.kappa", kappa), "sdmgrad", "ls")
				if angle > before+1e-6 {
					t.Errorf("κ = %s brings it from %v° to %v° of the mean", kappa, before, angle)
				}
				before = angle
			}
			if before > 10 {
				t.Errorf("at 10 they are %v° apart", before)
			}
		}}},
		"cagrad.rescale": {{"so that it is never longer than the mean gradient.", func(t *testing.T, c *card) {
			for _, radius := range []string{"0.1", "0.5", "1", "5"} {
				s := c.end(t, "cagrad.rescale", "lin", "cagrad.c", radius)
				if d, mean := decisionOf(t, s, "cagrad").Norm, decisionOf(t, s, "ls").Norm; d > mean*(1+1e-9) {
					t.Errorf("c = %s: it is %v long, the mean %v", radius, d, mean)
				}
			}
		}}},
	},
	"bilevel": {
		"eta": {{"Where it exceeds 2 divided by the largest curvature of f the loop diverges.", func(t *testing.T, c *card) {
			// The curvature of f is 2.
			for eta, diverges := range map[string]bool{"0.98": false, "1.02": true} {
				r := runOf(t, c.end(t, "method", "moml", "eta", eta, "T", "256", "budget", "1"), "moml-1")
				from, to := r.Kept(0).X, r.Kept(1).X
				if got := math.Abs(to[2]-from[0]) > math.Abs(from[2]-from[0]); got != diverges {
					t.Errorf("η = %s: the loop goes from %v to %v", eta, from, to)
				}
			}
		}}},
		"warm": {{"Where T steps from there do not reach the bottom, ω can be better than ω̃, q̃ is negative", func(t *testing.T, c *card) {
			r := runOf(t, c.end(t, "warm", "false"), "forum-1")
			if q := r.Kept(r.Len() - 2).Number(twolevel.Q); !(q < 0) {
				t.Errorf("q̃ = %v", q)
			}
		}}},
		"rho": {{"FORUM’s step lowers it at least at the rate φ = (ρ/2)‖∇q̃‖².", func(t *testing.T, c *card) {
			for _, multiplier := range []string{"published", "exact"} {
				for _, r := range of(t, c.end(t, "method", "forum", "multiplier", multiplier), "forum") {
					for i := range r.Len() - 1 {
						if share, squared := ask(r.Kept(i), 50, 0.05); squared > 1e-6 && share < 0.15-1e-6 {
							t.Errorf("%s, %s at k = %d: by %v of the squared slope", multiplier, r.Name(), i, share)
							break
						}
					}
				}
			}
		}}},
		"mode": {{"The numbers agree, the costs differ.", func(t *testing.T, c *card) {
			reverse, forward := c.end(t, "mode", "reverse"), c.end(t, "mode", "forward")
			for _, r := range of(t, reverse, "moml") {
				if x, y := last(r).X, last(runOf(t, forward, r.Name())).X; apart(x, y) > 1e-9 {
					t.Errorf("%s ends at %v and %v", r.Name(), x, y)
				}
			}
			if a, b := fact(t, reverse, "hvp.moml"), fact(t, forward, "hvp.moml"); a != 2*b {
				t.Errorf("%v products in reverse mode, %v in forward mode", a, b)
			}
		}}},
		"seed": {{"Decides random start points, and what a weighting of MOML draws; the methods themselves draw nothing at random.",
			func(t *testing.T, c *card) {
				methods, _ := c.open(t).scene.Params().Lookup("method")
				var all []string
				for _, o := range methods.Options {
					all = append(all, o.Value)
				}
				for rule, same := range map[string]bool{"mgda": true, "rlw": false} {
					settings := []string{"method", strings.Join(all, ","), "moml.weighting", rule, "budget", "20"}
					s, other := c.end(t, settings...), c.end(t, append(settings, "seed", "2")...)
					for _, r := range s.timeline().Tracks() {
						x, y := last(r).X, last(runOf(t, other, r.Name())).X
						if slices.Equal(x, y) != (same || r.Method != "moml") {
							t.Errorf("%s, %s: %v and %v", rule, r.Name(), x, y)
						}
					}
				}
			}}},
	},
	"bilevelcost": {
		"n": {{"Forward mode makes nT products and holds np floats.", func(t *testing.T, c *card) {
			few, many := costOf(t, c.end(t, "n", "6"), "moml forward", 16, 20), costOf(t, c.end(t, "n", "7"), "moml forward", 16, 20)
			if few.HVP != 6*16 || many.HVP != 7*16 || many.Floats-few.Floats < 20 {
				t.Errorf("%+v and %+v", few, many)
			}
		}}},
		"m": {{"Reverse mode goes back through the loop once for each of them: mT products.", func(t *testing.T, c *card) {
			if cell := costOf(t, c.end(t, "m", "5"), "moml reverse", 16, 20); cell.HVP != 5*16 {
				t.Errorf("%+v", cell)
			}
		}}},
		"measurement": {{"counts stay as they are", func(t *testing.T, c *card) {
			again := c.end(t, "measurement", "2")
			for _, cell := range costs(t, c.end(t)) {
				if other := costOf(t, again, cell.label(), cell.T, cell.P); cell.evaluations() != other.evaluations() || cell.Floats != other.Floats {
					t.Errorf("%+v and %+v", cell, other)
				}
			}
		}}},
	},
}

// TestHelp: the help of parameters says so, and it holds.
func TestHelp(t *testing.T) {
	for id, parameters := range helpClaims {
		for name, list := range parameters {
			t.Run(id+"/"+name, func(t *testing.T) {
				t.Parallel()
				c := &card{scene: id, ended: map[string]*Session{}}
				d, known := c.open(t).scene.Params().Lookup(name)
				if !known {
					t.Fatal("there is no such parameter")
				}
				text := d.Help
				for _, o := range d.Options {
					text += "\n" + o.Help
				}
				for _, claim := range list {
					if !strings.Contains(text, claim.says) {
						t.Errorf("the help is %q, not %q", text, claim.says)
					}
					claim.holds(t, c)
				}
			})
		}
	}
}
