package fonseca

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

var regenerate = flag.Bool("regen", false, "write the golden files of this package anew")

// with returns the scene at k = 0 with the given values changed.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

func preset(t testing.TB, id string) *Scene {
	t.Helper()
	return with(t, scenetest.Preset(t, presets, id).Values)
}

// TestPresetsRun checks that every card runs to its end with finite numbers.
func TestPresetsRun(t *testing.T) {
	for _, p := range presets {
		s := preset(t, p.ID)
		scenetest.Step(t, s, -1)
		for _, r := range s.Timeline().Tracks() {
			t.Run(p.ID+", "+r.Name(), func(t *testing.T) {
				row := scenetest.Last(r)
				if r.Status() != algo.Budget || !algo.Finite(row.X) || !algo.Finite(row.F) || !(row.Stationarity >= 0) {
					t.Errorf("%s: %s ends as %v at %+v", p.ID, r.Name(), r.Status(), row)
				}
			})
		}
		if _, err := json.Marshal(s.Results()); err != nil {
			t.Errorf("%s: results: %v", p.ID, err)
		}
	}
}

// TestNoise checks the noise card's statements that all methods see the same noise and that the runs wander around the
// Pareto set.
func TestNoise(t *testing.T) {
	s := preset(t, "noise")
	scenetest.Step(t, s, -1)
	for i, r := range scenetest.Tracks(t, s, "psmgd") {
		// Both methods take the same first step.
		if a, b := r.Kept(1), scenetest.Tracks(t, s, "mgda")[i].Kept(1); !slices.Equal(a.X, b.X) {
			t.Errorf("start %d: the methods' first steps lead to %v and %v", i+1, a.X, b.X)
		}
		if d := s.problem.DistanceToParetoSet(scenetest.Last(r).X); d == 0 || d > 0.5 {
			t.Errorf("%s ends %g from the set", r.Name(), d)
		}
	}
}

// TestFavourite checks the statements of the card "favourite". Noise drives all of MGDA's runs to the ends, as fixed
// weights do; without noise, no run ends there. MoDo's runs keep away from the ends, at three times the cost. The test
// uses three seeds. The experiment and the map's card test the effect of noise on the weights.
func TestFavourite(t *testing.T) {
	values := scenetest.Preset(t, presets, "favourite").Values
	for _, seed := range []string{"1", "2", "3"} {
		at := func(further map[string]string) *Scene {
			set := maps.Clone(values)
			set["seed"] = seed
			maps.Copy(set, further)
			s := with(t, set)
			scenetest.Step(t, s, -1)
			return s
		}
		noisy := at(map[string]string{"method": "mgda,modo,ls", "ls.weights": "equal"})
		fact := func(name string) float64 { return scenetest.Fact(t, noisy.Facts(), name) }
		if fact("runs.mgda") != 6 || fact("collapsed.mgda") != 6 || fact("collapsed.ls") != 6 || fact("collapsed.modo") != 0 {
			t.Errorf("seed %s: with noise %g of MGDA's, %g of the fixed weights' and %g of MoDo's runs collapse", seed,
				fact("collapsed.mgda"), fact("collapsed.ls"), fact("collapsed.modo"))
		}
		if fact("bp.modo") != 3*fact("bp.mgda") {
			t.Errorf("MoDo spends %g, MGDA %g", fact("bp.modo"), fact("bp.mgda"))
		}
		quiet := at(map[string]string{"sigma": "0"})
		if n := scenetest.Fact(t, quiet.Facts(), "collapsed.mgda"); n != 0 {
			t.Errorf("seed %s: without noise %g of MGDA's runs collapse", seed, n)
		}
	}
}

