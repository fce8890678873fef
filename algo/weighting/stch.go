package weighting

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

const defaultSTCHMu = 0.1

// STCHConfig contains the parameters of NewSTCH.
type STCHConfig struct {
	Preference []float64 // p, one number above 0 for each objective, which the rule divides by their mean; nil means equal preferences
	Mu         float64   // μ > 0, the smoothness of the maximum
	Log        bool      // whether to use the logarithms of the losses, relative to the first decision
	Ideal      []float64 // z, which is subtracted from the losses; nil means 0; unused with Log
}

// STCH weights the gradients by
//
//	λ_i = p_i·softmax_i(p(f − z)/μ)
//
// It thus follows the gradient of a smooth maximum, μ log Σ exp(p_i(f_i − z_i)/μ), with a preference p of mean 1 and
// ideal values z. STCH stands for smooth Tchebycheff scalarization. It ends at the point of the front where all
// p_i(f_i − z_i) are nearly equal. Unlike linear scalarization, it also reaches such points on a front that bulges
// away from the origin. With equal preferences the weights have sum 1. In the paper, the preferences have sum 1
// instead of m. The weights here are m times the paper's weights with parameter μ/m. The parameter scale=sum selects
// the paper's weights.
//
// With Log, STCH uses the logarithms of the losses, relative to the losses n_i at the first decision:
//
//	λ_i = (p_i/f_i)·softmax_i(p log(f/n)/μ)
//
// The direction then does not depend on the units of the losses, because a common factor of f_i and its gradient
// cancels. At the first decision all logarithms are 0, and λ_i = p_i/(m f_i). Every loss must be positive.
//
// References:
//   - Lin, Zhang, Yang, Liu, Wang & Zhang (2024), Smooth Tchebycheff scalarization for
//     multi-objective optimization, ICML, equation (9). The logarithms follow its code. There, n_i is
//     the mean loss over an initial epoch of training on the sum of the logarithms.
type STCH struct {
	config STCHConfig
	sum    bool      // whether the preferences have sum 1, as in the paper
	first  []float64 // log n; nil before the first decision, and always nil without Log
	terms  []float64 // m
}

var _ algo.Weighting = (*STCH)(nil)

// NewSTCH returns the rule with the given configuration. It copies Preference and Ideal.
func NewSTCH(c STCHConfig) (*STCH, error) {
	if err := positive("mu", c.Mu); err != nil {
		return nil, err
	}
	if err := preferred(c.Preference); err != nil {
		return nil, err
	}
	if !algo.Finite(c.Ideal) {
		return nil, refused("z", c.Ideal, "finite numbers")
	}
	c.Ideal, c.Preference = slices.Clone(c.Ideal), slices.Clone(c.Preference)
	var mean float64
	for _, p := range c.Preference {
		mean += p / float64(len(c.Preference))
	}
	for i := range c.Preference {
		c.Preference[i] /= mean
	}
	return &STCH{config: c}, nil
}

// Needs reports that the rule requires the losses.
func (s *STCH) Needs() algo.Needs { return algo.Needs{Losses: true, Blind: true} }

