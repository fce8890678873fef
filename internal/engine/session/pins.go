package session

import (
	"fmt"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/pins"
	"paretoplay/internal/engine/scene"
)

// pinLimit is the maximum memory for a pin's rows, in bytes.
const pinLimit = 8 << 20

// beside is a separate session for a state that is kept or tried beside the current one.
type beside struct{ *Session }

// Scene implements files.Beside.
func (b beside) Scene() scene.Scene { return b.scene }

// Busy implements files.Beside.
func (b beside) Busy() bool { return b.player.job != nil }

// Work implements files.Beside.
func (b beside) Work(more func() bool) (pending bool, err error) { return b.work(more) }

// openBeside opens a state beside the current one, with its runs at iteration 0.
func (s *Session) openBeside(hash string) (beside, error) {
	settings, _ := link.Parse(hash)
	settings = settings.Alone()
	switch {
	case settings.Scene != s.about.ID:
		return beside{}, fmt.Errorf("it belongs to the scene %s", scene.Quote(settings.Scene))
	case settings.Data != "" && (s.file.pasted == nil || s.file.pasted.SHA256 != settings.Data):
		return beside{}, fmt.Errorf("it needs a file that is not available here; choose the file, then pin again")
	}
	own := &Session{scenes: s.scenes, about: s.about,
		screen: screen{theme: s.screen.theme, width: s.screen.width, height: s.screen.height},
		file:   visitorFile{pasted: s.file.pasted, sender: s.file.sender},
		player: player{stretch: s.player.stretch, rest: s.player.rest}, events: events{tell: func(string) {}}}
	if err := own.load(settings, true); err != nil {
		return beside{}, err
	}
	if faults := scene.FaultsOf(own.scene); len(faults) > 0 {
		return beside{}, fmt.Errorf("a text in it contains an error: %w", faults[0])
	}
	own.timeline().SetLimit(pinLimit)
	return beside{own}, nil
}

// Title implements pins.Kept.
func (b beside) Title() (string, error) {
	if card, open := b.about.Preset(b.card.id); open {
		if differs, err := b.differs(); err != nil || !differs {
			return card.Title, err
		}
	}
	const maxWords = 3
	var words []string
	params := b.scene.Params()
	for _, d := range params.Descriptors() {
		if params.IsDefault(d.Name) || d.Effect == param.Display {
			continue
		}
		if len(words) == maxWords {
			words = append(words, "…")
			break
		}
		words = append(words, link.Word(d, params.Text(d.Name)))
	}
	if words == nil {
		return "the scene’s defaults", nil
	}
	return strings.Join(words, ", "), nil
}

// openTrial opens a state with a value to try.
func (s *Session) openTrial(settings link.Settings) (files.Beside, error) {
	return s.openBeside(settings.Hash())
}

// here adapts a session to pins.Current.
type here struct{ *Session }

// ID implements pins.Current.
func (h here) ID() string { return h.about.ID }

// Scene implements pins.Current.
func (h here) Scene() scene.Scene { return h.scene }

// Open implements pins.Current.
func (h here) Open(hash string) (pins.Kept, error) { return h.openBeside(hash) }

// Changes implements pins.Current.
func (h here) Changes() uint64 { return h.events.changes }

// Changed implements pins.Current.
func (h here) Changed() { h.changed() }

// Redraw implements pins.Current.
func (h here) Redraw() { h.events.version++ }

// Notice implements pins.Current.
func (h here) Notice(format string, args ...any) { h.notice(format, args...) }

// Pin keeps the current runs for display beside later runs, and returns the pin's letter.
func (s *Session) Pin() (letter string, err error) {
	settings := s.Settings().Alone()
	if letter, err = s.pins.Add(here{s}, settings.Hash()); err != nil {
		return "", err
	}
	s.follow.SawPin()
	s.changed()
	return letter, nil
}

// unpin removes a pin.
func (s *Session) unpin(letter string) error {
	if err := s.pins.Remove(here{s}, letter); err != nil {
		return err
	}
	s.changed()
	return nil
}

// swapPin shows the pinned state and pins the current one under the same letter. The lesson's open step does not
// change.
func (s *Session) swapPin(letter string) error {
	i, err := s.pins.Index(letter)
	if err != nil {
		return err
	}
	if faults := scene.FaultsOf(s.scene); len(faults) > 0 {
		return fmt.Errorf("the current state cannot be pinned: a text in it contains an error: %w", faults[0])
	}
	now := s.Settings().Alone()
	list := s.pins.List()
	in, _ := link.Parse(list[i].Hash)
	list[i].Hash = now.Hash()
	in.Pins, in.Hero, in.AllPanels = list, s.screen.hero, s.screen.all
	return s.changing(true, func() error {
		step := s.follow.Step
		err := s.Load(in)
		s.follow.Step = step
		return err
	})
}
