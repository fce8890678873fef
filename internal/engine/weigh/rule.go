package weigh

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
)

// Rule decides step by step like a Stream with one method, for callers in the same process. It computes only the decision
// and writes no text. It is not safe for concurrent use.
type Rule struct {
	method   string
	settings []string
	seed     uint64

	rule       algo.Weighting // nil before the first step
	objectives int
	variables  int // number of variables; 0 for Gramians
	calls      int
	input      algo.Input
	jacobian   algo.Jacobian
	gramian    weighting.GramianInput
	products   runlog.Matrix // the step's Gramian, made symmetric by CheckIn
	storage    []float64
	result     algo.Result
	kept       algo.Result // storage for result, because a rule may set result's slices to nil
	memory     algo.Snapshot
}

// NewRule returns a rule for a method, with settings of the form name=value. Only the first Decide reports invalid
// settings, because allowed values may depend on the number of objectives.
func NewRule(method string, settings []string, seed uint64) (*Rule, error) {
	if !slices.Contains(Methods(), method) {
		return nil, fmt.Errorf("unknown method %q; available: %s", method, strings.Join(Methods(), " "))
	}
	return &Rule{method: method, settings: settings, seed: seed}, nil
}

// Decide returns the decision for a step's gradients or Gramian, and for its losses if the method reads losses. The
// result is valid until the next call. It has no Direction if the step has only a Gramian. After an error, the rule's
// state is unchanged.
func (r *Rule) Decide(line *runlog.Line) (*algo.Result, error) {
	if err := r.check(line); err != nil {
		return nil, err
	}
	fresh := r.rule == nil
	if fresh {
		if err := r.begin(line.Objectives(), line.Jacobian.Columns); err != nil {
			return nil, err
		}
	}
	r.memory.Reset()
	r.rule.Save(&r.memory)
	needs := r.rule.Needs()
	needs.After = false // Observe receives the losses after the step instead
	err := lacking(r.method, needs, line)
	if err == nil {
		err = r.decide(line)
	}
	switch {
	case err != nil && fresh:
		r.rule = nil
	case err != nil:
		r.memory.Rewind()
		r.rule.Load(&r.memory)
	default:
		r.calls++
		return &r.result, nil
	}
	return nil, err
}

func (r *Rule) begin(objectives, variables int) error {
	rule, err := runlog.NewRule(runlog.Choice{Name: r.method, Settings: r.settings}, objectives, r.seed)
	if err != nil {
		return err
	}
	r.rule, r.objectives, r.variables, r.calls = rule, objectives, variables, 0
	r.kept = algo.Result{Weights: make([]float64, objectives), Effective: make([]float64, objectives), Direction: make([]float64, variables)}
	return nil
}

