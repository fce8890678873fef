package link

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// LogEntry is a live change in JSON.
type LogEntry struct {
	K     int    `json:"k"`
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// JSONValue converts the text of a live parameter to its value in JSON.
func JSONValue(params *param.List, name, text string) any {
	if d, _ := params.Lookup(name); d.Kind == param.Number || d.Kind == param.Integer {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return text
}

// ParseState reads a state object or a link. The verb "load" accepts both. ParseState ignores a state's hash, because
// programs may change other fields without updating the hash.
func ParseState(data json.RawMessage) (Settings, []string, error) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		s, notices := Parse(text)
		return s, notices, nil
	}
	var in struct {
		Scene     string
		Params    map[string]any
		Base      map[string]any
		Log       []LogEntry
		Iteration int
		Latest    int
		Status    string
		Selected  string
		Hero      string
		AllPanels bool
		Show      string // an earlier name of Hero
		Card      string
		Lesson    *Place
		Pins      []Pin
		Data      *struct{ SHA256 string }
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return Settings{}, nil, fmt.Errorf("load takes a state or a link: %w", err)
	}
	s := Settings{Scene: in.Scene, Marker: max(in.Iteration, 0), Latest: max(in.Latest, in.Iteration, 0), Selected: in.Selected,
		Hero: cmp.Or(in.Hero, in.Show), AllPanels: in.AllPanels, Card: in.Card, Ended: in.Status == algo.Diverged.String()}
	if in.Data != nil {
		s.Data = in.Data.SHA256
	}
	var notices []string
	if in.Lesson != nil {
		s.Lesson = *in.Lesson
	}
	size := 0
	for _, p := range in.Pins {
		switch size += p.Size(); {
		case len(p.Letter) != 1 || !strings.Contains(PinLetters, p.Letter):
			notices = append(notices, fmt.Sprintf("The pin %s is left out: pins have the letters A to D.", scene.Quote(p.Letter)))
		case size > MaxPins:
			notices = append(notices, fmt.Sprintf("The pin %s is left out: all pins have at most %d characters.", p.Letter, MaxPins))
		case slices.ContainsFunc(s.Pins, func(o Pin) bool { return o.Letter == p.Letter }):
			notices = append(notices, fmt.Sprintf("The state has the pin %s twice; the first is used.", p.Letter))
		default:
			s.Pins = append(s.Pins, p)
		}
	}
	encode := func(name string, v any) (string, bool) {
		text, err := param.Encode(v)
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s: %v. It is left out.", scene.Quote(name), err))
		}
		return text, err == nil
	}
	for i, name := range slices.Sorted(maps.Keys(in.Params)) {
		if i == MaxNames {
			notices = append(notices, fmt.Sprintf("The state has more than %d parameters; the rest is left out.", MaxNames))
			break
		}
		v := in.Params[name]
		if b, ok := in.Base[name]; ok {
			v = b
		}
		if text, ok := encode(name, v); ok {
			s.Values = append(s.Values, Value{Name: name, Text: text})
		}
	}
	for i, e := range in.Log {
		if i == MaxLog {
			notices = append(notices, fmt.Sprintf("The log has more than %d live changes; the rest is left out.", MaxLog))
			break
		}
		if e.K < 0 {
			notices = append(notices, fmt.Sprintf("The live change of %s at %d is left out: the first iteration is 0.", scene.Quote(e.Name), e.K))
		} else if text, ok := encode(e.Name, e.Value); ok {
			s.Log = append(s.Log, timeline.Change{K: e.K, Name: e.Name, Text: text})
		}
	}
	return s, notices, nil
}

// JSONValues returns the JSON values of live parameters with the given texts.
func JSONValues(params *param.List, texts map[string]string) map[string]any {
	out := map[string]any{}
	for name, text := range texts {
		out[name] = JSONValue(params, name, text)
	}
	return out
}

// JSONLog returns live changes in their JSON form, or nil if there are none.
func JSONLog(params *param.List, log []timeline.Change) (out []LogEntry) {
	for _, c := range log {
		out = append(out, LogEntry{c.K, c.Name, JSONValue(params, c.Name, c.Text)})
	}
	return out
}
