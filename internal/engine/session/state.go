package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// State is what window.playground.state() returns.
type State struct {
	Scene     string         `json:"scene"`
	Params    map[string]any `json:"params"`
	Base      map[string]any `json:"base,omitempty"` // of live parameters in the log: their values at k = 0
	Iteration int            `json:"iteration"`
	Latest    int            `json:"latest"`
	Budget    int            `json:"budget"`
	Status    string         `json:"status"`
	Playing   bool           `json:"playing"`
	Progress  *float64       `json:"progress"`
	Target    *int           `json:"target"` // where a computation takes the marker; null for none
	Hash      string         `json:"hash"`
	Selected  string         `json:"selected"`
	Hero      string         `json:"hero"`
	Try       string         `json:"trying"` // the parameter all of whose values are shown side by side, "" for none
	Keys      []string       `json:"keys"`   // the parameters that matter
	Card      string         `json:"card"`   // the experiment that was opened, "" for none
	Lesson    *LessonState   `json:"lesson"` // null for none
	Tried     bool           `json:"tried"`  // what the scene invites to has been done
	// Changed says that something differs from the scene, or from the experiment.
	Changed bool       `json:"changed"`
	Undo    bool       `json:"undo"` // there is something to undo
	Speed   string     `json:"speed"`
	Log     []LogEntry `json:"log"`
	Notices []string   `json:"notices"`
	Runs    []RunState `json:"runs"`
	Results any        `json:"results"`
	// Facts are named numbers at the marker; null for numbers that do not exist.
	Facts map[string]Known `json:"facts"`
	Pins  []PinState       `json:"pins"`
	Data  *DataState       `json:"data"` // null where no visitor's data are shown
	// Faults say what is wrong with texts: the scene then shows the last that were right.
	Faults []scene.Fault `json:"faults"`
	// Needs is the address of a file of the page that the scene waits for, "" for none.
	Needs string `json:"needs"`
	// Conclusions are the scene's sentences on what it shows: none as long as it is computing, null where it never has any.
	Conclusions []scene.Conclusion `json:"conclusions"`
	// Heading stands above them, "" where none are to come.
	Heading string `json:"heading"`
	// Elsewhere is where the moment can be seen in detail; null for nowhere.
	Elsewhere *scene.Elsewhere `json:"elsewhere"`
	// Recording says how the log of the selected run is getting on, where the scene has such logs.
	Recording *RecordingState `json:"recording,omitempty"`
}

