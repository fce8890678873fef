package runlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// somewhat returns a complete record of three objectives. Its numbers use all the digits of a float64.
func somewhat(k int) *Record {
	v := func(i int) float64 { return math.Sin(float64(7*k+i)) / 3 }
	r := &Record{Step: int64(5 * k), Forward: 0.001 * (1 + math.Abs(v(1))), Backward: 0.002 * (1 + math.Abs(v(2)))}
	g := [][]float64{{v(3), v(4)}, {v(5), v(6)}, {v(7), v(8)}}
	for i := range g {
		r.Losses, r.After, r.Weights = append(r.Losses, v(20+i)), append(r.After, v(30+i)), append(r.Weights, v(40+i))
		for j := range g {
			r.Gramian = append(r.Gramian, g[i][0]*g[j][0]+g[i][1]*g[j][1])
			r.Cross = append(r.Cross, v(50+3*i+j))
		}
	}
	return r
}

// recorded returns a log with count records from somewhat, and two outcomes.
func recorded(t *testing.T, count int) *Log {
	t.Helper()
	r, err := NewRecorder([]string{"left", "recht wie ß", "λ₁ lang"}, NativeBytes)
	if err != nil {
		t.Fatal(err)
	}
	for k := range count {
		if err := r.Add(somewhat(k)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := r.Log([]Outcome{
		{Name: "Equal weights", Rule: "ls", Period: 1, Backprops: 12, Losses: []float64{1. / 3, 2, 3}, Accuracy: []float64{0, 1. / 7, 1}},
		{Name: "PSMGD", Rule: "mgda", Period: 8, Steps: 40, Backprops: 99, Losses: []float64{4, 5. / 7, 6}, Accuracy: []float64{0.5, 1, 0.9}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func written(t *testing.T, l *Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRecorderRoundTrip checks that the log and its file contain the numbers of the records, bit for bit, and that
// equal records give equal files.
func TestRecorderRoundTrip(t *testing.T) {
	const count = 40
	l := recorded(t, count)
	file := written(t, l)
	if !bytes.Equal(file, written(t, recorded(t, count))) {
		t.Error("the same records make another file")
	}
	back, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(l, back) {
		t.Errorf("read back, the log is another: %+v, was %+v", back, l)
	}
	for _, l := range []*Log{l, back} {
		named := slices.Equal(l.Names(), []string{"left", "recht wie ß", "λ₁ lang"})
		if l.Records() != count || l.Objectives() != 3 || !l.HasSeconds() || !named {
			t.Fatalf("%d records of %d objectives, %v", l.Records(), l.Objectives(), l.Names())
		}
		for k := range count {
			want := somewhat(k)
			if l.Step(k) != want.Step || !slices.Equal(l.Losses(nil, k), want.Losses) || !slices.Equal(l.Weights(nil, k), want.Weights) ||
				!slices.Equal(l.After(nil, k), want.After) || !slices.Equal(l.gramian.row(nil, k), want.Gramian) ||
				!slices.Equal(l.cross.row(nil, k), want.Cross) || l.forward.at(k) != want.Forward || l.backward.at(k) != want.Backward {
				t.Fatalf("record %d is another", k)
			}
		}
		if o := l.Outcomes(); len(o) != 2 || o[1].Name != "PSMGD" || o[1].Period != 8 || o[1].Steps != 40 ||
			o[0].Losses[0] != 1./3 || o[0].Accuracy[1] != 1./7 {
			t.Errorf("the outcomes are %+v", o)
		}
	}
	again := written(t, back)
	if !bytes.Equal(file, again) {
		t.Error("read and written again, the file is another")
	}
}

// TestWriteShipped checks that logs from other programs, in single precision, are written as they were read.
func TestWriteShipped(t *testing.T) {
	for _, name := range shipped {
		l := open(t, name)
		back, err := read(written(t, l))
		if err != nil {
			t.Fatal(err)
		}
		back.ignored, l.ignored = nil, nil
		if !reflect.DeepEqual(l, back) {
			t.Errorf("%s: read back, the log is another", name)
		}
	}
	alone, err := read(npy("<f8", "(2, 1, 1)", false, []float64{1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	if err := alone.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "losses") {
		t.Errorf("a log without losses is written: %v", err)
	}
	with := made(t, 2, []float64{1, 0, 0, 1}, []float64{2, 1, 1, 2})
	with.gramian, with.variables = nil, 2
	with.jacobian = &block{width: 4, single: []float32{1, 2, 3, 4, 5, 6, 7, 8}}
	with.losses = &block{width: 2, double: []float64{1, 2, 3, 4}}
	back, err := read(written(t, with))
	if err != nil || !back.HasJacobian() || back.Variables() != 2 || back.jacobian.single[5] != 6 {
		t.Errorf("a log of Jacobians comes back as %+v: %v", back, err)
	}
}

// numpy returns the path of a Python interpreter that has numpy. It skips the test if no such interpreter is found.
func numpy(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	t.Skip("SKIPPED: that numpy reads what is written, for want of it; install python3-numpy to run it")
	return ""
}

// TestNumpyReadsLogs checks that numpy reads the log's numbers from its file, bit for bit.
func TestNumpyReadsLogs(t *testing.T) {
	python := numpy(t)
	l := recorded(t, 6)
	file := filepath.Join(t.TempDir(), "run.npz")
	if err := os.WriteFile(file, written(t, l), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `
import sys, json, zipfile, numpy
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
out = {}
for name, a in numpy.load(sys.argv[1]).items():
    entries = [v.hex() if isinstance(v, float) else str(v) for v in a.flatten().tolist()]
    out[name] = {"type": a.dtype.str, "shape": list(a.shape), "entries": entries}
print(json.dumps(out))`
	said, err := exec.Command(python, "-c", script, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var got map[string]struct {
		Type    string
		Shape   []int
		Entries []string
	}
	if err := json.Unmarshal(said, &got); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	hex := func(list []float64) (out []string) {
		for _, v := range list {
			m, e := math.Frexp(v)
			out = append(out, fmt.Sprintf("%v %d", m, e))
		}
		return out
	}
	parsed := func(list []string) (out []string) {
		for _, text := range list {
			var v float64
			if _, err := fmt.Sscan(text, &v); err != nil {
				t.Fatal(err)
			}
			m, e := math.Frexp(v)
			out = append(out, fmt.Sprintf("%v %d", m, e))
		}
		return out
	}
	for name, want := range map[string]struct {
		shape []int
		of    []float64
	}{
		losses: {[]int{6, 3}, l.losses.double}, gramian: {[]int{6, 3, 3}, l.gramian.double}, cross: {[]int{6, 3, 3}, l.cross.double},
		weights: {[]int{6, 3}, l.weights.double}, after: {[]int{6, 3}, l.after.double}, forward: {[]int{6}, l.forward.double},
		backward: {[]int{6}, l.backward.double}, outcomeLosses: {[]int{2, 3}, l.outcomes.losses.double},
		outcomeAccuracy: {[]int{2, 3}, l.outcomes.accuracy.double}, outcomeBackprops: {[]int{2}, l.outcomes.backprops.double},
	} {
		if a := got[name]; a.Type != "<f8" || !slices.Equal(a.Shape, want.shape) || !slices.Equal(parsed(a.Entries), hex(want.of)) {
			t.Errorf("%s: numpy reads %+v", name, a)
		}
	}
	for name, want := range map[string][]string{
		names: l.names, step: {"0", "5", "10", "15", "20", "25"}, outcomeNames: {"Equal weights", "PSMGD"}, outcomeRules: {"ls", "mgda"},
		outcomePeriods: {"1", "8"}, outcomeSteps: {"0", "40"},
	} {
		if !slices.Equal(got[name].Entries, want) {
			t.Errorf("%s: numpy reads %v", name, got[name])
		}
	}
	if len(got) != 16 {
		t.Errorf("numpy reads %d arrays", len(got))
	}
}

// TestRecorderRefuses checks that Add rejects every record that a reader would reject, and stores no part of it.
func TestRecorderRefuses(t *testing.T) {
	for want, objectives := range map[string][]string{
		"number of objectives": {}, "200 are allowed": make([]string, 201), "cannot be shown": {"a\x07"}, "is not valid UTF-8": {"\xff"},
	} {
		if _, err := NewRecorder(objectives, NativeBytes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for _, c := range []struct {
		want   string
		change func(r *Record)
	}{
		{"step, row 1: step 0 comes after step 0", func(r *Record) { r.Step = 0 }},
		{"losses, row 1: it is missing", func(r *Record) { r.Losses = nil }},
		{"losses, row 1: it has 2 entries", func(r *Record) { r.Losses = r.Losses[:2] }},
		{"losses, row 1: a number is not finite", func(r *Record) { r.Losses[1] = math.NaN() }},
		{"gramian, row 1: a number is not finite", func(r *Record) { r.Gramian[8] = math.Inf(1) }},
		{"gramian, row 1: entries (1, 0)", func(r *Record) { r.Gramian[1] += 1 }},
		{"gramian, row 1: entry (1, 0) is ", func(r *Record) { r.Gramian[0] = -1 }},
		{"cross, row 1: all records must have one", func(r *Record) { r.Cross = nil }},
		{"cross, row 1: it has 3 entries", func(r *Record) { r.Cross = r.Cross[:3] }},
		{"weights, row 1: all records must have one", func(r *Record) { r.Weights = nil }},
		{"after, row 1: a number is not finite", func(r *Record) { r.After[0] = math.Inf(-1) }},
		{"forward_seconds, row 1: all records", func(r *Record) { r.Forward = 0 }},
		{"backward_seconds, row 1: -1 is not a duration", func(r *Record) { r.Backward = -1 }},
	} {
		r, err := NewRecorder([]string{"a", "b", "c"}, NativeBytes)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Add(somewhat(0)); err != nil {
			t.Fatal(err)
		}
		bad := somewhat(1)
		c.change(bad)
		if err := r.Add(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
		if _, err := r.Log(nil); err == nil || !strings.Contains(err.Error(), "number of records is 1") {
			t.Errorf("a log of one record: %v", err)
		}
		if err := r.Add(somewhat(1)); err != nil {
			t.Fatal(err)
		}
		l, err := r.Log(nil)
		if err != nil || l.Records() != 2 || r.Records() != 2 {
			t.Errorf("%s: afterwards %v", c.want, err)
		}
	}
}

// TestRecorderLimit checks that a recorder never exceeds its limit in bytes. The file of a full log must be
// readable with the same limit.
func TestRecorderLimit(t *testing.T) {
	const limit = 20_000
	r, err := NewRecorder([]string{"a", "b", "c"}, limit)
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; ; k++ {
		if err = r.Add(somewhat(k)); err != nil {
			break
		}
	}
	if !strings.Contains(err.Error(), "the numbers of the log need more than") {
		t.Errorf("a full log: %v", err)
	}
	l, err := r.Log(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, l)
	if least := int64(limit / 2); int64(len(file)) < least {
		t.Errorf("%d bytes of %d are used", len(file), limit)
	}
	if _, err := Read(bytes.NewReader(file), limit); err != nil {
		t.Errorf("%d bytes: %v", len(file), err)
	}
	if err := r.Add(somewhat(1000)); err == nil {
		t.Error("a full log takes one more record")
	}
	many := make([]Outcome, MaxOutcomes)
	for i := range many {
		many[i] = Outcome{Period: 1, Losses: []float64{1, 2, 3}}
	}
	if _, err := r.Log(many); err == nil || !strings.Contains(err.Error(), "need more than") {
		t.Errorf("outcomes that do not fit: %v", err)
	}
	if most, bytes := RecordBytes(3), 8*(2*9+3*3+3); most != int64(bytes) {
		t.Errorf("a record has %d bytes, said are %d", bytes, most)
	}
}

// TestOutcomesRefused checks that invalid outcomes are rejected, in memory and in files.
func TestOutcomesRefused(t *testing.T) {
	good := Outcome{Name: "a", Rule: "ls", Period: 1, Losses: []float64{1, 2}}
	for want, change := range map[string]func(o *Outcome){
		"0 is not a valid period":              func(o *Outcome) { o.Period = 0 },
		"-1 is not a valid number of backprop": func(o *Outcome) { o.Backprops = -1 },
		"-3 is not a valid number of steps":    func(o *Outcome) { o.Steps = -3 },
		"NaN, which":                           func(o *Outcome) { o.Losses = []float64{1, math.NaN()} },
		"1 losses":                             func(o *Outcome) { o.Losses = []float64{1} },
		"(1) is 2; it must be":                 func(o *Outcome) { o.Accuracy = []float64{0, 2} },
		"1 accuracies":                         func(o *Outcome) { o.Accuracy = []float64{1} },
		"cannot be shown":                      func(o *Outcome) { o.Name = "\n" }, "is not valid UTF-8": func(o *Outcome) { o.Rule = "\xff" },
	} {
		bad := good
		change(&bad)
		if _, err := newOutcomes([]Outcome{bad}, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	bad := good
	bad.Accuracy = []float64{0, 1}
	if _, err := newOutcomes([]Outcome{good, bad}, 2); err == nil {
		t.Error("accuracies of some")
	}
	if _, err := newOutcomes(make([]Outcome, MaxOutcomes+1), 2); err == nil {
		t.Error("too many outcomes")
	}
	all := []member{
		{"outcome_names.npy", npy("<U1", "(1,)", false, ucs4(1, "a"))}, {"outcome_rules.npy", npy("<U1", "(1,)", false, ucs4(1, "b"))},
		{"outcome_periods.npy", npy("<i8", "(1,)", false, []int64{2})}, {"outcome_backprops.npy", npy("<f8", "(1,)", false, []float64{3})},
		{"outcome_losses.npy", npy("<f8", "(1, 2)", false, []float64{4, 5})},
	}
	l, err := read(npz(0, with(all...)...))
	if err != nil || len(l.Outcomes()) != 1 || l.Outcomes()[0].Losses[1] != 5 || l.Outcomes()[0].Accuracy != nil {
		t.Fatalf("%+v: %v", l, err)
	}
	of := append(slices.Clone(all), member{"outcome_steps.npy", npy("<i8", "(1,)", false, []int64{120})})
	if l, err := read(npz(0, with(of...)...)); err != nil || l.Outcomes()[0].Steps != 120 {
		t.Errorf("trials of 120 steps: %v, %v", l, err)
	}
	for i, m := range all {
		less := slices.Delete(slices.Clone(all), i, i+1)
		want := strings.TrimSuffix(m.name, ".npy") + ": the array is missing"
		if _, err := read(npz(0, with(less...)...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", m.name, err)
		}
	}
	many := npy("<U1", "(101,)", false, ucs4(1, make([]string, 101)...))
	for want, m := range map[string]member{
		"outcome_losses: its shape is (1, 3), but must be (1, 2)": {"outcome_losses.npy", npy("<f8", "(1, 3)", false, []float64{4, 5, 6})},
		"outcome_rules: its shape is (2,), but must be (1,)":      {"outcome_rules.npy", npy("<U1", "(2,)", false, ucs4(1, "a", "b"))},
		"number of outcomes is 101":                               {"outcome_names.npy", many},
		"number of outcomes is 0":                                 {"outcome_names.npy", npy("<U1", "(0,)", false, []uint32{})},
		"M outcomes of S objectives":                              {"outcome_periods.npy", npy("<i8", "(1, 1)", false, []int64{2})},
		"outcome_periods, row 0: 0 is not a valid period":         {"outcome_periods.npy", npy("<i8", "(1,)", false, []int64{0})},
		"outcome_accuracy, row 0: entry (1) is -1":                {"outcome_accuracy.npy", npy("<f8", "(1, 2)", false, []float64{0, -1})},
	} {
		changed := slices.Clone(all)
		if i := slices.IndexFunc(changed, func(o member) bool { return o.name == m.name }); i >= 0 {
			changed[i] = m
		} else {
			changed = append(changed, m)
		}
		if _, err := read(npz(0, with(changed...)...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
