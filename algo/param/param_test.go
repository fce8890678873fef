package param_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/param"
)

// values has a field for every kind of parameter.
type values struct {
	number  float64
	integer int
	choice  string
	set     []string
	truth   bool
	points  [][]float64
	seed    uint64
	matrix  [][]float64
	simplex []float64
	whole   []int
	names   []string
	camera  [3]float64
	line    string
	lines   string
}

func defaults() values {
	return values{number: 0.5, integer: 4, choice: "a", set: []string{"a"}, truth: true, seed: 7, matrix: [][]float64{{1, 0}, {0, 1}},
		simplex: []float64{0.5, 0.25, 0.25}, whole: []int{1, 3}, camera: [3]float64{30, 20, 1},
		line: "x^2", lines: "a = 2"}
}

var options = []param.Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}, {Value: "c", Label: "C"}}

func (v *values) list() *param.List {
	var l param.List
	l.Number(&v.number, param.Descriptor{Name: "number", Symbol: "η", Label: "A number", Unit: "m", Min: -1, Max: 2, Step: 0.1,
		Effect: param.Live})
	l.Integer(&v.integer, param.Descriptor{Name: "integer", Min: 1, Max: 64, Step: 1, Scale: param.Log, Effect: param.Rerun})
	l.Choice(&v.choice, param.Descriptor{Name: "choice", Options: options, Effect: param.Display})
	l.Set(&v.set, param.Descriptor{Name: "set", Options: options, AtLeast: 1})
	l.Bool(&v.truth, param.Descriptor{Name: "bool"})
	l.Points(&v.points, param.Descriptor{Name: "points", Min: -10, Max: 10, AtMost: 3})
	l.Seed(&v.seed, param.Descriptor{Name: "seed"})
	l.Matrix(&v.matrix, param.Descriptor{Name: "matrix", Min: -5, Max: 5, AtLeast: 2, AtMost: 3, Columns: 2})
	l.Simplex(&v.simplex, param.Descriptor{Name: "simplex", Min: 0.125})
	l.Frequencies(&v.whole, param.Descriptor{Name: "whole", Max: 9})
	l.OpenSet(&v.names, param.Descriptor{Name: "names", AtMost: 3})
	l.Camera(&v.camera, param.Descriptor{Name: "camera", Effect: param.Display})
	l.FreeText(&v.line, param.Descriptor{Name: "line"})
	l.FreeText(&v.lines, param.Descriptor{Name: "lines", Lines: true})
	return &l
}

