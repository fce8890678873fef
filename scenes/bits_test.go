package scenes

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem/network/pictures"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes/networktasks"
)

var regenerate = flag.Bool("regen", false, "add what the golden file of this package does not hold; with -rewrite write it anew")

var rewrite = flag.Bool("rewrite", false, "with -regen, also replace bits that have changed")

const (
	goldenBits = "testdata/bits.json"
	steps      = 200
)

// settings lists the scenes and parameter values for which the runs of every method are compared.
var settings = []struct {
	scene  string
	values map[string]string
}{
	{"fonseca", nil},
	{"fonseca", map[string]string{"sigma": "0.1"}},
	{"fonseca", map[string]string{"d": "30", "sigma": "0.05", "starts": "3", "optimizer": "adam", "clip": "1"}},
	{"fonseca", map[string]string{"starts": "3", "fairgrad.alpha": "1.7", "epo.preference": "0.3",
		"optimizer": "heavyball", "R": "1", "crmogm.momentum": "0.7"}},
	{"toy", nil},
	{"toy", map[string]string{"sigma": "0.1", "scale": "0.1"}},
	{"bilevel", nil},
	{"bilevel", map[string]string{"multiplier": "both", "T": "5", "warm": "false"}},
	{"cleaning", nil},
	{"clusters", nil},
	{"clusters", map[string]string{"solver": "ipot", "curriculum": "paper", "K": "2", "n": "9", "m": "3"}},
	{"clusters", map[string]string{"solver": "sinkhorn", "eps": "0.3", "curriculum": "published", "scale": "columncount", "n": "9", "m": "3"}},
	{"fronts", nil},
	{"fronts", map[string]string{"scale": "column"}},
	{"fronts", map[string]string{"problem": "zdt3", "step": "sign", "eta": "0.02", "shape": "0.1"}},
	{"fronts", map[string]string{"problem": "quadratics", "step": "adam", "m": "4"}},
	{"transport", nil},
	{"transport", map[string]string{"costs": "random", "tau": "0.3", "eps": "0.1", "beta": "0.1"}},
	{"fairness", nil},
	{"federated", nil},
	{"ordering", nil},
	{"ordering", map[string]string{"problem": "regression", "d": "40", "M": "3", "weighting": "mgda", "sign": "selfbalancing", "seeds": "2",
		"optimizer": "adam", "alpha": "0.01"}},
	{"ordering", map[string]string{"problem": "logistic", "weighting": "modo", "R": "4", "batch": "3", "K": "30", "centring": "perobjective",
		"schedule": "theorem39"}},
	{"ordering", map[string]string{"problem": "diagonal", "weighting": "cagrad", "first": "given", "schedule": "theorem36"}},
	{"blocks", nil},
	{"blocks", map[string]string{"q": "3", "m": "1,2,0", "order": "cyclic", "blockorder": "listed", "update": "jacobi", "schedule": "safe",
		"sigma": "0.2", "seeds": "2"}},
	{"blocks", map[string]string{"schedule": "invsqrt", "order": "contiguous", "partition": "one", "m": "5,15"}},
	{"regression", nil},
	{"regression", map[string]string{"d": "20", "q": "4", "r": "2", "N": "300", "batch": "32", "share": "true", "partition": "rows",
		"m": "1,0,3,2", "stepsizes": "own", "seeds": "2"}},
	{"sweep", nil},
	{"sweep", map[string]string{"p": "4", "passes": "5", "r": "3", "d": "30", "N": "300", "batch": "7", "partition": "rows", "order": "cyclic",
		"pass": "outer", "seed": "9"}},
	{"yours", nil},
	{"yours", map[string]string{"f1": "x1^2+x2^2+x3^2", "f2": "(x1-1)^2+exp(x2)+x3^2", "f3": "x1^2+(x2-1)^2+cosh(x3)", "box": "-1, 1"}},
	{"network", map[string]string{"S": "8", "stepsizes": "equal", "budget": "60"}},
	{"bilevel", map[string]string{"variant": "both", "epoch": "3"}},
	{"cleaning", map[string]string{"variant": "released", "train": "20"}},
	{"ordering", map[string]string{"sign": "innerproduct"}},
	{"ordering", map[string]string{"sign": "twonorm", "d": "40"}},
}

// choice returns the parameter that chooses a scene's methods.
func choice(s scene.Scene) string {
	if _, ok := s.Params().Lookup("method"); ok {
		return "method"
	}
	return "solver"
}

// methods lists the methods available in a scene.
func methods(s scene.Scene) (all []string) {
	list, _ := s.Params().Lookup(choice(s))
	for _, o := range list.Options {
		if o.Disabled == "" {
			all = append(all, o.Value)
		}
	}
	return all
}

// everyMethod returns a scene in which all methods have run with the given values for the given number of steps.
func everyMethod(t testing.TB, name string, values map[string]string) scene.Scene {
	t.Helper()
	about, err := All.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s := about.New()
	if learns, is := s.(*networktasks.Scene); is {
		learns.Read = pictures.Read // the page fetches the pictures
	}
	all := maps.Clone(values)
	if all == nil {
		all = map[string]string{}
	}
	all[choice(s)] = strings.Join(methods(s), ",")
	scenetest.Open(t, s, all)
	scenetest.Step(t, s, steps)
	return s
}

