package runs

import (
	"math"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/timeline"
)

// Slow is the speed that shows every step in moments.
const Slow = "slow"

// SlowOption returns the option for slow motion. help names the moments.
func SlowOption(help string) param.Option {
	return param.Option{Value: Slow, Label: "slow motion", Help: help}
}

// AdvanceMoment advances a moment by the given number of seconds. The moment passes through stages counted from 0.
// Stage i takes durations[i] seconds and ends at i+1. After the last stage the next step is due, and the moment is 0
// again.
func AdvanceMoment(moment float64, durations []float64, seconds float64) (now float64, due bool) {
	end := float64(len(durations))
	if moment >= end {
		moment = 0
	}
	for moment < end {
		stage := int(moment)
		left := float64((float64(stage+1) - moment) * durations[stage])
		if seconds < left {
			moment += seconds / durations[stage]
			break
		}
		seconds -= left
		moment = float64(stage + 1)
	}
	if due = moment >= end; due {
		moment = 0
	}
	return math.Round(1e4*moment) / 1e4, due // rounded, so that links stay short
}

// SlowMotion shows one step in moments: the step that led to the marker or, if Ahead is set, the step that leaves it. A
// scene embeds SlowMotion to implement scene.SlowMotion.
type SlowMotion struct {
	Ahead     bool // whether the shown step is the one that leaves the marker
	settings  *Settings
	timeline  *timeline.Timeline
	now       *float64 // the shown part of the step, from 0 to len(names)
	names     []string // names of the moments, in order
	durations func() []float64
	on        bool // whether slow motion was on when a display parameter last changed
}

// NewSlowMotion returns slow motion through the named moments, in order. The returned SlowMotion advances *now, the
// shown part of the step. durations returns the seconds that each moment takes.
func NewSlowMotion(t *timeline.Timeline, settings *Settings, now *float64, names []string, durations func() []float64) SlowMotion {
	return SlowMotion{settings: settings, timeline: t, now: now, names: names, durations: durations}
}

// InSlowMotion reports whether the speed is slow motion.
func (m *SlowMotion) InSlowMotion() bool { return m.settings.Speed == Slow }

// PassTime advances within the shown step. The next step is due once the step has been shown completely. If no step has
// led to the marker yet, the next step is due immediately.
func (m *SlowMotion) PassTime(seconds float64) (due bool) {
	if !m.Ahead && m.timeline.Latest() == 0 {
		*m.now = 0
		return true
	}
	*m.now, due = AdvanceMoment(*m.now, m.durations(), seconds)
	return due
}

// Moment returns the name of the current part of the step, or "" if the whole step is shown.
func (m *SlowMotion) Moment() string {
	if !m.Partway() {
		return ""
	}
	return m.names[m.Stage()]
}

// EndIfOff returns to whole steps after slow motion has been turned off.
func (m *SlowMotion) EndIfOff() {
	if m.on && !m.InSlowMotion() {
		*m.now = float64(len(m.names))
	}
	m.on = m.InSlowMotion()
}

// Stage returns the number of the current moment, counted from 0. After the last moment it returns len(names).
func (m *SlowMotion) Stage() int { return int(math.Min(*m.now, float64(len(m.names)))) }

// Partway reports whether only a part of the step is shown.
func (m *SlowMotion) Partway() bool {
	return m.Stage() < len(m.names) && (m.Ahead || m.timeline.Marker() > 0)
}

// Hides reports whether a moment of the step has not been reached yet.
func (m *SlowMotion) Hides(moment int) bool { return m.Partway() && m.Stage() < moment }
