// Package param describes the parameters of methods and scenes once, in Go: names, ranges,
// defaults and help. The page, the command line and the link codec use these descriptions and
// repeat none of them.
//
// Values stay typed and with their owner, as with flag.Float64Var: a struct binds its fields to a
// List, and the List reads and writes them by name.
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
	Set     Kind = "set"     // []string, a subset of Options in their order, or any names if it is Open
	Bool    Kind = "bool"    // bool
	Points  Kind = "points"  // [][]float64; an empty point means a random one
	Simplex Kind = "simplex" // []float64, non-negative with sum 1, or []int, not all 0, if it is Whole
	Matrix  Kind = "matrix"  // [][]float64, rows of equal length
	Seed    Kind = "seed"    // uint64
	Camera  Kind = "camera"  // [3]float64: azimuth and elevation in degrees, distance; see CameraMin and CameraMax
	Text    Kind = "text"    // string of at most MaxText printable characters; with Lines also line ends
)

// CameraMin and CameraMax bound a Camera. The azimuth is an angle: beyond one end it continues at the other.
var (
	CameraMin = [3]float64{-180, -90, 0.25}
	CameraMax = [3]float64{180, 90, 4}
)

// Scale selects how a slider divides its range.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log"
)

// Effect selects what a change of the value does to existing runs.
type Effect string

const (
	Restart Effect = "restart" // the default: the runs start again from k = 0 and the log of live changes is cleared
	Live    Effect = "live"    // acts at the next iteration and adds an entry to the log
	Rerun   Effect = "rerun"   // the runs are made again up to their current iteration, including the log
	Display Effect = "display" // changes what is shown or how fast, never a computed number
)

// Option is one value of a Choice or Set.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Help  string `json:"help,omitempty"`
	// Disabled is the reason why the option is listed but unavailable, "" if it is available.
	Disabled string `json:"disabled,omitempty"`
	// Folded lists the option of a long Set in a separate, collapsed part.
	Folded bool `json:"folded,omitempty"`
	// Only limits when the page offers the option; nil means always. The current value is always offered.
	Only *Only `json:"only,omitempty"`
}

// Descriptor describes a parameter completely, except for its storage.
type Descriptor struct {
	Name   string // as on the command line and in links
	Symbol string // the paper's letter, "" if there is none
	Label  string // what the page calls it
	Help   string // one or two sentences, with paper and equation if there is one
	Unit   string
	Kind   Kind
	// Min and Max bound a Number, Integer or Seed, and every entry of Points, Simplex and Matrix; inclusive.
	Min, Max float64
	Step     float64 // the slider's step on a linear scale; 0 means continuous, 1 in a Simplex whole numbers
	Scale    Scale   // zero value: Linear
	Options  []Option
	Open     bool // for a Set: any names instead of Options, in the order in which they are given
	AtLeast  int  // minimum size of a Set, minimum number of rows of a Matrix
	Lines    bool // for a Text: it may have several lines
	// AtMost is the maximum number of Points, of names in an Open Set, of rows of a Matrix, of shares of a Simplex
	// with a Count, or of characters in a Text.
	AtMost  int
	Columns int // for a Matrix, columns (0: any number, the same in every row); for a Simplex without a Count, shares
	// Count names the Integer that sets the number of shares of a Simplex; "" if the number is fixed.
	// With a Count, an empty list means equal shares, and an empty list of whole numbers means ones.
	Count   string
	Effect  Effect
	Method  string // the method that this parameter belongs to, "" for the whole scene
	Group   string // heading under which the page shows it
	Panel   string // the ID of the only panel whose picture it changes, which comes into view with a change; "" for several
	Only    *Only  // when the page shows it; nil means always
	Default any    // of the Kind's Go type; the List takes it from the bound field's value
}

// Only names a Choice or a Bool and the values for which a parameter, or an option of one, has an effect. Or, unless
// nil, is an alternative condition.
type Only struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Or     *Only    `json:"or,omitempty"`
}

// MarshalJSON returns the form that the page and programs read: names in lower case, ranges only
// if the kind has one.
func (d Descriptor) MarshalJSON() ([]byte, error) { return json.Marshal(d.json()) }

// Current is a descriptor with the parameter's current value.
type Current struct {
	Descriptor
	Value any
}

// MarshalJSON returns the descriptor's form with an additional member value.
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

// option finds an option, including unavailable ones.
func (d *Descriptor) option(value string) (Option, bool) {
	for _, o := range d.Options {
		if o.Value == value {
			return o, true
		}
	}
	return Option{}, false
}

// Method describes a method of a scene for lists and legends.
type Method struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Paper string `json:"paper"` // source, with algorithm or equation number
	Help  string `json:"help"`  // one sentence: what it does
}
