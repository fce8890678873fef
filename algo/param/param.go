// Package param describes the parameters of methods and scenes in one place: names, ranges, defaults and help. The
// page, the command line and the link codec all use these descriptions.
//
// Values are typed and stay in the owner's fields, as with flag.Float64Var: a struct binds its fields to a List, and
// the List reads and writes them by name.
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
	Choice  Kind = "choice"  // string, an element of Options
	Set     Kind = "set"     // []string, a subset of Options in their order, or any names if Open
	Bool    Kind = "bool"    // bool
	Points  Kind = "points"  // [][]float64; an empty point means a random point
	Simplex Kind = "simplex" // []float64, non-negative with sum 1, or []int, not all 0, if Whole
	Matrix  Kind = "matrix"  // [][]float64, rows of equal length
	Seed    Kind = "seed"    // uint64
	Camera  Kind = "camera"  // [3]float64: azimuth and elevation in degrees, distance; see CameraMin and CameraMax
	Text    Kind = "text"    // string of at most MaxText printable characters, and line ends if Lines
)

// CameraMin and CameraMax are the bounds of a Camera. The azimuth is an angle: beyond one end of its range, it
// continues at the other.
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

// Effect determines how a change of the value affects existing runs.
type Effect string

const (
	Restart Effect = "restart" // restart the runs from k = 0 and clear the log of live changes; the default
	Live    Effect = "live"    // take effect at the next iteration and add an entry to the log
	Rerun   Effect = "rerun"   // repeat the runs up to their current iteration, including the log
	Display Effect = "display" // change only the display or its speed, never a computed number
)

// Option is one value of a Choice or Set.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Help  string `json:"help,omitempty"`
	// Disabled is the reason why the option is listed but unavailable, or "" if it is available.
	Disabled string `json:"disabled,omitempty"`
	// Folded puts the option of a long Set into a separate, collapsed part of the list.
	Folded bool `json:"folded,omitempty"`
	// Only is the condition under which the page offers the option; nil means always. The page always offers the
	// current value.
	Only *Only `json:"only,omitempty"`
}

// Descriptor describes a parameter completely except for its storage.
type Descriptor struct {
	Name   string // name on the command line and in links
	Symbol string // symbol used in the paper; "" if there is none
	Label  string // name on the page
	Help   string // one or two sentences, with paper and equation if available
	Unit   string
	Kind   Kind
	// Min and Max are the inclusive bounds of a Number, Integer or Seed, and of every entry of Points, Simplex and
	// Matrix.
	Min, Max float64
	Step     float64 // step of the slider on a linear scale; 0 means continuous; 1 in a Simplex means whole numbers
	Scale    Scale   // the zero value means Linear
	Options  []Option
	Open     bool // for a Set: any names, in the given order, instead of Options
	AtLeast  int  // minimum size of a Set, or minimum number of rows of a Matrix
	Lines    bool // for a Text: whether it may have several lines
	// AtMost is the maximum number of Points, names in an Open Set, rows of a Matrix, shares of a Simplex with a
	// Count, or characters of a Text.
	AtMost  int
	Columns int // number of columns of a Matrix (0 means any, but equal in all rows), or of shares of a Simplex without a Count
	// Count is the name of the Integer that sets the number of shares of a Simplex, or "" if the number is fixed.
	// With a Count, an empty list means equal shares; an empty list of whole numbers means that all are 1.
	Count   string
	Effect  Effect
	Method  string // method that the parameter belongs to; "" for the whole scene
	Group   string // heading above the parameter on the page
	Panel   string // ID of the only panel that the parameter changes, which the page scrolls into view; "" for several
	Only    *Only  // condition under which the page shows the parameter; nil means always
	Default any    // default, of the Kind's Go type; the List takes it from the bound field
}

// Only is the condition under which a parameter, or an option of a parameter, has an effect: the named Choice or Bool
// has one of the values. The field Or, unless nil, is an alternative condition.
type Only struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Or     *Only    `json:"or,omitempty"`
}

// MarshalJSON returns the JSON form for the page and other programs. Names are in lower case, and ranges are present
// only for kinds that have a range.
func (d Descriptor) MarshalJSON() ([]byte, error) { return json.Marshal(d.json()) }

// Current is a descriptor with the parameter's current value.
type Current struct {
	Descriptor
	Value any
}

// MarshalJSON returns the JSON form of the descriptor, with the current value as an additional member called "value".
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

// Whole reports whether d is a Simplex of whole numbers, whose sum is not fixed.
func (d *Descriptor) Whole() bool { return d.Kind == Simplex && d.Step == 1 }

// option returns the option with the given value, available or not, and whether it exists.
func (d *Descriptor) option(value string) (Option, bool) {
	for _, o := range d.Options {
		if o.Value == value {
			return o, true
		}
	}
	return Option{}, false
}

// Method describes a method of a scene, for lists and legends.
type Method struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Paper string `json:"paper"` // source, with algorithm or equation number
	Help  string `json:"help"`  // one sentence that says what the method does
}
