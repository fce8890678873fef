package session

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
)

// pose is the moment at which a thumbnail is drawn if its end takes long to compute: zeros stand
// for the end.
type pose struct {
	iterations int // of the runs
	work       int // parts of the computation beside the runs
}

// poses are moments at which the idea already shows, for experiments that would take more than a
// second each; the keys are scene and experiment.
var poses = map[[2]string]pose{
	{"cleaning", "table"}: {work: 2500},
	{"fronts", "table"}:   {work: 5000},
	{"sweep", "pass"}:     {iterations: 660},
	{"toy", "all"}:        {iterations: 15000},
}

// stand brings the runs, and the computation beside them, to the pose.
func (s *Session) stand(at pose) error {
	if at == (pose{}) {
		return s.Finish()
	}
	t := s.timeline()
	for t.Running() && (at.iterations == 0 || t.Latest() < at.iterations) {
		if _, err := t.Step(); err != nil {
			return err
		}
	}
	_, err := s.scene.Work(func() bool {
		at.work--
		return at.work >= 0
	})
	return err
}

// posed returns a scene, or its experiment with that ID, as a picture shows it before its program is there.
func posed(scenes scene.List, id, card string) (*Session, error) {
	s, err := New(scenes, id)
	if err != nil {
		return nil, err
	}
	if card != "" {
		if err := s.Card(card); err != nil {
			return nil, err
		}
	}
	if err := s.stand(poses[[2]string{id, card}]); err != nil {
		return nil, fmt.Errorf("thumbnail of %s: %w", id, err)
	}
	return s, nil
}

// Thumbnails draws a small picture without words of a scene, or of its experiment with that ID,
// in each theme: the hero once the runs have ended. The sizes are in CSS pixels, scale dots to
// each; the pictures are PNG files.
func Thumbnails(scenes scene.List, id, card string, themes []*brush.Theme, width, height, scale float64) ([][]byte, error) {
	s, err := posed(scenes, id, card)
	if err != nil {
		return nil, err
	}
	return s.drawn(themes, width, height, scale, func() []axes.Placed {
		panels := s.scene.Panels()
		shown := panels[0]
		for _, p := range panels {
			if p.ID() == s.front() {
				shown = p
			}
		}
		size := vg.Point{X: vg.Length(width), Y: vg.Length(height)}
		return []axes.Placed{{Panel: shown, Rect: vg.Rectangle{Max: size}, Detail: brush.Thumbnail}}
	})
}

// Previews draws a scene in each theme as the page shows it on a canvas of this size, once its runs have
// ended: every panel at its place. The canvas is lower by timeLine where there are runs. Sizes and files
// are those of Thumbnails.
func Previews(scenes scene.List, id string, themes []*brush.Theme, width, height, timeLine, scale float64) ([][]byte, error) {
	s, err := posed(scenes, id, "")
	if err != nil {
		return nil, err
	}
	if len(s.timeline().Runs()) > 0 {
		height -= timeLine
	}
	return s.drawn(themes, width, height, scale, func() []axes.Placed { return s.Layout(width, height, false, false) })
}

// drawn draws panels in each theme.
func (s *Session) drawn(themes []*brush.Theme, width, height, scale float64, placed func() []axes.Placed) ([][]byte, error) {
	var files [][]byte
	for _, theme := range themes {
		s.theme = theme
		var out bytes.Buffer
		if err := axes.WritePNG(&out, vg.Length(width), vg.Length(height), scale, theme, placed()); err != nil {
			return nil, err
		}
		files = append(files, out.Bytes())
	}
	return files, nil
}