// TestAssign checks that Assign parses strictly. A value that is not allowed must give an error that names the
// parameter, and must change nothing.
func TestAssign(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       any // nil means an error
	}{
		{"number", "1.25", 1.25}, {"number", " -1 ", -1.0}, {"number", "2e-1", 0.2},
		{"number", "2.0001", nil}, {"number", "-1.5", nil},
		{"integer", "1", 1}, {"integer", "64", 64}, {"integer", "8.0", 8}, {"integer", "1e1", 10},
		{"integer", "0", nil}, {"integer", "65", nil}, {"integer", "4.5", nil},
		{"choice", "b", "b"}, {"choice", "B", nil}, {"choice", "", nil},
		{"set", "c,a", []string{"a", "c"}}, {"set", " b , b ", []string{"b"}}, {"set", "a,z", nil}, {"set", "", nil}, {"set", ",", nil},
		{"bool", "false", false}, {"bool", "1", true}, {"bool", "yes", nil},
		{"points", "", [][]float64{}}, {"points", "1,2", [][]float64{{1, 2}}}, {"points", ";1,-2;", [][]float64{{}, {1, -2}, {}}},
		{"points", "\r\n", nil}, {"set", " ", nil},
		{"points", "1,11", nil}, {"points", "1;2;3;4", nil}, {"points", "1,,2", nil}, {"points", "1,x", nil},
		{"seed", "0", uint64(0)}, {"seed", "9007199254740991", uint64(1<<53 - 1)}, {"seed", "9007199254740992", nil}, {"seed", "-1",
			nil}, {"seed", "1.5", nil},
		{"matrix", "1,2;3,4", [][]float64{{1, 2}, {3, 4}}}, {"matrix", " 1 , 2 ; 3 , 4 ", [][]float64{{1, 2}, {3, 4}}},
		{"matrix", "1,2", nil}, {"matrix", "", nil}, {"matrix", "1,2;3", nil}, {"matrix", "1,2;3,6", nil}, {"matrix", "1,2;3,4;5,1;2,2", nil},
		{"simplex", "0.2,0.3,0.5", []float64{0.2, 0.3, 0.5}}, {"simplex", " 0.125 , 0.125 , 0.75 ", []float64{0.125, 0.125, 0.75}},
		{"simplex", "0.333333333,0.333333333,0.333333333", []float64{0.333333333, 0.333333333, 0.333333333}},
		{"simplex", "0.2,0.3,0.4", nil}, {"simplex", "0.1,0.4,0.5", nil}, {"simplex", "0.5,0.5", nil},
		{"simplex", "0.25,0.25,0.25,0.25", nil}, {"simplex", "", nil},
		{"whole", "0,9", []int{0, 9}}, {"whole", " 1e0 , -0 ", []int{1, 0}},
		{"whole", "1,10", nil}, {"whole", "-1,3", nil}, {"whole", "0.5,3", nil}, {"whole", "0,0", nil}, {"whole", "1e300,1", nil},
		{"whole", "1,2,3", nil}, {"whole", "1", nil}, {"whole", "", nil}, {"whole", "1,", nil},
		{"names", "", []string{}}, {"names", "PM2.5,PM10", []string{"PM2.5", "PM10"}}, {"names", " b , a , b ,", []string{"b", "a"}},
		{"names", `"a,b", 5" pipe ," "`, []string{"a,b", `5" pipe`, " "}}, {"names", `"say ""no""",x`, []string{`say "no"`, "x"}},
		{"names", strings.Repeat("ü", 80), []string{strings.Repeat("ü", 80)}},
		{"names", strings.Repeat("ü", 81), nil}, {"names", "a,b,c,d", nil}, {"names", "a\tb", nil}, {"names", "a\xff", nil},
		{"names", `"a`, nil}, {"names", `"a"b,c`, nil}, {"names", `"a""`, nil},
		{"camera", "10,-20,2", [3]float64{10, -20, 2}}, {"camera", "190,0,1", [3]float64{-170, 0, 1}}, {"camera", "10,91,2", nil}, {"camera",
			"1,2", nil}, {"camera", "1,2,0", nil},
	} {
		v := defaults()
		l := v.list()
		before := l.Text(c.name)
		err := l.Assign(c.name, c.text)
		if c.want != nil {
			if err != nil || !reflect.DeepEqual(l.Value(c.name), c.want) {
				t.Errorf("Assign(%s, %q): value %v, error %v; want %v", c.name, c.text, l.Value(c.name), err, c.want)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.name+" = ") || !strings.Contains(err.Error(), ": use ") {
			if err == nil || c.name != "set" && c.name != "points" && c.name != "matrix" {
				t.Errorf("Assign(%s, %q): error %v does not name the parameter and what is allowed", c.name, c.text, err)
			}
		}
		if l.Text(c.name) != before {
			t.Errorf("Assign(%s, %q) failed and changed the value to %q", c.name, c.text, l.Text(c.name))
		}
	}
}

