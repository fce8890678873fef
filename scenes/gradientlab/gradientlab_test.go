package gradientlab

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"paretoplay/internal/engine/analysis"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/weigh"
)

// with returns the scene with the given values.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

func every() string {
	var names []string
	for _, m := range weighting.Methods {
		names = append(names, m.Name)
	}
	return strings.Join(names, ",")
}

// found returns a method's decision.
func found(t testing.TB, s *Scene, method string) *analysis.Decision {
	t.Helper()
	a := s.current()
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Method.Name == method {
			if d.Err != nil {
				t.Fatalf("%s: %v", method, d.Err)
			}
			return d
		}
	}
	t.Fatalf("%s has not decided", method)
	return nil
}

func input(rows [][]float64, losses []float64) *weigh.Input {
	return &weigh.Input{Jacobian: rows, Losses: losses, Seed: 1}
}

// TestAgainstWeigh checks that every listed method takes part and gives the same result as package weigh does with the
// same parameters.
func TestAgainstWeigh(t *testing.T) {
	for _, values := range []map[string]string{
		{}, {"gradients": "1,2;-1,0.5;0.3,0.3;2,-1;0.1,0.2;1,1"}, {"gradients": "2,0;-1,0"}, {"gradients": "0,0;1,1"},
		{"view": "space", "losses": "0.5,2,3"}, {"cagrad.c": "0.9", "fairgrad.alpha": "5"},
	} {
		picture := fmt.Sprint(values)
		values["method"] = every()
		s := with(t, values)
		rows := s.values.Plane
		if s.values.View == viewSpace {
			rows = s.values.Space
		}
		if len(s.arrows.Decisions) != len(weighting.Methods) {
			t.Fatalf("%d decisions of %d methods", len(s.arrows.Decisions), len(weighting.Methods))
		}
		for _, d := range s.arrows.Decisions {
			t.Run(d.Method.Name+", "+picture, func(t *testing.T) {
				settings := map[string]string{}
				for name, text := range values {
					if short, ok := strings.CutPrefix(name, d.Method.Name+"."); ok {
						settings[short] = text
					}
				}
				want, err := weigh.Apply(d.Method.Name, settings, input(rows, s.values.lossesFor(len(rows))))
				if (err != nil) != (d.Err != nil) {
					t.Errorf("%v, %s: error %v, weigh says %v", values, d.Method.Name, d.Err, err)
				}
				if err != nil {
					return
				}
				if floats.Distance(d.Direction, want.Direction, 2) > 1e-9*(1+want.Norm) || d.Status != want.Status ||
					math.Abs(s.arrows.Omega-want.Stationarity) > 1e-12*(1+want.Stationarity) {
					t.Errorf("%v, %s: direction %v, status %v, ω = %v; weigh says %+v", values, d.Method.Name, d.Direction, d.Status, s.arrows.Omega, want)
				}
			})
		}
	}
}

// TestPreferenceIsShares checks that the lab passes EPO a preference with sum 1 and the given ratios.
func TestPreferenceIsShares(t *testing.T) {
	values := map[string]string{"method": "epo", "gradients": "1,0;-2,1;0,1", "losses": "1,3,2"}
	equal := found(t, with(t, values), "epo").Weights
	values["epo.preference"] = "5,5,5"
	if got := found(t, with(t, values), "epo").Weights; !near(got, equal...) {
		t.Errorf("with 5,5,5 the weights are %v, with equal shares %v", got, equal)
	}
	values["epo.preference"] = "1,2,7"
	want, err := weigh.Apply("epo", map[string]string{"preference": "0.1,0.2,0.7"},
		input([][]float64{{1, 0}, {-2, 1}, {0, 1}}, []float64{1, 3, 2}))
	if err != nil {
		t.Fatal(err)
	}
	if got := found(t, with(t, values), "epo").Weights; !near(got, want.Weights...) {
		t.Errorf("with 1,2,7 the weights are %v, with its shares %v", got, want.Weights)
	}
	values["epo.preference"] = "1,2"
	if d := with(t, values).arrows.Decisions[0]; d.Err == nil || !strings.Contains(d.Err.Error(), "one number for each of 3 objectives") {
		t.Errorf("two numbers for three objectives: %v", d.Err)
	}
}

