// Package scene defines scenes: the interface that a session plays and shows, a scene's description, which needs no
// instance, and the part that scenes have in common. Every scene's package imports this package, which imports none of
// them.
package scene

import (
	"fmt"
	"io"

	"paretoplay/algo/param"
	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// Scene is a system that visitors can play with. Base implements all methods except Restart and Panels. Abilities that only some
// scenes have are in optional.go.
type Scene interface {
	// Params returns the parameters, which are bound to the scene's fields.
	Params() *param.List
	// Restart builds new runs at k = 0 from the parameters. It passes them to the timeline, together with the log of live changes
	// to apply.
	Restart(log []timeline.Change) error
	// Timeline returns the timeline with the runs.
	Timeline() *timeline.Timeline
	// Displayed updates the scene after a change of a Display parameter or of the runs' budget. Such a change needs no
	// restart.
	Displayed() error
	// Panels returns the pictures to show now, in order.
	Panels() []axes.Panel
	// Drag moves a handle to a point in its panel's coordinates. It returns the name and the new text of the parameter that
	// changes, or "" if none does.
	Drag(handle string, x, y float64) (name, text string)
	// Work does a part of the scene's computation apart from its runs while more() is true. It reports whether work
	// remains.
	Work(more func() bool) (pending bool, err error)
	// Results returns the scene's results for the state and for files, or nil if it has none.
	Results() any
	// Facts returns the scene's named numbers at the marker.
	Facts() []Fact
	// StepNumbers returns the numbers of the step that led the track to iteration k, k ≥ 1, by their names in the equation. Each is
	// a text: a number, or a point such as "(0.31, 0.12)". It returns nil if there are none.
	StepNumbers(t timeline.Track, k int) (map[string]string, error)
	// Conclusions returns sentences about what the scene shows, or nil if the scene has none.
	Conclusions() *Conclusions
	// Released is called when a drag has ended. Some changes, for example of axes, wait until then.
	Released()
	// Extras returns features that only a few scenes have.
	Extras() Extras
}

// Extras holds features that only a few scenes have. The zero value has none.
type Extras struct {
	// HidesRuns is true if the scene shows something instead of the runs, such as a map of the ends of many runs.
	HidesRuns bool
	// Worked is the ID of the panel that shows the result of Work, or "" for the first panel.
	Worked string
	// Preferred is the name of the run to show in detail by default, or "" for the first run.
	Preferred string
	// Lacks says what is missing before runs are possible, or "" if nothing is missing.
	Lacks string
	// Unused lists the definitions in the texts that no objective uses.
	Unused []string
	// Details returns the scene's results for files, if they need too much work or space for a state. If it is nil, files contain
	// Results.
	Details func() (any, error)
	// Decision returns the method whose decision a scene without runs shows. numbers are the decision's numbers as
	// texts, by their names in the method's equation. Before a decision there are no numbers. Decision is nil in scenes
	// with runs.
	Decision func() (method string, numbers map[string]string)
	// Detail returns the scene in which the current step can be opened, or nil if there is none now. Detail may be nil.
	Detail func() *DetailScene
	// Log returns the training log that the scene shows, or nil before there is one. Log is nil in scenes that show no
	// logs.
	Log func() *runlog.Log
	// Grow accepts a visitor's file that has grown, and shows it at once or after Work has read it. On an error nothing changes.
	// Grow is nil in scenes that show no growing files.
	Grow func(p *data.Pasted) error
	// Growing is true while Work is still reading the file passed to Grow, so that the earlier file is still shown.
	Growing bool
	// Leave ends a pause in the middle of Work. It is called before the scene is closed, and may be nil.
	Leave func()
	// Measured reads and writes measured times. It is nil in scenes without measured times.
	Measured *Measured
	// Flow moves things other than the runs, such as a swarm. It may be nil.
	Flow Flow
}

// Flow is a motion that a scene shows in addition to its runs. It continues after the runs have ended, until it comes
// to rest.
type Flow interface {
	// Idle returns the parameters that have no effect now, with the reason.
	Idle() map[string]string
	// Animate turns the motion on or off. If it is off, the scene's Work completes the motion at once.
	Animate(on bool)
	// Flow continues the motion by the given number of seconds while more() is true. It reports whether anything still moves.
	Flow(seconds float64, more func() bool) (flows bool, err error)
	// Flows reports whether anything still moves.
	Flows() bool
	// Pour restarts the motion.
	Pour()
	// ShowAt shows everything as it was at iteration k, for a picture. A negative k restores what was shown before.
	ShowAt(k int) error
}

// Measured reads and writes measured times. They cannot be computed again, so a program that draws another program's pictures needs
// them.
type Measured struct {
	// Write writes the measured times as CSV.
	Write func(w io.Writer) error
	// Read reads times that Write has written with equal parameters.
	Read func(r io.Reader) error
}

// DetailScene describes a scene to open, with its values and data.
type DetailScene struct {
	Words  string            `json:"words"` // what the visitor can do, such as "Open this step in the lab"
	Scene  string            `json:"scene"`
	Values map[string]string `json:"values"`
	Data   string            `json:"data"` // content of a file for that scene, or ""
}

// Conclusions are sentences about what a scene shows.
type Conclusions struct {
	// Heading is shown above the sentences, and reserves space for them until they are known. It is "" if there will be none.
	Heading   string
	Sentences []Conclusion // nil until they are known
}

// Conclusion is one sentence of Conclusions.
type Conclusion struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Holds bool   `json:"holds"` // whether what the sentence states is true
	Panel string `json:"panel"` // ID of the panel that shows what the sentence states, or ""
	// Was is the previous version of the sentence, from before the file grew. Since is the number of records from
	// which the present version holds. If the sentence has not changed, Was is "" and Since is 0.
	Was   string `json:"was,omitempty"`
	Since int    `json:"since,omitempty"`
}

// Fault is an error in a text.
type Fault struct {
	Param string `json:"param"` // name of the parameter with the text
	// Line and Column are the error's position, counted from 1. Columns are counted in characters. Length is the number
	// of wrong characters, or 0 if something is missing.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`
	Text   string `json:"text"` // what was expected at this place, in words
}

// Place is a position in a file. Both numbers are counted from 1, and columns in characters.
type Place struct{ Line, Column int }

// Error implements error.
func (f Fault) Error() string { return fmt.Sprintf("%s: %d:%d: %s", f.Param, f.Line, f.Column, f.Text) }