// check returns an error if a step has invalid numbers, or if its size differs from that of earlier steps.
func (r *Rule) check(line *runlog.Line) error {
	m, n := line.Objectives(), line.Jacobian.Columns
	if m < 1 || m > data.MaxRows {
		return fmt.Errorf("%d objectives: allowed is 1 to %d", m, data.MaxRows)
	}
	if r.rule != nil && m != r.objectives {
		return fmt.Errorf("%d objectives, but the first call had %d; create another rule", m, r.objectives)
	}
	if r.rule != nil && (n == 0) != (r.variables == 0) {
		names := map[bool]string{true: data.GramianName, false: data.JacobianName}
		return fmt.Errorf("%s: the first call had a %s; create another rule", names[n == 0], names[r.variables == 0])
	}
	if r.rule != nil && n != r.variables {
		return fmt.Errorf("the Jacobian has %d columns, but the first call's had %d; create another rule", n, r.variables)
	}
	for _, list := range []struct {
		name string
		data []float64
		wide int // number of columns; 0 for a list
	}{
		{data.JacobianName, line.Jacobian.Data, n}, {data.GramianName, line.Gramian.Data, m},
		{"cross", line.Cross.Data, m}, {"losses", line.Losses, 0},
	} {
		if algo.Finite(list.data) {
			continue
		}
		i := slices.IndexFunc(list.data, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
		place := fmt.Sprintf("%s[%d]", list.name, i)
		if list.wide > 0 {
			place = fmt.Sprintf("%s[%d, %d]", list.name, i/list.wide, i%list.wide)
		}
		return fmt.Errorf("%s is %v; expected a finite number", place, list.data[i])
	}
	if line.Losses != nil && len(line.Losses) != m {
		return fmt.Errorf("losses: expected one for each of %[2]d objectives, got %[1]d", len(line.Losses), m)
	}
	if line.Jacobian.Rows == 0 {
		r.products.Rows, r.products.Columns = line.Gramian.Rows, line.Gramian.Columns
		r.products.Data = append(r.products.Data[:0], line.Gramian.Data...)
		r.storage = slices.Grow(r.storage[:0], m*m)[:m*m]
		return r.products.CheckIn(r.storage)
	}
	if n < 1 {
		return fmt.Errorf("%s: the rows are empty", data.JacobianName)
	}
	return nil
}

// decide computes the decision. The rule must exist, and the line must contain everything that the rule reads.
func (r *Rule) decide(line *runlog.Line) error {
	r.result = r.kept
	crossed := crossed(line)
	if line.Jacobian.Rows == 0 {
		r.result.Direction = nil
		r.gramian.Set(r.products.Data)
		return r.gramian.Decide(&r.result, r.rule, line.Losses, crossed, r.calls)
	}
	r.jacobian = algo.Jacobian{Rows: line.Jacobian.Rows, Cols: line.Jacobian.Columns, Data: line.Jacobian.Data}
	r.input.Losses, r.input.K = line.Losses, r.calls
	r.input.SetGradients(&r.jacobian)
	r.input.Extra = samples(r.input.Extra[:0], crossed, r.rule.Needs().Extra, &r.jacobian)
	return r.rule.Weigh(&r.result, &r.input)
}

// Observe passes to the rule the losses before and after the step that followed the last decision. Both lists have one
// loss per objective, on the same batch. Observe has no effect for rules that do not read these losses. It returns an
// error before the first decision.
func (r *Rule) Observe(before, after []float64) error {
	if r.rule == nil {
		return fmt.Errorf("%s: losses need an earlier decision; call Decide first", r.method)
	}
	for _, losses := range [][]float64{before, after} {
		if len(losses) != r.objectives || !algo.Finite(losses) {
			return fmt.Errorf("losses: expected %d finite numbers, got %v", r.objectives, losses)
		}
	}
	if o, observes := r.rule.(algo.Observer); observes && r.rule.Needs().After {
		o.Observe(before, after)
	}
	return nil
}

// Save returns the state that determines later decisions, in the form that Load reads.
func (r *Rule) Save() (floats []float64, words []uint64) {
	var s algo.Snapshot
	s.PutWord(r.name())
	s.PutInt(r.objectives)
	s.PutInt(r.variables)
	s.PutInt(r.calls)
	if r.rule != nil {
		r.rule.Save(&s)
	}
	return s.Floats, s.Words
}

// name identifies the rule. It is a hash of the method, its settings and the seed.
func (r *Rule) name() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %q %d", r.method, r.settings, r.seed)
	return h.Sum64()
}

// Load restores a state that Save returned for a rule with the same method, settings and seed. Later decisions are then
// identical bit for bit. For another rule's state, Load returns an error and changes nothing.
func (r *Rule) Load(floats []float64, words []uint64) (err error) {
	s := algo.Snapshot{Floats: floats, Words: words}
	other := fmt.Errorf("state: saved by another method than %s, or with other parameters", r.method)
	if len(words) < 4 || s.GetWord() != r.name() {
		return other
	}
	loaded := &Rule{method: r.method, settings: r.settings, seed: r.seed}
	objectives, variables, calls := s.GetInt(), s.GetInt(), s.GetInt()
	if objectives != 0 {
		if objectives < 1 || objectives > data.MaxRows || variables < 0 || calls < 0 {
			return other
		}
		if err := loaded.begin(objectives, variables); err != nil {
			return err
		}
		defer func() {
			if recover() != nil { // GetFloats and similar methods panic if the snapshot has too few numbers
				err = other
			}
		}()
		loaded.rule.Load(&s)
		loaded.calls = calls
	}
	if savedFloats, savedWords := loaded.Save(); len(savedFloats) != len(floats) || len(savedWords) != len(words) {
		return other
	}
	*r = *loaded
	return nil
}