// TestPromises checks that, on the scene's gradients, every method keeps the promises that it makes for any gradients.
func TestPromises(t *testing.T) {
	tried := 0
	for _, p := range presets() {
		s := New()
		for name, text := range p.Values {
			if err := s.Params().Assign(name, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Params().Assign("method", every()); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		for i := range s.arrows.Decisions {
			t.Run(p.ID+", "+s.arrows.Decisions[i].Method.Name, func(t *testing.T) {
				d := &s.arrows.Decisions[i]
				for _, promise := range analysis.Promises {
					switch d.Verdict(promise) {
					case "promised, broken":
						t.Errorf("%s, %s: %s", p.ID, d.Method.Name, promise.Label)
					case "promised, holds":
						tried++
					}
				}
			})
		}
	}
	if tried < 100 {
		t.Errorf("only %d promises were tried", tried)
	}
	// Promises hold only for the default parameters.
	s := with(t, map[string]string{"method": "cagrad", "cagrad.c": "0.9"})
	if got := found(t, s, "cagrad").Verdict(analysis.Promises[2]); got == "promised, holds" {
		t.Errorf("a promise is made of c = 0.9: %s", got)
	}
}

// TestPresets checks each card's statements.
func TestPresets(t *testing.T) {
	opened := map[string]*Scene{}
	for _, p := range presets() {
		opened[p.ID] = with(t, p.Values)
	}
	turn := func(d, e *analysis.Decision) float64 { return math.Acos(analysis.Between(d, e)) * 180 / math.Pi }

	s := opened["opposite"]
	for _, name := range []string{"mgda", "pcgrad", "nashmtl"} {
		t.Run("opposite, "+name, func(t *testing.T) {
			if d := found(t, s, name); d.Norm > 1e-12 || (d.Status == algo.NoSolution) != (name == "nashmtl") {
				t.Errorf("opposite: %s has length %v, status %v", name, d.Norm, d.Status)
			}
		})
	}
	if list := s.arrows.Worsened(found(t, s, "ls")); !slices.Equal(list, []int{1}) {
		t.Errorf("opposite: linear scalarization makes %v worse", list)
	}

	s = opened["huge"]
	if list := s.arrows.Worsened(found(t, s, "ls")); !slices.Equal(list, []int{1}) {
		t.Errorf("huge: linear scalarization makes %v worse", list)
	}
	if d := found(t, s, "mgda"); !(d.Cosines[1] > d.Cosines[0]+0.3) {
		t.Errorf("huge: MGDA's cosines %v", d.Cosines)
	}
	if d := found(t, s, "imtlg"); math.Abs(d.Cosines[0]-d.Cosines[1]) > 1e-9 {
		t.Errorf("huge: IMTL-G's cosines %v", d.Cosines)
	}

	if analysis.SpaceCone(opened["pcgrad"].values.Space) == nil {
		t.Error("pcgrad: no direction serves all")
	}
	for _, order := range []string{"1,2;2,0;0,1", "2,1;2,0;0,1", "1,2;0,2;0,1", "2,1;0,2;0,1", "1,2;2,0;1,0", "2,1;2,0;1,0", "1,2;0,2;1,0",
		"2,1;0,2;1,0"} {
		values := map[string]string{"pcgrad.order": order}
		for _, p := range presets() {
			if p.ID == "pcgrad" {
				for name, text := range p.Values {
					values[name] = text
				}
			}
		}
		s := with(t, values)
		d := found(t, s, "pcgrad")
		if list := s.arrows.Worsened(d); len(list) == 0 {
			t.Errorf("pcgrad, order %s: no objective gets worse", order)
		}
		if list := s.arrows.Worsened(found(t, s, "upgrad")); len(list) > 0 {
			t.Errorf("pcgrad: UPGrad makes %v worse", list)
		}
	}

	s = opened["cagrad"]
	if angle := turn(found(t, s, "cagrad"), found(t, s, "ls")); angle > 1e-5 {
		t.Errorf("cagrad: at c = 0 it is %v° from the average", angle)
	}
	last := turn(found(t, s, "cagrad"), found(t, s, "mgda"))
	for _, c := range []string{"0.2", "0.5", "1", "3", "10"} {
		if err := s.Params().Assign("cagrad.c", c); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		angle := turn(found(t, s, "cagrad"), found(t, s, "mgda"))
		if angle > last+1e-9 {
			t.Errorf("cagrad: c = %s turns it away from MGDA, from %v° to %v°", c, last, angle)
		}
		last = angle
	}
	if last > 5 {
		t.Errorf("cagrad: at c = 10 it is %v° from MGDA", last)
	}

	s = opened["vertex"]
	if d := found(t, s, "mgda"); math.Abs(d.Weights[0]-1) > 1e-12 {
		t.Errorf("vertex: MGDA's weights %v", d.Weights)
	}
	if d := found(t, s, "upgrad"); slices.Min(d.Weights) <= 0 {
		t.Errorf("vertex: UPGrad's weights %v", d.Weights)
	}

	s = opened["nash"]
	if angle := turn(found(t, s, "nashmtl"), found(t, s, "fairgrad")); angle > 1e-4 {
		t.Errorf("nash: with α = 1 they are %v° apart", angle)
	}
	before := turn(found(t, s, "fairgrad"), found(t, s, "mgda"))
	if err := s.Params().Assign("fairgrad.alpha", "100"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if after := turn(found(t, s, "fairgrad"), found(t, s, "mgda")); after > 1 || before < 3*after {
		t.Errorf("nash: α = 100 brings FairGrad from %v° to %v° of MGDA", before, after)
	}
}

// TestFrame checks that every arrow of the default pictures and presets is drawn whole, in true or equal lengths. An
// arrow much longer than the gradients must extend beyond the picture, so that the gradients stay visible.
func TestFrame(t *testing.T) {
	pictures := []map[string]string{{}, {"view": "space"}, {"method": every()}, {"method": every(), "view": "space"}}
	for _, p := range presets() {
		pictures = append(pictures, p.Values)
	}
	for _, values := range pictures {
		s := with(t, values)
		for _, lengths := range []string{lengthsTrue, lengthsEqual, lengthsTrue} {
			if err := s.Params().Assign("lengths", lengths); err != nil {
				t.Fatal(err)
			}
			if err := s.Displayed(); err != nil {
				t.Fatal(err)
			}
			arrows := slices.Clone(s.values.Plane)
			if s.values.View == viewSpace {
				arrows = slices.Clone(s.values.Space)
			}
			for i := range s.arrows.Decisions {
				d := &s.arrows.Decisions[i]
				if v, ok := s.arrow(d); ok && floats.Norm(v, 2) <= longestSeen*slices.Max(s.arrows.Norms) {
					arrows = append(arrows, v)
				} else if ok && slices.Contains([]string{"ls", "mgda", "pcgrad", "cagrad", "upgrad"}, d.Method.Name) {
					t.Errorf("%v: the arrow of %s is %g long", values, d.Method.Name, floats.Norm(v, 2))
				}
			}
			for _, v := range arrows {
				inside := v[0] > s.axes.x0 && v[0] < s.axes.x1 && v[1] > s.axes.y0 && v[1] < s.axes.y1
				if s.values.View == viewSpace {
					inside = floats.Norm(v, 2) <= s.axes.reach*(1+1e-12)
				}
				if !inside {
					t.Errorf("%v, %s lengths: %v is outside %+v", values, lengths, v, s.axes)
				}
			}
		}
	}
	s := with(t, map[string]string{"gradients": "0.001,0;0,0.001", "method": "mgda,nashmtl"})
	if d := found(t, s, "nashmtl"); d.Norm < 100*s.arrows.Norms[0] {
		t.Fatalf("Nash-MTL's direction has length %g", d.Norm)
	}
	if wide := s.axes.x1 - s.axes.x0; wide > 10*0.001 {
		t.Errorf("gradients of length 0.001 are shown on %g", wide)
	}
}

// TestDrag checks that a dragged tip follows the pointer. In space the tip stays within the plane of the view.
func TestDrag(t *testing.T) {
	s := with(t, nil)
	before := s.axes
	name, text := s.Drag("g-2", 1, 1.5)
	if name != "gradients" || text != "3,0.2;1,1.5;-1.9,1.3" {
		t.Errorf("dragged: %s = %s", name, text)
	}
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.axes != before {
		t.Error("the axes moved under a tip")
	}
	if s.Drag("g-2", 100, 0); s.axes.x1 <= before.x1 {
		t.Error("a tip at the edge does not widen the axes")
	}
	for _, handle := range []string{"g-0", "g-4", "g-x", "marker", ""} {
		if name, _ := s.Drag(handle, 0, 0); name != "" {
			t.Errorf("%q drags %s", handle, name)
		}
	}
	s = with(t, map[string]string{"view": "space", "camera": "40,30,1"})
	camera := kinds.Camera(s.values.Camera)
	_, _, near := camera.Project([3]float64(s.values.Space[0]))
	name, text = s.Drag("g-1", 0.5, -0.25)
	if name != "gradients3" {
		t.Fatalf("dragged: %s", name)
	}
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	x, y, depth := camera.Project([3]float64(s.values.Space[0]))
	if math.Abs(x-0.5)+math.Abs(y+0.25)+math.Abs(depth-near) > 0.05 {
		t.Errorf("the tip is at %v, %v, depth %v, was %v", x, y, depth, near)
	}
	if name, text := s.Drag(kinds.CameraHandle, 190, 95); name != "camera" || text != "-170,90,1" {
		t.Errorf("turned: %s = %s", name, text)
	}
}

// TestUnit checks that a change of the first objective's unit scales the gradient and the value of this objective, and
// that a dragged tip stays under the pointer.
func TestUnit(t *testing.T) {
	for view, name := range map[string]string{"plane": "gradients", "space": "gradients3"} {
		s := with(t, map[string]string{"view": view, "unit": "10", "losses": "2,3"})
		rows, seen := s.values.Plane, func(g []float64) (x, y float64) { return g[0], g[1] }
		if view == "space" {
			rows = s.values.Space
			seen = func(g []float64) (x, y float64) {
				x, y, _ = kinds.Camera(s.values.Camera).Project([3]float64(g))
				return x, y
			}
		}
		for i, g := range s.gradients() {
			times := []float64{10, 1, 1}[i]
			for j := range g {
				if math.Abs(g[j]-times*rows[i][j]) > 1e-12 {
					t.Errorf("%s: gradient %d is %v, want %g times %v", view, i+1, g, times, rows[i])
				}
			}
		}
		if losses := s.values.lossesFor(3); !slices.Equal(losses, []float64{20, 3, 1}) {
			t.Errorf("losses %v", losses)
		}
		for i, handle := range []string{"g-1", "g-2"} {
			before := slices.Clone(s.gradients()[i])
			x, y := seen(before)
			dragged, text := s.Drag(handle, x, y)
			if err := s.Params().Assign(dragged, text); err != nil || dragged != name {
				t.Fatalf("%s, %s: %s = %s, error %v", view, handle, dragged, text, err)
			}
			if err := s.Restart(nil); err != nil {
				t.Fatal(err)
			}
			if after := s.gradients()[i]; floats.Distance(after, before, 2) > 0.01*s.axes.reach {
				t.Errorf("%s: %s held at %v is at %v", view, handle, before, after)
			}
		}
	}
}

// bring loads a visitor's file into the scene.
func bring(t testing.TB, s *Scene, p *data.Pasted) {
	t.Helper()
	if err := s.Paste(p); err != nil {
		t.Fatal(err)
	}
}

// pasted returns a random m×n Jacobian as a visitor's file.
func pasted(t testing.TB, m, n int, seed uint64) *data.Pasted {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for range m {
		for j := range n {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%.17g", r.NormFloat64()+0.3)
		}
		b.WriteByte('\n')
	}
	var reader data.PasteReader
	if _, err := reader.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	p, err := reader.Close()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPasted checks that a pasted Jacobian is processed in slices, and that the results agree with those of package weigh.
func TestPasted(t *testing.T) {
	s := with(t, map[string]string{"method": every(), "view": "data"})
	if s.Results() != nil || len(s.Readout().Rows) != 0 || !strings.Contains(s.waiting(), "No data") {
		t.Error("there are results without data")
	}
	p := pasted(t, 9, 40, 1)
	bring(t, s, p)
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	slices := 0
	for {
		once := true
		pending, err := s.Work(func() bool { was := once; once = false; return was })
		if err != nil {
			t.Fatal(err)
		}
		slices++
		if !pending {
			break
		}
		if r := s.Results().(*Results); !r.Pending {
			t.Fatal("work is pending and the results are not")
		}
	}
	if slices < 9+len(weighting.Methods) {
		t.Errorf("%d slices for 9 rows and %d methods", slices, len(weighting.Methods))
	}
	rows := make([][]float64, 9)
	for i := range rows {
		rows[i] = p.Jacobian().Row(i)
	}
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}
	for _, d := range s.data.Decisions {
		want, err := weigh.Apply(d.Method.Name, nil, input(rows, ones))
		if err != nil || d.Err != nil {
			t.Errorf("%s: %v, %v", d.Method.Name, err, d.Err)
			continue
		}
		if floats.Distance(d.Direction, want.Direction, 2) > 1e-8*(1+want.Norm) {
			t.Errorf("%s: direction %v, weigh says %v", d.Method.Name, d.Direction, want.Direction)
		}
	}
	// A change of methods keeps the Gramian.
	if err := s.Params().Assign("method", "mgda"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.data.Rows != 9 || len(s.data.Decisions) != 0 {
		t.Error("the Gramian is computed again")
	}
	// Gradients are weighed even if their products overflow. Predicted changes that overflow are left out.
	ordinary, huge := pasted(t, 2, 2, 3), pasted(t, 2, 2, 3)
	floats.Scale(1e200, huge.Jacobian().Data)
	bring(t, s, ordinary)
	if _, err := s.Work(always); err != nil {
		t.Fatal(err)
	}
	want := s.Results().(*Results).Methods[0]
	bring(t, s, huge)
	if pending, err := s.Work(always); pending || err != nil || s.waiting() != "" {
		t.Errorf("gradients whose products overflow: %v, %v, %s", pending, err, s.waiting())
	}
	got := s.Results().(*Results).Methods[0]
	if floats.Distance(got.Weights, want.Weights, 2) > 1e-12 || len(got.Worse) != len(want.Worse) || got.Change != nil || want.Change == nil {
		t.Errorf("gradients whose products overflow: %+v, others %+v", got, want)
	}
	drawAll(t, s)
}

// TestSmallGradients checks that gradients of any size are compared, counted and drawn like gradients of length 1. All
// numbers and positions must be finite.
func TestSmallGradients(t *testing.T) {
	for view, rows := range map[string][][]float64{
		viewPlane: {{3, 0.2}, {1.6, 1.8}, {-1.9, 1.3}},
		viewSpace: {{0.2, 2.7, -0.6}, {0.3, -2.5, -0.8}, {-2.4, -0.1, 1.7}},
	} {
		open := func(size float64) *Scene {
			var scaled [][]float64
			for _, row := range rows {
				scaled = append(scaled, slices.Clone(row))
				floats.Scale(size, scaled[len(scaled)-1])
			}
			name := "gradients"
			if view == viewSpace {
				name = "gradients3"
			}
			return with(t, map[string]string{"view": view, name: param.FormatRows(scaled), "method": every()})
		}
		base := open(1)
		for _, size := range []float64{1e-300, 1e-200, 1e-160, 1e-100} {
			s := open(size)
			for _, p := range s.Panels() {
				if err := new(axes.Trial).Try(p, brush.Frame{Width: 640, Height: 440, Theme: brush.Light}); err != nil {
					t.Errorf("gradients of %g: %v", size, err)
				}
			}
			results := s.Results().(*Results)
			if _, err := json.Marshal(results); err != nil {
				t.Errorf("gradients of %g: %v", size, err)
			}
			want := base.Results().(*Results)
			if results.Conflicts != want.Conflicts || results.Stationarity == nil ||
				math.Abs(*results.Stationarity/size-*want.Stationarity) > 1e-9 {
				t.Errorf("gradients of %g: %+v", size, results)
			}
			for i, m := range results.Methods {
				// Rules that do not scale with the gradients may take different steps.
				if weighting.Methods[i].Promises.Homogeneous && !slices.Equal(m.Worse, want.Methods[i].Worse) {
					t.Errorf("gradients of %g: %s makes %v worse, others %v", size, m.Method, m.Worse, want.Methods[i].Worse)
				}
				for promise, verdict := range m.Promises {
					if verdict == "promised, broken" {
						t.Errorf("gradients of %g: %s breaks %s", size, m.Method, promise)
					}
				}
			}
			if view == viewSpace && (analysis.SpaceCone(s.arrows.UnitRows()) == nil) != (analysis.SpaceCone(base.arrows.UnitRows()) == nil) {
				t.Errorf("gradients of %g: the cone is another", size)
			}
		}
	}
	// EPO's linear program once had invalid numbers here.
	s := with(t, map[string]string{"gradients": "1e-200,0;0,1e-200", "method": "epo"})
	if d := found(t, s, "epo"); len(d.Weights) != 2 || math.Abs(d.Weights[0]+d.Weights[1]-1) > 1e-12 || d.Status != algo.Converged {
		t.Errorf("EPO of tiny gradients: %v, %v", d.Weights, d.Status)
	}
	drawAll(t, s)
}

// TestEffectiveWeights checks that the bars, the table, the descriptions and the facts show the direction's
// coefficients. They must also show the method's own weights if these differ from the coefficients.
func TestEffectiveWeights(t *testing.T) {
	values := map[string]string{"method": "ls,mgda,cagrad,graddrop", "cagrad.c": "0"}
	s := with(t, values)
	cagrad, mgda := found(t, s, "cagrad"), found(t, s, "mgda")
	const third = 1. / 3
	if !near(cagrad.Effective, third, third, third) || !near(cagrad.Weights, 0, 0, 1) {
		t.Errorf("CAGrad at c = 0: effective %v, its own %v", cagrad.Effective, cagrad.Weights)
	}
	if v, total, ok := cagrad.Share(0); !ok || math.Abs(v-third) > 1e-12 || math.Abs(total-1) > 1e-12 {
		t.Errorf("CAGrad's bar is %v of %v", v, total)
	}
	for name, want := range map[string]float64{
		"effective.cagrad.1": third, "weight.cagrad.1": 0, "weight.cagrad.3": 1,
		"effective.mgda.3": mgda.Weights[2], "weight.mgda.3": mgda.Weights[2],
		"effective.graddrop.1": math.NaN(), "weight.graddrop.1": math.NaN(),
	} {
		if got := scenetest.Fact(t, s.Facts(), name); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	texts, _ := scenetest.Draw(t, s, 640, 440, brush.Light)
	drawn := strings.Join(texts, "\n")
	for _, text := range []string{"own weights λ = (0, 0, 1)", "direction without weights"} {
		if strings.Count(drawn, text) != 1 {
			t.Errorf("%q is not drawn once: %q", text, texts)
		}
	}
	// In a small panel the note is short.
	texts, _ = scenetest.Draw(t, s, 300, 300, brush.Light)
	if drawn := strings.Join(texts, "\n"); !strings.Contains(drawn, "its own weights differ") || strings.Contains(drawn, "own weights λ") {
		t.Errorf("on a narrow panel: %q", texts)
	}
	words := s.bars[0].Describe()
	if !strings.Contains(words, "CAGrad has its own weights λ, which differ from c") || !strings.Contains(words, "GradDrop has no weights") ||
		!strings.Contains(words, "MGDA leaves out f₂") || strings.Count(words, "own weights") != 1 {
		t.Errorf("described as %q", words)
	}
	cells := map[string][]string{}
	for _, row := range s.Readout().Rows {
		cells[row.Method] = row.Cells[:2]
	}
	for method, want := range map[string][]string{
		"cagrad": {"(0.3333, 0.3333, 0.3333)", "(0, 0, 1)"}, "ls": {"(0.3333, 0.3333, 0.3333)", "the same"}, "graddrop": {"–", "–"},
	} {
		if !slices.Equal(cells[method], want) {
			t.Errorf("%s: cells %q, want %q", method, cells[method], want)
		}
	}
	// Every method's direction is the sum of the gradients weighted by the method's bars.
	s = with(t, map[string]string{"method": every(), "losses": "1,2,3"})
	for i := range s.arrows.Decisions {
		d := &s.arrows.Decisions[i]
		if d.Effective == nil {
			if d.Method.Name != "graddrop" {
				t.Errorf("%s has no effective weights", d.Method.Name)
			}
			continue
		}
		combined := make([]float64, 2)
		s.arrows.Jacobian.Combine(combined, d.Effective)
		if floats.Distance(combined, d.Direction, 2) > 1e-12*(1+d.Norm) {
			t.Errorf("%s: Gᵀc = %v, direction %v", d.Method.Name, combined, d.Direction)
		}
	}
}

func near(got []float64, want ...float64) bool {
	return len(got) == len(want) && floats.Distance(got, want, math.Inf(1)) <= 1e-12
}

// TestPastedOnce checks that, on a large Jacobian, a picture names each method before that method is evaluated, and that no
// method is evaluated twice for the same data.
func TestPastedOnce(t *testing.T) {
	s := with(t, map[string]string{"method": "ls,mgda,cagrad", "view": "data"})
	bring(t, s, pasted(t, 50, 2000, 1))
	// asked lets the scene work until nothing is pending, and returns the methods that the pictures named meanwhile.
	asked := func() (titles []string) {
		t.Helper()
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		keys := map[string]bool{}
		for slice := 0; ; slice++ {
			pending, err := s.Work(always)
			if err != nil || slice > 30 {
				t.Fatalf("after %d slices: pending %v, %v", slice, pending, err)
			}
			if keys[s.sheetKey()] {
				t.Errorf("slice %d has the picture of one before it", slice)
			}
			keys[s.sheetKey()] = true
			if !pending {
				return titles
			}
			title, ok := strings.CutPrefix(s.waiting(), "Computing ")
			title, _, _ = strings.Cut(title, ",")
			if !ok {
				t.Fatalf("the picture says %q", s.waiting())
			}
			titles = append(titles, title)
		}
	}
	change := func(name, text string) {
		t.Helper()
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if got := asked(); !slices.Equal(got, want) {
			t.Errorf("%s: asked are %q, want %q", what, got, want)
		}
	}
	expect("at first", "Mean", "MGDA", "CAGrad")
	before := s.data.Decisions
	expect("the same again")
	change("method", "ls,mgda,cagrad,upgrad")
	expect("with one more", "UPGrad")
	for i, d := range before {
		if now := s.data.Decisions[i]; now.Method.Name != d.Method.Name || !slices.Equal(now.Direction, d.Direction) {
			t.Errorf("%s is now %s", d.Method.Name, now.Method.Name)
		}
	}
	change("cagrad.c", "0.7")
	expect("with another parameter", "CAGrad")
	if slices.Equal(found(t, s, "cagrad").Direction, before[2].Direction) {
		t.Error("CAGrad decides the same with another parameter")
	}
	change("method", "ls,mgda,upgrad")
	expect("with one less")
	change("eta", "0.3")
	expect("with another step size")
	change("seed", "9")
	expect("with another seed", "Mean", "MGDA", "UPGrad")
}

// TestPastedLargest checks the results and the pictures of the largest Jacobian that may be pasted, with one method of
// each kind. The results must be small enough for a state.
func TestPastedLargest(t *testing.T) {
	s := with(t, map[string]string{"method": "ls,mgda,pcgrad", "view": "data"})
	bring(t, s, pasted(t, data.MaxPastedRows, data.MaxPastedColumns, 4))
	for pending := true; pending; {
		var err error
		if pending, err = s.Work(always); err != nil {
			t.Fatal(err)
		}
	}
	results := s.Results().(*Results)
	if results.Pending || len(results.Methods) != 3 || results.Methods[1].Norm != *results.Stationarity {
		t.Errorf("results %+v", results)
	}
	data, err := json.Marshal(results)
	if err != nil || len(data) > 64<<10 {
		t.Errorf("the state holds %d bytes of results: %v", len(data), err)
	}
	drawAll(t, s)
}

// marks counts the calls that draw something, but not those that choose a colour or a pen.
func marks(actions []recorder.Action) int {
	n := 0
	for _, a := range actions {
		switch a.(type) {
		case *recorder.Fill, *recorder.Stroke, *recorder.FillString, *recorder.DrawImage:
			n++
		}
	}
	return n
}

// drawAll draws every panel in both themes at all widths.
func drawAll(t testing.TB, s *Scene) {
	t.Helper()
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		for _, size := range [][2]vg.Length{{320, 300}, {640, 440}, {1, 1}} {
			for _, p := range s.Panels() {
				f := brush.Frame{Width: size[0], Height: size[1], Theme: theme}
				var c recorder.Canvas
				for _, l := range p.Layers(f) {
					l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: size[0], Y: size[1]}}})
				}
				if n := marks(c.Actions); size[0] > 1 && n < 7 { // paper, axes, heading and a waiting text
					t.Errorf("%s at %v: %d marks", p.ID(), size, n)
				}
				if p.Describe() == "" {
					t.Errorf("%s is not described", p.ID())
				}
				p.Handles(f)
				p.Pick(f, vg.Point{X: size[0] / 2, Y: size[1] / 2})
			}
		}
	}
}

