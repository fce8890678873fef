package check

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fused matches a line of the compiler's output about a sum that fuses a product. The line gives the sum's positions,
// from the compiled function to the innermost inlined one.
var fused = regexp.MustCompile(`^fmahash triggered (.*) [01]+$`)

// fusings compiles packages of the module in dir for 64-bit Arm, whose instructions fuse the most, and returns the
// places where the compiler fuses. Each place is returned once, as the list of positions in the nested functions. For
// packages that are already built, the go command repeats the compiler's output.
func fusings(t *testing.T, dir, module string, packages ...string) (places [][]string) {
	t.Helper()
	command := exec.Command("go", append([]string{"build", "-trimpath", "-gcflags=" + module + "/...=-d=fmahash=vy"}, packages...)...)
	// Compiling for macOS, the most common system with a 64-bit Arm processor, also checks that everything builds
	// there.
	command.Env = append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off")
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		m := fused.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		chain := strings.Split(m[1], "; ")
		if innermost := chain[len(chain)-1]; !seen[innermost] {
			seen[innermost] = true
			places = append(places, chain)
		}
	}
	return places
}

// TestNothingFuses: no sum in our code fuses a product. A processor that fuses x*y+z rounds once where others round
// twice, and descent amplifies the last bit. The compiler reports every place, also across statements and through
// inlined functions. Three kinds of code are exempt: gonum/plot, whose positions affect no iterate; the page's programs,
// because WebAssembly cannot fuse; and examples, which look like readers' code.
func TestNothingFuses(t *testing.T) {
	const module, pictures = "paretoplay", "gonum.org/v1/plot@"
	for _, chain := range fusings(t, ".", module, "./...") {
		innermost := chain[len(chain)-1]
		if strings.HasPrefix(innermost, pictures) || strings.HasPrefix(chain[0], module+"/wasm/") ||
			strings.HasPrefix(chain[0], module+"/docs/examples/") {
			continue
		}
		place, through := strings.TrimPrefix(innermost, module+"/"), ""
		if len(chain) > 1 {
			through = ", as part of " + strings.ReplaceAll(strings.Join(chain[:len(chain)-1], ", "), module+"/", "")
		}
		t.Errorf("%s%s: some processors do not round the product in this sum; write float64(x*y) where the product is computed", place, through)
	}
}

