package lesson

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/numeral"
)

// Walk follows the lesson, and calls visit twice for each step: when it opens, and once Show has reached its goal and
// the subject of Then is in front. In a step without a goal the second call follows the first immediately. The index
// i of a step counts from 0.
func (l *Lesson) Walk(visit func(i int, shown bool, s *session.Session) error) error {
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		return err
	}
	for i, step := range l.Steps {
		fail := func(err error) error {
			return &Error{l.file, step.line, fmt.Errorf("step %d, %s: %w", i+1, step.Title, err)}
		}
		if err := l.open(s, i, step.State); err != nil {
			return fail(err)
		}
		if err := visit(i, false, s); err != nil {
			return fail(err)
		}
		for _, c := range step.Show {
			if err := call(s, c); err != nil {
				return fail(err)
			}
		}
		if err := settle(s); err != nil {
			return fail(err)
		}
		for _, c := range step.Reveal {
			if err := call(s, c); err != nil {
				return fail(err)
			}
		}
		if err := visit(i, true, s); err != nil {
			return fail(err)
		}
	}
	return nil
}

// slotElement matches one of the visitor's numbers in the HTML of a step's Then.
var slotElement = regexp.MustCompile(`<span class="slot" data-slot="(\d+)" data-decimals="(\d*)">…</span>`)

// Told returns a step's Then with numbers in its slots. An unknown number is shown as a dash.
func (s *Step) Told(numbers []data.Number) string {
	return slotElement.ReplaceAllStringFunc(s.Then, func(element string) string {
		m := slotElement.FindStringSubmatch(element)
		i, err := strconv.Atoi(m[1])
		if err != nil || i >= len(numbers) || math.IsNaN(float64(numbers[i])) || math.IsInf(float64(numbers[i]), 0) {
			return "–"
		}
		decimals := -1
		if m[2] != "" {
			if decimals, err = strconv.Atoi(m[2]); err != nil {
				return "–"
			}
		}
		return quoted(float64(numbers[i]), decimals)
	})
}

// quoted returns a number as the page quotes it: with the given number of decimals, or with three significant digits if
// decimals is negative.
func quoted(v float64, decimals int) string {
	const significant = 3
	if decimals >= 0 {
		return numeral.Fixed(v, decimals)
	}
	return numeral.Format(v, significant)
}

// Hides reports whether a step hides a panel, or Numbers, until its question is answered.
func (s *Step) Hides(what string) bool { return slices.Contains(s.Hide, what) }
