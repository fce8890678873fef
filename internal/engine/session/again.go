package session

import (
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/scene"
)

// finding is a sentence about what the picture shows after play has stopped by itself.
type finding struct {
	text    string
	changes uint64 // events.changes when the sentence was recorded; the finding is valid until this number changes
}

// conclude stops play once the runs have ended or settled, and records the finding. In a lesson the open step states the result
// instead.
func (s *Session) conclude() {
	s.play(false)
	s.changed()
	if panel := s.inFront(); panel != nil && s.follow.Step == nil {
		s.player.found = finding{firstSentence(panel), s.events.changes}
	}
}

// firstSentence returns the first sentence of a panel's text, which says what the picture shows.
func firstSentence(p axes.Panel) string {
	text := p.Describe()
	for at := 0; ; {
		end := strings.Index(text[at:], ". ")
		if end < 0 {
			return text
		}
		if at += end + len(". "); at == len(text) || !('a' <= text[at] && text[at] <= 'z') {
			return text[:at-1]
		}
	}
}

// found returns the finding's sentence, or "" if something has changed since.
func (s *Session) found() string {
	if f := s.player.found; f.changes == s.events.changes && !s.player.playing && s.player.job == nil {
		return f.text
	}
	return ""
}

// maxLoops is the maximum number of times that play is repeated.
const maxLoops = 3

// loop starts to repeat play from k = 0 at the same pace, and reports whether it has done so. It requires that play has stopped
// by itself, that nothing has changed since, and that there have been fewer than maxLoops repetitions. Only the marker moves:
// links, undo and goals are not affected.
func (s *Session) loop() (begun bool) {
	t := s.timeline()
	_, slow := scene.InSlowMotion(s.scene)
	if s.player.looping || s.player.flows || s.found() == "" || s.player.loops == maxLoops || s.follow.Step != nil ||
		len(s.pins.List()) > 0 || slow ||
		t.Latest() == 0 || t.Marker() != t.Latest() {
		return false
	}
	s.player.looping = true
	s.player.loops++
	s.player.carry = 0
	s.player.pacer.begin(true)
	t.SetMarker(0)
	s.events.version++
	s.tell("status")
	return true
}

// endLoop ends a repetition at the latest iteration, from which play continues.
func (s *Session) endLoop() {
	if !s.player.looping {
		return
	}
	s.player.looping = false
	s.timeline().SetMarker(s.timeline().Latest())
	s.events.version++
	s.tell("status")
}

// advanceLoop advances the marker through the recorded rows by dt seconds of play.
func (s *Session) advanceLoop(dt float64) {
	t := s.timeline()
	if !s.due(min(dt, away)) {
		return
	}
	made, _ := s.advance(int(s.player.carry), t.Marker, func(n int) (int, error) {
		before := t.Marker()
		return t.SetMarker(before+n) - before, nil
	})
	s.player.carry = min(s.player.carry-float64(made), 1)
	s.events.version++
	if t.Marker() == t.Latest() {
		s.endLoop()
	}
}

// callLoop starts or ends a repetition of play.
func callLoop(s *Session, a *arguments) (any, error) {
	if a.On != nil && !*a.On {
		s.endLoop()
		return map[string]bool{"loops": false}, nil
	}
	return map[string]bool{"loops": s.loop()}, nil
}
