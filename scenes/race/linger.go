package race

import (
	"math"

	"paretoplay/algo/param"
	"paretoplay/scenes/timeline"
)

// Slow is the speed that shows every step moment by moment.
const Slow = "slow"

// SlowMotion is the option of that speed; help says what the moments are.
func SlowMotion(help string) param.Option {
	return param.Option{Value: Slow, Label: "slow motion", Help: help}
}

// Linger moves the moment of a step on by some seconds through stages, each of which lasts so
// many, from 0; the i-th stage is over at i+1. With the last one the next step is due, and the
// moment is 0 again.
func Linger(moment float64, lasting []float64, seconds float64) (now float64, due bool) {
	end := float64(len(lasting))
	if moment >= end {
		moment = 0
	}
	for moment < end {
		stage := int(moment)
		left := (float64(stage+1) - moment) * lasting[stage]
		if seconds < left {
			moment += seconds / lasting[stage]
			break
		}
		seconds -= left
		moment = float64(stage + 1)
	}
	if due = moment >= end; due {
		moment = 0
	}
	return math.Round(1e4*moment) / 1e4, due // links stay short
}

// Moments is the part of a scene that shows the step which led to the marker moment by moment.
type Moments struct {
	settings *Settings
	now      *float64 // how much of the step is shown, from 0 to as many as have names
	timeline *timeline.Timeline
	names    []string
	slowed   bool // slow motion was on when it was last looked at
}

// NewMoments returns moments that have names, in their order, of which now says how much is shown.
func NewMoments(t *timeline.Timeline, settings *Settings, now *float64, names []string) Moments {
	return Moments{settings: settings, now: now, timeline: t, names: names}
}

// Lingers reports whether the speed is slow motion.
func (m *Moments) Lingers() bool { return m.settings.Speed == Slow }

// Pass moves slow motion on within the step that led to the latest iteration, of whose moments
// each lasts so many seconds. The next step is due when all of it has been seen, and before the first.
func (m *Moments) Pass(seconds float64, lasting []float64) (due bool) {
	if m.timeline.Latest() == 0 {
		*m.now = 0
		return true
	}
	*m.now, due = Linger(*m.now, lasting, seconds)
	return due
}

// Moment names what of the step is under way, "" when all of it is shown.
func (m *Moments) Moment() string {
	if !m.Within() {
		return ""
	}
	return m.names[m.Stage()]
}

// Leave shows whole steps again when slow motion has ended.
func (m *Moments) Leave() {
	if m.slowed && !m.Lingers() {
		*m.now = float64(len(m.names))
	}
	m.slowed = m.Lingers()
}

// Stage is the moment that is under way, as many as there are when all have been.
func (m *Moments) Stage() int { return int(math.Min(*m.now, float64(len(m.names)))) }

// Within reports whether only a part of the step that led to the marker is shown.
func (m *Moments) Within() bool { return m.Stage() < len(m.names) && m.timeline.Marker() > 0 }

// Hides reports whether what happens at a moment of the step has yet to be shown.
func (m *Moments) Hides(moment int) bool { return m.Within() && m.Stage() < moment }
