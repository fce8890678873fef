package weigh

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
)

// Fields lists the selectable fields of an answer. Every answer also contains method, status and any Convention's
// fields, and it contains step if the line has a step.
var Fields = []string{"weights", "effective", "rates", "cosines", "direction", "norm", "stationarity", "gap"}

// StreamFields are the default fields of a stream's answers: all but the longest and most expensive.
var StreamFields = []string{"weights", "effective", "rates", "cosines"}

// Pick returns the selected fields of an answer by name.
func (w *Answer) Pick(fields []string) map[string]any {
	all := map[string]any{
		"weights": w.Weights, "effective": w.Effective, "rates": w.Rates, "cosines": w.Cosines, "direction": w.Direction,
		"norm": w.Norm, "stationarity": w.Stationarity, "gap": w.Gap,
	}
	out := map[string]any{"method": w.Method, "status": w.Status}
	if c := w.Convention; c != nil {
		out["as"], out["version"], out["differs"], out["not_imitated"] = c.As, c.Version, c.Differs, c.NotImitated
	}
	for _, name := range fields {
		out[name] = all[name]
	}
	return out
}

// CheckFields returns an error if a name is not in Fields or is repeated.
func CheckFields(fields []string) error {
	for i, name := range fields {
		if !slices.Contains(Fields, name) {
			return fmt.Errorf("unknown field %q; available: %s", name, strings.Join(Fields, " "))
		}
		if slices.Contains(fields[:i], name) {
			return fmt.Errorf("%s is given twice", name)
		}
	}
	return nil
}

// applyGramian does the same as Apply, for an input with only a Gramian.
func (l *Library) applyGramian(method string, settings map[string]string, in *Input) (*Answer, error) {
	m := int(math.Round(math.Sqrt(float64(len(in.Gramian)))))
	rule, err := l.newRule(method, settings, m, in.Seed)
	if err != nil {
		return nil, err
	}
	if rule.Needs().Losses && in.Losses == nil {
		return nil, explain(method, ErrNoLosses)
	}
	if described, _ := weighting.Lookup(method); described.Coordinates {
		return nil, errCoordinates(method)
	}
	var input weighting.GramianInput
	input.Set(in.Gramian)
	result := algo.Result{Weights: make([]float64, m), Effective: make([]float64, m)}
	if err := input.Decide(&result, rule, in.Losses, nil, 0); err != nil {
		return nil, err
	}
	gramian := &runlog.Matrix{Rows: m, Columns: m, Data: in.Gramian}
	return weighedGramian(method, gramian, gramian.Stationarity(), result), nil
}

func errCoordinates(method string) error {
	return fmt.Errorf("%s: %s reads the gradients' coordinates; give a %s instead", data.GramianName, method, data.JacobianName)
}

// weighedGramian returns the answer for a decision on gradients of which only the Gramian is known.
func weighedGramian(method string, gramian *runlog.Matrix, stationarity float64, result algo.Result) *Answer {
	out := &Answer{Method: method, Weights: result.Weights, Effective: result.Effective, Stationarity: stationarity, Status: result.Status}
	if result.Effective == nil {
		out.complete(result)
		return out
	}
	products, cosines, norm := gramian.Along(result.Effective)
	out.Norm = norm
	out.complete(result)
	for i, v := range products {
		out.Rates = append(out.Rates, data.Known(0-v)) // 0 − v, because −v could be −0
		cosine := math.NaN()
		if norm > 0 && gramian.Data[i*gramian.Columns+i] > 0 {
			cosine = cosines[i]
		}
		out.Cosines = append(out.Cosines, data.Known(cosine))
	}
	return out
}

// Stream computes weights for one line after another. Each line is a training step, and rules keep their memory between
// steps.
type Stream struct {
	as       *Library // may be nil
	methods  []string
	all      bool // all methods were requested; those that cannot handle the first line are omitted
	settings map[string]string
	fields   []string

	objectives, variables int
	seed                  int64 // the first line's seed
	lines                 int
	rules                 []algo.Weighting // one per method; nil for an omitted method
	gramian               weighting.GramianInput
	crossed               []*algo.Jacobian
	memory                algo.Snapshot // memory of the rules before the line
}

