package session

import (
	"maps"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/scene"
)

// currentTexts returns the Text parameters' values by name, or nil if there are none.
func (s *Session) currentTexts() map[string]string {
	var out map[string]string
	params := s.scene.Params()
	for _, d := range params.Descriptors() {
		if d.Kind == param.Text {
			if out == nil {
				out = map[string]string{}
			}
			out[d.Name] = params.Text(d.Name)
		}
	}
	return out
}

// keepsRuns reports whether a text change leaves the runs unchanged, because the texts contain an error or the runs already belong
// to these texts.
func (s *Session) keepsRuns() bool {
	return len(scene.FaultsOf(s.scene)) > 0 || maps.Equal(s.currentTexts(), s.texts)
}

// showTexts shows valid texts, so that the scene keeps showing them when texts with errors follow. It then resets the parameters to
// their defaults.
func (s *Session) showTexts(texts map[string]string) error {
	if texts == nil || maps.Equal(texts, s.texts) {
		return nil
	}
	params := s.scene.Params()
	for name, text := range texts {
		if err := params.Assign(name, text); err != nil {
			return err
		}
	}
	err := s.restart(nil)
	params.Restore()
	return err
}
