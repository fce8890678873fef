package algotest_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// valley is a bilevel problem. Its lower objective is ½(ω_1 − α²)² + (ω_2 − sin α)² + α, with the minimum at (α², sin
// α). Its upper objectives are ½‖z‖² + iω_1. It is correct unless its field broken names a fault.
type valley struct {
	broken string
	calls  int
}

func (p *valley) Dims() (n, lower, m int) {
	if p.broken == "dims" {
		return 1, 0, 2
	}
	return 1, 2, 2
}

func (p *valley) Values(f, z []float64) {
	for i := range f {
		f[i] = (z[0]*z[0]+z[1]*z[1]+z[2]*z[2])/2 + float64(i)*z[1]
	}
	if p.broken == "values modify z" {
		z[0]++
	}
}

func (p *valley) Jacobian(jac *algo.Jacobian, z []float64) {
	for i := range 2 {
		row := jac.Row(i)
		copy(row, z)
		row[1] += float64(i)
		if p.broken == "upper gradient" {
			row[0] += 1e-4
		}
	}
}

func (p *valley) Lower(z []float64) float64 {
	d1, d2 := z[1]-z[0]*z[0], z[2]-math.Sin(z[0])
	p.calls++
	if p.broken == "lower objective not repeating" {
		d1 += 1e-9 * float64(p.calls)
	}
	return d1*d1/2 + d2*d2 + z[0]
}

func (p *valley) LowerGradient(dst, z []float64) {
	d1, d2 := z[1]-z[0]*z[0], z[2]-math.Sin(z[0])
	dst[0], dst[1], dst[2] = 1-2*z[0]*d1-2*math.Cos(z[0])*d2, d1, 2*d2
	if p.broken == "lower gradient" {
		dst[0] += 1e-4
	}
}

func (p *valley) LowerGradientOmega(dst, z []float64) {
	dst[0], dst[1] = z[1]-z[0]*z[0], 2*(z[2]-math.Sin(z[0]))
	switch p.broken {
	case "omega part":
		dst[1] += 1e-9
	case "omega part allocates":
		sink = make([]float64, 3)
	}
}

func (p *valley) HessianOmegaOmega(dst, z, v []float64) {
	dst[0], dst[1] = v[0], 2*v[1]
	switch p.broken {
	case "omega omega":
		dst[1] += 1e-4
	case "product modifies v":
		v[0]++
	case "product allocates":
		sink = make([]float64, 3)
	}
}

func (p *valley) HessianAlphaOmega(dst, z, v []float64) {
	dst[0] = -2*z[0]*v[0] - 2*math.Cos(z[0])*v[1]
	if p.broken == "alpha omega" {
		dst[0] *= 1.001
	}
}

func (p *valley) HessianOmegaAlpha(dst, z, u []float64) {
	dst[0], dst[1] = -2*z[0]*u[0], -2*math.Cos(z[0])*u[0]
	if p.broken == "omega alpha" {
		dst[1] = math.NaN()
	}
}

func (p *valley) LowerSolution(omega, alpha []float64) {
	omega[0], omega[1] = alpha[0]*alpha[0], math.Sin(alpha[0])
	switch p.broken {
	case "solution":
		omega[1] += 1e-6
	case "solution not written":
		omega[1] = math.NaN()
	case "solution modifies alpha":
		alpha[0]++
	}
}

func (p *valley) LowerMinimum(alpha []float64) float64 {
	switch p.broken {
	case "minimum":
		return alpha[0] - 1e-3
	case "minimum too high":
		return 1e9
	}
	return alpha[0]
}

func (p *valley) Distance(z []float64) float64 {
	d := math.Hypot(z[0], math.Hypot(z[1], z[2]))
	switch p.broken {
	case "distance negative":
		return -d
	case "distance not one":
		return 3 * d
	case "distance modifies z":
		z[0]++
	}
	return d
}

func TestBilevelPasses(t *testing.T) {
	mustPass(t, func(r *recorder) { algotest.Bilevel(r, &valley{}, []float64{1, 2, 3}, []float64{-1, 0, 2}) })
}

func TestBilevelFails(t *testing.T) {
	for broken, want := range map[string]string{
		"dims":                          "all must be positive",
		"values modify z":               "upper level: x was modified",
		"upper gradient":                "upper level: gradient of objective",
		"lower objective not repeating": "lower level: values or Jacobian",
		"lower gradient":                "lower level: gradient of objective",
		"omega part":                    "LowerGradient ends in",
		"omega part allocates":          "LowerGradientOmega allocates",
		"omega omega":                   "HessianOmegaOmega at",
		"product modifies v":            "modified its arguments",
		"product allocates":             "HessianOmegaOmega allocates",
		"alpha omega":                   "HessianAlphaOmega at",
		"omega alpha":                   "HessianOmegaAlpha at",
		"solution":                      "it must vanish",
		"solution not written":          "not finite or not all written",
		"solution modifies alpha":       "alpha was modified",
		"minimum":                       "the lower objective at LowerSolution is",
		"minimum too high":              "below LowerMinimum",
		"distance negative":             "must be finite and not negative",
		"distance not one":              "apart",
		"distance modifies z":           "modified by Distance",
	} {
		mustFail(t, broken, want, func(r *recorder) { algotest.Bilevel(r, &valley{broken: broken}) })
	}
	mustFail(t, "short point", "has length 1", func(r *recorder) { algotest.Bilevel(r, &valley{}, []float64{1}) })
}