// TestClamp checks that Clamp parses leniently. A value outside the range must move to the nearest end of the range,
// with a notice.
func TestClamp(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"number", "1e300", 2.0}, {"number", "-7", -1.0},
		{"integer", "0", 1}, {"integer", "1e300", 64}, {"integer", "4.4", 4},
		{"set", "b,z", []string{"b"}},
		{"points", "11,-11;1", [][]float64{{10, -10}, {1}}}, {"points", "1;2;3;4;5", [][]float64{{1}, {2}, {3}}},
		{"simplex", "1,1,2", []float64{0.25, 0.25, 0.5}}, {"simplex", "1e308,1e308,1e308", []float64{1. / 3, 1. / 3, 1. / 3}},
		{"simplex", "1,0,0", []float64{0.75, 0.125, 0.125}}, {"simplex", "0,0,0", []float64{1. / 3, 1. / 3, 1. / 3}},
		{"simplex", "-1,-5,-1", []float64{1. / 3, 1. / 3, 1. / 3}}, {"simplex", "-3,0,4e-320", []float64{0.125, 0.125, 0.75}},
		// The first share rises by 0.125. The others are equally far above the minimum, so each decreases by half of
		// this amount.
		{"simplex", "0,0.4,0.4", []float64{0.125, 0.4375, 0.4375}},
		{"whole", "-2,2.6", []int{0, 3}}, {"whole", "1e300,1", []int{9, 1}}, {"whole", "0,0", []int{1, 1}}, {"whole", "-5,0.2", []int{1, 1}},
		{"names", "a,b,c,d", []string{"a", "b", "c"}}, {"names", "a,b\x00,c", []string{"a", "c"}}, {"names", "\x7f", []string{}},
		{"seed", "1e300", uint64(1<<53 - 1)}, {"seed", "-3", uint64(0)}, {"seed", "18446744073709551615", uint64(1<<53 - 1)}, {"seed", "2.6",
			uint64(3)},
	} {
		v := defaults()
		l := v.list()
		canonical, notice, err := l.Canonical(c.name, c.text)
		if err != nil || notice == "" || l.Text(c.name) != func() string { d := defaults(); return d.list().Text(c.name) }() {
			t.Errorf("Canonical(%s, %q): notice %q, error %v, value then %q", c.name, c.text, notice, err, l.Text(c.name))
		}
		again, err := l.Clamp(c.name, c.text)
		if err != nil || again != notice || !strings.HasPrefix(notice, c.name) {
			t.Errorf("Clamp(%s, %q): notice %q, error %v", c.name, c.text, again, err)
		}
		if !reflect.DeepEqual(l.Value(c.name), c.want) || l.Text(c.name) != canonical {
			t.Errorf("Clamp(%s, %q): value %v, canonical %q; want %v", c.name, c.text, l.Value(c.name), canonical, c.want)
		}
	}
	v := defaults()
	if notice, err := v.list().Clamp("number", "1"); notice != "" || err != nil {
		t.Errorf("Clamp inside the range: notice %q, error %v", notice, err)
	}
}

// TestRefused checks that Assign and Clamp reject text that is not a number. They must also reject infinities, which
// are not positions on a slider.
func TestRefused(t *testing.T) {
	texts := []string{"NaN", "nan", "Inf", "-Inf", "+inf", "infinity", "1e999", "abc", "1,5", "0x", "--1", "١", "\x00",
		strings.Repeat("1", 1<<14+1)}
	for _, name := range []string{"number", "integer", "seed", "bool", "choice", "points", "simplex", "whole", "matrix", "camera"} {
		for _, text := range texts {
			if (name == "points" || name == "whole") && text == "1,5" {
				continue
			}
			v := defaults()
			l := v.list()
			before := l.Text(name)
			_, err := l.Clamp(name, text)
			if err == nil || l.Assign(name, text) == nil {
				t.Errorf("%s takes %.20q: %q", name, text, l.Text(name))
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("%s, %.20q: a message of %d characters", name, text, len(err.Error()))
			}
			if l.Text(name) != before {
				t.Errorf("%s changed on %.20q", name, text)
			}
		}
	}
}

// TestText checks that Assign and Clamp keep a text unchanged or reject it, but never truncate it. Both must report
// the position and the reason.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, want, refused string }{
		{"lines", "a = 2\r\nb\rc\td", "a = 2\nb\nc d", ""}, {"line", "x\t+ 1", "x + 1", ""}, {"line", "1\u00a0+ 1", "1\u00a0+ 1", ""},
		{"line", "x\ny", "", "line: the text has more than one line; use one line of at most 2000 characters"},
		{"line", strings.Repeat("ü", 2001), "", "the text has 2001 characters"},
		{"line", strings.Repeat("ü", 1501), "", "the text has 3002 bytes, more than 3000"},
		{"lines", strings.Repeat("a\n", 1001), "", "the text has 2002 characters; use lines of at most 2000 characters in total"},
		{"lines", "a = 1\nb\x00", "", "2:2: the character U+0000 cannot be shown"},
		{"line", "1 +\u202e 2", "", "1:4: the character U+202E cannot be shown"}, {"line", "a\xff", "", "the text is not UTF-8"},
		{"lines", strings.Repeat("1", 1<<14+1), "", "too long"},
	} {
		v := defaults()
		l := v.list()
		before := l.Text(c.name)
		_, clamped := l.Clamp(c.name, c.text)
		held := l.Text(c.name)
		assigned := l.Assign(c.name, c.text)
		if c.refused != "" {
			for _, err := range []error{clamped, assigned} {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%s = %.20q: %v, want %q", c.name, c.text, err, c.refused)
				}
			}
			c.want = before
		} else if clamped != nil || assigned != nil {
			t.Errorf("%s = %.20q: %v, %v", c.name, c.text, clamped, assigned)
		}
		if held != c.want || l.Text(c.name) != c.want {
			t.Errorf("%s = %.20q is held as %q and %q, want %q", c.name, c.text, held, l.Text(c.name), c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a text is bound that changes while the runs go on")
		}
	}()
	new(param.List).FreeText(new(string), param.Descriptor{Name: "live", Effect: param.Live})
}