// Weigh stores the weights and the direction Gᵀλ. With Log it keeps the losses of the first
// decision, and returns an error if a loss is not positive. The gap is NaN, because there is no
// inner problem.
func (s *STCH) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, s.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if p := s.config.Preference; p != nil && len(p) != m {
		return refused("preference", p, oneFor(m))
	}
	if z := s.config.Ideal; z != nil && len(z) != m {
		return refused("z", z, oneFor(m))
	}
	if s.first != nil && len(s.first) != m {
		return inputErrorf("stch: %d objectives; earlier decisions had %d", m, len(s.first))
	}
	s.terms = resize(s.terms, m)
	for i, f := range in.Losses {
		switch {
		case s.config.Log && !(f > 0):
			return refusedLoss("stch", i, f, "above 0")
		case s.config.Log:
			f = portable.Log(f)
		case s.config.Ideal != nil:
			f -= s.config.Ideal[i]
		}
		s.terms[i] = f
	}
	if s.config.Log {
		if s.first == nil {
			s.first = slices.Clone(s.terms)
		}
		for i, n := range s.first {
			s.terms[i] -= n
		}
	}
	for i := range s.terms {
		s.terms[i] *= s.preference(i)
	}
	softmax(r.Weights, s.terms, s.config.Mu)
	for i := range r.Weights {
		r.Weights[i] *= s.preference(i)
		if s.config.Log {
			r.Weights[i] /= in.Losses[i]
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

// preference returns p_i.
func (s *STCH) preference(i int) float64 {
	p := 1.0
	if s.config.Preference != nil {
		p = s.config.Preference[i]
	}
	if s.sum {
		p /= float64(len(s.terms))
	}
	return p
}

// Save appends the logarithms of the first losses if Log is set. Otherwise it appends nothing.
func (s *STCH) Save(to *algo.Snapshot) {
	if s.config.Log {
		saveFirst(to, s.first)
	}
}

// Load restores the state that Save appended.
func (s *STCH) Load(from *algo.Snapshot) {
	if s.config.Log {
		s.first = loadFirst(from, s.first)
	}
}

var ruleSTCH = Method{
	Name: "stch", Title: "STCH", Paper: "Lin et al. 2024, equation (9)",
	Help:     "Follows the gradient of a smooth maximum of the losses.",
	Needs:    algo.Needs{Losses: true, Blind: true},
	Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	Preference: Preference{
		OfTwo: "STCH minimises a smooth maximum of p₁(f₁ − z₁) and (1 − p₁)(f₂ − z₂), where z are the problem’s lower bounds, or 0 " +
			"(Lin et al. 2024).",
		OfMany: "STCH minimises a smooth maximum of all pᵢ(fᵢ − zᵢ), where z are the problem’s lower bounds, or 0 (Lin et al. 2024).",
	},
	configure: configureSTCH,
}

func configureSTCH(s *scope) Constructor {
	preference := bindPreference(s, "p",
		"Enter one number above 0 for each objective, such as 0.3,0.7. A larger number increases the influence of its objective "+
			"on the maximum (Lin et al. 2024). The numbers are divided by their mean. If empty, all are equal.")
	c := STCHConfig{Mu: defaultSTCHMu}
	s.list.Number(&c.Mu, s.describe(param.Descriptor{
		Name: "mu", Symbol: "μ", Label: "Smoothness of the maximum",
		Min: 1e-3, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help: "With small values, mainly the largest loss counts; with large values, all losses count. In Lin et al. 2024, equation (9), the " +
			"preferences have sum 1 instead of mean 1: its μ is this value divided by the number of objectives.",
	}))
	s.list.Bool(&c.Log, s.describe(param.Descriptor{
		Name: "log", Label: "Logarithms of the losses",
		Effect: param.Restart,
		Help: "If on, minimises a smooth maximum of log(fᵢ/nᵢ), where nᵢ is the first loss of the run, so that units do not matter. " +
			"Every loss must be positive.",
	}))
	scale := Mean.String()
	if s.all {
		s.list.Choice(&scale, s.describe(param.Descriptor{
			Name: "scale", Label: "Scale of the preferences",
			Options: []param.Option{
				{Value: "mean", Label: "mean", Help: "The preferences have mean 1."},
				{Value: "sum", Label: "sum", Help: "The preferences have sum 1 (Lin et al. 2024, equation (9); TorchJD)."},
			},
			Effect: param.Restart,
			Help:   "Determines whether the preferences are divided by their mean or their sum.",
		}))
	}
	return func(context Context) (algo.Weighting, error) {
		var err error
		c := c
		c.Ideal = context.LowerBounds
		if c.Preference, err = preference(context); err != nil {
			return nil, err
		}
		rule, err := NewSTCH(c)
		if err == nil {
			rule.sum = scale == Sum.String()
		}
		return rule, err
	}
}
