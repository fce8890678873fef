package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// loopVerb is the verb that repeats play. Any other verb that does more than read ends the repetition.
const loopVerb = "loop"

// verbs maps each verb to the function that Call runs. All verbs read their arguments from one struct, and each uses some of its
// fields.
var verbs = map[string]func(*Session, *arguments) (any, error){
	"scenes": func(s *Session, _ *arguments) (any, error) { return Catalog(s.scenes) },
	"params": func(s *Session, _ *arguments) (any, error) { return s.scene.Params().Current(), nil },
	"state":  callState,
	"open":   func(s *Session, a *arguments) (any, error) { return nil, s.Open(a.ID) },
	"set":    callSet,
	"play":   func(s *Session, _ *arguments) (any, error) { return nil, s.Play() },
	"pause":  func(s *Session, _ *arguments) (any, error) { s.pause(); return nil, nil },
	"stop":   func(s *Session, _ *arguments) (any, error) { return nil, s.stop() },
	"step":   callStep,
	"seek":   callSeek,
	"reach":  callReach,
	"move":   callMove,
	loopVerb: callLoop,
	"reset":  func(s *Session, _ *arguments) (any, error) { return nil, s.Reset() },
	"newSeed": func(s *Session, a *arguments) (any, error) {
		return nil, s.newSeed(a.Again)
	},
	"load":     callLoad,
	"card":     func(s *Session, a *arguments) (any, error) { return nil, s.Card(a.ID) },
	"defaults": func(s *Session, _ *arguments) (any, error) { return nil, s.defaults() },
	// arrived marks the visitor's arrival. Undo does not go back beyond it.
	"arrived": func(s *Session, _ *arguments) (any, error) { s.history.moments = nil; return nil, nil },
	"undo":    func(s *Session, _ *arguments) (any, error) { return nil, s.undo() },
	"release": func(s *Session, _ *arguments) (any, error) {
		s.release()
		s.changed()
		return nil, nil
	},
	"lesson":  callLesson,
	"uncover": callUncover,
	"point":   callPoint,
	"select":  func(s *Session, a *arguments) (any, error) { return nil, s.Select(a.Run) },
	"hero":    callHero,
	"panels":  callPanels,
	"theme": func(s *Session, a *arguments) (any, error) {
		return nil, s.setLook(a.Name, a.ReducedMotion == nil || *a.ReducedMotion)
	},
	"layout": callLayout,
	"pin": func(s *Session, _ *arguments) (any, error) {
		letter, err := s.Pin()
		return map[string]string{"letter": letter}, err
	},
	"unpin":   func(s *Session, a *arguments) (any, error) { return nil, s.unpin(a.Letter) },
	"swapPin": func(s *Session, a *arguments) (any, error) { return nil, s.swapPin(a.Letter) },
	"pins":    func(s *Session, _ *arguments) (any, error) { return s.pins.Table(here{s}), nil },
	"handles": func(s *Session, _ *arguments) (any, error) {
		return s.Handles(), nil
	},
	"nudge": func(s *Session, a *arguments) (any, error) {
		s.history.taken = a.Hold
		return nil, s.nudge(a.ID, a.DX, a.DY)
	},
	"describe": func(s *Session, _ *arguments) (any, error) { return s.describe(), nil },
	"shown":    func(s *Session, _ *arguments) (any, error) { return s.Shown(), nil },
	"place":    func(s *Session, a *arguments) (any, error) { return s.placeOf(a.Panel), nil },
	"rows":     func(s *Session, _ *arguments) (any, error) { return s.Readout(), nil },
	"equation": func(s *Session, _ *arguments) (any, error) { return s.equation() },
	"paste":    callPaste,
	"supply":   callSupply,
	"data":     func(s *Session, _ *arguments) (any, error) { return s.dataState(), nil },
	"try":      func(s *Session, a *arguments) (any, error) { return nil, s.try(a.Name) },
	"tryAll":   func(s *Session, a *arguments) (any, error) { return nil, s.TryAll(a.Name, nil) },
	"compare":  func(s *Session, a *arguments) (any, error) { return nil, s.Compare(a.Methods, a.Seeds) },
	"record":   callRecord,
	"status":   func(s *Session, _ *arguments) (any, error) { return s.statusJSON(), nil },
	"measured": callMeasured,
	"measure":  callMeasure,
	"hash": func(s *Session, _ *arguments) (any, error) {
		settings := s.Settings()
		return settings.Hash(), nil
	},
}

// watching contains the verbs that change nothing except the size of the display.
var watching = map[string]bool{"scenes": true, "params": true, "state": true, "layout": true, "pins": true, "handles": true,
	"describe": true, "shown": true, "place": true, "rows": true, "equation": true, "data": true, "status": true, "measured": true,
	"hash": true}