// TestNoiseMap checks that the map of noise is computed while it is displayed, and that a click on a cell builds the
// runs that the cell counts.
func TestNoiseMap(t *testing.T) {
	s := with(t, map[string]string{"view": viewNoise})
	for pieces := 0; s.noise.Cells()[3].Done() < s.noise.Cells()[3].Runs; pieces++ {
		left := 100
		if pending, err := s.Work(func() bool { left--; return left >= 0 }); !pending || err != nil {
			t.Fatalf("after %d pieces: %v, error %v", pieces, pending, err)
		}
	}
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		for _, size := range [][2]vg.Length{{320, 240}, {1120, 720}} {
			scenetest.Draw(t, s, size[0], size[1], theme)
		}
	}
	cell := s.noise.Cells()[3] // MGDA with σ = 0.1
	var values map[string]string
	f := brush.Frame{Width: 500, Height: 300, Theme: brush.Light}
	for x := vg.Length(0); x < 500; x += 5 {
		if pick, ok := s.Panels()[0].Pick(f, vg.Point{X: x, Y: 80}); ok && strings.HasSuffix(pick.Lines[0], "σ = 0.1") {
			values = pick.Values
		}
	}
	if values["momentum"] != "0" || values["sigma"] != "0.1" {
		t.Fatalf("a click sets %v", values)
	}
	s = with(t, values)
	scenetest.Step(t, s, -1)
	ends := ""
	for _, r := range scenetest.Tracks(t, s, "psmgd") {
		switch f := scenetest.Last(r).F; {
		case f[0] < s.problem.End():
			ends += "1"
		case f[1] < s.problem.End():
			ends += "2"
		default:
			ends += "."
		}
	}
	if ends != cell.Ends || len(ends) != 10 {
		t.Errorf("the runs end as %s, the map has %s", ends, cell.Ends)
	}
}

// TestDraws checks that every view draws for any number of variables, in both themes, at sizes from phone to desktop,
// at the start, halfway and at the end. The runs include a live change.
func TestDraws(t *testing.T) {
	for _, d := range []string{"1", "2", "3", "30"} {
		for _, axis := range []string{"iterations", "backpropagations"} {
			s := with(t, map[string]string{"d": d, "axis": axis, "method": "psmgd,mgda,crmogm,ls", "starts": "3", "budget": "80",
				"horizontal": "2", "vertical": "2"})
			for _, steps := range []int{0, 7, 73} {
				for range steps {
					if _, err := s.Timeline().Step(); err != nil {
						t.Fatal(err)
					}
				}
				if steps == 7 {
					s.Timeline().Change(7, "R", "2")
				}
				for _, marker := range []int{s.Timeline().Latest(), 3} {
					s.Timeline().SetMarker(marker)
					theme, size := brush.Light, [2]vg.Length{320, 240}
					if axis == "iterations" {
						theme, size = brush.Dark, [2]vg.Length{1120, 720}
					}
					texts, calls := scenetest.Draw(t, s, size[0], size[1], theme)
					if calls < 200 || len(texts) < 20 {
						t.Errorf("d = %s, %v at %d: %d calls, %d texts", d, size, marker, calls, len(texts))
					}
				}
			}
		}
	}
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		for _, width := range []vg.Length{320, 1120} {
			scenetest.Draw(t, with(t, nil), width, 400, theme)
		}
	}
	s := with(t, map[string]string{"view": "staleness"})
	for _, more := range []int{0, 100} {
		if _, err := s.Work(func() bool { more--; return more >= 0 }); err != nil {
			t.Fatal(err)
		}
		for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
			for _, size := range [][2]vg.Length{{320, 240}, {1120, 720}} {
				scenetest.Draw(t, s, size[0], size[1], theme)
			}
		}
	}
	for _, field := range fieldOptions {
		scenetest.Draw(t, with(t, map[string]string{"field": field.Value}), 1120, 720, brush.Light)
	}
}

