package command

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
)

// TestCSVLocale checks that every command with CSV output can write decimal commas, and that our commands can read the
// result.
func TestCSVLocale(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	read := func(name string) string {
		text, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	run := []string{"run", "-scene", "toy", "-steps", "3", "-set", "method=mgda"}
	trials := []string{"run", "-scene", "toy", "-steps", "3", "-try", "eta=0.5,1"}
	grid := []string{"experiment", "fonseca-noise", "-quick", "-jobs", "1"}
	for name, args := range map[string][]string{
		"run": run, "try": trials, "experiment": grid, "compare": {"compare", "-scene", "fonseca", "-method", "mgda", "-seeds", "2"},
		"replay": {"replay", shippedLog("digits-two")},
	} {
		succeeds(t, "", append(args, "-csv", at(name+"-point"))...)
		succeeds(t, "", append(args, "-csvlocale", "comma", "-csv", at(name+"-comma"))...)
		point, comma := read(name+"-point"), read(name+"-comma")
		if want, err := data.WithCommas([]byte(point)); err != nil || comma != string(want) || !strings.Contains(comma, ",") {
			t.Errorf("%s: error %v\n%.300s\n%.300s", name, err, point, comma)
		}
	}
	// The option -data can read the file of the whole run, because two columns of the file are the points.
	point, pointText, _ := invoke(t, "", "hypervolume", "-data", at("run-point"), "-columns", "f1,f2", "-reference", "9,9")
	comma, commaText, _ := invoke(t, "", "hypervolume", "-data", at("run-comma"), "-columns", "f1,f2", "-reference", "9,9")
	if !strings.Contains(point, `"hypervolume":`) || comma != point {
		t.Errorf("with points %s%s, with commas %s%s", point, pointText, comma, commaText)
	}
	// Shards and a truncated file for -resume may have either decimal mark.
	whole := read("experiment-point")
	lines := strings.SplitAfter(read("experiment-comma"), "\n")
	if err := os.WriteFile(at("begun"), []byte(strings.Join(lines[:len(lines)/2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "", append(grid, "-resume", "-csvlocale", "comma", "-csv", at("begun"))...)
	if got := read("begun"); got != read("experiment-comma") {
		t.Errorf("gone on from with commas: %s", got)
	}
	succeeds(t, "", append(grid, "-resume", "-csv", at("begun"))...)
	if got := read("begun"); got != whole {
		t.Errorf("gone on from with points: %s", got)
	}
	succeeds(t, "", append(grid, "-shard", "0/2", "-csvlocale", "comma", "-csv", at("0"))...)
	succeeds(t, "", append(grid, "-shard", "1/2", "-csv", at("1"))...)
	if shard := read("0"); !strings.HasPrefix(shard, shardMark) || !strings.Contains(shard, "\nmethod;R;") {
		t.Errorf("a shard with commas is %.300s", shard)
	}
	if _, text, status := invoke(t, "", "merge", at("0"), at("1"), "-csv", at("all")); status != 0 {
		t.Errorf("merged of both forms: %s", text)
	}
	if read("all") != whole {
		t.Errorf("merged of both forms: %s", read("all"))
	}
	for want, args := range map[string][]string{
		"allowed is point or comma":           append(run, "-csvlocale", "german", "-csv", at("x")),
		"there is no CSV output; add -csv":    append(run, "-csvlocale", "comma", "-json", at("x")),
		"flag provided but not defined: -csv": {"weigh", "-csvlocale", "comma"},
	} {
		if out, text, status := invoke(t, "", args...); status != 2 || !strings.Contains(text, want) || out != "" {
			t.Errorf("%v: status %d, %q, %q", args, status, text, out)
		}
	}
}

// TestRealsHavePoints checks that reals in a scene's CSV always have a decimal point. Some programs otherwise conclude
// from the first cells that a column holds integers.
func TestRealsHavePoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	for scene, options := range map[string][]string{
		"toy": nil, "federated": {"-steps", "3"}, "regression": {"-steps", "5"}, "fairness": {"-steps", "2"}, "bilevel": {"-steps", "5"},
		"blocks": {"-steps", "5"}, "ordering": {"-steps", "40"}, "clusters": {"-steps", "4"}, "lab": nil, "transport": nil,
	} {
		succeeds(t, "", append([]string{"run", "-scene", scene, "-csv", path}, options...)...)
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := data.ReadCSV(file)
		file.Close()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %d rows, %v", scene, len(rows), err)
		}
		for j, name := range rows[0] {
			whole, real := "", ""
			for _, row := range rows[1:] {
				switch v, err := data.Decimal(row[j]); {
				case err != nil || row[j] == "":
				case strings.ContainsAny(row[j], ".e"):
					real = row[j]
				case v == math.Trunc(v):
					whole = row[j]
				}
			}
			if whole != "" && real != "" {
				t.Errorf("%s: column %s holds %s and %s", scene, name, whole, real)
			}
			if whole != "" && (strings.HasPrefix(name, "f") || strings.HasPrefix(name, "x") || strings.HasPrefix(name, "weight")) {
				t.Errorf("%s: column %s holds %s", scene, name, whole)
			}
		}
	}
}
