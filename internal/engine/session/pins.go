package session

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

// pinned is a state that is kept beside the current one. Its runs are made again in a session of
// their own, which nobody plays.
type pinned struct {
	link.Pin
	title   string
	session *Session
	texts   map[string]string // of its parameters, by name
	astray  bool              // it cannot be drawn with the current runs, and a notice has said so
}

// unknown stands for a missing number.
var unknown = data.Number(math.NaN())

// pinLimit is the memory that the rows of a pin may take.
const pinLimit = 8 << 20

// pin makes the runs of a pin, at their beginning; Work brings them to where they were.
func (s *Session) pin(p link.Pin) (*pinned, error) {
	settings, _ := link.Parse(p.Hash)
	settings = settings.Alone()
	switch {
	case settings.Scene != s.about.ID:
		return nil, fmt.Errorf("it is of the scene %s", scene.Quote(settings.Scene))
	case settings.Data != "" && (s.file.pasted == nil || s.file.pasted.SHA256 != settings.Data):
		return nil, fmt.Errorf("it is about a file that is not here; choose the file, then pin again")
	}
	own := &Session{scenes: s.scenes, about: s.about,
		screen: screen{theme: s.screen.theme, width: s.screen.width, height: s.screen.height},
		file:   visitorFile{pasted: s.file.pasted, sender: s.file.sender},
		player: player{stretch: s.player.stretch}, events: events{tell: func(string) {}}}
	if err := own.load(settings, true); err != nil {
		return nil, err
	}
	if faults := scene.FaultsOf(own.scene); len(faults) > 0 {
		return nil, fmt.Errorf("a text in it is not right: %w", faults[0])
	}
	own.timeline().SetLimit(pinLimit)
	out := &pinned{Pin: p, session: own, texts: map[string]string{}}
	params := own.scene.Params()
	for _, name := range params.Names() {
		out.texts[name] = params.Text(name)
	}
	var err error
	out.title, err = own.title()
	return out, err
}

// title says in a few words what differs from the scene.
func (s *Session) title() (string, error) {
	if card, open := s.about.Preset(s.card.id); open {
		if differs, err := s.differs(); err != nil || !differs {
			return card.Title, err
		}
	}
	const most = 3
	var words []string
	params := s.scene.Params()
	for _, d := range params.Descriptors() {
		if params.IsDefault(d.Name) || d.Effect == param.Display {
			continue
		}
		if len(words) == most {
			words = append(words, "…")
			break
		}
		words = append(words, link.Word(d, params.Text(d.Name)))
	}
	if words == nil {
		return "the scene’s own values", nil
	}
	return strings.Join(words, ", "), nil
}

// beside is a state that is kept or tried beside the current one, in a session of its own.
type beside struct{ session *Session }

// Scene implements Beside.
func (b beside) Scene() scene.Scene { return b.session.scene }

// Busy implements Beside.
func (b beside) Busy() bool { return b.session.player.job != nil }

// Work implements Beside.
func (b beside) Work(more func() bool) (pending bool, err error) { return b.session.work(more) }

// besides opens a state beside the current one.
func (s *Session) besides(settings link.Settings) (files.Beside, error) {
	pin, err := s.pin(link.Pin{Hash: settings.Hash()})
	if err != nil {
		return nil, err
	}
	return beside{pin.session}, nil
}

// Pin keeps the current runs beside those to come, and returns their letter.
func (s *Session) Pin() (letter string, err error) {
	for _, r := range link.PinLetters {
		if s.pinAt(string(r)) < 0 {
			letter = string(r)
			break
		}
	}
	if letter == "" {
		return "", fmt.Errorf("there are four pins already, A to D: unpin one first")
	}
	settings := s.Settings().Alone()
	p := link.Pin{Letter: letter, Hash: settings.Hash()}
	size := p.Size()
	for _, o := range s.pins {
		size += o.Size()
	}
	if size > link.MaxPins {
		return "", fmt.Errorf("what is pinned would take more than the %d characters that a link has for it: unpin one first", link.MaxPins)
	}
	made, err := s.pin(p)
	if err != nil {
		return "", fmt.Errorf("this cannot be pinned: %w", err)
	}
	s.pins = append(s.pins, made)
	slices.SortFunc(s.pins, func(a, b *pinned) int { return strings.Compare(a.Letter, b.Letter) })
	s.haunt()
	s.follow.SawPin()
	s.changed()
	return letter, nil
}

// pinAt returns the index of the pin with that letter, −1 for none.
func (s *Session) pinAt(letter string) int {
	return slices.IndexFunc(s.pins, func(p *pinned) bool { return p.Letter == letter })
}

