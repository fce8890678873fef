package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// assign adds a value, and replaces an earlier one with the same name.
func assign(values []link.Value, v link.Value) []link.Value {
	out := slices.DeleteFunc(slices.Clone(values), func(o link.Value) bool { return o.Name == v.Name })
	return append(out, v)
}

// ofParameter returns the name of the parameter that a name in a state refers to. As in links, the parameter k is written
// param.k, because k alone is the marker.
func ofParameter(name string) string {
	if own, found := strings.CutPrefix(name, "param."); found {
		return own
	}
	return name
}

// card returns the values that open an experiment of the scene.
func (c *compiler) card(id string) ([]link.Value, error) {
	var known []string
	for _, p := range c.about.Presets {
		known = append(known, p.ID)
		if p.ID != id {
			continue
		}
		var out []link.Value
		for name, text := range p.Values {
			out = append(out, link.Value{Name: name, Text: text})
		}
		slices.SortFunc(out, func(a, b link.Value) int { return strings.Compare(a.Name, b.Name) })
		return out, nil
	}
	return nil, fmt.Errorf("unknown experiment card=%s of the scene %s%s", id, c.about.ID, suggest(id, known))
}

// state reads a step's state and returns it as part of a link. A state consists of values name=value, as in a link,
// and of the word "ended" if the runs have ended. A scene=ID at the beginning selects a scene other than the lesson's. A
// card=ID sets the values of an experiment, which values after it may replace.
func (c *compiler) state(p part) (string, error) {
	c.about = c.own
	var settings link.Settings
	ended, marked, seen := false, false, map[string]bool{}
	c.values = nil
	for _, token := range strings.Fields(p.text) {
		name, text, pair := strings.Cut(token, "=")
		if seen[name] {
			return "", fmt.Errorf("%s appears twice", name)
		}
		seen[name] = true
		var err error
		switch {
		case token == "ended":
			ended = true
		case !pair:
			return "", fmt.Errorf("%s is not of the form name=value", scene.Quote(token))
		case name == "scene":
			if len(seen) > 1 {
				return "", errors.New("scene= must come first")
			}
			c.about, err = c.scenes.Find(text)
		case name == "card":
			if len(c.values) > 0 {
				return "", errors.New("card= must come before the values that differ from it")
			}
			c.values, err = c.card(text)
		case name == "latest":
			settings.Latest, err = count(name, text)
		case name == "k":
			settings.Marker, err = count(name, text)
			marked = true
		case name == "run":
			settings.Selected = text
		default:
			var v link.Value
			if v, err = c.value(ofParameter(name), text); err == nil {
				c.values = assign(c.values, v)
			}
		}
		if err != nil {
			return "", err
		}
	}
	s, err := c.opened(c.values)
	if err != nil {
		return "", err
	}
	if ended {
		now, err := s.State()
		if err != nil {
			return "", err
		}
		if settings.Latest = now.Budget; settings.Latest == 0 {
			return "", fmt.Errorf("the scene %s has no runs, so they cannot have ended", c.about.ID)
		}
	}
	if !marked {
		settings.Marker = settings.Latest
	}
	settings.Scene, settings.Values = c.about.ID, s.Settings().Values
	hash := settings.Hash()
	// The page accepts a faulty state with notices. Here notices are errors.
	read, notices := link.Parse(hash)
	if err := s.Load(read); err != nil {
		return "", err
	}
	if notices = append(notices, s.TakeNotices()...); len(notices) > 0 {
		return "", errors.New(strings.TrimSuffix(notices[0], "."))
	}
	return hash, nil
}

// value reads name=text: a value of a parameter, or of a number that a line of a parameter defines, as in define.u=2.
func (c *compiler) value(name, text string) (link.Value, error) {
	if of, number, dotted := strings.Cut(name, "."); dotted {
		params, err := c.params()
		if err != nil {
			return link.Value{}, err
		}
		if _, has := params.Lookup(name); !has {
			if d, _ := params.Lookup(of); d.Lines {
				text, err = withNamed(params.Text(of), number, text)
				return link.Value{Name: of, Text: text}, err
			}
		}
	}
	text, err := c.shares(name, text)
	return link.Value{Name: name, Text: text}, err
}

// withNamed returns the lines with another value for the named number, which a line such as "u = 1" defines.
func withNamed(lines, name, value string) (string, error) {
	if v, err := strconv.ParseFloat(value, 64); err != nil || v-v != 0 {
		return "", fmt.Errorf("%s=%s is not a number", name, value)
	}
	all := strings.Split(lines, "\n")
	for i, line := range all {
		left, right, equals := strings.Cut(line, "=")
		if _, err := strconv.ParseFloat(strings.TrimSpace(right), 64); equals && err == nil && strings.TrimSpace(left) == name {
			all[i] = left + "= " + value
			return strings.Join(all, "\n"), nil
		}
	}
	return "", fmt.Errorf("no line gives the number %s a value", name)
}

// params returns the scene's parameters with the values read so far.
func (c *compiler) params() (*param.List, error) {
	params := c.about.New().Params()
	for _, v := range c.values {
		if err := params.Assign(v.Name, v.Text); err != nil {
			return nil, err
		}
	}
	return params, nil
}

// shares completes "0.2,…", which means a first share of 0.2 and equal other shares. The values read so far
// determine the number of shares.
func (c *compiler) shares(name, text string) (string, error) {
	first, rest, _ := strings.Cut(text, ",")
	if rest != "…" && rest != "..." {
		return text, nil
	}
	params, err := c.params()
	if err != nil {
		return "", err
	}
	d, _ := params.Lookup(name)
	n := d.Columns
	if d.Count != "" {
		n = params.Value(d.Count).(int)
	}
	share, err := strconv.ParseFloat(first, 64)
	if d.Kind != param.Simplex || d.Whole() || err != nil || share < d.Min || share > d.Max {
		return "", fmt.Errorf("%s=%s: … only works for shares of a whole, after a first share from 0 to 1", name, text)
	}
	return param.FormatShares(param.WithShare(param.Shares(nil, n), 0, share, d.Min)), nil
}

func count(name, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%s is not a number of iterations", name, text)
	}
	return n, nil
}
