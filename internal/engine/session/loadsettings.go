package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Settings returns the visible state as the settings of a link.
func (s *Session) Settings() link.Settings {
	params, t := s.scene.Params(), s.timeline()
	out := link.Settings{Scene: s.about.ID, Log: slices.Clone(t.Log()), Hero: s.linkedHero(),
		AllPanels: s.screen.all, Card: s.card.id, Pins: s.pins.List(),
		Shown: s.texts, Lesson: s.follow.Step.Place()}
	if g, is := scene.AsDataTaker(s.scene); is && g.ShowsPasted() {
		out.Data = s.file.wanted
	}
	out.Try = s.made.trying
	// A link written during a replay stores the replay's target.
	out.Marker, out.Latest = s.heading()
	out.Ended = s.player.job == nil && endedAfter(t)
	for _, d := range params.Descriptors() {
		text, logged := s.base[d.Name]
		if !logged {
			text = params.Text(d.Name)
			given, brought := s.file.brought[d.Name]
			if brought && given == text || !brought && params.IsDefault(d.Name) {
				continue
			}
		}
		out.Values = append(out.Values, link.Value{Name: d.Name, Text: text})
	}
	if len(t.Tracks()) > 0 && t.Selected() != scene.PreferredRun(s.scene) {
		out.Selected = t.SelectedName()
	}
	s.nameOpened(&out)
	return out
}

// load is like Load, but does not check that the result can be shown. If anew is false, it keeps the current scene.
func (s *Session) load(in link.Settings, anew bool) error {
	if err := s.openFor(in, anew); err != nil {
		return err
	}
	if err := s.showTexts(in.Shown); err != nil {
		return err
	}
	s.want(in.Data)
	s.loadValues(in.Values)
	if err := s.loadLog(in.Log); err != nil {
		return err
	}
	shown := s.dataState()
	missing := shown != nil && !shown.Held || s.awaits()
	if in.Selected != "" && s.timeline().Find(in.Selected).Run == nil && !missing {
		s.notice("%s is an unknown run and is not selected.", scene.Quote(in.Selected))
	}
	scene.SelectRun(s.scene, in.Selected) // a link without a run must not depend on the previous selection
	if _, known := s.about.Preset(in.Card); known {
		s.card.id = in.Card
	} else if in.Card != "" {
		s.notice("The experiment %s is unknown in %s; it is left out.", scene.Quote(in.Card), s.about.ID)
	}
	if in.Lesson != (link.Place{}) {
		s.awaitStep(in.Lesson)
	}
	s.screen.all = in.AllPanels
	if in.Hero != "" {
		s.bring(in.Hero)
	}
	if err := s.try(in.Try); err != nil {
		s.notice("%v; its values are not shown side by side.", err)
	}
	if err := s.scene.Displayed(); err != nil {
		return err
	}
	s.pins.Keep(here{s}, in.Pins)
	in.Latest = max(in.Latest, in.Marker)
	latest := min(in.Latest, s.timeline().Budget())
	if latest != in.Latest {
		s.notice("The link asks for iteration %d of %d; the runs end at %d.", in.Marker, in.Latest, latest)
	}
	to := job{target: latest, marker: min(in.Marker, latest)}
	if in.Ended {
		to.target++ // retries the failed step
	}
	if missing {
		s.file.waiting = &waiting{to, in.Selected}
	}
	s.schedule(to)
	s.changed()
	return nil
}

// endedAfter reports whether the runs ended because the step after the latest iteration failed. It is false for runs that were
// replayed only up to the latest iteration.
func endedAfter(t *timeline.Timeline) bool {
	return !t.Running() && slices.ContainsFunc(t.Runs(), func(r *timeline.Run) bool {
		return r.Status() == algo.Diverged && r.Last() == t.Latest()
	})
}

// openFor opens the scene that the settings name, or the current one if they name none.
func (s *Session) openFor(in link.Settings, anew bool) error {
	if in.Scene == "" {
		in.Scene = s.about.ID
	}
	about, err := s.scenes.Find(in.Scene)
	if err != nil {
		s.notice("%v. %s is shown.", err, s.about.ID)
		about = s.about
	}
	if anew {
		return s.open(about.ID)
	}
	s.blank()
	s.scene.Params().Restore()
	return nil
}

// loadValues sets the parameters of a link, with a notice for each value that it changes or leaves out.
func (s *Session) loadValues(values []link.Value) {
	for _, v := range values {
		notice, err := s.scene.Params().Clamp(v.Name, v.Text)
		if err != nil {
			if errors.As(err, new(*param.UnknownError)) { // the list of all names would hide the other notices
				err = fmt.Errorf("unknown parameter %s of %s", scene.Quote(v.Name), s.about.ID)
			}
			s.notice("%v. It is left out.", err)
		} else if notice != "" {
			s.notice("%s.", notice)
		}
	}
	s.fit()
	s.leaveOut(values)
}

// leaveOut resets one of the values so that the others are valid together. If there are several such values, it resets the
// last of them.
func (s *Session) leaveOut(values []link.Value) {
	params := s.scene.Params()
	reason := params.Check()
	if reason == nil {
		return
	}
	for _, v := range slices.Backward(values) {
		now := params.Text(v.Name)
		if params.Reset(v.Name) != nil { // the parameter is unknown; its value is already left out
			continue
		}
		if params.Check() == nil {
			s.notice("%v. It is left out.", reason)
			return
		}
		if params.Assign(v.Name, now) != nil {
			return // Restart refuses the combination
		}
	}
}

// loadLog builds the runs with a link's live changes. Afterwards, each changed parameter has the value of its last change.
func (s *Session) loadLog(in []timeline.Change) error {
	params := s.scene.Params()
	log := s.acceptLog(in)
	if err := s.restart(log); err != nil {
		// Each value is valid alone, but the scene refuses the combination.
		s.notice("%v. The defaults are shown.", err)
		params.Restore()
		s.forget()
		log = nil
		if err := s.restart(nil); err != nil {
			return err
		}
	}
	for _, c := range log {
		if _, has := s.base[c.Name]; !has {
			s.base[c.Name] = params.Text(c.Name)
		}
		if err := params.Assign(c.Name, c.Text); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) acceptLog(in []timeline.Change) []timeline.Change {
	var log []timeline.Change
	params := s.scene.Params()
	sound := params.Check() == nil
	for _, c := range in {
		d, known := params.Lookup(c.Name)
		if !known || d.Effect != param.Live {
			s.notice("%s cannot change while the runs continue; its live change is left out.", scene.Quote(c.Name))
			continue
		}
		text, notice, err := params.Canonical(c.Name, c.Text)
		if err != nil {
			s.notice("%v. Its live change is left out.", err)
			continue
		}
		if notice != "" {
			s.notice("%s.", notice)
		}
		if err := s.beside(timeline.Change{Name: c.Name, Text: text}); err != nil && sound {
			s.notice("%v. Its live change is left out.", err)
			continue
		}
		// If a parameter changes twice at one iteration, only the last value counts.
		log = slices.DeleteFunc(log, func(o timeline.Change) bool { return o.K == c.K && o.Name == c.Name })
		log = append(log, timeline.Change{K: c.K, Name: c.Name, Text: text})
	}
	slices.SortStableFunc(log, func(a, b timeline.Change) int { return cmp.Compare(a.K, b.K) })
	return log
}
