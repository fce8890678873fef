package session

import (
	"fmt"
	"slices"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/scene"
)

// card is the open experiment.
type card struct {
	id     string // "" if none is open
	opened cardTexts
}

// Card opens an experiment: it sets the experiment's values, resets all others to the scene's defaults, and plays from k = 0. The
// experiment stays open while its values are changed.
func (s *Session) Card(id string) error {
	card, ok := s.about.Preset(id)
	if !ok {
		return fmt.Errorf("unknown experiment %s of %s", scene.Quote(id), s.about.ID)
	}
	return s.changing(false, func() error {
		if err := s.own(card.Values); err != nil {
			return err
		}
		s.card.id = id
		scene.SelectRun(s.scene, card.Selected)
		s.changed()
		return nil
	})
}

// defaults closes the experiment, resets every parameter to the scene's value and plays from k = 0. It keeps the pins.
func (s *Session) defaults() error {
	return s.changing(false, func() error {
		if err := s.own(s.about.Opens); err != nil {
			return err
		}
		s.card.id = ""
		scene.SelectRun(s.scene, "")
		s.changed()
		return nil
	})
}

// own plays from k = 0 with the given values, and with the scene's values for all other parameters.
func (s *Session) own(values map[string]string) error {
	s.scene.Params().Restore()
	clear(s.file.brought)
	s.screen.hero, s.screen.called = "", ""
	s.follow.Invite(s.about.Tried)
	return s.start(values)
}

// begin plays from k = 0 with the given values, and with the current values of all other parameters.
func (s *Session) begin(values map[string]string) error {
	return s.changing(false, func() error { return s.start(values) })
}

func (s *Session) start(values map[string]string) error {
	s.history.held = nil
	params := s.scene.Params()
	for _, name := range sortedKeys(values) {
		before := params.Text(name)
		if err := params.Assign(name, values[name]); err != nil {
			return err
		}
		if params.Text(name) != before {
			s.follow.SawChange(name)
		}
	}
	s.fit()
	s.forget()
	if err := s.restart(nil); err != nil {
		return err
	}
	s.play(true)
	return nil
}

// differs reports whether any setting differs from the open experiment, or from the scene's defaults if none is open.
func (s *Session) differs() (bool, error) {
	if len(s.timeline().Log()) > 0 {
		return true, nil
	}
	params := s.scene.Params()
	_, slow := scene.InSlowMotion(s.scene)
	names := slices.DeleteFunc(params.Names(), func(name string) bool { // slow motion moves this parameter by itself
		return slow && name == scene.MomentParam
	})
	if s.card.id == "" {
		return slices.ContainsFunc(names, func(name string) bool {
			opens, has := s.about.Opens[name]
			return !params.IsDefault(name) && !(has && params.Text(name) == opens)
		}), nil
	}
	if s.card.opened.card != s.card.id || s.card.opened.scene != s.about.ID {
		card, _ := s.about.Preset(s.card.id)
		fresh := s.about.New().Params()
		for name, text := range card.Values {
			if err := fresh.Assign(name, text); err != nil {
				return false, err
			}
		}
		fresh.Fit()
		s.card.opened = cardTexts{s.about.ID, s.card.id, map[string]string{}}
		for _, name := range fresh.Names() {
			s.card.opened.texts[name] = fresh.Text(name)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return params.Text(name) != s.card.opened.texts[name] }), nil
}

// cardTexts holds the texts that all parameters have when an experiment opens.
type cardTexts struct {
	scene, card string
	texts       map[string]string
}

// bring brings a panel to the front.
func (s *Session) bring(id string) {
	if !slices.ContainsFunc(s.scene.Panels(), func(p axes.Panel) bool { return p.ID() == id }) {
		s.notice("%v.", scene.NoPanel(s.scene, s.about.ID, id))
		return
	}
	// A panel that is in front by default need not be named, unless the open step's definition has not arrived yet and may name
	// another.
	if s.screen.hero = ""; s.front() != id || s.follow.Step.Awaited() {
		s.screen.hero = id
	}
}

// front returns the ID of the panel in front. That is the panel that was brought there or, if there is none, the hero
// of the lesson step, of the experiment or of the scene. Without any of these, it is the first panel.
func (s *Session) front() string {
	card, _ := s.about.Preset(s.card.id)
	return scene.Front(s.scene, s.screen.hero, s.follow.Step.Hero(), card.Hero, s.about.Hero)
}

// linkedHero returns the ID of the panel in front for a link, or "" for the scene's hero. A link also names the hero
// of an experiment or a lesson, because the link's reader may not know them.
func (s *Session) linkedHero() string {
	front := s.front()
	if front == scene.Front(s.scene, s.about.Hero) && s.screen.hero != front {
		return ""
	}
	return front
}

// refer passes the open experiment's references to the panels that show them.
func (s *Session) refer() {
	card, _ := s.about.Preset(s.card.id)
	for _, p := range s.scene.Panels() {
		if shows, ok := p.(axes.Referring); ok {
			shows.Refer(slices.DeleteFunc(slices.Clone(card.References), func(r axes.Reference) bool { return r.Panel != p.ID() }))
		}
	}
}

// keys returns the key parameters: those of the lesson step or, if it names none, those of the experiment or of the
// scene.
func (s *Session) keys() []string {
	card, _ := s.about.Preset(s.card.id)
	switch {
	case len(s.follow.Step.Keys()) > 0:
		return s.follow.Step.Keys()
	case len(card.Keys) > 0:
		return card.Keys
	case s.about.Keys == nil:
		return []string{}
	}
	return s.about.Keys
}
