package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// FairnessConfig configures a fairness problem.
type FairnessConfig struct {
	PerClass int // number of points in each of the two classes, at least 1
	// Phi is the finite angle φ by which features are rotated before the sensitive attribute is drawn. Near 0, the
	// attribute follows the class closely.
	Phi float64
	// Transpose reverses the direction of the rotation.
	Transpose bool
	// Validation and Test are the shares of points reserved for validation and test. Both must be at least 0, and their
	// sum must be below 1. In each class, both shares are rounded to whole numbers of points.
	Validation, Test float64
	Seed             uint64
}

// Default values for the data of Zafar et al.
const (
	FairnessPerClass = 1000
	FairnessPhi      = math.Pi / 4
)

// FairnessView is half the side of a window that shows most of the points.
const FairnessView = 10.0

// FairnessSample is a part of the data: points in the plane, their classes y = ±1 and their sensitive attributes z, 0
// or 1. The caller must not modify the slices.
type FairnessSample struct {
	X []float64 // rows (x_1, x_2)
	Y []float64 // +1 or −1
	Z []float64 // 1 if the point has the sensitive attribute, otherwise 0

	covariance [dimensions]float64 // covariance of z with each feature
}

// Len returns the number of points.
func (s *FairnessSample) Len() int { return len(s.Y) }

// Fairness is the problem of finding a line through the origin that separates two classes. The line should not
// separate the values of a sensitive attribute z that is correlated with the classes. The decision for a point is the
// sign of θᵀx. The number θᵀx is the signed distance from the line times ‖θ‖. The objectives are the mean logistic
// loss and the squared covariance of z with θᵀx:
//
//	f1(θ) = mean log(1 + exp(−y·θᵀx))
//	f2(θ) = (mean (z − z̄)·θᵀx)²
//
// There is no intercept, so θ has n = 2 entries, like a point. The paper bounds the absolute covariance. The square
// used here is smooth and has the same minimisers θ, which form a line through the origin.
//
// Both objectives are convex, so the Pareto-optimal points are minimisers of weighted sums.
//
// Half of the points are of class +1, drawn from N((2, 2), [5 1; 1 5]). The other half is of class −1, drawn from
// N((−2, −2), [10 1; 1 3]). With x′ = (x_1 cos φ + x_2 sin φ, −x_1 sin φ + x_2 cos φ), z is 1 with probability
// p(x′|+1)/(p(x′|+1) + p(x′|−1)).
//
// References:
//   - Zafar, Valera, Gomez Rodriguez & Gummadi (2017), Fairness constraints: mechanisms
//     for fair classification, AISTATS, section 4.1. As in the released code, φ
//     rotates points as above; with Transpose, points are multiplied from the left by a rotation
//     by φ.
type Fairness struct {
	parts [3]FairnessSample
}

var _ interface {
	algo.Problem
	Gradient(dst []float64, i, lo, hi int, x []float64)
} = (*Fairness)(nil)

// fairnessPart maps a Split to the index of its data. A Fairness problem has no split Selection.
var fairnessPart = map[Split]int{Training: 0, Validation: 1, Test: 2}

// NewFairness returns the problem that c describes. The error names the invalid field, the value and the allowed
// values.
func NewFairness(c FairnessConfig) (*Fairness, error) {
	if c.PerClass < 1 {
		return nil, &algo.RangeError{Name: "perclass", Value: c.PerClass, Allowed: "at least 1"}
	}
	if c.Phi-c.Phi != 0 {
		return nil, &algo.RangeError{Name: "phi", Value: c.Phi, Allowed: "finite"}
	}
	for _, share := range []struct {
		name  string
		value float64
	}{{"validation", c.Validation}, {"test", c.Test}} {
		if !(share.value >= 0 && share.value < 1) {
			return nil, &algo.RangeError{Name: share.name, Value: share.value, Allowed: "a share from 0 to below 1"}
		}
	}
	points := func(share float64) int { return int(math.Round(share * float64(c.PerClass))) }
	kept := [3]int{1: points(c.Validation), 2: points(c.Test)}
	if kept[0] = c.PerClass - kept[1] - kept[2]; kept[0] < 1 {
		return nil, &algo.RangeError{Name: "validation + test", Value: c.Validation + c.Test, Allowed: "shares that leave points for training"}
	}
	p := &Fairness{}
	for class, g := range fairnessClasses {
		source := algo.Stream(c.Seed, class, 0, algo.Data)
		draw := rand.New(&source)
		for part, count := range kept {
			for range count {
				p.parts[part].add(c, g, &source, draw)
			}
		}
	}
	for part := range p.parts {
		p.parts[part].settle()
	}
	return p, nil
}

// gaussian is a normal distribution in the plane for the points of one class.
type gaussian struct {
	y          float64
	mean       [dimensions]float64
	xx, xy, yy float64 // covariance
}

var fairnessClasses = [2]gaussian{
	{1, [dimensions]float64{2, 2}, 5, 1, 5},
	{-1, [dimensions]float64{-2, -2}, 10, 1, 3},
}

// draw returns a point of the distribution.
func (g *gaussian) draw(source *rand.PCG) (x1, x2 float64) {
	a, b := portable.Normal(source), portable.Normal(source)
	first := math.Sqrt(g.xx) // Cholesky: (√xx, 0; xy/√xx, √(yy − xy²/xx))
	second := math.Sqrt(g.yy - g.xy*g.xy/g.xx)
	return g.mean[0] + float64(first*a), g.mean[1] + float64(g.xy/first*a) + float64(second*b)
}