// NewStream returns a stream that answers with the given fields for the given methods. settings may be non-empty only for
// a single method. Methods follow the conventions of the given library, unless it is nil.
func NewStream(methods []string, settings map[string]string, fields []string, as *Library) (*Stream, error) {
	s := &Stream{as: as, methods: methods, settings: settings, fields: fields}
	if slices.Equal(methods, []string{"all"}) {
		s.methods, s.all = as.Methods(), true
	}
	for i, name := range s.methods {
		if !slices.Contains(Methods(), name) {
			return nil, fmt.Errorf("unknown method %q; available: %s all", name, strings.Join(Methods(), " "))
		}
		if slices.Contains(s.methods[:i], name) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		if err := as.Check(name); err != nil {
			return nil, err
		}
	}
	if len(settings) > 0 && len(s.methods) != 1 {
		return nil, errors.New("-set applies to one method, not to several")
	}
	return s, nil
}

// SettingsError is an error in a stream's settings. It would occur for every line.
type SettingsError struct{ Err error }

// Error returns the text of Err.
func (e *SettingsError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *SettingsError) Unwrap() error { return e.Err }

// begin constructs the rules at the first line.
func (s *Stream) begin(line *runlog.Line) error {
	s.objectives, s.variables = line.Objectives(), line.Jacobian.Columns
	if line.Seed != nil {
		s.seed = *line.Seed
	}
	s.rules = make([]algo.Weighting, len(s.methods))
	for i, name := range s.methods {
		rule, err := s.as.newLogRule(name, s.settings, s.objectives, uint64(s.seed))
		if err != nil && len(s.settings) > 0 {
			return &SettingsError{err}
		}
		if err != nil {
			return err
		}
		if err := lacking(name, rule.Needs(), line); err == nil {
			s.rules[i] = rule
		} else if !s.all {
			return err
		}
	}
	return nil
}

// lacking returns an error if a line lacks data that a method needs.
func lacking(name string, needs algo.Needs, line *runlog.Line) error {
	described, _ := weighting.Lookup(name)
	alone := line.Jacobian.Rows == 0
	switch {
	case needs.Losses && line.Losses == nil:
		return explain(name, ErrNoLosses)
	case needs.After && line.After == nil:
		return fmt.Errorf("after: %s needs the losses after the step, but the line has none", name)
	case described.Coordinates && alone:
		return errCoordinates(name)
	case alone && !described.Promises.Effective && described.Name != "":
		return fmt.Errorf("%s: %s averages vectors over the lines; give a %s instead", data.GramianName, name, data.JacobianName)
	}
	return nil
}

// Answer computes the answer to the next line. For several methods it returns a list of answers, and for a single
// method one answer. After an error, the methods are in the same state as before the line. It returns a *SettingsError
// if the settings are invalid for every line.
func (s *Stream) Answer(line *runlog.Line) (any, error) {
	if s.rules == nil {
		if err := s.begin(line); err != nil {
			s.rules = nil
			return nil, err
		}
	}
	rules := slices.Clone(s.rules)
	s.memory.Reset()
	for _, rule := range rules {
		if rule != nil {
			rule.Save(&s.memory)
		}
	}
	answer, err := s.answer(line)
	switch {
	case err != nil && s.lines == 0:
		s.rules = nil
	case err != nil:
		s.rules = rules
		s.memory.Rewind()
		for _, rule := range rules {
			if rule != nil {
				rule.Load(&s.memory)
			}
		}
	default:
		s.lines++
	}
	return answer, err
}

