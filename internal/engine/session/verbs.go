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

// Play continues the runs, or restarts ended runs with their live changes. A scene without runs draws its picture
// again if the picture unfolds gradually.
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

// pause stops play. A job in progress still runs to its end.
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

// stop abandons a verb's job. The runs stay at their current iteration, with the values that live parameters have at
// this iteration. Without a job, stop abandons the log in progress.
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

// Step schedules n more iterations of every run, from the latest one.
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
	s.schedule(j) // must precede the end of play, so that an iteration in progress is kept
	s.play(false)
	s.changed()
	return nil
}

// Seek pauses play and moves the marker to iteration k, clamped to [0, latest] with a notice.
func (s *Session) Seek(k int) {
	s.history.held = nil
	s.play(false)
	at := s.timeline().SetMarker(k)
	if j := s.player.job; j != nil { // iterations that will be replayed count as recorded
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

// reach pauses play and moves the marker to iteration k, clamped to [0, budget]. If k is beyond the latest iteration, reach leaves
// a job that computes up to k. A later call with a smaller k shortens that job.
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
	s.finishJob() // must precede the end of play, so that an iteration in progress is kept
	s.play(false)
	if k < t.Latest() {
		s.follow.SawScrub()
	}
	s.changed()
}

// move pauses play and moves the marker by the given number of iterations, starting at the marker's position or, during a
// job, at the iteration to which the job takes the marker. The move stops at the latest iteration; a further call continues
// like reach.
func (s *Session) move(by int) {
	marker, latest := s.heading()
	k := marker + by
	if marker < latest {
		k = min(k, latest)
	}
	s.reach(k)
}

// Reset pauses play and returns to k = 0 with the current values and the same seed. It clears the log.
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

// SeedParam is the name of the seed parameter in every scene that has one.
const SeedParam = "seed"

// newSeed resets the runs with the next seed.
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

// Select selects the run to show in detail.
func (s *Session) Select(run string) error {
	if s.timeline().Find(run).Run == nil {
		return scene.UnknownRun(s.timeline(), run)
	}
	s.timeline().Select(run)
	s.changed()
	return nil
}