// TestUnknown checks that the error for an unknown name lists the known names in order.
func TestUnknown(t *testing.T) {
	v := defaults()
	l := v.list()
	_, clampErr := l.Clamp("zzz", "1")
	_, _, canonicalErr := l.Canonical("zzz", "1")
	for _, err := range []error{l.Assign("zzz", "1"), clampErr, canonicalErr} {
		unknown := new(param.UnknownError)
		if !errors.As(err, &unknown) || unknown.Name != "zzz" {
			t.Fatalf("error %v", err)
		}
		want := `unknown parameter "zzz"; available: bool camera choice integer line lines matrix names number points seed set simplex whole`
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	long := &param.UnknownError{Name: strings.Repeat("x", 1<<14)}
	if len(long.Error()) > 200 {
		t.Errorf("a long name makes a message of %d characters", len(long.Error()))
	}
	if l.Value("zzz") != nil || l.Text("zzz") != "" || l.IsDefault("zzz") {
		t.Error("an unknown name has a value")
	}
	if _, ok := l.Lookup("zzz"); ok {
		t.Error("an unknown name is found")
	}
}

// TestRoundTrip checks that Assign restores every value from its text, and from the text of its JSON form.
func TestRoundTrip(t *testing.T) {
	samples := map[string][]string{
		"number":  {"0.1", "-0.30000000000000004", "5e-324", "2", "-0"},
		"integer": {"1", "64", "17"},
		"choice":  {"a", "b", "c"},
		"set":     {"a", "a,b,c", "b,c"},
		"bool":    {"true", "false"},
		"points":  {"", "1,2", ";", "0.1,-0.2;;3,4", ";5", "1;2;3"},
		"seed":    {"0", "1", "9007199254740991"},
		"matrix":  {"0,1;1,0", "0.5,-0.25;1,2;3,-4"},
		"simplex": {"0.2,0.3,0.5", "0.125,0.125,0.75"},
		"whole":   {"1,3", "0,9"},
		"names":   {"", "PM2.5,PM10", `"a,b","say ""no""",c`, `" a"`, `"""",ü`},
		"camera":  {"0,0,1", "-180,90,0.25", "12.5,-7,4"},
		"line": {"", " x ", "(x-1)^2 + y & #%=,;:\"<img src=x onerror=alert(1)>", strings.Repeat("∞", param.MaxBytes/3),
			strings.Repeat("x", param.MaxText)},
		"lines": {"a = 2\nx1 in [0, 1]\n", "\n\n"},
	}
	v := defaults()
	l := v.list()
	if got, want := len(samples), len(l.Names()); got != want {
		t.Fatalf("%d of %d kinds have samples", got, want)
	}
	for name, texts := range samples {
		for _, text := range texts {
			if err := l.Assign(name, text); err != nil {
				t.Errorf("Assign(%s, %q): %v", name, text, err)
				continue
			}
			value := l.Value(name)
			if l.Text(name) != text {
				t.Errorf("%s: %q became %q", name, text, l.Text(name))
			}
			data, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			var decoded any
			if err := json.Unmarshal(data, &decoded); err != nil {
				t.Fatal(err)
			}
			encoded, err := param.Encode(decoded)
			if err != nil {
				t.Errorf("%s: Encode(%s): %v", name, data, err)
				continue
			}
			l.Restore()
			if err := l.Assign(name, encoded); err != nil || !reflect.DeepEqual(l.Value(name), value) {
				t.Errorf("%s: JSON %s is encoded as %q and read as %v, error %v; want %v", name, data, encoded, l.Value(name), err, value)
			}
		}
	}
}

// TestEncode checks the text forms of JSON values. Values that no parameter can have must give an error.
func TestEncode(t *testing.T) {
	for _, c := range []struct {
		json, want string
	}{
		{`1.5`, "1.5"}, {`true`, "true"}, {`"x"`, "x"}, {`["a","b"]`, "a,b"}, {`[]`, ""}, {`[1,2]`, "1,2"},
		{`[[1,2],[3,4]]`, "1,2;3,4"}, {`[null,[1,2]]`, ";1,2"}, {`[[],[1]]`, ";1"},
	} {
		var v any
		if err := json.Unmarshal([]byte(c.json), &v); err != nil {
			t.Fatal(err)
		}
		if got, err := param.Encode(v); got != c.want || err != nil {
			t.Errorf("Encode(%s) = %q, %v; want %q", c.json, got, err, c.want)
		}
	}
	for _, text := range []string{`null`, `{}`, `[{}]`, `{"a":[1]}`} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got, err := param.Encode(v); err == nil {
			t.Errorf("Encode(%s) = %q", text, got)
		}
	}
}

