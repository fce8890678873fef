package data_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
)

func samples(text string) (*data.Pasted, error) {
	r := data.NewReader(data.Samples)
	if _, err := io.Copy(r, strings.NewReader(text)); err != nil {
		return nil, err
	}
	return r.Close()
}

// TestSamples checks that lists of matrices are read completely, and that an error says where a file is wrong.
func TestSamples(t *testing.T) {
	p, err := samples(`{"C": [[[1,2],[3,4],[5,6]], [[7,8],[9,10],[11,12]]], "A": null, "D": [[[1,1],[1,1],[1,1]],[[2,2],[2,2],[2,2]]]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Stack("C")); got != "[[[1 2] [3 4] [5 6]] [[7 8] [9 10] [11 12]]]" || len(p.Stack("D")) != 2 ||
		p.Stack("A") != nil || p.About != "2 objectives, 3 samples, 2 variables" {
		t.Errorf("got C = %s, %s", got, p.About)
	}
	if first := p.First(); first != p.Matrix("D") || first.Rows != 6 || first.Cols != 2 {
		t.Errorf("got first matrix %+v", first)
	}
	p, err = samples(` { "y" : [ [ 1 , 2 ] ] , "A" : [ [ [ 3 ] , [ 4 ] ] ] } `)
	if err != nil || p.First() != p.Matrix("A") || fmt.Sprint(p.Stack("A"), p.Rows("y")) != "[[[3] [4]]] [[1 2]]" || p.Stack("y") != nil ||
		p.About != "1 objective, 2 samples, 1 variable" {
		t.Errorf("got %+v, error %v", p, err)
	}
	const alone = `the file must have "D" and "C", or "A" and "y", and nothing else`
	for _, c := range []struct{ text, want string }{
		{"", `the file is empty; a JSON object with "D" and "C", or "A" and "y", is expected`},
		{"1,2", `"{" is expected`},
		{"[[[1]]]", `unexpected "["; "{" is expected`},
		{"{}", alone},
		{`{"D": [[[1]]]}`, alone},
		{`{"D": [[[1]]], "y": [[1]]}`, alone},
		{`{"D": [[[1]]], "C": [[[1]]], "y": [[1]]}`, alone},
		{`{"D": []}`, `"[" before a matrix is expected`},
		{`{"D": [[]]}`, `"[" before a row is expected`},
		{`{"D": [[[]]]}`, "a number is expected"},
		{`{"D": 1}`, `unexpected "1"; "[" before the first matrix is expected`},
		{`{"D": [1]}`, `unexpected "1"; "[" before a matrix is expected`},
		{`{"D": [[1]]}`, `unexpected "1"; "[" before a row is expected`},
		{`{"D": [[[1]], 2]}`, `unexpected "2"; "[" before a matrix is expected`},
		{`{"D": [[[1]] [[2]]]}`, `unexpected "["; "," or "]" is expected`},
		{`{"D": [[[1]]`, `the file ends in the middle; "," or "]" is expected`},
		{`{"D": [[[1,2],[3]]]}`, "row 2 of matrix 1 has 1 numbers, row 1 of matrix 1 has 2"},
		{`{"D": [[[1]],[[2,3]]]}`, "row 1 of matrix 2 has more numbers than the 1 of row 1 of matrix 1"},
		{`{"D": [[[1,2]],[[2]]]}`, "row 1 of matrix 2 has 1 numbers, row 1 of matrix 1 has 2"},
		{`{"D": [[[1],[2]],[[3]]]}`, "matrix 2 of D has 1 rows, matrix 1 has 2"},
		{`{"D": [[[1]]], "D": [[[1]]]}`, `"D" appears twice`},
		{`{"D": [[[1]]], "C": [[[1]],[[2]]]}`, "C: it is 2×1×1, and D is 1×1×1"},
		{`{"D": [[[1]]], "C": [[[1],[2]]]}`, "C: it is 1×2×1, and D is 1×1×1"},
		{`{"A": [[[1],[2]]], "y": [[1]]}`, "y: it is 1×1; it must have one number for each of the 2 rows of A"},
		{`{"A": [[[1],[2]]], "y": [[1],[2]]}`, "y: it is 2×1"},
		{`{"E": [[[1]]]}`, `unknown name "E"; available: D C A y`},
		{`{"D": [` + strings.Repeat("[[1]],", 8) + `[[1]]]}`, "there are more than 8 matrices"},
		{`{"D": [[` + strings.Repeat("[1],", 2048) + `[1]]]}`, "there are more than 2048 rows"},
		{`{"D": [[[` + strings.Repeat("1,", 400) + `1]]]}`, "row 1 of matrix 1 has more than 400 numbers"},
		{`{"D": [` + strings.Repeat("["+strings.Repeat("["+strings.Repeat("1,", 399)+"1],", 2000)+"[1]],", 2) + `[[1]]]}`,
			"row 2001 of matrix 1 has 1 numbers"},
		{`{"D": [` + strings.Repeat("["+strings.TrimSuffix(strings.Repeat("["+strings.Repeat("1,", 399)+"1],", 2000), ",")+"],", 2) + `[[1]]]}`,
			"D has more than 1000000 numbers"},
	} {
		_, err := samples(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 200 {
			t.Errorf("%.60s: got error %v, want %q", c.text, err, c.want)
		}
	}
}