// TestDrawing checks that every view and every degenerate case is drawn.
func TestDrawing(t *testing.T) {
	for _, values := range []map[string]string{
		{}, {"method": every()}, {"view": "space", "method": every()}, {"view": "data"}, {"gradients": "0,0;0,0"},
		{"gradients": "1,0;-1,0", "method": every()}, {"gradients": "1,0;1,0"}, {"gradients": "1,0;2,0;3,0"}, {"gradients": "1,0;-1,0;0,1"},
		{"view": "space", "gradients3": "0,0,0;0,0,0"}, {"view": "space", "gradients3": "1,0,0;-1,0,0"}, {"lengths": "equal",
			"camera": "0,90,4", "view": "space"},
	} {
		drawAll(t, with(t, values))
	}
	for _, m := range []int{1, 3, 7, 40} {
		s := with(t, map[string]string{"method": "ls,mgda,pcgrad,graddrop,nashmtl", "view": "data"})
		bring(t, s, pasted(t, m, 5, 2))
		drawAll(t, s) // not computed yet
		if _, err := s.Work(always); err != nil {
			t.Fatal(err)
		}
		drawAll(t, s)
	}
}

// TestTables checks that the readout, the results and the CSV file have the same numbers.
func TestTables(t *testing.T) {
	s := with(t, map[string]string{"method": every(), "gradients": "2,0;-1,0"})
	readout := s.Readout()
	results := s.Results().(*Results)
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const head = "method,status,norm,weight1,weight2,change1,change2,direction1,direction2,effective1,effective2"
	if strings.Join(lines[0], ",") != head {
		t.Errorf("head %v", lines[0])
	}
	for i, m := range weighting.Methods {
		t.Run(m.Name, func(t *testing.T) {
			if readout.Rows[i].Method != m.Name || results.Methods[i].Method != m.Name || lines[i+1][0] != m.Name ||
				lines[i+1][1] != results.Methods[i].Status {
				t.Errorf("row %d: %s, %s, %v, want %s", i, readout.Rows[i].Method, results.Methods[i].Method, lines[i+1][:2], m.Name)
			}
			if len(readout.Rows[i].Cells) != len(readout.Columns) {
				t.Errorf("%s: %d cells in %d columns", m.Name, len(readout.Rows[i].Cells), len(readout.Columns))
			}
		})
	}
	if results.Cone.Kind != "line" || results.Conflicts != 1 || *results.Cosines[0][1] != -1 || *results.Stationarity != 0 {
		t.Errorf("results %+v", results)
	}
	if _, err := json.Marshal(results); err != nil {
		t.Error(err)
	}
}