// bitsOf returns, for each method, a hash of everything its runs record, to the last bit.
func bitsOf(t *testing.T, s scene.Scene) map[string]string {
	t.Helper()
	runs := map[string][]*timeline.Run{}
	for _, r := range s.Timeline().Runs() {
		runs[r.Method] = append(runs[r.Method], r)
	}
	out := map[string]string{}
	for method, all := range runs {
		h := fnv.New64a()
		add := func(v ...float64) {
			for _, x := range v {
				if math.IsNaN(x) {
					x = math.NaN() // NaN has many bit patterns; use one
				}
				h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(x)))
			}
		}
		for _, r := range all {
			fmt.Fprint(h, r.Name, r.Status())
			for i := range r.Len() {
				row := r.Kept(i)
				if row.K != i {
					t.Fatalf("%s keeps iteration %d in place of %d", r.Name, row.K, i)
				}
				for _, v := range [][]float64{row.X, row.F, row.Stationarities, row.Weights, row.Direction, {row.StepSize, float64(row.BP)}} {
					add(float64(len(v)))
					add(v...)
				}
				row.Further(func(_ timeline.Extra, v []float64) { add(v...) })
			}
		}
		out[method] = fmt.Sprintf("%016x", h.Sum64())
	}
	return out
}

// TestSameBitsEverywhere checks that every method's runs equal another machine's, to the last bit. The stored hashes were computed on
// linux/amd64. They are compared natively, as WebAssembly and, by make test-arm, on 64-bit Arm.
func TestSameBitsEverywhere(t *testing.T) {
	var got, want []map[string]string
	var names []string
	compared := map[string]bool{}
	for _, c := range settings {
		s := everyMethod(t, c.scene, c.values)
		compared[c.scene] = true
		bits := bitsOf(t, s)
		for _, method := range methods(s) {
			if bits[method] == "" {
				t.Errorf("%s: there are no runs of %s", c.scene, method)
			}
		}
		got, names = append(got, bits), append(names, fmt.Sprint(c.scene, " ", c.values))
	}
	for _, about := range All {
		s := about.New()
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		if len(s.Timeline().Runs()) > 0 && !compared[about.ID] {
			t.Errorf("the runs of %s are not compared: add it to settings above", about.ID)
		}
	}
	data, err := os.ReadFile(goldenBits)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if *regenerate {
		want = withNewBits(want, got, *rewrite)
		data, err := json.MarshalIndent(want, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenBits, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, complaint := range compareBits(names, want, got) {
		t.Error(complaint)
	}
}

// withNewBits adds the bits of new settings and methods to the stored ones. It keeps stored bits unless replace is true.
func withNewBits(stored, got []map[string]string, replace bool) []map[string]string {
	if replace {
		return got
	}
	for i, bits := range got {
		if i == len(stored) {
			stored = append(stored, map[string]string{})
		}
		for method, hash := range bits {
			if stored[i][method] == "" {
				stored[i][method] = hash
			}
		}
	}
	return stored
}

// compareBits lists the settings and methods whose bits differ from the stored ones.
func compareBits(names []string, stored, got []map[string]string) (complaints []string) {
	say := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	const add = "make regen-bits adds them and leaves the others as they are"
	if len(stored) > len(got) {
		say("%d settings, stored are %d", len(got), len(stored))
	}
	for i, bits := range got {
		if i >= len(stored) {
			say("%s: no bits are stored of this setting; %s", names[i], add)
			continue
		}
		for _, method := range slices.Sorted(maps.Keys(bits)) {
			switch stored[i][method] {
			case bits[method]:
			case "":
				say("%s: no bits are stored of %s; %s", names[i], method, add)
			default:
				say("%s: the runs of %s are not what they were, to the last bit", names[i], method)
			}
		}
		for _, method := range slices.Sorted(maps.Keys(stored[i])) {
			if bits[method] == "" {
				say("%s: bits of %s are stored, and it does not run", names[i], method)
			}
		}
	}
	return complaints
}

// TestNewBits checks that new methods and settings without stored bits are reported, and that adding their bits leaves
// the stored bits unchanged. Changed and missing bits must stay errors.
func TestNewBits(t *testing.T) {
	names := []string{"fonseca", "toy"}
	stored := func() []map[string]string { return []map[string]string{{"mgda": "1", "ls": "2"}} }
	got := []map[string]string{{"mgda": "1", "ls": "3", "new": "4"}, {"mgda": "5"}}
	want := []string{"fonseca: the runs of ls are not", "fonseca: no bits are stored of new", "toy: no bits are stored of this setting"}
	for i, complaint := range compareBits(names, stored(), got) {
		if i >= len(want) || !strings.HasPrefix(complaint, want[i]) {
			t.Errorf("complaint %d: %s", i, complaint)
		}
	}
	added := withNewBits(stored(), got, false)
	if c := compareBits(names, added, got); len(c) != 1 || !strings.HasPrefix(c[0], want[0]) {
		t.Errorf("after adding: %q", c)
	}
	if c := compareBits(names, withNewBits(stored(), got, true), got); len(c) > 0 {
		t.Errorf("written anew: %q", c)
	}
	if c := compareBits(names, append(stored(), got...), got[1:]); len(c) == 0 {
		t.Error("stored bits without runs are not noticed")
	}
}

// BenchmarkSteps measures the steps of every method. Each method runs alone from all starts.
func BenchmarkSteps(b *testing.B) {
	for _, name := range []string{"fonseca", "toy", "bilevel", "cleaning"} {
		about, err := All.Find(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, method := range methods(about.New()) {
			b.Run(name+"/"+method, func(b *testing.B) {
				s := scenetest.Open(b, about.New(), map[string]string{choice(about.New()): method})
				for range b.N {
					if s.Timeline().Latest() == steps || !s.Timeline().Running() {
						b.StopTimer()
						scenetest.Open(b, s, nil)
						b.StartTimer()
					}
					scenetest.Step(b, s, 1)
				}
			})
		}
	}
}
