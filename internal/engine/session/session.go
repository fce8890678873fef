// Package session is the model of the page. A Session can do everything that the page does with a list of scenes, but needs no
// browser.
package session

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/comparison"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/pins"
	"paretoplay/internal/engine/pointer"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Session is one visitor's scene with its settings, runs, view and pointer. Use it from one goroutine.
type Session struct {
	scenes scene.List // available scenes
	about  scene.About
	scene  scene.Scene
	card   card

	// base holds the texts of live parameters at k = 0. Their current values include the log's changes.
	base  map[string]string
	texts map[string]string // the valid texts that the scene shows, by parameter

	player  player
	screen  screen
	events  events
	history history

	file    visitorFile
	made    made // results computed beside the runs
	follow  follow.Follower
	pins    pins.Pins
	pointer pointer.Pointer
}

// player advances the runs in time.
type player struct {
	playing bool
	carry   float64 // iterations that are due but not played yet
	pacer   pacer
	found   finding        // the sentence recorded when play stopped by itself
	looping bool           // whether play is repeated
	loops   int            // number of repetitions since the last play
	flows   bool           // whether anything besides the runs moves
	halted  bool           // whether the visitor has paused
	job     *job           // work left by a verb, or nil
	loading bool           // whether the job is part of loading a state
	stretch int            // the timeline's stretch, also for pins
	begun   *Begun         // the running or paused verb or work, or nil
	rest    func()         // pauses begun if its time is up; nil if it must not pause
	moved   *pointer.Event // the last pointer move during a pause, or nil
}

// screen says where and how the scene is drawn.
type screen struct {
	theme  *brush.Theme
	page   string // the page's address, without fragment, for links in exported pictures
	width  float64
	height float64
	touch  bool
	still  bool   // whether nothing but the runs may move
	hero   string // ID of the panel brought to the front; "" for the default
	alone  bool   // whether the hero is the only panel on the canvas
	all    bool   // whether the panels that are hidden at first are also shown
	called string // ID of the panel that the last parameter change affects; "" for several
	trial  axes.Trial
}

// events count and report changes for the display and the page.
type events struct {
	version uint64
	changes uint64 // number of changes, not counting moves of the marker
	hovers  uint64 // changes of the object under the pointer, which version does not count
	notices []string
	tell    func(kind string)
}

// visitorFile is a visitor's file and its relation to the state.
type visitorFile struct {
	pasting *pasting          // the file that is being read, or nil
	pasted  *data.Pasted      // the last file; it is kept when another scene opens
	sender  string            // origin of the page that sent the file; "" for the visitor
	wanted  string            // SHA-256 of the data that the state needs, or ""
	waiting *waiting          // the rest of a link that waits for its data, or nil
	brought map[string]string // parameter texts taken from the data
}

// made holds results computed beside the runs: trials of a parameter's values, a comparison and a log.
type made struct {
	trials  *files.TrialRuns
	trying  string // the parameter whose values the page shows side by side, or ""
	compare *comparison.Comparison
	// recording is the last log, complete or not, or nil.
	recording *files.Recording
	fault     workFault // why the scene's computation beside its runs has stopped
}

// New opens the scene with the given ID in its default state at k = 0.
func New(scenes scene.List, id string) (*Session, error) {
	s := &Session{scenes: scenes, screen: screen{theme: brush.Light, page: "index.html", width: 1120, height: 720, still: true},
		events: events{tell: func(string) {}}}
	if err := s.open(id); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Session) open(id string) error {
	about, err := s.scenes.Find(id)
	if err != nil {
		return err
	}
	if s.scene != nil {
		s.timeline().Drop()
		if leave := s.scene.Extras().Leave; leave != nil {
			leave()
		}
	}
	s.about, s.scene = about, about.New()
	s.timeline().SetStretch(s.player.stretch)
	s.texts = nil
	s.blank()
	return s.restart(nil)
}

// blank discards everything that the visitor has done with a scene.
func (s *Session) blank() {
	s.base = map[string]string{}
	s.player.playing, s.player.job, s.player.loading, s.player.carry = false, nil, false, 0
	s.screen.hero, s.screen.all, s.screen.called = "", false, ""
	s.unpour()
	s.pointer, s.file.wanted, s.file.waiting, s.file.brought = pointer.Pointer{}, "", nil, map[string]string{}
	s.card.id, s.follow.Step, s.history.held = "", nil, nil
	s.made.trials, s.made.trying, s.made.compare, s.made.fault = nil, "", nil, workFault{}
	s.dropRecording()
	s.follow.Invite(s.about.Tried)
}

