package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// check is a condition that must hold after Show, with some values replaced. If a value has several texts, the
// condition must hold for each text.
type check struct {
	line   int
	with   [][]link.Value
	k      int // iteration of the marker, −1 to leave it where Show leaves it
	source string
	holds  *condition.Tree
}

// visited lists the operations that depend on a visitor's actions.
var visited = []string{"changed", "tried", "dragged", "scrubbed", "pinned", "playing"}

// check reads a condition that must hold after Show, or “with name=value …: condition”, which must hold with these
// values in place of the step's and Show's. name=1..5 means 1, 2, … 5 in turn, and k=1 puts the marker at iteration 1.
func (c *compiler) check(s *Step, p part, v *vocabulary) error {
	out := check{line: p.line, k: -1, source: strings.Join(strings.Fields(p.text), " ")}
	if rest, ok := strings.CutPrefix(out.source, "with "); ok {
		names, holds, ok := strings.Cut(rest, ": ")
		if !ok {
			return errors.New("after with name=value, a colon and a condition are expected")
		}
		out.source, out.with = holds, [][]link.Value{nil}
		for _, token := range strings.Fields(names) {
			name, text, pair := strings.Cut(token, "=")
			if !pair {
				return fmt.Errorf("%s is not of the form name=value", scene.Quote(token))
			}
			if name == "k" {
				var err error
				if out.k, err = count(name, text); err != nil {
					return err
				}
				continue
			}
			name = ofParameter(name)
			texts, err := several(text)
			if err != nil {
				return err
			}
			var all [][]link.Value
			for _, values := range out.with {
				for _, text := range texts {
					v, err := c.value(name, text)
					if err != nil {
						return err
					}
					all = append(all, assign(values, v))
				}
			}
			out.with = all
		}
		if out.with[0] == nil {
			out.with = nil // only the marker is given
		}
		if out.with != nil && s.State == "" {
			return errors.New("with name=value needs a step with a state")
		}
		for _, values := range out.with {
			all := c.values
			for _, v := range values {
				all = assign(all, v)
			}
			if _, err := c.opened(all); err != nil {
				return err
			}
		}
	}
	var err error
	if out.holds, err = v.parse(out.source); err != nil {
		return err
	}
	out.holds.Visit(func(t *condition.Tree) {
		if slices.Contains(visited, t.Op) {
			err = fmt.Errorf("%s is about a visitor's actions; a check can only use facts and parameters", t.Op)
		}
	})
	s.checks = append(s.checks, out)
	return err
}

// several returns the texts for a range such as 1..5.
func several(text string) ([]string, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		return []string{text}, nil
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	const limit = 100
	if err != nil || err2 != nil || last < first || last-first >= limit {
		return nil, fmt.Errorf("%s is not a range of at most %d whole numbers", text, limit)
	}
	var out []string
	for n := first; n <= last; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out, nil
}
