// Package session is the model of the page: a Session does everything that the page
// can do with a list of scenes, without a browser.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Session is one visitor's scene: what is set, recorded, shown and dragged.
// It is used from one goroutine.
type Session struct {
	scenes scene.List // that there are to open
	about  scene.About
	scene  scene.Scene

	// base holds the texts that live parameters have at k = 0; their current
	// values are those after the log.
	base    map[string]string
	playing bool
	carry   float64 // iterations owed to the display, below one
	job     *job
	loading bool // the job leads to a state that is being loaded
	trial   panel.Trial
	notices []string

	pasting *pasting          // nil where no file is being read
	pasted  *exchange.Pasted  // what was brought last; it outlives the scene
	sender  string            // origin of the page that sent it, "" for the visitor
	wanted  string            // SHA-256 of the data that the state is about, "" for none
	waiting *waiting          // what is done once the data come that a link waits for; nil for nothing
	brought map[string]string // texts of parameters that the data gave them

	theme  *panel.Theme
	width  float64
	height float64
	touch  bool
	hero   string // the ID of the panel brought to the front, "" for what is there by itself
	alone  bool   // the hero is the only panel on the canvas

	card      string // the experiment that was opened, "" for none
	cardTexts cardTexts
	lesson    *lesson  // the step that is open, nil for none
	moments   []moment // that Undo comes back to
	noting    bool     // within a change that is noted as one
	held      *hold    // a control under way, nil for none

	pins []*pinned // in the order of their letters

	pointer pointer
	version uint64
	onEvent func(kind string)
}

// job is work that a verb leaves behind: iterations up to a target.
type job struct {
	from, target int
	marker       int // where the marker goes at the end, −1 for the latest
	play         bool
	// ended says that no run went on from the target: those that are to try it, and fail, do so again.
	ended bool
}

// waiting is what a link says of runs that there are only once its data come.
type waiting struct {
	job             // where they go
	selected string // the name of the one that is selected, "" for the scene's own
}

// New opens the scene of that id, one of the list, in its default state at k = 0.
func New(scenes scene.List, id string) (*Session, error) {
	s := &Session{scenes: scenes, theme: panel.Light, width: 1120, height: 720, onEvent: func(string) {}}
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
	s.about, s.scene = about, about.New()
	s.blank()
	return s.restart(nil)
}

// blank forgets what was done with a scene.
func (s *Session) blank() {
	s.base = map[string]string{}
	s.playing, s.job, s.loading, s.carry, s.hero = false, nil, false, 0, ""
	s.pointer, s.wanted, s.waiting, s.brought = pointer{}, "", nil, map[string]string{}
	s.card, s.lesson, s.held = "", nil, nil
}

// OnEvent sets what hears of events: "change" when anything but the marker
// changed, "status" when playing, the status or the progress of a job changed.
func (s *Session) OnEvent(f func(kind string)) { s.onEvent = f }

// Version rises with every change that needs a new frame.
func (s *Session) Version() uint64 { return s.version }

// Playing reports whether iterations follow each other in time.
func (s *Session) Playing() bool { return s.playing }

// Theme is the theme that panels are drawn in.
func (s *Session) Theme() *panel.Theme { return s.theme }

// Progress tells how far a job of several frames has come, from 0 to 1.
func (s *Session) Progress() (done float64, busy bool) {
	if s.job == nil {
		return 0, false
	}
	return float64(s.timeline().Latest()-s.job.from) / float64(max(1, s.job.target-s.job.from)), true
}

func (s *Session) timeline() *timeline.Timeline { return s.scene.Timeline() }

func (s *Session) changed()       { s.version++; s.onEvent("change"); s.goalDue() }
func (s *Session) statusChanged() { s.version++; s.onEvent("status"); s.goalDue() }

