package weighting

import (
	"math"

	"paretoplay/algo"
)

// These are Adam's default constants, as in the paper.
const (
	DefaultAdamBeta1   = 0.9
	DefaultAdamBeta2   = 0.999
	DefaultAdamEpsilon = 1e-8
)

// Adam turns gradients g_1, g_2, … of the same length into the updates
//
//	m_t = β1·m_{t−1} + (1−β1)·g_t         m_0 = 0
//	v_t = β2·v_{t−1} + (1−β2)·g_t²        v_0 = 0, element by element
//	u_t = (m_t/(1−β1^t)) / (√(v_t/(1−β2^t)) + ε)
//
// The caller multiplies the updates by a step size and subtracts them. The first update is g_1/(|g_1| + ε), which,
// apart from ε, consists of the signs of the gradient. FAMO uses Adam for its logits; package descent uses it for
// iterates.
//
// References:
//   - Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR,
//     Algorithm 1.
type Adam struct {
	beta1, beta2, epsilon float64

	// power1 and power2 are β1^t and β2^t. The slices m and v are empty before the first update.
	power1, power2 float64
	first, second  []float64
}

// NewAdam returns an Adam without history. It returns an error unless β1 and β2 are in [0, 1) and ε > 0.
func NewAdam(beta1, beta2, epsilon float64) (*Adam, error) {
	if !(beta1 >= 0 && beta1 < 1) {
		return nil, refused("beta1", beta1, "a number of at least 0 and below 1")
	}
	if !(beta2 >= 0 && beta2 < 1) {
		return nil, refused("beta2", beta2, "a number of at least 0 and below 1")
	}
	if err := positive("epsilon", epsilon); err != nil {
		return nil, err
	}
	return &Adam{beta1: beta1, beta2: beta2, epsilon: epsilon, power1: 1, power2: 1}, nil
}

// Update stores u_t for the gradient g in dst, which may be the same slice as g. It panics if the lengths differ or
// if the length of g has changed.
func (a *Adam) Update(dst, g []float64) {
	if len(a.first) == 0 {
		a.first, a.second = resize(a.first, len(g)), resize(a.second, len(g))
		clear(a.first)
		clear(a.second)
	}
	if len(dst) != len(g) || len(a.first) != len(g) {
		panic("weighting: Adam.Update got slices of different or changed lengths")
	}
	a.power1 = float64(a.power1 * a.beta1)
	a.power2 = float64(a.power2 * a.beta2)
	c1, c2 := 1-a.power1, 1-a.power2
	for i, v := range g {
		a.first[i] = float64(a.beta1*a.first[i]) + float64((1-a.beta1)*v)
		a.second[i] = float64(a.beta2*a.second[i]) + float64((1-a.beta2)*v*v)
		dst[i] = a.first[i] / c1 / (math.Sqrt(a.second[i]/c2) + a.epsilon)
	}
}

// Reset discards all earlier gradients. The next Update counts as the first, and its gradient may have any length.
func (a *Adam) Reset() {
	a.power1, a.power2 = 1, 1
	a.first, a.second = a.first[:0], a.second[:0]
}

// Save appends the powers of β1 and β2 and the moments.
func (a *Adam) Save(s *algo.Snapshot) {
	s.PutInt(len(a.first))
	s.PutFloats(a.power1, a.power2)
	s.PutFloats(a.first...)
	s.PutFloats(a.second...)
}

// Load restores the state that Save appended.
func (a *Adam) Load(s *algo.Snapshot) {
	n := s.GetInt()
	a.power1, a.power2 = s.GetFloat(), s.GetFloat()
	a.first, a.second = resize(a.first, n), resize(a.second, n)
	s.GetFloats(a.first)
	s.GetFloats(a.second)
}
