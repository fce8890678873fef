package class

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

var regenerate = flag.Bool("regen", false, "write the codes and tables of testdata/vectors.json anew; the page is held to them, too")

// vectors holds test cases for this package and for internal/browser/class_test.mjs.
type vectors struct {
	// Codes lists codes and their contents.
	Codes []struct {
		What   string `json:"what"`
		Class  string `json:"class"`
		Lesson string `json:"lesson"`
		Name   string `json:"name"`
		Steps  []Step `json:"steps"`
		Code   string `json:"code"`
	} `json:"codes"`
	// Names lists names as students type them, and as codes contain them.
	Names [][2]string `json:"names"`
	// Same lists other ways to write the first code.
	Same []string `json:"same"`
	// Refused lists invalid codes, with the reasons.
	Refused []struct {
		Text string `json:"text"`
		Why  string `json:"why"`
	} `json:"refused"`
	// Lists contains lists of codes, and the results of checking them.
	Lists []struct {
		What    string   `json:"what"`
		Class   string   `json:"class"`
		Lessons []string `json:"lessons"`
		Text    string   `json:"text"`
		Lines   []Line   `json:"lines"`
	} `json:"lists"`
}

const vectorFile = "testdata/vectors.json"

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestVectors checks that codes are encoded and decoded as in testdata/vectors.json.
func TestVectors(t *testing.T) {
	v := readVectors(t)
	for i := range v.Codes {
		of := &v.Codes[i]
		c := Code{Class: Tag(Fold(of.Class)), Lesson: Tag(of.Lesson), Name: of.Name, Steps: of.Steps}
		text, err := c.Encode()
		if err != nil {
			t.Fatalf("%s: %v", of.What, err)
		}
		if *regenerate {
			of.Code = text
		}
		if text != of.Code {
			t.Errorf("%s: %s, want %s", of.What, text, of.Code)
		}
		if read, err := Decode(text); err != nil || !reflect.DeepEqual(read, c) {
			t.Errorf("%s: read as %+v, error %v", of.What, read, err)
		}
	}
	for _, same := range v.Same {
		if read, err := Decode(same); err != nil {
			t.Errorf("%s: %v", same, err)
		} else if text, err := read.Encode(); err != nil || text != v.Codes[0].Code {
			t.Errorf("%s is read as %s, error %v", same, text, err)
		}
	}
	for _, n := range v.Names {
		if got := Tidy(n[0]); got != n[1] {
			t.Errorf("the name %q becomes %q, not %q", n[0], got, n[1])
		}
	}
	for i := range v.Refused {
		r := &v.Refused[i]
		_, err := Decode(r.Text)
		if err == nil {
			t.Errorf("%s : got no error", r.Text)
			continue
		}
		if *regenerate {
			r.Why = err.Error()
		}
		if err.Error() != r.Why {
			t.Errorf("%s: %v, want %s", r.Text, err, r.Why)
		}
	}
	for i := range v.Lists {
		l := &v.Lists[i]
		lines, err := Check(strings.NewReader(l.Text), l.Class, l.Lessons)
		if err != nil {
			t.Errorf("%s: %v", l.What, err)
		}
		if *regenerate {
			l.Lines = lines
		}
		if !reflect.DeepEqual(lines, l.Lines) {
			t.Errorf("%s: %+v, want %+v", l.What, lines, l.Lines)
		}
	}
	if *regenerate {
		data, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(vectorFile, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMistakes checks that a code with a single wrong, missing or additional symbol, or with two symbols swapped, gives
// an error.
func TestMistakes(t *testing.T) {
	for _, of := range readVectors(t).Codes {
		code := strings.ReplaceAll(of.Code, "-", "")
		mistakes := []string{}
		for i := range code {
			for _, other := range alphabet {
				if byte(other) != code[i] {
					mistakes = append(mistakes, code[:i]+string(other)+code[i+1:], code[:i]+string(other)+code[i:])
				}
			}
			mistakes = append(mistakes, code[:i]+code[i+1:])
			if i > 0 && code[i] != code[i-1] {
				mistakes = append(mistakes, code[:i-1]+code[i:i+1]+code[i-1:i]+code[i+1:])
			}
		}
		for _, m := range mistakes {
			if c, err := Decode(m); err == nil {
				t.Errorf("%s: %s is read as %+v", of.What, m, c)
			}
		}
	}
}

// TestEncodeRefuses checks that values that a code cannot contain give an error.
func TestEncodeRefuses(t *testing.T) {
	good := Code{Class: 1, Lesson: 2, Steps: []Step{{Right, Reached, 1}}, Name: "Ana"}
	if _, err := good.Encode(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*Code){
		"no step":         func(c *Code) { c.Steps = nil },
		"32 steps":        func(c *Code) { c.Steps = make([]Step, 32) },
		"tries":           func(c *Code) { c.Steps = []Step{{Right, Reached, 8}} },
		"fewer than none": func(c *Code) { c.Steps = []Step{{Right, Reached, -1}} },
		"prediction":      func(c *Code) { c.Steps = []Step{{4, Reached, 0}} },
		"goal":            func(c *Code) { c.Steps = []Step{{Right, 4, 0}} },
		"no name":         func(c *Code) { c.Name = "" },
		"a name of two":   func(c *Code) { c.Name = "Ana  B" },
		"class":           func(c *Code) { c.Class = 1 << 15 },
	} {
		c := good
		spoil(&c)
		if text, err := c.Encode(); err == nil {
			t.Errorf("%s: %s", what, text)
		}
	}
}

// FuzzDecode checks that encoding a decoded code gives the same code.
func FuzzDecode(f *testing.F) {
	f.Add("")
	data, err := os.ReadFile(vectorFile)
	if err != nil {
		f.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		f.Fatal(err)
	}
	for _, of := range v.Codes {
		f.Add(of.Code)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Decode(text)
		if err != nil {
			return
		}
		again, err := c.Encode()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if other, err := Decode(again); err != nil || !reflect.DeepEqual(other, c) {
			t.Errorf("%q: %+v, then %+v, error %v", text, c, other, err)
		}
	})
}

// TestEncodings checks that codes are read in the encodings that Windows uses.
func TestEncodings(t *testing.T) {
	code := readVectors(t).Codes[0]
	for name, written := range map[string]encoding.Encoding{
		"UTF-8": encoding.Nop, "UTF-8 with a mark": unicode.UTF8BOM,
		"UTF-16, little endian": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16, big endian":    unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		text, err := written.NewEncoder().String(code.Code + "\r\n")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := Check(strings.NewReader(text), code.Class, []string{code.Lesson})
		if err != nil || len(lines) != 1 || !lines[0].Valid || lines[0].Name != code.Name {
			t.Errorf("%s: %+v, error %v", name, lines, err)
		}
	}
}

// TestLongLine checks that a line that is too long for a code gives an error with the line's number.
func TestLongLine(t *testing.T) {
	_, err := Check(strings.NewReader("A\n"+strings.Repeat("A", 5000)), "", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("error %v", err)
	}
}
