package session

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

var slot = regexp.MustCompile(`\\text\{@([A-Za-z0-9.]+)\}`)

// checkEquation checks that every placeholder in the formula has a number.
func checkEquation(t *testing.T, s *Session, e *EquationNumbers) {
	t.Helper()
	i := slices.IndexFunc(s.about.Equations, func(of scene.Equation) bool { return of.ID == e.ID })
	if i < 0 {
		t.Fatalf("%s has no formula %q", s.about.ID, e.ID)
	}
	places := slot.FindAllStringSubmatch(s.about.Equations[i].Numbers, -1)
	if len(places) == 0 {
		t.Errorf("%s, %s has no place for a number", s.about.ID, e.ID)
	}
	for _, at := range places {
		if _, ok := e.Numbers[at[1]]; !ok {
			t.Errorf("%s, %s: no number for %s", s.about.ID, e.ID, at[1])
		}
	}
}

// TestEquationOfEveryScene checks the numbers in the formulas of every scene. They must belong to the step that leads
// to the marker or, at the start, to the first step. There must be no numbers before that step has been taken, nor for
// single-level methods in a bilevel scene.
func TestEquationOfEveryScene(t *testing.T) {
	const rounds = 3
	plain := map[string]bool{twolevel.NoCleaning: true, twolevel.ValidationOnly: true}
	for _, about := range scenes.All {
		if len(about.Equations) == 0 {
			continue
		}
		t.Run(about.ID, func(t *testing.T) {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			if s.scene.Extras().Decision != nil {
				e, err := s.equation()
				if err != nil || e == nil || e.K != 0 || e.Ahead {
					t.Fatalf("%+v, %v", e, err)
				}
				checkEquation(t, s, e)
				return
			}
			if about.ID == "cleaning" { // also with the methods that do not run by default
				do(t, s, "set", `{"name":"method","value":"forum,moml,moco,bome,bvfim,nocleaning,validationonly"}`)
			}
			if e, err := s.equation(); e != nil || err != nil {
				t.Errorf("before the first step: %+v, %v", e, err)
			}
			if err := s.Step(rounds); err != nil {
				t.Fatal(err)
			}
			settle(t, s)
			var seen []string
			for _, track := range s.timeline().Tracks() {
				if slices.Contains(seen, track.Method) {
					continue
				}
				seen = append(seen, track.Method)
				if err := s.Select(track.Name()); err != nil {
					t.Fatal(err)
				}
				for _, k := range []int{0, 1, rounds} {
					s.Seek(k)
					e, err := s.equation()
					if plain[track.Method] {
						if e != nil || err != nil {
							t.Errorf("%s at %d: %+v, %v", track.Method, k, e, err)
						}
						continue
					}
					if err != nil || e == nil {
						t.Fatalf("%s at %d: %+v, %v", track.Method, k, e, err)
					}
					if want := max(k, 1); e.K != want || e.Ahead != (k == 0) || e.Method != track.Method || e.Label != track.Label() {
						t.Errorf("%s at %d: %+v", track.Method, k, e)
					}
					checkEquation(t, s, e)
				}
			}
		})
	}
}

// TestEquationChangesWithTheMarker checks that the numbers belong to the shown iteration, and that the state has null if there are
// none.
func TestEquationChangesWithTheMarker(t *testing.T) {
	s, err := New(scenes.All, "clusters")
	if err != nil {
		t.Fatal(err)
	}
	said := func() string {
		t.Helper()
		result, err := s.Call("equation", nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := said(); got != "null" {
		t.Errorf("before the first step: %s", got)
	}
	if err := s.Step(4); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	four := said()
	s.Seek(2)
	if two := said(); two == four || two == "null" {
		t.Errorf("at 2: %s, at 4: %s", two, four)
	}
}

// TestEquationOfAMethod checks that a method gets the first formula that names it or that names no method.
func TestEquationOfAMethod(t *testing.T) {
	s := &Session{about: scene.About{Equations: []scene.Equation{{ID: "a", Methods: []string{"x"}}, {ID: "b", Methods: []string{"x", "y"}}}}}
	for method, want := range map[string]string{"x": "a", "y": "b", "z": ""} {
		if e, ok := s.equationOf(method); e.ID != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", method, e.ID, ok)
		}
	}
	s.about.Equations = append(s.about.Equations, scene.Equation{ID: "c"})
	if e, _ := s.equationOf("z"); e.ID != "c" {
		t.Errorf("z: %q", e.ID)
	}
}

// TestStepAtRest checks that a step whose terms cancel is 0, not a direction made of rounding errors.
func TestStepAtRest(t *testing.T) {
	for _, method := range []string{"mgda", "psmgd"} {
		s := open(t)
		do(t, s, "set", fmt.Sprintf(`{"name":"method","value":[%q]}`, method))
		do(t, s, "set", `{"name":"budget","value":2000}`)
		do(t, s, "step", `{"n":2000}`)
		for _, track := range s.timeline().Tracks() {
			s.timeline().Select(track.Name())
			e, err := s.equation()
			if err != nil || e == nil {
				t.Fatalf("%s: no step, %v", track.Name(), err)
			}
			for _, name := range []string{"d", "made"} {
				for _, small := range []string{"⁻¹⁶", "⁻¹⁷", "⁻¹⁸", "⁻¹⁹"} {
					if strings.Contains(e.Numbers[name], small) {
						t.Errorf("%s: %s is %s", track.Name(), name, e.Numbers[name])
					}
				}
			}
		}
	}
}
