package weighting

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

const defaultTemperature = 2

// DWA weights the gradients at its t-th decision, counted from 0, by
//
//	λ = m·softmax(r/T),   r_s = f_s(t−1)/f_s(t−2)
//
// and by λ_s = 1 at its first two decisions. DWA stands for dynamic weight average. An objective whose loss falls
// slowly gets more weight. The weights have sum m. The ratio divides by the loss two decisions ago, so this loss must
// not be 0.
//
// References:
//   - Liu, Johns & Davison (2019), End-to-end multi-task learning with attention,
//     CVPR, equation (7).
type DWA struct {
	temperature float64

	heard       int       // number of decisions whose losses are stored: 0, 1 or 2
	last, older []float64 // f(t−1) and f(t−2)
}

var _ algo.Weighting = (*DWA)(nil)

// NewDWA returns the rule with temperature T > 0. A larger T makes the weights more equal.
func NewDWA(temperature float64) (*DWA, error) {
	if err := positive("temperature", temperature); err != nil {
		return nil, err
	}
	return &DWA{temperature: temperature}, nil
}

// Needs reports that the rule requires the losses.
func (d *DWA) Needs() algo.Needs { return algo.Needs{Losses: true, Blind: true} }

// Weigh stores the weights and the direction Gᵀλ, and keeps the losses for later decisions. It returns an error if a
// loss was 0 two decisions ago. The gap is NaN, because there is no inner problem.
func (d *DWA) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, d.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if d.heard > 0 && len(d.last) != m {
		return inputErrorf("dwa: %d objectives; earlier decisions had %d", m, len(d.last))
	}
	for i := range r.Weights {
		r.Weights[i] = 1
	}
	if d.heard == 2 {
		for i, f := range d.older {
			rate := d.last[i] / f
			if rate-rate != 0 {
				return &algo.RangeError{
					Name: fmt.Sprintf("loss %d", i+1), Value: d.last[i], Allowed: "a finite quotient",
					Text: fmt.Sprintf("dwa: loss %d changed from %g to %g; the quotient must be finite", i+1, f, d.last[i]),
				}
			}
			r.Weights[i] = rate
		}
		softmax(r.Weights, r.Weights, d.temperature)
		for i := range r.Weights {
			r.Weights[i] *= float64(m)
		}
	}
	d.last, d.older = resize(d.older, m), resize(d.last, m)
	copy(d.last, in.Losses)
	d.heard = min(d.heard+1, 2)
	combine(r, in)
	conclude(r)
	return nil
}

// Save appends the stored losses.
func (d *DWA) Save(s *algo.Snapshot) {
	s.PutInt(d.heard)
	s.PutInt(len(d.last))
	if d.heard > 0 {
		s.PutFloats(d.last...)
	}
	if d.heard > 1 {
		s.PutFloats(d.older...)
	}
}

// Load restores the state that Save appended.
func (d *DWA) Load(s *algo.Snapshot) {
	d.heard = s.GetInt()
	m := s.GetInt()
	d.last, d.older = resize(d.last, m), resize(d.older, m)
	if d.heard > 0 {
		s.GetFloats(d.last)
	}
	if d.heard > 1 {
		s.GetFloats(d.older)
	}
}

var ruleDWA = Method{
	Name: "dwa", Title: "Dynamic weight average", Paper: "Liu, Johns & Davison 2019, equation 7",
	Help:      "Gives more weight to objectives whose losses fall slowly.",
	Needs:     algo.Needs{Losses: true, Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	Positive:  "inverts the ratio of two losses, its measure of progress",
	configure: configureDWA,
}

func configureDWA(s *scope) Constructor {
	temperature := float64(defaultTemperature)
	s.list.Number(&temperature, s.describe(param.Descriptor{
		Name: "temperature", Symbol: "T", Label: "Temperature",
		Min: 0.01, Max: 100, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Controls how even the weights are: larger values make them more equal (Liu, Johns & Davison 2019, equation 7).",
	}))
	return func(Context) (algo.Weighting, error) { return NewDWA(temperature) }
}
