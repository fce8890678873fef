//go:build !js || picture

package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/pattern"
)

// pythons maps the functions of formulas to their names in Python and numpy.
var pythons = map[string]string{
	"exp": "np.exp", "log": "np.log", "log1p": "np.log1p", "sqrt": "np.sqrt", "abs": "size", "sin": "np.sin", "cos": "np.cos", "tan": "np.tan",
	"tanh": "np.tanh", "atan": "np.arctan", "sinh": "np.sinh", "cosh": "np.cosh", "min": "low", "max": "high", "pi": "np.pi", "e": "np.e",
	"n": "n", "sigmoid": "(lambda t: 1 / (1 + np.exp(-t)))", "softplus": "(lambda t: np.log(1 + np.exp(t)))",
}

var (
	formulaSigns = pattern.Lazy(`\*\*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|\S`)
	variable     = pattern.Lazy(`^x([0-9]+)$`)
	formulaName  = pattern.Lazy(`^[A-Za-z_]`)
	objectiveOf  = pattern.Lazy(`^f[0-9]+$`)
)

// translator translates valid formulas to Python.
type translator struct {
	defined []string // names defined by earlier lines
	indices []string // indices of the sums that enclose the current token
}

// formulasInPython translates formulas to Python. It returns one line for each formula, and the objectives as
// expressions.
func formulasInPython(text string) (lines, values string, err error) {
	var t translator
	var named [][2]string
	for line := range strings.Lines(text) {
		name, right, is := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); is && name != "n" {
			t.defined = append(t.defined, name)
			named = append(named, [2]string{name, right})
		}
	}
	var out, calls []string
	for _, d := range named {
		written, err := t.write(formulaSigns().FindAllString(d[1], -1))
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", d[0], err)
		}
		out = append(out, fmt.Sprintf("    %s_ = lambda: %s", d[0], written))
		if objectiveOf().MatchString(d[0]) {
			calls = append(calls, d[0]+"_()")
		}
	}
	return strings.Join(out, "\n"), strings.Join(calls, ", "), nil
}

// write translates a sequence of tokens to Python.
func (t *translator) write(signs []string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(signs); i++ {
		sign := signs[i]
		var next string
		if i+1 < len(signs) {
			next = signs[i+1]
		}
		number := variable().FindStringSubmatch(sign)
		switch {
		case sign == "^":
			b.WriteString(" ** ")
		case strings.Contains("+-*/,", sign) || sign == "**":
			b.WriteString(" " + sign + " ")
		case sign == "sum" && next == "(":
			parts, last := divided(signs[i+1:])
			if len(parts) != 4 || len(parts[0]) != 1 {
				return "", fmt.Errorf("cannot translate a sum with %d parts", len(parts))
			}
			t.indices = append(t.indices, parts[0][0])
			var texts [3]string
			for j, part := range parts[1:] {
				var err error
				if texts[j], err = t.write(part); err != nil {
					return "", err
				}
			}
			t.indices = t.indices[:len(t.indices)-1]
			fmt.Fprintf(&b, "sum(%s for %s_ in range(%s, %s + 1))", texts[2], parts[0][0], texts[0], texts[1])
			i += 1 + last
		case slices.Contains(t.indices, sign):
			b.WriteString(sign + "_")
		case slices.Contains(t.defined, sign):
			b.WriteString(sign + "_()")
		case sign == "x" && next == "[":
			parts, last := divided(signs[i+1:])
			index, err := t.write(parts[0])
			if err != nil {
				return "", err
			}
			b.WriteString("x[" + index + " - 1]")
			i += 1 + last
		case sign == "x":
			b.WriteString("x[0]")
		case sign == "y":
			b.WriteString("x[1]")
		case number != nil:
			k, err := strconv.Atoi(number[1])
			if err != nil {
				return "", err
			}
			b.WriteString("x[" + strconv.Itoa(k-1) + "]")
		case formulaName().MatchString(sign):
			written, known := pythons[sign]
			if !known {
				return "", fmt.Errorf("cannot translate %q to Python", sign)
			}
			b.WriteString(written)
		default:
			b.WriteString(sign)
		}
	}
	return strings.NewReplacer("  ", " ", " , ", ", ", "( - ", "(-", "[ - ", "[-").Replace(strings.TrimSpace(b.String())), nil
}

// divided splits, at commas, the tokens between the first bracket and the matching closing bracket. last is the index
// of the closing bracket.
func divided(signs []string) (parts [][]string, last int) {
	depth, from := 0, 1
	for i, sign := range signs {
		switch sign {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
			if depth == 0 {
				return append(parts, signs[from:i]), i
			}
		case ",":
			if depth == 1 {
				parts = append(parts, signs[from:i])
				from = i + 1
			}
		}
	}
	return parts, len(signs) - 1
}
