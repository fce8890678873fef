// Package pins keeps states of a scene beside the current one. The runs of the kept states are drawn behind the current
// runs and compared with the current runs in a table.
package pins

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// Kept is a state kept beside the current one. Its runs are replayed; visitors cannot play them.
type Kept interface {
	files.Beside
	// Title returns in a few words how the state differs from the scene's defaults.
	Title() (string, error)
	// Version returns a number that rises with every change that needs a new frame.
	Version() uint64
	// SetStretch sets the number of units of work between pauses.
	SetStretch(work int)
}

// Current is the state that the visitor plays.
type Current interface {
	// ID returns the scene's ID.
	ID() string
	Scene() scene.Scene
	// Open builds a pin's runs at iteration 0. Kept.Work replays them to the pin's iteration.
	Open(hash string) (Kept, error)
	// Changes returns the number of changes so far, not counting moves of the marker. Changed counts one more change.
	Changes() uint64
	Changed()
	// Redraw requests a new frame.
	Redraw()
	Notice(format string, args ...any)
}

// Pins holds the kept states, at most four. The zero value holds none.
type Pins struct {
	list  []*pin // pins in the order of their letters
	named named
}

// pin is a kept state.
type pin struct {
	link.Pin
	of     string // ID of the scene
	title  string
	kept   Kept
	texts  map[string]string // texts of the pin's parameters, by name
	astray bool              // whether a notice has reported that the pin's display settings differ from those of the current runs
}

// unknown is the value of a missing number.
var unknown = data.Number(math.NaN())

// open builds the runs of a pin.
func open(now Current, p link.Pin) (*pin, error) {
	kept, err := now.Open(p.Hash)
	if err != nil {
		return nil, err
	}
	out := &pin{Pin: p, of: now.ID(), kept: kept, texts: map[string]string{}}
	params := kept.Scene().Params()
	for _, name := range params.Names() {
		out.texts[name] = params.Text(name)
	}
	out.title, err = kept.Title()
	return out, err
}

// Add keeps the current state, given by hash, and returns the new pin's letter.
func (p *Pins) Add(now Current, hash string) (letter string, err error) {
	for _, r := range link.PinLetters {
		if _, err := p.Index(string(r)); err != nil {
			letter = string(r)
			break
		}
	}
	if letter == "" {
		return "", fmt.Errorf("all four pins A to D are in use; unpin one first")
	}
	added := link.Pin{Letter: letter, Hash: hash}
	size := added.Size()
	for _, o := range p.list {
		size += o.Size()
	}
	if size > link.MaxPins {
		return "", fmt.Errorf("the pins would exceed the %d characters available in a link; unpin one first", link.MaxPins)
	}
	made, err := open(now, added)
	if err != nil {
		return "", fmt.Errorf("cannot pin this state: %w", err)
	}
	p.list = append(p.list, made)
	slices.SortFunc(p.list, func(a, b *pin) int { return strings.Compare(a.Letter, b.Letter) })
	p.DrawGhosts(now)
	return letter, nil
}

// Index returns the index of the pin with the given letter, or an error if there is none.
func (p *Pins) Index(letter string) (int, error) {
	i := slices.IndexFunc(p.list, func(o *pin) bool { return o.Letter == letter })
	if i < 0 {
		return 0, fmt.Errorf("unknown pin %s", scene.Quote(letter))
	}
	return i, nil
}

// Remove removes the pin with the given letter.
func (p *Pins) Remove(now Current, letter string) error {
	i, err := p.Index(letter)
	if err != nil {
		return err
	}
	drop(p.list[i])
	p.list = slices.Delete(p.list, i, i+1)
	p.DrawGhosts(now)
	return nil
}

// drop abandons an iteration in progress in a pin's runs.
func drop(p *pin) { p.kept.Scene().Timeline().Drop() }

// All yields the kept states in the order of their letters.
func (p *Pins) All(yield func(Kept) bool) {
	for _, o := range p.list {
		if !yield(o.kept) {
			return
		}
	}
}

