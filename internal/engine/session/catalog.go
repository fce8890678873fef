package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/code"
	"paretoplay/internal/engine/comparison"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// CatalogEntry is a scene in the output of `paretoplay scenes`.
type CatalogEntry struct {
	ID        string             `json:"id"`
	Title     string             `json:"title"`
	Question  string             `json:"question"`
	Summary   string             `json:"summary"`
	Try       string             `json:"try"`
	Done      string             `json:"done,omitempty"` // what the visitor sees after doing what Try proposes
	Methods   []MethodEntry      `json:"methods"`
	Params    []param.Descriptor `json:"params"`
	Presets   []scene.Preset     `json:"presets"`
	Symbols   []scene.Symbol     `json:"symbols"`
	Panels    []PanelText        `json:"panels"`
	Group     scene.Group        `json:"group"` // the question under which the contents page lists the scene
	Paper     string             `json:"paper"`
	Hero      string             `json:"hero"`   // ID of the most important panel
	Keys      []string           `json:"keys"`   // names of the most important parameters
	Runs      bool               `json:"runs"`   // whether the scene has iterations to play
	Counts    string             `json:"counts"` // singular noun for what k counts
	TakesData bool               `json:"guest"`  // whether the scene can show a visitor's data
	// DataSummary and DataTry are the summary and the proposal for a visitor's data.
	DataSummary string           `json:"dataSummary,omitempty"`
	DataTry     string           `json:"dataTry,omitempty"`
	Data        *scene.DataWords `json:"data,omitempty"`
	Facts       []scene.FactHelp `json:"facts"`
	// Comparison describes how methods are compared. It is null if they cannot be compared.
	Comparison *ComparisonEntry `json:"comparison,omitempty"`
	Equations  []scene.Equation `json:"equations"`
}

// ComparisonEntry describes how a scene's methods are compared.
type ComparisonEntry struct {
	Text     string `json:"text"`     // what the compared number measures
	Step     string `json:"step"`     // the parameter that is tuned for each method
	Baseline string `json:"baseline"` // the method included in every comparison, or ""
	Settings string `json:"settings"` // parameter values for every comparison, as name=value
}

// MethodEntry is a method with its marker and line in pictures.
type MethodEntry struct {
	param.Method
	Sign brush.Sign `json:"sign"`
	Code []string   `json:"code,omitempty"` // languages in which a program can repeat its runs
	// Instead says where to find the method for Python if no program in Python is available.
	Instead string `json:"instead,omitempty"`
}

// Catalog returns an entry for every scene, with everything that the page needs to draw its controls.
func Catalog(scenes scene.List) ([]CatalogEntry, error) {
	var out []CatalogEntry
	for _, a := range scenes {
		s, err := New(scenes, a.ID)
		if err != nil {
			return nil, err
		}
		methods := make([]MethodEntry, len(a.Methods))
		for i, m := range a.Methods {
			methods[i] = MethodEntry{Method: m, Sign: brush.SignOf(m.ID), Code: code.For(a.ID, m.ID)}
			if !slices.Contains(methods[i].Code, "python") {
				methods[i].Instead = code.Instead(a.ID, m.ID)
			}
		}
		var compared *ComparisonEntry
		if by := a.Comparison; by != nil {
			fact, _ := a.FactKind(by.Fact + ".x")
			compared = &ComparisonEntry{fact.Text, by.Step, by.Baseline, comparison.Settings(by.Values)}
		}
		_, static := scene.AsStatic(s.scene)
		out = append(out, CatalogEntry{
			Runs: !static, Counts: cmp.Or(a.Counts, "iteration"),
			TakesData: a.Takes != nil, DataSummary: a.DataSummary, DataTry: a.DataTry, Data: a.Data,
			ID: a.ID, Title: a.Title, Question: a.Question, Group: a.Group, Paper: a.Paper, Hero: a.Hero, Keys: a.Keys,
			Facts: a.Facts, Equations: a.Equations, Summary: a.Summary, Try: a.Try, Done: a.Done, Methods: methods,
			Params: s.scene.Params().Descriptors(), Presets: a.Presets, Symbols: a.Symbols, Panels: s.describe(),
			Comparison: compared,
		})
	}
	return out, nil
}

// CatalogJSON returns Catalog as JSON, for the file beside the page.
func CatalogJSON(scenes scene.List) ([]byte, error) {
	list, err := Catalog(scenes)
	if err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

// Finish advances all runs to their end.
func (s *Session) Finish() error {
	s.player.job = nil
	s.events.version++
	return scene.Finish(s.scene)
}

// SetPage sets the page's address, without fragment. Links in exported pictures begin with it. The default is relative to the site:
// "index.html#…".
func (s *Session) SetPage(address string) { s.screen.page = address }

// SetTheme sets the light or dark theme.
func (s *Session) SetTheme(name string) error {
	theme, err := brush.ThemeNamed(name)
	if err != nil {
		return err
	}
	s.screen.theme = theme
	s.events.version++
	return nil
}

// Readout returns the table of the runs at the marker, or the table of a scene without runs. The table has no rows if the runs are
// hidden.
func (s *Session) Readout() timeline.Readout {
	if s.scene.Extras().HidesRuns {
		return timeline.Readout{Columns: []timeline.Column{}, Rows: []timeline.ReadoutRow{}}
	}
	if static, is := scene.AsStatic(s.scene); is {
		return static.Readout()
	}
	return s.timeline().Readout()
}

// startCount returns the name of the parameter that sets the number of starts: "starts" counts start points, and "m"
// counts solutions in each run. It returns "" if the number of starts is fixed.
func (s *Session) startCount() string {
	for _, name := range []string{"starts", "m"} {
		if d, has := s.scene.Params().Lookup(name); has && d.Kind == param.Integer {
			return name
		}
	}
	return ""
}

// assignStarts replaces the start points. It returns the values of the parameters that it sets.
func (s *Session) assignStarts(points []string) (set []link.Value, err error) {
	params := s.scene.Params()
	if _, movable := params.Lookup("start"); !movable {
		return nil, fmt.Errorf("the scene %s has no start points", s.about.ID)
	}
	if count := s.startCount(); count != "" {
		set = append(set, link.Value{Name: count, Text: strconv.Itoa(len(points))})
	}
	set = append(set, link.Value{Name: "start", Text: strings.Join(points, ";")})
	for _, v := range set {
		if err := params.Assign(v.Name, v.Text); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// checkStarts validates start points from outside the program.
func (s *Session) checkStarts(points []string) error {
	if len(points) == 0 {
		return nil
	}
	given, ok := s.scene.Params().Value("start").([][]float64)
	if !ok || len(given) != len(points) {
		return fmt.Errorf("start: a point must be a list of numbers without \";\"")
	}
	n := len(s.timeline().Tracks()[0].Start())
	for i, p := range given {
		if len(p) != n {
			return fmt.Errorf("start %s has %d coordinates; the scene has %d variables", points[i], len(p), n)
		}
	}
	return nil
}
