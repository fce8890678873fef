// Package traininglog implements the scene of a training run. A log contains the Gramians of the run's gradients,
// recorded during training. The scene has no runs of its own; it shows what weights computed from the Gramians would
// have done.
package traininglog

import (
	"fmt"
	"slices"
	"strconv"

	"paretoplay/algo/param"
	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is one visitor's view of a log. It implements scene.Scene, scene.Static, scene.DataTaker and scene.Supplied.
type Scene struct {
	scene.Base
	values Params

	log    *runlog.Log // the displayed log; nil until it arrives
	name   string      // value of the parameter that chose the log
	pasted *data.Pasted

	asked    question // inputs of analysis and report
	analysis *runlog.Analysis
	report   *runlog.Report // nil until the analysis has finished

	next    *grown            // the current version of the visitor's file while the previous one is displayed; may be nil
	changes map[string]change // changes to sentences, by ID, while the file grew

	unfolded *reading

	panels []axes.Panel
	pairs  axes.Panel // replaces the first panel if there are too many pairs for strips
}

// unfolding is the duration, in seconds, of the opening animation, in which the log appears from its first step to its last.
const unfolding = 8

// reading makes a log appear step by step. It waits for a log that the page is still fetching.
type reading struct {
	*scene.Unfolding
	scene *Scene
}

// Flow implements scene.Flow.
func (r *reading) Flow(seconds float64, more func() bool) (flows bool, err error) {
	if r.scene.Needs() != "" {
		return r.Flows(), nil
	}
	return r.Unfolding.Flow(seconds, more)
}

// question holds everything that a report depends on.
type question struct {
	log            *runlog.Log
	method, others string
	r, window      int
	bound          float64
	seed           uint64
}

// New returns the scene with default parameters.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.unfolded = &reading{scene.NewUnfolding(unfolding), s}
	conflict, hurt := s.conflictStrips(), s.hurtStrips()
	s.panels = []axes.Panel{
		conflict.panel(), hurt.panel(), s.agePanel(), s.weightsPanel(), s.lengthsPanel(), s.lossesPanel(), s.gradientsPanel(),
	}
	s.pairs = s.pairsPanel()
	s.Declare(factKinds.Facts(s, nil))
	return s
}

// Restart implements scene.Scene.
func (s *Scene) Restart([]timeline.Change) error { return s.Displayed() }

// Displayed selects the chosen log, and analyses it again if a parameter has changed.
func (s *Scene) Displayed() error {
	if err := s.choose(); err != nil {
		return err
	}
	v := &s.values
	q := question{s.log, v.Method, fmt.Sprint(v.Others), v.R, v.Window, v.Bound, v.Seed}
	if s.asked == q {
		return nil
	}
	if s.next != nil { // all pictures change anyway, so the grown file can replace the previous one
		s.pasted, s.next = s.next.pasted, nil
		if err := s.choose(); err != nil {
			return err
		}
		q.log = s.log
	}
	s.asked, s.analysis, s.report, s.changes = q, nil, nil, nil
	if s.log == nil {
		return nil
	}
	var err error
	s.analysis, err = s.analyse(s.log)
	return err
}

// analyse starts evaluating the chosen methods on a log.
func (s *Scene) analyse(log *runlog.Log) (*runlog.Analysis, error) {
	v := &s.values
	o := runlog.NewOptions()
	o.Window, o.Bound, o.Seed, o.Series = v.Window, v.Bound, v.Seed, true
	o.Periods = slices.Clone(runlog.DefaultPeriods)
	if i, there := slices.BinarySearch(o.Periods, v.R); !there {
		o.Periods = slices.Insert(o.Periods, i, v.R)
	}
	o.Methods = []runlog.Choice{{Name: v.Method}}
	for _, name := range v.Others {
		if name != v.Method {
			o.Methods = append(o.Methods, runlog.Choice{Name: name})
		}
	}
	return runlog.NewAnalysis(log, o)
}

// choose sets the displayed log to the chosen one, which is nil until the page has supplied it.
func (s *Scene) choose() error {
	switch v := &s.values; {
	case v.Source == logData:
		s.log, s.name = nil, logData
		if s.pasted != nil {
			s.log = s.pasted.Log()
		}
	case s.name != v.Source || s.log == nil:
		log, err := shipped(v.Source)
		if err != nil {
			return err
		}
		s.log, s.name = log, v.Source
	}
	return nil
}

