package traininglog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene/scenetest"
)

// gram returns the Gramian of the rows.
func gram(rows [][]float64) []float64 {
	jac := algo.NewJacobian(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(jac.Row(i), row)
	}
	out := make([]float64, len(rows)*len(rows))
	jac.Gram(out)
	return out
}

// TestFlatten checks that the vectors that principal returns have the given Gramian, and that the plane contains the
// stated share of their squared lengths.
func TestFlatten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	wide := make([][]float64, 15)
	for i := range wide {
		wide[i] = make([]float64, 20)
		for k := range wide[i] {
			wide[i][k] = random.NormFloat64()
		}
	}
	for name, c := range map[string]struct {
		rows  [][]float64
		share float64
	}{
		"two":      {[][]float64{{1, 2, 3}, {-2, 0, 1}}, 1},
		"one":      {[][]float64{{3, 4}}, 1},
		"same":     {[][]float64{{1, 1}, {1, 1}}, 1},
		"opposite": {[][]float64{{2, 0}, {-2, 0}}, 1},
		"zero":     {[][]float64{{0, 0}, {0, 0}}, 1},
		"one zero": {[][]float64{{0, 0, 0}, {1, 2, 2}, {2, -1, 0}}, 1},
		"cube":     {[][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 2. / 3},
		"tiny":     {[][]float64{{1e-8, 0, 0}, {0, 1e-8, 0}, {0, 0, 1e-8}}, 2. / 3},
		"huge":     {[][]float64{{1e8, 0, 0}, {0, 1e8, 0}, {0, 0, 1e8}}, 2. / 3},
		"many":     {wide, math.NaN()},
	} {
		n, want := len(c.rows), gram(c.rows)
		rows := principal(want, n)
		scale := floats.Max(want) + 1e-300
		for i, v := range gram(rows) {
			if math.Abs(v-want[i]) > 1e-12*scale {
				t.Errorf("%s: product %d is %v, want %v", name, i, v, want[i])
			}
		}
		at := flatten(want, n)
		if !math.IsNaN(c.share) && math.Abs(at.share-c.share) > 1e-12 || at.share < 0 || at.share > 1 {
			t.Errorf("%s: the plane shows %v, want %v", name, at.share, c.share)
		}
		if mean := floats.Sum(at.x); mean < 0 || math.IsNaN(mean) {
			t.Errorf("%s: the mean points to the left, %v", name, at.x)
		}
	}
}

// line returns a JSON record with the given number of objectives.
func line(objectives int) string {
	row := func(i int) string {
		cells := make([]string, objectives)
		for j := range cells {
			cells[j] = "0"
			if j == i {
				cells[j] = "1"
			}
		}
		return "[" + strings.Join(cells, ",") + "]"
	}
	rows := make([]string, objectives)
	for i := range rows {
		rows[i] = row(i)
	}
	return `{"losses": ` + row(0) + `, "gramian": [` + strings.Join(rows, ",") + "]}\n"
}

// brought returns a scene with a visitor's log, at the end of its analysis.
func brought(t *testing.T, text string) *Scene {
	t.Helper()
	s := New()
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if err := scenetest.Paste(s, data.RunLog, text); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	return s
}

// TestOwnLogs checks logs with one objective, with two, and with too many for strips of pairs. None of them has a
// second batch, or enough records for a window.
func TestOwnLogs(t *testing.T) {
	for _, objectives := range []int{1, 2, maxPaired + 1} {
		s := brought(t, strings.Repeat(line(objectives), 3))
		if s.log.Objectives() != objectives || s.report == nil {
			t.Fatalf("%d objectives: the log is not shown", objectives)
		}
		for _, p := range s.Panels() {
			if p.Describe() == "" {
				t.Errorf("%d objectives: %s has no words", objectives, p.ID())
			}
			for _, f := range []brush.Frame{
				{Width: 800, Height: 500, Theme: brush.Light}, {Width: 200, Height: 120, Theme: brush.Dark, Detail: brush.Mini},
			} {
				for _, l := range p.Layers(f) {
					if l.Draw == nil {
						t.Errorf("%d objectives: %s has a layer without a picture", objectives, p.ID())
					}
				}
			}
		}
		if len(s.Conclusions().Sentences) != 10 {
			t.Errorf("%d objectives: %d sentences", objectives, len(s.Conclusions().Sentences))
		}
		if e := s.Extras().Detail(); (e == nil) != (objectives == 1) {
			t.Errorf("%d objectives: elsewhere is %+v", objectives, e)
		}
	}
}

