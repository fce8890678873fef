// Package scene defines what a scene is: the interface that the page's session plays and shows,
// the description of a scene that needs no instance, and the common part of all scenes. Every
// scene's package imports it, and it imports none of them.
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

// Scene is one system to play with. Base implements all but Restart and Panels; what only some scenes can do stands
// in optional.go.
type Scene interface {
	// Params lists the parameters, bound to the scene's own fields.
	Params() *param.List
	// Restart builds the runs anew at k = 0 from the parameters and hands them
	// to the timeline with the log of live changes to apply on the way.
	Restart(log []timeline.Change) error
	// Timeline holds the runs.
	Timeline() *timeline.Timeline
	// Displayed tells the scene that a Display parameter has a new value, or that the runs have a
	// new end (budget), which needs no restart.
	Displayed() error
	// Panels are the pictures to show now, in order.
	Panels() []axes.Panel
	// Drag moves a handle to a point of its panel's world. It returns the parameter that this
	// changes and its new text; "" if nothing changes.
	Drag(handle string, x, y float64) (name, text string)
	// Work does a part of the scene's computations besides its runs, while more() holds. It reports
	// whether there is more to do.
	Work(more func() bool) (pending bool, err error)
	// Results returns the scene's own results for state and files; nil for none.
	Results() any
	// Facts are the scene's named numbers at the marker.
	Facts() []Fact
	// StepNumbers are the numbers of the step that led the track to iteration k, k ≥ 1, as texts
	// by the names in its equation: numbers, or points such as "(0.31, 0.12)". They are nil if
	// there are none.
	StepNumbers(t timeline.Track, k int) (map[string]string, error)
	// Conclusions puts what the scene shows into sentences; nil if it never does.
	Conclusions() *Conclusions
	// Released tells the scene that a drag has ended, which some changes wait for, such as those of axes.
	Released()
	// Extras returns what only a few scenes have.
	Extras() Extras
}

// Extras are what only a few scenes have. The zero value has none of it.
type Extras struct {
	// HidesRuns says that something else stands in the place of the runs, such as a map of the ends of many runs.
	HidesRuns bool
	// Worked is the ID of the panel that shows what Work computes now, "" for the first panel.
	Worked string
	// Preferred names the run that is shown in detail if nobody has chosen one; "" for the first.
	Preferred string
	// Lacks says what is missing before there are runs, "" for nothing.
	Lacks string
	// Unused names parts of the texts that nothing uses.
	Unused []string
	// Details returns the scene's own results for files, in place of Results, where they take too much work or
	// room for a state; nil if files hold Results.
	Details func() (any, error)
	// Decision returns the method whose decision a scene without runs shows, and its numbers, as texts by the names
	// in the method's equation; no numbers while nothing is decided. It is nil in other scenes.
	Decision func() (method string, numbers map[string]string)
	// Detail returns the scene in which the current step can be opened; nil if there is none. The function is nil if
	// there never is.
	Detail func() *DetailScene
	// Log returns the log of a training that is on show, nil while there is none. The function is nil in scenes that
	// show no logs.
	Log func() *runlog.Log
	// Grow takes over the visitor's file as it is now, which has grown since it was shown, and shows it: at once, or once Work has looked
	// at it. On an error nothing has changed. The function is nil in scenes that show no files that grow.
	Grow func(p *data.Pasted) error
	// Growing says that Work has still to look at the file that Grow took over, while the one before is on show.
	Growing bool
	// Leave ends what rests in the middle of Work, before the scene is left for good; nil where nothing ever does.
	Leave func()
	// Measured reads and writes measured times; nil in scenes that show none.
	Measured *Measured
	// Flow moves things beside the runs, such as a swarm; it may be nil.
	Flow Flow
}

// Flow is what flows in time beside the runs of a scene, and goes on after they have ended until it rests.
type Flow interface {
	// Idle names the parameters that do nothing now, and says why.
	Idle() map[string]string
	// Animate says whether it flows in time, by Flow; otherwise the scene's Work brings it to its end.
	Animate(on bool)
	// Flow lets it go on for some seconds while more() holds, and reports whether it does not rest yet.
	Flow(seconds float64, more func() bool) (flows bool, err error)
	// Flows reports whether it does not rest.
	Flows() bool
	// Pour lets it begin anew.
	Pour()
	// ShowAt shows all that flows as it is at iteration k, for a picture; with a negative k it shows everything where it was before.
	ShowAt(k int) error
}

// Measured reads and writes measured times. Nobody can compute them again: a program that draws what another program
// shows is given them.
type Measured struct {
	// Write writes what has been measured, as CSV.
	Write func(w io.Writer) error
	// Read takes over what Write wrote with equal parameters.
	Read func(r io.Reader) error
}

// DetailScene is a scene with values, and data to bring there.
type DetailScene struct {
	Words  string            `json:"words"` // what a visitor can do, such as "Open this step in the lab"
	Scene  string            `json:"scene"`
	Values map[string]string `json:"values"`
	Data   string            `json:"data"` // a file as that scene takes them, "" for none
}

// Conclusions are what a scene shows, in sentences.
type Conclusions struct {
	// Heading stands above the sentences, and keeps room for them where there are none yet; "" where none are to come.
	Heading   string
	Sentences []Conclusion // nil while there are none
}

// Conclusion is one of these sentences.
type Conclusion struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Holds bool   `json:"holds"` // whether what the sentence is about is so
	Panel string `json:"panel"` // the ID of the panel that it is read off, "" for none
	// Was is what the sentence said before it changed last, while its file grew, and Since is the number of records since which it says
	// what it says; "" and 0 where it has not changed.
	Was   string `json:"was,omitempty"`
	Since int    `json:"since,omitempty"`
}

// Fault is something wrong in a text.
type Fault struct {
	Param string `json:"param"` // the name of the parameter
	// Line and Column are where, from 1, in characters. Length is how many of them are at fault, 0 where
	// something is missing.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`
	Text   string `json:"text"` // what is expected there, in words
}

// Place is a place in a file, both numbers from 1, columns in characters.
type Place struct{ Line, Column int }

// Error implements error.
func (f Fault) Error() string { return fmt.Sprintf("%s: %d:%d: %s", f.Param, f.Line, f.Column, f.Text) }
