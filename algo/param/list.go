package param

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List binds descriptors to the fields that hold their values. The order of binding is the order on the page.
type List struct {
	entries  []entry
	section  string
	together []func() error // checks of several parameters together
	version  uint64
}

// Version returns a number that rises whenever a parameter gets a value through the list.
func (l *List) Version() uint64 { return l.version }

// Require adds a check of several bound parameters together to Check. sound returns an error if their
// values exclude each other.
func (l *List) Require(sound func() error) { l.together = append(l.together, sound) }

// Section sets the heading for parameters bound from now on, except those with a Group.
func (l *List) Section(group string) { l.section = group }

// Include binds the parameters of another list that keep accepts. Both lists then read and write
// the same fields. In l the current values are the defaults, and l's section is the heading.
func (l *List) Include(from *List, keep func(Descriptor) bool) {
	for _, e := range from.entries {
		if !keep(e.Descriptor) {
			continue
		}
		if _, taken := l.Lookup(e.Name); taken {
			panic("param: " + e.Name + " bound twice")
		}
		if e.Group == "" {
			e.Group = l.section
		}
		e.Default = e.get()
		l.entries = append(l.entries, e)
	}
}

// Disable marks an option of a bound Choice or Set as unavailable; the page lists it with the
// reason. It panics if there is no such parameter or option, or if the default contains the
// option.
func (l *List) Disable(name, option, reason string) {
	e := l.find(name)
	if e == nil {
		panic("param: " + name + " is not bound")
	}
	i := slices.IndexFunc(e.Options, func(o Option) bool { return o.Value == option })
	if i < 0 || slices.Contains(strings.Split(format(e.Default), ","), option) {
		panic("param: " + option + " is not an option of " + name + ", or is its default")
	}
	e.Options = slices.Clone(e.Options) // other parameters may use the same table
	e.Options[i].Disabled = reason
}

// Restrict sets when the page shows the bound parameters, except those that have an Only and those named.
func (l *List) Restrict(only Only, except ...string) {
	for i := range l.entries {
		if e := &l.entries[i]; e.Only == nil && !slices.Contains(except, e.Name) {
			e.Only = &only
		}
	}
}

// Under makes the page show a bound parameter of a method only if the chosen value of a Choice is
// that method's name.
func (l *List) Under(choice string) {
	for i := range l.entries {
		if e := &l.entries[i]; e.Method != "" {
			e.Only, e.Method = &Only{Name: choice, Values: []string{e.Method}}, ""
		}
	}
}

// Describe sets the label and help of a bound parameter, and of the options of a Choice or Set.
// The options given here may be in any order, and only their Label and Help count. It panics if
// there is no such parameter, or if the options are not exactly the parameter's.
func (l *List) Describe(name, label, help string, options ...Option) {
	e := l.find(name)
	if e == nil {
		panic("param: " + name + " is not bound")
	}
	e.Label, e.Help = label, help
	if len(options) != len(e.Options) {
		panic(fmt.Sprintf("param: %s has %d options, %d are described", name, len(e.Options), len(options)))
	}
	e.Options = slices.Clone(e.Options) // other parameters may use the same table
	for i := range e.Options {
		at := slices.IndexFunc(options, func(o Option) bool { return o.Value == e.Options[i].Value })
		if at < 0 {
			panic("param: the option " + e.Options[i].Value + " of " + name + " is not described")
		}
		e.Options[i].Label, e.Options[i].Help = options[at].Label, options[at].Help
	}
}

// entry is one bound parameter. get and set move values of the Kind's Go type.
type entry struct {
	Descriptor
	get func() any
	set func(any)
}

func bind[T any](l *List, field *T, d Descriptor, kind Kind) {
	if _, taken := l.Lookup(d.Name); taken {
		panic("param: " + d.Name + " bound twice")
	}
	if d.Group == "" {
		d.Group = l.section
	}
	d.Kind, d.Effect = kind, cmp.Or(d.Effect, Restart)
	d.Default = *field
	l.entries = append(l.entries, entry{d, func() any { return *field }, func(v any) { *field = v.(T) }})
}

