package runlog

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"
)

// mark is a number for which JSON may contain the text "NaN".
type mark float64

func (m *mark) UnmarshalJSON(text []byte) error {
	if string(text) == `"NaN"` {
		*m = mark(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// trueRecord contains the true values of one record of the run that several trackers stored in testdata/trackers.
type trueRecord struct {
	Leg     int
	Step    int64
	Losses  []mark
	Gramian [][]mark
}

// trueNames contains the names of the run's losses, in the order of the Gramian's rows.
var trueNames = []string{"train/depth", "tiny", "huge"}

// trueRecords returns the records of both legs of the run, the first and the resumed one, in the order in which they
// were logged.
func trueRecords(t testing.TB) (out []trueRecord) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(trackerFile(t, "testdata/trackers/true.jsonl")))
	for d.More() {
		var r trueRecord
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func trackerFile(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// lastRecords returns the records that count, by step. If both legs contain a step, the second leg counts.
func lastRecords(t testing.TB) map[int64]trueRecord {
	out := map[int64]trueRecord{}
	for _, r := range trueRecords(t) {
		out[r.Step] = r
	}
	return out
}

// checkTrue compares a log with the records of the run at the given steps. If single is true, it compares them in
// single precision.
func checkTrue(t *testing.T, l *Log, steps []int64, of map[int64]trueRecord, single bool) {
	t.Helper()
	if !slices.Equal(l.steps, steps) || !slices.Equal(l.names, trueNames) {
		t.Fatalf("steps %v of %v, want %v of %v", l.steps, l.names, steps, trueNames)
	}
	as := func(v mark) float64 {
		if single {
			return float64(float32(v))
		}
		return float64(v)
	}
	for k, step := range steps {
		for i, row := range of[step].Gramian {
			if got, want := l.Losses(nil, k)[i], as(of[step].Losses[i]); got != want {
				t.Errorf("step %d: loss %d is %v, want %v", step, i, got, want)
			}
			for j, v := range row {
				if got, want := l.gramian.at((k*3+i)*3+j), as(v); got != want {
					t.Errorf("step %d: entry (%d, %d) is %v, want %v", step, i, j, got, want)
				}
			}
		}
	}
}

// remarks returns the remarks about the records of a log.
func remarks(t *testing.T, l *Log) string {
	t.Helper()
	report, err := Analyse(l, NewOptions())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(report.Remarks(), " ")
}

// allButNaN lists the steps of the run, except the step with a NaN.
var allButNaN = []int64{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}

// TestFlatLines checks that flat JSON lines, from trackio's table and from Python, have the true values of both
// legs. Remarks must say which records do not count.
func TestFlatLines(t *testing.T) {
	var one, nested, several strings.Builder
	for _, r := range trueRecords(t) {
		fmt.Fprintf(&one, `{"lr": NaN, "_timestamp": 1.5, "_step": %d`, r.Step)
		fmt.Fprintf(&nested, `{"step": 99, "_step": %d, "list": [1, NaN], "text": "x", "loss": {`, r.Step)
		for i, name := range trueNames {
			fmt.Fprintf(&one, `, "loss/%s": %v`, name, float64(r.Losses[i]))
			fmt.Fprintf(&nested, `%s"%s": %v`, strings.Repeat(", ", min(i, 1)), name, float64(r.Losses[i]))
			fmt.Fprintf(&several, `{"global_step": %d, "loss/%s": "%v"}`+"\n", r.Step, name, float64(r.Losses[i]))
		}
		nested.WriteString(`}, "gramian": {"x": null`)
		for i := range trueNames {
			for j := range i + 1 { // the lower triangle
				fmt.Fprintf(&one, `, "gramian/%d_%d": %v`, i, j, float64(r.Gramian[i][j]))
				fmt.Fprintf(&nested, `, "%d_%d": %v`, i, j, float64(r.Gramian[i][j]))
				fmt.Fprintf(&several, `{"gramian/%d_%d": %v, "iter": %d}`+"\n", i, j, float64(r.Gramian[i][j]), r.Step)
			}
		}
		one.WriteString("}\n")
		nested.WriteString("}}\n")
	}
	trackio := string(trackerFile(t, "testdata/trackers/trackio-metrics.jsonl"))
	for name, text := range map[string]string{"trackio": trackio, "one line a step": one.String(), "nested": nested.String(),
		"a line a number": several.String()} {
		if name == "a line a number" {
			// Numbers as strings are rejected, unless they mean NaN.
			_, err := read([]byte(text))
			if err == nil || !strings.Contains(err.Error(), `line 1: loss/train/depth: a number is expected, not "1.33`) {
				t.Errorf("texts: %v", err)
			}
			text = strings.NewReplacer(`: "`, ": ", `"}`, "}").Replace(text)
		}
		l, err := read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkTrue(t, l, allButNaN, lastRecords(t), false)
		want := "Left out 7 records: 6 from step 6 on (the run was resumed at or before their step, so later records count); " +
			"1, step 3 (a number is not finite). Records are unevenly spaced"
		if said := remarks(t, l); !strings.HasPrefix(said, want) {
			t.Errorf("%s: it says %q", name, said)
		}
	}
}

// TestFlatLosses checks that remarks or errors say what a tracker lost.
func TestFlatLosses(t *testing.T) {
	const record = `{"_step": %d, "loss/a": %v, "loss/b": 2, "gramian/0_0": 1, "gramian/0_1": 0.5, "gramian/1_1": 4}` + "\n"
	var thinned, single, merged, twice, marked strings.Builder
	for k := range 300 {
		fmt.Fprintf(&thinned, `{"_step": %d, "loss/a": 1, "loss/b": 2}`+"\n", k)
		if k%30 == 0 {
			fmt.Fprintf(&thinned, `{"_step": %d, "gramian/0_0": 1, "gramian/0_1": 0.5, "gramian/1_1": 4}`+"\n", k)
		}
		fmt.Fprintf(&single, record, k, float64(float32(0.1)))
		fmt.Fprintf(&merged, `{"_step": %d, "loss/a_b": 1, "gramian/0_0": 1, "gramian/0_1": 0.5, "gramian/1_1": 4}`+"\n", k)
		fmt.Fprintf(&merged, `{"_step": %d, "loss/a_b": 2}`+"\n", k)
		fmt.Fprintf(&twice, record+record, k, 1, k, 3)
		fmt.Fprintf(&marked, record, k, map[bool]any{true: math.MaxFloat64, false: 1}[k == 7])
	}
	for name, c := range map[string]struct{ text, want string }{
		"10 of 300": {thinned.String(),
			"Left out 290 records: 290 from step 1 on (not all of their numbers were kept: loss/a has 300, gramian/0_0 has 10)."},
		"single": {single.String(),
			"The numbers have the precision of 32 bits, as they were logged: products below 1e-45"},
		"merged": {merged.String(),
			"there are 1 losses, but the Gramian has 2 rows (loss/a_b had a second number at the same step, 300 in total"},
		"twice": {twice.String(), "loss/a had a second number at the same step, 300 in total, and the last number of a step counts"},
		"no NaN": {marked.String(),
			"loss/a is infinite at 1 of 300 steps; change the unit of the loss to bring it into range. Left out 1 record: 1, step 7"},
		"no Gramian": {`{"_step": 1, "loss/a": 1}`, "there are no numbers called gramian/i_j"},
		"no losses":  {`{"_step": 1, "gramian/0_0": 1, "train/loss": 1}`, "there are no numbers called loss/NAME"},
		"no entry":   {`{"_step": 1, "gramian/0_0": 1, "gramian/1_1": 1, "loss/a": 1, "loss/b": 1}`, "gramian/0_1 is missing"},
		"no step":    {`{"gramian/0_0": 1, "loss/a": 1}`, "line 1: the step is missing; one of _step, step, global_step, iter"},
		"half step":  {`{"_step": 0.5, "gramian/0_0": 1, "loss/a": 1}`, "line 1: _step: 0.5 is not a whole number"},
		"one record": {`{"_step": 1, "gramian/0_0": 1, "loss/a": 1}`, "1 of 1 steps have all numbers of a record"},
		"too many":   {`{"_step": 1, "gramian/700_0": 1, "loss/a": 1}`, "701 objectives; the number must be from 1 to 200"},
		"cut off":    {`{"_step": 1, "gramian/0_0": 1, "loss/a`, "line 1: the line ends in the middle"},
		"more":       {`{"_step": 1, "gramian/0_0": 1} {}`, "line 1: there is more text after the object"},
	} {
		l, err := read([]byte(c.text))
		said := fmt.Sprint(err)
		if err == nil {
			said = remarks(t, l)
		}
		if !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %s", name, said)
		}
	}
	const numbered = `{"_step": %d, "loss/1_b": 2, "loss/0_a": 1, "gramian/0_0": 1, "gramian/0_1": 0, "gramian/1_1": 1}` + "\n"
	l, err := read(fmt.Appendf(nil, numbered+numbered, 1, 2))
	if err != nil || !slices.Equal(l.names, []string{"0_a", "1_b"}) || l.Losses(nil, 0)[0] != 1 {
		t.Errorf("losses with their rows: %v, %v", l, err)
	}
}

// TestLightning checks Lightning's table, which has the Gramian at even steps and loses the order of the losses.
func TestLightning(t *testing.T) {
	legs := [][]byte{trackerFile(t, "testdata/trackers/lightning-csvlogger-leg0.csv"),
		trackerFile(t, "testdata/trackers/lightning-csvlogger-leg1.csv")}
	if _, err := read(legs[0]); err == nil || !strings.Contains(err.Error(), "Lightning does not keep the order of the losses") ||
		!strings.Contains(err.Error(), "-names huge,tiny,train/depth") {
		t.Errorf("without names: %v", err)
	}
	part := func(leg int) Part { return Part{Name: fmt.Sprintf("leg%d.csv", leg), File: bytes.NewReader(legs[leg])} }
	first := map[int64]trueRecord{}
	for _, r := range trueRecords(t)[:12] {
		first[r.Step] = r
	}
	const incomplete = "from step %d on (not all of their numbers were kept: loss/huge has %d, gramian/0_0 has %d)"
	for _, c := range []struct {
		parts []Part
		of    map[int64]trueRecord
		steps []int64
		want  string
	}{
		{[]Part{part(0)}, first, []int64{0, 2, 4, 6, 8, 10}, "Left out 6 records: 6 " + fmt.Sprintf(incomplete, 1, 12, 6)},
		{[]Part{part(1)}, lastRecords(t), []int64{6, 8, 10},
			"It begins at step 6: when Lightning resumes a run in the same folder, it deletes"},
		{[]Part{part(0), part(1)}, lastRecords(t), []int64{0, 2, 4, 6, 8, 10}, "It begins at step 6"},
	} {
		l, err := ReadParts(c.parts, trueNames, NativeBytes)
		if err != nil {
			t.Errorf("%v: %v", c.parts, err)
			continue
		}
		checkTrue(t, l, c.steps, c.of, false)
		if said := remarks(t, l); !strings.HasPrefix(said, c.want) {
			t.Errorf("it says %q", said)
		}
	}
	cut := legs[0][:len(legs[0])-40]
	l, err := ReadParts([]Part{{File: bytes.NewReader(cut)}}, trueNames, NativeBytes)
	if err != nil || !strings.HasPrefix(remarks(t, l), "The last line of the file is cut off and left out.") {
		t.Errorf("a table that is cut off: %v", err)
	}
	const heading = "step,loss/b,loss/a,gramian/0_0,gramian/0_1,gramian/1_1\n"
	l, err = read([]byte(heading + "1,10,20,1,0,4\n2,11,21,1,0,4\n"))
	if err != nil || !slices.Equal(l.names, []string{"b", "a"}) || l.Losses(nil, 1)[1] != 21 {
		t.Errorf("columns in another order: %v, %v", l, err)
	}
	for text, want := range map[string]string{
		heading + "1,10,x,1,0,4\n":          `line 2, column 6 (loss/a): "x" is not a number`,
		heading + "1.5,10,1,1,0,4\n":        "line 2, column 1 (step): 1.5 is not a whole number",
		heading + "1,10\n2,1,1,1,1,1\n":     "wrong number of fields",
		"loss/a,gramian/0_0\n1,2\n":         "there is no column _step or step",
		"step,loss/a,loss/a,gramian/0_0\n1": `two columns are called "loss/a"`,
	} {
		if _, err := read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPack checks that the zip of a tracker's folder is read like the folder, and that equal files give equal zips.
func TestPack(t *testing.T) {
	mlflow := os.DirFS(filepath.FromSlash("testdata/trackers/mlflow-file"))
	packed, err := Pack(mlflow, PageBytes)
	again, errAgain := Pack(mlflow, PageBytes)
	if err != nil || errAgain != nil || !bytes.Equal(packed, again) {
		t.Fatal(err, errAgain)
	}
	l, err := ReadParts([]Part{{File: bytes.NewReader(packed)}}, trueNames, PageBytes)
	of, errOf := ReadParts([]Part{{Folder: mlflow}}, trueNames, PageBytes)
	if err != nil || errOf != nil {
		t.Fatal(err, errOf)
	}
	if l.Records() != of.Records() || !slices.Equal(l.Losses(nil, 3), of.Losses(nil, 3)) {
		t.Errorf("%d records of the zip, %d of the folder", l.Records(), of.Records())
	}
	if _, err := Pack(mlflow, 1000); err == nil || !strings.Contains(err.Error(), "more than the maximum") {
		t.Errorf("a folder that is too large: %v", err)
	}
	if _, err := Pack(os.DirFS(t.TempDir()), PageBytes); err == nil || !strings.Contains(err.Error(), "without files of a tracker") {
		t.Errorf("a folder of no tracker: %v", err)
	}
}

// TestCutOffLines checks that an incomplete last line is omitted.
func TestCutOffLines(t *testing.T) {
	file := trackerFile(t, "testdata/trackers/trackio-metrics.jsonl")
	l, err := read(file[:len(file)-30])
	if err != nil || !strings.HasPrefix(remarks(t, l), "The last line of the file is cut off and left out.") {
		t.Errorf("%v", err)
	}
}

// folder returns a folder that contains the given files of testdata.
func folder(files string) []Part {
	name := strings.TrimSuffix(files, "/*")
	return []Part{{Name: name, Folder: os.DirFS(filepath.FromSlash(name))}}
}

// event returns a TensorBoard event with named numbers of 32 bits, or an event that marks a resumed run.
func event(step int64, names []string, values []float32) []byte {
	body := protowire.AppendTag(nil, 2, protowire.VarintType)
	body = protowire.AppendVarint(body, uint64(step))
	if names == nil {
		body = protowire.AppendTag(body, 7, protowire.BytesType)
		return protowire.AppendBytes(body, []byte{1 << 3, 1})
	}
	var summary []byte
	for i, name := range names {
		value := protowire.AppendTag(nil, 1, protowire.BytesType)
		value = protowire.AppendString(value, name)
		value = protowire.AppendTag(value, 2, protowire.Fixed32Type)
		value = protowire.AppendFixed32(value, math.Float32bits(values[i]))
		summary = protowire.AppendTag(summary, 1, protowire.BytesType)
		summary = protowire.AppendBytes(summary, value)
	}
	body = protowire.AppendTag(body, 5, protowire.BytesType)
	return protowire.AppendBytes(body, summary)
}

// framed returns the content of an event file with the given records.
func framed(records ...[]byte) (out []byte) {
	for _, r := range records {
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(r)))
		out = binary.LittleEndian.AppendUint32(append(out, length...), checksum(length))
		out = binary.LittleEndian.AppendUint32(append(out, r...), checksum(r))
	}
	return out
}

var twoNames = []string{"loss/a", "loss/b", "gramian/0_0", "gramian/0_1", "gramian/1_1"}

func twoValues(loss float32) []float32 { return []float32{loss, 2, 1, 0.5, 4} }

// TestTensorBoard checks that event files have the values of both legs in 32 bits, in which the Gramian's largest entry
// is infinite.
func TestTensorBoard(t *testing.T) {
	for name, purged := range map[string]bool{"testdata/trackers/tensorboard-torch/*": false,
		"testdata/trackers/tensorboard-torch-purge-step/*": true, "testdata/trackers/tensorboard-tensorboardx/*": false,
		"testdata/trackers/tensorboard-tensorboardx-purge-step/*": true} {
		if _, err := ReadParts(folder(name), nil, NativeBytes); err == nil || !strings.Contains(err.Error(), "0 of 12 records can be used") ||
			!strings.Contains(err.Error(), "gramian/2_2 is infinite at 12 of 12 steps") {
			t.Errorf("%s: %v", name, err)
		}
		l, err := readFolder(folder(name)[0].Folder, NativeBytes)
		if err != nil {
			t.Fatal(err)
		}
		if want := []LeftOut{{causeRepeated, 6, 6}}; !slices.Equal(l.leftOut, want) {
			t.Errorf("%s: left out are %v (purged: %v)", name, l.leftOut, purged)
		}
		of := lastRecords(t)
		delete(of, 3)
		for k := range l.records { // NaN is not equal to itself
			if l.steps[k] == 3 {
				if v := l.Losses(nil, k)[0]; v == v {
					t.Errorf("%s: NaN is %v", name, v)
				}
				l.steps = slices.Delete(l.steps, k, k+1)
				l.records--
				l.losses.double = slices.Delete(l.losses.double, 3*k, 3*k+3)
				l.gramian.double = slices.Delete(l.gramian.double, 9*k, 9*k+9)
				break
			}
		}
		checkTrue(t, l, allButNaN, of, true)
	}
}

// TestEventFiles checks event files that are cut off or damaged, and event files of resumed runs. Complete records must
// be read, and damage must lead to an error.
func TestEventFiles(t *testing.T) {
	records := [][]byte{{0x1a, 1, 'x'}}
	for k := range int64(6) {
		records = append(records, event(k, twoNames, twoValues(0.1)))
	}
	whole := framed(records...)
	const narrow = "The numbers have the precision of 32 bits, because TensorBoard keeps only 32 bits: products below 1e-45"
	l, err := read(whole)
	if err != nil || l.Records() != 6 || !strings.HasPrefix(remarks(t, l), narrow) {
		t.Fatalf("%v", err)
	}
	last := len(framed(records[:6]...))
	for _, cut := range []int{last + 1, last + 12, last + 20, len(whole) - 1} {
		l, err := read(whole[:cut])
		want := fmt.Sprintf("in the middle of its last record, at byte %d.", last)
		if err != nil || l.Records() != 5 || !strings.Contains(remarks(t, l), want) {
			t.Errorf("cut off at %d: %v", cut, err)
		}
	}
	for _, c := range []struct {
		at   int
		want string
	}{
		{last, fmt.Sprintf("the record at byte %d: the checksum of its length is wrong", last)},
		{last + 9, fmt.Sprintf("the record at byte %d: the checksum of its length is wrong", last)},
		{last + 20, fmt.Sprintf("the record at byte %d: the checksum of its", last)},
		{len(whole) - 1, fmt.Sprintf("the record at byte %d: the checksum of its", last)},
	} {
		damaged := slices.Clone(whole)
		damaged[c.at] ^= 1
		if _, err := read(damaged); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("byte %d: %v, want %q", c.at, err, c.want)
		}
	}
	huge := binary.LittleEndian.AppendUint64(nil, 1<<60)
	huge = binary.LittleEndian.AppendUint32(huge, checksum(huge))
	if _, err := read(huge); err == nil || !strings.Contains(err.Error(), "more than the maximum of 256 MB") {
		t.Errorf("a length: %v", err)
	}
	if _, err := read(framed(records[1], []byte{0x2a, 9})); err == nil || !strings.Contains(err.Error(), "field 5 of a protocol buffer") {
		t.Errorf("a message: %v", err)
	}
	// Records beyond the step at which the run is resumed do not count, even if the second leg does not contain their steps.
	l, err = read(framed(event(0, twoNames, twoValues(1)), event(1, twoNames, twoValues(1)), event(2, twoNames, twoValues(1)),
		event(1, nil, nil), event(3, twoNames, twoValues(1))))
	if err != nil || !slices.Equal(l.steps, []int64{0, 3}) || !slices.Equal(l.leftOut, []LeftOut{{causeRepeated, 2, 1}}) {
		t.Errorf("steps %v, left out are %v, %v", l.steps, l.leftOut, err)
	}
	for _, c := range []struct {
		message []byte
		want    []float64
		single  bool
	}{
		{append([]byte{8, 1, 0x2a, 4}, 0, 0, 0x20, 0x40), []float64{2.5}, true},
		{append([]byte{8, 1, 0x2d}, 0, 0, 0x20, 0x40), []float64{2.5}, true},
		{append([]byte{8, 2, 0x22, 8}, 0, 0, 0, 0, 0, 0, 4, 0x40), []float64{2.5}, false}, {[]byte{8, 3, 0x22, 1, 1}, nil, false},
	} {
		if list, single, err := tensor(c.message); err != nil || single != c.single || !slices.Equal(list, c.want) {
			t.Errorf("a tensor: %v, %v, %v", list, single, err)
		}
	}
}

// TestTrackerFolders checks that several files of one run are read together, and that a folder with several runs is
// rejected.
func TestTrackerFolders(t *testing.T) {
	file := &fstest.MapFile{Data: framed(event(0, twoNames, twoValues(1)), event(1, twoNames, twoValues(1)))}
	later := &fstest.MapFile{Data: framed(event(1, twoNames, twoValues(5)))}
	two := fstest.MapFS{"events.out.tfevents.200.a": later, "events.out.tfevents.99.b": file, "x.txt": file}
	l, err := ReadParts([]Part{{Folder: two}}, nil, 1<<20)
	if err != nil || l.Losses(nil, 1)[0] != 5 {
		t.Errorf("two files of a run: %v", err)
	}
	for want, files := range map[string]fstest.MapFS{
		"it is a folder without files of a tracker":                          {"x.txt": file},
		"it is a folder with several runs, a, b; name one of them":           {"a/events.out.tfevents.1": file, "b/events.out.tfevents.2": file},
		"tfevents.1: the record at byte 0: the checksum of its length is wr": {"events.out.tfevents.1": {Data: make([]byte, 30)}},
	} {
		if _, err := ReadParts([]Part{{Folder: files}}, nil, NativeBytes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestWandb checks that W&B's files have the true values, but not the order of the losses. Damage must be found.
func TestWandb(t *testing.T) {
	legs := [][]byte{trackerFile(t, "testdata/trackers/wandb-offline-1.wandb"), trackerFile(t, "testdata/trackers/wandb-offline-2.wandb")}
	if _, err := read(legs[0]); err == nil || !strings.HasPrefix(err.Error(), "W&B does not keep the order of the losses") {
		t.Errorf("without names: %v", err)
	}
	files := []Part{{Name: "1", File: bytes.NewReader(legs[0])}, {Name: "2", File: bytes.NewReader(legs[1])}}
	both := fstest.MapFS{"offline-run-1/run-a.wandb": {Data: legs[0]}, "offline-run-2/run-a.wandb": {Data: legs[1]}}
	for _, parts := range [][]Part{files, {{Folder: both}}} {
		l, err := ReadParts(parts, trueNames, NativeBytes)
		if err != nil {
			t.Fatal(err)
		}
		checkTrue(t, l, allButNaN, lastRecords(t), false)
		said := remarks(t, l)
		for _, want := range []string{"Left out 7 records: ", "6 from step 6 on (the run was resumed",
			"1, step 3 (a number is not finite)"} {
			if !strings.Contains(said, want) {
				t.Errorf("it says %q, without %q", said, want)
			}
		}
	}
	part := func(file []byte) []Part { return []Part{{File: bytes.NewReader(file)}} }
	for _, cut := range []int{1, 10, 200} {
		l, err := ReadParts(part(legs[0][:len(legs[0])-cut]), trueNames, NativeBytes)
		if err != nil || !strings.HasPrefix(remarks(t, l), "The file ends in the middle of its last record, at byte ") {
			t.Errorf("%d bytes cut off: %v", cut, err)
		}
	}
	for at, want := range map[int]string{5: "it does not begin like", 7: "the record at byte 7: the checksum of its",
		12: "the record at byte 7: it does not fit", 13: "the record at byte 7: it does not fit",
		60: "the record at byte 7: the checksum of its"} {
		damaged := slices.Clone(legs[0])
		damaged[at] ^= 0x80
		if _, err := read(damaged); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d: %v, want %q", at, err, want)
		}
	}
	// If a record is longer than a block, it has several parts.
	long := slices.Clone(wandbMagic)
	body := protowire.AppendBytes(protowire.AppendTag(nil, 100, protowire.BytesType), make([]byte, 3*wandbBlock))
	for kind := byte(firstChunk); ; kind = middleChunk {
		n := min(len(body), wandbBlock-len(long)%wandbBlock-chunkHeader)
		if n == len(body) {
			kind = lastChunk
		}
		sum := crc32.ChecksumIEEE(append([]byte{kind}, body[:n]...))
		long = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(long, sum), uint16(n))
		long = append(append(long, kind), body[:n]...)
		if body = body[n:]; len(body) == 0 {
			break
		}
	}
	out := newScalars("W&B", NativeBytes)
	if err := out.readWandb(bytes.NewReader(long), NativeBytes); err != nil || out.notes != nil {
		t.Errorf("a long record: %v, %v", err, out.notes)
	}
}

// TestPackedFolders checks that a zip of a tracker's folder is read like the folder. A zip without a tracker's
// files must be rejected as an npz.
func TestPackedFolders(t *testing.T) {
	for name, parts := range map[string][]Part{
		"mlflow": folder("testdata/trackers/mlflow-file/metrics/*"),
		"none":   {{Folder: fstest.MapFS{"x.txt": {}}}},
	} {
		var packed bytes.Buffer
		z := zip.NewWriter(&packed)
		if err := errors.Join(z.AddFS(parts[0].Folder), z.Close()); err != nil {
			t.Fatal(err)
		}
		l, err := ReadParts([]Part{{File: &packed}}, trueNames, NativeBytes)
		if name == "none" {
			if err == nil || !strings.Contains(err.Error(), "gramian and jacobian are missing") {
				t.Errorf("a zip of a text: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		checkTrue(t, l, allButNaN, lastRecords(t), false)
	}
}

// TestMLflow checks that MLflow's folder, with one file per name, has the true values of both legs.
func TestMLflow(t *testing.T) {
	const name = "testdata/trackers/mlflow-file/metrics/*"
	if _, err := ReadParts(folder(name), nil, NativeBytes); err == nil || !strings.Contains(err.Error(), "MLflow does not keep the order") {
		t.Errorf("without names: %v", err)
	}
	for files, want := range map[string]int{"testdata/trackers/mlflow-file/metrics/gramian/*": 6,
		"testdata/trackers/mlflow-file/metrics/loss/*": 3, "testdata/trackers/mlflow-file/metrics/loss/train/depth": 1} {
		if list, err := filepath.Glob(files); err != nil || len(list) != want {
			t.Errorf("%s: %v, %v", files, list, err)
		}
	}
	for _, parts := range [][]Part{folder(name), folder("testdata/trackers/mlflow-file/*")} {
		l, err := ReadParts(parts, trueNames, NativeBytes)
		if err != nil {
			t.Fatal(err)
		}
		checkTrue(t, l, allButNaN, lastRecords(t), false)
		if said := remarks(t, l); !strings.HasPrefix(said, "Left out 7 records: 6 from step 6 on (the run was resumed at or before") {
			t.Errorf("it says %q", said)
		}
	}
	with := func(text string) fstest.MapFS {
		return fstest.MapFS{"metrics/loss/a": {Data: []byte("1 2 0\n1 2 1\n")}, "metrics/gramian/0_0": {Data: []byte(text)}}
	}
	l, err := ReadParts([]Part{{Folder: with("1 2 0\n1 2 1\n1 2 2")}}, nil, NativeBytes)
	if err != nil || !strings.HasPrefix(remarks(t, l), "The last line of gramian/0_0 is cut off") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"1 2\n":   "metrics/gramian/0_0: line 1: it has 2 fields, but must have three: time, value and step",
		"1 x 0\n": `line 1: the value: "x" is not a number`, "1 2 x\n": `line 1: the step: "x" is not a number`,
		strings.Repeat("1", 1<<17): "line 1: it has more than 65536 bytes",
	} {
		if _, err := ReadParts([]Part{{Folder: with(text)}}, nil, NativeBytes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, want %q", text, err, want)
		}
	}
}

// TestClearML checks that ClearML's lines have the true values of both legs. The lines contain 0 instead of NaN, and
// the reader must detect this.
func TestClearML(t *testing.T) {
	l, err := read(trackerFile(t, "testdata/trackers/clearml-offline-metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	checkTrue(t, l, allButNaN, lastRecords(t), false)
	const want = "ClearML writes 0 for NaN: 1 records have a loss and a row of the Gramian that are exactly 0, and count as NaN. " +
		"Left out 7 records"
	if said := remarks(t, l); !strings.HasPrefix(said, want) {
		t.Errorf("it says %q", said)
	}
}

// FuzzTrackers checks that every file is read or rejected without a crash.
func FuzzTrackers(f *testing.F) {
	for _, name := range []string{"trackio-metrics.jsonl", "clearml-offline-metrics.jsonl", "lightning-csvlogger-leg1.csv",
		"wandb-offline-2.wandb"} {
		f.Add(trackerFile(f, "testdata/trackers/"+name))
	}
	f.Add(framed(event(0, twoNames, twoValues(1)), event(1, twoNames, twoValues(1))))
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := ReadParts([]Part{{File: bytes.NewReader(file)}}, nil, 1<<20)
		if (l == nil) == (err == nil) {
			t.Errorf("%v, %v", l, err)
		}
		out := newScalars("", 1<<20)
		_ = out.readEvents(bytes.NewReader(file), 1<<20)
		_ = out.readWandb(bytes.NewReader(append(slices.Clone(wandbMagic), file...)), 1<<20)
	})
}
