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

func fromParamName(name string) string {
	if own, found := strings.CutPrefix(name, ofParameter); found && slices.Contains(Reserved, own) {
		return own
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

// Parse reads a link. It never fails: it leaves out unreadable parts, each with a notice. Session.Load checks whether names and
// values fit the scene.
func Parse(hash string) (s Settings, notices []string) {
	note := func(format string, args ...any) { notices = append(notices, fmt.Sprintf(format, args...)) }
	hash = strings.TrimPrefix(hash, "#")
	const limit = MaxLink + MaxPins
	if len(hash) > limit {
		note("The link has %d characters; only the first %d are read.", len(hash), limit)
		hash = hash[:limit]
	}
	hash, s.Pins, notices = splitPins(hash, notices)
	if len(hash) > MaxLink {
		beside := ""
		if len(s.Pins) > 0 {
			beside = " beside its pins"
		}
		note("The link has %d characters%s; only the first %d are read.", len(hash), beside, MaxLink)
		hash = hash[:MaxLink]
	}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(hash, "&") {
		if pair == "" {
			continue
		}
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		text, err2 := url.QueryUnescape(rawText)
		if err != nil || err2 != nil {
			note("The link’s part %s cannot be read and is left out.", scene.Quote(pair))
			continue
		}
		if seen[name] {
			note("The link names %s twice; the first is used.", scene.Quote(name))
			continue
		}
		if len(seen) == MaxNames {
			note("The link has more than %d names; the rest is left out.", MaxNames)
			break
		}
		seen[name] = true
		switch name {
		case "v":
			if text != strconv.Itoa(Version) {
				note("The link is of version %s; it is read as version %d.", scene.Quote(text), Version)
			}
		case "scene":
			s.Scene = text
		case "log":
			s.Log, notices = parseLog(text, notices)
		case "k":
			s.Marker, notices = count("k", text, notices)
		case "latest":
			s.Latest, notices = count("latest", text, notices)
		case "ended":
			s.Ended = text == "1"
		case "run":
			s.Selected = text
		case "hero", "show": // "show" is an earlier name of "hero"
			s.Hero = text
		case "panels":
			if s.AllPanels = text == allPanels; !s.AllPanels {
				note("panels = %s is left out; it can be %s.", scene.Quote(text), allPanels)
			}
		case "card":
			s.Card = text
		case "lesson":
			s.Lesson, notices = parsePlace(text, notices)
		case "data":
			s.Data = text
		case "try":
			s.Try = text
		default:
			s.Values = append(s.Values, Value{fromParamName(name), text})
		}
	}
	return s, notices
}

// splitPins separates the pins from the rest of a link.
func splitPins(hash string, notices []string) (rest string, pins []Pin, _ []string) {
	var kept []string
	size := 0
	for pair := range strings.SplitSeq(hash, "&") {
		name, text, _ := strings.Cut(pair, "=")
		letter, ok := strings.CutPrefix(name, pinName)
		if !ok || len(letter) != 1 || !strings.Contains(PinLetters, letter) {
			kept = append(kept, pair)
			continue
		}
		hash, err := url.QueryUnescape(text)
		switch p := (Pin{letter, hash}); {
		case err != nil:
			notices = append(notices, fmt.Sprintf("The pin %s cannot be read and is left out.", letter))
		case slices.ContainsFunc(pins, func(o Pin) bool { return o.Letter == letter }):
			notices = append(notices, fmt.Sprintf("The link names the pin %s twice; the first is used.", letter))
		case size+p.Size() > MaxPins:
			notices = append(notices, fmt.Sprintf("The pin %s is left out: all pins of a link have at most %d characters.", letter, MaxPins))
		default:
			size += p.Size()
			pins = append(pins, p)
		}
	}
	slices.SortFunc(pins, func(a, b Pin) int { return strings.Compare(a.Letter, b.Letter) })
	return strings.Join(kept, "&"), pins, notices
}

// parsePlace reads a step of a lesson in the form "name:step".
func parsePlace(text string, notices []string) (Place, []string) {
	name, number, _ := strings.Cut(text, ":")
	step, err := strconv.Atoi(number)
	p := Place{name, step}
	if err != nil || p.Check() != nil {
		return Place{}, append(notices, fmt.Sprintf("lesson = %s is left out: it does not name a lesson’s step (angles:1).", scene.Quote(text)))
	}
	return p, notices
}

func count(name, text string, notices []string) (int, []string) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f-f != 0 { // NaN and infinities are not whole numbers
		return 0, append(notices, fmt.Sprintf("%s = %s is left out: it is not a whole number.", name, scene.Quote(text)))
	}
	const limit = 1 << 31
	k := int(min(max(f, 0), limit))
	if float64(k) != f {
		notices = append(notices, fmt.Sprintf("%s = %s is read as %d.", name, scene.Quote(text), k))
	}
	return k, notices
}

func parseLog(text string, notices []string) ([]timeline.Change, []string) {
	var log []timeline.Change
	for entry := range strings.SplitSeq(text, ",") {
		if entry == "" {
			continue
		}
		if len(log) == MaxLog {
			return log, append(notices, fmt.Sprintf("The log has more than %d live changes; the rest is left out.", MaxLog))
		}
		parts := strings.SplitN(entry, ":", 3)
		if len(parts) != 3 {
			notices = append(notices, fmt.Sprintf("The live change %s is left out: it does not have the form k:name:value.", scene.Quote(entry)))
			continue
		}
		k, err := strconv.Atoi(parts[0])
		if err != nil || k < 0 {
			notices = append(notices, fmt.Sprintf("The live change %s is left out: its iteration is missing.", scene.Quote(entry)))
			continue
		}
		log = append(log, timeline.Change{K: k, Name: parts[1], Text: parts[2]})
	}
	return log, notices
}

// Alone returns the settings without the additions to the scene: pins, a lesson and compared values.
func (s Settings) Alone() Settings {
	s.Pins, s.Lesson, s.Try, s.AllPanels = nil, Place{}, "", false
	return s
}
