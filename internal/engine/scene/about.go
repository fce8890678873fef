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

// About describes a scene without making one.
type About struct {
	ID       string
	Title    string
	Question string // the question that the scene answers, in words without a symbol
	Summary  string // what is on show, in two sentences
	Try      string // what to try first
	// Tried holds once a visitor has done it and its effect can be seen; Done then says in one sentence, beneath Try, what is to be
	// seen, and is true wherever Tried holds.
	Tried *condition.Tree
	Done  string
	// DataSummary and DataTry replace them while the scene shows a visitor's data.
	DataSummary, DataTry string
	// Data holds the page's words about bringing data, nil for a scene that takes none.
	Data *DataWords
	// Takes is the layout of the files with a visitor's data, nil for a scene that takes none.
	Takes *data.Layout
	// Brought names the parameters whose values come from the data: a link leaves these values out.
	Brought []string
	// Texts returns the values of parameters that the lines of a file stand for, and for each line of a value where
	// it begins in the file; nil for a scene whose problem is no text.
	Texts func(file string) (values map[string]string, places map[string][]Place, err error)

	Paper string // the paper whose system, figure or table it shows
	Group Group  // its question on the contents page

	Hero string // the ID of the panel that tells most
	// Beside are the IDs of the panels that open small beside it, at most axes.FewPanels: those that answer "why".
	Beside []string
	Keys   []string // the names of the parameters that matter most, the first ones first

	Counts string // what k counts, in the singular; "" for iterations

	Methods []param.Method // in the order of lists and legends
	Symbols []Symbol
	Presets []Preset   // one-click cards, in order
	Facts   []FactHelp // the scene's own facts, which lessons can ask for; the session adds some
	// Equations are the steps of its methods as formulas; a method has the first that names it.
	Equations []Equation
	// Several says that the scene's runs can hold several solutions; its tables in files then have a
	// line for each.
	Several bool

	// Tally is the count that sums its runs up, nil where none does.
	Tally *Tally

	// Comparison says how methods are compared over seeds, nil where one number tells too little.
	Comparison *Comparison

	// Opens are values, by parameter, with which the scene opens plainly, by its name alone. Links, cards and lessons have the
	// parameters' defaults, so that those made before a value was added here look as they did.
	Opens map[string]string

	New func() Scene // with default parameters; Restart builds its runs
}

// Tally is a count of a method's runs, such as "collapsed 6 of 10".
type Tally struct {
	Fact string // the name of a fact of a method that counts some of its runs
	Word string // what these have done
}

// Comparison says by what the methods of a scene are compared, each with the step size that suits it.
type Comparison struct {
	Fact   string // the name of a fact of a method; its full name is this, a full stop and the method
	Higher bool   // whether more of it is better
	Log    bool   // it is positive, and ratios matter: 1e-3 against 1e-2 as much as 1e-2 against 1e-1
	Step   string // the parameter that is tuned for each method: its step size
	// StartsInfeasible says that starts are no solutions, since their lower level is not solved: a run may end dominated by its own.
	StartsInfeasible bool
	Values           map[string]string // of parameters, so that runs differ with the seed and the baseline is plain
	// Baseline is the method that does the least, which every comparison has beside the others; "" for none.
	Baseline string
}

// DataWords invite a visitor to bring data.
type DataWords struct {
	Button  string `json:"button"`  // that opens the dialog
	Title   string `json:"title"`   // of the dialog
	Format  string `json:"form"`    // of a file, and how the scene uses it
	Example string `json:"example"` // of a text
	// Beside invites once more, before the button, beneath the scene's sentences; "" for not.
	Beside string `json:"beside,omitempty"`
	// Names asks for the order of what the file names, and lets a folder be brought; "" where the scene reads neither.
	Names string `json:"names,omitempty"`
}

// Preset is a named set of values: one click on the page.
type Preset struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Lead  string `json:"lead"` // one sentence of at most LeadWords words: what one sees
	Text  string `json:"text"` // one to three sentences: how it comes about; "" for none
	// Seeds says what holds over several seeds; the page folds it. "" for nothing.
	Seeds string `json:"seeds,omitempty"`
	// References are the values that the words compare, drawn in the panels.
	References []axes.Reference  `json:"-"`
	Values     map[string]string `json:"values"`
	Hero       string            `json:"hero,omitempty"` // the panel that tells most, "" for the scene's
	Keys       []string          `json:"keys,omitempty"` // the parameters that matter, nil for the scene's
	// Selected names the run that the preset points at, "" for none.
	Selected string `json:"selected,omitempty"`
}

// LeadWords is the largest number of words of a preset's leading sentence.
const LeadWords = 20

// Words are all that a preset says, in the order of the page.
func (p *Preset) Words() string {
	return strings.Join(slices.DeleteFunc([]string{p.Lead, p.Text, p.Seeds}, func(s string) bool { return s == "" }), " ")
}

// Symbol explains one sign on screen.
type Symbol struct {
	Sign   string `json:"sign"`
	Text   string `json:"text"`   // one sentence
	Source string `json:"source"` // paper and equation, or where it is defined
}

// Fact is a named number of a scene, at the marker. The scene's words, its results and its table
// read their numbers from its facts.
type Fact struct {
	Name  string         // as programs read it, such as "collapsed.mgda"
	Label string         // in words for people
	Unit  string         // "" for a plain number
	Value func() float64 // NaN where there is none
}

// Equation is the step of one or several methods as a formula, in TeX: in symbols, and the same
// with \text{@NAME} in place of the number NAME. The scene's StepNumbers gives the numbers.
type Equation struct {
	ID      string   `json:"id"`
	Methods []string `json:"methods"` // nil for all
	Symbols string   `json:"symbols"`
	Numbers string   `json:"numbers"`
	Text    string   `json:"text"` // the step in one sentence of plain words
}

// Group is a question of the contents page.
type Group string

// The groups in the order of the page.
const (
	TwoGoals  Group = "Two goals"
	OneStep   Group = "One step"
	ManyGoals Group = "Many goals"
	TwoLevels Group = "Two levels"
	TheOrder  Group = "The order of the data"
	OneBlock  Group = "One block at a time"
	YourOwn   Group = "Your own"
)

// Groups are all of them, in order.
var Groups = []Group{TwoGoals, OneStep, YourOwn, ManyGoals, TwoLevels, TheOrder, OneBlock}

// List holds scenes in the order of the page.
type List []About

// Find returns the scene with that id; the error lists the existing ones.
func (l List) Find(id string) (About, error) {
	names := make([]string, len(l))
	for i, a := range l {
		if a.ID == id {
			return a, nil
		}
		names[i] = a.ID
	}
	return About{}, fmt.Errorf("%s is no scene; there are: %s", Quote(id), strings.Join(names, " "))
}

// Quote shortens an input for a message.
func Quote(text string) string {
	const limit = 40
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strconv.Quote(text)
}
