// Package runs lets methods of any family run side by side. It decides which methods run, from which start points, at
// what speed they are shown, and how live changes affect them. A family is a sub-package that contains a list of
// methods and their shared settings. Scenes bind a family to their parameters and draw pictures of its runs.
package runs

import (
	"fmt"
	"slices"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/timeline"
)

// Method is one method of a family. A stepper is created for a course C: the problem, the start, and everything else
// that the family's methods share.
type Method[C any] struct {
	param.Method
	// Bind binds the method's parameters. It returns a function that creates a stepper with their current values.
	Bind func(*param.List) func(C) (algo.Stepper, error)
	// Together is true if one run of the method covers all starts. That run gets the course of the first start.
	Together bool
	// Beside is true if the method cannot be chosen directly. It runs beside another method if that method's parameters
	// say so.
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

// live describes how a live parameter changes steppers.
type live struct {
	name    string
	methods []string // methods that the parameter affects; nil for all
	set     func(algo.Stepper, float64) error
}

// New returns a roster of a family's methods. The argument on lists the methods that run. absent maps methods that
// cannot be chosen to the reason, which is listed with them.
func New[C any](family []Method[C], absent map[string]string, on ...string) *Roster[C] {
	return &Roster[C]{On: on, family: family, absent: absent, make: map[string]func(C) (algo.Stepper, error){}}
}

// Live registers a live parameter: set applies the parameter's changes to steppers of type S. The parameter affects the
// given methods, or all if none are given.
func Live[S, C any](r *Roster[C], name string, set func(S, float64) error, methods ...string) {
	r.live = append(r.live, live{name, methods, func(s algo.Stepper, value float64) error {
		if target, is := s.(S); is {
			return set(target, value)
		}
		return nil
	}})
}

// SetYielder makes Runs yield before each stepper, because creating a stepper may take long.
func (r *Roster[C]) SetYielder(y *algo.Yielder) { r.yielder = y }

// made is the amount of work that Runs reports to its Yielder for the creation of one stepper. It is large enough for
// other work to run before every stepper.
const made = 1 << 15

// Absent returns why a method cannot be chosen, or "" if it can.
func (r *Roster[C]) Absent(method string) string { return r.absent[method] }

// Title returns a method's name as the page shows it.
func (r *Roster[C]) Title(method string) string { return r.method(method).Title }

func (r *Roster[C]) method(name string) *Method[C] {
	for i := range r.family {
		if r.family[i].ID == name {
			return &r.family[i]
		}
	}
	panic(fmt.Sprintf("runs: unknown method %q", name))
}

// BindMethods binds "method", the choice of methods. shown is the number of methods at the start of the list that are
// never folded. Other methods are folded unless they run by default. If shown is 0, no method is folded.
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

// BindOwn binds the parameters of each method: first for the named methods, then for the others in the family's order.
// It skips absent methods.
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

// Stepper creates a stepper of a method. Call BindOwn first.
func (r *Roster[C]) Stepper(method string, course C) (algo.Stepper, error) {
	build, ok := r.make[method]
	if !ok {
		if len(r.make) == 0 {
			return nil, fmt.Errorf("method %q is not bound; call BindOwn first", method)
		}
		return nil, fmt.Errorf("unknown method %q in this scene", method)
	}
	return build(course)
}

// Runs returns the runs of the given methods at k = 0, one method after another. Each method has one run from every
// start, or a single run over all of them. course returns the course of a start. The run from start i, counted from 1,
// is called "method-i"; a run over all starts has the method's name. Each run applies the live changes that affect its
// method.
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

// apply applies a live change to a method's stepper. It ignores parameters of other methods.
func (r *Roster[C]) apply(method string, s algo.Stepper, c timeline.Change) error {
	value, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		return fmt.Errorf("%s = %q is not a number", c.Name, c.Text)
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
