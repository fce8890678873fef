package session

import (
	"math"
	"strconv"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// job is work that a verb leaves: the iterations up to a target.
type job struct {
	from, target int
	known        int // the target before reach() added iterations; the runs go at least this far
	marker       int // the marker's iteration after the job; −1 for the latest
	play         bool
	// ended is true if no run could continue at the target. The replay then repeats the failed attempt.
	ended bool
}

// waiting holds what must wait for a file: the part of a link that describes runs on the visitor's data, or a request for
// runs that need a file from the page.
type waiting struct {
	job             // the iteration to which the runs go
	selected string // name of the selected run; "" for the scene's choice
}

// Progress returns the completed fraction, from 0 to 1, of work that takes several frames. busy is false if there is none.
func (s *Session) Progress() (done float64, busy bool) {
	if s.resting() {
		return 0, true
	}
	if s.player.job == nil && s.made.compare != nil {
		done, of := s.made.compare.Progress()
		return float64(done) / float64(of), done < of
	}
	if s.player.job == nil {
		if s.made.recording.UnderWay() {
			return s.made.recording.Progress(), true
		}
		return 0, false
	}
	return float64(s.timeline().Latest()-s.player.job.from) / float64(max(1, s.player.job.target-s.player.job.from)), true
}

// restart builds the runs from the values at k = 0 and the log.
func (s *Session) restart(log []timeline.Change) error {
	params := s.scene.Params()
	if err := params.Check(); err != nil {
		return err
	}
	for _, c := range log {
		if err := s.beside(c); err != nil {
			return err
		}
	}
	err := params.With(s.base, func() error {
		s.player.carry, s.player.job, s.player.loading, s.player.looping = 0, nil, false, false
		s.dropRecording()
		return s.makeRuns(log)
	})
	if err == nil && len(scene.FaultsOf(s.scene)) == 0 {
		s.texts = s.currentTexts()
	}
	return err
}

// beside returns an error if a live change conflicts with the other parameters' values.
func (s *Session) beside(c timeline.Change) error {
	params := s.scene.Params()
	now := params.Text(c.Name)
	if err := params.Assign(c.Name, c.Text); err != nil {
		return err
	}
	refused := params.Check()
	if err := params.Assign(c.Name, now); err != nil {
		return err
	}
	return refused
}

// forget makes the current values the values at k = 0 and clears the log.
func (s *Session) forget() { clear(s.base) }

// rerun rebuilds the runs and replays them to their current iteration.
func (s *Session) rerun(play bool) error {
	t := s.timeline()
	latest, marker := t.Latest(), t.Marker()
	if j := s.player.job; j != nil {
		latest, marker, play = j.target, j.marker, play || j.play
	} else if marker == latest {
		marker = -1
	}
	if err := s.restart(t.Log()); err != nil {
		return err
	}
	s.schedule(job{target: latest, marker: marker, play: play})
	return nil
}

func (s *Session) schedule(j job) {
	t := s.timeline()
	if s.awaits() {
		s.await(j)
		return
	}
	j.from, j.target = t.Latest(), min(j.target, max(t.Budget(), t.Latest()))
	j.known = j.target
	s.player.job = &j
	s.finishJob()
}

// finishJob ends the job if its target is reached or cannot be reached.
func (s *Session) finishJob() {
	j, t := s.player.job, s.timeline()
	if j == nil || t.Running() && (j.ended || t.Latest() < j.target) {
		return
	}
	s.player.job = nil
	if j.marker >= 0 {
		t.SetMarker(j.marker)
	}
	if j.play {
		s.play(true)
	}
	s.statusChanged()
}

func (s *Session) play(on bool) {
	s.endLoop()
	on = on && s.timeline().Running()
	if on {
		s.pour()
	}
	if !on && s.player.job == nil {
		s.timeline().Drop() // abandons an iteration in progress
	}
	if s.player.playing != on {
		s.player.playing = on
		s.player.carry, s.player.loops = 0, 0
		s.player.pacer.begin(on && s.settled())
		s.statusChanged()
	}
}

// toLatest moves the marker to the latest iteration, where steps start. It adds a notice if the marker moves.
func (s *Session) toLatest() {
	marker, latest := s.heading()
	if s.player.job != nil {
		s.player.job.marker = -1
	}
	if marker != latest {
		s.timeline().SetMarker(latest)
		s.notice("Back at the latest iteration, %d, where the runs continue.", latest)
	}
}

// work continues the job without checking that the result can be shown.
func (s *Session) work(more func() bool) (pending bool, err error) {
	for again := true; again && s.player.job != nil; s.finishJob() {
		t := s.timeline()
		n := 1 // an ended run tries to continue at the target
		if !s.player.job.ended {
			n = max(n, s.player.job.target-t.Latest())
		}
		made, err := t.Advance(n, func() bool {
			again = more()
			return again
		})
		if err != nil {
			s.player.job, s.player.playing = nil, false
			s.statusChanged()
			return false, err
		}
		if made > 0 {
			s.events.version++
		}
	}
	return s.player.job != nil, nil
}

// playRuns plays for one tick of the display, dt seconds long, while more() is true. It takes as many iterations as the speed
// allows, or fewer while things move far in the panel in front.
func (s *Session) playRuns(dt float64, more func() bool) error {
	if !s.player.playing || s.player.job != nil {
		return nil
	}
	s.follow.PlayedFor(dt)
	dt = min(dt, away)
	if slow, is := scene.InSlowMotion(s.scene); is {
		return s.playMoments(slow, dt, more)
	}
	t := s.timeline()
	if !s.due(dt) && !t.UnderWay() {
		return nil
	}
	n := max(int(s.player.carry), 1)
	made, err := s.advance(n, t.Latest, func(n int) (int, error) { return t.Advance(n, more) })
	if err != nil {
		s.play(false)
		return err
	}
	if made > 0 {
		s.player.carry = max(s.player.carry-float64(made), 0)
		s.events.version++
	}
	if s.player.pacer.left <= 0 {
		s.player.carry = min(s.player.carry, 1)
	}
	if !t.Running() || made > 0 && !s.player.pacer.goesOn && s.settled() {
		s.conclude()
	}
	return nil
}

// due adds dt seconds of play, at most away seconds. It reports whether an iteration is due and the pace allows it.
func (s *Session) due(dt float64) bool {
	speed := s.speed()
	s.player.carry = min(s.player.carry+float64(speed*dt), float64(speed*away)+1)
	may := s.player.pacer.pass(dt)
	if !may && !s.timeline().UnderWay() {
		s.player.carry = min(s.player.carry, 1) // if the pace pauses play, play does not catch up later
	}
	return may && s.player.carry >= 1
}

// playMoments plays in slow motion, one moment at a time.
func (s *Session) playMoments(slow scene.SlowMotion, dt float64, more func() bool) error {
	t, before := s.timeline(), slow.Moment()
	if s.player.carry < 1 && slow.PassTime(dt) {
		s.player.carry = 1
	}
	s.events.version++
	if slow.Moment() != before {
		s.tell("change")
	}
	if s.player.carry < 1 && !t.UnderWay() {
		return nil
	}
	made, err := t.Advance(max(int(s.player.carry), 1), more)
	if err != nil {
		s.play(false)
		return err
	}
	if made > 0 {
		s.player.carry = max(s.player.carry-float64(made), 0)
		s.events.version++
	}
	if !t.Running() {
		s.conclude()
	}
	return nil
}

func (s *Session) speed() float64 {
	text := s.scene.Params().Text(scene.SpeedParam)
	if text == "max" {
		return math.MaxInt32
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("session: speed option " + text + " is not a number")
	}
	return f
}

// heading returns the marker and the latest iteration after the job, or their current values without a job.
func (s *Session) heading() (marker, latest int) {
	j := s.player.job
	switch {
	case s.player.looping: // the marker only repeats earlier play
		return s.timeline().Latest(), s.timeline().Latest()
	case j == nil:
		return s.timeline().Marker(), s.timeline().Latest()
	}
	if j.marker < 0 {
		return j.target, j.target
	}
	return j.marker, j.target
}

// destination returns the iteration to which the job moves the marker, or nil without a job.
func (s *Session) destination() *int {
	if s.player.job == nil {
		return nil
	}
	marker, _ := s.heading()
	return &marker
}
