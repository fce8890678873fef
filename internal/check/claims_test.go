package check

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/docs"
	"paretoplay/internal/command"
	"paretoplay/internal/study/claims"
)

// claimRows returns the papers' claims with their verdicts from -quick.
func claimRows(t *testing.T) []string {
	rows, err := claims.Test(claims.Options{Kept: docs.Tables, Quick: true, Jobs: 1, SeedBase: claims.UsualSeedBase})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := claims.WriteMarkdown(&table, rows); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")
}

// TestClaimChecks: the commands that support a claim work. Runs succeed, and experiments, tests and benchmarks exist.
// The claims' own tests check their links.
func TestClaimChecks(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, c := range claims.All() {
		words := strings.Fields(c.Check)
		switch {
		case c.Check == "", strings.HasPrefix(c.Check, "#"):
			continue
		case slices.Equal(words[:2], []string{"paretoplay", "run"}):
			var out, complaint bytes.Buffer
			if status := program().Run(words[1:], strings.NewReader(""), &out, &complaint); status != 0 || out.Len() == 0 {
				t.Errorf("%s: status %d, %s", c.Check, status, complaint.String())
			}
		case slices.Equal(words[:2], []string{"paretoplay", "experiment"}):
			if _, err := command.FindExperiment(words[2]); err != nil || len(words) > 3 {
				t.Errorf("%s: %v, %d words", c.Check, err, len(words))
			}
		case slices.Equal(words[:2], []string{"paretoplay", "claims"}):
			if _, err := claims.Find(words[2]); err != nil || !slices.Equal(words[3:], []string{"-quick"}) {
				t.Errorf("%s: %v", c.Check, err)
			}
		case slices.Equal(words[:2], []string{"go", "test"}):
			kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[words[len(words)-2]]
			name := regexp.MustCompile(`func (` + kind + `\w*)\(`)
			found := false
			files, err := filepath.Glob(filepath.Join(words[2], "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range name.FindAllStringSubmatch(string(data), -1) {
					found = found || strings.Contains(f[1], words[len(words)-1])
				}
			}
			if !found {
				t.Errorf("%s: no test, benchmark or experiment has that name", c.Check)
			}
		default:
			t.Errorf("%s: unknown kind of check", c.Check)
		}
		tried++
	}
	if tried < 10 {
		t.Errorf("only %d commands were found", tried)
	}
}

// TestClaimsCommand: an invalid command line causes a one-line error.
func TestClaimsCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-jobs", "0"}, "-jobs 0: allowed is 1 to 1024"},
		{[]string{"-seedbase", "-1"}, "-seedbase -1: allowed is 0 to 1000000000"},
		{[]string{"few-entries", "-seedbase", "1000000001"}, "-seedbase 1000000001: allowed is 0 to 1000000000"},
		{[]string{"-slow"}, "flag provided but not defined: -slow"},
		{[]string{"psmgd"}, `unknown claim "psmgd"; available: fixed-weights `},
		{[]string{"momentum", "dual"}, `unexpected argument "dual"`},
		{[]string{"-json", "-", "-markdown", "-"}, "writes to the same place"},
		{[]string{"-quick", "-quick"}, "given twice"},
		{[]string{"-json", ""}, "-json is empty"},
	} {
		var out, complaint bytes.Buffer
		status := program().Run(append([]string{"claims"}, c.args...), strings.NewReader(""), &out, &complaint)
		if said := complaint.String(); status != 2 || out.Len() > 0 || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.says) {
			t.Errorf("%q: status %d, output %q, %s", c.args, status, out.String(), said)
		}
	}
}

// TestPartialStepWords: docs/findings.md states the number of multiplications that a partial step takes according to
// the formulas, for a problem of the benchmark's size.
func TestPartialStepWords(t *testing.T) {
	t.Parallel()
	data, _, err := problem.RandomRegression(problem.RegressionConfig{Train: 512, Test: 1, Features: 400, Responses: 5, TrueRank: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: 3, KeepProduct: true})
	if err != nil {
		t.Fatal(err)
	}
	const batch, u, all = 512, 400 * 3, 405 * 3
	share := func(lo, hi int, kept bool) float64 {
		return float64(p.Work(batch, 0, lo, hi, kept)) / float64(p.WeightedWork(batch, 0, all, false))
	}
	words := strings.Join(strings.Fields(documentText(t, "docs/findings.md")), " ")
	for _, want := range []string{
		fmt.Sprintf("on U or on V, takes %.2f of the multiplications", share(0, u, false)),
		fmt.Sprintf("the second and later ones take %.4f and", share(u, all, true)),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("docs/findings.md does not contain %q", want)
		}
	}
}
