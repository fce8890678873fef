// Package networktasks implements the scene in which neural networks learn many tasks while the visitor watches. Each
// method trains one network.
package networktasks

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"paretoplay/algo"
	model "paretoplay/algo/problem/network"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene holds the state of one visitor's scene. It implements scene.Scene, scene.Supplied and scene.Recordable.
type Scene struct {
	scene.Base
	values Params

	// Read returns the pictures of digits, or nil until the page has fetched them.
	Read func() (*model.Digits, error)

	net    *model.Network            // network of the current runs, used only by panels; nil without runs
	prints map[*timeline.Run]*prints // copies of first layers
	builds int                       // counts the builds of the runs
	period int                       // value of R at the start of the runs

	time     *kinds.Series // the panel whose axis shows the marker
	curves   brush.Memo[string, []kinds.Curve]
	drifted  brush.Memo[driftKey, map[*timeline.Run][]float64]
	pictures []axes.Panel
	watch    func() time.Duration
	measured *measured
}

// supplied stores the pictures of digits that the page has fetched, for scenes that are opened later.
var supplied *model.Digits

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), watch: runs.Stopwatch(), Read: read}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.Timeline().Omit("variables")
	s.pictures = s.newPictures()
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// read returns the pictures of digits, or nil if the page has not fetched them yet.
func read() (*model.Digits, error) {
	if supplied != nil {
		return supplied, nil
	}
	return shipped()
}

// Restart builds the runs at k = 0. It builds none until the pictures arrive.
func (s *Scene) Restart(log []timeline.Change) error {
	v, t := &s.values, s.Timeline()
	digits, err := s.Read()
	if err != nil {
		return err
	}
	t.SetEnd(v.Budget, 0)
	s.builds++
	s.period = v.R
	if digits == nil {
		s.net, s.prints = nil, nil
		t.Reset(nil, log)
		return nil
	}
	net, err := v.network(digits)
	if err != nil {
		return err
	}
	start := net.Start(v.Seed)
	var nets []*model.Network
	runs, err := v.Runs(v.On, [][]float64{start}, func(int) *course {
		nets = append(nets, net.Again())
		return &course{net: nets[len(nets)-1], start: start, tasks: v.Tasks, seed: v.Seed}
	})
	if err != nil {
		return err
	}
	s.net, s.prints = net, map[*timeline.Run]*prints{}
	for i, run := range runs {
		run.Label = run.Title
		examine(run, nets[i])
		s.prints[run] = newPrints(run, net.Hidden()[0])
	}
	t.Reset(runs, log)
	return nil
}

// network returns an untrained network with the layers and tasks that the parameters set.
func (p *Params) network(digits *model.Digits) (*model.Network, error) {
	tasks, err := strconv.Atoi(p.Tasks)
	if err != nil {
		return nil, err
	}
	return model.New(model.Config{Digits: digits, Tasks: tasks, Hidden: [2]int{p.Hidden1, p.Hidden2},
		Activation: model.Activation(p.Activation), Test: tests, Seed: p.Seed})
}

// runsKey returns a key that identifies the current runs among the runs of all scenes.
func (s *Scene) runsKey() string {
	return fmt.Sprintf("%p %d %d ", s, s.builds, s.Timeline().Version())
}

// tasks returns the number of tasks of the current runs, or 0 without runs.
func (s *Scene) tasks() int {
	if s.net == nil {
		return 0
	}
	_, tasks := s.net.Dims()
	return tasks
}

// Needs implements scene.Supplied. It returns the path of the pictures until they have arrived.
func (s *Scene) Needs() string {
	if digits, err := s.Read(); digits != nil || err != nil {
		return ""
	}
	return File
}

// File is the path from which the page fetches the pictures.
const File = "pictures/digits.bin"

// Form implements scene.Supplied.
func (s *Scene) Form() *data.Layout { return data.Raw }

// Supply implements scene.Supplied.
func (s *Scene) Supply(p *data.Pasted) error {
	digits, err := model.ReadDigits(bytes.NewReader(p.Raw()))
	if err != nil {
		return err
	}
	supplied, s.Read = digits, read
	return nil
}

// waiting is the text that panels show until the pictures arrive.
const waiting = "Loading the pictures …"

// Extras implements scene.Scene. While the pictures are missing, it says why there are no runs.
func (s *Scene) Extras() scene.Extras {
	if s.net == nil {
		return scene.Extras{Lacks: waiting}
	}
	return scene.Extras{Worked: curvePanel, Leave: s.stopMeasuring}
}

// Panels returns the scene's linked panels, starting with the hero.
func (s *Scene) Panels() []axes.Panel { return s.pictures }

func (s *Scene) newPictures() []axes.Panel {
	curves := s.curvesPanel()
	return []axes.Panel{s.readingPanel(), curves, s.tasksPanel(), s.weightsPanel(), s.agePanel(), s.featuresPanel()}
}

// Work measures step times if the axis shows them.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if !s.timed() {
		return false, nil
	}
	if m := s.measuredNow(); m != nil {
		return m.Work(more)
	}
	return false, nil
}

// Drag moves the time marker.
func (s *Scene) Drag(handle string, x, _ float64) (name, text string) {
	if handle == kinds.MarkerHandle && s.Timeline().Selected().Run != nil {
		s.Timeline().SetMarker(s.time.Iteration(x))
	}
	return "", ""
}

var _ scene.Supplied = (*Scene)(nil)

var _ algo.Yielding = (*model.Network)(nil)
