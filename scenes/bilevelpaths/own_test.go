package bilevelpaths

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
)

// bent defines a lower level with a bent valley, whose bottom is at (sin α, α).
var bent = map[string]string{"f": "(w1-sin(a1))^2 + c*(w2-a1)^2", "define": "c = 2", "method": "forum,moml,moco,bome,bvfim"}

// TestPaperAsFormulas checks that formulas for the paper's problem, written differently, give the same runs with every
// method.
func TestPaperAsFormulas(t *testing.T) {
	all := map[string]string{"method": "forum,moml,moco,bome", "multiplier": "both", "budget": "60"}
	paper := with(t, all)
	all["f"], all["define"] = "g + (w2-a1)^2", "g = (w1-a1)^2"
	written := with(t, all)
	if paper.own() || !written.own() {
		t.Fatalf("own: %v, %v", paper.own(), written.own())
	}
	scenetest.Step(t, paper, -1)
	scenetest.Step(t, written, -1)
	runs := written.Timeline().Tracks()
	for i, want := range paper.Timeline().Tracks() {
		for j, v := range last(want).X {
			if got := last(runs[i]).X[j]; !(math.Abs(got-v) <= 1e-9) {
				t.Errorf("%s ends at %v, want %v", want.Name(), last(runs[i]).X, last(want).X)
			}
		}
	}
	for _, z := range written.bottoms {
		if math.Abs(z[1]-z[0]) > 1e-8 || math.Abs(z[2]-z[0]) > 1e-8 {
			t.Errorf("the bottom of the valley of %v is found at %v", z[0], z[1:])
		}
	}
	if got := written.moves([]float64{1, 2, 3}); got.distance(vector{1, 1}) > 1e-12 {
		t.Errorf("the bottom moves by %v", got)
	}
}

// TestOwn checks that pictures, facts and results of a custom lower level work at every moment, even if the formulas
// have no value anywhere.
func TestOwn(t *testing.T) {
	s := with(t, bent)
	for _, z := range s.bottoms {
		if math.Abs(z[1]-math.Sin(z[0])) > 1e-8 || math.Abs(z[2]-z[0]) > 1e-8 {
			t.Errorf("the bottom of the valley of %v is found at %v", z[0], z[1:])
		}
	}
	if got := s.moves([]float64{0.5, 3, 3}); got.distance(vector{math.Cos(0.5), 1}) > 1e-12 {
		t.Errorf("the bottom moves by %v", got)
	}
	for _, more := range []map[string]string{{}, {"zoom": "close", "view": "step"}, {"curve": "all", "camera": "40,60,1"},
		{"f": "log(w1+1)+w2", "F1": "1/0.5"}, {"f": "w1*w2*a1", "F2": "1e13*w1"}, {"f": "-w1^2-w2^2"}, {"f": "abs(w1)+abs(w2-a1)"}, {"f": "a1"},
		{"f": "w1^4+w2^4+1e300*a1"}, {"f": "w1^2+w2^2+sum(i,1,350,sin(w1*i))"}, {"F1": "exp(exp(w1))"}} {
		values := map[string]string{}
		for _, m := range []map[string]string{bent, more} {
			for name, text := range m {
				values[name] = text
			}
		}
		s := with(t, values)
		scenetest.Draw(t, s, 1200, 800, brush.Dark)
		scenetest.Step(t, s, 25)
		for _, moment := range []string{"0.5", "1.5", "2.5", "3.5", "4"} {
			if err := s.Params().Assign("moment", moment); err != nil {
				t.Fatal(err)
			}
			scenetest.Draw(t, s, 1200, 800, brush.Dark)
		}
		for _, p := range s.Panels() {
			if p.Describe() == "" || strings.Contains(p.Describe(), "solutions are where") {
				t.Errorf("%v, %s: %q", more, p.ID(), p.Describe())
			}
		}
		_ = s.Results()
	}
}

// TestOwnFaults checks that errors in the texts are reported at their positions, and that the last valid problem stays
// in use.
func TestOwnFaults(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       scene.Fault
	}{
		{"f", "(w1-a1", scene.Fault{Param: "f", Line: 1, Column: 7, Text: "a closing bracket )"}},
		{"F1", "w3", scene.Fault{Param: "F1", Line: 1, Column: 1, Length: 2,
			Text: "an index from 1 to 2, the number of lower variables; this one is 3"}},
		{"F2", "", scene.Fault{Param: "F2", Line: 1, Column: 1, Text: "a number, a variable such as x1, a function or a bracket"}},
		{"define", "\nc = 2\nF3 = w1", scene.Fault{Param: "define", Line: 3, Column: 1, Length: 2,
			Text: "F3 is one objective too many; the pictures show two"}},
		{"define", "c = 1\nd = e2", scene.Fault{Param: "define", Line: 2, Column: 5, Length: 2,
			Text: "a variable a1 ... or w1 ..., a number, or a name that another line defines: e2 is not defined"}},
		{"F1", "<img src=x onerror=alert(1)>", scene.Fault{Param: "F1", Line: 1, Column: 1, Length: 1,
			Text: "no constraint: bound a variable, as in x1 in [0, 1]; of a constraint g <= 0, or of an objective that is to stay below a level, " +
				"add a penalty to an objective, as in f1 = ... + 100*max(g, 0)^2"}},
		{"f", "w1 + 2*log(w1)", scene.Fault{Param: "f", Line: 1, Column: 8, Length: 7, Text: "no value at start point 1, (0, 0, 3): log(w1)"}},
		{"define", "w1 in [0, 1]", scene.Fault{Param: "define", Line: 1, Column: 4, Length: 2,
			Text: "no bounds: methods on two levels have none"}},
	} {
		s := with(t, bent)
		if len(s.Faults()) > 0 {
			t.Fatalf("faults %v", s.Faults())
		}
		shown := s.problem
		if err := s.Params().Assign(c.name, c.text); err != nil {
			t.Fatal(err)
		}
		if got := s.Faults(); !slices.Equal(got, []scene.Fault{c.want}) {
			t.Errorf("%s = %q: %v, want %v", c.name, c.text, fmt.Sprint(got), c.want)
		}
		if err := s.Restart(nil); err != nil || s.problem != shown {
			t.Errorf("%s = %q: another problem is shown, %v", c.name, c.text, err)
		}
	}
}