// TestAxis checks that an axis that counts backpropagations is labelled accordingly and extends to the maximum cost of any
// run.
func TestAxis(t *testing.T) {
	for _, methods := range []string{"psmgd", "mgda", "ls", "psmgd,ls,crmogm"} {
		s := with(t, map[string]string{"axis": "backpropagations", "method": methods, "budget": "37"})
		texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
		if !slices.Contains(texts, "backpropagations") || slices.Contains(texts, "iteration k") {
			t.Errorf("%s: the axis over time is not called backpropagations", methods)
		}
		most := s.values.MostBackpropagations(s.Timeline())
		scenetest.Step(t, s, -1)
		for _, r := range s.Timeline().Tracks() {
			t.Run(methods+", "+r.Name(), func(t *testing.T) {
				if bp := scenetest.Last(r).BP; bp > most {
					t.Errorf("%s spends %d, the axis ends at %d", r.Name(), bp, most)
				}
				for k := range r.Last() + 1 {
					if s.Timeline().Select(r.Name()); s.weights.IterationAt(float64(r.Kept(k).BP)) != k {
						t.Errorf("%s: the place of iteration %d is where %d belongs", r.Name(), k, s.weights.IterationAt(float64(r.Kept(k).BP)))
					}
				}
			})
		}
	}
}

// TestStarts checks that methods share start points, that a moved point is independent of the seed, and that the
// unspecified coordinates of a moved point stay random.
func TestStarts(t *testing.T) {
	s := with(t, map[string]string{"method": "psmgd,ls", "starts": "4", "d": "3"})
	random := slices.Clone(s.starts)
	for i, r := range scenetest.Tracks(t, s, "psmgd") {
		if !slices.Equal(r.Start(), scenetest.Tracks(t, s, "ls")[i].Start()) {
			t.Errorf("start %d differs between methods", i+1)
		}
		for _, c := range r.Start() {
			if !(math.Abs(c) <= s.values.Region) {
				t.Errorf("start %v is outside the region", r.Start())
			}
		}
	}
	name, text := s.Drag("start-3", 0.123456, 99)
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if got, want := s.starts[2], []float64{0.1235, 10, math.Round(1e4*random[2][2]) / 1e4}; !slices.Equal(got, want) {
		t.Errorf("the moved start is %v, want %v", got, want)
	}
	if !slices.Equal(s.starts[0], random[0]) || !slices.Equal(s.starts[3], random[3]) {
		t.Error("moving one start moves others")
	}
	for _, id := range []string{"start-0", "start-5", "start-x", "start", "zzz", ""} {
		if name, _ := s.Drag(id, 0, 0); name != "" {
			t.Errorf("%q moves %s", id, name)
		}
	}
	s = with(t, map[string]string{"start": "0.5,-0.5,9", "starts": "1"})
	if !slices.Equal(s.starts[0], []float64{0.5, -0.5}) {
		t.Errorf("start %v", s.starts[0])
	}
}

// TestRandomness checks that another seed gives different runs, and that adding methods or starts changes none of the
// existing runs.
func TestRandomness(t *testing.T) {
	values := map[string]string{"sigma": "0.2", "starts": "2", "budget": "20"}
	one := with(t, values)
	scenetest.Step(t, one, -1)
	values["method"], values["starts"] = "ls,psmgd", "3"
	more := with(t, values)
	scenetest.Step(t, more, -1)
	for _, r := range one.Timeline().Tracks() {
		t.Run(r.Name(), func(t *testing.T) {
			if !slices.Equal(scenetest.Last(r).X, scenetest.Last(more.Timeline().Find(r.Name())).X) {
				t.Errorf("%s depends on what runs beside it", r.Name())
			}
		})
	}
	values["seed"] = "2"
	other := with(t, values)
	scenetest.Step(t, other, -1)
	if slices.Equal(scenetest.Last(one.Timeline().Tracks()[0]).X, scenetest.Last(other.Timeline().Find("psmgd-1")).X) {
		t.Error("another seed gives the same run")
	}
}

