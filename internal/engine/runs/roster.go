// Package runs runs methods of any family side by side: it decides which of them run, from
// which start points, how fast they are shown, and how live changes act on them. A family is
// a sub-package with a literal list of methods and the settings that they share. Scenes bind
// a family into their parameters and draw pictures of it.
package runs

import (
	"fmt"
	"slices"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/timeline"
)

// Method is one method of a family whose steppers are made for a course C: the problem, the
// start and whatever else the family's methods share.
type Method[C any] struct {
	param.Method
	// Bind binds the method's own parameters and returns a function that makes its stepper with
	// their current values.
	Bind func(*param.List) func(C) (algo.Stepper, error)
	// Together says that the method makes one run over all starts, on the first start's course.
	Together bool
	// Beside says that the method cannot be chosen itself: it runs beside another one if a
	// parameter of that one asks for it.
	Beside bool
}

// Roster is a family's methods bound to a scene's parameters.
type Roster[C any] struct {
	On []string // the methods that run, in the order of the family

	family []Method[C]
	absent map[string]string
	make   map[string]func(C) (algo.Stepper, error)
	live   []live

	yielder *algo.Yielder
}

// live says how a live parameter acts on steppers.
type live struct {
	name    string
	methods []string // that it concerns; nil for all
	set     func(algo.Stepper, float64) error
}

// New returns a roster of a family's methods, with the methods in on running. Methods in
// absent are listed with the reason and cannot be chosen.
func New[C any](family []Method[C], absent map[string]string, on ...string) *Roster[C] {
	return &Roster[C]{On: on, family: family, absent: absent, make: map[string]func(C) (algo.Stepper, error){}}
}

// Live makes changes of the parameter with that name act on the steppers of type S, of the
// named methods or, if none are named, of all.
func Live[S, C any](r *Roster[C], name string, set func(S, float64) error, methods ...string) {
	r.live = append(r.live, live{name, methods, func(s algo.Stepper, value float64) error {
		if target, is := s.(S); is {
			return set(target, value)
		}
		return nil
	}})
}

// SetYielder makes Runs yield between steppers, which may take long to make.
func (r *Roster[C]) SetYielder(y *algo.Yielder) { r.yielder = y }

// made is the work for which making a stepper counts: enough that every stepper is a moment at which something else may go on.
const made = 1 << 15

// Absent is the reason why a method cannot be chosen, "" for one that can.
func (r *Roster[C]) Absent(method string) string { return r.absent[method] }

// Title is the name of a method on screen.
func (r *Roster[C]) Title(method string) string { return r.method(method).Title }

func (r *Roster[C]) method(name string) *Method[C] {
	for i := range r.family {
		if r.family[i].ID == name {
			return &r.family[i]
		}
	}
	panic(fmt.Sprintf("race: %q is no method of the family", name))
}

// BindMethods binds the choice of methods, "method". Beyond the first shown methods, those
// that do not run by default are folded; 0 folds none.
func (r *Roster[C]) BindMethods(l *param.List, shown int, help string) {
	var options []param.Option
	for i, m := range r.family {
		if m.Beside {
			continue
		}
		folded := shown > 0 && i >= shown && !slices.Contains(r.On, m.ID)
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help, Disabled: r.absent[m.ID], Folded: folded})
	}
	l.Set(&r.On, param.Descriptor{Name: "method", Label: "Methods", Options: options, AtLeast: 1, Effect: param.Rerun, Help: help})
}

// BindOwn binds the parameters that belong to one method each: of the named methods
// first, then of the others in the family's order. Methods that are absent have none.
func (r *Roster[C]) BindOwn(l *param.List, first ...string) {
	bind := func(m *Method[C]) {
		if _, bound := r.make[m.ID]; !bound && r.absent[m.ID] == "" {
			r.make[m.ID] = m.Bind(l)
		}
	}
	for _, name := range first {
		bind(r.method(name))
	}
	for i := range r.family {
		bind(&r.family[i])
	}
}

// Stepper makes the stepper of a method, once BindOwn has bound them.
func (r *Roster[C]) Stepper(method string, course C) (algo.Stepper, error) {
	build, ok := r.make[method]
	if !ok {
		if len(r.make) == 0 {
			return nil, fmt.Errorf("%q is not bound: BindOwn binds the methods", method)
		}
		return nil, fmt.Errorf("%q is no method of this scene", method)
	}
	return build(course)
}

// Runs returns the runs of some methods at k = 0, method by method, each from every
// start, or one over all of them. course returns the course of a start. The run from start i,
// counted from 1, is called "method-i", one over all starts as its method. Each run
// applies the live changes that concern its method.
func (r *Roster[C]) Runs(methods []string, starts [][]float64, course func(start int) C) ([]*timeline.Run, error) {
	var runs []*timeline.Run
	for _, name := range methods {
		m := r.method(name)
		for i := range starts {
			r.yielder.Yield(made)
			stepper, err := r.Stepper(name, course(i))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			run := &timeline.Run{
				Name: name, Method: name, Title: m.Title, Label: m.Title, StartIndex: i, Several: m.Together, Starts: starts, Stepper: stepper,
				Apply: func(c timeline.Change) error { return r.apply(name, stepper, c) },
			}
			runs = append(runs, run)
			if m.Together {
				break
			}
			run.Name, run.Label = fmt.Sprintf("%s-%d", name, i+1), fmt.Sprintf("%s, start %d", m.Title, i+1)
			run.Starts = starts[i : i+1]
		}
	}
	return runs, nil
}

// apply carries a live change to a method's stepper; parameters of other methods do
// not concern it.
func (r *Roster[C]) apply(method string, s algo.Stepper, c timeline.Change) error {
	value, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		return fmt.Errorf("%s = %q is no number", c.Name, c.Text)
	}
	for _, l := range r.live {
		if l.name == c.Name && (l.methods == nil || slices.Contains(l.methods, method)) {
			if err := l.set(s, value); err != nil {
				return err
			}
		}
	}
	return nil
}
