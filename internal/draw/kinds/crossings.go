package kinds

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// reaches reports whether a curve from first to value has reached or passed a level.
func reaches(first, value, level float64) bool {
	return first >= level && value <= level || first <= level && value >= level
}

// crossings returns the first rows of the shown tracks that reach a level. It examines every row only once.
func (t *Tracks) crossings(theme *brush.Theme, level float64) []axes.Crossing {
	of := fmt.Sprintf("%d %v", t.Timeline.Version(), level)
	if t.Key != nil {
		of += " " + t.Key()
	}
	if t.searched.of != of {
		t.searched = searched{of: of, tracks: map[timeline.Track]*search{}}
	}
	var out []axes.Crossing
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) || r.Len() == 0 {
			continue
		}
		s := t.searched.tracks[r]
		if s == nil {
			s = &search{}
			t.searched.tracks[r] = s
		}
		_, first := t.Point(r.Kept(0))
		for ; !s.found && s.next < r.Len(); s.next++ {
			if x, y := t.Point(r.Kept(s.next)); s.next > 0 && reaches(first, y, level) {
				s.found, s.x = true, x
			}
		}
		if s.found {
			look := theme.Look(r.Method)
			if Greyed(t.Timeline, r) {
				look.Hue = Grey(theme)
			}
			out = append(out, axes.Crossing{X: s.x, Look: look})
		}
	}
	return out
}

// searched stores how far tracks have been searched for a level.
type searched struct {
	of     string
	tracks map[timeline.Track]*search
}

type search struct {
	next  int // first row that has not been examined
	found bool
	x     float64
}

// crossings returns the first points of the curves that reach a level.
func (s *Series) crossings(theme *brush.Theme, level float64) []axes.Crossing {
	var out []axes.Crossing
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		if c.Faint || c.Still {
			continue
		}
		for j := 1; j < len(c.Y); j++ {
			if reaches(c.Y[0], c.Y[j], level) {
				look := theme.Look(c.Method)
				look.Hue = s.stroke(theme, c).Color
				out = append(out, axes.Crossing{X: c.X[j], Look: look})
				break
			}
		}
	}
	return out
}
