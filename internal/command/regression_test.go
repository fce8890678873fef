package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// regressionFile writes a table with two responses to a file for -data.
func regressionFile(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("hour;wind;a;b\n")
	for i := range 120 {
		hour, wind := i%24, []string{"N", "S", "NE"}[i%3]
		fmt.Fprintf(&b, "%d;%s;%d;%d\n", hour, wind, 2*hour+i*i%3, 30-hour+4*len(wind))
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRegressionFile checks that the scene learns a table's responses, and that the output file contains all records of
// the runs.
func TestRegressionFile(t *testing.T) {
	var got struct {
		Params map[string]any
		Runs   []struct {
			Method   string
			Iterates []struct {
				K, Block, Objective *int
				Coordinates, MA     float64
				Loss                float64
				Test                []float64
			}
		}
		Results map[string]struct {
			Loss    float64
			Reached []*float64
		}
	}
	decodeJSON(t, remarks(t, `column "wind" has 3 different words, which become 2 columns of 0 and 1`,
		"run", "-scene", "regression", "-data", regressionFile(t), "-set", "responses=a,b", "-set", "r=2", "-set",
		"batch=16", "-set", "m=1,2", "-set", "work=0.2", "-set", "d=3", "-json", "-"), &got) // the table determines d
	if len(got.Runs) != 4 || fmt.Sprint(got.Params["q"], got.Params["d"], got.Params["responses"]) != "2 3 [a b]" {
		t.Fatalf("%d runs, %v", len(got.Runs), got.Params)
	}
	for _, run := range got.Runs {
		first, last := run.Iterates[0], run.Iterates[len(run.Iterates)-1]
		if len(last.Test) != 2 || last.MA < 200_000 || first.MA != 0 || last.Coordinates <= 0 || last.Loss > 0.5*first.Loss ||
			first.Objective == nil {
			t.Errorf("%s: from %+v to %+v", run.Method, first, last)
		}
		if r := got.Results[run.Method+"-1"]; r.Loss != last.Loss || len(r.Reached) != 3 {
			t.Errorf("%s: results %+v", run.Method, r)
		}
	}
}

// TestRegressionRefused checks that missing or wrong input gives a one-line error.
func TestRegressionRefused(t *testing.T) {
	path := regressionFile(t)
	wrong := filepath.Join(t.TempDir(), "wrong.csv")
	if err := os.WriteFile(wrong, []byte("a,b\n1,2\n3,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, arguments := range map[string][]string{
		"at least one of: hour, a, b":                                {"-data", path},
		`"c": unknown column; available: hour`:                       {"-data", path, "-set", "responses=a,c"},
		"a column of words":                                          {"-data", path, "-set", "responses=wind"},
		"contradicts the data":                                       {"-data", path, "-set", "responses=a,b", "-set", "r=3"},
		"sigma = 3 has no effect with these data, which set problem": {"-data", path, "-set", "responses=a,b", "-set", "sigma=3"},
		"r = 6: at most 5":                                           {"-set", "r=6"},
		`line 3, column 2, "b": "x" is not a`:                        {"-data", wrong, "-set", "responses=a"},
	} {
		stdout, stderr, status := invoke(t, "", append([]string{"run", "-scene", "regression", "-json", "-"}, arguments...)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 ||
			utf8.RuneCountInString(stderr) > 301 {
			t.Errorf("%v: status %d, %d bytes of output, %q", arguments, status, len(stdout), stderr)
		}
	}
}
