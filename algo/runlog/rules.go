package runlog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

// Choice is a method with settings. Each setting has the form "parameter=value", as in weighting.New. In addition,
// ls supports "weights=0.2,0.8", psmgd supports "R" and "momentum", and crmogm supports "momentum".
type Choice struct {
	Name     string
	Settings []string
}

// Absent is a method that cannot be applied to a log, together with the reason.
type Absent struct {
	Method string `json:"method"`
	Why    string `json:"why"`
}

const (
	psmgd   = "psmgd"
	crmogm  = "crmogm"
	moosvgd = "moosvgd"
)

// These are the defaults of the methods that carry MGDA's weights over from one record to the next.
const (
	DefaultR        = 4   // for psmgd: weights are computed at every R-th record
	DefaultMomentum = 0.9 // for crmogm: the fraction of the previous weights; by default psmgd has no momentum
)

// Methods returns the names of all methods that can be applied to logs. Some of them require data that not every log has.
func Methods() []string { return append(weighting.Names(), crmogm, moosvgd, psmgd) }

// title returns a method's name for use in sentences.
func title(name string) string {
	if m, ok := weighting.Lookup(name); ok {
		return m.Title
	}
	return map[string]string{psmgd: "PSMGD", crmogm: "CR-MOGM", moosvgd: "MOO-SVGD"}[name]
}

// Title returns the method's name for use in sentences.
func (m *Method) Title() string { return title(m.Name) }

// reasons says why some methods cannot be applied to any log.
var reasons = map[string]string{
	moosvgd:   "it moves several solutions, but a log has only one",
	"moco":    "it averages gradients on further batches, which the log does not have",
	"sdmgrad": "it draws further batches, which the log does not have",
	"dbmtl":   "it averages vectors over the records, but the log has only products within each record",
}

// whyAbsent returns the reason why a method cannot be applied to the log. If no reason is known beforehand, it returns "".
func (l *Log) whyAbsent(name string, needs algo.Needs) string {
	m, _ := weighting.Lookup(name)
	switch {
	case reasons[name] != "":
		return reasons[name]
	case name == "modo" && !l.HasCross():
		return "it needs two batches, but the log has no products with a second one (cross)"
	case m.Coordinates && !l.HasJacobian():
		return "it needs the gradients' coordinates, but the log has only their products"
	case m.Coordinates && !m.Promises.Effective:
		return "its direction is not a weighted sum of the gradients, so it has no weights"
	case needs.Losses && !l.HasLosses():
		return "it needs losses, but the log has none"
	case needs.After && !l.HasAfter():
		return "it needs the losses after each step, on the same batch, but the log has none (after)"
	}
	return ""
}

// NewRule returns the rule for a choice. The rule must be applied to the records in order. NewRule returns an error if
// a name or setting is unknown, or if the method moves several solutions.
func NewRule(c Choice, objectives int, seed uint64) (algo.Weighting, error) {
	if c.Name == moosvgd {
		return nil, fmt.Errorf("%s: %s", moosvgd, reasons[moosvgd])
	}
	return newRule(c, objectives, seed)
}

// newRule does the same as NewRule, but returns nil for a method that moves several solutions.
func newRule(c Choice, objectives int, seed uint64) (algo.Weighting, error) {
	context := weighting.Context{Objectives: objectives, Seed: seed}
	switch c.Name {
	case moosvgd:
		if len(c.Settings) > 0 {
			return nil, fmt.Errorf("%s cannot be applied to a log and has no settings", moosvgd)
		}
		return nil, nil
	case "ls":
		return newScalarization(c, objectives)
	case psmgd:
		return newHeld(c, DefaultR, 0)
	case crmogm:
		return newHeld(c, 1, DefaultMomentum)
	}
	return weighting.NewFor(context, c.Name, c.Settings...)
}

// newScalarization returns ls with the given weights, or with equal weights.
func newScalarization(c Choice, objectives int) (algo.Weighting, error) {
	var weights []float64
	for _, setting := range c.Settings {
		list, ok := strings.CutPrefix(setting, "weights=")
		if !ok {
			return nil, fmt.Errorf("ls has no setting %q; available: weights=w1,w2,…", setting)
		}
		weights = nil
		for field := range strings.SplitSeq(list, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
			if err != nil {
				return nil, fmt.Errorf("weights of ls: %.40q is not a number", field)
			}
			weights = append(weights, v)
		}
		if len(weights) != objectives {
			return nil, fmt.Errorf("weights of ls: there are %d, but must be one for each of %d objectives", len(weights), objectives)
		}
	}
	return weighting.NewLinearScalarization(weights)
}

// held is MGDA with weights that several records share. At every R-th record, starting with the first, it computes
// weights and mixes them with the previous ones. The mixed weights apply until the next such record. The method is
// PSMGD, or CR-MOGM if R = 1 and there is momentum. See package descent.
type held struct {
	weighting.MGDA
	period   int
	momentum float64

	calls   int
	weights []float64
}

