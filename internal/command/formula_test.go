package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormula checks that the formula command validates formulas and evaluates them.
func TestFormula(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.txt")
	if err := os.WriteFile(file, []byte("f1 = (x1-1)^2 + a*x1*x2\r\nf2 = -x1^2\r\na = 3\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var got struct {
		N, P       int
		Objectives []struct {
			Name, Formula     string
			Value             *float64
			Gradient, Product []float64
		}
	}
	read := func(text string) {
		t.Helper()
		got.Objectives = nil
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
	}
	read(succeeds(t, "", "formula", file))
	if got.N != 2 || len(got.Objectives) != 2 || got.Objectives[0].Value != nil || got.Objectives[1].Formula != "-x1^2" {
		t.Errorf("%+v", got)
	}
	read(succeeds(t, "", "formula", "-at", "2,5", "-direction", "1,10", file))
	first := got.Objectives[0]
	if first.Name != "f1" || *first.Value != 31 || first.Gradient[0] != 17 || first.Gradient[1] != 6 ||
		first.Product[0] != 32 || first.Product[1] != 3 {
		t.Errorf("%+v", first)
	}
	read(succeeds(t, "x3", "formula", "-at", "1,2,3,4", "-"))
	if got.N != 4 || *got.Objectives[0].Value != 3 || got.Objectives[0].Product != nil {
		t.Errorf("%+v", got)
	}
	two := "F1 = w1*a1\nf = (w1-c*a1)^2\nc = 2"
	read(succeeds(t, two, "formula", "-at", "3,5", "-direction", "1,0", "-"))
	if o := got.Objectives; got.N != 1 || got.P != 1 || len(o) != 2 || o[0].Name != "F1" || *o[0].Value != 15 || o[1].Name != "f" ||
		*o[1].Value != 1 || o[1].Gradient[0] != 4 || o[1].Product[1] != -4 || o[1].Formula != "(w1-c*a1)^2" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{two, []string{"-at", "1", "-"}, "-at has 1 numbers; a point has 1 upper and 1 lower"},
		{"F1 = w1\nf = x1", []string{"-"}, "2:5: a variable a1 ... or w1"},
		{"F1 = w1\nf = a1/w1", []string{"-at", "1,0", "-"}, "2:1: f is not finite at this point: a1/w1"},
		{"x1 +", []string{"-"}, "1:5: a number, a variable"},
		{"x1\n1/2x1", []string{"-"}, "2:4: * or brackets"},
		{"log(x1)+x1", []string{"-at", "-1", "-"}, "1:1: f1 is not finite at this point: log(x1)"},
		{"x3", []string{"-at", "1,2", "-"}, "1:1: an index from 1 to 2"},
		{"x1", []string{"-at", "1,z", "-"}, "not a finite number"},
		{"x1", []string{"-direction", "1", "-"}, "-direction needs a point; add -at"},
		{"x1", []string{"-at", "1", "-direction", "1,2", "-"}, "-direction has 2"},
		{"x1", nil, "one file"},
		{"f1 = x1\nf2 = 1 + sum(i, 2, n, x[i])", []string{"-"},
			"2:20: an additional line such as n = 5: this formula uses n, the number of variables"},
		{"f1 = x\nf2 = y\ng1 = 6 - (y + 9*x)", []string{"-"},
			"3:1: an objective that uses g1; of a constraint g1 <= 0 add a penalty to one, as in f1 = ... + 100*max(g1, 0)^2"},
		{"f1 = x\nf2 = y\n6 - y <= 9*x", []string{"-"}, "3:7: no constraint: bound a variable"},
		{"", []string{"none.txt"}, "none.txt"},
		{strings.Repeat("\n", maxFormulas+1), []string{"-"}, "more than"},
		{"", []string{"-"}, "1:1: a formula"},
	} {
		out, text, status := invoke(t, c.stdin, append([]string{"formula"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(text, c.want) {
			t.Errorf("%q %v: status %d, %q, want %q", c.stdin, c.args, status, text, c.want)
		}
	}
}

// TestFormulasOfAScene checks that -set accepts formulas that contain =, commas and several lines. Errors give the place
// in the formula.
func TestFormulasOfAScene(t *testing.T) {
	const f, define = "max(w1,0.5)^2 + (w2-c*a1)^2", "c = 2\nd = 3"
	var got struct {
		Params map[string]any
		Runs   []struct{ Iterates []struct{ X []float64 } }
	}
	run := []string{"run", "-scene", "bilevel", "-set", "method=forum", "-set", "f=" + f, "-set", "define=" + define,
		"-steps", "3", "-json", "-"}
	if err := json.Unmarshal([]byte(succeeds(t, "", run...)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Params["f"] != f || got.Params["define"] != define || len(got.Runs) != 3 || len(got.Runs[0].Iterates) != 4 {
		t.Errorf("%v, %d runs", got.Params, len(got.Runs))
	}
	for setting, want := range map[string]string{
		"f=(w1": "f: 1:4: a closing bracket )", "F1=w1\nw2": "F1: the text has more than one line",
		"define=c = 1\nc = 2": "define: 2:1: another name: line 1 has c", "f=log(w1)": "f: 1:1: no value at start point 1, (0, 0, 3): log(w1)",
		"F2=" + strings.Repeat("w", 2001): "F2: the text has 2001 characters",
	} {
		out, text, status := invoke(t, "", "run", "-scene", "bilevel", "-set", setting)
		if status != 2 || out != "" || !strings.Contains(text, want) || strings.Count(text, "\n") != 1 || len(text) > 301 {
			t.Errorf("%.30q: status %d, %q, want %q", setting, status, text, want)
		}
	}
}

// TestFormulaWithoutDerivative checks points at which a derivative is not finite. The output must have the value and a
// null gradient, and a remark must give the reason.
func TestFormulaWithoutDerivative(t *testing.T) {
	const kursawe = "f1 = sum(i, 1, 2, -10*exp(-0.2*sqrt(x[i]^2 + x[i+1]^2)))\nf2 = sum(i, 1, 3, abs(x[i])^0.8 + 5*sin(x[i]^3))"
	const zdt = "f1 = x1\nf2 = g*(1 - sqrt(x1/g))\ng = 1 + 9/(n-1)*sum(i, 2, n, x[i])\nn = 3"
	const zdt3 = "f1 = x1\nf2 = g*(1 - sqrt(x1/g) - x1/g*sin(10*pi*x1))\ng = 1 + 9/(n-1)*sum(i, 2, n, x[i])\nn = 3"
	for _, c := range []struct {
		text, at string
		values   []float64
		smooth   []bool
		stderr   string
	}{
		{kursawe, "0,0,0", []float64{-20, 0}, []bool{false, false},
			"1:1: the gradient of f1 is not finite at this point: sqrt(x[i]^2 + x[i+1]^2)"},
		{zdt, "0,0,0", []float64{0, 1}, []bool{true, false}, "2:1: the gradient of f2 is not finite at this point: sqrt(x1/g)"},
		{zdt3, "0,0,0", []float64{0, 1}, []bool{true, false}, "2:1: the gradient of f2 is not finite at this point: sqrt(x1/g)"},
		{"abs(x1)^0.8", "0", []float64{0}, []bool{false}, "1:1: the gradient of f1 is not finite at this point: abs(x1)^0.8"},
		{"x1^x2", "-2,2", []float64{4}, []bool{false}, "1:1: the gradient of f1 is not finite at this point: x1^x2"},
		{"10^x", "3", []float64{1000}, []bool{true}, ""},
		{"a*x^2\na = 2\nb = 3", "3", []float64{18}, []bool{true}, "no objective uses b"},
	} {
		out, stderr, status := invoke(t, c.text, "formula", "-at", c.at, "-")
		var got struct {
			Objectives []struct {
				Value    float64
				Gradient []float64
			}
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 || len(got.Objectives) != len(c.values) {
			t.Errorf("%s: status %d, %s %s, %v", c.text, status, out, stderr, err)
			continue
		}
		for i, o := range got.Objectives {
			if o.Value != c.values[i] || (o.Gradient != nil) != c.smooth[i] {
				t.Errorf("%s: f%d is %v with gradient %v", c.text, i+1, o.Value, o.Gradient)
			}
		}
		if !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
			t.Errorf("%s: %q, want %q", c.text, stderr, c.stderr)
		}
	}
}

// TestFormulasOfAFile checks that errors give the line in the file of formulas.
func TestFormulasOfAFile(t *testing.T) {
	for text, want := range map[string]string{
		"# two\nf1 = x^2\nf2 = (x-1)^2 + +*y\n": "yours.txt: 3:17: a number, a variable",
		"f1 = x^2\n\nf2 = (x-1)^2\n\n  a = (\n": "yours.txt: 5:8: a number, a variable",
		"f1 = x\nf2 = y\ng1 = 6 - (y + 9*x)\nx in [0, 5]\ny in [0, 5]\n": "yours.txt: 3:1: an objective that uses g1; of a constraint g1 <= 0 " +
			"add a penalty to one",
		"f1 = x\nf2 = y\n6 <= y + 9*x\n":         "yours.txt: 3:3: no constraint",
		"f1 = x1\nf2 = 1 + sum(i, 2, n, x[i])\n": "yours.txt: 2:20: an additional line such as n = 5",
	} {
		_, stderr, status := invoke(t, "", "run", "-scene", "yours", "-data", tableFileOf(t, "yours.txt", text), "-steps", "2", "-json", "-")
		if status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %q, want %q", text, status, stderr, want)
		}
	}
}

// TestUnusedNumbers checks that a remark names numbers that no objective uses.
func TestUnusedNumbers(t *testing.T) {
	path := tableFileOf(t, "yours.txt", "f1 = a*x^2\nf2 = (x-1)^2\na = 2\nb = 3\n")
	remarks(t, "yours.txt: no objective uses b", "run", "-scene", "yours", "-data", path, "-steps", "2", "-json", "-")
	remarks(t, "paretoplay run: no objective uses c", "run", "-scene", "yours", "-set", "define=c = 1", "-steps", "2", "-json", "-")
}
