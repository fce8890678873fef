package lesson

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/scene"
)

// vocabulary holds the names that a lesson's conditions can use.
type vocabulary struct {
	about  scene.About
	facts  map[string]bool // by full name
	params map[string]param.Descriptor
	panels []string // in the condition's step
	names  []string // full names of facts
}

// truths and numbers list the names that conditions can use in every scene with runs. functions lists the functions
// about a visitor's actions.
var (
	truths    = []string{"ended", "fresh", "playing"}
	functions = []string{"param", "changed", "live", "tried", "dragged", "scrubbed", "pinned", "near"}
)

// kinds returns the first parts of the facts' names.
func (v *vocabulary) kinds() []string {
	var out []string
	for _, name := range v.names {
		if kind, _, _ := strings.Cut(name, "."); !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// Fact implements condition.Scope.
func (v *vocabulary) Fact(name string) error {
	if v.facts[name] {
		return nil
	}
	kind, rest, _ := strings.Cut(name, ".")
	var alike []string
	for _, other := range v.names {
		if k, args, _ := strings.Cut(other, "."); k == kind {
			alike = append(alike, args)
		}
	}
	if len(alike) == 0 {
		return fmt.Errorf("unknown fact %s of the scene %s%s", kind, v.about.ID, suggest(kind, v.kinds()))
	}
	written := func(args string) string { return fmt.Sprintf("%s(%s)", kind, strings.ReplaceAll(args, ".", ", ")) }
	asked := written(rest)
	if i := slices.IndexFunc(v.about.Facts, func(f scene.FactHelp) bool { return f.Name == kind }); i >= 0 {
		if of := v.about.Facts[i].Of; len(of) > 0 && (rest == "" || len(of) != strings.Count(rest, ".")+1) {
			return fmt.Errorf("unknown fact %s; %s takes (%s)", asked, kind, strings.Join(of, ", "))
		}
	}
	if strings.Contains(rest, ".") { // several arguments are clear only together with the fact's name
		rest = asked
		for i, args := range alike {
			alike[i] = written(args)
		}
	}
	return fmt.Errorf("unknown fact %s of the scene %s%s", asked, v.about.ID, suggest(rest, alike))
}

// Param implements condition.Scope.
func (v *vocabulary) Param(name string) condition.Type {
	d, ok := v.params[name]
	if !ok {
		return condition.None
	}
	return condition.TypeOf(d)
}

// namesIn returns the names in a line of a lesson's file, separated by spaces or commas.
func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// hidden reads the names of the parts that a step hides.
func (v *vocabulary) hidden(text string) ([]string, error) {
	names := namesIn(text)
	for _, name := range names {
		if name != Numbers && !slices.Contains(v.panels, name) {
			return nil, fmt.Errorf("%s is neither a panel of the scene %s in this state nor the word %s%s",
				scene.Quote(name), v.about.ID, Numbers, suggest(name, v.panels))
		}
	}
	return names, nil
}

// mark returns the reason why an ID does not name a mark of the picture, or "" if the ID names one. The ID of a mark is
// a method or panel:ID.
func (v *vocabulary) mark(id string) (why string) {
	if name, is := strings.CutPrefix(id, "panel:"); is {
		if !slices.Contains(v.panels, name) {
			return fmt.Sprintf("the scene %s has no such panel in this state%s", v.about.ID, suggest(name, v.panels))
		}
		return ""
	}
	var known []string
	for _, m := range v.about.Methods {
		known = append(known, m.ID)
	}
	if !slices.Contains(known, id) {
		return fmt.Sprintf("it is neither a method of the scene %s nor panel: and a panel%s", v.about.ID, suggest(id, known))
	}
	return ""
}

// parse reads a condition of a lesson.
func (v *vocabulary) parse(source string) (*condition.Tree, error) {
	return v.checked(source, (*condition.Tree).Check)
}

// parseNumber reads a number, such as 100 * middle(ls).
func (v *vocabulary) parseNumber(source string) (*condition.Tree, error) {
	return v.checked(source, (*condition.Tree).CheckNumber)
}

// checked parses an expression and returns the error that check finds in it, if any.
func (v *vocabulary) checked(source string, check func(*condition.Tree, condition.Scope) error) (*condition.Tree, error) {
	t, err := v.tree(source)
	if err == nil {
		err = check(t, v)
	}
	if err != nil {
		return nil, fmt.Errorf("%w, in %s", err, source)
	}
	return t, nil
}

// tree parses an expression.
func (v *vocabulary) tree(source string) (*condition.Tree, error) {
	list, err := split(source)
	if err != nil {
		return nil, err
	}
	return (&reader{vocabulary: v, tokens: list}).whole()
}

// word reads a name without brackets.
func (r *reader) word(name string) (*condition.Tree, error) {
	d, isParam := r.params[name]
	switch {
	case slices.Contains(truths, name):
		if name != "playing" && !r.facts[name] {
			return nil, fmt.Errorf("the scene %s has no runs, so they cannot be %s", r.about.ID, name)
		}
		return &condition.Tree{Op: name}, nil
	case name == "hero":
		return &condition.Tree{Op: name}, nil
	case isParam && r.facts[name]:
		return nil, fmt.Errorf("%s is a parameter and a fact; write param(%q) for the parameter or %s() for the fact", name, name, name)
	case isParam:
		return r.param(d)
	case r.facts[name]:
		return &condition.Tree{Op: "fact", Text: name}, nil
	case slices.Contains(r.kinds(), name):
		return nil, r.Fact(name)
	case slices.Contains(functions, name):
		return nil, fmt.Errorf("%s is a function; write brackets after it", name)
	}
	known := slices.Concat(truths, []string{"hero"}, r.kinds(), functions)
	for other := range r.params {
		known = append(known, other)
	}
	return nil, fmt.Errorf("unknown parameter or fact %s of the scene %s%s", name, r.about.ID, suggest(name, known))
}

func (r *reader) param(d param.Descriptor) (*condition.Tree, error) {
	switch d.Kind {
	case param.Number, param.Integer, param.Seed, param.Choice, param.Bool:
		return &condition.Tree{Op: "param", Text: d.Name}, nil
	}
	return nil, fmt.Errorf("%s is a %s, which cannot be compared; use changed(%q) or a fact", d.Name, d.Kind, d.Name)
}

// compared returns an error if text can never equal the other side of a comparison.
func (r *reader) compared(with, text *condition.Tree) error {
	if text.Op != "text" {
		return nil
	}
	switch d := r.params[with.Text]; {
	case with.Op == "hero" && !slices.Contains(r.panels, text.Text):
		return fmt.Errorf("unknown panel %q of the scene %s%s", text.Text, r.about.ID, suggest(text.Text, r.panels))
	case with.Op == "param" && d.Kind == param.Choice:
		options := make([]string, len(d.Options))
		for i, o := range d.Options {
			options[i] = o.Value
		}
		if !slices.Contains(options, text.Text) {
			return fmt.Errorf("%s is never %q%s", d.Name, text.Text, suggest(text.Text, options))
		}
	}
	return nil
}

func (v *vocabulary) unknownParam(name string) error {
	known := make([]string, 0, len(v.params))
	for other := range v.params {
		known = append(known, other)
	}
	return fmt.Errorf("unknown parameter %s of the scene %s%s", name, v.about.ID, suggest(name, known))
}

// suggest lists the known names that resemble an unknown one, or all of them if they are few.
func suggest(name string, known []string) string {
	best, least := "", min(3, max(1, len(name)/2))+1
	sorted := slices.Sorted(slices.Values(known))
	for _, k := range sorted {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	const few = 12
	switch {
	case best != "":
		return fmt.Sprintf("; did you mean %s?", best)
	case len(sorted) > 0 && len(sorted) <= few:
		return "; available: " + strings.Join(sorted, " ")
	}
	return ""
}

// distance returns the edit distance between two texts: the number of letters to insert, delete or change.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
