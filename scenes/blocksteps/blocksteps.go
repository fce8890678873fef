// Package blocksteps implements the scene in which each step moves one block of the variables for one objective. The
// objectives are quadratic and take turns; the frequencies set how many turns each of them takes.
package blocksteps

import (
	"fmt"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene holds the state of one visitor's scene. It implements scene.Scene and scene.DataTaker.
type Scene struct {
	scene.Base
	runs.SlowMotion
	runs.StartPlane
	values Params

	problem *problem.Quadratics // nil while a visitor's file is missing
	file    *file               // the visitor's file; nil until one is opened
	parts   [][]int             // blocks of variables; nil means one block of all variables
	goal    *sweeps.Goal
	pairs   [][][]float64 // the Pareto set, for each pair of objectives
	reach   [][]float64   // points that the plane shows in addition to the start
	// frontMost is 1.5 times the largest value of the first two objectives in the Pareto set.
	frontMost float64

	outputs brush.Memo[outputsKey, *sweeps.Outputs]
	ways    *sweeps.Ways
	cycles  brush.Memo[cyclesKey, *sweeps.Cycles]
	ends    brush.Memo[string, map[string]sweeps.Round] // final cycles of the methods
	gaps    gapRange
	path    sweeps.StepPath

	pictures pictures
}

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), StartPlane: runs.StartPlane{Symbol: "x"}, values: defaults(), goal: new(sweeps.Goal)}
	s.SlowMotion = runs.NewSlowMotion(s.Timeline(), &s.values.Settings, &s.values.Moment, momentNames[:], s.momentDurations)
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.Fitting = s.fitting
	s.values.Walk.Timeline, s.values.Walk.Course = s.Timeline(), s.walked
	s.path = sweeps.StepPath{Timeline: s.Timeline(), Point: s.pointOf, Moved: s.moved}
	s.WithoutRun(s.waiting())
	s.pictures = s.newPictures()
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the runs at k = 0. It builds none while the visitor's file is missing.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	s.Timeline().SetEnd(v.Budget, 0)
	if v.Problem == yours && s.file == nil {
		s.problem, s.Start = nil, nil
		s.Timeline().Reset(nil, log)
		return nil
	}
	p, start, err := s.chosenProblem()
	if err != nil {
		return err
	}
	parts, err := s.chosenBlocks(p)
	if err != nil {
		return err
	}
	goal, err := sweeps.NewGoal(p, v.Frequencies(p))
	if err != nil {
		return err
	}
	start = v.Points(v.Seed, [][]float64{start}, 1, nil)[0]
	runs, err := v.Runs(v.course(p, start, parts))
	if err != nil {
		return err
	}
	s.problem, s.Start, s.parts, s.goal = p, start, parts, goal
	if err := s.survey(); err != nil {
		return err
	}
	t := s.Timeline()
	s.ways = sweeps.NewWays(t, runs, p, goal)
	before := t.SelectedName()
	t.Reset(runs, log)
	if t.SelectedName() != before {
		t.Select(s.preferred())
	}
	return nil
}

// course returns the problem, start and settings that all methods share.
func (p *Params) course(on *problem.Quadratics, start []float64, parts [][]int) sweeps.Course {
	return sweeps.Course{Problem: on, Start: start, Blocks: parts, Budget: p.Budget, Seed: p.Seed}
}

// survey computes the Pareto set, and the ranges that the pictures must cover to show it.
func (s *Scene) survey() error {
	var err error
	if s.pairs, err = s.paretoSet(); err != nil {
		return err
	}
	s.reach, s.frontMost = nil, 0
	f := make([]float64, len(s.goal.F))
	for _, pair := range s.pairs {
		s.reach = append(s.reach, pair[0], pair[len(pair)/2], pair[len(pair)-1])
		for _, x := range pair {
			s.problem.Values(f, x)
			s.frontMost = max(s.frontMost, f[0], f[1])
		}
	}
	const room = 1.5
	s.frontMost *= room
	return nil
}

// chosenProblem returns the selected problem and its start point.
func (s *Scene) chosenProblem() (*problem.Quadratics, []float64, error) {
	v := &s.values
	if v.Problem == yours {
		return s.brought()
	}
	p, err := problem.NewQuadratics(v.Sigma, bowls[:v.Q]...)
	return p, bowlStart, err
}

// chosenBlocks returns the selected blocks of variables, or nil for one block of all variables.
func (s *Scene) chosenBlocks(p *problem.Quadratics) ([][]int, error) {
	n, _ := p.Dims()
	switch s.values.Partition {
	case one:
		return nil, nil
	case given:
		if s.values.Problem != yours || s.file.blocks == nil {
			return nil, &algo.RangeError{Name: "partition", Value: given, Allowed: fmt.Sprintf("it must be %s or %s: no file with blocks "+
				"has been opened", coordinates,
				one)}
		}
		return s.file.blocks, nil
	}
	each := make([][]int, n)
	for i := range each {
		each[i] = []int{i}
	}
	return each, nil
}

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras {
	return scene.Extras{Preferred: s.preferred(), Worked: curvePanel}
}

// Released fits the plane's window to the runs again after a drag.
func (s *Scene) Released() { s.StartPlane.Released() }

// preferred returns the initially selected run: a run of Block-SMOO, whose steps show the most.
func (s *Scene) preferred() string {
	runs := s.Timeline().Runs()
	if i := slices.IndexFunc(runs, func(r *timeline.Run) bool { return r.Method == sweeps.BlockSMOO }); i >= 0 {
		return runs[i].Name
	}
	return ""
}

// Results returns the outputs of each run at the marker.
func (s *Scene) Results() any {
	if len(s.Timeline().Runs()) == 0 {
		return nil
	}
	out := map[string]*sweeps.Outputs{}
	for _, r := range s.Timeline().Runs() {
		out[r.Name] = sweeps.OutputsOf(s.Timeline(), r)
	}
	return out
}

// Panels returns the scene's linked panels.
func (s *Scene) Panels() []axes.Panel { return s.pictures.shown(s) }

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return sweeps.StepNumbers(s.Timeline(), t, k)
}

func (s *Scene) dragWalk(handle string, x, y float64) (name, text string, is bool) {
	right, up := s.pair()
	return s.values.Walk.Drag(handle, x, y, right, up)
}

// walked returns the problem for walks along the front, and the objectives' ranges. Both are nil if there is no
// problem.
func (s *Scene) walked() (algo.Problem, []float64) {
	if s.problem == nil {
		return nil, nil
	}
	_, q := s.problem.Dims()
	return s.problem, slices.Repeat([]float64{s.frontMost}, q)
}

// Conclusions returns the results of a walk along the front.
func (s *Scene) Conclusions() *scene.Conclusions { return s.values.Walk.Conclusions("front") }

// Drag moves the start point, the frequencies or the time marker, depending on the handle.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	switch handle {
	case kinds.MarkerHandle:
		return s.Base.Drag(handle, x, y)
	case turnsHandle:
		return s.dragTurns(x, y)
	}
	if name, text, is := s.dragWalk(handle, x, y); is {
		return name, text
	}
	return s.DragStart(&s.values.Starts, s.Params(), handle, x, y)
}