type arguments struct {
	ID     string `json:"id"`
	Letter string `json:"letter"` // letter of a pin
	Name   string `json:"name"`
	Value  any    `json:"value"`
	Again  bool   `json:"again"` // whether to restart ended runs to show a change
	Brief  bool   `json:"brief"` // whether to omit points from the state, because each may have thousands of numbers
	Hold   bool   `json:"hold"`  // whether the visitor still holds the control or handle; more values then follow until the release
	// ReducedMotion is true if nothing should move by itself. It is null for programs that show no motion.
	ReducedMotion *bool           `json:"reducedMotion"`
	On            *bool           `json:"on"` // false ends a repetition; otherwise one starts
	N             *float64        `json:"n"`
	K             *float64        `json:"k"`
	By            float64         `json:"by"`
	State         json.RawMessage `json:"state"`
	Run           string          `json:"run"`
	// Methods are the methods to compare, each with Seeds seeds.
	Methods []string `json:"methods"`
	Seeds   int      `json:"seeds"`
	Panel   string   `json:"panel"`
	Width   float64  `json:"width"`
	Height  float64  `json:"height"`
	Touch   bool     `json:"touch"`
	Alone   bool     `json:"alone"` // whether to show only the hero on the canvas
	All     bool     `json:"all"`   // whether to also show the panels that are hidden at first
	DX      float64  `json:"dx"`
	DY      float64  `json:"dy"`
	Part    string   `json:"part"`   // part of a pasted or supplied file
	Base64  bool     `json:"base64"` // whether the part is base64, not text
	First   bool     `json:"first"`  // whether the file begins with this part
	Last    bool     `json:"last"`   // whether the file ends with this part
	From    string   `json:"from"`   // origin of the sender; "" for the visitor
	Grown   bool     `json:"grown"`  // whether this file is a longer version of the shown one
	// Choose selects a part of a file with several parts.
	Choose data.Choice `json:"choose"`
	Step   float64     `json:"step"` // step of a lesson, counted from 1
	// Definition is the step's definition from the lesson's file.
	Definition json.RawMessage `json:"definition"`
	Arrive     bool            `json:"arrive"` // whether the step opens in its own state
	// Covered hides the answer to the step's question. Attempts records what the visitor did in the step before the page was
	// reloaded.
	Covered  bool             `json:"covered"`
	Attempts *follow.Attempts `json:"attempts"`
}

// Call executes a verb with its arguments, a JSON object. It leaves long computations to Work.
func (s *Session) Call(verb string, args []byte) (any, error) {
	if watching[verb] {
		s.settleToLook()
	} else {
		s.settle()
	}
	if !watching[verb] && verb != loopVerb {
		s.endLoop()
		s.history.taken = false // any other verb releases the handle
	}
	f, ok := verbs[verb]
	if !ok {
		return nil, fmt.Errorf("unknown verb %s; available: %v", scene.Quote(verb), sortedKeys(verbs))
	}
	var a arguments
	if len(bytes.TrimSpace(args)) > 0 {
		if err := json.Unmarshal(args, &a); err != nil {
			return nil, fmt.Errorf("%s: %w", verb, err)
		}
	}
	defer s.lookAtGoal()
	return f(s, &a)
}

func callState(s *Session, a *arguments) (any, error) {
	state, err := s.State()
	if err == nil && a.Brief {
		for i := range state.Runs {
			state.Runs[i].X, state.Runs[i].Start = nil, nil
		}
	}
	return state, err
}

func callSet(s *Session, a *arguments) (any, error) {
	text, err := param.Encode(a.Value)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", scene.Quote(a.Name), err)
	}
	if a.Hold {
		return nil, s.setHeld(a.Name, text, a.Again)
	}
	s.release()
	return nil, s.setParam(a.Name, text, a.Again)
}

func callStep(s *Session, a *arguments) (any, error) {
	n := 1
	if a.N != nil {
		if n = int(*a.N); float64(n) != *a.N {
			return nil, fmt.Errorf("step(%g): the number of iterations must be a whole number", *a.N)
		}
	}
	return nil, s.Step(n)
}

func callSeek(s *Session, a *arguments) (any, error) {
	if a.K == nil {
		return nil, fmt.Errorf("seek needs an iteration")
	}
	s.Seek(iterations(*a.K))
	return nil, nil
}

func callReach(s *Session, a *arguments) (any, error) {
	if a.K == nil {
		return nil, fmt.Errorf("reach needs an iteration")
	}
	s.reach(iterations(*a.K))
	return nil, nil
}

func callMove(s *Session, a *arguments) (any, error) {
	s.move(iterations(a.By))
	return nil, nil
}

// iterations converts f to a number of iterations, clamped to ±2³¹.
func iterations(f float64) int {
	const limit = 1 << 31
	return int(min(max(f, -limit), limit))
}