// List returns the pins for a link's settings.
func (p *Pins) List() []link.Pin {
	var out []link.Pin
	for _, o := range p.list {
		out = append(out, o.Pin)
	}
	return out
}

// Keep replaces the pins. It does not touch existing pins that are also in the new list. A pin that cannot be replayed is left out,
// with a notice.
func (p *Pins) Keep(now Current, pins []link.Pin) {
	before := p.list
	p.list = nil
	for _, wanted := range pins {
		if i := slices.IndexFunc(before, func(o *pin) bool { return o.Pin == wanted && o.of == now.ID() }); i >= 0 {
			p.list = append(p.list, before[i])
			continue
		}
		made, err := open(now, wanted)
		if err != nil {
			now.Notice("The pin %s is left out: %v.", wanted.Letter, err)
			continue
		}
		p.list = append(p.list, made)
	}
	for _, o := range before {
		if !slices.Contains(p.list, o) {
			drop(o)
		}
	}
	p.DrawGhosts(now)
}

// Work replays the pins' runs while more() is true. A pin that cannot be replayed is left out, with a notice.
func (p *Pins) Work(now Current, more func() bool) (pending bool) {
	for _, o := range slices.Clone(p.list) {
		if !o.kept.Busy() {
			continue
		}
		version := o.kept.Version()
		again, err := o.kept.Work(more)
		if err != nil {
			now.Notice("The pin %s is left out: %v.", o.Letter, err)
			p.list = slices.DeleteFunc(p.list, func(other *pin) bool { return other == o })
			p.DrawGhosts(now)
		}
		if o.kept.Version() != version {
			now.Redraw()
		}
		if !again {
			now.Changed()
		}
		if pending = again && err == nil; pending {
			return true
		}
	}
	return false
}

// DrawGhosts draws the pins in the panels, with the display settings of the current runs.
func (p *Pins) DrawGhosts(now Current) {
	var panels [][]axes.Panel
	for _, o := range p.list {
		if err := o.align(now.Scene().Params()); err != nil && !o.astray {
			o.astray = true
			now.Notice("The pin %s is drawn with other settings than the runs: %v.", o.Letter, err)
		}
		panels = append(panels, o.kept.Scene().Panels())
	}
	names := p.Names(now)
	for _, live := range now.Scene().Panels() {
		ghosted, ok := live.(axes.Ghosted)
		if !ok {
			continue
		}
		var ghosts []axes.Ghost
		for i, o := range p.list {
			if j := slices.IndexFunc(panels[i], func(g axes.Panel) bool { return g.ID() == live.ID() }); j >= 0 {
				ghosts = append(ghosts, axes.Ghost{Letter: o.Letter, Name: names[i], Panel: panels[i][j]})
			}
		}
		ghosted.SetGhosts(ghosts)
	}
}

// align copies the display settings of the current runs to the pin.
func (p *pin) align(live *param.List) error {
	params := p.kept.Scene().Params()
	differs := false
	for _, d := range live.Descriptors() {
		if text := live.Text(d.Name); d.Effect == param.Display && d.Name != scene.SpeedParam && params.Text(d.Name) != text {
			if err := params.Assign(d.Name, text); err != nil {
				return err
			}
			differs = true
		}
	}
	if !differs {
		return nil
	}
	return p.kept.Scene().Displayed()
}

// State describes a pin in the session's state.
type State struct {
	link.Pin
	Title string `json:"title"` // difference from the scene in a few words
}

// States returns a description of each pin for the session's state.
func (p *Pins) States() []State {
	out := []State{}
	for _, o := range p.list {
		out = append(out, State{o.Pin, o.title})
	}
	return out
}

// Table compares pins with the current state.
type Table struct {
	Pins   []Column `json:"pins"`
	Params []Param  `json:"params"` // the parameters that differ
	Facts  []Fact   `json:"facts"`
}