// answer computes the answer once the rules are constructed.
func (s *Stream) answer(line *runlog.Line) (any, error) {
	if n := line.Objectives(); n != s.objectives {
		return nil, fmt.Errorf("%d objectives, but the first line has %d", n, s.objectives)
	}
	if n := line.Jacobian.Columns; n != s.variables {
		return nil, fmt.Errorf("the Jacobian has %d columns, but the first line's has %d", n, s.variables)
	}
	if line.Seed != nil && *line.Seed != s.seed {
		return nil, fmt.Errorf("seed: %d differs from the first line's seed %d, which methods keep", *line.Seed, s.seed)
	}
	if line.Jacobian.Rows == 0 {
		if err := line.Gramian.Check(); err != nil {
			return nil, err
		}
	}
	s.crossed = crossed(line)
	decide := s.onJacobian(line)
	if line.Jacobian.Rows == 0 {
		decide = s.onGramian(line)
	}
	list := []map[string]any{}
	for i, rule := range s.rules {
		if rule == nil {
			continue
		}
		if err := lacking(s.methods[i], rule.Needs(), line); err != nil {
			return nil, err
		}
		out, err := decide(s.methods[i], rule)
		if err != nil && s.all && rule.Needs().Losses {
			s.rules[i] = nil // the method does not accept the losses
			continue
		}
		if err != nil {
			return nil, err
		}
		if o, observes := rule.(algo.Observer); observes && rule.Needs().After {
			o.Observe(line.Losses, line.After)
		}
		s.as.sign(out, s.settings)
		answer := out.Pick(s.fields)
		if line.Step != nil {
			answer["step"] = *line.Step
		}
		list = append(list, answer)
	}
	if len(s.methods) == 1 {
		return list[0], nil
	}
	return list, nil
}

// crossed returns two matrices A and B such that A·Bᵀ contains the line's products with gradients on another batch. MoDo
// needs them to update its weights. crossed returns nil if the line has no such products.
func crossed(line *runlog.Line) []*algo.Jacobian {
	m := line.Cross.Rows
	if m == 0 {
		return nil
	}
	unit := algo.NewJacobian(m, m)
	for i := range m {
		unit.Row(i)[i] = 1
	}
	return []*algo.Jacobian{{Rows: m, Cols: m, Data: line.Cross.Data}, unit}
}

// samples appends samples of the gradients to dst and returns it. It appends the given samples first, and then the
// gradients themselves until dst has as many samples as needed.
func samples(dst, given []*algo.Jacobian, needed int, gradients *algo.Jacobian) []*algo.Jacobian {
	dst = append(dst, given...)
	for len(dst) < needed {
		dst = append(dst, gradients)
	}
	return dst
}

func (s *Stream) asks(field string) bool { return slices.Contains(s.fields, field) }

// onGramian returns the function that computes a method's answer to a line with only a Gramian.
func (s *Stream) onGramian(line *runlog.Line) func(string, algo.Weighting) (*Answer, error) {
	s.gramian.Set(line.Gramian.Data)
	stationarity := 0.0
	if s.asks("stationarity") {
		stationarity = line.Gramian.Stationarity()
	}
	return func(name string, rule algo.Weighting) (*Answer, error) {
		result := algo.Result{Weights: make([]float64, s.objectives), Effective: make([]float64, s.objectives)}
		if err := s.gramian.Decide(&result, rule, line.Losses, s.crossed, s.lines); err != nil {
			return nil, err
		}
		return weighedGramian(name, &line.Gramian, stationarity, result), nil
	}
}

// onJacobian returns the function that computes a method's answer to a line with gradients.
func (s *Stream) onJacobian(line *runlog.Line) func(string, algo.Weighting) (*Answer, error) {
	jac := &algo.Jacobian{Rows: line.Jacobian.Rows, Cols: line.Jacobian.Columns, Data: line.Jacobian.Data}
	input := algo.Input{Losses: line.Losses, K: s.lines}
	input.SetGradients(jac)
	return func(name string, rule algo.Weighting) (*Answer, error) {
		in := input
		in.Extra = samples(nil, s.crossed, rule.Needs().Extra, jac)
		result := algo.Result{
			Weights: make([]float64, jac.Rows), Effective: make([]float64, jac.Rows), Direction: make([]float64, jac.Cols),
		}
		if err := rule.Weigh(&result, &in); err != nil {
			return nil, err
		}
		return weighed(name, jac, result), nil
	}
}
