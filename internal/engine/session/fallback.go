package session

import (
	"encoding/json"
	"fmt"

	"paretoplay/internal/engine/link"
)

// Load builds the state that the settings describe, and leaves the replay to Work. Settings that do not fit are left out or
// clamped, each with a notice. If a state cannot be built or drawn, at its start or at its iteration, the scene's default state
// opens with a notice.
func (s *Session) Load(in link.Settings) error {
	return s.attempt(func() error {
		if err := s.load(in, true); err != nil {
			return err
		}
		s.player.loading = s.player.job != nil
		return s.drawable()
	})
}

// Work continues all pending work while more() is true: first a paused verb, then a verb's job, pins' runs, values that are tried,
// the log of a run, and the comparison of methods. It reports whether work remains. The error of a paused verb is in its Begun's
// outcome.
func (s *Session) Work(more func() bool) (pending bool, err error) {
	b := s.player.begun
	if e := s.player.moved; b == nil && e != nil {
		s.player.moved = nil
		if _, err := s.Pointer(*e, more); err != nil {
			return false, err
		}
		return true, nil
	}
	if b == nil {
		b = s.run(&Begun{work: true}, func(b *Begun) error {
			var err error
			b.pending, err = s.workOn(b.again)
			return err
		}, more)
	} else {
		s.goOn(more)
	}
	if !b.ended || !b.work { // the verb may have left a job
		return true, nil
	}
	return b.pending, b.err
}

// workOn does the work that comes after a paused verb in Work's order.
func (s *Session) workOn(more func() bool) (pending bool, err error) {
	defer s.lookAtGoal()
	if pending, err = s.replay(more); err != nil || pending {
		return pending, err
	}
	if s.pins.Work(here{s}, more) {
		return true, nil
	}
	if pending, err = s.made.trials.Work(more); err != nil || pending {
		return pending, err
	}
	if pending, err = s.workRecording(more); err != nil || pending || s.made.compare == nil {
		return pending, err
	}
	return s.made.compare.Work(more)
}

// replay continues a verb's job.
func (s *Session) replay(more func() bool) (pending bool, err error) {
	if !s.player.loading {
		return s.work(more)
	}
	err = s.attempt(func() error {
		var err error
		if pending, err = s.work(more); err != nil || pending {
			return err
		}
		s.player.loading = false
		return s.drawable()
	})
	return pending && s.player.loading, err
}

// attempt runs f, a part of loading a state. If f fails or panics, attempt opens the scene's default state. It
// returns an error only if the default state cannot be opened.
func (s *Session) attempt(f func() error) error {
	s.settle()
	err := func() (err error) {
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("%v", fault)
			}
		}()
		return f()
	}()
	if err == nil {
		return nil
	}
	reason := []rune(err.Error())
	const limit = 200
	s.notice("The link’s state cannot be shown (%s). The scene’s default state is shown instead.", string(reason[:min(len(reason), limit)]))
	if err := s.open(s.about.ID); err != nil {
		return err
	}
	s.pins.Keep(here{s}, s.pins.List()) // drops another scene's pins
	s.changed()
	s.statusChanged()
	return nil
}

// drawable returns an error if the state cannot be shown: a panel panics or draws at a position that is not finite, or the state
// contains a number that is not finite.
func (s *Session) drawable() error {
	for _, p := range s.placed() {
		if err := s.screen.trial.Try(p.Panel, p.Frame(s.screen.theme, s.screen.touch)); err != nil {
			return err
		}
		s.mayRest()
	}
	kept := s.events.notices
	state, err := s.State()
	s.events.notices = kept
	if err != nil {
		return err
	}
	for _, r := range state.Runs { // one by one, because points may have thousands of numbers
		if _, err := json.Marshal(r); err != nil {
			return err
		}
		s.mayRest()
	}
	state.Runs = nil
	_, err = json.Marshal(state)
	return err
}
