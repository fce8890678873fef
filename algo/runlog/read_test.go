package runlog

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
)

// open reads a log that the site provides.
func open(t testing.TB, name string) *Log {
	t.Helper()
	f, err := os.Open("digits/" + name + ".npz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	l, err := ReadAt(f, info.Size(), NativeBytes)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// npy encodes an array in numpy's format. entries lists its entries in the order of the file.
func npy(descr, shape string, fortran bool, entries any) []byte {
	order := "False"
	if fortran {
		order = "True"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	check(binary.Write(&b, binary.LittleEndian, uint16(len(header))))
	b.WriteString(header)
	check(binary.Write(&b, binary.LittleEndian, entries))
	return b.Bytes()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// member is a file of an archive.
type member struct {
	name string
	data []byte
}

// npz returns an archive with the given compression method.
func npz(method uint16, members ...member) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		check(err)
		_, err = w.Write(m.data)
		check(err)
	}
	check(z.Close())
	return b.Bytes()
}

// usual returns the arrays of a small log, with two records of two objectives.
func usual() []member {
	return []member{
		{"gramian.npy", npy("<f8", "(2, 2, 2)", false, []float64{4, -1, -1, 1, 2, 1, 1, 3})},
		{"losses.npy", npy("<f8", "(2, 2)", false, []float64{1, 2, 3, 4})},
	}
}

// with returns the usual arrays after replacing or adding the given ones.
func with(others ...member) []member {
	out := usual()
	for _, o := range others {
		if i := slices.IndexFunc(out, func(m member) bool { return m.name == o.name }); i >= 0 {
			out[i] = o
		} else {
			out = append(out, o)
		}
	}
	return out
}

func read(data []byte) (*Log, error) { return Read(bytes.NewReader(data), NativeBytes) }

// ucs4 encodes texts as numpy does, each padded to n characters.
func ucs4(n int, texts ...string) []uint32 {
	var out []uint32
	for _, text := range texts {
		entry := make([]uint32, n)
		for i, r := range []rune(text) {
			entry[i] = uint32(r)
		}
		out = append(out, entry...)
	}
	return out
}

// TestTypes checks that numpy's number types, entry orders and kinds of archives all give the same log.
func TestTypes(t *testing.T) {
	c := []float32{4, -1, -1, 1, 2, 1, 1, 3}
	var double []float64
	var short []int32
	var long []int64
	for _, v := range c {
		double, short, long = append(double, float64(v)), append(short, int32(v)), append(long, int64(v))
	}
	fortran := []float64{4, 2, -1, 1, -1, 1, 1, 3}
	for name, array := range map[string][]byte{
		"f4": npy("<f4", "(2, 2, 2)", false, c), "f8": npy("<f8", "(2, 2, 2)", false, double), "i4": npy("<i4", "(2, 2, 2)", false, short),
		"i8": npy("<i8", "(2, 2, 2)", false, long), "Fortran": npy("<f8", "(2, 2, 2)", true, fortran),
	} {
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			members := with(member{"gramian.npy", array}, member{"names.npy", npy("<U5", "(2,)", false, ucs4(5, "left", "rechß"))},
				member{"step.npy", npy("<i4", "(2,)", false, []int32{-3, 7})})
			l, err := read(npz(method, members...))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for k := range 2 {
				if got := l.gramian.row(make([]float64, 4), k); !slices.Equal(got, double[4*k:4*k+4]) {
					t.Errorf("%s: record %d is %v", name, k, got)
				}
			}
			if !slices.Equal(l.Names(), []string{"left", "rechß"}) || l.Step(0) != -3 || l.Stride() != 10 {
				t.Errorf("%s: names %q, first step %d, stride %d", name, l.Names(), l.Step(0), l.Stride())
			}
		}
		l, err := read(array)
		if err != nil || l.HasLosses() || l.Records() != 2 || l.Names()[1] != "2" {
			t.Errorf("%s alone: %v", name, err)
		}
	}
}

// TestLayoutsAgree checks that an npz, JSON lines, and Jacobians in place of Gramians all lead to the same report.
func TestLayoutsAgree(t *testing.T) {
	rows := [][]float64{{1, 2, 0, 1, -1, 3}, {-1, 1, 3, 0, 2, 2}, {0.5, 0, -2, 1, 1, 1}}
	var gramians, jacobians, losses []float64
	var lines, jacobianLines strings.Builder
	for k, row := range rows {
		j := &algo.Jacobian{Rows: 2, Cols: 3, Data: row}
		g := make([]float64, 4)
		j.Gram(g)
		gramians, jacobians, losses = append(gramians, g...), append(jacobians, row...), append(losses, 1, float64(k+1))
		fmt.Fprintf(&lines, "{\"step\": %d, \"losses\": [1, %d], \"gramian\": [[%v, %v], [%v, %v]]}\n", 2*k, k+1, g[0], g[1], g[2], g[3])
		fmt.Fprintf(&jacobianLines,
			"\n{\"jacobian\": [[%v, %v, %v], [%v, %v, %v]], \"losses\": [1, %d], \"step\": %d, \"epoch\": {\"a\": [1]}}",
			row[0], row[1], row[2], row[3], row[4], row[5], k+1, 2*k)
	}
	steps := member{"step.npy", npy("<f8", "(3,)", false, []float64{0, 2, 4})}
	lossArray := member{"losses.npy", npy("<f8", "(3, 2)", false, losses)}
	gramianArray := member{"gramian.npy", npy("<f8", "(3, 2, 2)", false, gramians)}
	jacobianArray := member{"jacobian.npy", npy("<f8", "(3, 2, 3)", false, jacobians)}
	var want string
	for i, data := range [][]byte{
		npz(zip.Deflate, steps, lossArray, gramianArray), []byte(lines.String()), []byte(jacobianLines.String()),
		npz(zip.Store, lossArray, jacobianArray, steps), npz(zip.Store, lossArray, jacobianArray, gramianArray, steps, member{"lr.npy", nil}),
	} {
		l, err := read(data)
		if err != nil {
			t.Fatalf("layout %d: %v", i, err)
		}
		if ignored := map[int]string{2: "epoch", 4: "lr.npy"}[i]; strings.Join(l.Ignored(), " ") != ignored {
			t.Errorf("layout %d: %q are not read", i, l.Ignored())
		}
		options := NewOptions()
		options.Window = 1
		r, err := Analyse(l, options)
		if err != nil {
			t.Fatal(err)
		}
		text := rounded(t, r)
		if i == 0 {
			want = text
		} else if text != want {
			t.Errorf("layout %d says\n%s, layout 0\n%s", i, text, want)
		}
	}
}

// rounded formats a report with ten digits per number.
func rounded(t *testing.T, r *Report) string {
	t.Helper()
	data, err := json.Marshal(r)
	check(err)
	var v any
	check(json.Unmarshal(data, &v))
	var round func(any) any
	round = func(v any) any {
		switch v := v.(type) {
		case float64:
			return fmt.Sprintf("%.10g", v+0)
		case []any:
			for i := range v {
				v[i] = round(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = round(v[k])
			}
		}
		return v
	}
	data, err = json.Marshal(round(v))
	check(err)
	return string(data)
}

// TestRefusals checks that errors for invalid logs name the array, the row and the reason.
func TestRefusals(t *testing.T) {
	f8 := func(name, shape string, v ...float64) member {
		return member{name + ".npy", npy("<f8", shape, false, v)}
	}
	eight := make([]float64, 8)
	lie := func(change func(data []byte)) []byte {
		data := npz(zip.Store, usual()...)
		change(data)
		return data
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"nothing", nil, "it is empty"},
		{"text", []byte("hello"), "line 1: a JSON object is expected"},
		{"no gramian", npz(zip.Store, usual()[1]), "gramian and jacobian are missing"},
		{"no losses", npz(zip.Store, usual()[0]), "losses: the array is missing"},
		{"empty archive", append([]byte("PK\x03\x04"), make([]byte, 40)...), "cut off"},
		{"one record", npz(zip.Store, f8("gramian", "(1, 1, 1)", 1), f8("losses", "(1, 1)", 1)), "gramian: the number of records is 1"},
		{"no record", npz(zip.Store, f8("gramian", "(0, 1, 1)"), f8("losses", "(0, 1)")), "gramian: the number of records is 0"},
		{"no objective", npz(zip.Store, f8("gramian", "(2, 0, 0)"), f8("losses", "(2, 0)")), "gramian: the number of objectives is 0"},
		{"not square", npz(zip.Store, with(f8("gramian", "(2, 2, 1)", 1, 2, 3, 4))...),
			"gramian: its shape is (2, 2, 1), but must be (2, 2, 2)"},
		{"flat", npz(zip.Store, with(f8("gramian", "(8,)", eight...))...), "gramian: its shape is (8,), but must be (T, S, S)"},
		{"losses of other records", npz(zip.Store, with(f8("losses", "(3, 2)", 1, 2, 3, 4, 5, 6))...),
			"losses: its shape is (3, 2), but must be (2, 2)"},
		{"step too long", npz(zip.Store, with(f8("step", "(3,)", 1, 2, 3))...), "step: its shape is (3,), but must be (2,)"},
		{"steps that stand", npz(zip.Store, with(f8("step", "(2,)", 5, 5))...), "left out: 1, step 5 (the run was resumed"},
		{"steps that fall", npz(zip.Store, with(f8("step", "(2,)", 5, 4))...), "left out: 1, step 5 (the run was resumed"},
		{"half a step", npz(zip.Store, with(f8("step", "(2,)", 0, 0.5))...), "step, row 1: 0.5 is not a whole number"},
		{"steps far apart", npz(zip.Store, with(member{"step.npy", npy("<i8", "(2,)", false, []int64{math.MinInt64, math.MaxInt64})})...),
			"too far"},
		{"NaN", npz(zip.Store, with(f8("losses", "(2, 2)", 1, 2, nan, 4))...), "left out: 1, step 1 (a number is not finite)"},
		{"infinite", npz(zip.Deflate, with(f8("gramian", "(2, 2, 2)", 1, 0, 0, 1, 1, inf, inf, 1))...), "1, step 1 (a number is not finite)"},
		{"infinite time", npz(zip.Store, with(f8("forward_seconds", "(2,)", 1, -inf))...), "1, step 1 (a number is not finite)"},
		{"negative time", npz(zip.Store, with(f8("backward_seconds", "(2,)", 1, -2))...), "backward_seconds, row 1: -2 is not a duration"},
		{"NaN in what is optional", npz(zip.Store, with(f8("cross", "(2, 2, 2)", 1, 1, 1, 1, 1, 1, 1, nan))...),
			"left out: 1, step 1 (a number is not finite)"},
		{"NaN weights", npz(zip.Store, with(f8("weights", "(2, 2)", nan, 1, 1, 1))...), "left out: 1, step 0 (a number is not finite)"},
		{"NaN after", npz(zip.Store, with(f8("after", "(2, 2)", 1, 1, 1, nan))...), "left out: 1, step 1 (a number is not finite)"},
		{"not symmetric", npz(zip.Store, with(f8("gramian", "(2, 2, 2)", 1, 0, 0, 1, 1, 0.5, 0.4, 1))...),
			"gramian, row 1: entries (1, 0) and (0, 1) are 0.4 and 0.5"},
		{"not definite", npz(zip.Store, with(f8("gramian", "(2, 2, 2)", 1, 2, 2, 1, 1, 0, 0, 1))...), "1, step 0 (no gradients have such"},
		{"negative", npz(zip.Store, with(f8("gramian", "(2, 2, 2)", 1, 0, 0, 1, -1, 0, 0, 0))...), "1, step 1 (no gradients have such"},
		{"of other gradients", npz(zip.Store, with(f8("jacobian", "(2, 2, 1)", 1, 1, 1, 1))...),
			"gramian, row 0: entry (0, 0) is not the product"},
		{"gradients in no variables", npz(zip.Store, f8("jacobian", "(2, 2, 0)"), usual()[1]), "there must be at least one variable"},
		{"big-endian", npz(zip.Store, with(member{"losses.npy", npy(">f8", "(2, 2)", false, []float64{1, 2, 3, 4})})...),
			"losses: its entries are big-endian (>f8)"},
		{"objects", npz(zip.Store, with(member{"losses.npy", npy("|O", "(2, 2)", false, []byte{1})})...),
			"losses: it is an array of Python objects"},
		{"half precision", npz(zip.Store, with(member{"losses.npy", npy("<f2", "(2, 2)", false, make([]byte, 8))})...),
			`losses: its entries are of type "<f2"`},
		{"bytes", npz(zip.Store, with(member{"names.npy", npy("|S4", "(2,)", false, make([]byte, 8))})...),
			`names: its entries are of type "|S4"`},
		{"records", npz(zip.Store, with(member{"losses.npy", []byte("\x93NUMPY\x01\x00\x10\x00{'descr': [('a'}")})...),
			"losses: it is an array of records"},
		{"text for numbers", npz(zip.Store, with(member{"losses.npy", npy("<U1", "(2, 2)", false, make([]uint32, 4))})...),
			"losses: its entries are text"},
		{"numbers for names", npz(zip.Store, with(f8("names", "(2,)", 1, 2))...), "names: its entries are numbers"},
		{"control character", npz(zip.Store, with(member{"names.npy", npy("<U3", "(2,)", false, ucs4(3, "ok", "a\x1bb"))})...),
			`names, row 1: "a\x1bb" has a character that cannot be shown, U+001B`},
		{"zero within a name", npz(zip.Store, with(member{"names.npy", npy("<U3", "(2,)", false, ucs4(3, "a\x00b", "c"))})...), "names, row 0"},
		{"turned text", npz(zip.Store, with(member{"names.npy", npy("<U3", "(2,)", false, ucs4(3, "a", "\u202eb"))})...), "U+202E"},
		{"no character", npz(zip.Store, with(member{"names.npy", npy("<U1", "(2,)", false, []uint32{65, 0x110000})})...),
			"names, row 1: 0x110000"},
		{"long name", npz(zip.Store, with(member{"names.npy", npy("<U300", "(2,)", false, ucs4(300, strings.Repeat("a", 300), "b"))})...),
			"300 characters"},
		{"three names", npz(zip.Store, with(member{"names.npy", npy("<U1", "(3,)", false, ucs4(1, "a", "b", "c"))})...),
			"names: its shape is (3,)"},
		{"twice", npz(zip.Store, append(usual(), usual()[0])...), "gramian: the file has two arrays with this name"},
		{"no array", npz(zip.Store, with(member{"losses.npy", []byte("numbers, many of them")})...), "losses: it is not an array"},
		{"no header", npz(zip.Store, with(member{"losses.npy", []byte("\x93NUMPY\x01\x00\x02\x00{}")})...),
			"losses: the header is invalid"},
		{"new version", npz(zip.Store, with(member{"losses.npy", []byte("\x93NUMPY\x07\x00\x02\x00{}")})...), "losses: unknown version 7"},
		{"long header", npz(zip.Store, with(member{"losses.npy", []byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f")})...), "losses: the header has"},
		{"fewer numbers", npz(zip.Store, with(f8("losses", "(2, 2)", 1, 2, 3))...), "losses: the shape (2, 2) does not match"},
		{"more numbers", npz(zip.Store, with(f8("losses", "(2, 2)", 1, 2, 3, 4, 5))...), "losses: the shape (2, 2) does not match"},
		{"changed", lie(func(d []byte) { d[bytes.Index(d, []byte("(2, 2, 2)"))+120] ^= 1 }), "gramian: the archive is damaged"},
		{"shape beyond all", npz(zip.Store, with(f8("gramian", "(2000000000, 2000000000, 2000000000)", 1))...), "gramian"},
		{"gramians cut off", npy("<f8", "(2, 2, 2)", false, eight[:7]), "gramian: the file ends in the middle of it"},
		{"gramians and more", npy("<f8", "(2, 1, 1)", false, eight[:3]), "gramian: there is more data"},
		{"too many records", npy("<f8", "(300000, 1, 1)", false, eight), "gramian: the number of records is 300000; it must be from 2 to 200000"},
		{"too many objectives", npy("<f8", "(2, 201, 201)", false, eight), "gramian: the number of objectives is 201; it must be from 1 to 200"},
		{"beyond the limit", npy("<f8", "(100000, 40, 40)", false, eight), "gramian: the numbers of the log need more than the maximum"},
		{"beyond the limit, Fortran", npy("<f8", "(100000, 40, 40)", true, eight), "gramian: the numbers of the log need more than the maximum"},
	} {
		l, err := read(c.data)
		if err == nil || l != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, l, err, c.says)
		}
		if err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%s: %q is more than one line", c.name, err)
		}
	}
}

// TestGrowingLines reads what a program leaves behind if it stops at any byte while it writes JSON lines. The complete
// records must be read, and a remark must say what is omitted.
func TestGrowingLines(t *testing.T) {
	const one = `{"step": 0, "losses": [1, 2], "gramian": [[1, 0], [0, 1]], "forward_seconds": 1, "x": null}` + "\n"
	const two = `{"step": 1, "losses": [1.5, NaN], "gramian": [[1, -0.5], [-0.5, 1]], "forward_seconds": 1e-3, "x": "a\"b"}`
	whole := one + strings.Replace(one, `"step": 0`, `"step": 1`, 1) + strings.Replace(two, `"step": 1`, `"step": 2`, 1)
	begins := len(whole) - len(two)
	for cut := begins; cut <= len(whole); cut++ {
		l, err := read([]byte(whole[:cut]))
		if err != nil {
			t.Fatalf("%q: %v", whole[begins:cut], err)
		}
		report, err := Analyse(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(report.Remarks(), " ")
		switch {
		case cut == begins:
			if said != "" {
				t.Errorf("without a further line it says %q", said)
			}
		case cut < len(whole) && !strings.HasPrefix(said, "The last line of the file is cut off and left out."),
			cut == len(whole) && !strings.HasPrefix(said, "Left out 1 record:"):
			t.Errorf("%q: it says %q", whole[begins:cut], said)
		}
	}
}

// TestRefusedLines checks that errors in JSON lines name the line and the field.
func TestRefusedLines(t *testing.T) {
	const one = `{"losses": [1, 2], "gramian": [[1, 0], [0, 1]]}` + "\n"
	for _, c := range []struct{ text, says string }{
		{" \n\n", "there are no records"},
		{one, "gramian: the number of records is 1"},
		{one + "[1]", "line 2: a JSON object is expected"},
		{one + `{"losses": [1, 2], "gramian": [[1, 0], [0, 1]]` + "\n", "line 2: the line ends in the middle"},
		{one + `{"losses": [1, 2` + "\n", "line 2: losses: the line ends in the middle"},
		{`{"losses": [1, 2`, "line 1: losses: the line ends in the middle"},
		{one + `{"losses": [1, 2`, "gramian: the number of records is 1"},
		{one + `{"losses": [1, 2], "gramian": [[1, 0], [0, 1]]} {}`, "line 2: there is more text"},
		{one + `{"losses": [1, NaN], "gramian": [[1, 0], [0, 1]]}`, "1 of 2 records can be used"},
		{one + `{"losses": [1, -Infinity], "gramian": [[1, 0], [0, 1]]}`, "1 of 2 records can be used"},
		{one + `{"losses": [1, 1e999], "gramian": [[1, 0], [0, 1]]}`, "1, step 1 (a number is not finite)"},
		{one + `{"losses": [1, null], "gramian": [[1, 0], [0, 1]]}`, "1, step 1 (a number is not finite)"},
		{one + `{"losses": 1, "gramian": [[1, 0], [0, 1]]}`, "line 2: losses: a list of numbers is expected"},
		{one + `{"losses": [[1, 2]], "gramian": [[1, 0], [0, 1]]}`, "line 2: losses: lists are nested deeper than 1"},
		{one + `{"losses": [1], "gramian": [[1, 0], [0, 1]]}`, "line 2: losses: there are 1, but must be one for each of 2"},
		{one + `{"losses": [1, 2], "gramian": [[1, 0], [0]]}`, "line 2: gramian, row 1: it has 1 numbers, but the first row has 2"},
		{one + `{"losses": [1, 2], "gramian": [[1, 0], 3]}`, "line 2: gramian: a list of lists of numbers is expected"},
		{one + `{"losses": [1, 2], "gramian": [[1, 0, 0], [0, 1, 0]]}`, "line 2: gramian: it is 2×3, but must be 2×2"},
		{one + `{"losses": [1, 2], "gramian": []}`, "line 2: gramian: it has no numbers"},
		{one + `{"losses": [1, 2], "gramian": {"a": 1}}`, "line 2: gramian: a list of lists of numbers is expected"},
		{one + `{"losses": [1, 2]}`, "line 2: gramian and jacobian are missing"},
		{one + `{"gramian": [[1, 0], [0, 1]]}`, "line 2: the losses are missing"},
		{one + `{"losses": [1], "gramian": [[1]]}`, "line 2: 1 objectives, but line 1 has 2"},
		{one + `{"losses": [1, 2], "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, `line 2: "losses" occurs twice`},
		{one + `{"losses": [1, 2], "cross": [[1, 0], [0, 1]], "gramian": [[1, 0], [0, 1]]}`, "line 2: cross: line 1 does not have it"},
		{one + `{"losses": [1, 2], "step": 4, "gramian": [[1, 0], [0, 1]]}`, "line 2: step: line 1 does not have it"},
		{one + `{"losses": [1, 2], "names": ["a", "b"], "gramian": [[1, 0], [0, 1]]}`, "line 2: names: only the first line may have them"},
		{`{"names": ["a"], "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, "line 1: names: there are 1"},
		{`{"names": ["a", null], "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, "line 1: names: a list of strings"},
		{`{"names": ["a", "b\n"], "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, "line 1: names, row 1"},
		{`{"step": 1.5, "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, "line 1: step: 1.5 is not a whole number"},
		{`{"step": "a", "losses": [1, 2], "gramian": [[1, 0], [0, 1]]}`, "line 1: step: a number is expected"},
		{`{"step": 3, "losses": [1], "gramian": [[1]]}` + "\n" + `{"step": 2, "losses": [1], "gramian": [[1]]}`,
			"1, step 3 (the run was resumed at or before their step"},
		{one + `{"losses": [1, 2], "gramian": [[1, 2], [2, 1]]}`, "1, step 1 (no gradients have such a Gramian"},
		{`{"losses": [1], "jacobian": [[1, 2]]}` + "\n" + `{"losses": [1], "jacobian": [[1, 2, 3]]}`,
			"line 2: jacobian: it has 3 columns, but in line 1 it has 2"},
	} {
		if l, err := read([]byte(c.text)); err == nil || l != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v, want an error with %q", c.text, l, err, c.says)
		}
	}
	if _, err := Read(strings.NewReader(strings.Repeat(one, 100)), 1000); err == nil || !strings.Contains(err.Error(), "maximum of 0 MB") {
		t.Errorf("more bytes than may be: %v", err)
	}
	many := strings.Repeat(`{"losses":[1,2,3,4],"gramian":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}`+"\n", 10)
	if _, err := Read(strings.NewReader(many), int64(len(many))); err == nil || !strings.Contains(err.Error(),
		"the numbers of the log need") {
		t.Errorf("more numbers than may be: %v", err)
	}
}

// TestBombs checks archives that are too large when unpacked. They must be rejected before unpacking, even if their
// directory states a wrong size.
func TestBombs(t *testing.T) {
	zeros := make([]float64, 200_000*4)
	bomb := npz(zip.Deflate, member{"gramian.npy", npy("<f8", "(200000, 2, 2)", false, zeros)},
		member{"losses.npy", npy("<f8", "(200000, 2)", false, zeros[:400_000])})
	if _, err := Read(bytes.NewReader(bomb), 1<<20); err == nil || !strings.Contains(err.Error(), "more than the maximum of 1 MB") {
		t.Errorf("%d bytes that unpack to ten million: %v", len(bomb), err)
	}
	allocated := testing.AllocsPerRun(1, func() { _, _ = Read(bytes.NewReader(bomb), 1<<20) })
	if allocated > 1000 {
		t.Errorf("%v allocations before the refusal", allocated)
	}
	// Files that are not read may have any size.
	if _, err := Read(bytes.NewReader(npz(zip.Deflate, with(member{"noise.npy", make([]byte, 1<<22)})...)), 1<<20); err != nil {
		t.Errorf("an array that is not read: %v", err)
	}
	packed := npz(zip.Deflate, usual()...)
	end := bytes.Index(packed, []byte("PK\x01\x02"))
	for _, size := range []uint32{1, 1 << 20, 1 << 31} {
		lying := bytes.Clone(packed)
		binary.LittleEndian.PutUint32(lying[end+24:], size)
		if _, err := read(lying); err == nil || !strings.Contains(err.Error(), "gramian") {
			t.Errorf("an archive that says %d bytes: %v", size, err)
		}
	}
	encrypted := bytes.Clone(packed)
	encrypted[end+8] |= 1
	if _, err := read(encrypted); err == nil || !strings.Contains(err.Error(), "gramian: it is encrypted") {
		t.Errorf("encrypted: %v", err)
	}
}

// TestCutOff checks that an incomplete file is rejected, wherever it ends.
func TestCutOff(t *testing.T) {
	for _, whole := range [][]byte{
		npz(zip.Deflate, usual()...), npy("<f8", "(2, 2, 2)", false, make([]float64, 8)), npy("<f4", "(2, 2, 2)", true, make([]float32, 8)),
	} {
		for n := range whole {
			if _, err := read(whole[:n]); err == nil {
				t.Fatalf("the first %d of %d bytes are read", n, len(whole))
			}
		}
		if _, err := read(whole); err != nil {
			t.Errorf("the whole file: %v", err)
		}
	}
}

// FuzzRead checks that no file crashes the reader. For every log that it reads, the analysis must contain only finite
// numbers.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"losses": [1, 2], "gramian": [[1, 0], [0, 1]], "after": [1, 1], "step": 3, "names": ["a", "b"]}` + "\n" +
		`{"losses": [1, 2], "gramian": [[4, -1], [-1, 0.25]], "after": [1, 1], "step": 5}`))
	f.Add([]byte(`{"losses": [1], "jacobian": [[1e200, 3]], "cross": [[-1]]}` + "\n" + `{"losses": [0], "jacobian": [[0, 0]],
		"cross": [[1e300]]}`))
	f.Add(npz(zip.Store, usual()...))
	f.Add(npz(zip.Deflate, with(member{"step.npy", npy("<i8", "(2,)", false, []int64{1, 9})},
		member{"cross.npy", npy("<f4", "(2, 2, 2)", true, make([]float32, 8))})...))
	f.Add(npz(zip.Store, with(member{"names.npy", npy("<U2", "(2,)", false, ucs4(2, "a", "bc"))})...))
	f.Add(npy("<f8", "(2, 2, 2)", false, []float64{1, 0, 0, 1e-300, 1e300, 0, 0, 1}))
	f.Add(npy("<f4", "(3, 1, 1)", true, []float32{1, 2, 3}))
	f.Add(npy("<i4", "(2, 1, 1)", false, []int32{0, 1}))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Read(bytes.NewReader(data), 1<<20)
		if (err == nil) == (l == nil) {
			t.Fatalf("%v, %v", l, err)
		}
		if err != nil || l.Records()*l.Objectives()*l.Objectives() > 200 {
			return
		}
		options := Options{Methods: All(), Window: 1, Periods: []int{1, 2, 40}, Series: true}
		r, err := Analyse(l, options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatalf("%v of %+v", err, r)
		}
		for _, s := range r.Verdict() {
			if strings.Contains(s.Text, "NaN") {
				t.Fatal(s.Text)
			}
		}
	})
}

// TestLongLine checks that numbers are counted while a line is read. A line with far too many numbers must need almost
// no memory. A valid line must need no more memory than its length in bytes.
func TestLongLine(t *testing.T) {
	const n = 1 << 20
	for _, c := range []struct {
		text, want string
		most       float64 // maximum memory, relative to the bytes of the text
	}{
		{`{"losses": [1` + strings.Repeat(",1", n) + `], "gramian": [[1]]}`, "line 1: losses: there are more than 800 numbers in a list", 0.1},
		{`{"losses": [1], "gramian": [[1` + strings.Repeat(",1", n) + `]]}`, "line 1: gramian: there are more than 800 numbers", 0.1},
		{`{"losses": [1], "gramian": [[1]` + strings.Repeat(",[1]", n) + `]}`, "line 1: gramian: there are more than 800 rows", 0.1},
		{`{"losses": [1], "note": "` + strings.Repeat("words ", n) + `", "gramian": [[1]]}`, "the number of records is 1", 0.9},
		{`{"losses": [1], "jacobian": [[0.123456789` + strings.Repeat(",0.123456789", n) + `]]}`, "the number of records is 1", 3.5},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(strings.NewReader(c.text), NativeBytes)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s …: error %v, want %s", c.text, err, c.want)
		}
		if took := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(c.text)); took > c.most+0.1 {
			t.Errorf("%.60s …: it takes %.1f times its bytes", c.text, took)
		}
	}
}