// TestDescriptorJSON checks the JSON form of descriptors, which the page's controls and other programs use.
func TestDescriptorJSON(t *testing.T) {
	v := defaults()
	all := map[string]map[string]any{}
	for _, d := range v.list().Descriptors() {
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"name", "label", "symbol", "type", "default", "unit", "help", "live", "effect"} {
			if _, ok := m[field]; !ok {
				t.Errorf("%s has no %s", d.Name, field)
			}
		}
		all[d.Name] = m
	}
	for _, name := range []string{"number", "integer", "points", "simplex", "whole", "seed"} {
		for _, field := range []string{"min", "max", "step", "scale"} {
			if _, ok := all[name][field]; !ok {
				t.Errorf("%s has no %s", name, field)
			}
		}
	}
	for _, name := range []string{"choice", "set"} {
		if list, ok := all[name]["options"].([]any); !ok || len(list) != len(options) {
			t.Errorf("%s has the options %v", name, all[name]["options"])
		}
		if _, has := all[name]["min"]; has {
			t.Errorf("%s has a range", name)
		}
	}
	for name, want := range map[string]map[string]any{
		"number": {"type": "number", "symbol": "η", "min": -1.0, "max": 2.0, "step": 0.1, "scale": "linear", "default": 0.5, "unit": "m",
			"live": true, "effect": "live"},
		"integer": {"type": "integer", "scale": "log", "default": 4.0, "live": false, "effect": "rerun"},
		"choice":  {"type": "choice", "default": "a", "live": true, "effect": "display"},
		"set":     {"type": "set", "default": []any{"a"}, "atLeast": 1.0, "effect": "restart"},
		"points":  {"type": "points", "default": []any{}},
		"simplex": {"type": "simplex", "default": []any{0.5, 0.25, 0.25}, "min": 0.125, "max": 1.0, "columns": 3.0},
		"whole":   {"type": "simplex", "default": []any{1.0, 3.0}, "min": 0.0, "max": 9.0, "step": 1.0, "columns": 2.0},
		"names":   {"type": "set", "default": []any{}, "open": true, "atMost": 3.0},
		"line":    {"type": "text", "default": "x^2", "atMost": 2000.0, "lines": nil, "min": nil},
		"lines":   {"type": "text", "default": "a = 2", "atMost": 2000.0, "lines": true},
		"seed":    {"type": "seed", "default": 7.0, "max": float64(1<<53 - 1)},
	} {
		for field, value := range want {
			if got := all[name][field]; !reflect.DeepEqual(got, value) {
				t.Errorf("%s: %s = %v, want %v", name, field, got, value)
			}
		}
	}
}

