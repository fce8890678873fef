package bilevelpaths

import "errors"

// ProgramData implements scene.Programmed. It returns an error for a custom problem, since programs support only the
// paper's.
func (s *Scene) ProgramData(string, int) (map[string]any, error) {
	if s.own() {
		return nil, errors.New("programs support only the paper’s problem, not your own formulas")
	}
	return nil, nil
}
