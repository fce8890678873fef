package session

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// Setup describes how the command line opens a scene.
type Setup struct {
	Values []link.Value
	// Starts replace the scene's start points. Each is "x1,x2,…", with one coordinate for each variable of the scene. A run of
	// several solutions needs one start for each solution.
	Starts []string
	// Data is a file to read like a pasted one, or nil. Errors about it begin with Source.
	Data   io.Reader
	Source string
	Choice data.Choice // selects a part of the file
	// Option is the flag for a file, such as "-data". If Option is set, opening a scene without the file that it needs is
	// an error. If Option is "", the scene waits for the file, as on the page.
	Option string
}

// NewConfigured opens a scene at k = 0 with a setup. It returns an error for an unknown name, a value outside its range,
// or a value that contradicts the data, such as a view that does not show them.
func NewConfigured(scenes scene.List, id string, setup Setup) (*Session, error) {
	s, err := New(scenes, id)
	if err != nil {
		return nil, err
	}
	given := setup.Values
	var places map[string][]scene.Place // positions in a file of formulas
	if s.about.Texts != nil && setup.Data != nil {
		if c := setup.Choice; c.Part != "" || len(c.Columns) > 0 {
			return nil, fmt.Errorf("%s: a file of formulas has no parts or columns to choose", setup.Source)
		}
		var lines []link.Value
		lines, places, err = writtenValues(s.about.Texts, setup.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setup.Source, err)
		}
		given, setup.Data = append(lines, given...), nil
	}
	for _, v := range given {
		if err := s.scene.Params().Assign(v.Name, v.Text); err != nil {
			return nil, err
		}
	}
	if len(setup.Starts) > 0 {
		names, err := s.assignStarts(setup.Starts)
		if err != nil {
			return nil, err
		}
		given = append(slices.Clone(given), names...)
	}
	if setup.Data != nil {
		if err := s.readData(setup.Data, setup.Choice, given); err != nil {
			return nil, fmt.Errorf("%s: %w", setup.Source, err)
		}
		if lacks := s.scene.Extras().Lacks; lacks != "" {
			return nil, fmt.Errorf("%s: %s", setup.Source, lacks)
		}
		return s, s.checkStarts(setup.Starts)
	}
	names := make([]string, len(given))
	for i, v := range given {
		names[i] = v.Name
	}
	s.scene.Params().Fit(names...) // adapts the lengths of lists of shares that were not given
	if err := s.restart(nil); err != nil {
		return nil, err
	}
	if faults := scene.FaultsOf(s.scene); len(faults) > 0 {
		return nil, inFile(faults[0], places, setup)
	}
	if g, is := scene.AsDataTaker(s.scene); is && setup.Option != "" && g.ShowsPasted() {
		return nil, fmt.Errorf("%s needs %s, a file", s.asking(given), setup.Option)
	}
	return s, s.checkStarts(setup.Starts)
}

// inFile returns a fault as an error. If the faulty text comes from the file of formulas, it adds the place in that file.
func inFile(f scene.Fault, places map[string][]scene.Place, setup Setup) error {
	at := places[f.Param]
	if f.Line < 1 || f.Line > len(at) || slices.ContainsFunc(setup.Values, func(v link.Value) bool { return v.Name == f.Param }) {
		return f
	}
	place := at[f.Line-1]
	return fmt.Errorf("%s: %d:%d: %s", setup.Source, place.Line, place.Column+f.Column-1, f.Text)
}

// writtenValues returns the parameter values in a file of formulas, and the places of their lines.
func writtenValues(read func(string) (map[string]string, map[string][]scene.Place, error), file io.Reader) (out []link.Value,
	places map[string][]scene.Place, err error) {
	const limit = 1 << 20 // bytes
	text, err := io.ReadAll(io.LimitReader(data.EndlessText(file), limit+1))
	if err != nil {
		return nil, nil, err
	}
	if len(text) > limit {
		return nil, nil, fmt.Errorf("the file of formulas is larger than %d kB", limit>>10)
	}
	values, places, err := read(string(text))
	if err != nil {
		return nil, nil, err
	}
	for _, name := range sortedKeys(values) {
		out = append(out, link.Value{Name: name, Text: values[name]})
	}
	return out, places, nil
}

// InputNotes returns how the file was read, if other readings were possible, and which definitions no objective uses. It returns ""
// if there is nothing to report.
func (s *Session) InputNotes() string {
	var notes []string
	if s.file.pasted != nil {
		notes = append(notes, s.file.pasted.Notes...)
	}
	for _, name := range s.scene.Extras().Unused {
		notes = append(notes, "no objective uses "+name)
	}
	return strings.Join(notes, "; ")
}

// asking returns the first of the values that makes the scene show a visitor's data, as "name = value". If none of them
// does, it names the scene.
func (s *Session) asking(values []link.Value) string {
	for _, v := range values {
		alone, _ := scene.AsDataTaker(s.about.New())
		if err := alone.Params().Assign(v.Name, v.Text); err == nil && alone.ShowsPasted() {
			return v.Name + " = " + v.Text
		}
	}
	return "the scene " + s.about.ID
}