// TestList checks that parameters keep the order of binding, that Restore sets every parameter to its default, and
// that binding a name twice panics.
func TestList(t *testing.T) {
	v := defaults()
	l := v.list()
	if want := []string{"number", "integer", "choice", "set", "bool", "points", "seed", "matrix", "simplex",
		"whole", "names", "camera", "line", "lines"}; !slices.Equal(l.Names(), want) {
		t.Errorf("names %v, want %v", l.Names(), want)
	}
	for name, text := range map[string]string{"number": "1", "integer": "2", "choice": "b", "set": "b", "bool": "false", "points": "1,2",
		"seed": "3", "matrix": "1,1;2,2", "simplex": "0.2,0.3,0.5", "whole": "2,6", "names": "a", "camera": "1,2,3",
		"line": "", "lines": "a = 3"} {
		if !l.IsDefault(name) {
			t.Errorf("%s is not at its default", name)
		}
		if err := l.Assign(name, text); err != nil {
			t.Fatal(err)
		}
		if l.IsDefault(name) {
			t.Errorf("%s = %s counts as the default", name, text)
		}
	}
	if v.number != 1 || v.integer != 2 || v.choice != "b" || v.truth || v.seed != 3 {
		t.Errorf("the owner's fields are %+v", v)
	}
	l.Restore()
	for _, name := range l.Names() {
		if !l.IsDefault(name) {
			t.Errorf("%s is not at its default after Restore", name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("binding a name twice goes unnoticed")
		}
	}()
	l.Bool(new(bool), param.Descriptor{Name: "bool"})
}

// FuzzClamp checks that, for any link, a parameter's value stays finite and in its range, and that Assign accepts the
// value's text.
func FuzzClamp(f *testing.F) {
	for _, text := range []string{"", "1", "-1e308", "a,b", "1,2;3", ";;", "NaN", "true", "9e99", "0x1p-3"} {
		f.Add(text)
	}
	for _, text := range []string{"1,2,3", "1,0,0", "0,0,0", "-1,2e-308,9e307", "0.1,0.2,0.7", "3,1", "0,1e300"} {
		f.Add(text)
	}
	for _, text := range []string{`"a,b",c`, `""""`, "a\x00,\xff", "a\r\nb\t\rc", "\u202e"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := defaults()
		l := v.list()
		for _, name := range l.Names() {
			if _, err := l.Clamp(name, text); err == nil {
				held := l.Text(name)
				if err := l.Assign(name, held); err != nil || l.Text(name) != held {
					t.Errorf("%s: %q is held as %q, which is read as %q: %v", name, text, held, l.Text(name), err)
				}
			}
		}
		if !(v.number >= -1 && v.number <= 2) || v.integer < 1 || v.integer > 64 || v.seed > 1<<53-1 || len(v.points) > 3 || len(v.set) < 1 {
			t.Errorf("%q leads out of the ranges: %+v", text, v)
		}
		if sum := v.simplex[0] + v.simplex[1] + v.simplex[2]; len(v.simplex) != 3 || math.Abs(sum-1) > 1e-8 || slices.Min(v.simplex) < 0.125 {
			t.Errorf("%q: shares %v", text, v.simplex)
		}
		if len(v.whole) != 2 || slices.Min(v.whole) < 0 || slices.Max(v.whole) < 1 || slices.Max(v.whole) > 9 {
			t.Errorf("%q: whole numbers %v", text, v.whole)
		}
		if len(v.names) > 3 {
			t.Errorf("%q: names %q", text, v.names)
		}
		for _, p := range v.points {
			for _, c := range p {
				if !(math.Abs(c) <= 10) {
					t.Errorf("%q: coordinate %s", text, strconv.FormatFloat(c, 'g', -1, 64))
				}
			}
		}
	})
}

// TestDisabledOption checks that a disabled option is listed with its reason, and that selecting it gives an error
// with that reason. Tables that several parameters share must not change.
func TestDisabledOption(t *testing.T) {
	table := []param.Option{{Value: "a"}, {Value: "b"}, {Value: "c"}}
	one, some, other := "a", []string{"a"}, "a"
	var l param.List
	l.Section("here")
	l.Choice(&one, param.Descriptor{Name: "one", Options: table})
	l.Set(&some, param.Descriptor{Name: "some", Options: table, AtLeast: 1, Group: "there"})
	l.Choice(&other, param.Descriptor{Name: "other", Options: table})
	l.Disable("one", "b", "It needs more.")
	l.Disable("some", "b", "It needs more.")
	if err := l.Assign("one", "b"); err == nil || err.Error() != "one: b cannot be chosen here. It needs more" {
		t.Error(err)
	}
	if err := l.Assign("some", "b,c"); err == nil || err.Error() != "some: b cannot be chosen here. It needs more" {
		t.Error(err)
	}
	if notice, err := l.Clamp("some", "b,c"); err != nil || notice != "some: b cannot be chosen here. It needs more" ||
		!slices.Equal(some, []string{"c"}) {
		t.Errorf("%q, %v, %v", notice, err, some)
	}
	if _, err := l.Clamp("some", "b"); err == nil || !strings.Contains(err.Error(), "It needs more") || !slices.Equal(some, []string{"c"}) {
		t.Errorf("%v, %v", err, some)
	}
	if err := l.Assign("other", "b"); err != nil {
		t.Error(err)
	}
	d, _ := l.Lookup("one")
	text, err := json.Marshal(d)
	if err != nil || !strings.Contains(string(text), `{"value":"b","label":"","disabled":"It needs more."}`) {
		t.Errorf("%s, %v", text, err)
	}
	if inner, _ := l.Lookup("some"); d.Group != "here" || inner.Group != "there" {
		t.Errorf("groups %q and %q", d.Group, inner.Group)
	}
	for _, bad := range [][2]string{{"zzz", "a"}, {"one", "zzz"}, {"one", "a"}, {"some", "a"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is disabled without complaint", bad)
				}
			}()
			l.Disable(bad[0], bad[1], "No.")
		}()
	}
}