// unpin forgets a pin.
func (s *Session) unpin(letter string) error {
	i := s.pinAt(letter)
	if i < 0 {
		return fmt.Errorf("%s is no pin", scene.Quote(letter))
	}
	s.pins[i].session.timeline().Drop()
	s.pins = slices.Delete(s.pins, i, i+1)
	s.haunt()
	s.changed()
	return nil
}

// swapPin shows the pinned state, and pins the current one under the same letter. The step of a
// lesson stays open.
func (s *Session) swapPin(letter string) error {
	i := s.pinAt(letter)
	if i < 0 {
		return fmt.Errorf("%s is no pin", scene.Quote(letter))
	}
	if faults := scene.FaultsOf(s.scene); len(faults) > 0 {
		return fmt.Errorf("what is shown cannot be pinned: a text in it is not right: %w", faults[0])
	}
	now := s.Settings().Alone()
	pins := s.pinList()
	in, _ := link.Parse(pins[i].Hash)
	pins[i].Hash = now.Hash()
	in.Pins, in.Hero = pins, s.screen.hero
	return s.changing(true, func() error {
		step := s.follow.Step
		err := s.Load(in)
		s.follow.Step = step
		return err
	})
}

// pinList returns the pins as settings hold them.
func (s *Session) pinList() []link.Pin {
	var out []link.Pin
	for _, p := range s.pins {
		out = append(out, p.Pin)
	}
	return out
}

// keep makes these the pins. Existing ones among them stay as they are; a pin that cannot be made
// again is left out, with a notice.
func (s *Session) keep(pins []link.Pin) {
	before := s.pins
	s.pins = nil
	for _, p := range pins {
		if i := slices.IndexFunc(before, func(o *pinned) bool { return o.Pin == p && o.session.about.ID == s.about.ID }); i >= 0 {
			s.pins = append(s.pins, before[i])
			continue
		}
		made, err := s.pin(p)
		if err != nil {
			s.notice("The pin %s is left out: %v.", p.Letter, err)
			continue
		}
		s.pins = append(s.pins, made)
	}
	for _, p := range before {
		if !slices.Contains(s.pins, p) {
			p.session.timeline().Drop()
		}
	}
	s.haunt()
}

// workPins brings the runs of pins to where they were, while more() holds. A pin whose runs cannot
// be made again is left out, with a notice.
func (s *Session) workPins(more func() bool) (pending bool) {
	for _, p := range slices.Clone(s.pins) {
		if p.session.player.job == nil {
			continue
		}
		version := p.session.events.version
		again, err := p.session.work(more)
		if err != nil {
			s.notice("The pin %s is left out: %v.", p.Letter, err)
			s.pins = slices.DeleteFunc(s.pins, func(o *pinned) bool { return o == p })
			s.haunt()
		}
		if s.events.version += p.session.events.version - version; !again {
			s.changed()
		}
		if pending = again && err == nil; pending {
			return true
		}
	}
	return false
}

// haunt shows the pins in the panels, with the display settings of the current runs.
func (s *Session) haunt() {
	var panels [][]axes.Panel
	for _, p := range s.pins {
		if err := p.align(s.scene.Params()); err != nil && !p.astray {
			p.astray = true
			s.notice("The pin %s is drawn otherwise than the runs: %v.", p.Letter, err)
		}
		panels = append(panels, p.session.scene.Panels())
	}
	names := s.pinNames()
	for _, live := range s.scene.Panels() {
		ghosted, ok := live.(axes.Ghosted)
		if !ok {
			continue
		}
		var ghosts []axes.Ghost
		for i, p := range s.pins {
			if j := slices.IndexFunc(panels[i], func(g axes.Panel) bool { return g.ID() == live.ID() }); j >= 0 {
				ghosts = append(ghosts, axes.Ghost{Letter: p.Letter, Name: names[i], Panel: panels[i][j]})
			}
		}
		ghosted.SetGhosts(ghosts)
	}
}

// align copies the display settings of the current runs.
func (p *pinned) align(live *param.List) error {
	params := p.session.scene.Params()
	differs := false
	for _, d := range live.Descriptors() {
		if text := live.Text(d.Name); d.Effect == param.Display && d.Name != SpeedParam && params.Text(d.Name) != text {
			if err := params.Assign(d.Name, text); err != nil {
				return err
			}
			differs = true
		}
	}
	if !differs {
		return nil
	}
	return p.session.scene.Displayed()
}

