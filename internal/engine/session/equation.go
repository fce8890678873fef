package session

import (
	"slices"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// EquationNumbers are the numbers in the equation with the given ID, for one step or, in a scene without runs, for one decision.
type EquationNumbers struct {
	ID      string            `json:"id"`
	Method  string            `json:"method"`
	Label   string            `json:"label,omitempty"` // label of the step's track
	Numbers map[string]string `json:"numbers"`
	K       int               `json:"k,omitempty"`     // the iteration after the step; 0 for a decision
	Ahead   bool              `json:"ahead,omitempty"` // whether the marker is before this step
}

// equation returns the numbers of the selected run's step that leads to the marker, or of its first step if the marker is at the
// start. It returns nil if the step or its formula does not exist, or if the step cannot be shown now.
func (s *Session) equation() (*EquationNumbers, error) {
	if decision := s.scene.Extras().Decision; decision != nil {
		method, numbers := decision()
		e, known := s.equationOf(method)
		if numbers == nil || !known {
			return nil, nil
		}
		return &EquationNumbers{ID: e.ID, Method: method, Numbers: numbers}, nil
	}
	t := s.timeline()
	track := t.Selected()
	if track.Run == nil || track.Last() == 0 {
		return nil, nil
	}
	e, ok := s.equationOf(track.Method)
	if !ok {
		return nil, nil
	}
	k := max(1, min(t.Marker(), track.Last()))
	out := &EquationNumbers{ID: e.ID, Method: track.Method, Label: track.Label(), K: k, Ahead: t.Marker() == 0}
	var err error
	if out.Numbers, err = s.scene.StepNumbers(track, out.K); err != nil && !timeline.NotNow(err) {
		return nil, err
	}
	if err != nil || out.Numbers == nil {
		return nil, nil
	}
	return out, nil
}

// equationOf returns the formula for a method's step: the first that names the method or applies to all methods.
func (s *Session) equationOf(method string) (scene.Equation, bool) {
	i := slices.IndexFunc(s.about.Equations, func(e scene.Equation) bool { return e.Methods == nil || slices.Contains(e.Methods, method) })
	if i < 0 {
		return scene.Equation{}, false
	}
	return s.about.Equations[i], true
}
