package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/portable"
)

// maxMoves is the maximum number of changes that a random visitor makes in a step before the runs are played to their
// end.
const maxMoves = 6

// RandomReach holds how often random visitors reached the goal of a step.
type RandomReach struct {
	Step    int // from 1
	Title   string
	Reached int
	Tries   int
}

// Share returns the share of tries that reached the goal.
func (r RandomReach) Share() float64 { return float64(r.Reached) / float64(max(1, r.Tries)) }

// Random plays each step of the lesson with visitors who act at random. They change the step's controls, or choose
// experiments, seeds and panels, up to six times, and press Play each time or at the end. A goal that such a visitor
// reaches requires no thought. Steps without a goal are left out. The same seed gives the same visitors.
func (l *Lesson) Random(tries int, seed uint64) ([]RandomReach, error) {
	var out []RandomReach
	for i, step := range l.Steps {
		if step.Goal == nil {
			continue
		}
		state, err := l.stateAt(i)
		if err != nil {
			return nil, err
		}
		r := RandomReach{Step: i + 1, Title: step.Title, Tries: tries}
		for n := range tries {
			random := rand.New(rand.NewPCG(seed, uint64(i)<<32+uint64(n)))
			done, err := l.wander(i, state, random)
			if err != nil {
				return nil, fmt.Errorf("%s, step %d, random visitor %d: %w", l.Name, i+1, n+1, err)
			}
			if done {
				r.Reached++
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// stateAt returns the state in which step i opens after the previous steps.
func (l *Lesson) stateAt(i int) (string, error) {
	if l.Steps[i].State != "" {
		return l.Steps[i].State, nil
	}
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		return "", err
	}
	for j := range i {
		if err := l.follow(s, j, l.Steps[j].State, nil, func(int, string, ...any) {}); err != nil {
			return "", err
		}
	}
	settings := s.Settings()
	settings.Lesson = link.Place{}
	return settings.Hash(), nil
}

// wander simulates one random visitor in step i, and reports whether the goal was reached.
func (l *Lesson) wander(i int, state string, random *rand.Rand) (bool, error) {
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		return false, err
	}
	if err := l.open(s, i, state); err != nil {
		return false, err
	}
	for range 1 + random.IntN(maxMoves) {
		for _, c := range l.randomMove(s, random) {
			// As on the page, a change that the scene rejects has no effect.
			_ = call(s, c)
		}
		if done, err := reached(s); done || err != nil {
			return done, err
		}
	}
	// If a run fails, the page shows the error, and this visitor has not reached the goal.
	_ = call(s, Call{Verb: playVerb})
	return reached(s)
}

// randomMove returns the calls of one random action of a visitor.
func (l *Lesson) randomMove(s *session.Session, random *rand.Rand) []Call {
	now, err := s.State()
	if err != nil {
		return nil
	}
	params := s.Params()
	switch roll := random.IntN(10); {
	case roll < 7 && len(now.Keys) > 0:
		name := now.Keys[random.IntN(len(now.Keys))]
		d, _ := params.Lookup(name)
		if text, ok := randomText(d, params, random); ok {
			return []Call{{"set", map[string]any{"name": name, "value": text}}}
		}
		return nudged(s, random)
	case roll < 8:
		return nudged(s, random)
	case roll < 9:
		panels := s.Shown()
		return []Call{{"hero", map[string]any{"panel": panels[random.IntN(len(panels))]}}}
	}
	return []Call{{Verb: playVerb}}
}

// nudged returns a call that drags a handle to a random place nearby, or none if there is no handle.
func nudged(s *session.Session, random *rand.Rand) []Call {
	handles := s.Handles()
	if len(handles) == 0 {
		return nil
	}
	h := handles[random.IntN(len(handles))]
	step := func() float64 { return float64(random.IntN(41) - 20) }
	return []Call{{"nudge", map[string]any{"id": h.ID, "dx": step(), "dy": step()}}}
}

// randomText draws a value of a parameter. For unsupported kinds, ok is false.
func randomText(d param.Descriptor, params *param.List, random *rand.Rand) (text string, ok bool) {
	switch d.Kind {
	case param.Number:
		return strconv.FormatFloat(spread(d, random.Float64()), 'g', 3, 64), d.Max > d.Min
	case param.Integer:
		return strconv.Itoa(int(math.Round(spread(d, random.Float64())))), d.Max > d.Min
	case param.Seed:
		return strconv.Itoa(1 + random.IntN(100)), true
	case param.Bool:
		return strconv.FormatBool(random.IntN(2) == 1), true
	case param.Choice:
		return d.Options[random.IntN(len(d.Options))].Value, true
	case param.Set:
		at := d.Options[random.IntN(len(d.Options))].Value
		chosen, _ := params.Value(d.Name).([]string)
		if i := slices.Index(chosen, at); i >= 0 && len(chosen) > 1 {
			return strings.Join(slices.Delete(slices.Clone(chosen), i, i+1), ","), true
		}
		return strings.Join(append(slices.Clone(chosen), at), ","), true
	case param.Simplex:
		if d.Whole() {
			return "", false
		}
		n := d.Columns
		if d.Count != "" {
			n, _ = params.Value(d.Count).(int)
		}
		return param.FormatShares(param.WithShare(param.Shares(nil, n), random.IntN(max(1, n)), random.Float64(), d.Min)), n > 0
	}
	return "", false
}

// spread returns the value at a position from 0 to 1 on a slider.
func spread(d param.Descriptor, at float64) float64 {
	if d.Scale == param.Log && d.Min > 0 {
		return d.Min * portable.Pow(d.Max/d.Min, at)
	}
	return d.Min + float64((d.Max-d.Min)*at)
}
