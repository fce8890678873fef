package data_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
)

func places(text string) (*data.Pasted, error) {
	r := data.NewReader(data.Places)
	if _, err := io.Copy(r, strings.NewReader(text)); err != nil {
		return nil, err
	}
	return r.Close()
}

// TestPlaces checks that goals are read alone, as JSON or CSV, and with masses and starts.
func TestPlaces(t *testing.T) {
	p, err := places(`{"starts": [[0,1]], "b": [2], "centres": [[1,2],[3,4],[5,6]], "a": [1, 0, 1]}`)
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Rows("centres"); len(c) != 3 || !slices.Equal(c[2], []float64{5, 6}) || !slices.Equal(p.Rows("starts")[0], []float64{0, 1}) ||
		!slices.Equal(p.List("a"), []float64{1, 0, 1}) || !slices.Equal(p.List("b"), []float64{2}) || p.About != "3 goals, 1 start" {
		t.Errorf("got %+v", p)
	}
	for _, text := range []string{"x,y\n1,2\n3,4\n", "[[1,2],[3,4]]", `{"centres": [[1,2],[3,4]], "a": null, "starts": null}`} {
		p, err := places(text)
		if err != nil || len(p.Rows("centres")) != 2 || p.Rows("starts") != nil || p.List("a") != nil || p.About != "2 goals" {
			t.Errorf("%s: got %+v, error %v", text, p, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"1,2,3", "more than 2 numbers"},
		{"1\n2", "row 1 of centres has 1 numbers; 2 are expected"},
		{`{"a": [1]}`, "centres: at least one row"},
		{`{"centres": []}`, `"[" before a row is expected`},
		{`{"centres": [[1,2]], "a": [1,1]}`, "a: got 2 masses for 1 centres"},
		{`{"centres": [[1,2]], "a": [-1]}`, "a[0]"},
		{`{"centres": [[1,2]], "b": [0,0]}`, "sums of a and b"},
		{`{"centres": [[1,2]], "a": [1], "b": [0.5,0.4]}`, "sums of a and b"},
		{`{"centres": [[1,2]], "b": [1], "starts": [[1,2],[3,4]]}`, "b: got 1 masses for 2 starts"},
		{`{"centres": [[1,2]], "starts": [[1,1e7]]}`, "starts: 1e+07 is outside"},
		{`{"centres": [[1,2]], "jacobian": [[1]]}`, `unknown name "jacobian"; available: centres a b starts`},
		{strings.Repeat("1,2\n", 201), "more than 200 rows"},
	} {
		if _, err := places(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40s: got error %v, want %q", c.text, err, c.want)
		}
	}
}
