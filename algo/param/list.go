package param

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List binds parameters to the fields that hold their values. The page shows parameters in the order of binding.
type List struct {
	entries  []entry
	section  string
	together []func() error // checks that involve several parameters
	version  uint64
}

// Version returns a number that increases whenever the list sets a parameter.
func (l *List) Version() uint64 { return l.version }

// Require adds a check of several bound parameters to Check. The function sound must return an
// error if their values are incompatible.
func (l *List) Require(sound func() error) { l.together = append(l.together, sound) }

// Section sets the heading for parameters bound afterwards, except for parameters with a Group.
func (l *List) Section(group string) { l.section = group }

// Include binds those parameters of another list for which keep returns true. Both lists then read and write the same
// fields. In l, the current values become the defaults, and l's section becomes the heading.
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

// Disable marks an option of a bound Choice or Set as unavailable. The page lists the option with the reason. Disable
// panics if the parameter or option does not exist, or if the default contains the option.
func (l *List) Disable(name, option, reason string) {
	e := l.find(name)
	if e == nil {
		panic("param: " + name + " is not bound")
	}
	i := slices.IndexFunc(e.Options, func(o Option) bool { return o.Value == option })
	if i < 0 || slices.Contains(strings.Split(format(e.Default), ","), option) {
		panic("param: " + option + " is not an option of " + name + ", or is its default")
	}
	e.Options = slices.Clone(e.Options) // copied because other parameters may use the same table
	e.Options[i].Disabled = reason
}

// Restrict sets the condition under which the page shows the parameters bound so far. It skips parameters that have an
// Only and parameters named in except.
func (l *List) Restrict(only Only, except ...string) {
	for i := range l.entries {
		if e := &l.entries[i]; e.Only == nil && !slices.Contains(except, e.Name) {
			e.Only = &only
		}
	}
}

// Under makes all bound parameters of methods conditional. The page then shows a parameter only if the value of the
// given Choice is the name of its method.
func (l *List) Under(choice string) {
	for i := range l.entries {
		if e := &l.entries[i]; e.Method != "" {
			e.Only, e.Method = &Only{Name: choice, Values: []string{e.Method}}, ""
		}
	}
}

// Describe sets the label and help of a bound parameter, and of the options of a Choice or Set. The given options may
// be in any order; Describe uses only their Label and Help. It panics if the parameter does not exist or if its
// options are not exactly the given ones.
func (l *List) Describe(name, label, help string, options ...Option) {
	e := l.find(name)
	if e == nil {
		panic("param: " + name + " is not bound")
	}
	e.Label, e.Help = label, help
	if len(options) != len(e.Options) {
		panic(fmt.Sprintf("param: %s has %d options, but %d are described", name, len(e.Options), len(options)))
	}
	e.Options = slices.Clone(e.Options) // copied because other parameters may use the same table
	for i := range e.Options {
		at := slices.IndexFunc(options, func(o Option) bool { return o.Value == e.Options[i].Value })
		if at < 0 {
			panic("param: the option " + e.Options[i].Value + " of " + name + " is not described")
		}
		e.Options[i].Label, e.Options[i].Help = options[at].Label, options[at].Help
	}
}

// entry is a bound parameter. get and set transfer values of the Kind's Go type.
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

// Number binds a float64. The current value of the field is the default.
func (l *List) Number(field *float64, d Descriptor) { bind(l, field, d, Number) }

// Integer binds an int.
func (l *List) Integer(field *int, d Descriptor) { bind(l, field, d, Integer) }

// Choice binds a string. Its values are d.Options.
func (l *List) Choice(field *string, d Descriptor) { bind(l, field, d, Choice) }

// Set binds a subset of d.Options. The List keeps the subset in the order of the options.
func (l *List) Set(field *[]string, d Descriptor) { bind(l, field, d, Set) }

// OpenSet binds at most d.AtMost names that a visitor chooses freely, such as the columns of a file. Each name has 1
// to 80 characters and no control characters, and all names are different.
func (l *List) OpenSet(field *[]string, d Descriptor) {
	d.Open = true
	if *field == nil {
		*field = []string{} // encodes as [] in JSON, not null
	}
	bind(l, field, d, Set)
}

// Bool binds a boolean.
func (l *List) Bool(field *bool, d Descriptor) { bind(l, field, d, Bool) }

// Seed binds a seed of at most 2⁵³−1, so that a page can represent it exactly.
func (l *List) Seed(field *uint64, d Descriptor) {
	d.Min, d.Max, d.Step = 0, 1<<53-1, 1
	bind(l, field, d, Seed)
}