// logDensity returns the logarithm of the density at a point, without the constant −log 2π.
func (g *gaussian) logDensity(x1, x2 float64) float64 {
	u, v := x1-g.mean[0], x2-g.mean[1]
	determinant := float64(g.xx*g.yy) - float64(g.xy*g.xy)
	return -0.5*(float64(g.yy*u*u)-float64(2*g.xy*u*v)+float64(g.xx*v*v))/determinant - float64(0.5*portable.Log(determinant))
}

// add draws a point of a class with its sensitive attribute, and adds it to the sample.
func (s *FairnessSample) add(c FairnessConfig, g gaussian, source *rand.PCG, draw *rand.Rand) {
	x1, x2 := g.draw(source)
	sine, cosine := portable.Sincos(c.Phi)
	if c.Transpose {
		sine = -sine
	}
	t1, t2 := float64(x1*cosine)+float64(x2*sine), float64(x2*cosine)-float64(x1*sine)
	likely := portable.Sigmoid(fairnessClasses[0].logDensity(t1, t2) - fairnessClasses[1].logDensity(t1, t2))
	z := 0.0
	if draw.Float64() < likely {
		z = 1
	}
	s.X, s.Y, s.Z = append(s.X, x1, x2), append(s.Y, g.y), append(s.Z, z)
}

// settle computes the covariances over all points added so far.
func (s *FairnessSample) settle() {
	clear(s.covariance[:])
	var mean float64
	for _, z := range s.Z {
		mean += z
	}
	mean /= float64(len(s.Z))
	for j, z := range s.Z {
		for k := range s.covariance {
			s.covariance[k] += (z - mean) * s.X[dimensions*j+k] / float64(len(s.Z))
		}
	}
}

// Sample returns the points of Training, Validation or Test. Validation and Test may be empty. Sample panics for
// Selection.
func (p *Fairness) Sample(split Split) *FairnessSample {
	part, ok := fairnessPart[split]
	if !ok {
		panic(fmt.Sprintf("problem: no fairness data of split %d", split))
	}
	return &p.parts[part]
}

// Dims returns the numbers of variables and objectives: 2 and 2.
func (p *Fairness) Dims() (n, m int) { return dimensions, 2 }

// Labour returns the work for all training points, in multiplications. Each point takes an exponential and a few
// multiplications.
func (p *Fairness) Labour() int { return 16 * len(p.parts[0].Y) }

// Values stores f1 and f2, computed on the training points, in f.
func (p *Fairness) Values(f, theta []float64) { p.parts[0].Values(f, theta) }

// Jacobian stores in jac the gradients, computed on the training points.
func (p *Fairness) Jacobian(jac *algo.Jacobian, theta []float64) {
	for i := range 2 {
		p.Gradient(jac.Row(i), i, 0, dimensions, theta)
	}
}

// Gradient stores in dst, of length hi−lo, the coordinates lo to hi−1 of the gradient of objective i on the training
// points.
func (p *Fairness) Gradient(dst []float64, i, lo, hi int, theta []float64) {
	p.parts[0].gradient(dst, i, lo, hi, theta)
}

// gradient does the same as Fairness.Gradient, but on the points of s.
func (s *FairnessSample) gradient(dst []float64, i, lo, hi int, theta []float64) {
	if i == 1 {
		c := 2 * s.product(theta)
		for k, v := range s.covariance[lo:hi] {
			dst[k] = c * v
		}
		return
	}
	clear(dst)
	scale := 1 / float64(s.Len())
	for j, y := range s.Y {
		x := s.X[dimensions*j : dimensions*(j+1)]
		slope := -y * scale * portable.Sigmoid(-y*(float64(x[0]*theta[0])+float64(x[1]*theta[1])))
		for k, v := range x[lo:hi] {
			dst[k] += float64(slope * v)
		}
	}
}

// product returns the covariance of z and θᵀx.
func (s *FairnessSample) product(theta []float64) float64 {
	return float64(s.covariance[0]*theta[0]) + float64(s.covariance[1]*theta[1])
}

// Values stores f1 and f2, computed on the points of s, in f. It panics if s has no points.
func (s *FairnessSample) Values(f, theta []float64) {
	if s.Len() == 0 {
		panic("problem: there are no points to evaluate")
	}
	var sum float64
	for j, y := range s.Y {
		sum += softplus(-y * (float64(s.X[dimensions*j]*theta[0]) + float64(s.X[dimensions*j+1]*theta[1])))
	}
	c := s.product(theta)
	f[0], f[1] = sum/float64(s.Len()), c*c
}

// softplus returns log(1 + e^a) without overflow.
func softplus(a float64) float64 { return max(a, 0) + portable.Log(1+portable.Exp(-math.Abs(a))) }

// Accuracy returns the share of the points of s that are on the correct side of the line. A point on the line counts as
// class +1.
func (s *FairnessSample) Accuracy(theta []float64) float64 {
	right := 0
	for j, y := range s.Y {
		if s.positive(j, theta) == (y > 0) {
			right++
		}
	}
	return float64(right) / float64(s.Len())
}

// PositiveShares returns the share of decisions +1 among the points without the sensitive attribute, and among the
// points with it. The 80 % rule limits the ratio of the two. If a group has no points, its share is NaN.
func (s *FairnessSample) PositiveShares(theta []float64) (without, with float64) {
	var count, positive [2]int
	for j, z := range s.Z {
		count[int(z)]++
		if s.positive(j, theta) {
			positive[int(z)]++
		}
	}
	share := func(z int) float64 { return float64(positive[z]) / float64(count[z]) }
	return share(0), share(1)
}

func (s *FairnessSample) positive(j int, theta []float64) bool {
	return float64(s.X[dimensions*j]*theta[0])+float64(s.X[dimensions*j+1]*theta[1]) >= 0
}
