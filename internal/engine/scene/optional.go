package scene

import (
	"io"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// This file holds what some scenes can do and others cannot: each ability is an interface, and the function below it
// is the only place that asks a scene for it.

// Static is a Scene without runs: its timeline stays empty, and its table and
// its CSV file are its own.
type Static interface {
	Scene
	// Readout returns the table that the page shows.
	Readout() timeline.Readout
	// WriteCSV writes the scene's results as a table.
	WriteCSV(w io.Writer) error
}

// AsStatic returns s as a Static, and whether it is one.
func AsStatic(s Scene) (Static, bool) {
	of, is := s.(Static)
	return of, is
}

// DataTaker is a Scene that shows data which a visitor brings, in the layout About.Takes. They stay with the
// visitor: a link holds only their SHA-256.
type DataTaker interface {
	Scene
	// Paste takes over data in that layout and sets the parameter that chooses them; Restart or,
	// for a Static scene, Displayed then shows them. On an error nothing has changed.
	Paste(p *data.Pasted) error
	// ShowsPasted reports whether the pictures need the data.
	ShowsPasted() bool
}

// AsDataTaker returns s as a DataTaker, and whether it is one.
func AsDataTaker(s Scene) (DataTaker, bool) {
	of, is := s.(DataTaker)
	return of, is
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

// AsSupplied returns s as a Supplied, and whether it is one.
func AsSupplied(s Scene) (Supplied, bool) {
	of, is := s.(Supplied)
	return of, is
}

// SpeedParam is the name of the parameter that every scene with runs has, and no other:
// iterations per second, "max" for as many as fit into a frame.
const SpeedParam = "speed"

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

// InSlowMotion returns s as a SlowMotion, and whether it plays moments now.
func InSlowMotion(s Scene) (SlowMotion, bool) {
	of, is := s.(SlowMotion)
	return of, is && of.InSlowMotion()
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

// FaultsOf returns what is wrong with the texts of s, nil if it is not Faulty.
func FaultsOf(s Scene) []Fault {
	if of, is := s.(Faulty); is {
		return of.Faults()
	}
	return nil
}

// Programmed is a Scene whose programs hold data of its own.
type Programmed interface {
	Scene
	// ProgramData returns numbers, and lists of numbers, by name: what a method needs for so many iterations besides
	// the parameters and the start points. An error says why there is no program with these settings.
	ProgramData(method string, steps int) (map[string]any, error)
}

// ProgramDataOf returns the ProgramData of s, nil if it is not Programmed.
func ProgramDataOf(s Scene, method string, steps int) (map[string]any, error) {
	if of, is := s.(Programmed); is {
		return of.ProgramData(method, steps)
	}
	return nil, nil
}

// Recordable is a Scene whose runs can be recorded as logs of trainings, as package runlog reads them. The session repeats a run
// from its first step on and records it, so that the runs on show stay as they are.
type Recordable interface {
	Scene
	// Recording returns what repeats the run of that name. It is called while live parameters have the values that they have at
	// k = 0. An error says why there is no log of it.
	Recording(run string) (*Recording, error)
}

// AsRecordable returns s as a Recordable, and whether it is one.
func AsRecordable(s Scene) (Recordable, bool) {
	of, is := s.(Recordable)
	return of, is
}
