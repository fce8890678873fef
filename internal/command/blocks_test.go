package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// blocksRun is the output of run -json for the blocks scene.
type blocksRun struct {
	Runs []struct {
		Name, Method, Status string
		Iterates             []struct {
			K           int
			X, F        []float64
			BP          int
			T           *int
			Block       *int
			Objective   *int
			Coordinates int
		}
	}
	Results map[string]struct {
		Last, Average, Uniform []float64
		T                      *int
	}
}

// TestBlocksFile compares the steps with those of an independent program. The file sets objectives, blocks, frequencies
// and start; the command line sets the rest.
func TestBlocksFile(t *testing.T) {
	data, err := os.ReadFile("../../algo/blocks/testdata/blocksmoo.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct{ Trajectories []json.RawMessage }
	decodeJSON(t, string(data), &oracle)
	tried := 0
	for _, raw := range oracle.Trajectories {
		var want struct {
			Problem, Name, Method string
			Objectives            int             `json:"q"`
			Matrices              json.RawMessage `json:"Q"`
			Centres               json.RawMessage `json:"c"`
			Blocks                [][]int
			M                     []int
			Order, Update         string
			Schedule              struct {
				Kind  string
				Alpha float64
			}
			T             int
			X0            []float64
			StepsPerOuter int `json:"steps_per_outer"`
			Partial       []struct {
				K, T, Block, Objective int
				X                      []float64
				Coordinates, BP        int
			}
			Outer []struct {
				T    int
				X, F []float64
			}
			Outputs struct{ Last, Average []float64 }
			Cost    struct{ Coordinates, BP int }
		}
		decodeJSON(t, string(raw), &want)
		if want.Problem != "quadratic" {
			continue
		}
		tried++
		t.Run(want.Name, func(t *testing.T) {
			file := orderingFile(t, map[string]any{"Q": want.Matrices, "c": want.Centres, "blocks": want.Blocks, "m": want.M, "x0": want.X0})
			args := []string{"run", "-scene", "blocks", "-data", file, "-set", "method=" + want.Method, "-set", "order=" + want.Order,
				"-set", "blockorder=listed", "-set", "update=" + strings.ReplaceAll(want.Update, "-", ""), "-set",
				"schedule=" + want.Schedule.Kind, "-steps", fmt.Sprint(want.T * want.StepsPerOuter), "-json", "-"}
			if want.Schedule.Kind == "constant" {
				args = append(args, "-set", fmt.Sprint("alpha=", want.Schedule.Alpha))
			}
			var got blocksRun
			decodeJSON(t, succeeds(t, "", args...), &got)
			if len(got.Runs) != 1 || got.Runs[0].Method != want.Method || len(got.Runs[0].Iterates) != want.T*want.StepsPerOuter+1 {
				t.Fatalf("%d runs, %+v", len(got.Runs), got.Runs[0].Method)
			}
			iterates, tolerance := got.Runs[0].Iterates, 1e-10
			if want.Schedule.Kind == "printed" || want.Schedule.Kind == "safe" {
				tolerance = 1e-5 // the other program printed μ and L with six decimals
			}
			same := func(what string, got, want []float64) {
				t.Helper()
				for i, v := range want {
					if len(got) != len(want) || !(math.Abs(got[i]-v) <= tolerance*max(1, math.Abs(v))) {
						t.Errorf("%s = %v, want %v", what, got, want)
						return
					}
				}
			}
			for _, row := range want.Partial {
				before, after := iterates[row.K-1], iterates[row.K]
				same(fmt.Sprint("x at k = ", row.K), after.X, row.X)
				if before.T == nil || *before.T != row.T || *before.Block != row.Block || *before.Objective != row.Objective ||
					after.Coordinates != row.Coordinates || after.BP != row.BP {
					t.Errorf("the step to k = %d is %+v, %d coordinates and %d gradients; want %+v", row.K, before, after.Coordinates, after.BP, row)
				}
			}
			for _, row := range want.Outer {
				at := iterates[row.T*want.StepsPerOuter]
				same(fmt.Sprint("x at t = ", row.T), at.X, row.X)
				same(fmt.Sprint("f at t = ", row.T), at.F, row.F)
			}
			end := iterates[len(iterates)-1]
			if end.Coordinates != want.Cost.Coordinates || end.BP != want.Cost.BP || end.T != nil || end.Block != nil || end.Objective != nil {
				t.Errorf("the end is %+v, want the cost %+v", end, want.Cost)
			}
			result := got.Results[want.Method+"-1"]
			same("last", result.Last, want.Outputs.Last)
			same("average", result.Average, want.Outputs.Average)
			if result.T == nil || *result.T < 0 || *result.T >= want.T ||
				!reflect.DeepEqual(result.Uniform, iterates[*result.T*want.StepsPerOuter].X) {
				t.Errorf("the random output is %v of t = %v", result.Uniform, result.T)
			}
		})
	}
	if tried != 9 {
		t.Errorf("%d trajectories compared, want 9", tried)
	}
}

// TestBlocksDefaults checks the defaults for a file that sets only objectives: one block per variable, one turn per
// block, and start 0. The command line may set other values.
func TestBlocksDefaults(t *testing.T) {
	file := orderingFile(t, map[string]any{"Q": [][][]float64{{{1}}, {{2}}, {{3}}}, "c": [][]float64{{1}, {2}, {3}}})
	var got blocksRun
	args := []string{"run", "-scene", "blocks", "-data", file, "-set", "order=contiguous", "-set", "alpha=0.1", "-set", "q=3", "-json", "-"}
	decodeJSON(t, succeeds(t, "", append(args, "-steps", "3")...), &got)
	// x ← x − 0.1·Q(x − c).
	x := 0.0
	for k, q := range []float64{1, 2, 3} {
		x -= 0.1 * q * (x - q)
		if at := got.Runs[0].Iterates[k+1]; !(math.Abs(at.X[0]-x) <= 1e-15) || *got.Runs[0].Iterates[k].Objective != k {
			t.Errorf("k = %d: %+v, want x = %v", k+1, at, x)
		}
	}
	if r := got.Results["blocksmoo-1"]; r.T == nil || *r.T != 0 || r.Uniform[0] != 0 || r.Average[0] != 0 {
		t.Errorf("after one outer iteration the outputs are %+v", r)
	}
	got = blocksRun{}
	decodeJSON(t, succeeds(t, "", append(args, "-steps", "2", "-set", "m=0,1,1", "-start", "5")...), &got)
	if r := got.Runs[0]; r.Iterates[0].X[0] != 5 || *r.Iterates[0].Objective != 1 || *r.Iterates[1].Objective != 2 {
		t.Errorf("with m = 0, 1, 1 from 5: %+v", r.Iterates)
	}
	got = blocksRun{}
	decodeJSON(t, succeeds(t, "", append(args, "-steps", "2")...), &got)
	if r := got.Results["blocksmoo-1"]; r.Average != nil || r.Uniform != nil || r.T != nil || r.Last[0] != 0 {
		t.Errorf("before an outer iteration is complete the outputs are %+v", r)
	}
}

// TestBlocksCSV checks that every row states its step, even if some rows are omitted.
func TestBlocksCSV(t *testing.T) {
	text := succeeds(t, "", "run", "-scene", "blocks", "-set", "seeds=2", "-steps", "20", "-every", "5", "-csv", "-")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[0], ","); got != "run,method,k,x1,x2,f1,f2,weight1,weight2,stationarity,bp,coordinates,t,block,objective" {
		t.Errorf("the columns are %s", got)
	}
	if len(lines) != 1+2*2*5 || lines[3][2] != "10" || lines[3][11] != "10" || lines[3][12] != "1" ||
		lines[11][14] != "-1" || lines[5][12] != "" {
		t.Errorf("%d lines: %v", len(lines), lines)
	}
}

