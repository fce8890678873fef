package session

import (
	"slices"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// EquationNumbers are the numbers of a step, or of a decision of a scene without runs, by
// their names in the equation of that ID.
type EquationNumbers struct {
	ID      string            `json:"id"`
	Method  string            `json:"method"`
	Label   string            `json:"label,omitempty"` // of the track whose step it is
	Numbers map[string]string `json:"numbers"`
	K       int               `json:"k,omitempty"`     // the iteration that the step leads to; 0 for a decision
	Ahead   bool              `json:"ahead,omitempty"` // the marker is before the step
}

// equation returns the numbers of the step that led the selected run to the marker or, at
// the start, of its first step; nil if there is no step, no formula for it, or the step cannot be
// looked at now.
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

// equationOf returns the formula of a method's step: the first that names the method or
// holds for all.
func (s *Session) equationOf(method string) (scene.Equation, bool) {
	i := slices.IndexFunc(s.about.Equations, func(e scene.Equation) bool { return e.Methods == nil || slices.Contains(e.Methods, method) })
	if i < 0 {
		return scene.Equation{}, false
	}
	return s.about.Equations[i], true
}
