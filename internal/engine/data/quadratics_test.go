package data_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
)

func quadratics(text string) (*data.Pasted, error) {
	r := data.NewReader(data.Quadratics)
	if _, err := io.Copy(r, strings.NewReader(text)); err != nil {
		return nil, err
	}
	return r.Close()
}

// TestQuadratics checks that objectives and blocks of any length are read completely, and that an error says where a
// file is wrong.
func TestQuadratics(t *testing.T) {
	const objectives = `{"Q": [[[1,0,0],[0,1,0],[0,0,1]],[[2,0,0],[0,2,0],[0,0,2]]], "c": [[0,1,2],[3,4,5]]`
	p, err := quadratics(objectives + `, "blocks": [[2], [0, 1]], "m": [0, 40], "x0": [1, 2, 3]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Lists("blocks"), p.List("m"), p.List("x0"), p.Rows("c")); got != "[[2] [0 1]] [0 40] [1 2 3] [[0 1 2] [3 4 5]]" ||
		p.About != "2 objectives, 3 variables" || len(p.Stack("Q")) != 2 || p.First() != p.Matrix("Q") || p.Matrix("blocks") != nil {
		t.Errorf("got %s, %s", got, p.About)
	}
	if p, err = quadratics(` { "blocks" : null , "c" : [ [ 1 ] , [ 2 ] ] , "Q" : [ [ [ 3 ] ] , [ [ 4 ] ] ] } `); err != nil ||
		p.Lists("blocks") != nil || p.About != "2 objectives, 1 variable" {
		t.Errorf("got %+v, error %v", p, err)
	}
	identity := func(n int) string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = "[" + strings.Repeat("0,", i) + "1" + strings.Repeat(",0", n-1-i) + "]"
		}
		return "[" + strings.Join(rows, ",") + "]"
	}
	for _, c := range []struct{ text, want string }{
		{"", `the file is empty; a JSON object with "Q" and "c" is expected`},
		{`{}`, "Q: at least one matrix"},
		{objectives + `, "blocks": [[0, 1, 2], []]}`, "a number is expected"},
		{objectives + `, "blocks": []}`, `"[" before a row is expected`},
		{objectives + `, "blocks": [[0], [1], [2], [3]]}`, "blocks[3][0] = 3: it is not a variable, a whole number from 0 to 2"},
		{objectives + `, "blocks": [[0, 0.5, 2]]}`, "blocks[0][1] = 0.5"},
		{objectives + `, "blocks": [[0, 1], [2, 1]]}`, "blocks[1][1] = 1: the variable is already in blocks[0]"},
		{objectives + `, "m": [-1, 2]}`, "m[0] = -1"},
		{objectives + `, "m": [1, 41]}`, "m[1] = 41"},
		{objectives + `, "x0": [1, 2, 1e7]}`, "x0: 1e+07 is outside"},
		{`{"Q": [` + identity(33) + `]}`, "row 1 of matrix 1 has more than 32 numbers"},
		{`{"Q": [` + strings.Repeat(identity(1)+",", 6) + identity(1) + `]}`, "there are more than 6 matrices"},
	} {
		_, err := quadratics(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 200 {
			t.Errorf("%.80s: got error %v, want %q", c.text, err, c.want)
		}
	}
}
