package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/scene"
)

// vocabulary holds the names that conditions of a lesson can use.
type vocabulary struct {
	about  scene.About
	facts  map[string]bool // by full name
	params map[string]param.Descriptor
	panels []string // of the condition's step
	names  []string // of facts, each in full
}

// truths and numbers are the words of every scene with runs; functions ask what the visitor has
// done.
var (
	truths    = []string{"ended", "fresh", "playing"}
	functions = []string{"param", "changed", "live", "tried", "dragged", "scrubbed", "pinned", "near"}
)

// kinds are the facts' first names.
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
		return fmt.Errorf("%s is no fact of the scene %s%s", kind, v.about.ID, suggest(kind, v.kinds()))
	}
	written := func(args string) string { return fmt.Sprintf("%s(%s)", kind, strings.ReplaceAll(args, ".", ", ")) }
	asked := written(rest)
	if i := slices.IndexFunc(v.about.Facts, func(f scene.FactHelp) bool { return f.Name == kind }); i >= 0 {
		if of := v.about.Facts[i].Of; len(of) > 0 && (rest == "" || len(of) != strings.Count(rest, ".")+1) {
			return fmt.Errorf("%s is no fact: %s takes (%s)", asked, kind, strings.Join(of, ", "))
		}
	}
	if strings.Contains(rest, ".") { // several names mean nothing without what they are of
		rest = asked
		for i, args := range alike {
			alike[i] = written(args)
		}
	}
	return fmt.Errorf("%s is no fact of the scene %s%s", asked, v.about.ID, suggest(rest, alike))
}

// Param implements condition.Scope. Other values than numbers and truths are compared as texts,
// as they stand in links.
func (v *vocabulary) Param(name string) condition.Type {
	d, ok := v.params[name]
	if !ok {
		return condition.None
	}
	switch d.Kind {
	case param.Number, param.Integer, param.Seed:
		return condition.Number
	case param.Bool:
		return condition.Truth
	}
	return condition.Text
}

// namesIn returns the names in a line of a lesson's file, parted by spaces or commas.
func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// hidden reads the names of what a step hides.
func (v *vocabulary) hidden(text string) ([]string, error) {
	names := namesIn(text)
	for _, name := range names {
		if name != Numbers && !slices.Contains(v.panels, name) {
			return nil, fmt.Errorf("%s is no panel that the scene %s has in this state, nor the word %s%s",
				scene.Quote(name), v.about.ID, Numbers, suggest(name, v.panels))
		}
	}
	return names, nil
}

// mark says why words cannot name a mark of the picture: a method, or panel:ID.
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

// checked reads an expression that passes a check.
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

// tree reads an expression.
func (v *vocabulary) tree(source string) (*condition.Tree, error) {
	config := conf.CreateNew()
	config.MaxNodes = 500
	for _, name := range slices.Concat(functions, v.kinds()) { // before the language's own use of the name
		config.Functions[name] = &builtin.Function{Name: name}
	}
	tree, err := parser.ParseWithConfig(source, config)
	if err != nil {
		if at := (*file.Error)(nil); errors.As(err, &at) {
			return nil, fmt.Errorf("%s, at character %d", at.Message, at.Column+1)
		}
		return nil, err
	}
	return (&reader{v, []rune(source)}).read(tree.Node)
}

// reader turns an expression into a condition.
type reader struct {
	*vocabulary
	source []rune
}

func (r *reader) read(n ast.Node) (*condition.Tree, error) {
	switch n := n.(type) {
	case *ast.BoolNode:
		return &condition.Tree{Op: strconv.FormatBool(n.Value)}, nil
	case *ast.IntegerNode:
		return number(float64(n.Value)), nil
	case *ast.FloatNode:
		return number(n.Value), nil
	case *ast.StringNode:
		return &condition.Tree{Op: "text", Text: n.Value}, nil
	case *ast.IdentifierNode:
		return r.word(n.Value)
	case *ast.UnaryNode:
		return r.unary(n)
	case *ast.BinaryNode:
		return r.binary(n)
	case *ast.BuiltinNode:
		return nil, fmt.Errorf("%s is no function here%s", n.Name, suggest(n.Name, slices.Concat(functions, r.kinds())))
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); ok {
			return r.call(name.Value, n.Arguments)
		}
	case *ast.MemberNode:
		return nil, errors.New(`a name with a full stop is written param("ls.lambda") or, of a fact, with brackets: weight(mgda, 2)`)
	}
	return nil, fmt.Errorf("a condition has no %s", n)
}

