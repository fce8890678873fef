package session

import (
	"iter"
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// making stands in the place of a scene whose runs take long to make: their data, problems, steppers and first measures. A coroutine
// makes them; it rests where the scene's Maker yields and the time is over, and goes on with Work. Meanwhile nothing looks at the
// scene, which is half made: there are no runs, numbers are unknown, and all panels say why. Only the parameters are the scene's.
type making struct {
	scene.Scene
	line   *timeline.Timeline // empty
	panels []axes.Panel
	facts  []scene.Fact

	more      func() bool // of the part that is under way
	next      func() (struct{}, bool)
	stop      func()
	err       error
	displayed bool   // Displayed is due
	selected  string // the run of a link, "" for the scene's own
	chosen    bool   // it is not the one that was selected before
}

// inTheMaking is what panels say meanwhile.
const inTheMaking = "These settings are large: their data and runs are being prepared. The picture comes by itself."

// newMaking begins to make runs of a scene, with a log of changes to come. Nothing is done before the first part.
func newMaking(of scene.Scene, log []timeline.Change) *making {
	m := &making{Scene: of, line: timeline.New(timeline.DefaultLimit)}
	m.line.Reset(nil, log)
	m.line.SetEnd(budgetOf(of), 0)
	for _, p := range of.Panels() {
		m.panels = append(m.panels, axes.Covered(p, "Being prepared", inTheMaking))
	}
	for _, f := range of.Facts() {
		f.Value = math.NaN
		m.facts = append(m.facts, f)
	}
	if t := of.Timeline(); len(t.Tracks()) > 0 && t.Selected() != scene.PreferredRun(of) {
		m.selected = t.SelectedName()
	}
	m.next, m.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			of.Timeline().SetMaking(nil)
			if fault := recover(); fault != nil && fault != any(abandoned{}) {
				panic(fault)
			}
		}()
		of.Timeline().SetMaking(func() {
			if !m.more() && !yield(struct{}{}) {
				panic(abandoned{})
			}
		})
		m.err = of.Restart(log)
	})
	return m
}

// abandoned is what a scene's Restart panics with that nobody waits for any more.
type abandoned struct{}

// budgetOf is the number of iterations after which a scene's runs will end, as far as its parameters say.
func budgetOf(of scene.Scene) int {
	if _, has := of.Params().Lookup("budget"); has {
		if n, is := of.Params().Value("budget").(int); is {
			return n
		}
	}
	return math.MaxInt32
}

// Timeline implements scene.Scene: it is empty.
func (m *making) Timeline() *timeline.Timeline { return m.line }

// Displayed implements scene.Scene.
func (m *making) Displayed() error {
	m.displayed = true
	return nil
}

// Panels implements scene.Scene: words in the place of all of them.
func (m *making) Panels() []axes.Panel { return m.panels }

// Drag implements scene.Scene.
func (m *making) Drag(string, float64, float64) (name, text string) { return "", "" }

// Work implements scene.Scene.
func (m *making) Work(func() bool) (pending bool, err error) { return false, nil }

// Results implements scene.Scene.
func (m *making) Results() any { return nil }

// Facts implements scene.Scene: all are unknown.
func (m *making) Facts() []scene.Fact { return m.facts }

// StepNumbers implements scene.Scene.
func (m *making) StepNumbers(timeline.Track, int) (map[string]string, error) { return nil, nil }

// Conclusions implements scene.Scene.
func (m *making) Conclusions() *scene.Conclusions { return nil }

// Released implements scene.Scene.
func (m *making) Released() {}

// Extras implements scene.Scene.
func (m *making) Extras() scene.Extras { return scene.Extras{Lacks: inTheMaking} }

var _ scene.Scene = (*making)(nil)

// SetPatience lets verbs make runs for as long as a more() of patience holds, and leave the rest to Work. The page waits for all of it:
// what a verb has to refuse it must refuse before it returns. nil, as at first, waits for
// all of it.
func (s *Session) SetPatience(patience func() (more func() bool)) { s.player.patience = patience }

// unmade is the scene that is in the making, nil if it is not.
func (s *Session) unmade() *making {
	m, _ := s.scene.(*making)
	return m
}

// abandon gives up what is in the making, if anything is: the scene itself is back, for a Restart.
func (s *Session) abandon() {
	if m := s.unmade(); m != nil {
		m.stop()
		s.scene, s.file.waiting = m.Scene, nil
	}
}

// makeRuns is the scene's Restart, with the parameters of k = 0, as far as there is patience.
func (s *Session) makeRuns(log []timeline.Change) error {
	params := s.scene.Params()
	_, static := scene.AsStatic(s.scene)
	if s.player.patience == nil || static {
		return params.With(s.base, func() error { return s.scene.Restart(log) })
	}
	m := newMaking(s.scene, log)
	if pending, err := s.goOn(m, s.player.patience()); err != nil || !pending {
		return err
	}
	s.scene = m
	return nil
}

// goOn makes a further part of what is in the making, and reports whether there is more.
func (s *Session) goOn(m *making, more func() bool) (pending bool, err error) {
	err = m.Params().With(s.base, func() error {
		m.more = more
		_, pending = m.next()
		return m.err
	})
	return pending && err == nil, err
}

// workMaking goes on with what is in the making, while more() holds. Then the scene is back and its runs go where a link leads them.
func (s *Session) workMaking(more func() bool) (pending bool, err error) {
	m := s.unmade()
	if m == nil {
		return false, nil
	}
	pending, err = s.goOn(m, more)
	if pending {
		return true, nil
	}
	to := s.file.waiting
	s.abandon()
	if err != nil && !s.player.loading {
		s.notice("%v. The defaults are shown.", err)
		s.scene.Params().Restore()
		s.forget()
		to, err = nil, s.restart(nil)
	}
	if err != nil {
		return false, err
	}
	s.remember()
	if m.displayed {
		if err := s.scene.Displayed(); err != nil {
			return false, err
		}
	}
	if s.unmade() == nil {
		if m.chosen {
			s.selectRun(m.selected)
		}
		if to != nil {
			s.schedule(to.job)
		}
	}
	s.statusChanged()
	s.changed()
	return s.unmade() != nil, nil
}

// selectRun shows the run of that name in detail, "" the scene's own choice.
func (s *Session) selectRun(name string) {
	if m := s.unmade(); m != nil {
		m.selected, m.chosen = name, true
		return
	}
	scene.SelectRun(s.scene, name)
}

// remember keeps the texts that the scene shows now.
func (s *Session) remember() {
	if s.unmade() == nil && len(scene.FaultsOf(s.scene)) == 0 {
		s.texts = s.currentTexts()
	}
}
