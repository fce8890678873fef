package session

import (
	"fmt"

	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// callLesson opens a step of a lesson. If the argument arrive is true and the step has its own state, the step opens in
// that state. Otherwise it opens in the current state. Without a name, callLesson leaves the lesson.
func callLesson(s *Session, a *arguments) (any, error) {
	if a.Name == "" {
		s.follow.Step = nil
		s.statusChanged()
		s.changed()
		return nil, nil
	}
	place := link.Place{Name: a.Name, Step: iterations(a.Step)}
	if err := place.Check(); err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	if float64(place.Step) != a.Step {
		return nil, fmt.Errorf("lesson: the step must be a whole number, not %g", a.Step)
	}
	d, err := follow.ReadDefinition(place, a.Definition)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	if err := s.openStep(place, d, a.Arrive); err != nil {
		return nil, err
	}
	if step := s.follow.Step; step.Place() == place && !step.Awaited() {
		step.Resume(a.Attempts)
		if a.Covered {
			step.Cover()
		}
	}
	return nil, nil
}

// callUncover shows the panels that the step's open question has hidden.
func callUncover(s *Session, _ *arguments) (any, error) {
	if s.follow.Step.Uncover() {
		s.changed()
	}
	return nil, nil
}

func (s *Session) openStep(place link.Place, d *follow.Definition, arrive bool) error {
	about, settings, notices := s.about, link.Settings{}, []string(nil)
	moves := arrive && d.State != ""
	if moves {
		settings, notices = link.Parse(d.State)
		var err error
		if about, err = s.scenes.Find(settings.Scene); err != nil {
			return fmt.Errorf("lesson: the state of step %d of %s: %w", place.Step, place.Name, err)
		}
	}
	step, err := follow.NewStep(place, d, about)
	if err != nil {
		return fmt.Errorf("lesson: step %d of %s: %w", place.Step, place.Name, err)
	}
	if !moves {
		hero := s.screen.hero
		if s.follow.Step = step; arrive {
			hero = ""
		}
		if s.screen.hero = ""; s.front() != hero {
			s.screen.hero = hero
		}
		s.checkHero()
		s.statusChanged()
		s.changed()
		return nil
	}
	if about.ID == s.about.ID {
		settings.Pins = s.Settings().Pins
	}
	return s.changing(true, func() error {
		s.events.notices = append(s.events.notices, notices...)
		if err := s.Load(settings); err != nil {
			return err
		}
		s.follow.Step = step
		s.checkHero()
		s.statusChanged()
		return nil
	})
}

// checkHero adds a notice if the step's panel does not exist.
func (s *Session) checkHero() {
	if id := s.follow.Step.Hero(); id != "" && scene.Front(s.scene, id) != id {
		s.notice("The step needs the panel %s, which does not exist.", scene.Quote(id))
	}
}

// awaitStep opens a step before its definition has arrived.
func (s *Session) awaitStep(p link.Place) {
	if err := p.Check(); err != nil {
		s.notice("%v. It is left out.", err)
		return
	}
	s.follow.Step = follow.Awaited(p)
}

// lookAtGoal checks the step's goal and the scene's invitation. Call it after every change that may affect them. It does
// nothing during a job, or while the scene waits for a file: the runs do not exist yet, so they cannot have ended.
func (s *Session) lookAtGoal() {
	if s.player.job == nil && !s.awaits() {
		s.follow.Look(world{s}, s.statusChanged)
	}
}

// world adapts a session to follow.World.
type world struct{ *Session }

// Scene implements follow.World.
func (w world) Scene() scene.Scene { return w.scene }

// Hero implements follow.World.
func (w world) Hero() string { return w.front() }

// Playing implements follow.World.
func (w world) Playing() bool { return w.player.playing }

// Ended implements follow.World.
func (w world) Ended() bool { return w.ended() }

// Live implements follow.World.
func (w world) Live(name string) bool {
	_, logged := w.base[name]
	return logged
}

// Held implements follow.World.
func (w world) Held() bool {
	_, drags := w.pointer.Dragging()
	return drags || w.history.held != nil || w.history.taken
}
