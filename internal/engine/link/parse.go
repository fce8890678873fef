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

// Parse reads a link. It never fails: it leaves out unreadable parts, each with a notice. Session.Load checks whether
// names and values fit the scene.
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

func fromParamName(name string) string {
	if own, found := strings.CutPrefix(name, ofParameter); found && slices.Contains(Reserved, own) {
		return own
	}
	return name
}
