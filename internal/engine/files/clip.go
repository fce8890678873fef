//go:build !js || picture

package files

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/files/clip"
	"paretoplay/internal/engine/scene"
)

const (
	// maxFrames is the maximum number of pictures of a clip.
	maxFrames = 200
	// Times are in hundredths of a second. A clip lasts clipLength, but each picture is shown for at least leastDelay and
	// at most maxDelay. The last picture is shown for clipRest.
	clipLength = 600
	leastDelay = 4
	maxDelay   = 15
	clipRest   = 200
)

// Clip draws a GIF of a panel from k = 0 to the marker, one picture at a time. The scene must not change while the clip
// is drawn.
type Clip struct {
	of      Source
	id      string
	last    int // iteration of the last picture
	frames  int
	drawn   int
	maker   *clip.Maker
	samples []*image.RGBA
}

// clipSamples is the number of pictures that determine the palette: the first, the middle and the last picture.
const clipSamples = 3

// NewClip starts a clip of the panel with the given ID, or of the front panel if id is "".
func (s Source) NewClip(id string) (*Clip, error) {
	if _, static := scene.AsStatic(s.Scene); static {
		return nil, fmt.Errorf("cannot record a clip: scene %s has no iterations", s.About.ID)
	}
	if s.Scene.Extras().HidesRuns {
		return nil, fmt.Errorf("cannot record a clip: the scene shows a map instead of the runs")
	}
	last := s.Scene.Timeline().Marker()
	if last == 0 {
		return nil, fmt.Errorf("cannot record a clip of iteration 0 alone; advance the runs first")
	}
	if id == "" {
		id = s.Front
	}
	return &Clip{of: s, id: id, last: last, frames: min(last+1, maxFrames)}, nil
}

// Step draws the next picture. It returns the fraction of the pictures that are drawn, which is 1 at the end.
func (c *Clip) Step() (done float64, err error) {
	i := c.drawn - clipSamples
	if i < 0 {
		i = c.drawn * (c.frames - 1) / (clipSamples - 1)
	}
	picture, colours, err := c.draw(int(math.Round(float64(i) * float64(c.last) / float64(c.frames-1))))
	if err != nil {
		return 0, err
	}
	if c.drawn < clipSamples {
		c.samples = append(c.samples, picture)
	} else {
		if c.maker == nil {
			c.maker, c.samples = clip.NewMaker(colours, c.samples...), nil
		}
		delay := min(max(clipLength/c.frames, leastDelay), maxDelay)
		if i == c.frames-1 {
			delay = clipRest
		}
		if err := c.maker.Add(picture, delay); err != nil {
			return 0, err
		}
	}
	c.drawn++
	return float64(c.drawn) / float64(c.frames+clipSamples), nil
}

// draw draws the panel at iteration k. It then restores the marker, the swarm and the animation.
func (c *Clip) draw(k int) (picture *image.RGBA, colours []color.Color, err error) {
	t := c.of.Scene.Timeline()
	defer t.SetMarker(c.last)
	t.SetMarker(k)
	if flow := c.of.Scene.Extras().Flow; flow != nil {
		defer func() { err = errors.Join(err, flow.ShowAt(-1)) }()
		if err := flow.ShowAt(k); err != nil {
			return nil, nil, err
		}
	}
	figure, err := c.of.figure(c.id, axes.PrintWidth(0))
	if err != nil {
		return nil, nil, err
	}
	picture, err = figure.Picture()
	return picture, figure.Palette(), err
}

// File returns the clip. Call it after Step has returned 1.
func (c *Clip) File() (File, error) {
	data, err := c.maker.Encode()
	return File{fmt.Sprintf("%s-k%d-%s.gif", c.of.About.ID, c.last, c.id), "image/gif", data}, err
}

func (s Source) gif(id string) (File, error) {
	c, err := s.NewClip(id)
	if err != nil {
		return File{}, err
	}
	for done := 0.; done < 1; {
		if done, err = c.Step(); err != nil {
			return File{}, err
		}
	}
	return c.File()
}
