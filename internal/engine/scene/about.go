package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
)

// About describes a scene. It is available without creating the scene.
type About struct {
	ID       string
	Title    string
	Question string // the question that the scene answers, in words without symbols
	Summary  string // two sentences about what the scene shows
	Try      string // what to try first
	// Tried is true once a visitor has done what Try says and its effect shows. The page then shows Done below Try: one sentence
	// that says what to see. Done must be true wherever Tried holds.
	Tried *condition.Tree
	Done  string
	// DataSummary and DataTry replace Summary and Try while the scene shows a visitor's data.
	DataSummary, DataTry string
	// Data holds the page's texts about a visitor's data. It is nil if the scene takes none.
	Data *DataWords
	// Takes is the layout of files with a visitor's data. It is nil if the scene takes none.
	Takes *data.Layout
	// Brought names the parameters that get their values from the data. Links omit these values.
	Brought []string
	// Texts returns the parameter values in a file's lines and, for each line of a value, that line's place in the
	// file. It is nil for a scene whose problem is not a text.
	Texts func(file string) (values map[string]string, places map[string][]Place, err error)

	Paper string // the paper with the system, figure or table that the scene shows
	Group Group  // the question under which the contents page lists the scene

	Hero string // ID of the most important panel
	// Beside lists the IDs of the panels that open small beside the hero, at most axes.FewPanels. They explain why the hero shows
	// what it does.
	Beside []string
	Keys   []string // names of the most important parameters, most important first

	Counts string // singular noun for what k counts; "" for iterations

	Methods []param.Method // the methods, in the order of lists and legends
	Symbols []Symbol
	Presets []Preset   // one-click cards, in order
	Facts   []FactHelp // the scene's facts, which lessons can use; the session adds common ones
	// Equations are the methods' steps as formulas. The equation of a method is the first one that names the method.
	Equations []Equation
	// Several is true if a run of the scene can have several solutions. Tables in files then have a line for each
	// solution.
	Several bool

	// Tally is the count that summarises the scene's runs. It may be nil.
	Tally *Tally

	// Comparison describes how methods are compared over seeds. It is nil if one number is not enough for a comparison.
	Comparison *Comparison

	// Opens holds parameter values for a scene that opens by its name alone. Links, cards and lessons use the defaults
	// instead, so that adding a value here does not change what existing ones show.
	Opens map[string]string

	New func() Scene // returns a scene with default parameters; Restart builds its runs
}

// Tally describes a count over a method's runs, such as "collapsed 6 of 10".
type Tally struct {
	Fact string // name of the method's fact with the count
	Word string // what the counted runs have done, such as "collapsed"
}

// Comparison describes how a scene's methods are compared, each with its best step size.
type Comparison struct {
	Fact   string // name of a method's fact, without the method; the full name is Fact, a full stop and the method
	Higher bool   // whether larger values are better
	Log    bool   // whether values are positive and compared by ratio: 1e-3 to 1e-2 counts as much as 1e-2 to 1e-1
	Step   string // the step-size parameter, which is tuned for each method
	// StartsInfeasible is true if start points are not solutions, because their lower level is not solved. A run's
	// end may then be dominated by its start.
	StartsInfeasible bool
	Values           map[string]string // parameter values for every comparison, such as random starts or equal weights for the baseline
	// Baseline is the simplest method, which is part of every comparison; "" if there is none.
	Baseline string
}

// DataWords are the texts that invite a visitor to bring data.
type DataWords struct {
	Button  string `json:"button"`  // label of the button that opens the dialog
	Title   string `json:"title"`   // title of the dialog
	Format  string `json:"form"`    // format of a file, and how the scene uses it
	Example string `json:"example"` // an example as text
	// Beside is a second invitation, between the scene's sentences and the button. It may be "".
	Beside string `json:"beside,omitempty"`
	// Names is the text beside the page's field for the order of names. If the scene does not read names, Names is "",
	// and the page accepts no folder.
	Names string `json:"names,omitempty"`
}

// Preset is a named set of values that one click applies.
type Preset struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Lead  string `json:"lead"` // what the visitor sees, in one sentence of at most LeadWords words
	Text  string `json:"text"` // one to three sentences that explain what the visitor sees; may be ""
	// Seeds says what holds over several seeds. The page folds this text. It may be "".
	Seeds string `json:"seeds,omitempty"`
	// References are the values that the text compares. Panels draw them.
	References []axes.Reference  `json:"-"`
	Values     map[string]string `json:"values"`
	Hero       string            `json:"hero,omitempty"` // ID of the most important panel; "" for the scene's hero
	Keys       []string          `json:"keys,omitempty"` // names of the key parameters; nil for the scene's Keys
	// Selected names the run that the preset refers to; may be "".
	Selected string `json:"selected,omitempty"`
}

// LeadWords is the maximum number of words in a preset's lead.
const LeadWords = 20

// Words returns all texts of a preset in the order in which the page shows them.
func (p *Preset) Words() string {
	return strings.Join(slices.DeleteFunc([]string{p.Lead, p.Text, p.Seeds}, func(s string) bool { return s == "" }), " ")
}

// Symbol explains a symbol that the page shows.
type Symbol struct {
	Sign   string `json:"sign"`
	Text   string `json:"text"`   // explanation in one sentence
	Source string `json:"source"` // paper and equation, or the place of the definition
}

// Fact is a named number of a scene at the marker. The scene's texts, results and table get their numbers from its facts.
type Fact struct {
	Name  string         // name for programs, such as "collapsed.mgda"
	Label string         // name for visitors
	Unit  string         // "" for a plain number
	Value func() float64 // NaN if there is no value
}

// Equation is the step of one or several methods as a formula in TeX. Numbers is the same formula with \text{@NAME} in place of
// each number. The scene's StepNumbers returns the number for each NAME.
type Equation struct {
	ID      string   `json:"id"`
	Methods []string `json:"methods"` // IDs of the methods with this step; nil for all
	Symbols string   `json:"symbols"`
	Numbers string   `json:"numbers"`
	Text    string   `json:"text"` // description of the step in one sentence, in plain words
}

// Group is a question under which the contents page lists scenes.
type Group string

// The groups, in the page's order.
const (
	TwoGoals  Group = "Two goals"
	OneStep   Group = "One step"
	ManyGoals Group = "Many goals"
	TwoLevels Group = "Two levels"
	TheOrder  Group = "The order of the data"
	OneBlock  Group = "One block at a time"
	YourOwn   Group = "Your own"
)

// Groups lists all groups in the page's order.
var Groups = []Group{TwoGoals, OneStep, YourOwn, ManyGoals, TwoLevels, TheOrder, OneBlock}

// List is a list of scenes in the page's order.
type List []About

// Find returns the scene with the given ID. Its error lists the available scenes.
func (l List) Find(id string) (About, error) {
	names := make([]string, len(l))
	for i, a := range l {
		if a.ID == id {
			return a, nil
		}
		names[i] = a.ID
	}
	return About{}, fmt.Errorf("unknown scene %s; available: %s", Quote(id), strings.Join(names, " "))
}

// Quote quotes and shortens an input for a message.
func Quote(text string) string {
	const limit = 40
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strconv.Quote(text)
}
