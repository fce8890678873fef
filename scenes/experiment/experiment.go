// Package experiment computes the tables and figures of the papers and our own.
package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/scenes/panel"
)

// Options are the same for every experiment.
type Options struct {
	Seeds  int       // how often everything is repeated with other randomness, ≥ 1
	Quick  bool      // a smaller version that shows the same
	Jobs   int       // computations at a time, ≥ 1; the outcome does not depend on it
	Data   io.Reader // an input file, nil for none
	Resume io.Reader // the CSV file of an earlier, unfinished call; nil for none
	// Progress hears how much is done, from 0 to 1; nil for nobody. Calls do not overlap.
	Progress func(done float64)
	// Partial hears of the outcome so far whenever a part of it is complete, for
	// Resume to go on from after an interruption; nil for nobody. Calls do not overlap.
	Partial func(Outcome) error
}

// Outcome is what an experiment found.
type Outcome interface {
	WriteCSV(io.Writer) error
	WriteSVG(io.Writer) error
	WriteJSON(io.Writer) error
}

// Printed is an Outcome with a table for people, which the command line shows where
// no file is asked for. Others show their CSV.
type Printed interface {
	Outcome
	WriteText(io.Writer) error
}

var (
	_ Printed = (*ForumCost)(nil)
	_ Printed = (*HyperCleaning)(nil)
)

// Experiment is one of the list.
type Experiment struct {
	Name  string
	Title string
	Run   func(Options) (Outcome, error)
}

// All is every experiment.
var All = []Experiment{
	{"fonseca-staleness", "Share of PSMGD's runs that collapse to the ends of Fonseca's front, by R, α and η", runStaleness},
	{"forum-cost", "Time, Hessian-vector products and floats of an upper step of FORUM, MOML and MoCo, over T and p", runForumCost},
	{"hyper-cleaning", "Accuracy, F1 and detection of FORUM, MOML and MoCo in hyper-cleaning, by T and ρ", runHyperCleaning},
}

// Find returns the experiment of that name; the error lists those there are.
func Find(name string) (Experiment, error) {
	var names []string
	for _, e := range All {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, fmt.Errorf("%q is no experiment; there are: %s", name, strings.Join(names, " "))
}

// begin goes on from an earlier call where one is to be resumed. An experiment that
// begins with it reads no other file.
func (o *Options) begin(name string, resume func(io.Reader) error) error {
	if o.Data != nil {
		return fmt.Errorf("-data: %s reads no file", name)
	}
	if o.Resume == nil {
		return nil
	}
	if err := resume(o.Resume); err != nil {
		return fmt.Errorf("-resume: %w", err)
	}
	return nil
}

// readTable returns the lines below the head of a CSV file that an earlier call wrote.
func readTable(r io.Reader, head []string) ([][]string, error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], head) {
		return nil, fmt.Errorf("line 1: the columns are not %v", head)
	}
	return lines[1:], nil
}

func runStaleness(o Options) (Outcome, error) {
	c := DefaultStaleness()
	c.Runs *= o.Seeds
	if o.Quick {
		c.Runs, c.Steps = max(1, c.Runs/4), c.Steps/2
	}
	s, err := NewStaleness(c)
	if err != nil {
		return nil, err
	}
	if err := o.begin("fonseca-staleness", s.resume); err != nil {
		return nil, err
	}
	return s, s.computeAll(o)
}

// computeAll computes every cell, o.Jobs at a time. Cells share no state, so the
// outcome is that of Work.
func (s *Staleness) computeAll(o Options) error {
	return computeEach(len(s.cells), o, s, func(i int) (func(), error) {
		cell := s.cells[i] // only this call changes it
		var err error
		for cell.Done < s.config.Runs && err == nil {
			err = s.run(&cell)
		}
		return func() { s.cells[i] = cell }, err
	})
}

// WriteJSON writes {"experiment", "steps", "cells"}.
func (s *Staleness) WriteJSON(w io.Writer) error {
	return json.NewEncoder(w).Encode(map[string]any{"experiment": "fonseca-staleness", "steps": s.config.Steps, "cells": s.cells})
}

// WriteSVG draws the maps side by side.
func (s *Staleness) WriteSVG(w io.Writer) error {
	const width, height = 1200, 800
	return panel.WriteSVG(w, width, height, panel.Light, panel.Arrange(width, height, s.panels, ""))
}
