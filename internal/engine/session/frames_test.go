package session

import (
	"slices"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/scenes"
)

// frameOf returns the axes of a panel, including the axes of its box if the panel shows a space.
func frameOf(t *testing.T, p axes.Panel) []axes.Axis {
	t.Helper()
	switch p := p.(type) {
	case *axes.Plane:
		x, y := p.Ranges()
		return []axes.Axis{x, y}
	case *kinds.Space:
		x, y := p.Axes()
		if p.Box != nil {
			box := p.Box()
			return append(box[:], x, y)
		}
		return []axes.Axis{x, y}
	}
	t.Fatalf("the frame of a %T is unknown", p)
	return nil
}

// sameRange reports whether two axes have the same range and number of categories. The categories' names may contain counts.
func sameRange(a, b axes.Axis) bool {
	return a.Min == b.Min && a.Max == b.Max && a.Log == b.Log && len(a.Categories) == len(b.Categories)
}

// TestFramesHoldStill checks that the large panel's frame never changes while a scene plays as it opens, and that small panels'
// frames change at most twice. Panels of measured times are exempt.
func TestFramesHoldStill(t *testing.T) {
	const (
		maxSmall = 2
		frame    = 1. / 15
		works    = 50 // pieces of work between two frames
	)
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			last, changes := map[string][]axes.Axis{}, map[string]int{}
			look := func() {
				for _, p := range s.panels() {
					now := frameOf(t, p)
					if before, seen := last[p.ID()]; seen && !slices.EqualFunc(before, now, sameRange) {
						changes[p.ID()]++
						t.Logf("at %d the frame of %s changes from %+v to %+v", s.timeline().Marker(), p.ID(), before, now)
					}
					last[p.ID()] = now
				}
			}
			look()
			if s.timeline().Budget() > 0 && len(s.timeline().Runs()) > 0 {
				if err := s.Play(); err != nil {
					t.Fatal(err)
				}
			}
			for s.Playing() {
				if err := s.Advance(frame, always); err != nil {
					t.Fatal(err)
				}
				if _, err := s.scene.Work(times(works, false)); err != nil {
					t.Fatal(err)
				}
				look()
			}
			for _, p := range s.panels() {
				id, limit := p.ID(), maxSmall
				if id == s.front() {
					limit = 0
				}
				if changes[id] > limit && s.scene.Extras().Measured == nil {
					t.Errorf("the frame of %s changed %d times", id, changes[id])
				}
			}
		})
	}
}
