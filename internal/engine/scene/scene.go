// Package scene defines what a scene is: the interface that a session plays and shows, the description that needs no instance, and
// the common part of all scenes. Every scene's package imports it; it imports none of them.
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

// Scene is a system to play with. Base implements all methods but Restart and Panels. Abilities that only some scenes have are in
// optional.go.
type Scene interface {
	// Params returns the parameters, bound to the scene's fields.
	Params() *param.List
	// Restart builds new runs at k = 0 from the parameters. It gives them to the timeline, together with the log of live changes to
	// apply.
	Restart(log []timeline.Change) error
	// Timeline returns the timeline with the runs.
	Timeline() *timeline.Timeline
	// Displayed tells the scene that a Display parameter has changed, or that the runs have a new end (budget), which needs no
	// restart.
	Displayed() error
	// Panels returns the pictures to show now, in order.
	Panels() []axes.Panel
	// Drag moves a handle to a point in its panel's coordinates. It returns the parameter that this changes and its new text, or ""
	// if nothing changes.
	Drag(handle string, x, y float64) (name, text string)
	// Work does a part of the scene's computation beside its runs while more() is true. It reports whether there is more to do.
	Work(more func() bool) (pending bool, err error)
	// Results returns the scene's own results for state and files, or nil.
	Results() any
	// Facts returns the scene's named numbers at the marker.
	Facts() []Fact
	// StepNumbers returns the numbers of the step that led the track to iteration k, k ≥ 1, by the names in its equation. They are
	// texts: numbers, or points such as "(0.31, 0.12)". It returns nil if there are none.
	StepNumbers(t timeline.Track, k int) (map[string]string, error)
	// Conclusions returns sentences about what the scene shows, or nil if it has none.
	Conclusions() *Conclusions
	// Released tells the scene that a drag has ended. Some changes, for example of axes, wait for that.
	Released()
	// Extras returns features that only a few scenes have.
	Extras() Extras
}

// Extras are features that only a few scenes have. The zero value has none.
type Extras struct {
	// HidesRuns says that something else is shown instead of the runs, such as a map of the ends of many runs.
	HidesRuns bool
	// Worked is the ID of the panel that shows the result of Work; "" means the first panel.
	Worked string
	// Preferred names the run shown in detail by default; "" means the first.
	Preferred string
	// Lacks says what is missing before there can be runs; "" if nothing is.
	Lacks string
	// Unused names parts of the texts that are not used.
	Unused []string
	// Details returns the scene's own results for files, if they need too much work or space for a state. If it is nil, files hold
	// Results.
	Details func() (any, error)
	// Decision returns the method whose decision a scene without runs shows, and the decision's numbers, as texts by the names in the
	// method's equation. It returns no numbers before a decision. It is nil in other scenes.
	Decision func() (method string, numbers map[string]string)
	// Detail returns the scene in which the current step can be opened, or nil if there is none now. It may be nil.
	Detail func() *DetailScene
	// Log returns the training log on show, or nil before there is one. It is nil in scenes that show no logs.
	Log func() *runlog.Log
	// Grow takes a visitor's file that has grown, and shows it at once or after Work has read it. On an error nothing changes. It is
	// nil in scenes that show no growing files.
	Grow func(p *data.Pasted) error
	// Growing says that Work has not finished reading the file that Grow took; the former one is still shown.
	Growing bool
	// Leave ends a pause in the middle of Work before the scene is closed. It may be nil.
	Leave func()
	// Measured reads and writes measured times; nil in scenes without any.
	Measured *Measured
	// Flow moves things beside the runs, such as a swarm; may be nil.
	Flow Flow
}

// Flow is a motion beside the runs of a scene. It continues after they have ended until it rests.
type Flow interface {
	// Idle returns the parameters that have no effect now, with the reason.
	Idle() map[string]string
	// Animate(true) lets Flow show the motion. Otherwise the scene's Work takes it to its end.
	Animate(on bool)
	// Flow continues the motion for some seconds while more() is true. It reports whether anything still moves.
	Flow(seconds float64, more func() bool) (flows bool, err error)
	// Flows reports whether anything still moves.
	Flows() bool
	// Pour starts the motion again.
	Pour()
	// ShowAt shows everything as it is at iteration k, for a picture. A negative k shows everything as before.
	ShowAt(k int) error
}

// Measured reads and writes measured times. They cannot be computed again, so a program that draws what another program shows needs
// them.
type Measured struct {
	// Write writes the measured times as CSV.
	Write func(w io.Writer) error
	// Read reads what Write wrote with equal parameters.
	Read func(r io.Reader) error
}

// DetailScene is a scene to open, with values and data.
type DetailScene struct {
	Words  string            `json:"words"` // what a visitor can do, such as "Open this step in the lab"
	Scene  string            `json:"scene"`
	Values map[string]string `json:"values"`
	Data   string            `json:"data"` // a file for that scene, or ""
}

// Conclusions are sentences about what a scene shows.
type Conclusions struct {
	// Heading is shown above the sentences, and keeps room for them before they are known. It is "" if there will be none.
	Heading   string
	Sentences []Conclusion // nil before they are known
}

// Conclusion is one of these sentences.
type Conclusion struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Holds bool   `json:"holds"` // what the sentence says is true
	Panel string `json:"panel"` // ID of the panel that shows it, or ""
	// Was is the sentence before its last change while its file grew. Since is the number of records from which the present one
	// holds. They are "" and 0 if it has not changed.
	Was   string `json:"was,omitempty"`
	Since int    `json:"since,omitempty"`
}

// Fault is an error in a text.
type Fault struct {
	Param string `json:"param"` // name of the parameter
	// Line and Column are the place, from 1, in characters. Length is the number of wrong characters, or 0 if something is missing.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`
	Text   string `json:"text"` // what was expected there, in words
}

// Place is a place in a file. Both numbers count from 1; columns are characters.
type Place struct{ Line, Column int }

// Error implements error.
func (f Fault) Error() string { return fmt.Sprintf("%s: %d:%d: %s", f.Param, f.Line, f.Column, f.Text) }