// TestOutcomes checks that, if a log has outcomes of other training runs, the conclusions end with sentences about them
// and that facts contain the outcomes' numbers. A log without outcomes must have neither. A step without a solution
// must have no weights.
func TestOutcomes(t *testing.T) {
	write := func(beside []runlog.Outcome) string {
		t.Helper()
		r, err := runlog.NewRecorder([]string{"a", "b"}, runlog.PageBytes)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 60 {
			rec := &runlog.Record{Step: int64(k), Losses: []float64{1, 2}, Weights: []float64{0.5, 0.5},
				Gramian: gram([][]float64{{1, float64(k % 3)}, {-1, 2}})}
			if k == 5 {
				rec.Weights = []float64{0, 0}
			}
			if err := r.Add(rec); err != nil {
				t.Fatal(err)
			}
		}
		l, err := r.Log(beside)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := l.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	ids := func(s *Scene) (out []string) {
		for _, c := range s.Conclusions().Sentences {
			out = append(out, c.ID)
		}
		return out
	}
	s := brought(t, write(nil))
	if got := ids(s); slices.Contains(got, "mended") || len(got) != 10 {
		t.Errorf("without outcomes the sentences are %v", got)
	}
	for _, of := range []string{"best", "method", "old"} {
		if v := scenetest.Fact(t, s.Facts(), "beside."+of); !math.IsNaN(v) {
			t.Errorf("without outcomes beside.%s is %v", of, v)
		}
	}
	s = brought(t, write([]runlog.Outcome{
		{Name: "Equal weights", Rule: "ls", Period: 1, Backprops: 60, Losses: []float64{1, 1}},
		{Name: "MGDA", Rule: "mgda", Period: 1, Backprops: 120, Losses: []float64{2, 2}},
		{Name: "PSMGD", Rule: "mgda", Period: 8, Backprops: 68, Losses: []float64{1, 2}},
		{Name: "UPGrad", Rule: "upgrad", Period: 1, Backprops: 120, Losses: []float64{0.5, 0.5}},
	}))
	if got := ids(s); !slices.Equal(got[9:], []string{"mended", "aged", "limits"}) {
		t.Errorf("the sentences are %v", got)
	}
	for of, want := range map[string]float64{"best": 0.5, "method": 2, "old": math.Sqrt(0.5)} {
		if v := scenetest.Fact(t, s.Facts(), "beside."+of); math.Abs(v-want) > 1e-12 {
			t.Errorf("beside.%s is %v, want %v", of, v, want)
		}
	}
	for _, c := range s.Conclusions().Sentences[9:11] {
		if c.Panel != "" || !strings.Contains(c.Text, "MGDA") {
			t.Errorf("%+v", c)
		}
	}
	for _, p := range s.Panels() {
		for _, l := range p.Layers(brush.Frame{Width: 800, Height: 500, Theme: brush.Light}) {
			if l.Draw == nil {
				t.Errorf("%s has a layer without a picture", p.ID())
			}
		}
	}
}

// TestRefusedLog checks that an invalid log is refused and that the previous log stays.
func TestRefusedLog(t *testing.T) {
	s := brought(t, strings.Repeat(line(2), 3))
	before := s.log
	for text, want := range map[string]string{
		"": "empty", line(2): "number of records is 1", "{}": "", strings.Repeat(line(2), 2) + line(3): "",
	} {
		err := scenetest.Paste(s, data.RunLog, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
	if s.log != before {
		t.Error("another log is shown")
	}
	if data.RunLog != About.Takes {
		t.Error("the scene takes something else")
	}
}

// TestMarker checks that the marker moves to the record nearest to the pointer.
func TestMarker(t *testing.T) {
	s := New()
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]string{-50: "1", 0: "1", 1.9: "1", 2.1: "2", 400: "101", 1e9: "300"} { // steps 0, 4, ..., 1196
		if name, text := s.Drag(kinds.MarkerHandle, x, 0); name != "record" || text != want {
			t.Errorf("at step %v the marker sets %s to %s, want %s", x, name, text, want)
		}
	}
	if name, _ := s.Drag("another", 0, 0); name != "" {
		t.Error("another handle moves the marker")
	}
	if needs := s.Needs(); needs != "" {
		t.Errorf("natively the scene waits for %s", needs)
	}
}

// TestAbsentMethod checks that a method that a log cannot evaluate has no result, and that the reason is stated.
func TestAbsentMethod(t *testing.T) {
	s := brought(t, strings.Repeat(line(2), 3))
	s.values.Method = "famo" // which needs the losses after each step
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	if s.method() != nil || !strings.Contains(s.absent(), "absent") {
		t.Errorf("FAMO is %v, %q", s.method(), s.absent())
	}
}

// crowd returns a log with many objectives and a second batch: objective i conflicts with objective i + 1, for even i.
func crowd(objectives, records int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(7, 7))
	for k := range records {
		rows := make([][]float64, objectives)
		for i := range rows {
			rows[i] = make([]float64, objectives)
			rows[i][i] = 1
			if i%2 == 1 {
				rows[i][i-1] = -0.5
			}
		}
		matrix := func(left, right [][]float64) string {
			out := make([]string, objectives)
			for i, row := range left {
				cells := make([]string, objectives)
				for j := range right {
					cells[j] = strconv.FormatFloat(floats.Dot(row, right[j]), 'g', -1, 64)
				}
				out[i] = "[" + strings.Join(cells, ",") + "]"
			}
			return "[" + strings.Join(out, ",") + "]"
		}
		noisy := make([][]float64, objectives)
		for i, row := range rows {
			noisy[i] = slices.Clone(row)
			for j := range noisy[i] {
				noisy[i][j] += 0.1 * random.NormFloat64()
			}
		}
		fmt.Fprintf(&b, `{"step": %d, "losses": [1%s], "gramian": %s, "cross": %s}`+"\n", 10*k, strings.Repeat(",1", objectives-1),
			matrix(noisy, noisy), matrix(noisy, rows))
	}
	return b.String()
}

// TestPairs checks that, if there are too many pairs for strips, a panel shows the cosines of all pairs at the marker,
// both on the batch and averaged.
func TestPairs(t *testing.T) {
	const objectives = 40
	s := brought(t, crowd(objectives, 7))
	s.values.Window, s.values.Record = 3, 5
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	pairs := s.Panels()[1]
	if pairs.ID() != "pairs" || len(s.Panels()) != 8 {
		t.Fatalf("%d panels, the second is %s", len(s.Panels()), pairs.ID())
	}
	at := s.pairsAt(4)
	if at.first != 30 || at.last != 50 {
		t.Errorf("the window is steps %d to %d", at.first, at.last)
	}
	for i := 0; i < objectives; i += 2 {
		if a, b := at.cosines[i*objectives+i+1], at.averaged[(i+1)*objectives+i]; a >= 0 || b >= 0 {
			t.Errorf("objectives %d and %d: cosine %v, averaged %v", i, i+1, a, b)
		}
	}
	if text := pairs.Describe(); !strings.Contains(text, "of the 780 pairs of gradients conflict at step 40") ||
		!strings.Contains(text, "averaged over steps 30 to 50") {
		t.Errorf("the panel says %q", text)
	}
	frame := brush.Frame{Width: 800, Height: 500, Theme: brush.Light}
	said := map[string]bool{}
	for x := 1.0; x < 800; x += 5 {
		for y := 1.0; y < 500; y += 5 {
			if pick, ok := pairs.Pick(frame, vg.Point{X: vg.Length(x), Y: vg.Length(y)}); ok {
				if len(pick.Lines) != 3 {
					t.Fatalf("a cell says %q", pick.Lines)
				}
				said[pick.Lines[0]] = true
			}
		}
	}
	if len(said) != objectives*(objectives-1) {
		t.Errorf("%d of %d cells can be picked", len(said), objectives*(objectives-1))
	}
	// The last record is in no complete window.
	if last := s.pairsAt(6); last.averaged != nil {
		t.Error("products are averaged over a part of a window")
	}
	if few := brought(t, strings.Repeat(line(maxPaired), 3)); len(few.Panels()) != 7 {
		t.Errorf("%d panels with strips for all pairs", len(few.Panels()))
	}
}