// TestBlocksRefused checks that a one-line error results if settings are unknown or contradict the file, or if the
// objectives are not quadratic.
func TestBlocksRefused(t *testing.T) {
	whole := orderingFile(t, map[string]any{"Q": [][][]float64{{{1, 0}, {0, 1}}, {{2, 1}, {1, 2}}}, "c": [][]float64{{0, 0}, {1, 1}},
		"blocks": [][]int{{1}, {0}}, "m": []int{2, 1}, "x0": []float64{1, 1}})
	run := func(data string, more ...string) []string {
		return append([]string{"run", "-scene", "blocks", "-steps", "3", "-data", data, "-json", "-"}, more...)
	}
	raw := func(text string) string { return orderingFile(t, json.RawMessage(text)) }
	two := func(q, more string) string {
		return raw(`{"Q": [` + q + `, [[1, 0], [0, 1]]], "c": [[0, 0], [1, 1]]` + more + `}`)
	}
	for _, args := range [][]string{run(whole, "-set", "q=2"), run(whole, "-set", "m=2,1"), run(whole, "-set", "partition=given"),
		run(whole, "-set", "method=weightedsum,blockalternate"), run(two("[[1, 0], [0, 1]]", `, "m": [0, 3]`))} {
		succeeds(t, "", args...)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{run(whole, "-set", "q=3"), "q = 3 contradicts the data; leave it out, or set it to 2"},
		{run(whole, "-set", "m=1,3"), "m = 1,3 contradicts the data; leave it out, or set it to 2,1"},
		{run(whole, "-set", "m=1,3,1"), "m = 1,3,1 contradicts the data"},
		{run(whole, "-set", "problem=quadratics"), "problem = quadratics contradicts the data"},
		{run(whole, "-set", "partition=one"), "partition = one contradicts the data"},
		{run(whole, "-start", "0,0"), "start = 0,0 contradicts the data"},
		{run(two("[[1, 0], [0, 1]]", ""), "-start", "0,0,0"), "start 0,0,0 has 3 coordinates; the scene has 2 variables"},
		{run(two("[[1, 2], [2, 1]]", "")), "Q[0]: the smallest eigenvalue is -1"},
		{run(two("[[1, 1], [1, 1]]", "")), "Q[0]: the smallest eigenvalue"},
		{run(two("[[1, 1], [0, 1]]", "")), "Q[0]: Q[0][1][0] = 0 and Q[0][0][1] = 1: Q[0] must be symmetric"},
		{run(two("[[1, 0], [0, 1e80]]", "")), "Q: 1e+80 is outside"},
		{run(two("[[1, 0]]", "")), "matrix 2 of Q has 2 rows, matrix 1 has 1"},
		{run(raw(`{"Q": [[[1, 0]], [[0, 1]]], "c": [[0], [1]]}`)), "Q: its matrices are 1×2; they must be square"},
		{run(raw(`{"Q": [[[1]]], "c": [[0]]}`)), "at least 2 objectives"},
		{run(raw(`{"Q": [[[1]], [[1]]], "c": [[0]]}`)), "c: it is 1×1, and Q is 2×1×1"},
		{run(raw(`{"Q": [[[1]], [[1]]]}`)), "c: at least one row"},
		{run(two("[[1, 0], [0, 1]]", `, "blocks": [[0], [0]]`)), "blocks[1][0] = 0: the variable is already in blocks[0]"},
		{run(two("[[1, 0], [0, 1]]", `, "blocks": [[0]]`)), "blocks: variable 1 is missing"},
		{run(two("[[1, 0], [0, 1]]", `, "blocks": [[0, 2], [1]]`)), "blocks[0][1] = 2: it is not a variable"},
		{run(two("[[1, 0], [0, 1]]", `, "blocks": [[], [1]]`)), "a number is expected"},
		{run(two("[[1, 0], [0, 1]]", `, "m": [1]`)), "m: got 1 for 2 objectives"},
		{run(two("[[1, 0], [0, 1]]", `, "m": [0.5, 1]`)), "m[0] = 0.5: it must be a whole number from 0 to 40"},
		{run(two("[[1, 0], [0, 1]]", `, "m": [0, 0]`)), "m: all are 0"},
		{run(two("[[1, 0], [0, 1]]", `, "x0": [1]`)), "x0: got 1 for 2 variables"},
		{run(two("[[1, 0], [0, 1]]", `, "D": [1]`)), `unknown name "D"; available: Q c blocks m x0`},
		{run(raw(`[[[1]]]`)), `"{" is expected`},
		{[]string{"run", "-scene", "blocks", "-set", "partition=given"}, "no file with blocks has been opened"},
		{[]string{"run", "-scene", "blocks", "-set", "method=smoo"}, "method"},
		{[]string{"run", "-scene", "blocks", "-set", "q=1"}, "q = 1"},
		{[]string{"run", "-scene", "blocks", "-set", "q=3", "-set", "m=1,2"}, "m has 2 whole numbers, but q = 3 needs 3"},
		{[]string{"run", "-scene", "blocks", "-set", "m=0,0"}, "m"},
		{[]string{"run", "-scene", "blocks", "-set", "alpha=0"}, "alpha = 0"},
		{[]string{"run", "-scene", "blocks", "-set", "K=3"}, `unknown parameter "K"`},
	} {
		stdout, stderr, status := invoke(t, "", c.args...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 ||
			utf8.RuneCountInString(stderr) > 301 {
			t.Errorf("%q: status %d, %q, want %q", c.args, status, stderr, c.want)
		}
	}
}