// TestInclude checks that both lists write the same field, and that Include skips parameters for which keep returns
// false.
func TestInclude(t *testing.T) {
	a, b := 1.0, 2.0
	var from, l param.List
	from.Number(&a, param.Descriptor{Name: "a", Max: 10})
	from.Number(&b, param.Descriptor{Name: "b", Max: 10, Group: "there"})
	l.Section("here")
	if err := from.Assign("a", "1.5"); err != nil {
		t.Fatal(err)
	}
	l.Include(&from, func(d param.Descriptor) bool { return d.Name == "a" })
	if err := l.Assign("a", "3"); err != nil || a != 3 || from.Text("a") != "3" || !from.IsDefault("b") {
		t.Errorf("%v, a = %g", err, a)
	}
	if d, _ := l.Lookup("a"); d.Group != "here" || d.Default != 1.5 || !slices.Equal(l.Names(), []string{"a"}) {
		t.Errorf("%+v of %v", d, l.Names())
	}
	defer func() {
		if recover() == nil {
			t.Error("a name is included twice")
		}
	}()
	l.Include(&from, func(param.Descriptor) bool { return true })
}

// TestUnder checks that a parameter of a method gets the condition that the choice has this method, and that other
// parameters get no condition.
func TestUnder(t *testing.T) {
	var l param.List
	radius, step := 0.5, 0.1
	l.Number(&radius, param.Descriptor{Name: "cagrad.c", Method: "cagrad", Max: 1})
	l.Number(&step, param.Descriptor{Name: "alpha", Max: 1})
	l.Under("weighting")
	own, _ := l.Lookup("cagrad.c")
	if own.Method != "" || own.Only == nil || own.Only.Name != "weighting" || !slices.Equal(own.Only.Values, []string{"cagrad"}) {
		t.Errorf("%+v", own)
	}
	if shared, _ := l.Lookup("alpha"); shared.Only != nil {
		t.Errorf("%+v", shared)
	}
}

// TestUseful checks that a parameter is useful if the choice in its condition has one of the values or does not
// exist.
func TestUseful(t *testing.T) {
	var l param.List
	kind, other := "a", "x"
	number := 1.0
	options := func(values ...string) (out []param.Option) {
		for _, v := range values {
			out = append(out, param.Option{Value: v})
		}
		return out
	}
	l.Choice(&kind, param.Descriptor{Name: "kind", Options: options("a", "b")})
	l.Choice(&other, param.Descriptor{Name: "other", Options: options("x", "y")})
	for name, only := range map[string]*param.Only{
		"always": nil, "with b": {Name: "kind", Values: []string{"b"}},
		"with b or y": {Name: "kind", Values: []string{"b"}, Or: &param.Only{Name: "other", Values: []string{"y"}}},
		"absent":      {Name: "none", Values: []string{"b"}},
	} {
		l.Number(&number, param.Descriptor{Name: name, Max: 2, Only: only})
	}
	for _, c := range []struct {
		kind, other string
		useful      []string
	}{
		{"a", "x", []string{"absent", "always"}},
		{"a", "y", []string{"absent", "always", "with b or y"}},
		{"b", "x", []string{"absent", "always", "with b", "with b or y"}},
	} {
		kind, other = c.kind, c.other
		var got []string
		for _, name := range []string{"absent", "always", "unknown", "with b", "with b or y"} {
			if l.Useful(name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, c.useful) {
			t.Errorf("kind = %s, other = %s: %q have a use, want %q", kind, other, got, c.useful)
		}
	}
}
