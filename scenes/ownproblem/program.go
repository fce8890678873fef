package ownproblem

// ProgramData implements scene.Programmed. It returns the text of the formulas, the number of objectives, and whether there are bounds.
func (s *Scene) ProgramData(string, int) (map[string]any, error) {
	_, boxed := s.formula.Boxed()
	return map[string]any{"formulas": s.reading.text, "objectives": s.m, "boxed": boxed}, nil
}
