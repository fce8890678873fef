package scene

import (
	"io"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// This file contains abilities that only some scenes have. Each is an interface with one function below it. Other code must use
// that function to find out whether a scene has the ability.

// Static is a Scene without runs. Its timeline stays empty. Its table and its CSV file come from Readout and WriteCSV.
type Static interface {
	Scene
	// Readout returns the table that the page shows.
	Readout() timeline.Readout
	// WriteCSV writes the scene's results as a table.
	WriteCSV(w io.Writer) error
}

// AsStatic returns s as a Static and reports whether it is one.
func AsStatic(s Scene) (Static, bool) {
	of, is := s.(Static)
	return of, is
}

// DataTaker is a Scene that shows a visitor's data in the layout About.Takes. Links contain only the data's SHA-256 hash, so the
// data stay with the visitor.
type DataTaker interface {
	Scene
	// Paste stores data in the layout About.Takes and sets the parameter that selects them. Restart, or Displayed for a
	// Static scene, then shows them. On an error nothing changes.
	Paste(p *data.Pasted) error
	// ShowsPasted reports whether the current settings need the data.
	ShowsPasted() bool
}

// AsDataTaker returns s as a DataTaker and reports whether it is one.
func AsDataTaker(s Scene) (DataTaker, bool) {
	of, is := s.(DataTaker)
	return of, is
}

// Supplied is a Scene that shows files from the page's site. The visitor's browser loads a file when the scene needs it.
type Supplied interface {
	Scene
	// Needs returns the address, relative to the page, of the file that the scene waits for, or "".
	Needs() string
	// Form returns the layout of the files that the scene needs.
	Form() *data.Layout
	// Supply stores a file that the scene needs. Restart then shows the file. A Static scene shows it at once.
	Supply(p *data.Pasted) error
}

// AsSupplied returns s as a Supplied and reports whether it is one.
func AsSupplied(s Scene) (Supplied, bool) {
	of, is := s.(Supplied)
	return of, is
}

// SpeedParam is the name of a parameter that a scene has if and only if it has runs. Its value is the maximum number of
// iterations per second, or "max" for as many as fit into a frame.
const SpeedParam = "speed"

// MomentParam is the parameter that slow motion changes by itself.
const MomentParam = "moment"

// SlowMotion is a Scene that can show an iteration in moments.
type SlowMotion interface {
	Scene
	// InSlowMotion reports whether the scene now plays moments instead of whole iterations.
	InSlowMotion() bool
	// PassTime advances the time within an iteration by the given number of seconds. It reports whether the next iteration is due.
	PassTime(seconds float64) (due bool)
	// Moment returns the name of the part of the iteration that is shown.
	Moment() string
}

// InSlowMotion returns s as a SlowMotion and reports whether it now plays moments.
func InSlowMotion(s Scene) (SlowMotion, bool) {
	of, is := s.(SlowMotion)
	return of, is && of.InSlowMotion()
}

// Faulty is a Scene with a Text parameter, such as a formula, that may contain errors. The parameter accepts any text as its value,
// and links store the text with its errors.
type Faulty interface {
	Scene
	// Faults returns the errors in the current texts, in order, or none if the scene can show the texts. While there are errors,
	// the session keeps the runs. Restart then builds runs from the last texts without errors or, in a new scene, from the initial
	// texts.
	Faults() []Fault
}

// FaultsOf returns the errors in the texts of s, or nil if s is not Faulty.
func FaultsOf(s Scene) []Fault {
	if of, is := s.(Faulty); is {
		return of.Faults()
	}
	return nil
}

// Programmed is a Scene that adds data to the programs that repeat its runs.
type Programmed interface {
	Scene
	// ProgramData returns the numbers and lists of numbers that a method needs for the given number of steps, by name, in addition
	// to parameters and start points. Its error says why no program is possible with these settings.
	ProgramData(method string, steps int) (map[string]any, error)
}

// ProgramDataOf returns the ProgramData of s, or nil if s is not Programmed.
func ProgramDataOf(s Scene, method string, steps int) (map[string]any, error) {
	if of, is := s.(Programmed); is {
		return of.ProgramData(method, steps)
	}
	return nil, nil
}

// Recordable is a Scene whose runs can be recorded as training logs for package runlog. The session repeats a run from its first
// step and records it. The runs that are shown do not change.
type Recordable interface {
	Scene
	// Recording returns a copy of the named run for a repetition. The session calls it while live parameters have their values at k
	// = 0. Its error says why the run has no log.
	Recording(run string) (*Recording, error)
}

// AsRecordable returns s as a Recordable and reports whether it is one.
func AsRecordable(s Scene) (Recordable, bool) {
	of, is := s.(Recordable)
	return of, is
}