// Column describes a pin's column in the table.
type Column struct {
	State
	Busy bool `json:"busy"` // whether the pin's runs are still being replayed
}

// Param holds a parameter's text in each pin and, last, in the current state.
type Param struct {
	Name   string   `json:"name"`
	Label  string   `json:"label"`
	Values []string `json:"values"`
}

// Fact holds a fact's value at each pin's marker and, last, in the current state. A missing value is null.
type Fact struct {
	Name   string        `json:"name"`
	Label  string        `json:"label"`
	Unit   string        `json:"unit"`
	Values []data.Number `json:"values"`
}

// Table returns a comparison of the pins with the current state.
func (p *Pins) Table(now Current) Table {
	out := Table{Pins: []Column{}, Params: []Param{}, Facts: []Fact{}}
	for i, state := range p.States() {
		out.Pins = append(out.Pins, Column{state, p.list[i].kept.Busy()})
	}
	if len(p.list) == 0 {
		return out
	}
	params := now.Scene().Params()
	for _, d := range p.setApart(params) {
		row := Param{Name: d.Name, Label: d.Label}
		for _, o := range p.list {
			row.Values = append(row.Values, o.texts[d.Name])
		}
		row.Values = append(row.Values, params.Text(d.Name))
		out.Params = append(out.Params, row)
	}
	out.Facts = p.facts(now.Scene())
	return out
}

// setApart returns the parameters whose value in at least one pin differs from the current value. It skips display
// parameters.
func (p *Pins) setApart(params *param.List) (apart []param.Descriptor) {
	for _, d := range params.Descriptors() {
		if d.Effect == param.Display {
			continue
		}
		now := params.Text(d.Name)
		if slices.ContainsFunc(p.list, func(o *pin) bool { return o.texts[d.Name] != now }) {
			apart = append(apart, d)
		}
	}
	return apart
}

// named caches the pins' names, with the number of changes when they were computed.
type named struct {
	changes uint64
	names   []string
}

// Names returns each pin's name, which lists the differing parameters with their values. The last name also lists the
// current values, as in "A: R = 4, now R = 32". The names are cached, because every frame needs them.
func (p *Pins) Names(now Current) []string {
	if changes := now.Changes(); p.named.changes != changes || len(p.named.names) != len(p.list) {
		p.named = named{changes, p.names(now.Scene().Params())}
	}
	return p.named.names
}

func (p *Pins) names(params *param.List) []string {
	apart := p.setApart(params)
	names := make([]string, len(p.list))
	for i, o := range p.list {
		names[i] = o.Letter + ": " + link.Words(apart, func(name string) string { return o.texts[name] })
		switch {
		case len(apart) == 0:
			names[i] = o.Letter + ": same settings"
		case i == len(p.list)-1:
			names[i] += ", now " + link.Words(apart, params.Text)
		}
	}
	return names
}

// facts returns the facts of the scene and its pins that have a value in at least one of them. It also omits the runs'
// progress and status, which are not results.
func (p *Pins) facts(now scene.Scene) []Fact {
	out := []Fact{}
	at := map[string]int{}
	columns := len(p.list) + 1
	add := func(column int, facts []scene.Fact) {
		for _, f := range facts {
			i, known := at[f.Name]
			if !known {
				i, at[f.Name] = len(out), len(out)
				row := Fact{Name: f.Name, Label: f.Label, Unit: f.Unit, Values: make([]data.Number, columns)}
				for j := range row.Values {
					row.Values[j] = unknown
				}
				out = append(out, row)
			}
			out[i].Values[column] = data.Number(f.Value())
		}
	}
	add(columns-1, now.Facts())
	for i, o := range p.list {
		if !o.kept.Busy() {
			add(i, o.kept.Scene().Facts())
		}
	}
	return slices.DeleteFunc(out, func(f Fact) bool {
		return !slices.ContainsFunc(f.Values, func(v data.Number) bool { return v == v })
	})
}