// PinState describes a pin in state().
type PinState struct {
	link.Pin
	Title string `json:"title"` // what differs from the scene, in a few words
}

func (s *Session) pinStates() []PinState {
	out := []PinState{}
	for _, p := range s.pins {
		out = append(out, PinState{p.Pin, p.title})
	}
	return out
}

// PinTable compares pins with the current state.
type PinTable struct {
	Pins   []PinColumn `json:"pins"`
	Params []PinParam  `json:"params"` // those that differ
	Facts  []PinFact   `json:"facts"`
}

// PinColumn is a pin of the table.
type PinColumn struct {
	PinState
	Busy bool `json:"busy"` // its runs are still being made
}

// PinParam is a parameter with its texts, for each pin and now.
type PinParam struct {
	Name   string   `json:"name"`
	Label  string   `json:"label"`
	Values []string `json:"values"`
}

// PinFact is a fact with its values, for each pin at its marker and now; null where it does not
// exist.
type PinFact struct {
	Name   string        `json:"name"`
	Label  string        `json:"label"`
	Unit   string        `json:"unit"`
	Values []data.Number `json:"values"`
}

// pinTable compares the pins with the current state.
func (s *Session) pinTable() PinTable {
	out := PinTable{Pins: []PinColumn{}, Params: []PinParam{}, Facts: []PinFact{}}
	for _, state := range s.pinStates() {
		p := s.pins[len(out.Pins)]
		out.Pins = append(out.Pins, PinColumn{state, p.session.player.job != nil})
	}
	if len(s.pins) == 0 {
		return out
	}
	for _, d := range s.setApart() {
		row := PinParam{Name: d.Name, Label: d.Label}
		for _, p := range s.pins {
			row.Values = append(row.Values, p.texts[d.Name])
		}
		row.Values = append(row.Values, s.scene.Params().Text(d.Name))
		out.Params = append(out.Params, row)
	}
	out.Facts = s.pinFacts()
	return out
}

// setApart returns the parameters that pins have set otherwise than the current runs.
func (s *Session) setApart() (apart []param.Descriptor) {
	params := s.scene.Params()
	for _, d := range params.Descriptors() {
		if d.Effect == param.Display {
			continue
		}
		now := params.Text(d.Name)
		if slices.ContainsFunc(s.pins, func(p *pinned) bool { return p.texts[d.Name] != now }) {
			apart = append(apart, d)
		}
	}
	return apart
}

// pinNamed are the names of pins as they were after so many changes.
type pinNamed struct {
	changes uint64
	names   []string
}

// pinNames names the pins by what is set apart, and after the last of them the current runs: "A: R = 4, now R = 32".
// Every frame asks for them.
func (s *Session) pinNames() []string {
	if kept := s.pinNamed; kept.changes != s.events.changes || len(kept.names) != len(s.pins) {
		s.pinNamed = pinNamed{s.events.changes, s.namePins()}
	}
	return s.pinNamed.names
}

func (s *Session) namePins() []string {
	apart := s.setApart()
	names := make([]string, len(s.pins))
	for i, p := range s.pins {
		names[i] = p.Letter + ": " + link.Words(apart, func(name string) string { return p.texts[name] })
		switch {
		case len(apart) == 0:
			names[i] = p.Letter + ": set alike"
		case i == len(s.pins)-1:
			names[i] += ", now " + link.Words(apart, s.scene.Params().Text)
		}
	}
	return names
}

// pinFacts returns the scene's facts, now and of the pins, if any of them has a value. It leaves
// out how far the runs are shown and their status, which are not results to compare.
func (s *Session) pinFacts() []PinFact {
	out := []PinFact{}
	at := map[string]int{}
	columns := len(s.pins) + 1
	add := func(column int, facts []scene.Fact) {
		for _, f := range facts {
			i, known := at[f.Name]
			if !known {
				i, at[f.Name] = len(out), len(out)
				row := PinFact{Name: f.Name, Label: f.Label, Unit: f.Unit, Values: make([]data.Number, columns)}
				for j := range row.Values {
					row.Values[j] = unknown
				}
				out = append(out, row)
			}
			out[i].Values[column] = data.Number(f.Value())
		}
	}
	add(columns-1, s.scene.Facts())
	for i, p := range s.pins {
		if p.session.player.job == nil {
			add(i, p.session.scene.Facts())
		}
	}
	return slices.DeleteFunc(out, func(f PinFact) bool {
		return !slices.ContainsFunc(f.Values, func(v data.Number) bool { return v == v })
	})
}
