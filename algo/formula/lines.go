package formula

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"paretoplay/internal/pattern"
)

// Kind classifies a line.
type Kind int

const (
	Objective  Kind = iota // a formula named f1, f2, ..., or without a name
	Definition             // a part of formulas, a named number, or the number of variables
	Bound                  // bounds of one variable, or of all
)

// Line is a line of a text that is neither empty nor a comment.
type Line struct {
	Kind   Kind
	Name   string // name before =, such as f1 for "min F1(x) ="; "" if there is none
	Text   string // for objectives, the formula after =; for definitions and bounds, the whole line without its comment
	Number int    // line number, from 1
	Column int    // column where Text begins, from 1
}

// Split returns the lines of a one-level problem's text without parsing the formulas. Errors are of type *Error.
func Split(text string) ([]Line, error) {
	var out []Line
	upper := !oneLevel().MatchString(text)
	for i, row := range rowsOf(text) {
		row = withoutComment(row)
		if strings.TrimSpace(row) == "" {
			continue
		}
		begin := len(row) - len(strings.TrimLeft(row, " \t"))
		l := Line{Number: i + 1, Column: utf8.RuneCountInString(row[:begin]) + 1, Text: strings.TrimSpace(row)}
		if _, is := boundText(row); is {
			l.Kind = Bound
			out = append(out, l)
			continue
		}
		if comparison().MatchString(row) {
			return nil, constraint(i+1, row)
		}
		name, from, err := headOf(i+1, row)
		if err != nil {
			return nil, err
		}
		if l.Name = objectiveOf(name, upper); l.Name == "" || objectiveName().MatchString(l.Name) {
			for from < len(row) && (row[from] == ' ' || row[from] == '\t') {
				from++
			}
			l.Text, l.Column = strings.TrimSpace(row[from:]), utf8.RuneCountInString(row[:from])+1
		} else {
			l.Kind = Definition
		}
		out = append(out, l)
	}
	return out, nil
}

// objectiveOf returns the standard name of a line. If upper is true, F1, F2, ... become f1, f2, ...
func objectiveOf(name string, upper bool) string {
	if upper && upperName().MatchString(name) {
		return "f" + name[1:]
	}
	return name
}

// rowsOf splits a text at its line breaks.
func rowsOf(text string) []string {
	return strings.Split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n")
}

// withoutComment returns a row without its comment and without a trailing semicolon. A comment starts with #, or with
// % at the beginning of the row or after a semicolon.
func withoutComment(row string) string {
	if at := strings.IndexByte(row, '#'); at >= 0 {
		row = row[:at]
	}
	if strings.HasPrefix(strings.TrimLeft(row, " \t"), "%") {
		return ""
	}
	if at := strings.IndexByte(row, ';'); at >= 0 {
		if rest := strings.TrimSpace(row[at+1:]); rest == "" || rest[0] == '%' {
			row = row[:at]
		}
	}
	return row
}

// headOf returns the name before =, or "" if there is none, and the byte offset where the formula starts. The formula
// follows "min", the name, its arguments and =.
func headOf(number int, row string) (name string, from int, err error) {
	parts := lineHead().FindStringSubmatchIndex(row)
	if parts == nil {
		return "", 0, nil
	}
	if parts[2] >= 0 {
		if word := row[parts[2]:parts[3]]; strings.HasPrefix(strings.ToLower(word), "max") {
			return "", 0, &Error{number, utf8.RuneCountInString(row[:parts[2]]) + 1,
				"min or no word: objectives are minimized, so write the negative of one to maximize"}
		}
	}
	return canonical(row[parts[4]:parts[5]]), parts[1], nil
}

var lineHead = pattern.Lazy(`^[ \t]*(?:([Mm]in|[Mm]inimi[sz]e|[Mm]ax|[Mm]aximi[sz]e)[ \t]+)?` +
	`([A-Za-z\p{Greek}][A-Za-z0-9_\p{Greek}₀-₉]*)[ \t]*` +
	`(?:\([ \t]*[A-Za-z\p{Greek}][\w\p{Greek}₀-₉, \t\[\]]*\)[ \t]*)?=[ \t]*`)

// canonical returns the standard form of a name: x1 for x_1 and x₁.
func canonical(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= '₀' && r <= '₉' {
			return r - '₀' + '0'
		}
		return r
	}, name)
	if numbered().MatchString(name) {
		name = strings.Replace(name, "_", "", 1)
	}
	return name
}

// numbered matches variables and objectives with an underscore before their number.
var numbered = pattern.Lazy(`^[xyawfF]_[0-9]+$`)

// boundLine matches "x1 in [0, 1]" and "x1 ∈ [0, 1]".
var boundLine = pattern.Lazy(`^\s*(` + boundName + `)\s*(?:\bin\b|∈)\s*\[(.*)\]\s*$`)

// boundName matches a variable, or x for all variables.
const boundName = `x[0-9₀-₉]*|x_[0-9]+|x\[[0-9]+\]|x\([0-9]+\)|y`

var (
	comparison = pattern.Lazy(`<=|>=|==|!=|≤|≥|<|>|≠`)
	ofBound    = pattern.Lazy(`^(` + boundName + `)$`)
)

