// Package scenes is the ordered list of scenes and the model of the page: a
// Session does everything the page can do, without a browser.
package scenes

import (
	"fmt"
	"io"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/scenes/bilevel"
	"paretoplay/scenes/bilevelcost"
	"paretoplay/scenes/cleaning"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/fonseca"
	"paretoplay/scenes/lab"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
	"paretoplay/scenes/toy"
)

// Scene is one system to play with. Scene packages implement it without
// importing this package.
type Scene interface {
	// Params lists the parameters, bound to the scene's own fields.
	Params() *param.List
	// Presets are the one-click cards, in order.
	Presets() []param.Preset
	// Restart builds the runs anew at k = 0 from the parameters and hands them
	// to the timeline with the log of live changes to apply on the way.
	Restart(log []timeline.Change) error
	// Timeline holds the runs.
	Timeline() *timeline.Timeline
	// Displayed tells the scene that a Display parameter has a new value, or an
	// end of the runs (budget) that needs no restart.
	Displayed() error
	// Panels are the pictures to show now, in order.
	Panels() []panel.Panel
	// Drag moves a handle to a point of its panel's world. It returns the
	// parameter this changes and its new text; "" when nothing changes.
	Drag(handle string, x, y float64) (name, text string)
	// Work does a part of whatever the scene computes besides its runs, while
	// more() holds. It reports whether there is more to do.
	Work(more func() bool) (pending bool, err error)
	// Results are the scene's own outcomes for state and files; nil for none.
	Results() any
}

// Static is a Scene without runs: its timeline stays empty, and its table and
// its CSV file are its own.
type Static interface {
	Scene
	// Readout is the table that the page shows.
	Readout() timeline.Readout
	// WriteCSV writes the scene's results as a table.
	WriteCSV(w io.Writer) error
}

// Lingering is a Scene that can show what happens within an iteration, moment by
// moment, before it is made.
type Lingering interface {
	Scene
	// Lingers reports whether its speed is that of moments, not of iterations.
	Lingers() bool
	// Linger lets some seconds pass within the iteration to come. It reports whether
	// that is due.
	Linger(seconds float64) (due bool)
	// Moment names the part of the iteration that is shown.
	Moment() string
}

// Guest is a Scene that shows data which a visitor brings. They stay with the
// visitor: a link holds only their SHA-256.
type Guest interface {
	Scene
	// Paste shows the data, by setting the parameter that says what is shown.
	Paste(p *exchange.Pasted)
	// ShowsPasted reports whether what is shown needs the data.
	ShowsPasted() bool
}

var (
	_ Static = (*lab.Scene)(nil)
	_ Guest  = (*lab.Scene)(nil)

	_ Lingering = (*bilevel.Scene)(nil)
	_ Static    = (*bilevelcost.Scene)(nil)
)

// About describes a scene without making one.
type About struct {
	ID      string
	Title   string
	Summary string // what one sees, two sentences
	Try     string // what to try first
	// DataSummary and DataTry take their place where a Guest shows a visitor's data.
	DataSummary, DataTry string
	Methods              []param.Method
	Symbols              []param.Symbol
	New                  func() Scene
}

// All is every scene in the order of the page.
var All = []About{
	{
		ID:      "fonseca",
		Title:   "Fonseca: periodic weights",
		Summary: fonseca.Summary,
		Try:     fonseca.Try,
		Methods: fonseca.Methods,
		Symbols: fonseca.Symbols,
		New:     func() Scene { return fonseca.New() },
	},
	{
		ID:          "lab",
		Title:       "Gradient lab: one decision",
		Summary:     lab.Summary,
		Try:         lab.Try,
		DataSummary: lab.DataSummary,
		DataTry:     lab.DataTry,
		Methods:     lab.Methods,
		Symbols:     lab.Symbols,
		New:         func() Scene { return lab.New() },
	},
	{
		ID:      "toy",
		Title:   "Toy race: ways to weigh gradients",
		Summary: toy.Summary,
		Try:     toy.Try,
		Methods: toy.Methods,
		Symbols: toy.Symbols,
		New:     func() Scene { return toy.New() },
	},
	{
		ID:      "bilevel",
		Title:   "Quadratic bilevel: FORUM",
		Summary: bilevel.Summary,
		Try:     bilevel.Try,
		Methods: bilevel.Methods,
		Symbols: bilevel.Symbols,
		New:     func() Scene { return bilevel.New() },
	},
	{
		ID:      "bilevelcost",
		Title:   "Cost of differentiating",
		Summary: bilevelcost.Summary,
		Try:     bilevelcost.Try,
		Methods: bilevelcost.Methods,
		Symbols: bilevelcost.Symbols,
		New:     func() Scene { return bilevelcost.New() },
	},
	{
		ID:      "cleaning",
		Title:   "Hyper-cleaning",
		Summary: cleaning.Summary,
		Try:     cleaning.Try,
		Methods: cleaning.Methods,
		Symbols: cleaning.Symbols,
		New:     func() Scene { return cleaning.New() },
	},
}

// Find returns the scene of that id; the error lists those there are.
func Find(id string) (About, error) {
	names := make([]string, len(All))
	for i, a := range All {
		if a.ID == id {
			return a, nil
		}
		names[i] = a.ID
	}
	return About{}, fmt.Errorf("%s is no scene; there are: %s", quote(id), strings.Join(names, " "))
}