// Number binds a float64; the field's value is the default.
func (l *List) Number(field *float64, d Descriptor) { bind(l, field, d, Number) }

// Integer binds an int.
func (l *List) Integer(field *int, d Descriptor) { bind(l, field, d, Integer) }

// Choice binds a string that is one of d.Options.
func (l *List) Choice(field *string, d Descriptor) { bind(l, field, d, Choice) }

// Set binds a subset of d.Options, kept in their order.
func (l *List) Set(field *[]string, d Descriptor) { bind(l, field, d, Set) }

// OpenSet binds at most d.AtMost names that a visitor chooses freely, such as the columns of a
// file. Each has 1 to 80 characters and no control characters, and no two are equal.
func (l *List) OpenSet(field *[]string, d Descriptor) {
	d.Open = true
	if *field == nil {
		*field = []string{} // in JSON [], not null
	}
	bind(l, field, d, Set)
}

// Bool binds a boolean.
func (l *List) Bool(field *bool, d Descriptor) { bind(l, field, d, Bool) }

// Seed binds a seed; it is at most 2⁵³−1, so that a page can hold it.
func (l *List) Seed(field *uint64, d Descriptor) {
	d.Min, d.Max, d.Step = 0, 1<<53-1, 1
	bind(l, field, d, Seed)
}

// Points binds a list of points. An empty point means that the scene draws one at random.
func (l *List) Points(field *[][]float64, d Descriptor) {
	if *field == nil {
		*field = [][]float64{} // in JSON [], not null
	}
	bind(l, field, d, Points)
}

// Simplex binds shares of a whole, each at least d.Min, with sum 1. There are as many as the
// field has or, with a Count, as many as that Integer's value, at most d.AtMost. With a Count, an
// empty field means equal shares.
func (l *List) Simplex(field *[]float64, d Descriptor) {
	d.Max = 1
	if d.Count == "" {
		d.Columns = len(*field)
	} else if *field == nil {
		*field = []float64{} // in JSON [], not null
	}
	bind(l, field, d, Simplex)
}

// Frequencies binds whole numbers from 0 to d.Max, not all 0. There are as many as the field has
// or, with a Count, as many as that Integer's value, at most d.AtMost. With a Count, an empty
// field means ones.
func (l *List) Frequencies(field *[]int, d Descriptor) {
	d.Min, d.Step = 0, 1
	if d.Count == "" {
		d.Columns = len(*field)
	} else if *field == nil {
		*field = []int{} // in JSON [], not null
	}
	bind(l, field, d, Simplex)
}

// Matrix binds rows of equal length.
func (l *List) Matrix(field *[][]float64, d Descriptor) { bind(l, field, d, Matrix) }

// Camera binds the viewpoint of a picture of space.
func (l *List) Camera(field *[3]float64, d Descriptor) { bind(l, field, d, Camera) }

// FreeText binds a text of at most MaxText characters, such as a formula. It is one line unless d.Lines. It panics
// for a parameter with the effect Live, because the log of live changes holds only numbers and names.
func (l *List) FreeText(field *string, d Descriptor) {
	if d.Effect == Live {
		panic("param: the text " + d.Name + " has the effect Live")
	}
	d.AtMost = MaxText
	bind(l, field, d, Text)
}

// Descriptors returns the descriptors in order, with their defaults.
func (l *List) Descriptors() []Descriptor {
	out := make([]Descriptor, len(l.entries))
	for i, e := range l.entries {
		out[i] = e.Descriptor
	}
	return out
}

// Current returns the descriptors in order, with their values.
func (l *List) Current() []Current {
	out := make([]Current, len(l.entries))
	for i, e := range l.entries {
		out[i] = Current{e.Descriptor, e.get()}
	}
	return out
}

// Lookup returns the descriptor with a name.
func (l *List) Lookup(name string) (Descriptor, bool) {
	if e := l.find(name); e != nil {
		return e.Descriptor, true
	}
	return Descriptor{}, false
}