func number(f float64) *condition.Tree { return &condition.Tree{Op: "number", Number: f} }

// word reads a name that stands alone.
func (r *reader) word(name string) (*condition.Tree, error) {
	d, isParam := r.params[name]
	switch {
	case slices.Contains(truths, name):
		if name != "playing" && !r.facts[name] {
			return nil, fmt.Errorf("the scene %s has no runs that could be %s", r.about.ID, name)
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
		return nil, fmt.Errorf("%s is a function: it takes brackets", name)
	}
	known := slices.Concat(truths, []string{"hero"}, r.kinds(), functions)
	for other := range r.params {
		known = append(known, other)
	}
	return nil, fmt.Errorf("%s is no parameter or fact of the scene %s%s", name, r.about.ID, suggest(name, known))
}

func (r *reader) param(d param.Descriptor) (*condition.Tree, error) {
	switch d.Kind {
	case param.Number, param.Integer, param.Seed, param.Choice, param.Bool:
		return &condition.Tree{Op: "param", Text: d.Name}, nil
	}
	return nil, fmt.Errorf("%s is a %s, which is compared with nothing; ask for changed(%q), or for a fact", d.Name, d.Kind, d.Name)
}

func (r *reader) unary(n *ast.UnaryNode) (*condition.Tree, error) {
	of, err := r.read(n.Node)
	switch {
	case err != nil:
		return nil, err
	case n.Operator == "not" || n.Operator == "!":
		return &condition.Tree{Op: "!", Args: []*condition.Tree{of}}, nil
	case n.Operator == "-" && of.Op == "number":
		return number(-of.Number), nil
	case n.Operator == "-":
		return &condition.Tree{Op: "-", Args: []*condition.Tree{of}}, nil
	}
	return nil, fmt.Errorf("%s stands for nothing here", n.Operator)
}

// operators of the language, as conditions call them.
var operators = map[string]string{
	"&&": "&&", "and": "&&", "||": "||", "or": "||", "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
	"+": "+", "-": "-", "*": "*", "/": "/",
}

func (r *reader) binary(n *ast.BinaryNode) (*condition.Tree, error) {
	op, ok := operators[n.Operator]
	if !ok {
		return nil, fmt.Errorf("%s stands for nothing here", n.Operator)
	}
	left, err := r.read(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.read(n.Right)
	if err != nil {
		return nil, err
	}
	if op == "==" || op == "!=" {
		if err := errors.Join(r.compared(left, right), r.compared(right, left)); err != nil {
			return nil, err
		}
	}
	return &condition.Tree{Op: op, Args: []*condition.Tree{left, right}}, nil
}

// compared reports a text that the other side of a comparison can never equal.
func (r *reader) compared(with, text *condition.Tree) error {
	if text.Op != "text" {
		return nil
	}
	switch d := r.params[with.Text]; {
	case with.Op == "hero" && !slices.Contains(r.panels, text.Text):
		return fmt.Errorf("%q is no panel of the scene %s%s", text.Text, r.about.ID, suggest(text.Text, r.panels))
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

func (r *reader) call(name string, args []ast.Node) (*condition.Tree, error) {
	if name == "near" {
		return r.near(args)
	}
	texts := make([]string, len(args))
	for i, a := range args {
		var err error
		if texts[i], err = argument(a); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !slices.Contains(functions, name) {
		full := strings.Join(append([]string{name}, texts...), ".")
		if !slices.Contains(r.kinds(), name) {
			return nil, fmt.Errorf("%s is no fact of the scene %s%s", name, r.about.ID, suggest(name, slices.Concat(r.kinds(), functions)))
		}
		return &condition.Tree{Op: "fact", Text: full}, r.Fact(full)
	}
	takes := 1
	if name == "scrubbed" || name == "pinned" {
		takes = 0
	}
	if len(texts) != takes {
		return nil, fmt.Errorf("%s takes %d names, not %d", name, takes, len(texts))
	}
	if takes == 0 {
		return &condition.Tree{Op: name}, nil
	}
	if name == "dragged" {
		return &condition.Tree{Op: name, Text: texts[0]}, nil
	}
	d, ok := r.params[texts[0]]
	if !ok {
		return nil, fmt.Errorf("%s(%q): %w", name, texts[0], r.unknownParam(texts[0]))
	}
	if name == "param" {
		return r.param(d)
	}
	if name == "live" && d.Effect != param.Live {
		return nil, fmt.Errorf("live(%q): a change of %s begins the runs anew and is never in the log", d.Name, d.Name)
	}
	return &condition.Tree{Op: name, Text: texts[0]}, nil
}

func (v *vocabulary) unknownParam(name string) error {
	known := make([]string, 0, len(v.params))
	for other := range v.params {
		known = append(known, other)
	}
	return fmt.Errorf("%s is no parameter of the scene %s%s", name, v.about.ID, suggest(name, known))
}

// argument returns the text of an argument of a fact or a function: a name, which may have
// hyphens, a number or a text.
func argument(n ast.Node) (string, error) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n.Value, nil
	case *ast.StringNode:
		return n.Value, nil
	case *ast.IntegerNode:
		return strconv.Itoa(n.Value), nil
	case *ast.BinaryNode:
		left, err := argument(n.Left)
		if err == nil && n.Operator == "-" {
			right, err := argument(n.Right)
			return left + "-" + right, err
		}
	}
	return "", fmt.Errorf("%s is neither a name nor a whole number", n)
}

// near reads near(x, 0.36): x, rounded to the written digits, is 0.36; a third argument is the
// allowed distance instead.
func (r *reader) near(args []ast.Node) (*condition.Tree, error) {
	if len(args) != 2 && len(args) != 3 {
		return nil, fmt.Errorf("near takes a number, what it is near to and, if you like, how near, not %d numbers", len(args))
	}
	x, err := r.read(args[0])
	if err != nil {
		return nil, err
	}
	centre, err := r.read(args[1])
	if err != nil {
		return nil, err
	}
	if centre.Op != "number" {
		return nil, errors.New("near: what a number is near to is written in digits")
	}
	within := number(r.half(args[1]))
	if len(args) == 3 {
		if within, err = r.read(args[2]); err != nil {
			return nil, err
		}
		if within.Op != "number" || within.Number < 0 {
			return nil, errors.New("near: how near is written in digits")
		}
	}
	return &condition.Tree{Op: "&&", Args: []*condition.Tree{
		{Op: ">=", Args: []*condition.Tree{x, number(centre.Number - within.Number)}},
		{Op: "<=", Args: []*condition.Tree{x, number(centre.Number + within.Number)}},
	}}, nil
}

// half returns half a unit of a number's last written digit.
func (r *reader) half(n ast.Node) float64 {
	if minus, ok := n.(*ast.UnaryNode); ok {
		return r.half(minus.Node)
	}
	at := n.Location()
	digits, power, _ := strings.Cut(strings.ToLower(string(r.source[at.From:at.To])), "e")
	_, decimals, _ := strings.Cut(digits, ".")
	exponent := 0
	if power != "" {
		exponent, _ = strconv.Atoi(power) // the parser has read it
	}
	return 0.5 * math.Pow(10, float64(exponent-len(decimals)))
}

// suggest names the known names that resemble an unknown one, or all of them if they are few.
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
		return "; there are: " + strings.Join(sorted, " ")
	}
	return ""
}

// distance returns how many letters must be inserted, deleted or changed to turn one text into
// the other.
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
