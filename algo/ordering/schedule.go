package ordering

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Schedule selects the step size as a function of the epoch. The step size is constant within an epoch.
type Schedule string

const (
	// Constant uses α in every epoch.
	Constant Schedule = "constant"
	// InverseSqrt uses α/√(t+1) in epoch t.
	InverseSqrt Schedule = "invsqrt"
	// RandomTheorem uses the step size of Theorem 3.6, for random orders; see Constants.RandomStepSize.
	RandomTheorem Schedule = "theorem36"
	// JoGBaTheorem uses the step size of Theorem 3.9, for JoGBa; see Constants.JoGBaStepSize.
	JoGBaTheorem Schedule = "theorem39"
)

// ofTheorem reports whether the step size comes from a theorem and its Constants.
func (s Schedule) ofTheorem() bool { return s == RandomTheorem || s == JoGBaTheorem }

// Constants determine the theorems' step sizes, for runs on one problem from one start.
type Constants struct {
	Gap        float64 // Δ > 0: how far weighted losses can decrease
	Lipschitz  float64 // F = √M·f > 0, where f bounds the norm of ∇ℓ_m(w, ξ)
	Smoothness float64 // F₁ = √M·f₁ > 0, where f₁ is a Lipschitz constant of ∇ℓ_m(·, ξ)
	Deviation  float64 // σ ≥ 0, a bound on ‖∇ℓ_m(w, ξ) − ∇L_m(w)‖₂
	Balance    float64 // A > 0, a bound on sums of balanced vectors of norm 1 (Assumption 3.7)
}

// RandomStepSize returns α = √(2Δ/(F₁(F²+σ²)KT)) for T epochs of K examples (Theorem 3.6).
func (c *Constants) RandomStepSize(k, t int) float64 {
	squares := float64(c.Lipschitz*c.Lipschitz) + float64(c.Deviation*c.Deviation)
	return math.Sqrt(2 * c.Gap / (c.Smoothness * squares * float64(k) * float64(t)))
}

// JoGBaStepSize returns α = min{(Δ/(32KA²σ²F₁²T))^(1/3), 1/(26(K+A)(F+F₁))} for T epochs of K examples (Theorem 3.9).
// In place of the second term, the paper's appendix prints 1/(KF) and 1/(26(K+A)F₁).
func (c *Constants) JoGBaStepSize(k, t int) float64 {
	kf, a := float64(k), c.Balance
	second := 1 / (26 * (kf + a) * (c.Lipschitz + c.Smoothness))
	first := portable.Cbrt(c.Gap / (32 * kf * a * a * c.Deviation * c.Deviation * c.Smoothness * c.Smoothness * float64(t)))
	return min(first, second)
}

func (c *Constants) check(s Schedule) error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"gap", c.Gap}, {"Lipschitz", c.Lipschitz}, {"smoothness", c.Smoothness}, {"balance", c.Balance}} {
		if v.name == "balance" && s != JoGBaTheorem {
			continue
		}
		if !(v.value > 0) || math.IsInf(v.value, 1) {
			return &algo.RangeError{Name: "constants: " + v.name, Value: v.value,
				Allowed: fmt.Sprintf("the schedule %v requires a finite, positive number", s)}
		}
	}
	if !(c.Deviation >= 0) || math.IsInf(c.Deviation, 1) {
		return &algo.RangeError{Name: "constants: deviation", Value: c.Deviation, Allowed: "finite and not negative"}
	}
	return nil
}
