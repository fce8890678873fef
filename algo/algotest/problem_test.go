package algotest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// bowls has the objectives f_i = ½‖x‖² + i·x_0 in three variables, with gradient noise. It is correct unless its field
// broken names a fault.
type bowls struct {
	broken string
	state  rand.PCG
	normal *rand.Rand
	calls  int
}

func newBowls(broken string) *bowls {
	p := &bowls{broken: broken}
	p.normal = rand.New(&p.state)
	return p
}

func (p *bowls) Dims() (n, m int) {
	if p.broken == "dims" {
		return 0, 2
	}
	return 3, 2
}

func (p *bowls) Values(f, x []float64) {
	p.calls++
	for i := range f {
		f[i] = (x[0]*x[0]+x[1]*x[1]+x[2]*x[2])/2 + float64(i)*x[0]
	}
	switch p.broken {
	case "values not finite":
		f[0] = math.Inf(1)
	case "values not repeating":
		f[0] += float64(p.calls) * 1e-9
	case "values modify x":
		x[0]++
	case "values allocate":
		sink = make([]float64, 3)
	}
}

var sink []float64

func (p *bowls) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range 2 {
		row := jac.Row(i)
		copy(row, x)
		row[0] += float64(i)
		if p.broken == "wrong gradient" {
			row[2] += 1e-4
		}
	}
	if p.broken == "nan gradient" {
		jac.Data[1] = math.NaN()
	}
}

func (p *bowls) ValuesAt(f, x []float64, s *algo.Sample) {
	p.Values(f, x)
	if p.broken == "ValuesAt not repeating" {
		p.state.Seed(uint64(p.calls), 0)
		f[0] += p.normal.NormFloat64()
	}
}

func (p *bowls) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	if p.broken != "noise in order of calls" {
		p.state = s.Noise
	}
	for i := range jac.Data {
		jac.Data[i] += p.normal.NormFloat64()
		if p.broken == "biased" {
			jac.Data[i] += 0.5
		}
	}
	switch p.broken {
	case "sample modified":
		s.Noise.Uint64()
	case "JacobianAt allocates":
		sink = make([]float64, 3)
	}
}

func (p *bowls) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	if p.broken != "noise in order of calls" {
		p.state = s.Noise
	}
	clear(dst)
	for i, wi := range w {
		for c := range dst {
			g := x[c]
			if c == 0 {
				g += float64(i)
			}
			if wi == 0 && p.broken == "zero weights draw nothing" {
				continue
			}
			dst[c] += wi * (g + p.normal.NormFloat64())
		}
	}
	if p.broken == "weights modified" {
		w[0] = 7
	}
}

func TestProblemPasses(t *testing.T) {
	mustPass(t, func(r *recorder) { algotest.Problem(r, newBowls(""), []float64{1, 2, 3}) })
}

func TestProblemFails(t *testing.T) {
	for broken, want := range map[string]string{
		"dims":                      "both must be positive",
		"values not finite":         "not finite or not all written",
		"values not repeating":      "do not repeat",
		"values modify x":           "x was modified",
		"values allocate":           "Values allocates",
		"wrong gradient":            "finite differences give",
		"nan gradient":              "finite differences give",
		"ValuesAt not repeating":    "ValuesAt",
		"noise in order of calls":   "on one sample gives",
		"biased":                    "is off by",
		"sample modified":           "the Sample was modified",
		"JacobianAt allocates":      "JacobianAt allocates",
		"zero weights draw nothing": "the rows of JacobianAt combine to",
		"weights modified":          "modified the weights",
	} {
		mustFail(t, broken, want, func(r *recorder) { algotest.Problem(r, newBowls(broken)) })
	}
	mustFail(t, "short point", "has length 1", func(r *recorder) { algotest.Problem(r, newBowls(""), []float64{1}) })
}

// boxed is the objective √x on [0, 1]. It has no derivative outside its box.
type boxed struct{}

func (boxed) Dims() (n, m int)                       { return 1, 1 }
func (boxed) Values(f, x []float64)                  { f[0] = math.Sqrt(x[0]) }
func (boxed) Jacobian(j *algo.Jacobian, x []float64) { j.Data[0] = 0.5 / math.Sqrt(x[0]) }
func (boxed) Bounds() (lo, hi []float64)             { return []float64{0}, []float64{1} }

func TestProblemStaysInBox(t *testing.T) {
	mustPass(t, func(r *recorder) { algotest.Problem(r, boxed{}) })
}