// Points binds a list of points. An empty point means that the scene draws a random point.
func (l *List) Points(field *[][]float64, d Descriptor) {
	if *field == nil {
		*field = [][]float64{} // encodes as [] in JSON, not null
	}
	bind(l, field, d, Points)
}

// Simplex binds shares of a whole, each at least d.Min, with sum 1. The number of shares is the length of the field.
// With a Count, it is the value of the Integer that Count names, at most d.AtMost, and an empty field means equal
// shares.
func (l *List) Simplex(field *[]float64, d Descriptor) {
	d.Max = 1
	if d.Count == "" {
		d.Columns = len(*field)
	} else if *field == nil {
		*field = []float64{} // encodes as [] in JSON, not null
	}
	bind(l, field, d, Simplex)
}

// Frequencies binds whole numbers from 0 to d.Max, not all 0. The number of entries is the length of the field. With a
// Count, it is the value of the Integer that Count names, at most d.AtMost, and an empty field means that all entries
// are 1.
func (l *List) Frequencies(field *[]int, d Descriptor) {
	d.Min, d.Step = 0, 1
	if d.Count == "" {
		d.Columns = len(*field)
	} else if *field == nil {
		*field = []int{} // encodes as [] in JSON, not null
	}
	bind(l, field, d, Simplex)
}

// Matrix binds rows of equal length.
func (l *List) Matrix(field *[][]float64, d Descriptor) { bind(l, field, d, Matrix) }

// Camera binds the viewpoint of a three-dimensional picture.
func (l *List) Camera(field *[3]float64, d Descriptor) { bind(l, field, d, Camera) }

// FreeText binds a text of at most MaxText characters, such as a formula. The text is a single line unless d.Lines is
// true. FreeText panics for a parameter with the effect Live, because the log of live changes contains only numbers
// and names.
func (l *List) FreeText(field *string, d Descriptor) {
	if d.Effect == Live {
		panic("param: the text " + d.Name + " has the effect Live")
	}
	d.AtMost = MaxText
	bind(l, field, d, Text)
}

// Descriptors returns the descriptors in order of binding, with their defaults.
func (l *List) Descriptors() []Descriptor {
	out := make([]Descriptor, len(l.entries))
	for i, e := range l.entries {
		out[i] = e.Descriptor
	}
	return out
}

// Current returns the descriptors in order of binding, with their current values.
func (l *List) Current() []Current {
	out := make([]Current, len(l.entries))
	for i, e := range l.entries {
		out[i] = Current{e.Descriptor, e.get()}
	}
	return out
}

// Lookup returns the descriptor with the given name, and whether it exists.
func (l *List) Lookup(name string) (Descriptor, bool) {
	if e := l.find(name); e != nil {
		return e.Descriptor, true
	}
	return Descriptor{}, false
}

// Useful reports whether the named parameter exists and has an effect for the current values: see Descriptor.Only.
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

// Names returns the names of all parameters, in order of binding.
func (l *List) Names() []string {
	out := make([]string, len(l.entries))
	for i, e := range l.entries {
		out[i] = e.Name
	}
	return out
}

// Value returns the current value of a parameter, of the Kind's Go type, or nil for an unknown name.
func (l *List) Value(name string) any {
	if e := l.find(name); e != nil {
		return e.get()
	}
	return nil
}

// Text returns the current value of a parameter in the text form that Assign parses, or "" for an unknown name.
func (l *List) Text(name string) string {
	if e := l.find(name); e != nil {
		return format(e.get())
	}
	return ""
}

// IsDefault reports whether the current value of the named parameter is its default.
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

// Assign parses text strictly and sets the parameter. It returns an error for an unknown name, a value of another
// type or a value outside the range. The error names the parameter, the value and the allowed values. After an error,
// the parameter is unchanged.
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
		return fmt.Errorf("%s = %s: use %s", name, clip(text), e.Allowed())
	}
	l.version++
	e.set(value)
	return nil
}

// Clamp parses text leniently and sets the parameter. It moves a number outside the range to the nearest end and
// drops unknown options of a set, each with a notice for the visitor. If it cannot parse text, it returns an error
// and does not change the parameter.
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

// Canonical returns the text form of the value that Clamp would set. It does not change the parameter.
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

// UnknownError reports an unknown parameter and lists the known parameters.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	known := slices.Clone(e.Known)
	slices.Sort(known)
	return fmt.Sprintf("unknown parameter %q; available: %s", clip(e.Name), strings.Join(known, " "))
}

// With sets parameters to the given texts, calls f and then restores the previous values.
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