// written is a bound as written: a variable and the texts of its lower and upper bounds. A missing bound is "".
type written struct {
	name   string
	lo, hi string
	loAt   int // byte offsets of the two texts in the row
	hiAt   int
}

// boundText splits a row that contains a bound, such as x1 in [0, 1], 0 <= x1 <= 1, or x1 >= 0. It reports whether
// the row is a bound.
func boundText(row string) (w written, is bool) {
	if parts := boundLine().FindStringSubmatchIndex(row); parts != nil {
		inner := row[parts[4]:parts[5]]
		comma := topComma(inner)
		if comma < 0 {
			return written{}, false
		}
		return written{row[parts[2]:parts[3]], inner[:comma], inner[comma+1:], parts[4], parts[4] + comma + 1}, true
	}
	signs := comparison().FindAllStringIndex(row, -1)
	part := func(from, to int) string { return strings.TrimSpace(row[from:to]) }
	less := func(i int) (bool, bool) {
		text := row[signs[i][0]:signs[i][1]]
		return text == "<=" || text == "≤" || text == "<", text == ">=" || text == "≥" || text == ">"
	}
	switch len(signs) {
	case 1:
		below, above := less(0)
		left, right := part(0, signs[0][0]), part(signs[0][1], len(row))
		switch {
		case !below && !above:
		case ofBound().MatchString(left) && below:
			return written{name: left, hi: right, hiAt: signs[0][1]}, constant(right)
		case ofBound().MatchString(left):
			return written{name: left, lo: right, loAt: signs[0][1]}, constant(right)
		case ofBound().MatchString(right) && below:
			return written{name: right, lo: left}, constant(left)
		case ofBound().MatchString(right):
			return written{name: right, hi: left}, constant(left)
		}
	case 2:
		first, firstAbove := less(0)
		second, secondAbove := less(1)
		left, name, right := part(0, signs[0][0]), part(signs[0][1], signs[1][0]), part(signs[1][1], len(row))
		switch {
		case !ofBound().MatchString(name):
		case first && second:
			return written{name, left, right, 0, signs[1][1]}, true
		case firstAbove && secondAbove:
			return written{name, right, left, signs[1][1], 0}, true
		}
	}
	return written{}, false
}

// constant reports whether a text contains no names except pi, e and functions.
func constant(text string) bool {
	tokens, err := scan(1, text)
	return err == nil && !slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == name && t.text != "pi" && t.text != "e" && functions[t.text].arguments == 0
	})
}

// topComma returns the offset of the first comma outside of brackets, or -1 if there is none.
func topComma(text string) int {
	depth := 0
	for i, c := range text {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			return i
		}
	}
	return -1
}

// boundOf parses a line that bounds variables. It reports whether the line is a bound.
func boundOf(number int, row string) (b bound, is bool, err error) {
	w, is := boundText(row)
	if !is {
		return bound{}, false, nil
	}
	b = bound{name: canonical(strings.NewReplacer("[", "", "]", "", "(", "", ")", "").Replace(w.name)), number: number,
		lo: math.Inf(-1), hi: math.Inf(1)}
	for _, side := range []struct {
		to   *float64
		text string
		at   int
	}{{&b.lo, w.lo, w.loAt}, {&b.hi, w.hi, w.hiAt}} {
		if side.text == "" && strings.ContainsAny(row, "<>≤≥") {
			continue
		}
		if *side.to, err = constantValue(number, row, side.at, side.text); err != nil {
			return b, true, err
		}
	}
	if b.lo >= b.hi {
		blank := len(row[w.loAt:]) - len(strings.TrimLeft(row[w.loAt:], " \t"))
		return b, true, &Error{number, utf8.RuneCountInString(row[:w.loAt+blank]) + 1, "a lower bound below the upper one"}
	}
	return b, true, nil
}

// Constant evaluates a formula without variables, such as -pi/2. Errors are of type *Error.
func Constant(text string) (float64, error) { return constantValue(1, text, 0, text) }

// constantValue evaluates a formula without variables. The argument at is the byte offset of the formula in the row.
func constantValue(number int, row string, at int, text string) (float64, error) {
	blank := len(row[at:]) - len(strings.TrimLeft(row[at:], " \t"))
	wrong := &Error{number, utf8.RuneCountInString(row[:at+blank]) + 1, "a finite number, as in x1 in [0, 1]"}
	tokens, err := scan(number, text)
	if err != nil {
		return 0, wrong
	}
	p := &parser{line: number, text: text, tokens: tokens}
	t, err := p.whole()
	if err != nil {
		return 0, wrong
	}
	b := &builder{made: map[step]int32{}}
	i, err := b.build(t)
	if err != nil || b.program.steps[i].op != opConstant {
		return 0, wrong
	}
	return b.program.steps[i].value, nil
}

// constraint returns the error for a comparison that is not a bound.
func constraint(number int, row string) error {
	at := comparison().FindStringIndex(row)
	return &Error{number, utf8.RuneCountInString(row[:at[0]]) + 1,
		"no constraint: bound a variable, as in x1 in [0, 1]; of a constraint g <= 0, or of an objective that is to stay below a level, " +
			"add a penalty to an objective, as in f1 = ... + 100*max(g, 0)^2"}
}
