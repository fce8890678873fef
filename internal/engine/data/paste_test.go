package data_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

// paste reads a text in pieces of the given size.
func paste(text string, piece int) (*data.Pasted, error) {
	var r data.PasteReader
	for part := range slices.Chunk([]byte(text), piece) {
		if _, err := r.Write(part); err != nil {
			return nil, err
		}
	}
	return r.Close()
}

// TestPaste checks that JSON and CSV are read in their usual forms, in pieces of any size.
func TestPaste(t *testing.T) {
	square := []float64{1, -2.5, 0.3, 4e-8}
	for _, c := range []struct {
		text   string
		data   []float64
		losses []float64
		seed   uint64
	}{
		{`{"jacobian": [[1, -2.5], [0.3, 4e-8]]}`, square, nil, 0},
		{"\ufeff {\n\t\"losses\": [1, 2],\r\n\"seed\": 7, \"jacobian\":[[1,-2.5],[3e-1,4E-8]]} \n", square, []float64{1, 2}, 7},
		{`[[1,-2.5],[0.3,0.00000004]]`, square, nil, 0},
		{"1,-2.5\n0.3,4e-8", square, nil, 0},
		{"\ufeff1;-2.5\r\n0.3; 4e-8 \r\n\r\n", square, nil, 0},
		{"\n\na,b\n\n 1 ,\"-2.5\"\n\"0.3\",4e-8\n", square, nil, 0},
		{"+1\t-2.5\n.3\t4e-8\n", square, nil, 0},
	} {
		for _, piece := range []int{1, 2, 7, 1 << 20} {
			got, err := paste(c.text, piece)
			if err != nil {
				t.Errorf("%q in pieces of %d: %v", c.text, piece, err)
				continue
			}
			if got.Jacobian().Rows != 2 || got.Jacobian().Cols != 2 || !slices.Equal(got.Jacobian().Data, c.data) ||
				!slices.Equal(got.Losses(), c.losses) || got.Seed() != c.seed {
				t.Errorf("%q in pieces of %d: got %+v %+v", c.text, piece, got, got.Jacobian())
			}
			sum := sha256.Sum256([]byte(c.text))
			if got.SHA256 != hex.EncodeToString(sum[:]) || got.Bytes != len(c.text) {
				t.Errorf("%q: got sum %s of %d bytes", c.text, got.SHA256, got.Bytes)
			}
		}
	}
}

// TestPasteRefused checks that an error says where the file is wrong and what is expected.
func TestPasteRefused(t *testing.T) {
	wide := "1" + strings.Repeat(",1", data.MaxPastedColumns)
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{" \n\t", "empty"},
		{"\xff\xfe1\x00,\x002\x00", "UTF-16; save it as UTF-8"},
		{"\xfe\xff\x001\x00,\x002", "UTF-16"},
		{"\ufffd\ufffd1\x00,\x002\x00", "UTF-16"}, // as decoded by a browser
		{"1\x00,\x002\x00", "UTF-16"},
		{"\x00[\x00[", "UTF-16"},
		{"\x93NUMPY\x01\x00v\x00{'descr'", "the array: the file ends in the middle of it"},
		{"\ufffdNUMPY\x01\x00v\x00{'descr'", "NumPy"}, // as decoded by a browser
		{"\x93NUMBER\n\x93", `"\x93NUMBER" is not a number`},
		{"\x93NU", `"\x93NU" is not a number`},
		{"1,2\n3,4,5", "line 2, column 5: row 2 has more numbers than the 2 of row 1"},
		{`{"jacobian":[[1],[+2]]}`, `column 19: "+2" is not a JSON number`},
		{"1,2\n3", "line 2, column 2: row 2 has 1 numbers, row 1 has 2"},
		{"1,2\n3,x", `line 2, column 3: "x" is not a number`},
		{"1,2\n3,", "line 2, column 3: cell 2 is empty"},
		{"1,NaN", `line 1, column 3: "NaN" is not a number`},
		{"1,0x1p3", `column 3: "0x1p3" is not a number`},
		{"1,1e999", `column 3: "1e999" is too large`},
		{"a,2\n", "line 1, column 3: cell 2 is a number, but the cells before it are not"},
		{"a,b\nc,d\n", `line 2, column 1: "c" is not a number`},
		{"a,b\n", "at least one row"},
		{strings.Repeat("1\n", data.MaxPastedRows+1), "line 201, column 2: there are more than 200 rows"},
		{wide, "row 1 has more than 10000 numbers"},
		{"1" + strings.Repeat("0", 500), "too long"},
		{`{}`, "at least one row"},
		{`{"jacobian": []}`, `line 1, column 15: unexpected "]"; "[" before a row is expected`},
		{`{"jacobian": [[]]}`, `unexpected "]"; a number is expected`},
		{`{"jacobian": [[1,null]]}`, `line 1, column 18: "null" is not a number`},
		{"{\"jacobian\":\n [[1,2],\n [3]]}", "line 3, column 4: row 2 has 1 numbers, row 1 has 2"},
		{`{"jacobian": [[1]]`, "the file ends in the middle"},
		{`{"jacobian": [[1`, "the file ends in the middle"},
		{`{"jacobian": [[1]]} x`, `column 21: unexpected "x"; nothing more is expected`},
		{`{"jacobian": [["1"]]}`, `unexpected text "1"; a number is expected`},
		{`{"jacobian": [[1]], "losses": [1,2]}`, "losses: got 2 for 1 rows"},
		{`{"jacobian": [[1]], "jacobian": [[1]]}`, `"jacobian" appears twice`},
		{`{"jacobian": [[1]], "zzz": 1}`, `unknown name "zzz"`},
		{`{"seed": -1}`, "not a whole number"},
		{`{"seed": 1.5}`, "not a whole number"},
		{"{\"jac\nobian\": 1}", "past the end of the line"},
	} {
		for _, piece := range []int{1, 1 << 20} {
			if _, err := paste(c.text, piece); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.60q in pieces of %d: got error %v, want one with %q", c.text, piece, err, c.want)
			}
		}
	}
}

