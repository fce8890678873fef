// Package pins keeps states of a scene beside the current one, with runs of their own: drawn behind the current runs, and compared
// with them in a table.
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

// Kept is a state that is kept beside the current one. Its runs are made again, and nobody plays them.
type Kept interface {
	files.Beside
	// Title says in a few words what differs from the scene.
	Title() (string, error)
	// Version rises with every change that needs a new frame.
	Version() uint64
	// SetStretch sets how many units of work are done without an interruption.
	SetStretch(work int)
}

// Current is the state beside which others are kept.
type Current interface {
	// ID is that of the scene.
	ID() string
	Scene() scene.Scene
	// Open makes the runs of a pin, at their beginning; Work brings them to where they were.
	Open(hash string) (Kept, error)
	// Changes counts how often anything but the marker changed, and Changed counts one more.
	Changes() uint64
	Changed()
	// Redraw asks for a new frame.
	Redraw()
	Notice(format string, args ...any)
}

// Pins are the kept states, at most four. The zero value has none.
type Pins struct {
	list  []*pin // in the order of their letters
	named named
}

// pin is a state that is kept.
type pin struct {
	link.Pin
	of     string // the ID of its scene
	title  string
	kept   Kept
	texts  map[string]string // of its parameters, by name
	astray bool              // it cannot be drawn with the current runs, and a notice has said so
}

// unknown stands for a missing number.
var unknown = data.Number(math.NaN())

// open makes the runs of a pin.
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

// Add keeps the current state, which the hash describes, and returns its letter.
func (p *Pins) Add(now Current, hash string) (letter string, err error) {
	for _, r := range link.PinLetters {
		if _, err := p.Index(string(r)); err != nil {
			letter = string(r)
			break
		}
	}
	if letter == "" {
		return "", fmt.Errorf("there are four pins already, A to D: unpin one first")
	}
	added := link.Pin{Letter: letter, Hash: hash}
	size := added.Size()
	for _, o := range p.list {
		size += o.Size()
	}
	if size > link.MaxPins {
		return "", fmt.Errorf("what is pinned would take more than the %d characters that a link has for it: unpin one first", link.MaxPins)
	}
	made, err := open(now, added)
	if err != nil {
		return "", fmt.Errorf("this cannot be pinned: %w", err)
	}
	p.list = append(p.list, made)
	slices.SortFunc(p.list, func(a, b *pin) int { return strings.Compare(a.Letter, b.Letter) })
	p.DrawGhosts(now)
	return letter, nil
}

// Index returns the place of the pin with that letter.
func (p *Pins) Index(letter string) (int, error) {
	i := slices.IndexFunc(p.list, func(o *pin) bool { return o.Letter == letter })
	if i < 0 {
		return 0, fmt.Errorf("%s is no pin", scene.Quote(letter))
	}
	return i, nil
}

// Remove forgets a pin.
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

// drop gives up what a pin's runs are in the middle of.
func drop(p *pin) { p.kept.Scene().Timeline().Drop() }

// All yields the kept states, in the order of their letters.
func (p *Pins) All(yield func(Kept) bool) {
	for _, o := range p.list {
		if !yield(o.kept) {
			return
		}
	}
}

// List returns the pins as settings hold them.
func (p *Pins) List() []link.Pin {
	var out []link.Pin
	for _, o := range p.list {
		out = append(out, o.Pin)
	}
	return out
}

// Keep makes these the pins. Existing ones among them stay as they are; a pin that cannot be made
// again is left out, with a notice.
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

// Work brings the runs of pins to where they were, while more() holds. A pin whose runs cannot
// be made again is left out, with a notice.
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

// DrawGhosts shows the pins in the panels, with the display settings of the current runs.
func (p *Pins) DrawGhosts(now Current) {
	var panels [][]axes.Panel
	for _, o := range p.list {
		if err := o.align(now.Scene().Params()); err != nil && !o.astray {
			o.astray = true
			now.Notice("The pin %s is drawn otherwise than the runs: %v.", o.Letter, err)
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

// align copies the display settings of the current runs.
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

// State describes a pin in state().
type State struct {
	link.Pin
	Title string `json:"title"` // what differs from the scene, in a few words
}

// States describes the pins.
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
	Params []Param  `json:"params"` // those that differ
	Facts  []Fact   `json:"facts"`
}

// Column is a pin of the table.
type Column struct {
	State
	Busy bool `json:"busy"` // its runs are still being made
}

// Param is a parameter with its texts, for each pin and now.
type Param struct {
	Name   string   `json:"name"`
	Label  string   `json:"label"`
	Values []string `json:"values"`
}

// Fact is a fact with its values, for each pin at its marker and now; null where it does not
// exist.
type Fact struct {
	Name   string        `json:"name"`
	Label  string        `json:"label"`
	Unit   string        `json:"unit"`
	Values []data.Number `json:"values"`
}

// Table compares the pins with the current state.
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

// setApart returns the parameters that pins have set otherwise than the current runs.
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

// named are the names of pins as they were after so many changes.
type named struct {
	changes uint64
	names   []string
}

// Names names the pins by what is set apart, and after the last of them the current runs: "A: R = 4, now R = 32".
// Every frame asks for them.
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
			names[i] = o.Letter + ": set alike"
		case i == len(p.list)-1:
			names[i] += ", now " + link.Words(apart, params.Text)
		}
	}
	return names
}

// facts returns the scene's facts, now and of the pins, if any of them has a value. It leaves
// out how far the runs are shown and their status, which are not results to compare.
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
