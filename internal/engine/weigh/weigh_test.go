package weigh

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
)

func read(t testing.TB, text string) *Input {
	t.Helper()
	in, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestWeighMGDA compares answers with exactly computed min-norm points. The direction is always unique; weights are
// compared only if they are unique.
func TestWeighMGDA(t *testing.T) {
	data, err := os.ReadFile("testdata/mgda.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name               string
		Jacobian           [][]float64
		Weights, Direction []float64
		Norm               float64
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Fatalf("got %d cases", len(cases))
	}
	for _, c := range cases {
		input, err := json.Marshal(map[string]any{"jacobian": c.Jacobian})
		if err != nil {
			t.Fatal(err)
		}
		var scale float64
		for _, row := range c.Jacobian {
			for _, v := range row {
				scale = max(scale, math.Abs(v))
			}
		}
		near := func(t *testing.T, what string, got, want []float64, tolerance float64) {
			t.Helper()
			if len(got) != len(want) {
				t.Fatalf("%s: %s: got length %d, want %d", c.Name, what, len(got), len(want))
			}
			for i := range got {
				if !(math.Abs(got[i]-want[i]) <= tolerance) {
					t.Errorf("%s: %s: got %v, want %v", c.Name, what, got, want)
					return
				}
			}
		}
		// A method with history must answer as it does at its first step.
		for _, method := range []string{"mgda", "psmgd", "crmogm", "smg"} {
			t.Run(method+", "+c.Name, func(t *testing.T) {
				out, err := Apply(method, nil, read(t, string(input)))
				if err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				near(t, "direction", out.Direction, c.Direction, 1e-10*scale)
				near(t, "norm and stationarity", []float64{out.Norm, out.Stationarity}, []float64{c.Norm, c.Norm}, 1e-10*scale)
				if c.Weights != nil {
					near(t, "weights", out.Weights, c.Weights, 1e-7)
				}
				if out.Method != method || out.Status != algo.Converged || out.Gap == nil || !(*out.Gap <= 1e-10) {
					t.Errorf("%s: method %s, status %v, gap %v", c.Name, out.Method, out.Status, out.Gap)
				}
			})
		}
	}
}

// TestWeighJSON checks that answers have exactly the fields that programs rely on.
func TestWeighJSON(t *testing.T) {
	for method, want := range map[string]string{
		"ls": `{"method":"ls","weights":[0.5,0.5],"effective":[0.5,0.5],"direction":[0.5,1],"norm":1.118033988749895,` +
			`"stationarity":0.8944271909999159,"gap":null,"status":"converged",` +
			`"rates":[-0.5,-2],"cosines":[0.4472135954999579,0.8944271909999159]}`,
		"cagrad": `{"method":"cagrad","weights":[1,0],"effective":[0.5,0.5],"direction":[0.5,1],"norm":1.118033988749895,` +
			`"stationarity":0.8944271909999159,"gap":0,"status":"converged",` +
			`"rates":[-0.5,-2],"cosines":[0.4472135954999579,0.8944271909999159]}`,
		"graddrop": `{"method":"graddrop","weights":null,"effective":null,"direction":[1,2],"norm":2.23606797749979,` +
			`"stationarity":0.8944271909999159,"gap":null,"status":"converged",` +
			`"rates":[-1,-4],"cosines":[0.4472135954999579,0.8944271909999159]}`,
		"mgda": `{"method":"mgda","weights":[0.8,0.2],"effective":[0.8,0.2],"direction":[0.8,0.4],"norm":0.894427190999916,` +
			`"stationarity":0.894427190999916,"gap":0,"status":"converged",` +
			`"rates":[-0.8,-0.8],"cosines":[0.8944271909999159,0.4472135954999579]}`,
	} {
		t.Run(method, func(t *testing.T) {
			settings := map[string]string{}
			if method == "cagrad" {
				settings["c"] = "0"
			}
			out, err := Apply(method, settings, read(t, `{"jacobian": [[1,0],[0,2]], "seed": 3}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			if order := strings.Index(string(got), `,"effective":`); order < 0 || order > strings.Index(string(got), `,"direction":`) ||
				order < strings.Index(string(got), `"weights":`) {
				t.Errorf("%s: the effective coefficients are not between weights and direction: %s", method, got)
			}
			var a, b map[string]any
			for text, into := range map[string]*map[string]any{string(got): &a, want: &b} {
				if err := json.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			if len(a) != len(b) {
				t.Errorf("%s: got %s, want %s", method, got, want)
			}
			for name, v := range b {
				switch v := v.(type) {
				case float64:
					if f, ok := a[name].(float64); !ok || math.Abs(f-v) > 1e-12 {
						t.Errorf("%s: %s = %v, want %v", method, name, a[name], v)
					}
				case []any:
					for i, e := range v {
						if math.Abs(a[name].([]any)[i].(float64)-e.(float64)) > 1e-12 {
							t.Errorf("%s: %s = %v, want %v", method, name, a[name], v)
						}
					}
				default:
					if a[name] != v {
						t.Errorf("%s: %s = %v, want %v", method, name, a[name], v)
					}
				}
			}
		})
	}
	in := read(t, `{"jacobian": [[1,0],[0,2]], "losses": [1, 4]}`)
	out, err := Apply("mgda", map[string]string{"normalize": "loss"}, in)
	if err != nil || math.Abs(out.Weights[0]-0.2) > 1e-12 {
		t.Errorf("normalised by the losses: %+v, %v", out, err)
	}
	if _, err := Apply("mgda", map[string]string{"normalize": "loss"}, read(t, `{"jacobian": [[1,0],[0,2]]}`)); err == nil ||
		!strings.Contains(err.Error(), "losses") {
		t.Errorf("without losses: got error %v", err)
	}
	if all, err := (*Library)(nil).ApplyAll(in); err != nil || len(all) != len(Methods()) {
		t.Errorf("got %d of %d methods, error %v", len(all), len(Methods()), err)
	}
	// Methods that accept the losses must still answer if other methods reject them.
	negative, err := (*Library)(nil).ApplyAll(read(t, `{"jacobian": [[1,0],[0,2]], "losses": [-1, 4]}`))
	if err != nil || len(negative) == 0 || len(negative) >= len(Methods()) {
		t.Errorf("a negative loss: %d methods answer, error %v", len(negative), err)
	}
	if smg, err := Apply("smg", nil, in); err != nil || smg.Method != "smg" || math.Abs(smg.Weights[0]-0.8) > 1e-12 {
		t.Errorf("smg: %+v, %v", smg, err)
	}
	seeded, err := Apply("rlw", map[string]string{"seed": "7"}, in)
	if err != nil {
		t.Fatal(err)
	}
	for seed, equal := range map[string]bool{"7": true, "8": false} {
		other, err := Apply("rlw", nil, read(t, `{"jacobian": [[1,0],[0,2]], "seed": `+seed+`}`))
		if err != nil || (other.Weights[0] == seeded.Weights[0]) != equal {
			t.Errorf("seed %s: %+v, with -set seed=7 %+v, error %v", seed, other, seeded, err)
		}
	}
	// Without losses, methods that do not need losses must still answer.
	all, err := (*Library)(nil).ApplyAll(read(t, `{"jacobian": [[1,0],[0,2]]}`))
	if err != nil {
		t.Fatal(err)
	}
	answered := map[string]bool{}
	for _, out := range all {
		answered[out.Method] = true
	}
	for _, name := range Methods() {
		t.Run(name+" without losses", func(t *testing.T) {
			m, _ := weighting.Lookup(name)
			if answered[name] == m.Needs.Losses {
				t.Errorf("%s needs losses: %v, answers without: %v", name, m.Needs.Losses, answered[name])
			}
		})
	}
}

// TestWeighErrors checks that the error for a bad input names the problem and its place.
func TestWeighErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "empty",
		" \n\t":                               "empty",
		"{":                                   "line 1, column 2: the input ends in the middle; a name is expected",
		"{\n\"jacobian\": [[1,]]}":            "line 2, column 17",
		"null":                                `unexpected "null"; "{" is expected`,
		"[]":                                  `unexpected "["; "{" is expected`,
		`{"jacobian": []}`:                    `column 15: unexpected "]"; "[" before a row is expected`,
		`{"jacobian": [[]]}`:                  `column 16: unexpected "]"; a number is expected`,
		`{"jacobian": [[1,2],[3]]}`:           "row 2 has 1 numbers, row 1 has 2",
		`{"jacobian": [[1,"x"]]}`:             `unexpected text "x"; a number is expected`,
		`{"jacobian": [[1,NaN]]}`:             "line 1",
		`{"jacobian": [[1,1e999]]}`:           "1e999",
		`{"jacobian": [[1,null]]}`:            "null",
		`{"jacobian": [[1],null]}`:            `column 19: unexpected "null"; "[" before a row is expected`,
		`{"jacobian": [[1]], "losses":[]}`:    `column 31: unexpected "]"; a number is expected`,
		`{"jacobian": [[1]], "losses":[1,2]}`: "losses: got 2 for 1 rows",
		`{"jacobian": [[1]], "loss":[1]}`:     "loss",
		`{"jacobian": [[1]], "seed":-1}`:      "seed",
		`{"jacobian": [[1]]} {}`:              `unexpected "{"; nothing more is expected`,
		`{"jacobian": [[1]]} x`:               `unexpected "x"; nothing more is expected`,
		`{"jacobian": [[1],[2,3,4]]}`:         "row 2 has more numbers than the 1 of row 1",
		`{"jacobian": [[01]]}`:                `"01" is not a JSON number`,
		`{"jacobian": [[.5]]}`:                `".5" is not a JSON number`,
		`{"jacobian": null}`:                  `at least one row with one number is needed`,
		`{"": [[1]]}`:                         `unknown name ""; available: jacobian gramian losses seed`,
		`{"jacobian": [[1]], "jacobian": 1}`:  "appears twice",
		"1,2\n3,4":                            `; "{" is expected`,
		"\xff\xfe{\x00":                       "UTF-16; save it as UTF-8",
		"{\x00\"\x00":                         "UTF-16",
		`{"` + strings.Repeat("k", 1<<20):     `kkkkkkkkk…" is too long`,
	} {
		if in, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: input %+v, error %v, want one with %q", text, in, err, want)
		}
	}
	wide := `{"jacobian": [[` + strings.Repeat("1,", data.MaxColumns) + `1]]}`
	if _, err := Read(strings.NewReader(wide)); err == nil || !strings.Contains(err.Error(), "row 1 has more than 1000000 numbers") {
		t.Errorf("too many columns: got error %v", err)
	}
	in := read(t, `{"jacobian": [[1,2],[3,4]]}`)
	if _, err := Apply("newton", nil, in); err == nil || !strings.Contains(err.Error(), "available: ls ") {
		t.Errorf("unknown method: got error %v", err)
	}
	if _, err := Apply("mgda", map[string]string{"zzz": "1"}, in); err == nil || !strings.Contains(err.Error(), "normalize") {
		t.Errorf("unknown parameter: got error %v", err)
	}
	if _, err := Apply("mgda", map[string]string{"normalize": "zzz"}, in); err == nil || !strings.Contains(err.Error(), "loss+") {
		t.Errorf("invalid value: got error %v", err)
	}
}

// TestWeighAtAnyScale checks that every method returns numbers for gradients of any size, or reports that it has no
// answer.
func TestWeighAtAnyScale(t *testing.T) {
	out, err := Apply("mgda", nil, read(t, `{"jacobian": [[1e-200,2e-200],[3e-200,-1e-200]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(out.Weights[0]-9./13) > 1e-15 || math.Abs(out.Norm/1.941450686788302e-200-1) > 1e-12 ||
		math.Abs(out.Stationarity/out.Norm-1) > 1e-12 {
		t.Errorf("tiny gradients: %+v", out)
	}
	for _, size := range []string{"e-320", "e-300", "e-160", "", "e155", "e200", "e300", "e308"} {
		text := strings.ReplaceAll(`{"jacobian": [[1@,1.2@,-0.3@],[-1.1@,1.3@,0.9@],[0.2@,1.1@,0.5@]], "losses": [1,2,3]}`, "@", size)
		list, err := (*Library)(nil).ApplyAll(read(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(Methods()) {
			t.Errorf("size %s: got answers of %d methods", size, len(list))
		}
		if _, err := json.Marshal(list); err != nil {
			t.Errorf("size %s: %v", size, err)
		}
	}
	out, err = Apply("ls", nil, read(t, `{"jacobian": [[1.7e308,1.7e308,1.7e308],[1.7e308,1.7e308,1.7e308]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if out.Status != algo.Diverged || out.Stationarity != math.MaxFloat64 {
		t.Errorf("a length that overflows: got %+v", out)
	}
}

// endless is a reader that returns a beginning and then repeats a text. It counts the bytes read.
type endless struct {
	begin, repeat string
	read          int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		if e.read < len(e.begin) {
			p[i] = e.begin[e.read]
		} else {
			p[i] = e.repeat[(e.read-len(e.begin))%len(e.repeat)]
		}
		e.read++
	}
	return len(p), nil
}

// TestReadingStops checks that input of the wrong shape is rejected as soon as the error is apparent, not after the whole
// input is read.
func TestReadingStops(t *testing.T) {
	weigh := func(e *endless) error { _, err := Read(e); return err }
	volume := func(e *endless) error { _, err := volumeOf(e); return err }
	for _, c := range []struct {
		begin, repeat string
		read          func(*endless) error
		want          string
		most          int
	}{
		{`{"jacobian": [[1]`, `,[1]`, weigh, "more than 1000 rows", 4096},
		{`{"jacobian": [[1,2],[1`, `,1`, weigh, "row 2 has more numbers than the 2 of row 1", 0},
		{`{"jacobian": [[1,2],[1]`, `,[1,2]`, weigh, "row 2 has 1 numbers, row 1 has 2", 0},
		{`{"jacobian": [[1`, `,1`, weigh, "row 1 has more than 1000000 numbers", 2 * data.MaxColumns},
		{`{"jacobian": [[1]], "losses": [1`, `,1`, weigh, "more than 1000 losses", 4096},
		{`{"points": [[1]`, `,[1]`, volume, "more than 1000000 rows", 4 * data.MaxPoints},
		{`{"points": [[1]], "reference": [1`, `,1`, volume, "more than 1000000 reference", 2 * data.MaxPoints},
		{`{"`, `k`, weigh, "too long", 0},
		{`{"jacobian": [[1`, `1`, weigh, "too long for a number", 0},
	} {
		e := endless{begin: c.begin, repeat: c.repeat}
		const piece = 32 << 10 // bytes read at a time
		if err := c.read(&e); err == nil || !strings.Contains(err.Error(), c.want) || e.read > c.most+piece {
			t.Errorf("%s%s...: error %v after %d bytes, want %q", c.begin, c.repeat, err, e.read, c.want)
		}
	}
	in := read(t, `{"jacobian": [[1,2],[3,4]], "losses": null, "seed": null}`)
	if in.Losses != nil || in.Seed != 0 || in.Jacobian[1][0] != 3 {
		t.Errorf("null for what may be absent: %+v", in)
	}
}

// volumeOf reads points and a reference and returns the volume.
func volumeOf(r io.Reader) (float64, error) {
	in, err := data.Read(r, data.PointsObject)
	if err != nil {
		return 0, err
	}
	v, err := Hypervolume(in.Rows(data.PointsName), in.List(data.ReferenceName), nil, false)
	if err != nil {
		return 0, err
	}
	return v.Hypervolume, nil
}

// TestHypervolume compares volumes with areas computed by hand and checks every error.
func TestHypervolume(t *testing.T) {
	for text, want := range map[string]float64{
		`{"points": [[0.25,0.5]], "reference": [1,1]}`:            0.375,
		`{"points": [[0,0.5],[0.5,0]], "reference": [1,1]}`:       0.75,
		`{"points": [[0,0,0],[2,2,2]], "reference": [1,2,3]}`:     6,
		`{"points": [], "reference": [1,1]}`:                      0,
		`{"points": [[1,1]], "reference": [1,1]}`:                 0,
		`{"points": [[0,0],[0,0],[0.5,0.5]], "reference": [1,1]}`: 1,
	} {
		if got, err := volumeOf(strings.NewReader(text)); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                                      "empty",
		`{}`:                                    "points",
		`{"points": [[1,2]]}`:                   "reference",
		`{"points": [[1,2]], "reference": []}`:  `column 35: unexpected "]"; a number is expected`,
		`{"points": [[1]], "reference": [1,1]}`: "1",
		`{"points": [[1,2],[1]], "reference": [1,1]}`:    "1",
		`{"points": [null], "reference": [1,1]}`:         `column 13: unexpected "null"; "[" before a row is expected`,
		`{"points": [[1,null]], "reference": [1,1]}`:     "null",
		`{"points": [[1,2]], "reference": [1,null]}`:     "null",
		`{"points": [[1,2]], "reference": [1,1], "a":1}`: "a",
		`{"points": {}}`: `column 12: unexpected "{"; "[" before the first row is expected`,
		`{"points": [[1,2]], "reference": [1e308,1e308]}`: "too large for double precision",
		`{"points": [], "reference": null}`:               `unexpected "null"`,
		`{"points": [[1]], "reference": [1], "": 1}`:      `unknown name ""; available: points reference`,
		"\xfe\xff\x00{": "UTF-16",
	} {
		if v, err := volumeOf(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want one with %q", text, v, err, want)
		}
	}
}

// TestHypervolumeContributions checks which points are ignored and how much volume each of the other points adds.
func TestHypervolumeContributions(t *testing.T) {
	points := [][]float64{{1, 3}, {4, 0}, {2, 2}, {3, 1}, {5, 5}}
	v, err := Hypervolume(points, []float64{4, 4}, nil, true)
	if err != nil || v.Hypervolume != 6 || v.Ignored != 2 || !slices.Equal(v.IgnoredPoints, []int{2, 5}) ||
		!slices.Equal(v.Contributions, []float64{1, 0, 1, 1, 0}) {
		t.Errorf("got %+v, error %v", v, err)
	}
	flipped := [][]float64{{1, -3}, {4, 0}, {2, -2}, {3, -1}, {5, -5}}
	other, err := Hypervolume(flipped, []float64{4, -4}, []int{2}, true)
	if err != nil || !slices.Equal(other.Contributions, v.Contributions) || !slices.Equal(other.IgnoredPoints, v.IgnoredPoints) {
		t.Errorf("second objective maximised: got %+v, error %v, want %+v", other, err, v)
	}
	if v, err := Hypervolume(points, []float64{4, 4}, nil, false); err != nil || v.Contributions != nil {
		t.Errorf("contributions without a request: got %+v, error %v", v, err)
	}
	many := slices.Repeat(points, MaxContributions/len(points)+1)
	if _, err := Hypervolume(many, []float64{4, 4}, nil, true); err == nil || !strings.Contains(err.Error(), "at most 20000") {
		t.Errorf("%d points: error %v", len(many), err)
	}
}

// FuzzReadWeigh checks that no input causes a crash, and that accepted input gives finite numbers or an error.
func FuzzReadWeigh(f *testing.F) {
	for _, text := range []string{`{"jacobian": [[1,2],[3,4]]}`, `{"jacobian": [[1,0],[-1,0],[0,0]], "losses": [1,2,3], "seed": 7}`,
		`{"jacobian": [[1e-300,1e150]]}`, `{"jacobian": [[null]]}`, "", "{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := Read(strings.NewReader(text))
		if err != nil || len(in.Jacobian) > 50 {
			return
		}
		for _, method := range Methods() {
			out, err := Apply(method, nil, in)
			if err != nil {
				continue
			}
			sayable(t, out, method+" of "+strconv.Quote(text))
		}
	})
}

// FuzzHypervolume checks that no input causes a crash, and that volumes are not negative.
func FuzzHypervolume(f *testing.F) {
	for _, text := range []string{`{"points": [[0,0.5],[0.5,0]], "reference": [1,1]}`,
		`{"points": [[0,0,0,0],[1,-1,1,2]], "reference": [2,2,2,2]}`, `{"points": []}`, "{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return // the exact volume of many points in many dimensions takes too long
		}
		if v, err := volumeOf(strings.NewReader(text)); err == nil && !(v >= 0) {
			t.Errorf("%q: %v", text, v)
		}
	})
}

// TestWhatDirectionsDo compares rates, cosines and angles with values computed by hand, including zero gradients and
// gradients of any size. A single method's answer must have no angles.
func TestWhatDirectionsDo(t *testing.T) {
	number := func(p *float64) float64 {
		if p == nil {
			return math.NaN()
		}
		return *p
	}
	near := func(got, want float64) bool {
		return math.IsNaN(got) && math.IsNaN(want) || got == want || math.Abs(got-want) <= 1e-12*math.Abs(want)
	}
	nan := math.NaN()
	for _, c := range []struct {
		jacobian, method string
		rates, cosines   []float64
	}{
		// The mean is (−1, ½), which forms an obtuse angle with the first gradient.
		{"[[1,0],[-3,1]]", "ls", []float64{1, -3.5}, []float64{-1 / math.Sqrt(1.25), 3.5 / math.Sqrt(12.5)}},
		{"[[1,0],[0,0]]", "ls", []float64{-0.5, 0}, []float64{1, nan}},
		{"[[1,1],[-1,-1]]", "ls", []float64{0, 0}, []float64{nan, nan}},
		{"[[1e-300,0],[-3e-300,1e-300]]", "ls", []float64{0, 0}, []float64{-1 / math.Sqrt(1.25), 3.5 / math.Sqrt(12.5)}},
		{"[[1e300,0],[-3e300,1e300]]", "ls", []float64{nan, nan}, []float64{-1 / math.Sqrt(1.25), 3.5 / math.Sqrt(12.5)}},
		{"[[1e-200,0],[-3e150,1e150]]", "ls", []float64{1.5e-50, -5e300}, []float64{-3 / math.Sqrt(10), 1}},
	} {
		out, err := Apply(c.method, nil, read(t, `{"jacobian": `+c.jacobian+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if out.Angles != nil || len(out.Rates) != 2 || len(out.Cosines) != 2 {
			t.Fatalf("%s: %+v", c.jacobian, out)
		}
		for i := range 2 {
			if rate, cosine := number(out.Rates[i]), number(out.Cosines[i]); !near(rate, c.rates[i]) || !near(cosine, c.cosines[i]) {
				t.Errorf("%s: objective %d changes at %g and has cosine %g; want %g and %g", c.jacobian, i+1, rate, cosine, c.rates[i], c.cosines[i])
			}
			if rate := out.Rates[i]; rate != nil && *rate == 0 && math.Signbit(*rate) {
				t.Errorf("%s: got rate −0", c.jacobian)
			}
		}
	}
	// The mean of (1, 0) and (0, 2) points along (1, 2), and the shortest mixture points along (2, 1), so the cosine is
	// 4/5.
	list, err := (*Library)(nil).ApplyAll(read(t, `{"jacobian": [[1,0],[0,2]], "losses": [1,1]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		if len(w.Angles) != len(list)-1 {
			t.Errorf("%s: got %d angles", w.Method, len(w.Angles))
		}
		want := map[string]float64{"mgda": math.Acos(0.8) * 180 / math.Pi, "si": 0, "pcgrad": 0}
		for other, angle := range want {
			if got := number(w.Angles[other]); w.Method == "ls" && !near(got, angle) {
				t.Errorf("ls and %s: got angle %v°, want %v°", other, got, angle)
			}
		}
		for _, other := range list {
			if other != w && number(other.Angles[w.Method]) != number(w.Angles[other.Method]) {
				t.Errorf("%s and %s are %v or %v degrees apart", w.Method, other.Method, number(w.Angles[other.Method]), number(other.Angles[w.Method]))
			}
		}
	}
	list, err = (*Library)(nil).ApplyAll(read(t, `{"jacobian": [[1,1],[-1,-1]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0].Angles["mgda"]; list[0].Method != "ls" || got != nil {
		t.Errorf("two zero directions: got angle %v°", *got)
	}
}
