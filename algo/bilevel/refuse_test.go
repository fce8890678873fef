package bilevel_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
)

// TestRefusalsAreRangeErrors checks that errors contain the rejected value, both as data and in words.
func TestRefusalsAreRangeErrors(t *testing.T) {
	start := []float64{0, 0, 3}
	forum := func(change func(*bilevel.FORUMConfig)) error {
		c := paperForum(start)
		change(&c)
		_, err := bilevel.NewFORUM(c)
		return err
	}
	barrier := func(change func(*bilevel.BVFIMConfig)) error {
		c := bvfim(start)
		change(&c)
		_, err := bilevel.NewBVFIM(c)
		return err
	}
	differentiating := func(change func(*bilevel.MoCoConfig)) error {
		c := moco()
		change(&c)
		_, err := bilevel.NewMoCo(c)
		return err
	}
	for _, refusal := range []struct {
		err        error
		name, text string
	}{
		{forum(func(c *bilevel.FORUMConfig) { c.Start = []float64{1, 2} }), "start",
			"start has length 2: it must have the length n+p = 1+2 of the problem's variables"},
		{forum(func(c *bilevel.FORUMConfig) { c.Start = []float64{math.NaN(), 1, 2} }), "start",
			"start [NaN 1 2]: the point, its upper objectives [NaN NaN] and its lower objective must be finite"},
		{forum(func(c *bilevel.FORUMConfig) { c.Loop.Steps = 0 }), "lower steps T", "lower steps T = 0: there must be at least 1"},
		{forum(func(c *bilevel.FORUMConfig) { c.Loop.StepSize = 0 }), "lower step size eta",
			"lower step size eta = 0: it must be finite and positive"},
		{forum(func(c *bilevel.FORUMConfig) { c.Upper.StepSize = math.Inf(1) }), "mu", "mu = +Inf: the step size must be finite and positive"},
		{forum(func(c *bilevel.FORUMConfig) { c.Upper.OmegaStepSize = -1 }), "step size muomega",
			"step size muomega = -1: it must be finite, and positive or 0 for mu's step size"},
		{forum(func(c *bilevel.FORUMConfig) { c.Upper.Optimizer.ClipNorm = -1 }), "optimizer: clip norm",
			"upper optimizer: clip norm = -1: it must be 0, or finite and positive"},
		{forum(func(c *bilevel.FORUMConfig) { c.Rho = math.NaN() }), "rho", "rho = NaN: it must be finite and not negative"},
		{forum(func(c *bilevel.FORUMConfig) { c.Averaging = "often" }), "averaging",
			`averaging "often": must be one of [published sqrt mean none]`},
		{forum(func(c *bilevel.FORUMConfig) { c.Multiplier = "none" }), "multiplier",
			`multiplier "none": must be one of [published exact]`},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Regularization = -1 }), "regularization mu1",
			"regularization mu1 = -1: it must be finite and not negative"},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Offset = 0 }), "offset mu2", "offset mu2 = 0: it must be positive"},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Theta = math.NaN() }), "theta", "theta = NaN: it must be finite and not negative"},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Tau = -2 }), "tau", "tau = -2: it must be finite and not negative"},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Shrink = 1.5 }), "shrink r", "shrink r = 1.5: it must be above 0 and at most 1"},
		{barrier(func(c *bilevel.BVFIMConfig) { c.Upper.OmegaStepSize = 0.1 }), "step size muomega",
			"step size muomega = 0.1: the method does not step in omega; it must be left out"},
		{differentiating(func(c *bilevel.MoCoConfig) { c.Loop.Optimizer = descent.Optimizer{ClipNorm: 1} }), "lower optimizer",
			"lower optimizer: the method differentiates through gradient steps; it must be left out"},
		{differentiating(func(c *bilevel.MoCoConfig) { c.Mode = "sideways" }), "mode", `mode "sideways": must be one of [reverse forward]`},
		{differentiating(func(c *bilevel.MoCoConfig) { c.Decay = 0.25 }), "decay", "decay = 0.25: it must be 0 or 0.5"},
	} {
		var refused *algo.RangeError
		if !errors.As(refusal.err, &refused) {
			t.Errorf("%v is no RangeError, want one that says %q", refusal.err, refusal.text)
			continue
		}
		if refused.Name != refusal.name || refusal.err.Error() != refusal.text || refused.Value == nil || refused.Allowed == "" {
			t.Errorf("%+v says %q, want %s: %q", *refused, refusal.err, refusal.name, refusal.text)
		}
	}
	for _, err := range []error{
		forum(func(c *bilevel.FORUMConfig) { c.Problem = nil }), differentiating(func(c *bilevel.MoCoConfig) { c.Problem = nil }),
	} {
		if !errors.Is(err, algo.ErrNoProblem) {
			t.Errorf("without a problem: %v", err)
		}
	}
}
