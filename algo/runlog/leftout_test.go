package runlog

import (
	"archive/zip"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// recordLines returns records of two objectives in JSON lines. Their numbers differ between records.
func recordLines(steps []int64, change func(k int) (losses, gramian string)) string {
	var b strings.Builder
	for k, step := range steps {
		losses, gramian := fmt.Sprintf("[%d, 2]", k), "[[1, 0.5], [0.5, 4]]"
		if l, g := change(k); l != "" {
			losses, gramian = l, g
		}
		fmt.Fprintf(&b, `{"step": %d, "losses": %s, "gramian": %s}`+"\n", step, losses, gramian)
	}
	return b.String()
}

// TestLeftOut checks that unusable records are omitted and counted by cause, in JSON lines and in npz.
func TestLeftOut(t *testing.T) {
	const whole = "[[1, 0.5], [0.5, 4]]"
	steps := []int64{0, 10, 20, 30, 40, 50, 60}
	for _, c := range []struct {
		name, losses, gramian, cause string
	}{
		{"NaN", "[NaN, 1]", whole, causeNotFinite},
		{"minus infinity", "[1, -Infinity]", whole, causeNotFinite},
		{"beyond doubles", "[1, -1e999]", whole, causeNotFinite},
		{"null", "[null, 1]", whole, causeNotFinite},
		{"text", `["NaN", 1]`, whole, causeNotFinite},
		{"R's text", `["-Inf", 1]`, whole, causeNotFinite},
		{"NaN in the Gramian", "[1, 2]", "[[1, NaN], [NaN, 1]]", causeNotFinite},
		{"a product without lengths", "[1, 1]", "[[1, -0.009], [-0.009, 0]]", causeImpossible},
		{"a cosine of -9", "[1, 1]", "[[1, -0.009], [-0.009, 0.000001]]", causeImpossible},
		{"a negative square", "[1, 1]", "[[1, 0], [0, -1]]", causeImpossible},
	} {
		text := recordLines(steps, func(k int) (string, string) {
			if k == 2 || k == 4 {
				return c.losses, c.gramian
			}
			return "", ""
		})
		l, err := read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := []LeftOut{{c.cause, 2, 20}}; !reflect.DeepEqual(l.LeftOut(), want) || l.Records() != 5 {
			t.Errorf("%s: %d records, left out are %v, want %v", c.name, l.Records(), l.LeftOut(), want)
		}
		for k, step := range []int64{0, 10, 30, 50, 60} {
			if l.Step(k) != step || l.Losses(nil, k)[0] != float64(step/10) {
				t.Errorf("%s: record %d is of step %d with losses %v", c.name, k, l.Step(k), l.Losses(nil, k))
			}
		}
	}
	for _, kind := range []string{"<f4", "<f8"} {
		gramian := []float64{4, -1, -1, 1, 2, 1, 1, 3, math.NaN(), 0, 0, 1, 1, 0.2, 0.2, 0}
		var entries any = gramian
		if kind == "<f4" {
			single := make([]float32, len(gramian))
			for i, v := range gramian {
				single[i] = float32(v)
			}
			entries = single
		}
		l, err := read(npz(zip.Store, member{"gramian.npy", npy(kind, "(4, 2, 2)", false, entries)},
			member{"losses.npy", npy("<f8", "(4, 2)", false, []float64{1, 2, 3, 4, 5, 6, 7, 8})},
			member{"left_out.npy", npy("<i8", "(3,)", false, []int64{7, 9, 11})}))
		if err != nil {
			t.Fatal(err)
		}
		want := []LeftOut{{causeRecorder, 3, 7}, {causeNotFinite, 1, 2}, {causeImpossible, 1, 3}}
		if l.Records() != 2 || !reflect.DeepEqual(l.LeftOut(), want) || len(l.Ignored()) > 0 {
			t.Errorf("%s: %d records, left out are %v, not read %v", kind, l.Records(), l.LeftOut(), l.Ignored())
		}
		report, err := Analyse(l, NewOptions())
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(report.Remarks(), " ")
		if !strings.HasPrefix(said, "Left out 5 records: 3 from step 7 on (the recorder did not keep them); 1, step 2 (a number is not") {
			t.Errorf("it says %q", said)
		}
	}
	if _, err := read(npz(zip.Store, with(member{"left_out.npy", npy("<i8", "(1, 1)", false, []int64{7})})...)); err == nil ||
		!strings.Contains(err.Error(), "left_out: its shape is (1, 1)") {
		t.Errorf("a matrix of steps left out: %v", err)
	}
}

// TestTakenUpAgain checks a run that is resumed from an earlier step. The later records must count, and earlier
// records beyond that step must be omitted.
func TestTakenUpAgain(t *testing.T) {
	var steps []int64
	for s := range int64(100) {
		steps = append(steps, s)
	}
	for s := int64(50); s < 150; s++ {
		steps = append(steps, s)
	}
	same := func(int) (string, string) { return "", "" }
	l, err := read([]byte(recordLines(steps, same)))
	if err != nil {
		t.Fatal(err)
	}
	if want := []LeftOut{{causeRepeated, 50, 50}}; l.Records() != 150 || !reflect.DeepEqual(l.LeftOut(), want) {
		t.Fatalf("%d records, left out are %v", l.Records(), l.LeftOut())
	}
	for k := range 150 {
		want := k
		if k >= 50 {
			want = k + 50 // of the second leg
		}
		if l.Step(k) != int64(k) || l.Losses(nil, k)[0] != float64(want) {
			t.Fatalf("record %d is of step %d with losses %v", k, l.Step(k), l.Losses(nil, k))
		}
	}
	// The second leg has different steps. Records of the first leg beyond the start of the second do not belong to the
	// path.
	l, err = read([]byte(recordLines([]int64{0, 2, 4, 6, 8, 5, 7, 9}, same)))
	if err != nil || !slices.Equal(l.steps, []int64{0, 2, 4, 5, 7, 9}) {
		t.Errorf("the steps are %v, %v", l.steps, err)
	}
}

// TestUneven checks that an unevenly spaced log gets a remark, and an even one does not.
func TestUneven(t *testing.T) {
	same := func(int) (string, string) { return "", "" }
	for _, c := range []struct {
		steps []int64
		want  string
	}{
		{[]int64{0, 10, 20, 30}, ""}, {[]int64{5, 6}, ""},
		{[]int64{0, 1, 2, 7, 40}, "Records are unevenly spaced, 1 to 33 steps apart"},
	} {
		l, err := read([]byte(recordLines(c.steps, same)))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Analyse(l, NewOptions())
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(report.Remarks(), " "); !strings.HasPrefix(said, c.want) || (said == "") != (c.want == "") {
			t.Errorf("%v: it says %q", c.steps, said)
		}
	}
}

// TestImpossibleMatrix checks that Matrix.Check rejects impossible Gramians, and accepts rounded Gramians of parallel
// gradients.
func TestImpossibleMatrix(t *testing.T) {
	for _, c := range []struct {
		gramian []float64
		want    string
	}{
		{[]float64{1, -0.009, -0.009, 0}, "gramian: entry (1, 0) is not 0, and the product of the two lengths is: no gradients"},
		{[]float64{1, -0.009, -0.009, 0.000001}, "gramian: entry (1, 0) is -9 times"},
		{[]float64{1, 1, 1, 0.9999}, ""}, {[]float64{0, 0, 0, 1}, ""}, {[]float64{1e-200, 1e-100, 1e-100, 1}, ""},
	} {
		m := Matrix{Rows: 2, Columns: 2, Data: c.gramian}
		if err := m.Check(); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.gramian, err, c.want)
		} else if err != nil && !errors.As(err, new(*impossible)) {
			t.Errorf("%v: %v is of another kind", c.gramian, err)
		}
	}
}