// TestReadout checks that the table has a row for each run at the marker, with a cell in every column.
func TestReadout(t *testing.T) {
	s := with(t, map[string]string{"starts": "2"})
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(5)
	table := s.Timeline().Readout()
	if len(table.Rows) != 2 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for _, row := range table.Rows {
		if len(row.Cells) != len(table.Columns) || row.Cells[0] != "5" || row.Cells[5] != "7" || row.Cells[6] != "budget" ||
			!strings.HasPrefix(row.Cells[3], "(") {
			t.Errorf("row %+v", row)
		}
	}
}

// TestUpdate checks that, if the optimizer changes the direction, the picture of the gradients shows the update and
// says that the step goes against the update.
func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		update bool
	}{
		{nil, false},
		{map[string]string{"optimizer": "adam"}, true},
		{map[string]string{"optimizer": "heavyball", "d": "5"}, true},
		{map[string]string{"clip": "0.2", "method": "moosvgd"}, true},
	} {
		s := with(t, c.values)
		scenetest.Step(t, s, 12)
		s.Timeline().SetMarker(3)
		a, ok := s.arrows()
		if !ok || a.hasUpdate != c.update {
			t.Fatalf("%v: an update is there: %v", c.values, a.hasUpdate)
		}
		texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
		joined := strings.Join(texts, "\n")
		said := s.geometryPanel().Describe()
		for what, has := range map[string]bool{
			"the legend":      slices.Contains(texts, "the optimizer’s update"),
			"the note":        strings.Contains(joined, "the step goes against the update"),
			"the description": strings.Contains(said, "the step goes against the update"),
		} {
			if has != c.update {
				t.Errorf("%v: %s names an update: %v (%s)", c.values, what, has, said)
			}
		}
		if other := strings.Contains(said, "the step goes against it"); other == c.update {
			t.Errorf("%v: the step is said to follow the direction: %v", c.values, other)
		}
		if !c.update || s.values.D > 2 {
			continue
		}
		here, next := a.run.Kept(3), a.run.Kept(4)
		move := vector{(here.X[0] - next.X[0]) / here.StepSize, (here.X[1] - next.X[1]) / here.StepSize}
		if math.Abs(move.norm()-a.length) > 1e-9*a.length {
			t.Errorf("%v: the update has length %g, the step %g", c.values, a.length, move.norm())
		}
		if cross := move.x*a.update.y - move.y*a.update.x; math.Abs(cross) > 1e-9*move.norm()*a.update.norm() ||
			move.x*a.update.x+move.y*a.update.y <= 0 {
			t.Errorf("%v: the arrow %v, the step goes against %v", c.values, a.update, move)
		}
	}
}

// TestShortGradientIsNoConflict checks that far out one gradient is almost zero compared with the other, and that the
// description says so. On the front the gradients point in opposite directions.
func TestShortGradientIsNoConflict(t *testing.T) {
	const opposed, short = "point in opposite directions", "almost zero compared with the other"
	for start, want := range map[string]string{"2,1.9": short, "0.2,0.2": opposed} {
		s := with(t, map[string]string{"method": "mgda", "start": start, "starts": "1", "region": "2.4"})
		scenetest.Step(t, s, 1)
		said := s.geometryPanel().Describe()
		for _, words := range []string{opposed, short} {
			if got := strings.Contains(said, words); got != (words == want) {
				t.Errorf("from %s: %q says %q: got %v, want %v", start, said, words, got, !got)
			}
		}
	}
}