// TestFusingsAreFound: a product is found if it is added directly, through a variable or through a function, but not if
// a conversion forces it to be rounded.
func TestFusingsAreFound(t *testing.T) {
	dir := t.TempDir()
	source := `package planted

func Added(x, y, z float64) float64 { return x*y + z } // here
func Converted(x, y, z float64) float64 { return float64(x*y) + z }
func Assigned(x, y, z float64) float64 {
	p := x * y
	z -= p // here
	return z
}
func product(x, y float32) float32 { return x * y }
func Returned(x, y, z float32) float32 { return z - product(x, y) } // here
func Halved(x, z float64) float64 { return x/2 + z } // here
func Far(x, y, z float64) float64 {
	p := float64(x * y)
	return z - p
}
`
	for name, text := range map[string]string{"go.mod": "module planted\n\ngo 1.26\n", "planted.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var want, got []string
	for i, line := range strings.Split(source, "\n") {
		if strings.HasSuffix(line, "// here") {
			want = append(want, fmt.Sprintf("planted/planted.go:%d", i+1))
		}
	}
	for _, chain := range fusings(t, dir, "planted", ".") {
		line, _, _ := strings.Cut(chain[0], ".go:")
		number, _, _ := strings.Cut(strings.TrimPrefix(chain[0], line+".go:"), ":")
		got = append(got, line+".go:"+number)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found %q, planted are %q", got, want)
	}
}

// roundsOtherwise lists functions whose results differ between processors. Some use assembly on one processor; others
// are compiled without conversions of their products.
var roundsOtherwise = map[string]*regexp.Regexp{
	"math": regexp.MustCompile(`^((A?sin|A?cos|A?tan|Sin|Cos|Tan)h?|Atan2|Sincos|Cbrt|Erfc?(inv)?|Exp2?|Expm1|Gamma|Lgamma|Hypot|` +
		`[JY][01n]|Log(10|1p|2)?|Pow)$`),
	// Elementwise operations and largest elements are the same everywhere.
	"gonum.org/v1/gonum/floats": regexp.MustCompile(`^(AddScaled(To)?|CumProd|CumSum|Distance|Dot|LogSpan|LogSumExp|Norm|NormSpan|Prod|` +
		`ProdErr|Span|Sum|SumCompensated)$`),
}

// draws lists methods of math/rand/v2 that round differently.
var draws = []string{"NormFloat64", "ExpFloat64"}

// roundingExempt lists, by file and function, the allowed uses of functions that round differently. These uses affect
// no iterate.
var roundingExempt = map[string]string{
	"internal/engine/experiment/estimate.go gonum.org/v1/gonum/mathext": "widths of intervals, which are written with few digits",
	"scenes/fronts/front.go math.Hypot":                                 "distances from the front, which stored links compare",
	"scenes/fairness/front.go math.Pow":                                 "samples of the front, with which stored links compare",
	"internal/study/orderinggrid/contests.go math.Pow":                  "a column of docs/ordering.csv keeps its digits",
}

// roundingRooms lists folders in which functions that round differently are forbidden. notRounding lists the exceptions
// below these folders.
var (
	roundingRooms = []string{"algo", "internal/draw", "internal/engine", "internal/study", "internal/teach", "scenes"}
	notRounding   = []string{"algo/algotest"}
)

// otherwise finds the places where a file's code rounds differently on another processor. For each place, it says what
// to write instead.
func otherwise(path string, source any) (complaints []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		return nil, err
	}
	const instead = "rounds otherwise on other processors; internal/portable has its like"
	imported := map[string]string{}
	for _, i := range file.Imports {
		from := strings.Trim(i.Path.Value, `"`)
		name := from[strings.LastIndex(from, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = from
		numeric := strings.HasPrefix(from, "gonum.org/v1/gonum/") && roundsOtherwise[from] == nil || from == "math/cmplx"
		if numeric && roundingExempt[path+" "+from] == "" {
			complaints = append(complaints, fmt.Sprintf("%s: %s %s", set.Position(i.Pos()), from, instead))
		}
	}
	// The largest element and the sum of absolute values in index order are the same on every processor.
	plain := map[*ast.SelectorExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Norm" && s.Sel.Name != "Distance" || len(call.Args) == 0 {
			return true
		}
		switch last := call.Args[len(call.Args)-1].(type) {
		case *ast.BasicLit:
			plain[s] = last.Value == "1"
		case *ast.CallExpr:
			inf, ok := last.Fun.(*ast.SelectorExpr)
			plain[s] = ok && inf.Sel.Name == "Inf"
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || plain[s] {
			return true
		}
		from, _ := s.X.(*ast.Ident)
		names := (*regexp.Regexp)(nil)
		if from != nil {
			names = roundsOtherwise[imported[from.Name]]
		}
		if names != nil && roundingExempt[path+" "+imported[from.Name]+"."+s.Sel.Name] != "" {
			return true
		}
		if names != nil && names.MatchString(s.Sel.Name) || slices.Contains(draws, s.Sel.Name) {
			complaints = append(complaints, fmt.Sprintf("%s: %s %s", set.Position(s.Pos()), s.Sel.Name, instead))
		}
		return true
	})
	return complaints, nil
}

// TestIteratesArePortable: no code between a seed and the display calls a function that rounds differently on another processor.
func TestIteratesArePortable(t *testing.T) {
	files := 0
	for _, room := range roundingRooms {
		err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
			name := filepath.ToSlash(path)
			switch {
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains(notRounding, name):
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			files++
			complaints, err := otherwise(name, nil)
			for _, c := range complaints {
				t.Error(c)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Errorf("only %d files were checked", files)
	}
}

// TestOtherwise: otherwise finds calls, function values and packages that round differently, but no functions that are
// the same everywhere.
func TestOtherwise(t *testing.T) {
	const source = `package planted
import (
	"math"
	"math/rand/v2"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat" // here
)
var f = math.Exp // here
func g(r *rand.Rand, v []float64) float64 {
	floats.AddScaled(v, 2, v) // here
	floats.Scale(2, v)
	_ = floats.Norm(v, 2) // here
	_ = floats.Norm(v, math.Inf(1)) + floats.Norm(v, 1)
	_ = mat.NewDense(1, 1, nil)
	return math.Sqrt(r.Float64()) + math.Floor(math.Abs(1)) + r.NormFloat64() // here
}
`
	complaints, err := otherwise("planted.go", source)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, line := range strings.Split(source, "\n") {
		if strings.HasSuffix(line, "// here") {
			want = append(want, fmt.Sprintf("planted.go:%d", i+1))
		}
	}
	for _, c := range complaints {
		got = append(got, strings.Join(strings.SplitN(c, ":", 3)[:2], ":"))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found %q, planted are %q", complaints, want)
	}
}
