package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"paretoplay/internal/engine/scene"
)

// takes describes an argument of a verb: its name, and whether it is a number.
type takes struct {
	name     string
	number   bool
	optional bool
}

// verbs lists the verbs allowed in show:, besides name=value, with their arguments in order.
var verbs = map[string][]takes{
	playVerb: nil, "reset": nil, "defaults": nil, "undo": nil, "newSeed": nil, "pin": nil,
	"step": {{name: "n", number: true, optional: true}}, "seek": {{name: "k", number: true}}, "move": {{name: "by", number: true}},
	"select": {{name: "run"}}, "hero": {{name: "panel"}}, "card": {{name: "id"}}, "unpin": {{name: "letter"}}, "swapPin": {{name: "letter"}},
	"nudge": {{name: "id"}, {name: "dx", number: true}, {name: "dy", number: true}},
}

// show reads name=value and verbs with their arguments, one after the other.
func (c *compiler) show(p part) ([]Call, error) {
	calls := []Call{}
	tokens := strings.Fields(p.text)
	for len(tokens) > 0 {
		token := tokens[0]
		tokens = tokens[1:]
		if name, text, pair := strings.Cut(token, "="); pair {
			v, err := c.value(name, text)
			if err != nil {
				return nil, err
			}
			c.values = assign(c.values, v)
			if _, err := c.opened(c.values); err != nil {
				return nil, err
			}
			calls = append(calls, Call{"set", map[string]any{"name": v.Name, "value": v.Text}})
			continue
		}
		of, known := verbs[token]
		if !known {
			names := make([]string, 0, len(verbs))
			for name := range verbs {
				names = append(names, name)
			}
			return nil, fmt.Errorf("%s is neither name=value nor a verb%s", scene.Quote(token), suggest(token, names))
		}
		args := map[string]any{}
		for _, t := range of {
			if len(tokens) == 0 || strings.Contains(tokens[0], "=") {
				if t.optional {
					break
				}
				return nil, fmt.Errorf("%s takes a %s after it", token, t.name)
			}
			if !t.number {
				args[t.name] = tokens[0]
			} else if f, err := strconv.ParseFloat(tokens[0], 64); err == nil {
				args[t.name] = f
			} else if t.optional {
				break
			} else {
				return nil, fmt.Errorf("%s takes a number after it, not %s", token, scene.Quote(tokens[0]))
			}
			tokens = tokens[1:]
		}
		switch token {
		case "card":
			values, err := c.card(args["id"].(string))
			if err != nil {
				return nil, err
			}
			c.values = values
		case "defaults":
			c.values = nil
		}
		if token == playVerb {
			seconds, err := c.duration()
			if err != nil {
				return nil, err
			}
			c.playing += seconds
		}
		calls = append(calls, Call{token, args})
	}
	return calls, nil
}

// duration returns how many seconds runs with the current values take.
func (c *compiler) duration() (float64, error) {
	s, err := c.opened(c.values)
	if err != nil {
		return 0, err
	}
	now, err := s.State()
	if err != nil {
		return 0, err
	}
	speed, err := strconv.ParseFloat(now.Speed, 64)
	if err != nil { // "max": as many iterations as fit into a frame
		return 0, nil
	}
	return float64(now.Budget) / speed, nil
}
