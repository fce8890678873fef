package files

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// Film draws small pictures of a scene, without text, at count moments, and returns them by theme and moment. The runs,
// or the computation beside them, advance to the moment that Thumbnails shows. In a scene with neither runs nor a
// computation, the last handle turns about the origin to its position.
//
// Film prefers moments when the picture changes. If the picture changes fewer than count times, the last pictures are
// identical. The argument shown is the ID of the panel to draw; "" means the front panel. Sizes and file formats are
// the same as for Thumbnails.
func Film(scenes scene.List, id, shown string, count int, themes []*brush.Theme, width, height, scale float64,
) ([][][]byte, error) {
	const (
		candidates              = 4 // number of candidates per moment
		smallWidth, smallHeight = 160, 100
	)
	parts := make([]float64, candidates*count)
	for i := range parts {
		// Runs move fast at first, so half of the candidates are in the first quarter of a run.
		part := float64(i+1) / float64(len(parts))
		parts[i] = part * part
	}
	var changes []float64
	var by mover
	for _, by = range []mover{byTime, byHandle} {
		small, err := shots(scenes, id, shown, by, parts, []*brush.Theme{brush.Light}, smallWidth, smallHeight, 1)
		if err != nil {
			return nil, fmt.Errorf("film of %s: %w", id, err)
		}
		changes = nil
		for i, picture := range small[0] {
			if i == 0 || !bytes.Equal(picture, small[0][i-1]) {
				changes = append(changes, parts[i])
			}
		}
		if len(changes) > 1 {
			break
		}
	}
	moments := make([]float64, count)
	for i := range moments {
		moments[i] = changes[len(changes)-1]
		if len(changes) >= count {
			moments[i] = changes[i*(len(changes)-1)/(count-1)]
		} else if i < len(changes) {
			moments[i] = changes[i]
		}
	}
	return shots(scenes, id, shown, by, moments, themes, width, height, scale)
}

// mover returns a function that advances a scene to a given fraction of its run, from 0 to 1.
type mover func(s *picture, scenes scene.List, id string) (advance func(part float64) error, err error)

// shots draws a scene at the given fractions of its run.
func shots(scenes scene.List, id, shown string, by mover, parts []float64, themes []*brush.Theme, width, height, scale float64,
) ([][][]byte, error) {
	s, err := newPicture(scenes, id, "")
	if err != nil {
		return nil, err
	}
	advance, err := by(s, scenes, id)
	if err != nil {
		return nil, err
	}
	if shown == "" {
		shown = s.front()
	}
	films := make([][][]byte, len(themes))
	for _, part := range parts {
		if err := advance(part); err != nil {
			return nil, err
		}
		files, err := drawn(themes, width, height, scale, func() []axes.Placed { return s.thumbnail(shown, width, height) })
		if err != nil {
			return nil, err
		}
		for i, file := range files {
			films[i] = append(films[i], file)
		}
	}
	return films, nil
}

// byTime is a mover that advances the runs, or the computation beside them.
func byTime(s *picture, scenes scene.List, id string) (advance func(part float64) error, err error) {
	end, err := newPicture(scenes, id, "")
	if err != nil {
		return nil, err
	}
	if len(s.Timeline().Runs()) > 0 {
		if err := end.stand(pose{}); err != nil {
			return nil, err
		}
		last := end.Timeline().Latest()
		return func(part float64) error {
			return s.stand(pose{iterations: max(1, int(math.Round(part*float64(last)))), work: math.MaxInt})
		}, nil
	}
	all := 0
	if _, err := end.Work(func() bool { all++; return true }); err != nil {
		return nil, err
	}
	done := 0
	return func(part float64) error {
		until := max(1, int(math.Round(part*float64(all))))
		_, err := s.Work(func() bool { done++; return done <= until })
		return err
	}, nil
}

// byHandle is a mover for the front panel's last handle. It moves a time marker from left to right, and turns any other
// handle about the origin to its position.
func byHandle(s *picture, _ scene.List, _ string) (advance func(part float64) error, err error) {
	const before = 0.6 // start angle, in half turns before the position
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	var last axes.Handle
	var shown axes.Panel
	for _, p := range s.Panels() {
		if all := p.Handles(f); p.ID() == s.front() && len(all) > 0 {
			shown, last = p, all[len(all)-1]
		}
	}
	if shown == nil {
		return nil, errors.New("the scene has no runs and no handle")
	}
	if err := scene.Finish(s.Scene); err != nil {
		return nil, err
	}
	length, angle := portable.Hypot(last.X, last.Y), portable.Atan2(last.Y, last.X)
	return func(part float64) error {
		sin, cos := portable.Sincos(angle - float64(before*math.Pi*(1-part)))
		x, y := length*cos, length*sin
		if last.ID == kinds.MarkerHandle {
			x, y = shown.World(f, last.ID, vg.Point{X: f.Width * vg.Length(math.Sqrt(part))})
		}
		name, text := s.Drag(last.ID, x, y)
		if name == "" {
			return nil
		}
		if _, err := s.Params().Clamp(name, text); err != nil {
			return err
		}
		return s.Displayed()
	}, nil
}