// LogEntry is one live change.
type LogEntry struct {
	K     int    `json:"k"`
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// RunState is one run at the marker. For a run that may hold several solutions, X,
// F, Weights and Start are lists of rows, and Stationarity has one number a row.
type RunState struct {
	Name         string    `json:"name"`
	Method       string    `json:"method"`
	Label        string    `json:"label"`
	Start        any       `json:"start"`
	Status       string    `json:"status"`
	K            int       `json:"k"`
	X            any       `json:"x"`
	F            any       `json:"f"`
	Weights      any       `json:"weights"`
	Stationarity any       `json:"stationarity"`
	BP           int       `json:"bp"`
	Diverged     *Diverged `json:"diverged,omitempty"`
	Further      Further   `json:"-"` // fields of their own, after the others
}

// MarshalJSON writes the fields, then the further ones beside them.
func (r RunState) MarshalJSON() ([]byte, error) {
	type plain RunState
	return r.Further.beside(plain(r))
}

// Diverged says where a run stopped being finite.
type Diverged struct {
	K        int    `json:"k"`
	Quantity string `json:"quantity"`
	// Objective is the first objective, from 1, of which it was not; 0 where it belongs to all together.
	Objective int `json:"objective,omitempty"`
}

func diverged(r *timeline.Run) *Diverged {
	if d := r.Divergence(); d.Quantity != "" {
		return &Diverged{d.K, d.Quantity, d.Objective}
	}
	return nil
}

// State returns the state at the marker, with the notices since the last call.
func (s *Session) State() (*State, error) {
	t := s.timeline()
	params := s.scene.Params()
	settings := s.Settings()
	out := &State{
		Scene: s.about.ID, Params: map[string]any{}, Iteration: t.Marker(), Latest: t.Latest(), Budget: t.Budget(),
		Status: s.Status().String(), Playing: s.playing, Hash: settings.Hash(), Selected: t.SelectedName(), Hero: s.front(), Try: s.trying,
		Speed: params.Text(SpeedParam), Log: []LogEntry{}, Notices: s.TakeNotices(), Runs: []RunState{}, Results: s.scene.Results(),
		Facts: map[string]Known{}, Keys: s.keys(), Card: s.card, Lesson: s.lessonState(), Undo: len(s.moments) > 0, Pins: s.pinStates(),
		Tried: s.invitation.reached, Faults: append([]scene.Fault{}, s.faults()...),
	}
	var err error
	if out.Changed, err = s.differs(); err != nil {
		return nil, err
	}
	if out.Notices == nil {
		out.Notices = []string{}
	}
	if done, busy := s.Progress(); busy {
		out.Progress = &done
	}
	out.Target = s.destination()
	out.Recording = s.recordingState()
	for _, name := range params.Names() {
		out.Params[name] = params.Value(name)
	}
	for _, c := range settings.Log {
		out.Log = append(out.Log, LogEntry{c.K, c.Name, jsonValue(params, c.Name, c.Text)})
	}
	out.Base, out.Data = s.baseJSON(), s.dataState()
	if of, ok := s.scene.(scene.Supplied); ok {
		out.Needs = of.Needs()
	}
	if of, ok := s.scene.(scene.Concluding); ok {
		out.Conclusions = append([]scene.Conclusion{}, of.Conclusions()...)
		out.Heading = of.Heading(out.Conclusions)
	}
	if of, ok := s.scene.(scene.Leading); ok {
		out.Elsewhere = of.Elsewhere()
	}
	for _, f := range s.Facts() {
		out.Facts[f.Name] = Known(f.Value())
	}
	for _, r := range t.Runs() {
		row := t.Near(r, t.Marker())
		i := iterateOf(r, row)
		out.Runs = append(out.Runs, RunState{
			Name: r.Name, Method: r.Method, Label: r.Label, Start: startOf(r), Status: r.Status().String(), K: row.K,
			X: i.X, F: i.F, Weights: i.Weights, Stationarity: i.Stationarity, BP: i.BP, Diverged: diverged(r), Further: i.Further,
		})
	}
	return out, nil
}

// ofAnyRuns are the facts of any scene with runs.
var ofAnyRuns = []string{"iteration", "latest", "ended", "fresh"}

// Facts returns the scene's named numbers and the common ones of scenes with runs.
func (s *Session) Facts() []scene.Fact {
	if _, static := s.scene.(scene.Static); static {
		return s.scene.Facts()
	}
	t := s.timeline()
	truth := func(of func() bool) func() float64 {
		return func() float64 {
			if of() {
				return 1
			}
			return 0
		}
	}
	return append([]scene.Fact{ // the names in ofAnyRuns
		{Name: "iteration", Label: "iteration shown", Value: func() float64 { return float64(t.Marker()) }},
		{Name: "latest", Label: "latest iteration", Value: func() float64 { return float64(t.Latest()) }},
		{Name: "ended", Label: "all runs have ended", Value: truth(func() bool { return !t.Running() })},
		{Name: "fresh", Label: "nothing was changed while running", Value: truth(func() bool { return len(t.Log()) == 0 })},
	}, s.scene.Facts()...)
}

// baseJSON returns the values at k = 0 of the parameters in the log.
func (s *Session) baseJSON() map[string]any {
	out := map[string]any{}
	for name, text := range s.base {
		out[name] = jsonValue(s.scene.Params(), name, text)
	}
	return out
}

// jsonValue turns the text of a live parameter into its value in JSON.
func jsonValue(params *param.List, name, text string) any {
	if d, _ := params.Lookup(name); d.Kind == param.Number || d.Kind == param.Integer {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return text
}

// parseState reads a state object or a link, as load takes them. It ignores a
// state's hash, because programs change the fields.
func parseState(data json.RawMessage) (link.Settings, []string, error) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		s, notices := link.Parse(text)
		return s, notices, nil
	}
	var in struct {
		Scene     string
		Params    map[string]any
		Base      map[string]any
		Log       []LogEntry
		Iteration int
		Latest    int
		Status    string
		Selected  string
		Hero      string
		Show      string // an earlier name of hero
		Card      string
		Lesson    *link.Place
		Pins      []link.Pin
		Data      *DataState
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return link.Settings{}, nil, fmt.Errorf("load takes a state or a link: %w", err)
	}
	s := link.Settings{Scene: in.Scene, Marker: max(in.Iteration, 0), Latest: max(in.Latest, in.Iteration, 0), Selected: in.Selected,
		Hero: cmp.Or(in.Hero, in.Show), Card: in.Card, Ended: in.Status == algo.Diverged.String()}
	if in.Data != nil {
		s.Data = in.Data.SHA256
	}
	var notices []string
	if in.Lesson != nil {
		s.Lesson = *in.Lesson
	}
	size := 0
	for _, p := range in.Pins {
		switch size += p.Size(); {
		case len(p.Letter) != 1 || !strings.Contains(link.PinLetters, p.Letter):
			notices = append(notices, fmt.Sprintf("%s is no letter of a pin; it is left out.", scene.Quote(p.Letter)))
		case size > link.MaxPins:
			notices = append(notices, fmt.Sprintf("The pin %s is left out: all pins have at most %d characters.", p.Letter, link.MaxPins))
		case slices.ContainsFunc(s.Pins, func(o link.Pin) bool { return o.Letter == p.Letter }):
			notices = append(notices, fmt.Sprintf("The state has the pin %s twice; the first is used.", p.Letter))
		default:
			s.Pins = append(s.Pins, p)
		}
	}
	encode := func(name string, v any) (string, bool) {
		text, err := param.Encode(v)
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s: %v. It is left out.", scene.Quote(name), err))
		}
		return text, err == nil
	}
	for i, name := range sortedKeys(in.Params) {
		if i == link.MaxNames {
			notices = append(notices, fmt.Sprintf("The state has more than %d parameters; the rest is left out.", link.MaxNames))
			break
		}
		v := in.Params[name]
		if b, ok := in.Base[name]; ok {
			v = b
		}
		if text, ok := encode(name, v); ok {
			s.Values = append(s.Values, link.Value{Name: name, Text: text})
		}
	}
	for i, e := range in.Log {
		if i == link.MaxLog {
			notices = append(notices, fmt.Sprintf("The log has more than %d live changes; the rest is left out.", link.MaxLog))
			break
		}
		if e.K < 0 {
			notices = append(notices, fmt.Sprintf("The live change of %s at %d is left out: the first iteration is 0.", scene.Quote(e.Name), e.K))
		} else if text, ok := encode(e.Name, e.Value); ok {
			s.Log = append(s.Log, timeline.Change{K: e.K, Name: e.Name, Text: text})
		}
	}
	return s, notices, nil
}
