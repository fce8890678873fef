package command

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/study/claims"
)

// TestReproduce checks that a table is computed, stored and read again. The command must first print the amount of work,
// and write every kind of file.
func TestReproduce(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	args := []string{"experiment", "reproduce", "fonseca-staleness", "-quick", "-rows", path("rows.csv")}
	files := []string{"-markdown", path("t.md"), "-csv", path("t.csv"), "-json", path("t.json"), "-svg", path("t.svg"),
		"-pdf", path("t.pdf")}
	out, said, status := invoke(t, "", append(args, files...)...)
	const before = "paretoplay experiment: reproduce fonseca-staleness: 15 runs of each cell, from seed 1; " +
		"90 cells of 1350 parts to compute, about "
	if status != 0 || out != "" || !strings.HasPrefix(said, before) {
		t.Fatalf("status %d; %q; %s", status, out, said)
	}
	markdown, table := read("t.md"), read("t.csv")
	if !strings.HasPrefix(markdown, "# `fonseca-staleness`: the paper on PSMGD beside ours\n") ||
		!strings.Contains(markdown, "| Table 7 | Δm% 109.7 − 92.4") {
		t.Errorf("%.400s", markdown)
	}
	if !strings.HasPrefix(table, "experiment,paper,group,quantity,of,place,says,published,") || strings.Count(table, "\n") != 28 {
		t.Errorf("%.400s", table)
	}
	if !strings.Contains(read("t.svg"), "paretoplay experiment reproduce fonseca-staleness -quick") ||
		!strings.HasPrefix(read("t.pdf"), "%PDF") {
		t.Error("the pictures do not say where they come from")
	}
	var record struct {
		Experiment, Paper, Judged string
		Runs                      int
		Rows                      []map[string]any
	}
	decodeJSON(t, read("t.json"), &record)
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if record.Experiment != "fonseca-staleness" || record.Paper != "PSMGD" || record.Judged != claims.JudgedBy || record.Runs != 15 ||
		len(record.Rows) != len(lines)-1 {
		t.Fatalf("JSON begins %.400s", read("t.json"))
	}
	for i, row := range record.Rows {
		for j, column := range lines[0][2:] { // the first two columns describe the whole table
			value, text := row[column], lines[i+1][2+j]
			if n, is := value.(float64); is {
				var err error
				if value, err = strconv.ParseFloat(text, 64); err != nil || value != n {
					t.Errorf("row %d: %s is %v in JSON and %q in CSV", i+1, column, n, text)
				}
			} else if _, there := row[column]; !there || (value == nil) != (text == "" && column != "note") || value != nil && value != text {
				t.Errorf("row %d: %s is %v in JSON and %q in CSV", i+1, column, value, text)
			}
		}
	}
	rows := read("rows.csv")
	if plain, _, status := invoke(t, "", "experiment", "fonseca-staleness", "-quick", "-csv", "-"); status != 0 || plain != rows {
		t.Error("-rows keeps another table than experiment writes")
	}
	again, said, status := invoke(t, "", append(args, "-csv", "-")...)
	if status != 0 || again != table || !strings.Contains(said, "all cells are computed, nothing is left to do") || read("rows.csv") != rows {
		t.Errorf("status %d; %s", status, said)
	}
	half := strings.Join(strings.SplitAfter(rows, "\n")[:46], "")
	if err := os.WriteFile(path("half.csv"), []byte(half), 0o600); err != nil {
		t.Fatal(err)
	}
	out, said, status = invoke(t, "", "experiment", "reproduce", "fonseca-staleness", "-quick", "-rows", path("half.csv"))
	if status != 0 || !strings.Contains(said, "45 cells of 675 parts to compute") || !strings.Contains(out, "verdict") ||
		read("half.csv") != rows {
		t.Errorf("status %d; %s; %.200s", status, said, out)
	}
	for want, args := range map[string][]string{
		`unknown experiment "zzz"; available: fonseca-staleness`:    {"zzz"},
		`reproduce: unknown experiment ""`:                          {},
		"is not a table of fonseca-noise with these":                {"fonseca-noise", "-quick", "-rows", path("rows.csv")},
		"the columns are not [seed0 ":                               {"fonseca-staleness", "-quick", "-seed0", "7", "-rows", path("rows.csv")},
		"the program’s stored table is not a table":                 {"zdt", "-kept", "-seed0", "7"},
		"has no stored table of forum-cost; compute the table":      {"forum-cost", "-kept"},
		"has no stored table of zdt with -quick":                    {"zdt", "-quick", "-kept"},
		"-kept and -rows exclude":                                   {"zdt", "-kept", "-rows", path("x.csv")},
		"no stored table of your data":                              {"block-smoo", "-kept", "-data", path("rows.csv")},
		"-seeds 0: allowed is 1 to 1000":                            {"zdt", "-seeds", "0"},
		"cannot resume from this; name a regular file":              {"zdt", "-rows", "-"},
		"-rows is empty":                                            {"zdt", "-rows", ""},
		"writes to the same place":                                  {"zdt", "-csv", path("x.csv"), "-markdown", path("x.csv")},
		`-width: unknown width "86mm" of a printed figure; avail`:   {"zdt", "-kept", "-width", "86mm", "-pdf", "-"},
		"-width 85mm: there is no picture output; add -svg or -pdf": {"zdt", "-kept", "-width", "85mm", "-json", "-"},
	} {
		out, said, status := invoke(t, "", append([]string{"experiment", "reproduce"}, args...)...)
		if status != 2 || out != "" || !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%v: status %d, %q", args, status, said)
		}
	}
}

