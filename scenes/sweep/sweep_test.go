package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// small returns settings for a sweep of all methods over six vectors with three passes each.
func small(further ...string) map[string]string {
	out := map[string]string{"method": all, "p": "2", "passes": "3", "N": "64", "d": "5", "batch": "16", "r": "2"}
	for i := 0; i < len(further); i += 2 {
		out[further[i]] = further[i+1]
	}
	return out
}

// TestEndsAreRuns checks that a vector's part of the sweep ends where a separate run with this vector ends, and that
// rows name the vector.
func TestEndsAreRuns(t *testing.T) {
	s := opened(t, small("order", "cyclic", "partition", partitionRows, "seed", "7"))
	train, test, err := problem.RandomRegression(problem.RegressionConfig{Train: 64, Test: 16, Features: 5, Responses: 3, TrueRank: 3,
		Noise: s.values.Sigma, UnitResponses: true, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	learn, err := problem.NewReducedRank(train, problem.ReducedRankConfig{Rank: 2})
	if err != nil {
		t.Fatal(err)
	}
	check, err := problem.NewReducedRank(test, problem.ReducedRankConfig{Rank: 2})
	if err != nil {
		t.Fatal(err)
	}
	details, err := s.Extras().Details()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.ends) != len(Methods) {
		t.Fatalf("%d runs", len(s.ends))
	}
	for run, e := range s.ends {
		method := Methods[run].ID
		result := details.(map[string]Result)[method]
		if len(result.Points) != 6 {
			t.Fatalf("%s has %d points", method, len(result.Points))
		}
		for i, m := range vectorsOf(2) {
			one, err := blocks.New(sweeps.Special(method, blocks.Config{Problem: learn, Start: learn.Start(7, 0), Frequencies: m,
				Blocks: [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 11, 12}, {13, 14, 15}}, Order: blocks.Cyclic, StepSize: s.values.Alpha,
				Batch: 16, Seed: 7}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := one.Advance(3 * 64 / 16); err != nil {
				t.Fatal(err)
			}
			f := make([]float64, 3)
			check.Values(f, one.View().X)
			p := result.Points[i]
			if !slices.Equal(p.M, m) || !slices.Equal(p.Train, one.View().F) || !slices.Equal(p.F, f) {
				t.Errorf("%s, m = %v: %+v, want %v and %v", method, m, p, one.View().F, f)
			}
			row, err := s.Timeline().At(e.run, 3*(i+1))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(row.X, one.View().X) || row.Number(vectorName) != float64(i+1) || row.Number(passName) != 3 ||
				!slices.Equal(row.Value(testName), f) || row.Value(timesName)[1] != float64(m[1]) {
				t.Errorf("%s, m = %v: the row says vector %v, m = %v, pass %v, %v", method, m, row.Number(vectorName), row.Value(timesName),
					row.Number(passName), row.Value(testName))
			}
		}
	}
}

// TestSummaries checks that, at every iteration, the facts about the fronts agree with package pareto, applied to the
// displayed losses.
func TestSummaries(t *testing.T) {
	s := opened(t, small())
	for _, loss := range []string{lossTest, lossTrain} {
		if err := s.Params().Assign("loss", loss); err != nil {
			t.Fatal(err)
		}
		for k := range s.Timeline().Latest() + 1 {
			s.Timeline().SetMarker(k)
			n := k / 3
			if got := scenetest.Fact(t, s.Facts(), "done"); got != float64(n) {
				t.Fatalf("k = %d: %v vectors are done", k, got)
			}
			sets := make([][][]float64, len(s.ends))
			for run, e := range s.ends {
				for i := range n {
					f := e.end(test, i)
					if loss == lossTrain {
						f = e.end(train, i)
					}
					sets[run] = append(sets[run], f)
				}
			}
			want, _, err := pareto.Compare(sets...)
			if err != nil {
				t.Fatal(err)
			}
			for run, m := range Methods {
				fact := func(name string) float64 { return scenetest.Fact(t, s.Facts(), name+"."+m.ID) }
				if n == 0 {
					if v := fact(viewPurity); v == v || fact("front") != 0 || !math.IsNaN(fact("mean")) {
						t.Errorf("before any vector is done purity is %v", v)
					}
					continue
				}
				q := want[run]
				if fact(viewPurity) != q.Purity || fact(viewGamma) != q.Gamma || q.HasDelta && fact(viewDelta) != q.Delta ||
					fact("front") != float64(len(q.Front)) || math.Abs(fact("kept")-q.Purity*float64(len(q.Front))) > 1e-9 {
					t.Errorf("%s after %d vectors: purity %v, Γ %v, Δ %v, want %+v", m.ID, n, fact(viewPurity), fact(viewGamma), fact(viewDelta), q)
				}
			}
		}
	}
}

// TestExcess checks that no run ends below the minimum of its weighted sum, and that means cover only vectors in which
// every objective has turns.
func TestExcess(t *testing.T) {
	s := opened(t, small("p", "4"))
	for run, e := range s.ends {
		var sum, count float64
		for i, w := range s.grid.weights {
			least := sweeps.Weighted(w, s.optima[i].losses[train])
			own := sweeps.Weighted(w, e.end(train, i))
			if own < least*(1-1e-9) {
				t.Errorf("%s, m = %v: F_m = %v is less than %v", e.run.Title, s.grid.vectors[i], own, least)
			}
			if slices.Min(s.grid.vectors[i]) > 0 {
				sum += own/least - 1
				count++
			}
		}
		got := scenetest.Fact(t, s.Facts(), "excess."+Methods[run].ID)
		if count != 3 || math.Abs(got-sum/count) > 1e-9*got {
			t.Errorf("%s: mean %v of %v vectors, want %v", e.run.Title, got, count, sum/count)
		}
		passed := s.passes()
		if last := passed.mean[run][s.values.Passes]; math.Abs(last-got) > 1e-9*got {
			t.Errorf("%s: the curve ends at %v, the fact is %v", e.run.Title, last, got)
		}
	}
}

// TestDiverged checks that a vector with which a method diverges is marked and has no point. The sweep must go on, and
// the method's other vectors must end as in separate runs.
func TestDiverged(t *testing.T) {
	s := opened(t, small("alpha", "0.5", "passes", "40"))
	details, err := s.Extras().Details()
	if err != nil {
		t.Fatal(err)
	}
	lost, partly, after := 0, 0, 0
	for run, e := range s.ends {
		if n := e.finished(len(e.sums)); n != 6 || e.run.Status() != algo.Budget {
			t.Errorf("%s has gone through %d vectors with status %v", e.run.Title, n, e.run.Status())
		}
		if len(e.failed) > 0 && len(e.failed) < 6 {
			partly++
		}
		lost += len(e.failed)
		m, points := s.summary(6), details.(map[string]Result)[e.run.Name].Points
		for i := range 6 {
			gone := e.lost(i)
			if gone != (m.points[run][i] == nil) || gone != (m.standings[run][i] == diverged) || gone != (points[i].F == nil) {
				t.Errorf("%s, vector %d: diverged %v, points %v and %+v", e.run.Title, i+1, gone, m.points[run][i], points[i])
			}
			if !gone && i > 0 && e.lost(i-1) {
				after++
			}
		}
		if got := scenetest.Fact(t, s.Facts(), "diverged."+e.run.Method); got != float64(len(e.failed)) {
			t.Errorf("%s diverged with %v vectors, want %d", e.run.Title, got, len(e.failed))
		}
		said := strings.Contains(s.space.Describe(), "The method diverged for "+numeral.Counted(len(e.failed), "vector"))
		if len(e.failed) > 0 && !said {
			t.Errorf("%q does not say that %s diverged with %d vectors", s.space.Describe(), e.run.Title, len(e.failed))
		}
	}
	if lost == 0 || partly == 0 || after == 0 {
		t.Fatalf("%d vectors diverge, of %d methods some, and %d do not after one that does", lost, partly, after)
	}
	look(t, s)
	legend := s.points(brush.Light)
	if last := legend[len(legend)-1]; last.Shape != brush.Cross {
		t.Errorf("the legend ends with %+v", last)
	}
	if _, err := json.Marshal(details); err != nil {
		t.Error(err)
	}
	s.Timeline().SetMarker(0)
	for _, m := range Methods {
		if got := scenetest.Fact(t, s.Facts(), "diverged."+m.ID); got != 0 {
			t.Errorf("at the start %s has diverged with %v vectors", m.ID, got)
		}
	}
}

func TestRefused(t *testing.T) {
	s := New()
	for name, text := range map[string]string{"N": "32", "batch": "64"} {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	var e *algo.RangeError
	if err := s.Restart(nil); !errors.As(err, &e) || e.Name != "batch" {
		t.Errorf("a batch of more than all: %v", err)
	}
}

// TestGridOfNeighbours checks the numbers of edges and faces of a triangle with p turns on a side.
func TestGridOfNeighbours(t *testing.T) {
	for _, p := range []int{1, 2, 10} {
		g := newGrid(vectorsOf(p))
		if len(g.edges) != 3*p*(p+1)/2 || len(g.faces) != p*p {
			t.Errorf("p = %d: %d edges and %d faces", p, len(g.edges), len(g.faces))
		}
		near := func(i, j int) bool {
			away := 0
			for k, v := range g.vectors[i] {
				away += max(v-g.vectors[j][k], g.vectors[j][k]-v)
			}
			return away == 2
		}
		for _, e := range g.edges {
			if !near(e[0], e[1]) {
				t.Errorf("%v and %v are not neighbours", g.vectors[e[0]], g.vectors[e[1]])
			}
		}
		for _, f := range g.faces {
			if !near(f[0], f[1]) || !near(f[1], f[2]) || !near(f[2], f[0]) {
				t.Errorf("face %v", f)
			}
		}
	}
}

// TestOrderOfVectors checks that every vector runs once, and that each vector is near one that runs in the first
// quarter of the sweep.
func TestOrderOfVectors(t *testing.T) {
	for _, p := range []int{1, 2, 10, 20} {
		list := vectorsOf(p)
		all := blocks.Grid(p, objectives)
		for _, m := range all {
			if !slices.ContainsFunc(list, func(other []int) bool { return slices.Equal(m, other) }) {
				t.Errorf("p = %d: %v has no turn", p, m)
			}
		}
		if len(list) != len(all) {
			t.Errorf("p = %d: %d turns for %d vectors", p, len(list), len(all))
		}
		if p < 10 {
			continue
		}
		for _, m := range all {
			nearest := p
			for _, first := range list[:len(list)/4] {
				away := 0
				for k, v := range m {
					away = max(away, v-first[k], first[k]-v)
				}
				nearest = min(nearest, away)
			}
			if nearest > p*3/10 {
				t.Errorf("p = %d: a quarter of the sweep comes no nearer to %v than %d turns", p, m, nearest)
			}
		}
	}
}

// look draws every panel at all levels of detail in both themes, and returns the drawn texts.
func look(t testing.TB, s *Scene) (texts []string) {
	t.Helper()
	for {
		if pending, err := s.Work(func() bool { return true }); err != nil || !pending {
			break
		}
	}
	for _, p := range s.Panels() {
		for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
			for _, detail := range []brush.Detail{brush.Full, brush.Mini, brush.Thumbnail} {
				f := brush.Frame{Width: 500, Height: 360, Theme: theme, Detail: detail}
				var r recorder.Canvas
				for _, l := range p.Layers(f) {
					l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
				}
				for _, a := range r.Actions {
					if strings.Contains(a.Call(), "NaN") || strings.Contains(a.Call(), "Inf") {
						t.Fatalf("%s: %s", p.ID(), a.Call())
					}
					if w, ok := a.(*recorder.FillString); ok {
						texts = append(texts, w.String)
					}
				}
			}
		}
		if words := p.Describe(); words == "" || strings.Contains(words, "Inf") {
			t.Errorf("%s: %q", p.ID(), words)
		}
		for _, e := range s.ends {
			for _, k := range []int{-1, 0, 5, s.Timeline().Latest()} {
				var r recorder.Canvas
				f := brush.Frame{Width: 500, Height: 360, Theme: brush.Light}
				if l, ok := p.(axes.Linking).Mark(f, axes.Pick{Run: e.run.Name, K: k}); ok {
					l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
				}
			}
		}
	}
	return texts
}

// TestPictures checks that every panel can be drawn at every iteration, for sweeps of every size.
func TestPictures(t *testing.T) {
	for _, set := range []map[string]string{
		small(), small("p", "1", "passes", "1"), small("p", "20", "passes", "1", "method", sweeps.BlockSMOO),
		small("r", "3", "sigma", "0", "view", viewDelta), small("loss", lossTrain, "view", viewGamma), small("budget", "4", "view", viewMean),
	} {
		s := scenetest.Open(t, New(), set)
		look(t, s)
		for _, n := range []int{1, 3, 4, -1} {
			scenetest.Step(t, s, n)
			s.Timeline().SetMarker(s.Timeline().Latest())
			look(t, s)
		}
		for _, k := range []int{0, 1, 4} {
			s.Timeline().SetMarker(k)
			look(t, s)
		}
	}
}

// TestPointUnderPointer checks that the point under the pointer belongs to the same run and vector in the front and in
// the triangle.
func TestPointUnderPointer(t *testing.T) {
	s := opened(t, map[string]string{"p": "4", "passes": "5"})
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	for _, p := range s.Panels()[:2] {
		seen := map[string]bool{}
		for x := 0.; x < 600; x += 3 {
			for y := 0.; y < 400; y += 3 {
				if pick, ok := p.Pick(f, at(x, y)); ok && pick.Run != "" {
					if pick.K%5 != 0 || pick.K < 5 || pick.K > 75 || len(pick.Lines) != 5 ||
						!strings.Contains(pick.Lines[0], times(s.grid.vectors[pick.K/5-1])) {
						t.Fatalf("%s: %+v", p.ID(), pick)
					}
					seen[fmt.Sprint(pick.Run, pick.K)] = true
				}
			}
		}
		if len(seen) < 25 {
			t.Errorf("%s: %d of 30 points are found", p.ID(), len(seen))
		}
	}
	rings := func(k int) (n int) {
		for _, p := range s.Panels() {
			var r recorder.Canvas
			if l, ok := p.(axes.Linking).Mark(f, axes.Pick{Run: sweeps.BlockSMOO, K: k}); ok {
				l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
			}
			if len(r.Actions) > 0 {
				n++
			}
		}
		return n
	}
	if got := rings(35); got != 4 {
		t.Errorf("vector 7 is marked in %d panels", got)
	}
	s.Timeline().SetMarker(20)
	if e, _, ok := s.pointed(sweeps.BlockSMOO, 35); ok || e == nil {
		t.Error("a vector that is to come has a point")
	}
}

// TestTurnAndMarker checks that dragging the camera turns it, and that dragging the marker moves it to the iteration at
// which the given number of vectors is done.
func TestTurnAndMarker(t *testing.T) {
	s := opened(t, small())
	if name, text := s.Drag(kinds.CameraHandle, 30.2, 95); name != "camera" || text != "30,90,1" {
		t.Errorf("%s = %s", name, text)
	}
	for x, want := range map[float64]int{-1: 0, 2: 6, 3.4: 10, 99: 18} {
		if s.Drag(kinds.MarkerHandle, x, 0); s.Timeline().Marker() != want {
			t.Errorf("%v vectors are at %d, want %d", x, s.Timeline().Marker(), want)
		}
	}
}

// TestReplay checks that a dropped row is recomputed with all its records, whichever vector it belongs to.
func TestReplay(t *testing.T) {
	s := opened(t, small("passes", "50"))
	run := s.ends[0].run
	var want []timeline.Row
	for k := range run.Last() + 1 {
		row, err := s.Timeline().At(run, k)
		if err != nil {
			t.Fatal(err)
		}
		row.X, row.F = slices.Clone(row.X), slices.Clone(row.F)
		want = append(want, row)
	}
	again := New()
	again.Timeline().SetLimit(20_000)
	scenetest.Open(t, again, small("passes", "50"))
	scenetest.Step(t, again, -1)
	if again.ends[0].run.Len() > 200 {
		t.Fatalf("%d rows are kept", again.ends[0].run.Len())
	}
	for _, k := range []int{299, 0, 1, 50, 51, 100, 149, 150, 151, 222} {
		row, err := again.Timeline().At(again.ends[0].run, k)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(row.X, want[k].X) || !slices.Equal(row.F, want[k].F) || row.Number(vectorName) != want[k].Number(vectorName) ||
			row.Number(passName) != want[k].Number(passName) || !slices.Equal(row.Value(testName), want[k].Value(testName)) {
			t.Errorf("iteration %d is another when it is computed again", k)
		}
	}
}

// TestResults checks that a state has no points, that files have them, and that both can be encoded as JSON from the
// start.
func TestResults(t *testing.T) {
	s := scenetest.Open(t, New(), small())
	for range 2 {
		text, err := json.Marshal(s.Results())
		if err != nil || strings.Contains(string(text), "points") {
			t.Errorf("%s, %v", text, err)
		}
		details, err := s.Extras().Details()
		if err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(details); err != nil || strings.Contains(string(text), "points") != (s.done() > 0) {
			t.Errorf("%s, %v", text, err)
		}
		scenetest.Step(t, s, 7)
		s.Timeline().SetMarker(7)
	}
}

// TestEquationNumbers checks the vector and the pass that the formulas state, and that the start has no numbers.
func TestEquationNumbers(t *testing.T) {
	s := opened(t, small())
	for _, track := range s.Timeline().Tracks() {
		got, err := s.StepNumbers(track, 8)
		if err != nil || got["where"] != "m = (1, 0, 1), pass 2 of 3" && got["where"] != "m = (1, 1, 0), pass 2 of 3" || got["value"] == "" {
			t.Errorf("%v, %v", got, err)
		}
		if _, err := s.StepNumbers(track, 0); err == nil {
			t.Error("there are numbers of the step to the start")
		}
	}
}

// TestNamesStayApart checks that markers replace the methods' names if the names would touch.
func TestNamesStayApart(t *testing.T) {
	s := opened(t, small())
	for _, c := range []struct {
		width vg.Length
		named bool
	}{{200, false}, {852, true}} {
		f := brush.Frame{Width: c.width, Height: c.width * 0.6, Theme: brush.Light}
		if !c.named {
			f.Detail = brush.Mini
		}
		var r recorder.Canvas
		for _, l := range s.Panels()[1].Layers(f) {
			l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
		}
		named := 0
		for _, a := range r.Actions {
			if w, ok := a.(*recorder.FillString); ok && strings.HasSuffix(w.String, "-Alternate") && w.Point.Y < f.Height/2 {
				named++
			}
		}
		if (named == 2) != c.named || !c.named && named > 0 {
			t.Errorf("%v wide %d names stand below triangles", c.width, named)
		}
	}
}

// TestSweepIsNamed checks that the front explains small points, the sheet, the mesh and hollow
// points. The small triangles must name their corners, and show no ring once nothing runs.
func TestSweepIsNamed(t *testing.T) {
	s := opened(t, nil)
	scenetest.Says(t, s, "front", scenetest.Full, "small: a goal had no turns", "hollow: beaten in all goals",
		"sheet: where runs should end", "mesh: vectors one turn apart", "path: runs now")
	scenetest.Says(t, s, "vectors", scenetest.Small, "goal 1", "goal 2", "goal 3", "a corner: all turns for one goal")
	rings := func(k int) (n int) {
		s.Timeline().SetMarker(k)
		var c recorder.Canvas
		for _, l := range s.panels[1].Layers(scenetest.Small) {
			l.Draw(draw.NewCanvas(&c, scenetest.Small.Width, scenetest.Small.Height))
		}
		for _, colour := range drawtest.Colours(c.Actions) {
			if colour == fmt.Sprint(brush.Light.Accent) {
				n++
			}
		}
		return n
	}
	if during, after := rings(100), rings(1320); during <= after {
		t.Errorf("%d strokes in the accent while runs go on, %d at the end", during, after)
	}
}
