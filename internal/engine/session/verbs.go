package session

import (
	"fmt"
	"math"
	"strconv"

	"paretoplay/internal/engine/scene"
)

// Open opens another scene in its default state, with the values of About.Opens.
func (s *Session) Open(id string) error {
	return s.changing(true, func() error {
		if err := s.open(id); err != nil {
			return err
		}
		if err := scene.OpenPlainly(s.scene, s.about); err != nil {
			return err
		}
		s.pins.Keep(here{s}, nil)
		s.changed()
		return nil
	})
}

// Play lets the runs continue. Ended runs start again, with their live changes. A scene without runs draws its picture again, if it
// draws it gradually.
func (s *Session) Play() error {
	t := s.timeline()
	s.history.held, s.player.halted = nil, false
	if _, static := scene.AsStatic(s.scene); static {
		s.pour()
		return nil
	}
	if s.player.job != nil {
		s.player.job.play = true
		return nil
	}
	if s.awaits() {
		if s.file.waiting == nil {
			s.await(job{marker: -1})
		}
		s.file.waiting.play = true
		return nil
	}
	if !t.Running() {
		if err := s.restart(t.Log()); err != nil {
			return err
		}
		s.changed()
	} else {
		s.toLatest()
	}
	s.play(true)
	return nil
}

// pause stops playing. A job in progress is still finished.
func (s *Session) pause() {
	s.history.held = nil
	if s.player.job != nil {
		s.player.job.play = false
	}
	if s.file.waiting != nil {
		s.file.waiting.play = false
	}
	s.player.flows, s.player.halted = false, true
	s.play(false)
	s.changed()
}

// stop abandons the job of a verb: the runs stay where they are, with the values of live parameters there. Without a job it abandons
// the log in progress.
func (s *Session) stop() error {
	j := s.player.job
	if j == nil && s.made.recording.UnderWay() {
		s.dropRecording()
		s.notice("Stopped: the run was not recorded.")
		s.statusChanged()
		s.changed()
	}
	if j == nil {
		return nil
	}
	t := s.timeline()
	s.player.job, s.player.carry = nil, 0
	t.Drop()
	params := s.scene.Params()
	for _, name := range t.Forget() {
		text := s.base[name]
		logged := false
		for _, c := range t.Log() {
			if c.Name == name {
				text, logged = c.Text, true
			}
		}
		if err := params.Assign(name, text); err != nil {
			return err
		}
		if !logged {
			delete(s.base, name)
		}
	}
	if j.marker >= 0 {
		t.SetMarker(j.marker)
	}
	s.notice("Stopped at iteration %d of %d: the runs stay there.", t.Latest(), j.target)
	s.statusChanged()
	s.changed()
	return nil
}

// Step schedules n iterations of every run from the latest.
func (s *Session) Step(n int) error {
	if n < 1 {
		return fmt.Errorf("step(%d): the number of iterations must be at least 1", n)
	}
	s.history.held = nil
	s.toLatest()
	j := job{target: s.timeline().Latest(), marker: -1}
	if s.player.job != nil {
		j.target = s.player.job.target
	}
	j.target += min(n, math.MaxInt32)
	s.schedule(j) // before play ends, so that an iteration in progress stays so
	s.play(false)
	s.changed()
	return nil
}

// Seek pauses and moves the marker to iteration k. It clamps k to [0, latest] with a notice.
func (s *Session) Seek(k int) {
	s.history.held = nil
	s.play(false)
	at := s.timeline().SetMarker(k)
	if j := s.player.job; j != nil { // iterations that are being replayed count as recorded
		at = min(max(k, 0), j.target)
		j.marker, j.play = at, false
	}
	switch _, static := scene.AsStatic(s.scene); {
	case at == k:
	case static:
		s.notice("This scene has no iterations to go to.")
	default:
		s.notice("Iteration %d is not recorded; the nearest is %d.", k, at)
	}
	if _, latest := s.heading(); at < latest {
		s.follow.SawScrub()
	}
	s.changed()
}

// reach pauses and moves the marker to iteration k, clamped to [0, budget]. Beyond the latest it leaves a job that computes up to k;
// a later call with a smaller k shortens that job.
func (s *Session) reach(k int) {
	if _, static := scene.AsStatic(s.scene); static {
		s.Seek(k)
		return
	}
	s.history.held = nil
	t := s.timeline()
	j := job{from: t.Latest(), known: t.Latest()}
	if s.player.job != nil {
		j = *s.player.job
	}
	k = min(max(k, 0), max(t.Budget(), t.Latest()))
	j.target, j.marker, j.play = max(j.known, k), k, false
	s.player.job = &j
	s.finishJob() // before play ends, so that an iteration in progress stays so
	s.play(false)
	if k < t.Latest() {
		s.follow.SawScrub()
	}
	s.changed()
}

// move pauses and moves the marker by that many iterations from its place, or from where a job takes it. It stops at the latest; a
// further call continues like reach.
func (s *Session) move(by int) {
	marker, latest := s.heading()
	k := marker + by
	if marker < latest {
		k = min(k, latest)
	}
	s.reach(k)
}

// Reset pauses and returns to k = 0 with the current values and the same seed. It clears the log.
func (s *Session) Reset() error {
	return s.changing(false, func() error {
		s.history.held = nil
		s.player.playing = false // an iteration in progress ends with the runs, so they need not be restored
		s.forget()
		if err := s.restart(nil); err != nil {
			return err
		}
		s.statusChanged()
		s.changed()
		return nil
	})
}

// SeedParam is the name of the seed in every scene that has one.
const SeedParam = "seed"

// newSeed resets with the next seed.
func (s *Session) newSeed(again bool) error {
	seed, ok := s.scene.Params().Value(SeedParam).(uint64)
	if !ok {
		return fmt.Errorf("the scene %s has no seed", s.about.ID)
	}
	d, _ := s.scene.Params().Lookup(SeedParam)
	next := seed + 1
	if next > uint64(d.Max) {
		next = 0
	}
	return s.setParam(SeedParam, strconv.FormatUint(next, 10), again)
}

// Select shows a run in detail.
func (s *Session) Select(run string) error {
	if s.timeline().Find(run).Run == nil {
		return fmt.Errorf("unknown run %s", scene.Quote(run))
	}
	s.timeline().Select(run)
	s.changed()
	return nil
}