// TestReproduceKept checks that stored tables are read without any computation.
func TestReproduceKept(t *testing.T) {
	out, said, status := invoke(t, "", "experiment", "reproduce", "zdt", "-kept")
	if status != 0 || !strings.Contains(said, "20 runs of each cell, from seed 1; all cells are computed") ||
		!strings.Contains(out, "5.87 − 5.72 = 0.15") {
		t.Errorf("status %d; %s", status, said)
	}
	out, said, status = invoke(t, "", "experiment", "reproduce", "syn", "-kept", "-quick", "-markdown", "-")
	if status != 0 || !strings.Contains(said, "21 runs of each cell") || !strings.Contains(out, "a smaller version (-quick) of") ||
		!strings.Contains(out, "not computed in this form of the experiment") {
		t.Errorf("status %d; %s", status, said)
	}
	const few = "3 runs of each cell, from seed 1, too few for narrow intervals (-seeds adds more); all cells are computed"
	if _, said, status = invoke(t, "", "experiment", "reproduce", "syn", "-kept"); status != 0 || !strings.Contains(said, few) {
		t.Errorf("status %d; %s", status, said)
	}
}

// TestReproducePrinted checks that printed pictures have the requested width and name the command. If a sheet is taller
// than a page, a remark must say how to make the sheet fit.
func TestReproducePrinted(t *testing.T) {
	for _, c := range []struct{ name, width, points, said string }{
		{"fairness", "85mm", "240.945pt", ""},
		{"zdt", "170mm", "481.89pt", ""},
		{"zdt", "85mm", "240.945pt", "; -width 170mm puts the panels side by side\n"},
		{"syn", "170mm", "481.89pt", " mm high, but an A4 page has 297 mm; -markdown FILE writes the same lines as text\n"},
	} {
		out, said, status := invoke(t, "", "experiment", "reproduce", c.name, "-kept", "-width", c.width, "-svg", "-")
		if status != 0 || !strings.Contains(out, `<svg width="`+c.points+`"`) ||
			!strings.Contains(out, "<desc>paretoplay experiment reproduce "+c.name+" -kept</desc>") {
			t.Errorf("%s, %s: status %d, %.300s", c.name, c.width, status, out)
		}
		_, after, _ := strings.Cut(said, "nothing is left to do\n")
		if (c.said == "") != (after == "") || !strings.HasSuffix(after, c.said) {
			t.Errorf("%s, %s: %q", c.name, c.width, after)
		}
	}
}

// TestReproduceHelp checks that the help names every experiment and states the rule for verdicts, and that each
// experiment has published figures.
func TestReproduceHelp(t *testing.T) {
	out, _, status := invoke(t, "", "experiment", "reproduce", "-h")
	if status != 0 || !strings.Contains(out, "Usage of paretoplay experiment reproduce NAME") || !strings.Contains(out, claims.JudgedBy[:60]) {
		t.Errorf("status %d: %s", status, out)
	}
	for _, e := range Experiments {
		if !strings.Contains(out, "\n  "+e.Name+" ") {
			t.Errorf("the help does not name %s", e.Name)
		}
		if err := claims.CanReproduce(e.Name); err != nil {
			t.Error(err)
		}
	}
}