func callLoad(s *Session, a *arguments) (any, error) {
	settings, notices, err := link.ParseState(a.State)
	if err != nil {
		return nil, err
	}
	s.events.notices = append(s.events.notices, notices...)
	load := func() error { return s.Load(settings) }
	if s.untouched() {
		return nil, load() // undo must not go back beyond the link with which the page opened
	}
	return nil, s.changing(true, load)
}

// callRecord pauses play and starts the log of a run, with a record before every n-th step.
func callRecord(s *Session, a *arguments) (any, error) {
	every := 0
	if a.N != nil {
		if every = int(*a.N); float64(every) != *a.N || every < 1 {
			return nil, fmt.Errorf("record(%g): n must be a whole number of at least 1; one record is written before every n-th step", *a.N)
		}
	}
	if s.player.job != nil {
		return nil, fmt.Errorf("record: the runs are still being replayed; record a run when they have stopped")
	}
	s.play(false) // if play continued, the log would change
	return nil, s.Record(a.Run, every)
}

// callMeasured returns the scene's measured times, or null if the scene shows none.
func callMeasured(s *Session, _ *arguments) (any, error) {
	measured := s.scene.Extras().Measured
	if measured == nil {
		return nil, nil
	}
	var b strings.Builder
	err := measured.Write(&b)
	return b.String(), err
}

// callMeasure shows times measured by another program.
func callMeasure(s *Session, a *arguments) (any, error) {
	measured := s.scene.Extras().Measured
	if measured == nil {
		return nil, fmt.Errorf("the scene %s does not measure times", s.about.ID)
	}
	if err := measured.Read(strings.NewReader(a.Part)); err != nil {
		return nil, err
	}
	s.changed()
	return nil, nil
}

func callHero(s *Session, a *arguments) (any, error) {
	s.bring(a.Panel)
	s.changed()
	return nil, nil
}

func callPanels(s *Session, a *arguments) (any, error) {
	s.screen.all = a.All
	s.changed()
	return nil, nil
}

func callLayout(s *Session, a *arguments) (any, error) {
	const limit = 1 << 14
	s.Layout(min(max(a.Width, 1), limit), min(max(a.Height, 1), limit), a.Touch, a.Alone)
	s.events.version++
	return nil, nil
}

// PanelText is the text alternative of a panel.
type PanelText struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Hidden is true if the panel is hidden until the visitor presses the button for all panels.
	Hidden bool `json:"hidden,omitempty"`
}

func (s *Session) describe() []PanelText {
	var out []PanelText
	panels, shown := s.panels(), s.shown()
	for _, p := range panels {
		out = append(out, PanelText{p.ID(), p.Title(), p.Describe(), shown.Hides(panels, p.ID())})
	}
	return out
}

// Shown returns the IDs of the panels on the canvas, starting with the panel in front.
func (s *Session) Shown() []string {
	ids := []string{}
	for _, p := range s.placed() {
		ids = append(ids, p.Panel.ID())
	}
	return ids
}

// PanelPlace is a panel's position and size on the canvas, in CSS pixels from the top left corner.
type PanelPlace struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// placeOf returns the place of the panel with the given ID, or nil if the panel is not on the canvas.
func (s *Session) placeOf(id string) *PanelPlace {
	for _, p := range s.placed() {
		if p.Panel.ID() == id {
			size := p.Rect.Size()
			return &PanelPlace{float64(p.Rect.Min.X), s.screen.height - float64(p.Rect.Max.Y), float64(size.X), float64(size.Y)}
		}
	}
	return nil
}

// StatusJSON is the detail of status and frame events.
type StatusJSON struct {
	Status   string   `json:"status"`
	Playing  bool     `json:"playing"`
	Progress *float64 `json:"progress"`
	Target   *int     `json:"target"` // the iteration to which a computation moves the marker, or null
	// Finding is the sentence that was found when play stopped by itself, or "" if something has changed since. Looping
	// is true if play is being repeated. Flows is true if the runs have stopped and only the scene's Flow still moves.
	Finding   string `json:"finding"`
	Looping   bool   `json:"looping"`
	Flows     bool   `json:"flows"`
	Iteration int    `json:"iteration"`
	Latest    int    `json:"latest"`
	Budget    int    `json:"budget"`
	// Lesson describes the open step. It is null if none is open.
	Lesson *follow.StepState `json:"lesson"`
}

func (s *Session) statusJSON() StatusJSON {
	t := s.timeline()
	out := StatusJSON{Status: s.Status().String(), Playing: s.moving(), Iteration: t.Marker(), Latest: t.Latest(), Budget: t.Budget(),
		Lesson: s.follow.Step.State(), Finding: s.found(), Looping: s.player.looping,
		Flows: s.flowsAlone()}
	if done, busy := s.Progress(); busy {
		out.Progress = &done
	}
	out.Target = s.destination()
	return out
}