// TestParameters checks that the scene has every parameter of every method, under the method's name, and that changing
// any of them restarts the scene.
func TestParameters(t *testing.T) {
	s := New()
	for _, m := range weighting.Methods {
		t.Run(m.Name, func(t *testing.T) {
			for _, d := range m.Parameters() {
				got, ok := s.Params().Lookup(m.Name + "." + d.Name)
				if !ok || got.Method != m.Name || got.Effect != param.Restart {
					t.Errorf("%s.%s: %v, %+v", m.Name, d.Name, ok, got)
				}
			}
		})
	}
	if len(Methods) != len(weighting.Methods) {
		t.Errorf("%d methods are offered of %d", len(Methods), len(weighting.Methods))
	}
}

// TestAngleAndCircle checks that the picture shows the widest angle in degrees, the circle through the hull's shortest
// point, and its tangent there. Every gradient must be beyond the tangent.
func TestAngleAndCircle(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		angle  string
	}{
		{map[string]string{"gradients": "1,0;0,2"}, "90°"},
		{map[string]string{"gradients": "1,0;-0.6,1.8"}, "108°"},
		{map[string]string{"gradients": "2,0;-1,0"}, "180°"},
		{map[string]string{"gradients": "0,0;1,0"}, ""},
		{nil, "142°"},
		{map[string]string{"view": viewSpace}, "115°"},
		{map[string]string{"view": viewSpace, "gradients3": "1,0,0;-1,0,0"}, "180°"},
	} {
		s := with(t, c.values)
		texts, _ := scenetest.Draw(t, s, 640, 440, brush.Light)
		found := slices.ContainsFunc(texts, func(text string) bool { return text == c.angle })
		if found != (c.angle != "") {
			t.Errorf("%v: %q is written: %v", c.values, c.angle, found)
		}
	}
	for _, values := range []map[string]string{nil, {"view": viewSpace}, {"gradients": "1,0.3;2,1.6;2.4,-0.9"}} {
		a := with(t, values).arrows
		if !a.Circled() {
			t.Errorf("%v: there is no circle", values)
		}
		for i := range a.Jacobian.Rows {
			if far := floats.Dot(a.Jacobian.Row(i), a.Shortest); far < a.Omega*a.Omega*(1-1e-9) {
				t.Errorf("%v: gradient %d lies before the line", values, i+1)
			}
		}
	}
	if with(t, map[string]string{"gradients": "2,0;-1,0"}).arrows.Circled() {
		t.Error("there is a circle through the origin")
	}
}

