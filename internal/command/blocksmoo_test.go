package command

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHeadlessBlockSMOO checks that the experiment reads a user's table according to the settings and resumes from its
// own file. Errors must name the cause.
func TestHeadlessBlockSMOO(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	var b strings.Builder
	b.WriteString("No;hour;temp;wind;PM2.5;PM10\n")
	for i := range 30 {
		x := math.Sin(float64(i))
		fmt.Fprintf(&b, "%d;%d;%.3f;%s;%.3f;%.3f\n", i, i%24, x, []string{"N", "S"}[i%2], x+float64(i%3), x-float64(i%2))
	}
	write := func(name, text string) string {
		t.Helper()
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	file := write("table.csv", b.String())
	broken := write("broken.csv", strings.Replace(b.String(), "\n3;3;", "\n3;x;", 1))
	args := []string{"experiment", "block-smoo", "-quick", "-data", file, "-set", "responses=PM2.5,PM10", "-set", "without=No",
		"-set", "order=No", "-csv", path("out.csv"), "-resume"}
	const remark = `column "wind" has 2 different words, which become 1 column of 0 and 1`
	_, said, status := invoke(t, "", append(args, "-json", path("out.json"), "-svg", path("out.svg"))...)
	if status != 0 || !strings.Contains(said, remark) {
		t.Fatalf("status %d; it is said of the table: %s", status, said)
	}
	full, err := os.ReadFile(path("out.csv"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := os.ReadFile(path("out.json"))
	if err != nil || !strings.Contains(string(record), `"responses":["PM2.5","PM10"]`) || !strings.Contains(string(record), `"wind=S"`) {
		t.Errorf("%.300s, %v", record, err)
	}
	if _, said, status = invoke(t, "", args...); status != 0 || !strings.Contains(said, remark) {
		t.Errorf("status %d; it is said of the table: %s", status, said)
	}
	if again, err := os.ReadFile(path("out.csv")); err != nil || string(again) != string(full) {
		t.Errorf("a finished file changes, error %v", err)
	}
	for want, more := range map[string][]string{
		"-data: line 5, column 2":  {"-data", broken, "-set", "responses=PM2.5,PM10"},
		"-set responses = none":    {"-data", file},
		"unknown column":           {"-data", file, "-set", "responses=PM2.5,pm10"},
		"-set rank=9":              {"-data", file, "-set", "responses=PM2.5,PM10", "-set", "rank=9"},
		"available: responses":     {"-data", file, "-set", "response=PM2.5,PM10"},
		"given twice":              {"-data", file, "-set", "order=No", "-set", "order=hour"},
		"the form name=value":      {"-data", file, "-set", "order"},
		"file of -data":            {"-set", "responses=PM2.5,PM10"},
		"not a cell of this table": {"-data", file, "-set", "responses=PM10,PM2.5", "-csv", path("out.csv"), "-resume"},
	} {
		out, text, status := invoke(t, "", append([]string{"experiment", "block-smoo", "-quick"}, more...)...)
		if status != 2 || out != "" || strings.Count(text, "\n") != 1 || !strings.Contains(text, want) {
			t.Errorf("%v: status %d, stdout %.60q, stderr %q, want one line with %q", more, status, out, text, want)
		}
	}
	if _, text, status := invoke(t, "", "experiment", "syn", "-set", "responses=a"); status != 2 || !strings.Contains(text, "no settings") {
		t.Errorf("status %d, stderr %q", status, text)
	}
}
