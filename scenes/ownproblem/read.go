package ownproblem

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/pattern"
)

// texts holds the problem as the visitor entered it.
type texts struct {
	f           [maxObjectives]string
	define, box string
}

// reading is the result of parsing the texts: a problem or faults. formula and problem are nil if there are faults.
type reading struct {
	of      texts
	text    string // the formulas in the syntax of formula.Parse
	formula *formula.Problem
	problem algo.Problem // the problem with its box, if it has one
	faults  []scene.Fault
}

// read parses the texts unless they are unchanged since the last call.
func (s *Scene) read() *reading {
	v := &s.values
	of := texts{v.F, v.Define, v.Box}
	if s.reading == nil || s.reading.of != of {
		s.reading = readTexts(of)
	}
	return s.reading
}

// sound returns the reading of the texts or, while these have a fault, the last reading without one. If no reading was
// free of faults, it returns the reading of the default texts.
func (s *Scene) sound() *reading {
	if len(s.Faults()) == 0 {
		s.last = s.read()
	}
	if s.last == nil {
		first := defaults()
		s.last = readTexts(texts{first.F, first.Define, first.Box})
	}
	return s.last
}

func readTexts(of texts) *reading {
	out := &reading{of: of}
	refuse := func(f scene.Fault) *reading {
		out.faults = []scene.Fault{f}
		return out
	}
	var all scene.Joined
	all.Add(textDefine, "", of.define)
	count := 0
	for i, text := range of.f {
		switch {
		case strings.TrimSpace(text) != "" && i > count:
			return refuse(scene.Fault{Param: textObjectives[count], Line: 1, Column: 1,
				Text: "a formula: " + textObjectives[i] + " has one, and no objective before it may be empty"})
		case strings.TrimSpace(text) != "":
			count++
			all.Add(textObjectives[i], textObjectives[i]+" = ", text)
		}
	}
	if count < 2 {
		return refuse(scene.Fault{Param: textObjectives[count], Line: 1, Column: 1, Text: "a formula: at least two objectives are needed"})
	}
	if strings.TrimSpace(of.box) != "" {
		lo, hi, fault := bounds(of.box)
		if fault != nil {
			return refuse(*fault)
		}
		for _, name := range []string{"x", "y"} {
			if name == "x" || withY().MatchString(strings.Join(of.f[:], " ")+" "+of.define) {
				all.Add(textBox, "", fmt.Sprintf("%s in [%s, %s]", name, lo, hi))
			}
		}
	}
	out.text = all.Text()
	p, err := formula.Parse(out.text, 0)
	var at *formula.Error
	switch {
	case errors.As(err, &at):
		return refuse(all.Fault(at))
	case err != nil:
		panic(err) // cannot happen: there are no other kinds of errors
	}
	if _, m := p.Dims(); m > maxObjectives {
		return refuse(scene.Fault{Param: textDefine, Line: 1, Column: 1, Text: "no further objectives: the maximum is four"})
	}
	out.formula, out.problem = p, p
	if boxed, has := p.Boxed(); has {
		out.problem = boxed
	}
	return out
}

// withY matches the variable y in formulas of x and y.
var withY = pattern.Lazy(`(^|[^A-Za-z0-9_])y([^A-Za-z0-9_]|$)`)

// bounds parses "-2, 2".
func bounds(text string) (lo, hi string, fault *scene.Fault) {
	lo, hi, two := strings.Cut(strings.ReplaceAll(text, "−", "-"), ",")
	lo, hi = strings.TrimSpace(lo), strings.TrimSpace(hi)
	a, errA := formula.Constant(lo)
	b, errB := formula.Constant(hi)
	if !two || errA != nil || errB != nil || !(a < b) {
		return "", "", &scene.Fault{Param: textBox, Line: 1, Column: 1, Length: utf8.RuneCountInString(text),
			Text: "two numbers, the lower bound first, such as -2, 2"}
	}
	return lo, hi, nil
}

// Faults implements scene.Faulty. It also reports formulas that have no value at a start point.
func (s *Scene) Faults() []scene.Fault {
	read := s.read()
	if read.formula == nil {
		return read.faults
	}
	_, m := read.problem.Dims()
	f := make([]float64, m)
	for i, x := range s.startPoints(read.problem) {
		read.problem.Values(f, x)
		for j, v := range f {
			if v-v == 0 {
				continue
			}
			part := read.formula.Fault(x)
			out := scene.Fault{Param: textObjectives[j], Line: 1, Column: 1,
				Text: fmt.Sprintf("no value at start point %d, %s: %s", i+1, timeline.Vector(x), part)}
			if at := strings.Index(s.values.F[j], part); part != "" && at >= 0 {
				out.Column, out.Length = utf8.RuneCountInString(s.values.F[j][:at])+1, utf8.RuneCountInString(part)
			}
			return []scene.Fault{out}
		}
	}
	return nil
}

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras {
	out := scene.Extras{Flow: &s.values.Swarm}
	if read := s.read(); read.formula != nil {
		out.Unused = read.formula.Unused()
	}
	return out
}

// Texts splits a file into the values of the text parameters. It also returns where each line of a value begins in the
// file. Objectives are the lines named f1, f2, ... or, without names, the unnamed formulas in order. All other lines
// are definitions and bounds.
func Texts(text string) (map[string]string, map[string][]scene.Place, error) {
	out, places := map[string]string{textBox: ""}, map[string][]scene.Place{}
	for _, name := range textObjectives {
		out[name] = ""
	}
	lines, err := formula.Split(text)
	if err != nil {
		return nil, nil, err
	}
	var define []string
	plain := 0
	for _, l := range lines {
		place := scene.Place{Line: l.Number, Column: l.Column}
		switch {
		case l.Kind != formula.Objective:
			define, places[textDefine] = append(define, l.Text), append(places[textDefine], place)
			continue
		case l.Name != "":
			if _, known := out[l.Name]; !known {
				return nil, nil, fmt.Errorf("line %d: %s: the maximum is four objectives", l.Number, l.Name)
			}
			if out[l.Name] != "" {
				return nil, nil, fmt.Errorf("line %d: %s is given twice", l.Number, l.Name)
			}
		case plain == maxObjectives:
			return nil, nil, fmt.Errorf("line %d: the maximum is four objectives", l.Number)
		case out[textObjectives[plain]] != "":
			return nil, nil, fmt.Errorf("line %d: this objective needs a name, such as f%d =, because other objectives are named", l.Number, plain+1)
		default:
			l.Name = textObjectives[plain]
			plain++
		}
		out[l.Name], places[l.Name] = l.Text, []scene.Place{place}
	}
	out[textDefine] = strings.Join(define, "\n")
	return out, places, nil
}
