package clusters

// ProgramData implements scene.Programmed. It returns the centres and the masses.
func (s *Scene) ProgramData(string, int) (map[string]any, error) {
	return map[string]any{"centres": s.centres, "masses a": s.a, "masses b": s.b}, nil
}
