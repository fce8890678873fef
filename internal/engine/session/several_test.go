package session

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

// swarm returns a session that has run MGDA and MOO-SVGD from n starts for the given number of iterations. more is appended
// to its link.
func swarm(t *testing.T, n, iterations int, more string) *Session {
	t.Helper()
	s := open(t)
	do(t, s, "load", fmt.Sprintf(`{"state":"v=1&scene=fonseca&method=mgda,moosvgd&starts=%d&latest=%d&k=%d%s"}`, n, iterations, iterations,
		more))
	return s
}

// rowsOf returns the rows of a list of lists from JSON.
func rowsOf(t *testing.T, v any) [][]float64 {
	t.Helper()
	list, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is not a list", v)
	}
	out := make([][]float64, len(list))
	for i, row := range list {
		if out[i] = vector(row); out[i] == nil {
			t.Fatalf("%v is not a row", row)
		}
	}
	return out
}

// TestSeveralInFiles checks that a run of several solutions is one entry in the file and in the state, with a row for each
// solution. In the table, each solution has its own line.
func TestSeveralInFiles(t *testing.T) {
	for _, n := range []int{1, 3} {
		s := swarm(t, n, 20, "&optimizer=adam")
		var j, c strings.Builder
		if err := s.Files().WriteJSON(&j, 5); err != nil {
			t.Fatal(err)
		}
		if err := s.Files().WriteCSV(&c, 5); err != nil {
			t.Fatal(err)
		}
		var record struct{ Runs []map[string]any }
		decode(t, j.String(), &record)
		if len(record.Runs) != n+1 {
			t.Fatalf("%d runs, want %d of MGDA and one of MOO-SVGD", len(record.Runs), n)
		}
		run := record.Runs[n]
		if run["name"] != "moosvgd" || len(rowsOf(t, run["start"])) != n {
			t.Errorf("run %v starts at %v", run["name"], run["start"])
		}
		lines, err := csv.NewReader(strings.NewReader(c.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		head := lines[0]
		if want := []string{"run", "method", "k", "solution", "x1", "x2", "f1", "f2", "weight1", "weight2", "stationarity", "bp", "update1",
			"update2"}; !slices.Equal(head, want) {
			t.Fatalf("columns %v, want %v", head, want)
		}
		lines = slices.DeleteFunc(lines[1:], func(line []string) bool { return line[1] != "moosvgd" })
		iterates := run["iterates"].([]any)
		if len(iterates) != 5 || len(lines) != 5*n {
			t.Fatalf("%d iterates, %d lines", len(iterates), len(lines))
		}
		for at, entry := range iterates {
			it := entry.(map[string]any)
			k := int(it["k"].(float64))
			x, f, stationarity := rowsOf(t, it["x"]), rowsOf(t, it["f"]), vector(it["stationarity"])
			if k != 5*at || it["bp"] != float64(2*n*k) || len(x) != n || len(f) != n || len(stationarity) != n {
				t.Fatalf("iterate %v", it)
			}
			for i := range n {
				line := lines[at*n+i]
				want := append([]string{"moosvgd", "moosvgd", strconv.Itoa(k), strconv.Itoa(i + 1)}, csvNumbers(csvNumbers(nil, x[i]), f[i])...)
				if k == 20 { // no step starts there
					if it["weights"] != nil || it["update"] != nil {
						t.Errorf("the last iterate %v", it)
					}
					want = append(want, "", "")
				} else {
					want = csvNumbers(want, rowsOf(t, it["weights"])[i])
				}
				want = append(csvNumbers(want, stationarity[i:i+1]), strconv.Itoa(2*n*k))
				if k == 20 {
					want = append(want, "", "")
				} else {
					want = csvNumbers(want, rowsOf(t, it["update"])[i])
				}
				if !slices.Equal(line, want) {
					t.Errorf("line %v, want %v", line, want)
				}
			}
		}
		do(t, s, "seek", `{"k":10}`)
		data, err := json.Marshal(state(t, s))
		if err != nil {
			t.Fatal(err)
		}
		var now struct{ Runs []map[string]any }
		decode(t, string(data), &now)
		entry := iterates[2].(map[string]any)
		for _, name := range []string{"x", "f", "weights", "stationarity", "bp", "update"} {
			if got, want := fmt.Sprint(now.Runs[n][name]), fmt.Sprint(entry[name]); got != want {
				t.Errorf("state: %s = %s, in the file %s", name, got, want)
			}
		}
		if fmt.Sprint(now.Runs[n]["start"]) != fmt.Sprint(run["start"]) {
			t.Errorf("state: start %v", now.Runs[n]["start"])
		}
	}
}

// TestSeveralOnlyWhereTheyCanBe checks that only scenes with runs of several solutions have a column for solutions.
func TestSeveralOnlyWhereTheyCanBe(t *testing.T) {
	for _, a := range scenes.All {
		s, err := New(scenes.All, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if a.ID == "lab" || a.ID == "bilevelcost" { // no runs
			continue
		}
		var c strings.Builder
		if err := s.Files().WriteCSV(&c, 1); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(c.String(), "\n")
		d, _ := s.scene.Params().Lookup("method")
		offered := slices.ContainsFunc(d.Options, func(o param.Option) bool { return o.Value == "moosvgd" && o.Disabled == "" }) ||
			slices.ContainsFunc(s.timeline().Runs(), func(r *timeline.Run) bool { return r.Several })
		if got := strings.Contains(head, ",solution,"); got != offered || got != a.Several {
			t.Errorf("%s: columns %.80s, offered %v, several %v", a.ID, head, offered, a.Several)
		}
	}
}

// TestOldSelection checks that a link to one solution of MOO-SVGD selects that solution.
func TestOldSelection(t *testing.T) {
	s := swarm(t, 4, 10, "&run=moosvgd-3")
	noticed(t, s, "")
	st := state(t, s)
	chosen := s.timeline().Selected()
	if st.Selected != "moosvgd-3" || chosen.Solution != 2 || chosen.StartIndex() != 2 || !strings.Contains(st.Hash, "run=moosvgd-3") {
		t.Errorf("selected %q, track %+v, link %s", st.Selected, chosen, st.Hash)
	}
	if !slices.ContainsFunc(s.Readout().Rows, func(r timeline.ReadoutRow) bool {
		return r.Run == "moosvgd-3" &&
			r.Label == "MOO-SVGD, start 3"
	}) {
		t.Errorf("table %+v", s.Readout().Rows)
	}
	do(t, s, "select", `{"run":"moosvgd-4"}`)
	if st := state(t, s); st.Selected != "moosvgd-4" {
		t.Errorf("selected %q", st.Selected)
	}
	do(t, s, "select", `{"run":"moosvgd"}`)
	if st := state(t, s); st.Selected != "moosvgd-1" {
		t.Errorf("of the run as a whole %q is selected", st.Selected)
	}
}

// TestSeveralStop checks that the run ends when the last of its solutions has reached the stationarity threshold.
func TestSeveralStop(t *testing.T) {
	s := swarm(t, 3, 200, "&moosvgd.repulsion=0&stop=0.01")
	run := s.timeline().Find("moosvgd-1").Run
	if run.Status() != algo.Stationary {
		t.Fatalf("the run ends as %v at %d", run.Status(), run.Last())
	}
	last, before := run.Kept(run.Index(run.Last())), run.Kept(run.Index(run.Last()-1))
	if slices.Max(last.Stationarities) > 0.01 || slices.Max(before.Stationarities) <= 0.01 || slices.Min(before.Stationarities) > 0.01 {
		t.Errorf("ends with %v after %v", last.Stationarities, before.Stationarities)
	}
}

// csvNumbers appends numbers as CSV files write them, with an empty cell for a missing number.
func csvNumbers(line []string, v []float64) []string {
	for _, x := range v {
		line = append(line, data.Real(x))
	}
	return line
}

// TestTableWithoutRuns checks that the table of runs has only its heading while the runs wait for data.
func TestTableWithoutRuns(t *testing.T) {
	s := open(t)
	do(t, s, "load", `{"state":"v=1&scene=transport&costs=data&solver=ipot&n=1"}`)
	var b strings.Builder
	if err := s.Files().WriteCSV(&b, 1); err != nil || b.String() != "run,method,k,stationarity,bp\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
