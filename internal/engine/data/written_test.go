package data_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"paretoplay/internal/engine/data"
)

// written is a file in testdata/written, with its content as reported by the library that wrote it.
type written struct {
	name    string
	bytes   []byte
	Library string
	Data    [][]float64
	Refused string
	Part    string
	Columns []string
	Names   []string
	Digits  int // digits after the decimal point in the file, 0 for all
}

// writtenFiles returns the files that testdata/written/write.py wrote with commonly used libraries.
func writtenFiles(t testing.TB) []written {
	t.Helper()
	text, err := os.ReadFile("testdata/written/written.json")
	if err != nil {
		t.Fatal(err)
	}
	var holds map[string]*written
	if err := json.Unmarshal(text, &holds); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/written/*")
	if err != nil {
		t.Fatal(err)
	}
	var files []written
	libraries := map[string]bool{}
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "written.json" || name == "write.py" || name == "requirements.txt" {
			continue
		}
		w := holds[name]
		if w == nil {
			t.Fatalf("%s is not in written.json", name)
		}
		if w.bytes, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		w.name = name
		libraries[w.Library] = true
		files = append(files, *w)
	}
	if len(files) != len(holds) || len(libraries) < 10 {
		t.Fatalf("%d files of %d, by %d libraries", len(files), len(holds), len(libraries))
	}
	return files
}

// same reports whether the numbers in rows agree with those that the library reported, to the precision of the file.
func (w *written) same(rows [][]float64) bool {
	return slices.EqualFunc(rows, w.Data, func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool {
			return x == y || w.Digits > 0 && math.Abs(x-y) <= 0.51*math.Pow(10, -float64(w.Digits))
		})
	})
}

// TestWritten checks that files from commonly used libraries give the same numbers in every layout of numbers.
// Unsupported files must be refused with an error that names the command to convert them.
func TestWritten(t *testing.T) {
	for _, w := range writtenFiles(t) {
		choice := data.Choice{Part: w.Part, Columns: w.Columns}
		for field, layout := range map[string]*data.Layout{
			data.JacobianName: data.Gradients, data.PointsName: data.Points, data.CostName: data.Costs, data.CentresName: data.Places,
		} {
			if w.Refused == "" && layout == data.Places && len(w.Data[0]) != 2 {
				continue
			}
			for _, piece := range []int{1, 5, 1 << 20} {
				p, err := read(layout, choice, string(w.bytes), piece)
				switch {
				case w.Refused != "":
					if err == nil || !strings.Contains(err.Error(), w.Refused) || len(err.Error()) > 250 {
						t.Errorf("%s as %s: %v, want an error with %q", w.name, field, err, w.Refused)
					}
				case err != nil:
					t.Errorf("%s as %s: %v", w.name, field, err)
				case !w.same(p.Rows(field)):
					t.Errorf("%s as %s: %v, want %v", w.name, field, p.Rows(field), w.Data)
				}
			}
			if w.Part != "" {
				if _, err := read(layout, data.Choice{}, string(w.bytes), 1<<20); err == nil ||
					!strings.Contains(err.Error(), "name the part to read") {
					t.Errorf("%s without a part: %v", w.name, err)
				}
			}
		}
		if w.Names == nil {
			continue
		}
		p, err := read(data.Rows, data.Choice{}, string(w.bytes), 7)
		if err != nil {
			t.Errorf("%s as a table: %v", w.name, err)
			continue
		}
		for _, name := range w.Names {
			if !slices.Contains(p.Table().Numeric(), name) {
				t.Errorf("%s as a table: %s is not among the columns of numbers %v", w.name, name, p.Table().Numeric())
			}
		}
	}
}

// damages lists texts that mutations insert into files.
var damages = []string{",", ";", "\t", " ", "\n", "\r", "\r\n", "\n\n", ".", "-", "−", "+", "e", "d", "0", "9", "1 000", "1,5", "NaN",
	"inf", "nan", "#", "# ", "%", "\"", "'", "[", "]", "(", ")", "{", "}", ":", "array(", "...", "#DIV/0!", "--", "null", "\ufeff",
	"\x00", "\xff", "\u00a0", "f1", "PK\x03\x04", "\x93NUMPY", "="}

// mutated returns a copy of a file that is damaged in a few places.
func mutated(r *rand.Rand, of []byte) []byte {
	out := bytes.Clone(of)
	for range 1 + r.IntN(3) {
		if len(out) == 0 {
			break
		}
		at := r.IntN(len(out))
		to := min(len(out), at+1+r.IntN(4))
		switch r.IntN(6) {
		case 0:
			out[at] ^= 1 << r.IntN(8)
		case 1:
			out = slices.Delete(out, at, to)
		case 2:
			out = slices.Insert(out, at, bytes.Clone(out[at:to])...)
		case 3:
			out = out[:at]
		default:
			out = slices.Insert(out, at, []byte(damages[r.IntN(len(damages))])...)
		}
	}
	return out
}

// TestMutations checks that no damage to the written files crashes the reader, or changes the numbers without a note.
// The size of the pieces must not matter. The short form tries 5,000 mutations, the long form 100,000.
func TestMutations(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5000
	}
	files := writtenFiles(t)
	r := rand.New(rand.NewPCG(39, 1))
	accepted := 0
	for range n {
		w := &files[r.IntN(len(files))]
		text := mutated(r, w.bytes)
		if soundly(t, string(text), data.Choice{Part: w.Part, Columns: w.Columns}, 1+r.IntN(40)) {
			accepted++
		}
	}
	if accepted < n/20 || accepted > n*9/10 {
		t.Errorf("%d of %d mutations are accepted: the test checks too little", accepted, n)
	}
}

// FuzzForms is like TestMutations, with inputs found by fuzzing.
func FuzzForms(f *testing.F) {
	for _, w := range writtenFiles(f) {
		f.Add(string(w.bytes), w.Part, 7)
	}
	f.Add("0\r\r\v", "", 43)
	f.Fuzz(func(t *testing.T, text, part string, piece int) {
		soundly(t, text, data.Choice{Part: part}, max(1, piece))
	})
}

// soundly checks how a file is read, as gradients and as a table. It reports whether the file is accepted as gradients.
func soundly(t *testing.T, text string, c data.Choice, piece int) bool {
	t.Helper()
	for _, layout := range []*data.Layout{data.Rows, data.Gradients} {
		whole, err := read(layout, c, text, 1<<20)
		parts, other := read(layout, c, text, piece)
		if fmt.Sprint(err) != fmt.Sprint(other) || !reflect.DeepEqual(whole, parts) {
			t.Fatalf("%q: %v %v in one piece, %v %v in pieces of %d", text, whole, err, parts, other, piece)
		}
		if layout == data.Rows {
			continue
		}
		if err != nil {
			return false
		}
		j := whole.Jacobian()
		if j.Rows < 1 || j.Cols < 1 || len(j.Data) != j.Rows*j.Cols {
			t.Fatalf("%q: %d×%d of %d numbers", text, j.Rows, j.Cols, len(j.Data))
		}
		if want, plain := plainly(text, whole.Notes); plain && len(c.Columns) == 0 && c.Part == "" &&
			!reflect.DeepEqual(want, whole.Rows(data.JacobianName)) {
			t.Fatalf("%q is read as %v with the notes %q, plainly as %v", text, whole.Rows(data.JacobianName), whole.Notes, want)
		}
	}
	return true
}

// plainly parses a text table without the package's reader. It returns plain = false for a text that it cannot parse.
// It drops the heading and the comments that the notes name. Then it splits at every possible separator, except at
// commas that the notes call decimal commas.
func plainly(text string, notes []string) (rows [][]float64, plain bool) {
	if !strings.ContainsAny(text, "0123456789") || strings.ContainsAny(text, "[{(\x00") ||
		strings.HasPrefix(text, "PK") || strings.HasPrefix(text, "\x93") {
		return nil, false
	}
	said := strings.Join(notes, "; ")
	if strings.Contains(said, "first column, which has no name") || strings.Contains(said, "Optuna") {
		return nil, false
	}
	separators, comments := ",; \t\"", 0
	if strings.Contains(said, "decimal commas") {
		if strings.Contains(text, "\"") {
			return nil, false
		}
		separators = "; \t\""
	}
	heading := 0
	for _, note := range notes {
		if _, err := fmt.Sscanf(note, "line %d is the heading", &heading); err == nil {
			continue
		}
		if _, err := fmt.Sscanf(note, "%d comment line", &comments); err == nil {
			continue
		}
	}
	text = strings.TrimPrefix(text, "\ufeff")
	found := 0
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if first := strings.TrimLeft(line, " \t")[0]; first == '#' || first == '%' {
			found++
			continue
		}
		if heading > 0 && len(rows) == 0 && strings.ContainsFunc(line, unicode.IsLetter) && !strings.ContainsAny(line[:1], "0123456789") {
			heading = 0
			continue
		}
		var row []float64
		for _, field := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if strings.TrimSpace(field) == "" { // a blank of another width
				continue
			}
			v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(field), ",", ".", 1), 64)
			if err != nil {
				return nil, true
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	if heading > 0 { // heading after #
		found--
	}
	if found != comments {
		return nil, true
	}
	return rows, true
}