func (s *Session) notice(format string, args ...any) {
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// restart builds the runs from the values at k = 0 and the log to come.
func (s *Session) restart(log []timeline.Change) error {
	params := s.scene.Params()
	if err := params.Check(); err != nil {
		return err
	}
	current := map[string]string{}
	for name, text := range s.base {
		current[name] = params.Text(name)
		if err := params.Assign(name, text); err != nil {
			return err
		}
	}
	s.carry, s.job, s.loading = 0, nil, false
	err := s.scene.Restart(log)
	for name, text := range current {
		if e := params.Assign(name, text); err == nil {
			err = e
		}
	}
	return err
}

// forget makes the current values those at k = 0 and clears the log.
func (s *Session) forget() { clear(s.base) }

// set gives a parameter a value, as a change that can be taken back; those of one drag, or of one
// control that is held, as one. With again, a change that the ended runs would not show makes them
// run again.
func (s *Session) set(name, text string, again bool) error {
	change := func() error { return s.put(name, text, again) }
	var noted *bool
	switch {
	case s.pointer.drags != "":
		noted = &s.pointer.noted
	case s.held != nil && s.held.name == name:
		noted = &s.held.noted
	default:
		return s.changing(false, change)
	}
	if *noted {
		return change()
	}
	more, err := s.noted(false, change)
	*noted = more
	return err
}

// hold is a control under way: a slider that is being dragged.
type hold struct {
	name  string
	noted bool // in what can be taken back
	play  bool // when it is released
}

// hold is set for a control that is held. Runs that begin anew, because they had ended or have to,
// stay at k = 0 for the values to come; Release lets them play if they would by a single set.
func (s *Session) hold(name, text string, again bool) error {
	if s.held == nil || s.held.name != name {
		s.Release()
		s.held = &hold{name: name}
	}
	h := s.held
	if err := s.set(name, text, again); err != nil {
		return err
	}
	if s.playing && s.job == nil && s.timeline().Latest() == 0 {
		s.play(false)
		h.play = true
	}
	return nil
}

// Release lets go of the control that is held, if one is.
func (s *Session) Release() {
	h := s.held
	if s.held = nil; h != nil && h.play {
		s.play(true)
	}
}

// put is set without a way back.
func (s *Session) put(name, text string, again bool) error {
	params := s.scene.Params()
	d, known := params.Lookup(name)
	if !known {
		return &param.UnknownError{Name: name, Known: params.Names()}
	}
	if t := s.timeline(); s.logs(d, again) && len(t.Log()) >= maxLog {
		return fmt.Errorf("%d live changes are the most that runs can have; Reset begins anew without them", maxLog)
	}
	before, others := params.Text(name), maps.Clone(s.brought)
	for _, o := range params.Descriptors() {
		if _, has := others[o.Name]; has || o.Count == name { // what the change may adapt
			others[o.Name] = params.Text(o.Name)
		}
	}
	notice, err := params.Clamp(name, text)
	if err != nil {
		return err
	}
	if notice != "" {
		s.notice("%s.", notice)
	}
	if params.Text(name) == before {
		s.changed()
		return nil
	}
	if err := s.leave(); err != nil {
		return err
	}
	if d.Kind == param.Integer {
		s.fit()
	}
	if err := s.act(d, before, again); err != nil {
		// The scene refuses the value beside the others: the former one stands.
		others[name] = before
		for other, text := range others {
			if e := params.Assign(other, text); e != nil {
				return e
			}
		}
		if e := s.rerun(false); e != nil {
			return e
		}
		return err
	}
	s.sawChange(name)
	s.changed()
	return nil
}

// fit adapts shares to the numbers that say how many there are, with notices.
func (s *Session) fit() {
	for _, notice := range s.scene.Params().Fit() {
		s.notice("%s.", notice)
	}
}

// logs reports whether a change of the parameter becomes a live change.
func (s *Session) logs(d param.Descriptor, again bool) bool {
	t := s.timeline()
	return d.Effect == param.Live && (t.Latest() > 0 || s.job != nil) && (t.Running() || !again)
}

// act lets a parameter's new value take effect; before is the former text.
func (s *Session) act(d param.Descriptor, before string, again bool) error {
	t := s.timeline()
	ended := !t.Running()
	switch d.Effect {
	case param.Display:
		return s.scene.Displayed()
	case param.Rerun:
		return s.rerun(again && ended)
	case param.Live:
		if s.logs(d, again) {
			if _, logged := s.base[d.Name]; !logged {
				s.base[d.Name] = before
			}
			s.toLatest()
			// A change acts at the iteration that the runs are on their way to.
			k := t.Latest()
			if s.job != nil {
				k = s.job.target
			}
			t.Change(k, d.Name, s.scene.Params().Text(d.Name))
			return nil
		}
	}
	base := s.base
	s.base = map[string]string{}
	playing := s.playing || again && ended
	if err := s.restart(nil); err != nil {
		s.base = base
		return err
	}
	s.playing = playing && t.Running()
	s.statusChanged()
	return nil
}

// rerun builds the runs anew and brings them back to where they were.
func (s *Session) rerun(play bool) error {
	t := s.timeline()
	latest, marker := t.Latest(), t.Marker()
	if j := s.job; j != nil {
		latest, marker, play = j.target, j.marker, play || j.play
	} else if marker == latest {
		marker = -1
	}
	if err := s.restart(t.Log()); err != nil {
		return err
	}
	s.schedule(job{target: latest, marker: marker, play: play})
	return nil
}

func (s *Session) schedule(j job) {
	t := s.timeline()
	j.from, j.target = t.Latest(), min(j.target, max(t.Budget(), t.Latest()))
	s.job = &j
	s.finishJob()
}

// finishJob ends the job when its target is reached or out of reach.
func (s *Session) finishJob() {
	j, t := s.job, s.timeline()
	if j == nil || t.Running() && (j.ended || t.Latest() < j.target) {
		return
	}
	s.job = nil
	if j.marker >= 0 {
		t.SetMarker(j.marker)
	}
	if j.play {
		s.play(true)
	}
	s.statusChanged()
}

func (s *Session) play(on bool) {
	on = on && s.timeline().Running()
	if s.playing != on {
		s.playing = on
		s.carry = 0
		s.statusChanged()
	}
}

// toLatest brings the marker to the latest iteration, where steps begin, and
// says so.
func (s *Session) toLatest() {
	marker, latest := s.heading()
	if s.job != nil {
		s.job.marker = -1
	}
	if marker != latest {
		s.timeline().SetMarker(latest)
		s.notice("Back at the latest iteration, %d, where the runs go on.", latest)
	}
}

// work is Work without a look at what comes of it.
func (s *Session) work(more func() bool) (pending bool, err error) {
	for s.job != nil && more() {
		if _, err := s.timeline().Step(); err != nil {
			s.job, s.playing = nil, false
			s.statusChanged()
			return false, err
		}
		s.version++
		s.finishJob()
	}
	return s.job != nil, nil
}

// Background goes on with what the scene computes beside its runs, while more()
// holds. No verb waits for it. It reports whether there is more to do.
func (s *Session) Background(more func() bool) (pending bool, err error) {
	defer s.lookAtGoal()
	worked := false
	pending, err = s.scene.Work(func() bool {
		again := more()
		worked = worked || again
		return again
	})
	if worked {
		s.version++
		if !pending {
			s.changed()
		}
	}
	return pending, err
}

// Advance plays for one tick of the display: dt seconds at the chosen speed,
// while more() holds.
func (s *Session) Advance(dt float64, more func() bool) error {
	defer s.lookAtGoal()
	if !s.playing || s.job != nil {
		return nil
	}
	s.playedFor(dt)
	t := s.timeline()
	const away = 0.25 // seconds: a tab that was away does not owe its visitors more
	if slow, ok := s.scene.(scene.SlowMotion); ok && slow.InSlowMotion() {
		before := slow.Moment()
		if s.carry < 1 && slow.PassTime(min(dt, away)) {
			s.carry = 1
		}
		s.version++
		if slow.Moment() != before {
			s.onEvent("change")
		}
	} else {
		speed := s.speed()
		s.carry = min(s.carry+speed*min(dt, away), speed*away+1)
	}
	for s.carry >= 1 && more() {
		s.carry--
		running, err := t.Step()
		if err != nil {
			s.play(false)
			return err
		}
		s.version++
		if !running {
			s.play(false)
			s.changed()
			break
		}
	}
	return nil
}

// SpeedParam is the name of the parameter that every scene with runs has, and no other:
// iterations per second, "max" for as many as fit into a frame.
const SpeedParam = "speed"

func (s *Session) speed() float64 {
	text := s.scene.Params().Text(SpeedParam)
	if text == "max" {
		return math.MaxInt32
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("session: speed option " + text + " is no number")
	}
	return f
}

// ---- verbs

// Open shows another scene in its default state.
func (s *Session) Open(id string) error {
	return s.changing(true, func() error {
		if err := s.open(id); err != nil {
			return err
		}
		s.keep(nil)
		s.changed()
		return nil
	})
}

// Play lets the runs go on; ended ones begin again, live changes included.
func (s *Session) Play() error {
	t := s.timeline()
	s.held = nil
	if s.job != nil {
		s.job.play = true
		return nil
	}
	if !t.Running() {
		if err := s.restart(t.Log()); err != nil {
			return err
		}
		s.changed()
	} else {
		s.toLatest()
	}
	s.play(true)
	return nil
}

// Pause stops playing; a job under way is still finished.
func (s *Session) Pause() {
	s.held = nil
	if s.job != nil {
		s.job.play = false
	}
	s.play(false)
	s.changed()
}

// Stop gives up the job that a verb left, if there is one, and keeps what it has reached: the
// runs stay there, with the values that live parameters have there.
func (s *Session) Stop() error {
	j := s.job
	if j == nil {
		return nil
	}
	t := s.timeline()
	s.job, s.carry = nil, 0
	params := s.scene.Params()
	for _, name := range t.Forget() {
		text := s.base[name]
		logged := false
		for _, c := range t.Log() {
			if c.Name == name {
				text, logged = c.Text, true
			}
		}
		if err := params.Assign(name, text); err != nil {
			return err
		}
		if !logged {
			delete(s.base, name)
		}
	}
	if j.marker >= 0 {
		t.SetMarker(j.marker)
	}
	s.notice("Stopped at iteration %d of %d: the runs stay there.", t.Latest(), j.target)
	s.statusChanged()
	s.changed()
	return nil
}

// Step schedules n iterations of every run, from the latest.
func (s *Session) Step(n int) error {
	if n < 1 {
		return fmt.Errorf("step(%d): the number of iterations is at least 1", n)
	}
	s.held = nil
	s.play(false)
	s.toLatest()
	j := job{target: s.timeline().Latest(), marker: -1}
	if s.job != nil {
		j.target = s.job.target
	}
	j.target += min(n, math.MaxInt32)
	s.schedule(j)
	s.changed()
	return nil
}

// Seek pauses and moves the marker to iteration k, clamped to [0, latest] with
// a notice.
func (s *Session) Seek(k int) {
	s.held = nil
	s.play(false)
	at := s.timeline().SetMarker(k)
	if j := s.job; j != nil { // what is being replayed counts as recorded
		at = min(max(k, 0), j.target)
		j.marker, j.play = at, false
	}
	switch _, static := s.scene.(scene.Static); {
	case at == k:
	case static:
		s.notice("This scene has no iterations to go to.")
	default:
		s.notice("Iteration %d is not recorded; the nearest is %d.", k, at)
	}
	if _, latest := s.heading(); at < latest {
		s.sawScrub()
	}
	s.changed()
}

// Move pauses and moves the marker by that many iterations, as far as they are
// recorded, from where it is or where a job takes it.
func (s *Session) Move(by int) {
	marker, latest := s.heading()
	s.Seek(min(max(marker+by, 0), latest))
}

// heading is where the marker and the latest iteration are when the job, if there
// is one, is done.
func (s *Session) heading() (marker, latest int) {
	j := s.job
	if j == nil {
		return s.timeline().Marker(), s.timeline().Latest()
	}
	if j.marker < 0 {
		return j.target, j.target
	}
	return j.marker, j.target
}

// Reset pauses and goes back to k = 0 with the values as they are and the same seed; the
// log is cleared.
func (s *Session) Reset() error {
	return s.changing(false, func() error {
		s.held = nil
		s.play(false)
		s.forget()
		if err := s.restart(nil); err != nil {
			return err
		}
		s.changed()
		return nil
	})
}

// SeedParam is the name of the seed in every scene that has one.
const SeedParam = "seed"

// NewSeed resets with the next seed.
func (s *Session) NewSeed(again bool) error {
	seed, ok := s.scene.Params().Value(SeedParam).(uint64)
	if !ok {
		return fmt.Errorf("the scene %s has no seed", s.about.ID)
	}
	d, _ := s.scene.Params().Lookup(SeedParam)
	next := seed + 1
	if next > uint64(d.Max) {
		next = 0
	}
	return s.set(SeedParam, strconv.FormatUint(next, 10), again)
}

// preferred is the run that is in detail where nobody has chosen one, of the runs that there are.
func (s *Session) preferred() timeline.Track {
	t := s.timeline()
	if prefers, ok := s.scene.(scene.Selecting); ok {
		if track := t.Find(prefers.Preferred()); track.Run != nil {
			return track
		}
	}
	return t.Tracks()[0]
}

// selectRun shows the run of that name in detail, the preferred one where the name is "" or of none.
func (s *Session) selectRun(name string) {
	t := s.timeline()
	if t.Find(name).Run == nil && len(t.Tracks()) > 0 {
		name = s.preferred().Name()
	}
	t.Select(name)
}

// Select shows a run in detail.
func (s *Session) Select(run string) error {
	if s.timeline().Find(run).Run == nil {
		return fmt.Errorf("%s is no run", scene.Quote(run))
	}
	s.timeline().Select(run)
	s.changed()
	return nil
}

// Settings returns the visible state as data.
func (s *Session) Settings() Settings {
	params, t := s.scene.Params(), s.timeline()
	out := Settings{Scene: s.about.ID, Log: slices.Clone(t.Log()), Hero: s.linkedHero(), Card: s.card, Pins: s.pinList()}
	if s.lesson != nil {
		out.Lesson = s.lesson.Place
	}
	if g, ok := s.scene.(scene.Guest); ok && g.ShowsPasted() {
		out.Data = s.wanted
	}
	// A link made while the runs are replayed holds where they are going.
	out.Marker, out.Latest = s.heading()
	for _, d := range params.Descriptors() {
		text, logged := s.base[d.Name]
		if !logged {
			text = params.Text(d.Name)
			given, brought := s.brought[d.Name]
			if brought && given == text || !brought && params.IsDefault(d.Name) {
				continue
			}
		}
		out.Values = append(out.Values, Value{d.Name, text})
	}
	if len(t.Tracks()) > 0 && t.Selected() != s.preferred() {
		out.Selected = t.SelectedName()
	}
	return out
}

// load is Load without a look at what comes of it: in a scene made anew, or in the one there is.
func (s *Session) load(in Settings, anew bool) error {
	if in.Scene == "" {
		in.Scene = s.about.ID
	}
	about, err := s.scenes.Find(in.Scene)
	if err != nil {
		s.notice("%v. %s is shown.", err, s.about.ID)
		about = s.about
	}
	if anew {
		if err := s.open(about.ID); err != nil {
			return err
		}
	} else {
		s.blank()
		s.scene.Params().Restore()
	}
	s.want(in.Data)
	params := s.scene.Params()
	for _, v := range in.Values {
		notice, err := params.Clamp(v.Name, v.Text)
		if err != nil {
			if errors.As(err, new(*param.UnknownError)) { // the list of all names would hide the other notices
				err = fmt.Errorf("%s is no parameter of %s", scene.Quote(v.Name), s.about.ID)
			}
			s.notice("%v. It is left out.", err)
		} else if notice != "" {
			s.notice("%s.", notice)
		}
	}
	s.fit()
	log := s.acceptLog(in.Log)
	if err := s.restart(log); err != nil {
		// No single value is at fault, but the scene refuses them together.
		s.notice("%v. The defaults are shown.", err)
		params.Restore()
		s.forget()
		log = nil
		if err := s.restart(nil); err != nil {
			return err
		}
	}
	for _, c := range log {
		if _, has := s.base[c.Name]; !has {
			s.base[c.Name] = params.Text(c.Name)
		}
		if err := params.Assign(c.Name, c.Text); err != nil {
			return err
		}
	}
	shown := s.dataState()
	missing := shown != nil && !shown.Held
	if in.Selected != "" && s.timeline().Find(in.Selected).Run == nil && !missing {
		s.notice("%s is no run, and is not selected.", scene.Quote(in.Selected))
	}
	s.selectRun(in.Selected) // what a link without a run means does not depend on what was selected
	if _, known := experiment(s.about, in.Card); known {
		s.card = in.Card
	} else if in.Card != "" {
		s.notice("%s is no experiment of %s; it is left out.", scene.Quote(in.Card), s.about.ID)
	}
	if in.Lesson != (Place{}) {
		s.awaitStep(in.Lesson)
	}
	if in.Hero != "" {
		s.bring(in.Hero)
	}
	if err := s.scene.Displayed(); err != nil {
		return err
	}
	s.keep(in.Pins)
	in.Latest = max(in.Latest, in.Marker)
	latest := min(in.Latest, s.timeline().Budget())
	if latest != in.Latest {
		s.notice("The link asks for iteration %d of %d; the runs end at %d.", in.Marker, in.Latest, latest)
	}
	to := job{target: latest, marker: min(in.Marker, latest)}
	if missing {
		s.waiting = &waiting{to, in.Selected}
	}
	s.schedule(to)
	s.changed()
	return nil
}

func (s *Session) acceptLog(in []timeline.Change) []timeline.Change {
	var log []timeline.Change
	params := s.scene.Params()
	for _, c := range in {
		d, known := params.Lookup(c.Name)
		if !known || d.Effect != param.Live {
			s.notice("%s is no parameter that changes while the runs go on; its live change is left out.", scene.Quote(c.Name))
			continue
		}
		text, notice, err := params.Canonical(c.Name, c.Text)
		if err != nil {
			s.notice("%v. Its live change is left out.", err)
			continue
		}
		if notice != "" {
			s.notice("%s.", notice)
		}
		// One value of a name at an iteration: the last.
		log = slices.DeleteFunc(log, func(o timeline.Change) bool { return o.K == c.K && o.Name == c.Name })
		log = append(log, timeline.Change{K: c.K, Name: c.Name, Text: text})
	}
	slices.SortStableFunc(log, func(a, b timeline.Change) int { return cmp.Compare(a.K, b.K) })
	return log
}

// maxNotices is how many notices are worth reading; a broken link may have
// thousands.
const maxNotices = 20

// TakeNotices returns the notices since the last call, and forgets them.
func (s *Session) TakeNotices() []string {
	n := s.notices
	s.notices = nil
	if rest := len(n) - maxNotices; rest > 0 {
		n = append(n[:maxNotices], fmt.Sprintf("%d more notices are not shown.", rest))
	}
	return n
}

// Status is the state of the runs taken together.
func (s *Session) Status() algo.Status { return s.timeline().Status() }

// Layout places the panels on a canvas of that size in CSS pixels and keeps the
// size for pointers and handles. Alone, the hero is the only one.
func (s *Session) Layout(width, height float64, touch, alone bool) []panel.Placed {
	s.width, s.height, s.touch, s.alone = width, height, touch, alone
	return s.placed()
}

func (s *Session) placed() []panel.Placed {
	return panel.Feature(vg.Length(s.width), vg.Length(s.height), s.scene.Panels(), s.front(), s.alone)
}

// Setup is what a scene is opened with from the command line.
type Setup struct {
	Values []Value
	// Starts are start points, each "x1,x2,…" with as many coordinates as the scene has
	// variables, which replace its own; where a run has several solutions, one for each.
	Starts []string
	// Data is a file that is read as the page does when it is pasted, nil for none, and Source
	// what errors that are about it begin with.
	Data   io.Reader
	Source string
}

// NewConfigured opens a scene at k = 0 with a setup that is read strictly: an unknown
// name, a value outside its range and what contradicts the data, such as another view,
// are errors.
func NewConfigured(scenes scene.List, id string, setup Setup) (*Session, error) {
	s, err := New(scenes, id)
	if err != nil {
		return nil, err
	}
	given := setup.Values
	for _, v := range given {
		if err := s.scene.Params().Assign(v.Name, v.Text); err != nil {
			return nil, err
		}
	}
	if len(setup.Starts) > 0 {
		names, err := s.assignStarts(setup.Starts)
		if err != nil {
			return nil, err
		}
		given = append(slices.Clone(given), names...)
	}
	if setup.Data != nil {
		if err := s.readData(setup.Data, given); err != nil {
			return nil, fmt.Errorf("%s: %w", setup.Source, err)
		}
		if w, ok := s.scene.(scene.Waiting); ok && w.Lacks() != "" {
			return nil, fmt.Errorf("%s: %s", setup.Source, w.Lacks())
		}
		return s, s.checkStarts(setup.Starts)
	}
	names := make([]string, len(given))
	for i, v := range given {
		names[i] = v.Name
	}
	s.scene.Params().Fit(names...) // shares that nobody gave follow their number
	if err := s.restart(nil); err != nil {
		return nil, err
	}
	return s, s.checkStarts(setup.Starts)
}