// Needs implements scene.Supplied. If one of the page's logs is chosen, it returns the log's path until the log arrives.
func (s *Scene) Needs() string {
	if s.values.Source == logData || s.log != nil {
		return ""
	}
	return "logs/digits-" + s.values.Source + ".npz"
}

// Form implements scene.Supplied.
func (s *Scene) Form() *data.Layout { return data.RunLog }

// Supply implements scene.Supplied.
func (s *Scene) Supply(p *data.Pasted) error {
	s.log, s.name = p.Log(), s.values.Source
	return s.Displayed()
}

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras {
	return scene.Extras{Flow: s.unfolded, Detail: s.detail, Log: func() *runlog.Log { return s.log }, Grow: s.grow, Growing: s.next != nil}
}

// Paste shows a visitor's log.
func (s *Scene) Paste(p *data.Pasted) error {
	s.pasted, s.values.Source, s.next = p, logData, nil
	return nil
}

// ShowsPasted implements scene.DataTaker.
func (s *Scene) ShowsPasted() bool { return s.values.Source == logData }

// Work continues the analysis.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	const records = 20 // records per piece of work
	if s.next != nil {
		for more() {
			if s.next.analysis.Work(records) {
				s.showGrown()
				return false, nil
			}
		}
		return true, nil
	}
	if s.analysis == nil || s.report != nil {
		return false, nil
	}
	for more() {
		if s.analysis.Work(records) {
			s.report = s.analysis.Report()
			return false, nil
		}
	}
	return true, nil
}

// Panels implements scene.Scene.
func (s *Scene) Panels() []axes.Panel {
	if s.log == nil || s.log.Objectives() <= maxPaired {
		return s.panels
	}
	return slices.Insert(slices.Clone(s.panels), 1, s.pairs)
}

// Drag moves the marker.
func (s *Scene) Drag(handle string, x, _ float64) (name, text string) {
	if s.log == nil || handle != recordHandle && handle != kinds.MarkerHandle {
		return "", ""
	}
	return "record", strconv.Itoa(s.recordAt(x) + 1)
}

// record returns the index of the record at the marker, counted from 0.
func (s *Scene) record() int { return max(0, min(s.values.Record, s.log.Records())-1) }

// recordAt returns the record nearest to a step.
func (s *Scene) recordAt(step float64) int {
	last := s.log.Records() - 1
	at := min(s.log.Find(int64(step)), last)
	if at > 0 && step-float64(s.log.Step(at-1)) < float64(s.log.Step(at))-step {
		at--
	}
	if at < last && float64(s.log.Step(at+1))-step < step-float64(s.log.Step(at)) {
		at++
	}
	return at
}

// waiting describes what a picture still needs. It returns "" if nothing is missing.
func (s *Scene) waiting() string {
	switch {
	case s.log == nil && s.values.Source == logData:
		return "No log yet. Choose a log file or drop it on the page."
	case s.log == nil:
		return "Loading the log."
	}
	return ""
}

// pending describes what a picture of the report still needs. It returns "" if nothing is missing.
func (s *Scene) pending() string {
	if text := s.waiting(); text != "" || s.report != nil {
		return text
	}
	return fmt.Sprintf("Evaluating the methods on every record, %.0f %%.", 100*s.analysis.Progress())
}

// method returns the report on the chosen method, or nil if there is no report or the log lacks what the method needs.
func (s *Scene) method() *runlog.Method {
	if s.report == nil || len(s.report.Methods) == 0 || s.report.Methods[0].Name != s.values.Method {
		return nil
	}
	return &s.report.Methods[0]
}

// absent returns why the log cannot evaluate the chosen method. It returns "" if the log can.
func (s *Scene) absent() string {
	if s.report == nil {
		return ""
	}
	for _, a := range s.report.Absent {
		if a.Method == s.values.Method {
			return title(a.Method) + " is absent: " + a.Why + "."
		}
	}
	return ""
}

// title returns a method's display name.
func title(name string) string { return (&runlog.Method{Name: name}).Title() }

// pairName returns the name of a pair of objectives, whose indices are counted from 0.
func (s *Scene) pairName(i, j int) string {
	names := s.log.Names()
	return names[i] + " – " + names[j]
}

var _ interface {
	scene.Scene
	scene.Static
	scene.DataTaker
	scene.Supplied
} = (*Scene)(nil)

// Methods are the methods that a log may evaluate.
var Methods = func() (out []param.Method) {
	for _, m := range offered {
		out = append(out, param.Method{ID: m.Name, Title: m.Title, Paper: m.Paper, Help: m.Help})
	}
	return out
}()