// OnEvent sets the listener for events: "change" when anything but the marker has changed, and "status" when play, the
// status or a job's progress has changed.
func (s *Session) OnEvent(f func(kind string)) { s.events.tell = f }

// SetStretch sets how much work may be done without a pause, in the units of timeline.SetStretch. It applies to this
// scene, later scenes and pins.
func (s *Session) SetStretch(work int) {
	s.player.stretch = work
	s.timeline().SetStretch(work)
	for kept := range s.pins.All {
		kept.SetStretch(work)
	}
}

// Version returns a number that increases with every change that needs a new frame. It does not change while the scene
// is unfinished.
func (s *Session) Version() uint64 {
	if s.resting() {
		return s.player.begun.version
	}
	return s.events.version + s.events.hovers
}

// Pictures returns a number that increases with every change that needs a new frame, except for changes of the object under
// the pointer.
func (s *Session) Pictures() uint64 { return s.events.version }

// Playing reports whether iterations are played or repeated, or anything else moves.
func (s *Session) Playing() bool { return (s.moving() || s.player.looping) && !s.resting() }

// Params returns the scene's parameters with their current values. Callers must not change them.
func (s *Session) Params() *param.List { return s.scene.Params() }

func (s *Session) timeline() *timeline.Timeline { return s.scene.Timeline() }

func (s *Session) changed() {
	s.events.version++
	s.events.changes++
	s.tell("change")
	s.follow.Due()
}

func (s *Session) statusChanged() { s.events.version++; s.tell("status"); s.follow.Due() }

// tell calls the listener. During a pause the scene is unfinished, so tell delays events until the paused verb or work has ended.
func (s *Session) tell(kind string) {
	if b := s.player.begun; b != nil {
		b.told = append(b.told, kind)
		return
	}
	s.events.tell(kind)
}

func (s *Session) notice(format string, args ...any) {
	s.events.notices = append(s.events.notices, fmt.Sprintf(format, args...))
}

// maxNotices is the maximum number of notices shown. A broken link may cause thousands.
const maxNotices = 20

// TakeNotices returns the notices since the last call.
func (s *Session) TakeNotices() []string {
	n := s.events.notices
	s.events.notices = nil
	if rest := len(n) - maxNotices; rest > 0 {
		n = append(n[:maxNotices], fmt.Sprintf("%d more notices are not shown.", rest))
	}
	return n
}

// Status returns the common status of all runs.
func (s *Session) Status() algo.Status { return s.timeline().Status() }

// Layout places the panels on a canvas of the given size, in CSS pixels, and keeps the size for pointers and handles. If alone is
// true, it places only the hero.
func (s *Session) Layout(width, height float64, touch, alone bool) []axes.Placed {
	s.screen.width, s.screen.height, s.screen.touch, s.screen.alone = width, height, touch, alone
	return s.placed()
}

func (s *Session) placed() []axes.Placed {
	return axes.Folded(vg.Length(s.screen.width), vg.Length(s.screen.height), s.panels(), s.shown())
}

// shown returns the panels that the display shows if it has room for several.
func (s *Session) shown() axes.Shown {
	card, _ := s.about.Preset(s.card.id)
	front := s.front()
	beside := s.withCalled(scene.Beside(s.scene, s.about, card, front), front)
	return axes.Shown{Hero: front, Beside: beside, All: s.screen.all, Alone: s.screen.alone}
}

// withCalled returns the panels beside the front panel. If the panel that the last parameter change affects would be hidden,
// it replaces the last panel beside the front panel.
func (s *Session) withCalled(beside []string, front string) []string {
	id := s.screen.called
	if id == "" || id == front || len(beside) == 0 || slices.Contains(beside, id) ||
		!slices.ContainsFunc(s.scene.Panels(), func(p axes.Panel) bool { return p.ID() == id }) {
		return beside
	}
	return append(slices.Clone(beside[:len(beside)-1]), id)
}

// panels returns the scene's panels. An explanation replaces a panel whose computation failed, and a cover hides panels that would
// answer a lesson's open question.
func (s *Session) panels() []axes.Panel {
	panels := s.explained()
	if !s.follow.Step.Covers() {
		return panels
	}
	out := slices.Clone(panels)
	for i, p := range panels {
		if s.follow.Step.Hides(p.ID()) {
			out[i] = axes.Covered(p, "Not shown yet", "This panel would give the answer away. Predict first, or skip the question.")
		}
	}
	return out
}
