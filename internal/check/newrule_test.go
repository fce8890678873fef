package check

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/draw/drawtest"
)

// madeUp is an invented rule, written as CONTRIBUTING.md says, with its example.
var madeUp = map[string]string{
	"algo/weighting/unitmean.go": `package weighting

import (
	"math"

	"paretoplay/algo"
)

// UnitMean steps along
//
//	d = (1/m) Σ_i g_i/‖g_i‖
//
// the mean of the unit gradients; a zero gradient has weight 0.
type UnitMean struct{ memoryless }

var _ algo.Weighting = (*UnitMean)(nil)

// Needs says that the Gramian is enough.
func (u *UnitMean) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores the weights and the direction Gᵀλ. There is no inner problem, so the gap is NaN.
func (u *UnitMean) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, u.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	for i := range r.Weights {
		r.Weights[i] = 0
		if square := in.Gram[i*m+i]; square > 0 {
			r.Weights[i] = math.Ldexp(1/math.Sqrt(square)/float64(m), -in.Exponent)
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

var ruleUnitMean = Method{
	Name: "unitmean", Title: "Unit mean", Paper: "made up",
	Help:      "The mean of the gradients, each divided by its length.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true},
	configure: func(*scope) Constructor { return func(Context) (algo.Weighting, error) { return &UnitMean{}, nil } },
}
`,
	"algo/weighting/unitmean_test.go": `package weighting_test

import (
	"fmt"

	"paretoplay/algo/weighting"
)

// Both unit gradients have the same weight.
func ExampleUnitMean() {
	rule, err := weighting.New("unitmean", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.50 0.22], direction [0.05 0.22]
}
`,
}

// TestNewWeighting follows CONTRIBUTING.md in a temporary copy of the tree. A new rule consists of its file, a line in
// the list of weightings, and a line for its look. After make regen, the tests of all rules pass. The short form avoids
// steps that take minutes: it regenerates no files, and runs only tests that list methods.
func TestNewWeighting(t *testing.T) {
	tree := t.TempDir()
	copyTree(t, tree)
	for name, text := range madeUp {
		if err := os.WriteFile(filepath.Join(tree, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	addLine(t, filepath.Join(tree, "algo", "weighting", "methods.go"), "\truleExcessMTL,\n", "\truleUnitMean,\n")
	themes, err := filepath.Glob(filepath.Join(tree, "internal", "draw", "*", "theme.go"))
	if err != nil || len(themes) != 1 {
		t.Fatalf("looks are in %v, error %v", themes, err)
	}
	free := strings.Split(drawtest.FreeLooks(t, "unitmean"), "\n")
	if len(free) < 2 {
		t.Fatalf("no unused look is left: %q", free)
	}
	addLine(t, themes[0], "\t{\"psmgd\", blue, Circle, solid},\n", free[1]+"\n")

	if testing.Short() {
		run(t, tree, "go", "test", "-short", "-vet=off", "-run", "Method|Source|Looks|Example|TestAll|Absent|Gramian",
			"./algo/weighting", "./internal/draw/...", "./internal/engine/runs/...", "./scenes/toymap")
		return
	}
	run(t, tree, "make", "regen")
	run(t, tree, "go", "test", "-vet=off", "./algo/weighting", "./algo/descent", "./algo/ordering", "./algo/runlog", "./internal/draw/...",
		"./internal/engine/data", "./internal/engine/analysis", "./internal/engine/runs/...")
	run(t, tree, "go", "test", "-vet=off", "-run", "Bits|Catalog|TestAll|TestAbsent|TestScene$|TestMethods|Readme|Document", "./scenes",
		"./internal/engine/session", "./scenes/toymap", "./scenes/fonseca", "./scenes/ownproblem", "./scenes/gradientlab",
		"./scenes/sampleorder", "./scenes/traininglog", "./internal/check")
}

// copyTree copies the module's tree, without hidden folders and build output.
func copyTree(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == "dist"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// addLine adds a line after another one.
func addLine(t *testing.T, file, after, line string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), after)
	if !found {
		t.Fatalf("%s has no line %q", file, after)
	}
	if err := os.WriteFile(file, []byte(before+after+line+rest), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder. The test fails if the command does.
func run(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
