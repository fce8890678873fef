package bilevelpaths

import "errors"

// ProgramData implements scene.Programmed. Programs support only the paper's problem.
func (s *Scene) ProgramData(string, int) (map[string]any, error) {
	if s.own() {
		return nil, errors.New("it is written for the problem of the paper, and not for formulas of your own")
	}
	return nil, nil
}
