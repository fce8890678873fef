// Package link writes a visitor's settings as a link and reads them from a link.
package link

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Version is the version of the link format: the value of v in "#v=1&scene=…".
const Version = 1

const (
	MaxLink  = 64 << 10 // maximum number of characters of a link without its pins; enough for MaxLog changes, or six texts of param.MaxBytes
	MaxPins  = 64 << 10 // maximum number of characters of all pins together, as written in a link
	MaxLog   = 1000     // maximum number of live changes
	MaxNames = 200      // maximum number of parameters
	MaxStep  = 1000     // largest number that a step of a lesson can have
)

// PinLetters are the pins' letters, in order. A link can have pinA to pinD.
const (
	PinLetters = "ABCD"
	pinName    = "pin"
)

// Settings describes a state completely, so that the state can be rebuilt. Its values are texts that the parameter lists can read.
type Settings struct {
	Scene    string
	Values   []Value // values that differ from the defaults; for live parameters, the values at k = 0
	Log      []timeline.Change
	Marker   int
	Latest   int
	Ended    bool // whether the runs ended because the step after Latest failed
	Selected string
	Hero     string
	// AllPanels is true if the scene also shows the panels that are hidden when it opens.
	AllPanels bool
	Card      string // ID of the open experiment, or ""
	Lesson    Place  // the open step of a lesson, or the zero Place
	Data      string // SHA-256 hash, in hexadecimal, of the visitor's data that the scene shows, or ""
	Try       string // the parameter whose values are compared side by side, or ""
	Pins      []Pin  // pins in the order of their letters
	// Shown holds the texts that the scene shows while the texts in Values contain errors. A link does not store them.
	Shown map[string]string
}

// Pin is a state kept beside the current one.
type Pin struct {
	Letter string `json:"letter"` // one of PinLetters
	Hash   string `json:"hash"`   // the state as written by Settings.Hash, without pins
}

// Size returns the number of characters that the pin takes in a link.
func (p Pin) Size() int { return len(pinName) + len(p.Letter) + len("&=") + len(escape(p.Hash)) }

// Place is a step of a lesson. Steps are counted from 1.
type Place struct {
	Name string `json:"name"`
	Step int    `json:"step"`
}

// maxLessonName is the maximum length of a lesson's name.
const maxLessonName = 60

// isLessonName reports whether a lesson can have the given name.
func isLessonName(name string) bool {
	return name != "" && len(name) <= maxLessonName && strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz-") == ""
}

// Check returns an error if a link cannot contain the place.
func (p Place) Check() error {
	if !isLessonName(p.Name) || p.Step < 1 || p.Step > MaxStep {
		return fmt.Errorf("%s does not name a lesson’s step; write a name (at most %d of 0-9 a-z -) and a step (1 to %d), as angles:1",
			scene.Quote(fmt.Sprintf("%s:%d", p.Name, p.Step)), maxLessonName, MaxStep)
	}
	return nil
}

// Value is a parameter's name and text.
type Value struct{ Name, Text string }

// Reserved lists the names in a link that are not parameters. A parameter with such a name gets the prefix ofParameter.
var Reserved = []string{"v", "scene", "log", "k", "latest", "ended", "run", "show", "hero", "panels", "data", "card", "lesson", "try",
	"pinA", "pinB", "pinC", "pinD"}

// allPanels is the value of "panels" in a link.
const allPanels = "all"

const ofParameter = "param."

// ParamName returns a parameter's name in links. fromParamName does the reverse.
func ParamName(name string) string {
	if slices.Contains(Reserved, name) {
		return ofParameter + name
	}
	return name
}

// Hash returns the settings as the part of a link after "#".
func (s *Settings) Hash() string {
	var b strings.Builder
	fmt.Fprintf(&b, "v=%d&scene=%s", Version, s.Scene)
	put := func(name, text string) {
		b.WriteByte('&')
		b.WriteString(escape(name))
		b.WriteByte('=')
		b.WriteString(escape(text))
	}
	if s.Card != "" {
		put("card", s.Card)
	}
	if s.Lesson.Name != "" {
		put("lesson", fmt.Sprintf("%s:%d", s.Lesson.Name, s.Lesson.Step))
	}
	for _, v := range s.Values {
		put(ParamName(v.Name), v.Text)
	}
	if len(s.Log) > 0 {
		entries := make([]string, len(s.Log))
		for i, c := range s.Log {
			entries[i] = fmt.Sprintf("%d:%s:%s", c.K, c.Name, c.Text)
		}
		put("log", strings.Join(entries, ","))
	}
	if s.Latest > 0 {
		put("latest", strconv.Itoa(s.Latest))
		put("k", strconv.Itoa(s.Marker))
	}
	if s.Ended {
		put("ended", "1")
	}
	if s.Selected != "" {
		put("run", s.Selected)
	}
	if s.Hero != "" {
		put("hero", s.Hero)
	}
	if s.AllPanels {
		put("panels", allPanels)
	}
	if s.Data != "" {
		put("data", s.Data)
	}
	if s.Try != "" {
		put("try", s.Try)
	}
	for _, p := range s.Pins {
		put(pinName+p.Letter, p.Hash)
	}
	return b.String()
}

// escape is like url.QueryEscape, but leaves the separators inside values readable.
func escape(text string) string {
	return strings.NewReplacer("%2C", ",", "%3A", ":", "%3B", ";").Replace(url.QueryEscape(text))
}

// Alone returns the settings without the additions to the scene: pins, a lesson and compared values.
func (s Settings) Alone() Settings {
	s.Pins, s.Lesson, s.Try, s.AllPanels = nil, Place{}, "", false
	return s
}
