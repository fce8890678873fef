// Package param describes the parameters of methods and scenes: their names, ranges, defaults and
// help, once, in Go. The page, the command line and the link codec render and check these
// descriptions and repeat none of them.
//
// Storage stays typed and with its owner, as with flag.Float64Var: a struct
// binds its fields to a List, and the List reads and writes them by name.
package param

import (
	"cmp"
	"encoding/json"
)

// Kind is the type of a parameter's value.
type Kind string

const (
	Number  Kind = "number"  // float64
	Integer Kind = "integer" // int
	Choice  Kind = "choice"  // string, one of Options
	Set     Kind = "set"     // []string, a subset of Options in their order, or any names where it is Open
	Bool    Kind = "bool"    // bool
	Points  Kind = "points"  // [][]float64, an empty point stands for a random one
	Simplex Kind = "simplex" // []float64, non-negative with sum 1, or []int, not all 0, where it is Whole
	Matrix  Kind = "matrix"  // [][]float64, rows of equal length
	Seed    Kind = "seed"    // uint64
	Camera  Kind = "camera"  // [3]float64: azimuth and elevation in degrees, distance; see CameraMin and CameraMax
	Text    Kind = "text"    // string of at most MaxText characters that can be shown; with Lines also line ends
)

// CameraMin and CameraMax bound a Camera. The azimuth is an angle: beyond one
// end it goes on at the other.
var (
	CameraMin = [3]float64{-180, -90, 0.25}
	CameraMax = [3]float64{180, 90, 4}
)

// Scale says how a slider spreads its range.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log"
)

// Effect says what a change of the value does to runs that exist.
type Effect string

const (
	Restart Effect = "restart" // the default: the runs are built anew from k = 0 and the log of live changes is cleared
	Live    Effect = "live"    // acts at the next iteration and leaves a mark in the log
	Rerun   Effect = "rerun"   // the runs are built anew and brought back to the iteration they had, log included
	Display Effect = "display" // changes what is shown or how fast, never a number that is computed
)

// Option is one value of a Choice or Set.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Help  string `json:"help,omitempty"`
	// Disabled says why the option is listed and cannot be chosen; "" when it can.
	Disabled string `json:"disabled,omitempty"`
	// Folded lists the option of a long Set apart, for those who look further.
	Folded bool `json:"folded,omitempty"`
	// Only says when the page offers the option, beside where it is the value; nil for always.
	Only *Only `json:"only,omitempty"`
}

// Descriptor describes all of a parameter except its storage.
type Descriptor struct {
	Name   string // as on the command line and in links
	Symbol string // the paper's letter, "" where it has none
	Label  string // what the page calls it
	Help   string // one or two sentences, with paper and equation where there is one
	Unit   string
	Kind   Kind
	// Min and Max bound a Number, Integer or Seed, and every entry of Points, Simplex and Matrix; inclusive.
	Min, Max float64
	Step     float64 // the slider's step on a linear scale; 0 means continuous, 1 in a Simplex whole numbers
	Scale    Scale   // zero value: Linear
	Options  []Option
	Open     bool // of a Set: any names instead of Options, in the order in which they are given
	AtLeast  int  // smallest size of a Set, smallest number of rows of a Matrix
	Lines    bool // of a Text: it may have several lines
	// AtMost is the largest number of Points, of names of an Open Set, of rows of a Matrix, of shares of a Simplex that
	// has a Count, of characters of a Text.
	AtMost  int
	Columns int // of a Matrix, 0 meaning any number, the same in every row; how many shares a Simplex has without a Count
	// Count names the Integer that says how many shares a Simplex has; "" if the number is fixed. With
	// a Count, an empty list stands for equal shares, and an empty list of whole numbers for ones.
	Count   string
	Effect  Effect
	Method  string // the method this parameter belongs to, "" for the whole scene
	Group   string // heading under which the page shows it
	Panel   string // the ID of the only panel whose picture it changes, which comes into view with a change; "" for several
	Only    *Only  // when the page shows it; nil for always
	Default any    // of the Kind's Go type; filled in by the List from the bound field's value
}

// Only names a Choice or a Bool and the values with which a parameter, or an option of one, has a use. Or, if not nil,
// is another such pair that gives it one.
type Only struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Or     *Only    `json:"or,omitempty"`
}

// MarshalJSON writes the form that the page and programs read: names in lower
// case, ranges only where the kind has one.
func (d Descriptor) MarshalJSON() ([]byte, error) { return json.Marshal(d.json()) }

// Current is a descriptor with the value that its parameter has now.
type Current struct {
	Descriptor
	Value any
}

// MarshalJSON writes the descriptor's form with a member value.
func (c Current) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		descriptorJSON
		Value any `json:"value"`
	}{c.json(), c.Value})
}

type descriptorJSON struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Symbol  string   `json:"symbol"`
	Type    Kind     `json:"type"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Step    *float64 `json:"step,omitempty"`
	Scale   Scale    `json:"scale,omitempty"`
	Options []Option `json:"options,omitempty"`
	Open    bool     `json:"open,omitempty"`
	Lines   bool     `json:"lines,omitempty"`
	Default any      `json:"default"`
	Unit    string   `json:"unit"`
	Help    string   `json:"help"`
	Live    bool     `json:"live"`
	Effect  Effect   `json:"effect"`
	Method  string   `json:"method,omitempty"`
	Group   string   `json:"group,omitempty"`
	AtLeast int      `json:"atLeast,omitempty"`
	AtMost  int      `json:"atMost,omitempty"`
	Columns int      `json:"columns,omitempty"`
	Count   string   `json:"count,omitempty"`
	Only    *Only    `json:"only,omitempty"`
}

func (d *Descriptor) json() descriptorJSON {
	out := descriptorJSON{
		Name: d.Name, Label: d.Label, Symbol: d.Symbol, Type: d.Kind, Options: d.Options, Open: d.Open, Lines: d.Lines, Default: d.Default,
		Unit: d.Unit, Help: d.Help, Live: d.Effect == Live || d.Effect == Display, Effect: cmp.Or(d.Effect, Restart),
		Method: d.Method, Group: d.Group, AtLeast: d.AtLeast, AtMost: d.AtMost, Columns: d.Columns, Count: d.Count, Only: d.Only,
	}
	if d.ranged() {
		out.Min, out.Max, out.Step, out.Scale = &d.Min, &d.Max, &d.Step, d.Scale
		if d.Scale == "" {
			out.Scale = Linear
		}
	}
	return out
}

func (d *Descriptor) ranged() bool {
	switch d.Kind {
	case Number, Integer, Seed, Points, Simplex, Matrix:
		return true
	}
	return false
}

// Whole reports whether d is a Simplex of whole numbers, which have no fixed sum.
func (d *Descriptor) Whole() bool { return d.Kind == Simplex && d.Step == 1 }

// option finds an option, even one that cannot be chosen.
func (d *Descriptor) option(value string) (Option, bool) {
	for _, o := range d.Options {
		if o.Value == value {
			return o, true
		}
	}
	return Option{}, false
}

// Method is a method of a scene as lists and legends show it.
type Method struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Paper string `json:"paper"` // source, with algorithm or equation number
	Help  string `json:"help"`  // one sentence: what it does
}