// TestHeldAxes checks that the axes of the bars are fixed while a tip is dragged, and that they fit the bars again
// after the release and after any other change.
func TestHeldAxes(t *testing.T) {
	s := with(t, map[string]string{"method": "ls,mgda,cagrad"})
	change := s.bars[1].(*axes.Plane)
	shown := func() [2]float64 {
		x, _ := change.Axes()
		return [2]float64{x.Min, x.Max}
	}
	drag := func(x, y float64) {
		t.Helper()
		name, text := s.Drag("g-3", x, y)
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
	}
	before := shown()
	drag(-1.95, 1.2)
	drag(-1.9, 1.1)
	if lo, hi := s.charts[1].extent(s.arrows); before == [2]float64{lo, hi} {
		t.Error("the bars are the same")
	}
	if got := shown(); got != before {
		t.Errorf("during a drag the axis goes from %v to %v", before, got)
	}
	drag(3, 5)
	if got := shown(); got != before {
		t.Errorf("at its end the axis goes to %v", got)
	}
	heads := func() int {
		var r recorder.Canvas
		change.Layers(brush.Frame{Width: 640, Height: 440, Theme: brush.Light})[1].Draw(draw.NewCanvas(&r, 640, 440))
		return marks(r.Actions)
	}
	beyond := heads()
	s.Released()
	if lo, hi := s.charts[1].extent(s.arrows); shown() != [2]float64{lo, hi} {
		t.Errorf("after the drag the axis is %v, the bars want %v", shown(), [2]float64{lo, hi})
	}
	if within := heads(); beyond <= within {
		t.Errorf("bars beyond the axis take %d marks, within it %d", beyond, within)
	}
	drag(1, 1)
	if err := s.Params().Assign("method", "ls"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if lo, hi := s.charts[1].extent(s.arrows); shown() != [2]float64{lo, hi} {
		t.Errorf("after another change the axis is %v", shown())
	}
}

// TestBarsHaveShapes checks that the bars' legend gives each of six objectives its own shape, in addition to its grey.
func TestBarsHaveShapes(t *testing.T) {
	s := with(t, map[string]string{"gradients": "1,0;1,1;0,1;-1,1;-1,2;2,-1"})
	shapes := map[brush.Shape]bool{}
	for _, e := range s.objectiveLegend(brush.Light) {
		shapes[e.Shape] = e.Fill != nil
	}
	if len(shapes) != 6 {
		t.Errorf("six objectives have %d shapes", len(shapes))
	}
}

// TestOpenedPlainly checks that the scene opens with a plain picture, which shows the steps but not the hull, its
// shortest point or the circle. The default value of the switch must show these three instead of the steps.
func TestOpenedPlainly(t *testing.T) {
	has := func(values map[string]string, word string) bool {
		texts, _ := scenetest.Draw(t, with(t, values), 1130, 560, brush.Light)
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	}
	for _, view := range []string{viewPlane, viewSpace} {
		for _, word := range []string{"hull", "shortest point", "circle"} {
			if has(map[string]string{"view": view, hullName: About.Opens[hullName]}, word) || !has(map[string]string{"view": view}, word) {
				t.Errorf("%s: %q is in the plain picture, or missing in the other", view, word)
			}
		}
		const word = "where each step leads"
		if !has(map[string]string{"view": view, hullName: "false"}, word) || has(map[string]string{"view": view}, word) {
			t.Errorf("%s: %q is not in the plain picture alone", view, word)
		}
	}
}

// TestArrowsGrow checks that, when the scene opens, the gradients grow first, then the directions, then the steps, and
// that the animation ends with the picture that is shown without animation.
func TestArrowsGrow(t *testing.T) {
	s := with(t, map[string]string{hullName: "false"})
	calls := func() int {
		_, calls := scenetest.Draw(t, s, 1130, 560, brush.Light)
		return calls
	}
	end := calls()
	s.unfolded.Animate(true)
	s.unfolded.Pour()
	first := calls()
	for s.unfolded.Flows() {
		if now := calls(); now < first {
			t.Fatalf("at a share of %v there are %d strokes, at first %d", s.unfolded.Share(), now, first)
		}
		for range 10 {
			if _, err := s.unfolded.Flow(0.1, always); err != nil {
				t.Fatal(err)
			}
		}
	}
	if now := calls(); now != end || first >= end {
		t.Errorf("%d strokes became %d, without motion there are %d", first, now, end)
	}
}
