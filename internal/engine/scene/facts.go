package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
)

// FactHelp explains facts of one kind. A fact's full name is Name, then each argument after a full
// stop, such as "collapsed.mgda" for collapsed(mgda).
type FactHelp struct {
	Name string   `json:"name"`
	Of   []string `json:"of,omitempty"` // what it takes: "method", "objective", or what else its Text explains
	Text string   `json:"text"`         // what it is, one sentence
}

// FactKind declares facts of one kind: their words in lessons and lists, and how a scene of type S
// computes them. Exactly one of Value, OfMethod and List is set, or none if another kind's List
// includes them.
type FactKind[S any] struct {
	Name string
	Of   []string
	Text string // "" where an earlier kind of the same name has the text of both

	// Label stands after the title of the method. %s in it stands for the label of Over's entry.
	Label, Unit string
	// Over lists the values of the argument besides the method; nil for none.
	Over []FactArgument
	// Value computes a fact of the scene for entry i of Over.
	Value func(s S, i int) float64
	// OfMethod computes a method's fact for entry i of Over, NaN if the method does not run.
	OfMethod func(s S, method string, i int) float64
	// List returns all facts of this kind, if their names or order follow another rule.
	List func(s S) []Fact

	// After names the kind after whose facts the facts of this kind are listed; "" lists them where
	// the kind stands.
	After string
}

// FactArgument is a possible value of a fact's argument.
type FactArgument struct{ Name, Label string }

// Counted returns the arguments 1 to n. label returns the label of entry i, from 0; nil labels them
// by their names.
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

// FactKinds are the kinds of facts of a scene, in the order of the catalog.
type FactKinds[S any] []FactKind[S]

// Help explains the facts.
func (kinds FactKinds[S]) Help() (out []FactHelp) {
	for _, kind := range kinds {
		if kind.Text != "" {
			out = append(out, FactHelp{kind.Name, kind.Of, kind.Text})
		}
	}
	return out
}

// Facts lists the facts of a scene. Neighbouring kinds with methods alternate: all facts of the
// first method come first. So do neighbours with the same Over.
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

// listed returns the kinds in the order in which their facts are listed.
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

// neighbours splits a list between entries for which alike does not hold.
func neighbours[K any](list []K, alike func(a, b K) bool) (out [][]K) {
	for i := range list {
		if i == 0 || !alike(list[i-1], list[i]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], list[i])
	}
	return out
}

// facts returns the fact of a method, without an ID for the scene, and of entry i of Over.
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

// FactKind returns the kind of the fact of that full name: the name of the kind, and after it as many
// arguments as the kind takes.
func (a About) FactKind(name string) (FactHelp, bool) {
	for _, f := range a.Facts {
		rest, ok := strings.CutPrefix(name, f.Name)
		if ok && strings.Count(rest, ".") == len(f.Of) && (rest == "" || rest[0] == '.') {
			return f, true
		}
	}
	return FactHelp{}, false
}

// RunFacts are the facts of any scene with runs.
var RunFacts = []string{"iteration", "latest", "ended", "fresh"}

// FactsOf returns a scene's named numbers and the common ones of scenes with runs.
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
	return append([]Fact{ // the names in RunFacts
		{Name: "iteration", Label: "iteration shown", Value: func() float64 { return float64(t.Marker()) }},
		{Name: "latest", Label: "latest iteration", Value: func() float64 { return float64(t.Latest()) }},
		{Name: "ended", Label: "all runs have ended", Value: truth(func() bool { return !t.Running() })},
		{Name: "fresh", Label: "nothing was changed while running", Value: truth(func() bool { return len(t.Log()) == 0 })},
	}, s.Facts()...)
}
