package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
)

// FactHelp explains one kind of fact. A fact's full name consists of Name and the arguments, joined by full stops:
// "collapsed.mgda" for collapsed(mgda).
type FactHelp struct {
	Name string   `json:"name"`
	Of   []string `json:"of,omitempty"` // the arguments: "method", "objective", or others that Text explains
	Text string   `json:"text"`         // what the fact is, in one sentence
}

// FactKind declares one kind of fact: its texts in lessons and lists, and how a scene of type S computes its facts.
// Exactly one of Value, OfMethod and List is set, or none if another kind's List includes these facts.
type FactKind[S any] struct {
	Name string
	Of   []string
	Text string // "" if the text of an earlier kind with this name covers both

	// Label follows the method's title. The label of Over's entry replaces %s in Label.
	Label, Unit string
	// Over lists the values of the second argument, after the method; may be nil.
	Over []FactArgument
	// Value computes the scene's fact for entry i of Over.
	Value func(s S, i int) float64
	// OfMethod computes a method's fact for entry i of Over. It returns NaN if the method does not run.
	OfMethod func(s S, method string, i int) float64
	// List, if set, returns all facts of this kind. It is for kinds whose names or order the other fields cannot give.
	List func(s S) []Fact

	// After names the kind whose facts precede these in lists. If it is "", the kinds keep their order.
	After string
}

// FactArgument is a possible value of a fact's argument.
type FactArgument struct{ Name, Label string }

// Counted returns the arguments 1 to n. label returns the label of entry i, counted from 0. If label is nil, the names are the
// labels.
func Counted(n int, label func(i int) string) []FactArgument {
	out := make([]FactArgument, n)
	for i := range out {
		name := strconv.Itoa(i + 1)
		out[i] = FactArgument{name, name}
		if label != nil {
			out[i].Label = label(i)
		}
	}
	return out
}

// FactKinds are a scene's kinds of facts, in the order of the catalog.
type FactKinds[S any] []FactKind[S]

// Help returns the explanations of all kinds that have a text.
func (kinds FactKinds[S]) Help() (out []FactHelp) {
	for _, kind := range kinds {
		if kind.Text != "" {
			out = append(out, FactHelp{kind.Name, kind.Of, kind.Text})
		}
	}
	return out
}

// Facts returns a scene's facts. The facts of adjacent kinds with methods are grouped by method. Within a group,
// adjacent kinds with equal Over alternate.
func (kinds FactKinds[S]) Facts(s S, methods []param.Method) (out []Fact) {
	none := []param.Method{{}}
	for _, group := range neighbours(kinds.listed(), func(a, b FactKind[S]) bool { return (a.OfMethod == nil) == (b.OfMethod == nil) }) {
		of := methods
		if group[0].OfMethod == nil {
			of = none
		}
		for _, m := range of {
			for _, alike := range neighbours(group, func(a, b FactKind[S]) bool { return slices.Equal(a.Over, b.Over) }) {
				for i := range max(1, len(alike[0].Over)) {
					for _, kind := range alike {
						out = append(out, kind.facts(s, m, i)...)
					}
				}
			}
		}
	}
	return out
}

// listed returns the kinds in the order in which lists show their facts.
func (kinds FactKinds[S]) listed() []FactKind[S] {
	out := slices.Clone(kinds)
	for _, kind := range kinds {
		if kind.After == "" {
			continue
		}
		named := func(name string) func(FactKind[S]) bool { return func(k FactKind[S]) bool { return k.Name == name } }
		out = slices.DeleteFunc(out, named(kind.Name))
		out = slices.Insert(out, slices.IndexFunc(out, named(kind.After))+1, kind)
	}
	return out
}

// neighbours splits a list wherever two adjacent entries are not alike.
func neighbours[K any](list []K, alike func(a, b K) bool) (out [][]K) {
	for i := range list {
		if i == 0 || !alike(list[i-1], list[i]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], list[i])
	}
	return out
}

// facts returns the facts of this kind for a method and entry i of Over. A method without an ID represents the scene.
func (kind FactKind[S]) facts(s S, m param.Method, i int) []Fact {
	f := Fact{Name: kind.Name, Label: kind.Label, Unit: kind.Unit}
	if len(kind.Over) > 0 {
		f.Label = fmt.Sprintf(kind.Label, kind.Over[i].Label)
	}
	switch {
	case kind.List != nil:
		return kind.List(s)
	case kind.OfMethod != nil:
		f.Name += "." + m.ID
		f.Label = m.Title + ": " + f.Label
		f.Value = func() float64 { return kind.OfMethod(s, m.ID, i) }
	case kind.Value != nil:
		f.Value = func() float64 { return kind.Value(s, i) }
	default:
		return nil
	}
	if len(kind.Over) > 0 {
		f.Name += "." + kind.Over[i].Name
	}
	return []Fact{f}
}

// FactKind returns the kind of the fact with the given full name, which consists of the kind's name and its arguments.
func (a About) FactKind(name string) (FactHelp, bool) {
	for _, f := range a.Facts {
		rest, ok := strings.CutPrefix(name, f.Name)
		if ok && strings.Count(rest, ".") == len(f.Of) && (rest == "" || rest[0] == '.') {
			return f, true
		}
	}
	return FactHelp{}, false
}

// RunFacts are the names of facts that every scene with runs has.
var RunFacts = []string{"iteration", "latest", "ended", "fresh"}

// FactsOf returns a scene's facts and, if the scene has runs, the facts that all such scenes have.
func FactsOf(s Scene) []Fact {
	if _, static := AsStatic(s); static {
		return s.Facts()
	}
	t := s.Timeline()
	truth := func(of func() bool) func() float64 {
		return func() float64 {
			if of() {
				return 1
			}
			return 0
		}
	}
	return append([]Fact{ // the names are in RunFacts
		{Name: "iteration", Label: "iteration shown", Value: func() float64 { return float64(t.Marker()) }},
		{Name: "latest", Label: "latest iteration", Value: func() float64 { return float64(t.Latest()) }},
		{Name: "ended", Label: "all runs have ended", Value: truth(func() bool { return !t.Running() })},
		{Name: "fresh", Label: "nothing was changed while running", Value: truth(func() bool { return len(t.Log()) == 0 })},
	}, s.Facts()...)
}
