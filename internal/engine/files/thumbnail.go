package files

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
)

// pose is the moment that a thumbnail shows if the end of an experiment takes long to compute. A zero field means the
// end.
type pose struct {
	iterations int // iteration of the runs
	work       int // finished parts of the computation beside the runs
}

// poses lists the experiments that take more than a second to reach their ends, each with the moment that its thumbnail
// shows. The picture of that moment makes the idea of the experiment visible. The keys are scene and experiment.
var poses = map[[2]string]pose{
	{"cleaning", "table"}: {work: 2500},
	{"fronts", "table"}:   {work: 5000},
	{"sweep", "pass"}:     {iterations: 660},
	{"toy", "all"}:        {iterations: 15000},
}

// picture is a scene that is opened only to draw small pictures of it. No visitor plays it.
type picture struct {
	scene.Scene
	about scene.About
	card  scene.Preset // the experiment, or the zero Preset
}

// newPicture opens a scene or, if card is not "", the scene's experiment whose ID is card.
func newPicture(scenes scene.List, id, card string) (*picture, error) {
	about, err := scenes.Find(id)
	if err != nil {
		return nil, err
	}
	preset, known := about.Preset(card)
	s := &picture{Scene: about.New(), about: about, card: preset}
	if card != "" && !known {
		return nil, fmt.Errorf("unknown experiment %s of %s", scene.Quote(card), id)
	}
	params := s.Params()
	for _, name := range slices.Sorted(maps.Keys(preset.Values)) {
		if err := params.Assign(name, preset.Values[name]); err != nil {
			return nil, err
		}
	}
	if known {
		params.Fit()
	}
	if err := params.Check(); err != nil {
		return nil, err
	}
	if err := s.Restart(nil); err != nil {
		return nil, err
	}
	if known {
		scene.SelectRun(s.Scene, preset.Selected)
	}
	return s, nil
}

func (s *picture) front() string { return scene.Front(s.Scene, s.card.Hero, s.about.Hero) }

// stand advances the runs, and the computation beside them, to the given pose.
func (s *picture) stand(at pose) error {
	if at == (pose{}) {
		return scene.Finish(s.Scene)
	}
	t := s.Timeline()
	for t.Running() && (at.iterations == 0 || t.Latest() < at.iterations) {
		if _, err := t.Step(); err != nil {
			return err
		}
	}
	_, err := s.Work(func() bool {
		at.work--
		return at.work >= 0
	})
	return err
}

// posed opens a scene or, if card is not "", the scene's experiment whose ID is card. It advances the picture to the
// pose.
func posed(scenes scene.List, id, card string) (*picture, error) {
	s, err := newPicture(scenes, id, card)
	if err != nil {
		return nil, err
	}
	if err := s.stand(poses[[2]string{id, card}]); err != nil {
		return nil, fmt.Errorf("thumbnail of %s: %w", id, err)
	}
	return s, nil
}

// Thumbnails draws a small picture without text, in each theme. It shows a scene or, if card is not "", the scene's
// experiment whose ID is card: the main panel after the runs have ended, or at the experiment's pose.
// Width and height are in CSS pixels, with scale dots per pixel. Thumbnails returns PNG files.
func Thumbnails(scenes scene.List, id, card string, themes []*brush.Theme, width, height, scale float64) ([][]byte, error) {
	s, err := posed(scenes, id, card)
	if err != nil {
		return nil, err
	}
	return drawn(themes, width, height, scale, func() []axes.Placed { return s.thumbnail(s.front(), width, height) })
}

// thumbnail places only the panel with the given ID. It returns nil if the ID is unknown.
func (s *picture) thumbnail(id string, width, height float64) []axes.Placed {
	for _, p := range s.Panels() {
		if p.ID() == id {
			size := vg.Point{X: vg.Length(width), Y: vg.Length(height)}
			return []axes.Placed{{Panel: p, Rect: vg.Rectangle{Max: size}, Detail: brush.Thumbnail}}
		}
	}
	return nil
}

// Previews draws a scene in each theme as it appears on the page after the runs have ended, with every panel in place.
// The canvas has the given size. If the scene has runs, the canvas's height is reduced by timeLine. Sizes and file
// formats are the same as for Thumbnails.
func Previews(scenes scene.List, id string, themes []*brush.Theme, width, height, timeLine, scale float64) ([][]byte, error) {
	s, err := posed(scenes, id, "")
	if err != nil {
		return nil, err
	}
	if len(s.Timeline().Runs()) > 0 {
		height -= timeLine
	}
	if err := scene.OpenPlainly(s.Scene, s.about); err != nil {
		return nil, err
	}
	return drawn(themes, width, height, scale, func() []axes.Placed {
		return axes.Folded(vg.Length(width), vg.Length(height), s.Panels(),
			axes.Shown{Hero: s.front(), Beside: scene.Beside(s.Scene, s.about, s.card, s.front())})
	})
}

// drawn returns PNG files of the placed panels in each theme.
func drawn(themes []*brush.Theme, width, height, scale float64, placed func() []axes.Placed) ([][]byte, error) {
	var files [][]byte
	for _, theme := range themes {
		var out bytes.Buffer
		if err := axes.WritePNG(&out, vg.Length(width), vg.Length(height), scale, theme, placed()); err != nil {
			return nil, err
		}
		files = append(files, out.Bytes())
	}
	return files, nil
}
