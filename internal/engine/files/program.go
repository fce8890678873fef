//go:build !js || picture

package files

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/internal/engine/code"
	"paretoplay/internal/engine/scene"
)

// Program returns a program, in a language of code.Languages, that repeats a method's runs from every start point to
// the marker. If the marker is at iteration 0, the program runs all iterations of the budget. An empty method means the
// selected run's method.
func (s Source) Program(language, method string) (File, error) {
	t := s.Scene.Timeline()
	now := s.Settings()
	run := code.Run{Scene: s.About.ID, Params: s.Scene.Params(), Steps: t.Marker(), Link: s.Page + "#" + now.Hash()}
	if run.Steps == 0 {
		run.Steps = t.Budget()
	}
	running := s.Running()
	if selected := t.Selected().Run; method == "" && selected != nil {
		method = selected.Method
	}
	switch {
	case len(running) == 0:
		return File{}, fmt.Errorf("there is no program: the scene %s has no runs", s.About.ID)
	case !slices.Contains(running, method):
		return File{}, fmt.Errorf("a program repeats one running method; available: %s", strings.Join(running, " "))
	}
	if s.OwnData {
		return File{}, fmt.Errorf("there is no program for a run on your data")
	}
	for _, r := range t.Runs() {
		if r.Method == method {
			run.Method, run.Title = r.Method, r.Title
			run.Starts = append(run.Starts, r.Starts...)
		}
	}
	for _, c := range t.Log() {
		if c.K < run.Steps {
			return File{}, fmt.Errorf("there is no program for a run with live changes: %s became %s at iteration %d. "+
				"Reset to use the current values from the first iteration on", c.Name, c.Text, c.K)
		}
	}
	var err error
	if run.Data, err = scene.ProgramDataOf(s.Scene, method, run.Steps); err != nil {
		return File{}, fmt.Errorf("there is no program: %w", err)
	}
	var text string
	err = s.Scene.Params().With(s.Base, func() (err error) {
		text, err = code.Write(language, run)
		return err
	})
	suffix, mime := ".go", "text/x-go"
	if language == "python" {
		suffix, mime = ".py", "text/x-python"
	}
	return File{s.About.ID + "-" + method + suffix, mime, []byte(text)}, err
}
