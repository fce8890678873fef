// Package scene defines what a scene is: the interface that the page's session plays and shows,
// the description of a scene that needs no instance, and the common part of all scenes. Every
// scene's package imports it, and it imports none of them.
package scene

import (
	"fmt"
	"io"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// Scene is one system to play with.
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
}

// Static is a Scene without runs: its timeline stays empty, and its table and
// its CSV file are its own.
type Static interface {
	Scene
	// Readout returns the table that the page shows.
	Readout() timeline.Readout
	// WriteCSV writes the scene's results as a table.
	WriteCSV(w io.Writer) error
}

// Detailed is a Scene whose files hold more results than a state, for which they take too much
// work or room.
type Detailed interface {
	Scene
	// Details returns the scene's own results for files, in place of Results.
	Details() (any, error)
}

// Stepping is a Scene that can say the numbers of one step.
type Stepping interface {
	Scene
	// StepNumbers are the numbers of the step that led the track to iteration k, k ≥ 1, as texts
	// by the names in its equation: numbers, or points such as "(0.31, 0.12)".
	StepNumbers(t timeline.Track, k int) (map[string]string, error)
}

// Deciding is a Scene without runs that can say the numbers of an equation.
type Deciding interface {
	Scene
	// DecisionNumbers returns the numbers of a method's decision on show, as texts by the names in
	// its equation; none while nothing is decided.
	DecisionNumbers() (method string, numbers map[string]string)
}

// Releasing is a Scene that makes some changes, such as of its axes, only when a drag has
// ended.
type Releasing interface {
	Scene
	// Released reports that the pointer has let go of a handle.
	Released()
}

// MomentParam is the parameter that slow motion moves by itself.
const MomentParam = "moment"

// SlowMotion is a Scene that can show an iteration moment by moment.
type SlowMotion interface {
	Scene
	// InSlowMotion reports whether it plays moments instead of whole iterations.
	InSlowMotion() bool
	// PassTime lets some seconds pass within an iteration. It reports whether the next
	// one is due.
	PassTime(seconds float64) (due bool)
	// Moment names the part of the iteration that is shown.
	Moment() string
}

// Selecting is a Scene that says which run is shown in detail if nobody has chosen one; other
// scenes show the first.
type Selecting interface {
	Scene
	// Preferred is the name of that run, "" for the first.
	Preferred() string
}

// Waiting is a Scene that may need more information before it has runs.
type Waiting interface {
	Scene
	// Lacks says what is missing, "" for nothing.
	Lacks() string
}

// Covering is a Scene that can show something else in place of its runs, such as a map of the
// ends of many runs.
type Covering interface {
	Scene
	// Covers reports whether it does.
	Covers() bool
}

// Supplied is a Scene that shows files which come with the page: a visitor's browser fetches one when it
// is asked for.
type Supplied interface {
	Scene
	// Needs is the address of the file that the scene waits for, relative to the page, "" for none.
	Needs() string
	// Form is the layout of that file.
	Form() *data.Layout
	// Supply takes that file over. Restart or, for a Static scene, Supply itself then shows it.
	Supply(p *data.Pasted) error
}

// Concluding is a Scene that puts what it shows into sentences.
type Concluding interface {
	Scene
	// Conclusions are the sentences, nil while there are none.
	Conclusions() []Conclusion
	// Heading stands above these sentences, and keeps room for them where there are none yet; "" where none
	// are to come.
	Heading(of []Conclusion) string
}

// Leading is a Scene whose moment another scene can show in detail.
type Leading interface {
	Scene
	// Elsewhere says how, nil for nothing.
	Elsewhere() *Elsewhere
}

// Elsewhere is a scene with values, and data to bring there.
type Elsewhere struct {
	Words  string            `json:"words"` // what a visitor can do, such as "Open this step in the lab"
	Scene  string            `json:"scene"`
	Values map[string]string `json:"values"`
	Data   string            `json:"data"` // a file as that scene takes them, "" for none
}

// Conclusion is one of these sentences.
type Conclusion struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Holds bool   `json:"holds"` // whether what the sentence is about is so
	Panel string `json:"panel"` // the ID of the panel that it is read off, "" for none
}

// Faulty is a Scene with a Text among its parameters, such as a formula, in which something can be wrong. Every
// text is a value that the parameter can have: a link holds it whether it is right or not.
type Faulty interface {
	Scene
	// Faults says what is wrong with the texts as they are now, in order; none while the scene can show them.
	// As long as there are some, the session leaves the runs as they are, and Restart builds the runs of the last
	// texts without a fault: in a new scene, those that it begins with.
	Faults() []Fault
}

// Written is a Scene whose problem is texts that a file can hold.
type Written interface {
	Scene
	// Texts returns the values of parameters that the lines of a file stand for.
	Texts(file string) (map[string]string, error)
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

// Error implements error.
func (f Fault) Error() string { return fmt.Sprintf("%s: %d:%d: %s", f.Param, f.Line, f.Column, f.Text) }

// Measured is a Scene that shows measured times, which nobody can compute again: a program that draws what
// another shows is given them.
type Measured interface {
	Scene
	// WriteMeasured writes what has been measured, as CSV.
	WriteMeasured(w io.Writer) error
	// ReadMeasured takes over what WriteMeasured wrote with equal parameters.
	ReadMeasured(r io.Reader) error
}

// TakesData is a Scene that shows data which a visitor brings. They stay with the
// visitor: a link holds only their SHA-256.
type TakesData interface {
	Scene
	// Takes returns the layout of the files that it shows.
	Takes() *data.Layout
	// Paste takes over data in that layout and sets the parameter that chooses them; Restart or,
	// for a Static scene, Displayed then shows them. On an error nothing has changed.
	Paste(p *data.Pasted) error
	// Brought names the parameters whose values come from the data: a link leaves these values out.
	Brought() []string
	// ShowsPasted reports whether the pictures need the data.
	ShowsPasted() bool
}

// Programmed is a Scene whose programs hold data of its own.
type Programmed interface {
	Scene
	// ProgramData returns numbers, and lists of numbers, by name: what a method needs for so many iterations besides
	// the parameters and the start points. An error says why there is no program with these settings.
	ProgramData(method string, steps int) (map[string]any, error)
}
