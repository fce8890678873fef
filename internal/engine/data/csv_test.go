package data

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestReal(t *testing.T) {
	for _, v := range []float64{0, 1, -3, 0.5, 1e-5, 1e21, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)} {
		text := Real(v)
		read, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Float64bits(read) != math.Float64bits(v) || !strings.ContainsAny(text, ".e") {
			t.Errorf("%v: written as %q, read as %v, error %v", v, text, read, err)
		}
	}
	if text := Real(math.NaN()); text != "" {
		t.Errorf("NaN: got %q, want it empty", text)
	}
	for cell, want := range map[string]string{"0": "0.0", "-1": "-1.0", "0 1 1e-05;2.5;3": "0.0 1.0 1e-05;2.5;3.0", "+Inf 2": "+Inf 2.0",
		"": "", "U V": "U V", "U 1": "U 1", "1,5": "1,5", "1.0": "1.0", "true": "true", "1;;2": "1.0;;2.0", "e": "e", "1e": "1e", "-": "-"} {
		if got := AsReals(cell); got != want {
			t.Errorf("%q: got %q, want %q", cell, got, want)
		}
	}
}

// TestDecimalCommas checks that a table survives conversion to decimal commas and back, and that its cells of text stay
// unchanged.
func TestDecimalCommas(t *testing.T) {
	const table = "a_1.1,word,each\n0.5,v1.2,0.5 1.0;-1e-05 2.25\n-3,\"say \"\"1.5\"\"; twice\",\n,0.1.2,+Inf\n"
	const comma = "a_1.1;word;each\n0,5;v1.2;\"0,5 1,0;-1e-05 2,25\"\n-3;\"say \"\"1.5\"\"; twice\";\n;0.1.2;+Inf\n"
	got, err := WithCommas([]byte("# first, line\n" + table))
	if err != nil || string(got) != "# first, line\n"+comma {
		t.Errorf("%v\n%s", err, got)
	}
	for _, text := range []string{table, comma} {
		rows, err := ReadCSV(strings.NewReader(text))
		if err != nil || len(rows) != 4 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, want := range [][3]string{{"a_1.1", "word", "each"}, {"0.5", "v1.2", "0.5 1.0;-1e-05 2.25"}, {"-3", `say "1.5"; twice`, ""},
			{"", "0.1.2", "+Inf"}} {
			if [3]string(rows[i]) != want {
				t.Errorf("row %d: %q, want %q", i, rows[i], want)
			}
		}
	}
	for _, bad := range []string{"a,b\n1\n", "a;b\n1;\"2\n"} {
		if _, err := ReadCSV(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
	if _, err := WithCommas([]byte("a,b\n1\n")); err == nil {
		t.Error("got no error for a damaged table")
	}
	if rows, err := ReadCSV(strings.NewReader("")); err != nil || len(rows) != 0 {
		t.Errorf("empty file: got %q, error %v", rows, err)
	}
}