// Useful reports whether the named parameter exists and has an effect with the current values: see Descriptor.Only.
func (l *List) Useful(name string) bool {
	d, ok := l.Lookup(name)
	if d.Only == nil {
		return ok
	}
	for only := d.Only; only != nil; only = only.Or {
		if l.find(only.Name) == nil || slices.Contains(only.Values, l.Text(only.Name)) {
			return true
		}
	}
	return false
}

// Symbol returns the symbol of the named parameter, or "" if there is no such parameter.
func (l *List) Symbol(name string) string {
	d, _ := l.Lookup(name)
	return d.Symbol
}

func (l *List) find(name string) *entry {
	for i := range l.entries {
		if l.entries[i].Name == name {
			return &l.entries[i]
		}
	}
	return nil
}

// Names returns every name, in order.
func (l *List) Names() []string {
	out := make([]string, len(l.entries))
	for i, e := range l.entries {
		out[i] = e.Name
	}
	return out
}

// Value returns the current value, of the Kind's Go type, or nil for an unknown name.
func (l *List) Value(name string) any {
	if e := l.find(name); e != nil {
		return e.get()
	}
	return nil
}

// Text returns the current value as a text that Assign reads, or "" for an unknown name.
func (l *List) Text(name string) string {
	if e := l.find(name); e != nil {
		return format(e.get())
	}
	return ""
}

// IsDefault reports whether the current value is the default.
func (l *List) IsDefault(name string) bool {
	e := l.find(name)
	return e != nil && format(e.get()) == format(e.Default)
}

// Restore sets every parameter to its default.
func (l *List) Restore() {
	l.version++
	for _, e := range l.entries {
		e.set(e.Default)
	}
}

// Reset sets the named parameter to its default.
func (l *List) Reset(name string) error {
	e := l.find(name)
	if e == nil {
		return &UnknownError{Name: name, Known: l.Names()}
	}
	l.version++
	e.set(e.Default)
	return nil
}

// Assign reads text strictly into the parameter. It returns an error for an unknown name, a value
// of another type or a value outside the range. The error names the parameter, the value and what
// is allowed, and nothing changes.
func (l *List) Assign(name, text string) error {
	e := l.find(name)
	if e == nil {
		return &UnknownError{Name: name, Known: l.Names()}
	}
	value, notice, err := e.parse(text)
	if err != nil {
		return err
	}
	if refused := e.refused(text); refused != "" {
		return errors.New(refused)
	}
	if notice != "" {
		return fmt.Errorf("%s = %s: allowed is %s", name, clip(text), e.Allowed())
	}
	l.version++
	e.set(value)
	return nil
}

// Clamp reads text leniently. A number outside the range is moved to the nearest end, and unknown
// options of a set are left out, each with a notice for the visitor. It returns an error, and
// changes nothing, if text cannot be read at all.
func (l *List) Clamp(name, text string) (notice string, err error) {
	e := l.find(name)
	if e == nil {
		return "", &UnknownError{Name: name, Known: l.Names()}
	}
	value, notice, err := e.parse(text)
	if err != nil {
		return "", err
	}
	l.version++
	e.set(value)
	return notice, nil
}

// Canonical returns the text of the value that Clamp would set, without changing the parameter.
func (l *List) Canonical(name, text string) (canonical, notice string, err error) {
	e := l.find(name)
	if e == nil {
		return "", "", &UnknownError{Name: name, Known: l.Names()}
	}
	value, notice, err := e.parse(text)
	if err != nil {
		return "", "", err
	}
	return format(value), notice, nil
}

// UnknownError reports an unknown parameter, and lists the known ones.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	known := slices.Clone(e.Known)
	slices.Sort(known)
	return fmt.Sprintf("unknown parameter %q; available: %s", clip(e.Name), strings.Join(known, " "))
}

// With calls f while parameters have the given texts, and then restores their values.
func (l *List) With(texts map[string]string, f func() error) error {
	present := map[string]string{}
	for name, text := range texts {
		present[name] = l.Text(name)
		if err := l.Assign(name, text); err != nil {
			return err
		}
	}
	err := f()
	for name, text := range present {
		if e := l.Assign(name, text); err == nil {
			err = e
		}
	}
	return err
}
