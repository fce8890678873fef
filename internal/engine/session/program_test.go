package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/code"
	"paretoplay/scenes"
)

// programmed is a run to write as a program: its method, its number of steps, and its other settings.
type programmed struct {
	scene, method string
	steps         int
	values        map[string]string
}

// open opens the run in a session and advances it to its end.
func (c programmed) open(t *testing.T) *Session {
	t.Helper()
	s, err := New(scenes.All, c.scene)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range c.values {
		if err := s.scene.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range [][2]string{{"method", c.method}, {"budget", strconv.Itoa(c.steps)}} {
		if err := s.scene.Params().Assign(v[0], v[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.restart(nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	s.timeline().SetMarker(s.timeline().Latest())
	return s
}

// program returns the run as a program in the given language.
func (c programmed) program(t *testing.T, s *Session, language string) string {
	t.Helper()
	file, err := s.Files().Program(language, "")
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	return string(file.Data)
}

// smoothMethods returns the methods that a scene offers.
func smoothMethods(t *testing.T, scene string) (names []string) {
	t.Helper()
	s, err := New(scenes.All, scene)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := s.scene.Params().Lookup("method")
	for _, o := range d.Options {
		if o.Disabled == "" {
			names = append(names, o.Value)
		}
	}
	return names
}

// TestProgramsInGo checks that programs compile and repeat their runs to the last bit. It covers every method of fonseca,
// toy and yours, and settings that give different programs. All programs are linked into one binary, which receives the
// number of the program to run. With -short, the test covers only every fourth method of toy and yours, because their
// programs name methods as fonseca's do.
func TestProgramsInGo(t *testing.T) {
	t.Parallel()
	var cases []programmed
	for _, m := range smoothMethods(t, "fonseca") {
		cases = append(cases, programmed{"fonseca", m, 60, map[string]string{"sigma": "0.05", "starts": "3", "R": "3"}})
	}
	for i, m := range smoothMethods(t, "toy") {
		if testing.Short() && i%4 > 0 {
			continue
		}
		cases = append(cases, programmed{"toy", m, 400, map[string]string{"scale": "0.1"}})
	}
	cases = append(cases,
		programmed{"fonseca", "psmgd", 50,
			map[string]string{"psmgd.weighting": "cagrad", "cagrad.c": "0.7", "momentum": "0.5", "problem": "quadratic"}},
		programmed{"fonseca", "psmgd", 50,
			map[string]string{"etaschedule": "theorem35", "momentumschedule": "theorem35", "d": "5", "seed": "7"}},
		programmed{"fonseca", "mgda", 50,
			map[string]string{"etaschedule": "theorem37", "optimizer": "heavyball", "clip": "0.2", "mgda.normalize": "l2"}},
		programmed{"fonseca", "ls", 50, map[string]string{"ls.weights": "given", "ls.lambda": "0.3", "etaschedule": "asprinted"}},
		programmed{"fonseca", "mgda", 200, map[string]string{"stop": "0.05"}},
		programmed{"fonseca", "epo", 50, map[string]string{"epo.preference": "0.3"}},
		programmed{"fonseca", "moosvgd", 60, map[string]string{"stop": "0.2", "moosvgd.repulsion": "0.1", "optimizer": "adam"}},
	)
	for i, m := range smoothMethods(t, "yours") {
		if testing.Short() && i%4 > 0 {
			continue
		}
		values := map[string]string{"starts": "3", "f1": "(x-1)^2 + (y+0.5)^2 + 0.5", "f2": "(x+1)^2 + (y-0.5)^2 + 0.5"}
		switch i % 3 {
		case 1:
			values["box"] = "-1.5, 1"
		case 2:
			values["f3"], values["define"] = "a*(x + y)^2 + exp(-y)", "a = 0.25"
		}
		cases = append(cases, programmed{"yours", m, 40, values})
	}
	module := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(module, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", fmt.Sprintf("module mine\n\ngo 1.26\n\nrequire paretoplay v0.0.0\n\nreplace paretoplay => %s\n", root))
	write("go.sum", string(sums))
	var imports, calls strings.Builder
	sessions := make([]*Session, len(cases))
	for i, c := range cases {
		sessions[i] = c.open(t)
		text := c.program(t, sessions[i], "go")
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%v: not as gofmt writes it: %v\n%s", c, err, text)
		}
		if n := strings.Count(text, "\n"); n > 60 {
			t.Errorf("%v: the program has %d lines", c, n)
		}
		name := fmt.Sprintf("run%d", i)
		write(name+"/main.go", strings.NewReplacer("package main", "package "+name, "func main()", "func Main()").Replace(text))
		fmt.Fprintf(&imports, "\t%q\n", "mine/"+name)
		fmt.Fprintf(&calls, "\tcase %q:\n\t\t%s.Main()\n", strconv.Itoa(i), name)
	}
	write("main.go", "package main\n\nimport (\n\t\"os\"\n"+imports.String()+
		")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+calls.String()+"\t}\n}\n")
	binary := filepath.Join(module, "all")
	build := exec.Command("go", "build", "-mod=mod", "-o", binary, ".")
	build.Dir, build.Env = module, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i, c := range cases {
		out, err := exec.Command(binary, strconv.Itoa(i)).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", c, err, out)
		}
		var want strings.Builder
		for j, track := range sessions[i].timeline().Tracks() {
			row, err := sessions[i].timeline().At(track.Run, track.Last())
			if err != nil {
				t.Fatal(err)
			}
			row = track.Of(row)
			fmt.Fprintln(&want, "start", j+1, "k", row.K, "x", row.X, "f", row.F)
		}
		if string(out) != want.String() {
			t.Errorf("%v: the program ends\n%swant\n%s", c, out, want.String())
		}
	}
}

// python runs a program and returns its paths.
func python(t *testing.T, interpreter, program string) (paths [][][]float64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.py")
	program += "\nimport json\nprint(json.dumps([np.asarray(path).tolist() for path in paths]))\n"
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(interpreter, file).Output()
	if err != nil {
		if exit, is := err.(*exec.ExitError); is {
			t.Fatalf("%v: %s\n%s", err, exit.Stderr, program)
		}
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &paths); err != nil {
		t.Fatalf("%v: %s", err, lines[len(lines)-1])
	}
	return paths
}

// numpy returns a Python interpreter with numpy, or skips the test.
func numpy(t *testing.T) string {
	t.Helper()
	var said []byte
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		out, err := exec.Command(name, "-c", "import numpy").CombinedOutput()
		if err == nil {
			return name
		}
		said = append(said, out...)
	}
	t.Skipf("there is no python3 with numpy: %s", said)
	return ""
}

// plainPython lists the methods of smooth problems whose programs need only numpy. Other programs use TorchJD;
// internal/engine/code/test_programs.py runs them.
var plainPython = []string{"psmgd", "crmogm", "ls", "mgda", "pcgrad", "cagrad", "imtlg", "upgrad"}

// TestProgramsInPython checks that the program of every method with a template repeats its run to within 1e-9 of the
// iterates' size. The runs have no noise.
func TestProgramsInPython(t *testing.T) {
	t.Parallel()
	interpreter := numpy(t)
	var cases []programmed
	for _, scene := range []string{"fonseca", "toy"} {
		for _, m := range smoothMethods(t, scene) {
			if slices.Contains(plainPython, m) {
				cases = append(cases, programmed{scene, m, 200, map[string]string{"starts": "3"}})
			}
		}
	}
	cases = append(cases,
		programmed{"fonseca", "psmgd", 50,
			map[string]string{"psmgd.weighting": "cagrad", "cagrad.c": "0.7", "momentum": "0.5", "problem": "quadratic"}},
		programmed{"fonseca", "psmgd", 50,
			map[string]string{"etaschedule": "theorem35", "momentumschedule": "theorem35", "d": "5", "seed": "7"}},
		programmed{"fonseca", "psmgd", 50, map[string]string{"etaschedule": "theorem36", "momentumschedule": "theorem37", "R": "1"}},
		programmed{"fonseca", "mgda", 50,
			map[string]string{"etaschedule": "theorem37", "optimizer": "heavyball", "clip": "0.2", "mgda.normalize": "l2"}},
		programmed{"fonseca", "mgda", 50, map[string]string{"mgda.normalize": "loss+", "problem": "quadratic"}},
		programmed{"fonseca", "ls", 50, map[string]string{"ls.weights": "given", "ls.lambda": "0.3", "etaschedule": "asprinted"}},
		programmed{"fonseca", "mgda", 200, map[string]string{"stop": "0.05"}},
		programmed{"fonseca", "pcgrad", 50, map[string]string{"pcgrad.reduction": "mean"}},
		programmed{"fonseca", "upgrad", 50, map[string]string{"upgrad.regularization": "0.01"}},
		programmed{"fonseca", "cagrad", 50, map[string]string{"cagrad.rescale": "lin"}},
		programmed{"toy", "cagrad", 50, map[string]string{"cagrad.rescale": "none", "cagrad.c": "0"}},
		programmed{"yours", "mgda", 60, nil},
		programmed{"yours", "psmgd", 60, map[string]string{"R": "3", "momentum": "0.4", "starts": "3",
			"f1": "g*tanh(x1)^2 + sum(i, 1, n, i*x[i]^2/n)",
			"f2": "max(x1, -x2) + abs(x3 - 1)^1.5 + softplus(-x2) - -x1^2", "define": "a = 0.5\ng = 1 + a*exp(-x2^2)"}},
		programmed{"yours", "cagrad", 40, map[string]string{"f1": "log(1 + (x1-1)**2) + sigmoid(x2)", "optimizer": "adam",
			"f2": "sqrt(2 + min(x1, x2)^2) + sum(i, 1, 2, sum(j, i, 2, x[i]*x[j]))/4 + x2^2"}},
		programmed{"bilevel", "forum", 100, nil},
		programmed{"bilevel", "forum", 60,
			map[string]string{"multiplier": "exact", "betaschedule": "sqrt", "warm": "false", "startset": "random"}},
		programmed{"bilevel", "forum", 60, map[string]string{"rho": "0.9", "betaschedule": "none", "muomega": "0.1", "T": "4"}},
		programmed{"blocks", "blocksmoo", 200, nil},
		programmed{"blocks", "blocksmoo", 100,
			map[string]string{"order": "cyclic", "blockorder": "listed", "update": "jacobi", "q": "3", "m": "2,1,3"}},
		programmed{"blocks", "blocksmoo", 100, map[string]string{"partition": "one", "order": "contiguous"}},
		programmed{"ordering", "jogba", 400, nil},
		programmed{"ordering", "jogba", 200, map[string]string{"centring": "perobjective", "M": "3", "K": "20", "d": "4", "schedule": "invsqrt",
			"first": "given"}},
		programmed{"clusters", "most", 40, map[string]string{"tau": "0"}},
		programmed{"clusters", "most-noreg", 20,
			map[string]string{"basin": "well", "scale": "columncount", "K": "2", "m": "4", "n": "12", "k": "3"}},
		programmed{"clusters", "most-o", 40, nil},
		programmed{"clusters", "most-m", 30, map[string]string{"scale": "raw"}},
	)
	for _, c := range cases {
		s := c.open(t)
		text := c.program(t, s, "python")
		if n := strings.Count(text, "\n"); n > 95 {
			t.Errorf("%v: the program has %d lines", c, n)
		}
		paths := python(t, interpreter, text)
		tracks := s.timeline().Tracks()
		if len(paths) != len(tracks) {
			t.Errorf("%v: %d runs, want %d", c, len(paths), len(tracks))
			continue
		}
		compared, worst := 0, 0.
		for i, track := range tracks {
			for k, x := range paths[i] {
				row, err := s.timeline().At(track.Run, k)
				if err != nil {
					t.Fatalf("%v: %v", c, err)
				}
				for j, v := range track.Of(row).X {
					compared++
					worst = max(worst, math.Abs(v-x[j])/max(1, math.Abs(v)))
				}
			}
			if got := len(paths[i]) - 1; got != track.Last() && !(track.Status().String() == "no-solution" && got == track.Last()-1) {
				t.Errorf("%v: start %d ends at iteration %d, want %d", c, i+1, got, track.Last())
			}
		}
		if !(worst <= 1e-9) || compared < 100 {
			t.Errorf("%v: off by %.2g at most, of %d numbers\n%s", c, worst, compared, text)
		}
	}
	noisy := programmed{"fonseca", "mgda", 20, map[string]string{"sigma": "0.1"}}
	text := noisy.program(t, noisy.open(t), "python")
	if !strings.Contains(text, "numpy draws other random numbers") || len(python(t, interpreter, text)) != 10 {
		t.Errorf("a run with noise is written as\n%s", text)
	}
}

// TestProgramsNameLibraries checks that every method's program on a smooth problem uses TorchJD and gives the method's
// names in TorchJD and LibMTL. If a method has no program, a sentence must name the libraries that have the method.
func TestProgramsNameLibraries(t *testing.T) {
	t.Parallel()
	const repository = ", in LibMTL’s repository (not its package) "
	names := map[string]string{
		"psmgd":      "MGDAWeighting, in LibMTL MGDA,",
		"mgda":       "MGDAWeighting, in LibMTL MGDA,",
		"crmogm":     "CRMOGMWeighting; LibMTL does not",
		"ls":         "ConstantWeighting, in LibMTL EW,",
		"rlw":        "RandomWeighting, in LibMTL RLW,",
		"dwa":        "DWA, in LibMTL DWA,",
		"uw":         "UW, in LibMTL UW,",
		"pcgrad":     "PCGradWeighting, in LibMTL PCGrad,",
		"gradvac":    "GradVacWeighting, in LibMTL GradVac,",
		"graddrop":   "GradDrop, in LibMTL GradDrop,",
		"cagrad":     "CAGradWeighting, in LibMTL CAGrad,",
		"imtlg":      "IMTLGWeighting, in LibMTL IMTL,",
		"gls":        "GeometricMean, in LibMTL GLS,",
		"nashmtl":    "NashMTL" + repository + "Nash_MTL,",
		"famo":       "FAMO" + repository + "FAMO,",
		"fairgrad":   "FairGradWeighting" + repository + "FairGrad,",
		"sdmgrad":    "SDMGradWeighting" + repository + "SDMGrad,",
		"modo":       "MoDoWeighting" + repository + "MoDo,",
		"upgrad":     "UPGradWeighting" + repository + "UPGrad,",
		"stch":       "STCH" + repository + "STCH,",
		"excessmtl":  "ExcessMTLWeighting" + repository + "ExcessMTL,",
		"alignedmtl": "AlignedMTLWeighting; LibMTL’s version does not run with PyTorch 2.",
		"config":     "ConFIG; LibMTL does not",
		"dualproj":   "DualProjWeighting; LibMTL does not",
	}
	without := map[string]string{
		"moco": "LibMTL’s repository (not its package) has this method.", "dbmtl": "LibMTL’s repository (not its package) has this method.",
		"gradnorm": "; LibMTL has this method.", "epo": "; LibMOON has this method.", "moosvgd": "; LibMOON has this method.",
		"si": "we know of no library with this method.", "epsilon": "we know of no library with this method.",
	}
	for _, m := range smoothMethods(t, "fonseca") {
		c := programmed{"fonseca", m, 2, map[string]string{"starts": "1"}}
		s := c.open(t)
		if want, none := without[m]; none {
			if _, err := s.Files().Program("python", ""); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", m, err, want)
			}
			continue
		}
		text := c.program(t, s, "python")
		asks := strings.Contains(text, "from torchjd.")
		if names[m] == "" || !asks || !strings.Contains(text, "\n# In TorchJD 0.18 it is "+names[m]) {
			t.Errorf("%s, want %q:\n%s", m, names[m], text)
		}
		if plain := strings.Contains(text, "weights_of_torchjd"); plain != slices.Contains(plainPython, m) {
			t.Errorf("%s: got separate lines %v", m, plain)
		}
	}
	for _, scene := range []struct{ scene, method, want string }{
		{"network", "famo", "TorchJD and LibMTL’s repository (not its package) have this method."},
		{"network", "mgda", "TorchJD and LibMTL have this method."},
		{"bilevel", "moml", "LibMTL’s repository (not its package) has this method, but only for task weights."},
		{"bilevel", "moco", "There is no program, and we know of no library with this form of the method."},
	} {
		if got := code.Instead(scene.scene, scene.method); !strings.HasSuffix(got, scene.want) {
			t.Errorf("%s in %s: %q", scene.method, scene.scene, got)
		}
	}
}

// TestProgramsRefuse checks that no program is written for a run that it could not repeat, and that the error gives the
// reason.
func TestProgramsRefuse(t *testing.T) {
	t.Parallel()
	refused := func(s *Session, language, method, want string) {
		t.Helper()
		if _, err := s.Files().Program(language, method); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s of %q: %v, want %q", language, method, err, want)
		}
	}
	s := programmed{"fonseca", "psmgd,famo,moco", 40, nil}.open(t)
	refused(s, "python", "moco", "LibMTL’s repository (not its package) has this method")
	refused(s, "go", "mgda", "available: psmgd famo moco")
	refused(s, "perl", "psmgd", "go python")
	for rule, want := range map[string]string{"gradnorm": "LibMTL has this method", "config": "a direction, but no weights to keep"} {
		if err := s.scene.Params().Assign("psmgd.weighting", rule); err != nil {
			t.Fatal(err)
		}
		refused(s, "python", "psmgd", want)
	}
	for _, c := range []struct {
		scene, method, name, value, want string
	}{
		{"bilevel", "forum", "upperoptimizer", "adam", "supports only upperoptimizer = plain; its value is adam"},
		{"fonseca", "stch", "stch.log", "true", "supports only stch.log = false"},
		{"fonseca", "sdmgrad", "sdmgrad.stochastic", "true", "supports only sdmgrad.stochastic = false"},
		{"yours", "mgda", "f3", "x^2", "only two objectives"},
		{"yours", "mgda", "box", "-2, 2", "does not support bounds"},
		{"bilevel", "forum", "F1", "(w1-1)^2 + (w2-a1)^4", "your own formulas"},
		{"blocks", "blocksmoo", "schedule", "safe", "supports only schedule = constant"},
		{"ordering", "jogba", "sign", "selfbalancing", "supports only sign = greedy"},
		{"ordering", "jogba", "sign", "innerproduct", "supports only sign = greedy"},
		{"bilevel", "forum", "variant", "released", "supports only variant = paper"},
		{"ordering", "jogba", "weighting", "mgda", "supports only weighting = ls"},
		{"ordering", "jogba", "problem", "diagonal", "least squares"},
		{"clusters", "most", "tau", "0.1", "supports only tau = 0"},
		{"clusters", "most-noreg", "solver", "ipot", "supports only solver = exact"},
	} {
		refused(programmed{c.scene, c.method, 3, map[string]string{c.name: c.value}}.open(t), "python", c.method, c.want)
	}
	refused(programmed{"blocks", "blocksmoo", 6000, nil}.open(t), "python", "blocksmoo", "at most 5000 random turns")
	lab, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	refused(lab, "go", "", "the scene lab has no runs")

	changed, err := New(scenes.All, "fonseca")
	if err != nil {
		t.Fatal(err)
	}
	settle(t, changed)
	do(t, changed, "step", `{"n":10}`)
	do(t, changed, "set", `{"name":"eta","value":0.05}`)
	do(t, changed, "step", `{"n":5}`)
	refused(changed, "go", "", "eta became 0.05 at iteration 10")
	do(t, changed, "seek", `{"k":10}`)
	file, err := changed.Files().Program("go", "")
	if err != nil || !strings.Contains(string(file.Data), "StepSize: 0.3,") || !strings.Contains(string(file.Data), "for range 10") {
		t.Errorf("before the change: %v\n%s", err, file.Data)
	}
	if got := changed.scene.Params().Text("eta"); got != "0.05" {
		t.Errorf("writing a program has set eta to %s", got)
	}
}