// TestArrowsMatchStep checks that the picture shows the noisy gradients that the step used or, at the start, those of the
// next step. The geometry must be computed only once for each displayed step.
func TestArrowsMatchStep(t *testing.T) {
	s := with(t, map[string]string{"sigma": "0.3", "method": "psmgd,ls,moosvgd", "R": "3", "starts": "3", "seed": "4"})
	jac := algo.NewJacobian(2, 2)
	check := func(t testing.TB, name string, k int) *arrows {
		t.Helper()
		s.Timeline().Select(name)
		track := s.Timeline().Selected()
		a, ok := s.arrows()
		if again, _ := s.arrows(); !ok || again != a || a.k != k {
			t.Fatalf("%s: the step from %d, want %d; made again: %v", name, a.k, k, again != a)
		}
		sample := algo.Sample{Noise: algo.Stream(4, track.StartIndex(), k, algo.Noise)}
		s.problem.JacobianAt(jac, track.Kept(k).X, &sample)
		if a.g1 != (vector{jac.Row(0)[0], jac.Row(0)[1]}) || a.g2 != (vector{jac.Row(1)[0], jac.Row(1)[1]}) {
			t.Errorf("%s, step %d: %v and %v, want %v", name, k, a.g1, a.g2, jac.Data)
		}
		return a
	}
	for _, name := range []string{"psmgd-2", "ls-1", "moosvgd-3"} {
		t.Run(name, func(t *testing.T) {
			if a := check(t, name, 0); a.hasTaken {
				t.Errorf("%s has made a step", name)
			}
		})
	}
	still := check(t, "psmgd-1", 0)
	if s.Timeline().Change(0, "R", "5"); check(t, "psmgd-1", 0) == still {
		t.Error("a change before the first step is not looked at")
	}
	scenetest.Step(t, s, 20)
	for _, k := range []int{0, 1, 7, 19, 20} {
		s.Timeline().SetMarker(k)
		for _, name := range []string{"psmgd-2", "ls-1", "moosvgd-1", "moosvgd-3"} {
			t.Run(fmt.Sprintf("%s at %d", name, k), func(t *testing.T) {
				if a := check(t, name, min(k, 19)); !a.hasTaken {
					t.Errorf("%s has made no step at %d", name, k)
				}
			})
		}
	}
	former := check(t, "psmgd-2", 19)
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, 20)
	if check(t, "psmgd-2", 19) == former {
		t.Error("the arrows of former runs are shown")
	}
}

// TestLongUpdate checks that an update much longer than the gradients is drawn shortened, with its true length beside
// it.
func TestLongUpdate(t *testing.T) {
	s := with(t, map[string]string{"optimizer": "adam", "eta": "0.001", "start": "2.2,2.2", "starts": "1", "method": "mgda"})
	scenetest.Step(t, s, 3)
	a, _ := s.arrows()
	gradients := max(a.g1.norm(), a.g2.norm())
	if !a.shortened || a.update.norm() > 2.001*gradients || a.length < 1 {
		t.Fatalf("the gradients have length %g, the update %g, drawn %g", gradients, a.length, a.update.norm())
	}
	texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Dark)
	if want := "update, of length " + timeline.Number(a.length); !slices.Contains(texts, want) {
		t.Errorf("%q is not there", want)
	}
	if said := s.geometryPanel().Describe(); !strings.Contains(said, "drawn shorter") {
		t.Error(said)
	}
}

// parityRow is a point of a run, as stored in the golden file.
type parityRow struct {
	Run string
	K   int
	X   []float64
	F   []float64
	BP  int
}

// TestSameEverywhere checks that 200 noisy steps of every method give the same numbers on every machine and in
// WebAssembly, up to small differences. These arise because some compilers fuse multiplications with additions, and
// they stay small because the runs contract.
func TestSameEverywhere(t *testing.T) {
	s := with(t, map[string]string{"method": "psmgd,mgda,crmogm,ls", "sigma": "0.05", "eta": "0.1", "starts": "4", "d": "3", "budget": "200"})
	scenetest.Step(t, s, -1)
	var got []parityRow
	for _, r := range s.Timeline().Tracks() {
		for k := 0; k <= r.Last(); k += 50 {
			row := r.Kept(k)
			got = append(got, parityRow{r.Name(), k, row.X, row.F, row.BP})
		}
	}
	golden := filepath.Join("testdata", "runs.json")
	if *regenerate && runtime.GOOS != "js" {
		data, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var want []parityRow
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	const tolerance = 1e-9
	near := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tolerance })
	}
	for i, g := range got {
		t.Run(fmt.Sprintf("%s at %d", g.Run, g.K), func(t *testing.T) {
			if w := want[i]; g.Run != w.Run || g.K != w.K || g.BP != w.BP || !near(g.X, w.X) || !near(g.F, w.F) {
				t.Errorf("%v, want %v", fmt.Sprint(g), fmt.Sprint(w))
			}
		})
	}
}

