package session

import (
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/pins"
	"paretoplay/internal/engine/scene"
)

// State is the result of window.playground.state().
type State struct {
	Scene     string         `json:"scene"`
	Params    map[string]any `json:"params"`
	Base      map[string]any `json:"base,omitempty"` // values at k = 0 of the live parameters in the log
	Iteration int            `json:"iteration"`
	Latest    int            `json:"latest"`
	Budget    int            `json:"budget"`
	Status    string         `json:"status"`
	Playing   bool           `json:"playing"`
	Progress  *float64       `json:"progress"`
	Target    *int           `json:"target"`  // the iteration to which a computation moves the marker, or null
	Finding   string         `json:"finding"` // the sentence recorded when play stopped by itself; "" if something has changed since
	Looping   bool           `json:"looping"` // whether play is repeated
	Flows     bool           `json:"flows"`   // whether the runs have stopped and only other motion plays
	Hash      string         `json:"hash"`
	Selected  string         `json:"selected"`
	Hero      string         `json:"hero"`
	// AllPanels is true if the panels hidden at first are also shown.
	AllPanels bool              `json:"allPanels"`
	Try       string            `json:"trying"` // the parameter whose values are shown side by side, or ""
	Keys      []string          `json:"keys"`   // names of the key parameters
	Card      string            `json:"card"`   // ID of the open experiment, or ""
	Lesson    *follow.StepState `json:"lesson"` // the open step, or null
	Tried     bool              `json:"tried"`  // whether the visitor has followed the scene's invitation
	// Changed is true if a setting differs from the scene's defaults, or, if an experiment is open, from the
	// experiment.
	Changed bool            `json:"changed"`
	Undo    bool            `json:"undo"` // whether there is something to undo
	Speed   string          `json:"speed"`
	Log     []link.LogEntry `json:"log"`
	Notices []string        `json:"notices"`
	Runs    []RunState      `json:"runs"`
	Results any             `json:"results"`
	// Facts are named numbers at the marker. A missing number is null.
	Facts map[string]data.Number `json:"facts"`
	Pins  []pins.State           `json:"pins"`
	Data  *DataState             `json:"data"` // null unless a visitor's data are shown
	// Faults are errors in texts. While there are any, the scene shows its last valid texts.
	Faults []scene.Fault `json:"faults"`
	// Idle maps each parameter that has no effect now to the reason.
	Idle map[string]string `json:"idle,omitempty"`
	// Needs is the address of a file that the scene needs from the page, or "".
	Needs string `json:"needs"`
	// Conclusions are the sentences that the scene has found. The list is empty while the scene is computing, and null
	// if the scene never has any.
	Conclusions []scene.Conclusion `json:"conclusions"`
	// Heading is the heading of the conclusions, or "" if there will be no conclusions.
	Heading string `json:"heading"`
	// Detail is the scene that shows the current step in detail, or null.
	Detail *scene.DetailScene `json:"elsewhere"`
	// Recording describes the log of the selected run, in scenes with logs.
	Recording *files.RecordingState `json:"recording,omitempty"`
}

// RunState is a run at the marker. For a run that may have several solutions, X, F, Weights and Start are lists of rows, and
// Stationarity has one number for each row.
type RunState struct {
	Name         string          `json:"name"`
	Method       string          `json:"method"`
	Label        string          `json:"label"`
	Start        any             `json:"start"`
	Status       string          `json:"status"`
	K            int             `json:"k"`
	X            any             `json:"x"`
	F            any             `json:"f"`
	Weights      any             `json:"weights"`
	Stationarity any             `json:"stationarity"`
	BP           int             `json:"bp"`
	Diverged     *files.Diverged `json:"diverged,omitempty"`
	Further      files.Further   `json:"-"` // additional fields, written after the others
}

// MarshalJSON writes the common fields, then the additional ones.
func (r RunState) MarshalJSON() ([]byte, error) {
	type plain RunState
	return r.Further.Beside(plain(r))
}

// State returns the state at the marker, including the notices since the last call.
func (s *Session) State() (*State, error) {
	t := s.timeline()
	params := s.scene.Params()
	settings := s.Settings()
	out := &State{
		Scene: s.about.ID, Params: map[string]any{}, Iteration: t.Marker(), Latest: t.Latest(), Budget: t.Budget(),
		Status: s.Status().String(), Playing: s.moving(), Hash: settings.Hash(), Selected: t.SelectedName(), Hero: s.front(),
		AllPanels: s.screen.all,
		Try:       s.made.trying, Speed: params.Text(scene.SpeedParam), Log: []link.LogEntry{}, Notices: s.TakeNotices(),
		Runs: []RunState{}, Results: s.scene.Results(),
		Facts: map[string]data.Number{}, Keys: s.keys(), Card: s.card.id, Lesson: s.follow.Step.State(),
		Finding: s.found(), Looping: s.player.looping, Flows: s.flowsAlone(),
		Undo: len(s.history.moments) > 0, Pins: s.pins.States(), Tried: s.follow.Tried(),
		Faults: append([]scene.Fault{}, scene.FaultsOf(s.scene)...),
	}
	if of := s.scene.Extras().Flow; of != nil {
		out.Idle = of.Idle()
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
	out.Recording = s.source().RecordingState(s.made.recording)
	for _, name := range params.Names() {
		out.Params[name] = params.Value(name)
	}
	out.Log = append(out.Log, link.JSONLog(params, settings.Log)...)
	out.Base, out.Data = link.JSONValues(params, s.base), s.dataState()
	if of, is := scene.AsSupplied(s.scene); is {
		out.Needs = of.Needs()
	}
	if of := s.scene.Conclusions(); of != nil {
		out.Conclusions, out.Heading = append([]scene.Conclusion{}, of.Sentences...), of.Heading
	}
	if detail := s.scene.Extras().Detail; detail != nil {
		out.Detail = detail()
	}
	for _, f := range s.Facts() {
		out.Facts[f.Name] = data.Number(f.Value())
	}
	for _, r := range t.Runs() {
		row := t.Near(r, t.Marker())
		i := files.IterateOf(r, row)
		out.Runs = append(out.Runs, RunState{
			Name: r.Name, Method: r.Method, Label: r.Label, Start: files.StartOf(r), Status: r.Status().String(), K: row.K,
			X: i.X, F: i.F, Weights: i.Weights, Stationarity: i.Stationarity, BP: i.BP, Diverged: files.DivergedOf(r), Further: i.Further,
		})
	}
	return out, nil
}

// Facts returns the scene's facts and, if the scene has runs, the common ones.
func (s *Session) Facts() []scene.Fact { return scene.FactsOf(s.scene) }