// TestPasteLarge checks that the largest allowed Jacobian, in full precision, can be read.
func TestPasteLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := make([]float64, data.MaxPastedRows*data.MaxPastedColumns)
	text := []byte(`{"jacobian":[`)
	for i := range want {
		want[i] = r.NormFloat64()
		sign := byte(',')
		if i%data.MaxPastedColumns == 0 {
			if i > 0 {
				text = append(text, "],"...)
			}
			sign = '['
		}
		text = strconv.AppendFloat(append(text, sign), want[i], 'g', -1, 64)
	}
	got, err := paste(string(append(text, "]]}"...)), 256<<10)
	if err != nil {
		t.Fatal(err)
	}
	if got.Jacobian().Rows != data.MaxPastedRows || !slices.Equal(got.Jacobian().Data, want) {
		t.Errorf("got %d rows of %d", got.Jacobian().Rows, got.Jacobian().Cols)
	}
}

// TestText checks that Text reads UTF-8 and refuses everything else.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "ab": "ab", "\xef\xbb\xbf": "", "\xef\xbb\xbfabcdefg": "abcdefg", "abcdefgh": "abcdefgh", "\xef\xbb": "\xef\xbb",
		"\x00\x00": "\x00\x00",
	} {
		for _, piece := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(data.Text(piece)); err != nil || string(got) != want {
				t.Errorf("%q: got %q, error %v", text, got, err)
			}
		}
	}
	if _, err := io.ReadAll(data.Text(iotest.OneByteReader(strings.NewReader("\x93NUMPY\x01\x00")))); err != data.ErrNumPy {
		t.Errorf("NumPy file: got error %v", err)
	}
	for _, text := range []string{"\xff\xfea\x00", "\xfe\xff\x00a", "a\x00", "\x00a", "\ufffd\ufffda"} {
		if got, err := io.ReadAll(data.Text(iotest.OneByteReader(strings.NewReader(text)))); err != data.ErrUTF16 {
			t.Errorf("%q: got %q, error %v", text, got, err)
		}
	}
	if _, err := io.Copy(io.Discard, data.Text(&zeros{})); err == nil || !strings.Contains(err.Error(), "larger than 256 MB") {
		t.Errorf("endless text: got error %v", err)
	}
}

// zeros is a reader that returns an endless text.
type zeros struct{}

func (*zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// FuzzPaste checks that no file crashes the reader, that the size of the pieces does not matter, and that package weigh
// reads the same numbers from every JSON object that the reader accepts.
func FuzzPaste(f *testing.F) {
	for _, text := range []string{`{"jacobian":[[1,2],[3,4]],"losses":[1,2],"seed":3}`, "1,2\n3,4", "a;b\n1;2", "[[1]]", "\ufeff1",
		`{"jac\"`, "\"1\",2"} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if piece < 1 {
			piece = 1
		}
		whole, errWhole := paste(text, 1<<20)
		parts, errParts := paste(text, piece)
		if fmt.Sprint(errWhole) != fmt.Sprint(errParts) || !reflect.DeepEqual(whole, parts) {
			t.Fatalf("%q: %v %v in one piece, %v %v in pieces of %d", text, whole, errWhole, parts, errParts, piece)
		}
		if errWhole != nil {
			return
		}
		j := whole.Jacobian()
		if j.Rows < 1 || j.Cols < 1 || len(j.Data) != j.Rows*j.Cols {
			t.Fatalf("%q: %d×%d of %d numbers", text, j.Rows, j.Cols, len(j.Data))
		}
		if bytes.HasPrefix([]byte(text), []byte("{")) {
			if !json.Valid([]byte(text)) {
				t.Fatalf("%q: invalid JSON is accepted", text)
			}
			in, err := weigh.Read(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%q: weigh refuses it: %v", text, err)
			}
			var data []float64
			for _, row := range in.Jacobian {
				data = append(data, row...)
			}
			if !slices.Equal(data, j.Data) || in.Seed != whole.Seed() || !slices.Equal(in.Losses, whole.Losses()) {
				t.Fatalf("%q: weigh reads %v", text, in)
			}
		}
	})
}