// TestVanishedGradients checks that, far out where the objectives are flat, FairGrad has no gradients to weigh and the page says that
// they have vanished. At a stationary point FairGrad finds no solution either, but the gradients have not vanished.
func TestVanishedGradients(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"method": "fairgrad", "fairgrad.alpha": "5", "starts": "20", "start": "0,0"})
	scenetest.Step(t, s, 60)
	jac := algo.NewJacobian(2, 2)
	const words = "the gradients have vanished"
	table, text := s.Timeline().Readout(), s.Panels()[0].Describe()
	vanished, stationary := 0, 0
	for i, track := range s.Timeline().Tracks() {
		if track.Status() != algo.NoSolution {
			continue
		}
		end := track.Kept(track.Len() - 1)
		s.problem.Jacobian(jac, end.X)
		longest := max(floats.Norm(jac.Row(0), 2), floats.Norm(jac.Row(1), 2))
		status := table.Rows[i].Cells[6]
		switch {
		case longest == 0:
			vanished++
			if status != "no-solution: "+words || !strings.Contains(text, track.Label()) {
				t.Errorf("%s ends at %v: %q, and in words %q", track.Label(), end.X, status, text)
			}
		case longest > 1e-8:
			stationary++
			if status != "no-solution" || strings.Contains(text, track.Label()+";") {
				t.Errorf("%s ends at %v with gradients of %.3g: %q, and in words %q", track.Label(), end.X, longest, status, text)
			}
		}
	}
	if vanished < 3 || stationary < 1 {
		t.Errorf("%d runs end where the gradients are zero, and %d where they are not", vanished, stationary)
	}
	if !strings.Contains(text, " Stopped because "+words+": FairGrad, start ") {
		t.Errorf("the panel says %q", text)
	}
	far := scenetest.Open(t, New(), map[string]string{"method": "fairgrad", "starts": "1", "start": "10,10"})
	scenetest.Step(t, far, 2)
	if status := far.Timeline().Readout().Rows[0].Cells[6]; status != "no-solution: "+words {
		t.Errorf("of a run that starts far out the table says %q", status)
	}
}

// TestRefreshTicks checks that, in the objective space, a tick marks each step that computes new weights after steps
// that kept the old ones. The legend must explain the ticks, and there must be none if the weights are never kept.
func TestRefreshTicks(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		ticked bool
	}{
		{map[string]string{"R": "4"}, true}, {map[string]string{"R": "1"}, false}, {map[string]string{"method": "mgda"}, false},
		{map[string]string{"method": "ls"}, false}, {map[string]string{"method": "mgda,psmgd"}, true},
	} {
		s := with(t, c.values)
		scenetest.Step(t, s, 30)
		f := brush.Frame{Width: 700, Height: 500, Theme: brush.Light}
		var drawn recorder.Canvas
		for _, l := range s.Panels()[1].Layers(f) {
			l.Draw(draw.NewCanvas(&drawn, f.Width, f.Height))
		}
		ticks, named := 0, false
		for _, a := range drawn.Actions {
			switch a := a.(type) {
			case *recorder.FillString:
				named = named || a.String == "new weights"
			case *recorder.Stroke:
				for i := 0; i+1 < len(a.Path); i += 2 {
					d := a.Path[i+1].Pos.Sub(a.Path[i].Pos)
					if math.Abs(math.Hypot(float64(d.X), float64(d.Y))-9) < 1e-6 {
						ticks++
					}
				}
			}
		}
		if (ticks >= 10) != c.ticked || !c.ticked && ticks > 0 || named != c.ticked {
			t.Errorf("%v: %d ticks, named: %v", c.values, ticks, named)
		}
	}
}