func newHeld(c Choice, period int, momentum float64) (*held, error) {
	h := &held{period: period, momentum: momentum}
	for _, setting := range c.Settings {
		name, text, _ := strings.Cut(setting, "=")
		var err error
		switch {
		case name == "R" && c.Name == psmgd:
			if h.period, err = strconv.Atoi(text); err != nil || h.period < 1 {
				return nil, fmt.Errorf("setting R of %s: %.40q is not a whole number from 1", c.Name, text)
			}
		case name == "momentum":
			if h.momentum, err = strconv.ParseFloat(text, 64); err != nil || !(h.momentum >= 0 && h.momentum < 1) {
				return nil, fmt.Errorf("momentum of %s: %.40q is not a number from 0 to below 1", c.Name, text)
			}
		default:
			return nil, fmt.Errorf("%s has no setting %q; available: R (only psmgd) and momentum", c.Name, setting)
		}
	}
	return h, nil
}

// Weigh stores the current weights, and the direction that they give, in r.
func (h *held) Weigh(r *algo.Result, in *algo.Input) error {
	if h.calls%h.period == 0 {
		if err := h.MGDA.Weigh(r, in); err != nil {
			return err
		}
		if h.calls == 0 { // mixing would round equal weights
			h.weights = append(h.weights[:0], r.Weights...)
		} else {
			for i, w := range r.Weights {
				h.weights[i] = float64(h.momentum*h.weights[i]) + float64((1-h.momentum)*w)
			}
		}
	}
	h.calls++
	copy(r.Weights, h.weights)
	copy(r.Effective, h.weights)
	if r.Direction != nil {
		in.Combine(r.Direction, h.weights)
	}
	r.Status = algo.Converged
	return nil
}

// Save appends the current weights and the number of decisions.
func (h *held) Save(s *algo.Snapshot) {
	s.PutInt(h.calls)
	s.PutInt(len(h.weights))
	s.PutFloats(h.weights...)
}

// Load restores what Save appended.
func (h *held) Load(s *algo.Snapshot) {
	h.calls = s.GetInt()
	h.weights = make([]float64, s.GetInt())
	s.GetFloats(h.weights)
}

// asker applies rules to the records of a log, in order.
type asker struct {
	log *Log

	gramian  weighting.GramianInput
	rows     *algo.Jacobian // the gradients, if the log has them
	input    algo.Input     // input with these gradients
	products []float64      // S×S, the Gramian of the log
	crossed  []*algo.Jacobian
	losses   []float64
	given    []float64 // the losses, if the log has them
	after    []float64
}

func newAsker(l *Log) *asker {
	s := l.objectives
	a := &asker{log: l, products: make([]float64, s*s), losses: make([]float64, s), after: make([]float64, s)}
	if l.HasJacobian() {
		a.rows = algo.NewJacobian(s, l.variables)
	}
	if l.HasCross() {
		// MoDo moves its weights by A·Bᵀλ for the gradients A and B on two batches. Here A contains the products,
		// and B is the unit matrix.
		unit := algo.NewJacobian(s, s)
		for i := range s {
			unit.Row(i)[i] = 1
		}
		a.crossed = []*algo.Jacobian{algo.NewJacobian(s, s), unit}
	}
	return a
}

// look loads record k.
func (a *asker) look(k int) {
	l := a.log
	a.given = l.Losses(a.losses, k)
	if a.crossed != nil {
		copy(a.crossed[0].Data, l.cross.row(a.crossed[0].Data, k))
	}
	if a.rows != nil {
		l.Gradients(a.rows, k)
		a.input.SetGradients(a.rows)
		return
	}
	copy(a.products, l.gramian.row(a.products, k))
	a.gramian.Set(a.products)
}

// ask stores a rule's decision on record k in r. If the rule observes losses, ask passes it the losses before and
// after the step.
func (a *asker) ask(r *algo.Result, rule algo.Weighting, k int) error {
	var err error
	if a.rows == nil {
		err = a.gramian.Decide(r, rule, a.given, a.crossed, k)
	} else {
		in, needs := &a.input, rule.Needs()
		in.Extra = append(in.Extra[:0], a.crossed[:min(len(a.crossed), needs.Extra)]...)
		for len(in.Extra) < needs.Extra {
			in.Extra = append(in.Extra, a.rows)
		}
		in.Losses, in.K = a.given, k
		err = rule.Weigh(r, in)
	}
	if o, observes := rule.(algo.Observer); err == nil && observes && rule.Needs().After {
		o.Observe(a.given, a.log.After(a.after, k))
	}
	return err
}

// explain says why a rule made no decision at record k.
func (l *Log) explain(k int, err error) string {
	var refused *algo.RangeError
	if errors.As(err, &refused) {
		return fmt.Sprintf("at step %d: %v", l.steps[k], refused)
	}
	return fmt.Sprintf("at step %d: %v", l.steps[k], err)
}
