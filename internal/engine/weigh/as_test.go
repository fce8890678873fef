package weigh

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

// TestLibrariesSet checks that every preset names an existing parameter, differs from our default, and has a description.
func TestLibrariesSet(t *testing.T) {
	for _, l := range Libraries {
		for _, method := range l.Methods() {
			c := l.methods[method]
			list := Parameters(method)
			for _, p := range c.set {
				was := list.Text(p.name)
				if err := list.Assign(p.name, p.value); err != nil {
					t.Errorf("%s of %s: %v", method, l.Name, err)
				}
				if list.Text(p.name) == was || p.says == "" {
					t.Errorf("%s of %s: %s=%s is our default or is not described", method, l.Name, p.name, p.value)
				}
			}
		}
		for name := range l.methods {
			if !slices.Contains(Methods(), name) {
				t.Errorf("%s has conventions for the unknown method %s", l.Name, name)
			}
		}
	}
}

// TestAs checks that answers name their conventions, that settings override the conventions, and that a Gramian gives
// the same coefficients as its Jacobian.
func TestAs(t *testing.T) {
	torch, err := LookupLibrary("torchjd")
	if err != nil {
		t.Fatal(err)
	}
	mtl, err := LookupLibrary("libmtl")
	if err != nil {
		t.Fatal(err)
	}
	jacobian := read(t, `{"jacobian": [[3,0],[-1,1]], "losses": [2,0.5]}`)
	gramian := read(t, `{"gramian": [[9,-3],[-3,2]], "losses": [2,0.5]}`)
	for _, c := range []struct {
		l         *Library
		method    string
		settings  map[string]string
		differs   string
		effective []float64 // nil if not given here
	}{
		{torch, "nashmtl", nil, "directions longer than 1 are shortened to length 1", nil},
		{torch, "nashmtl", map[string]string{"maxnorm": "0"}, "", nil},
		{torch, "cagrad", map[string]string{"c": "0"}, "the direction is not divided by 1 + c²; the direction is 0 below norm_eps = 1e-4",
			[]float64{0.5, 0.5}},
		{torch, "mgda", nil, "", []float64{5. / 17, 12. / 17}},
		{torch, "dualproj", nil,
			"1e-4 of the trace is added to the Gramian’s diagonal; below a trace of norm_eps = 1e-4, the direction is the mean",
			[]float64{0.5, 1.5 / 2.0011}},
		{mtl, "ls", nil, "the gradients are added, not averaged", []float64{1, 1}},
		{mtl, "mgda", nil,
			"if gradients are normalised, the direction combines the normalised gradients; with two gradients, a weight of 0 becomes 0.001", nil},
		{mtl, "mgda", map[string]string{"combine": "gradients", "least": "0"}, "", nil},
		{mtl, "uw", nil, "log-variances start at −0.5", []float64{math.Exp(0.5) / 2, math.Exp(0.5) / 2}},
		{mtl, "stch", nil, "the rule uses the logarithms of the losses; μ = 1; the weights are multiplied by S", []float64{0.5, 2}},
	} {
		out, err := c.l.Apply(c.method, c.settings, jacobian)
		if err != nil {
			t.Fatal(c.method, err)
		}
		if out.As != c.l.Name+" "+c.l.Release || out.Version != c.l.Version ||
			(out.Differs == nil) != (c.differs == "") || c.differs != "" && *out.Differs != c.differs {
			t.Errorf("%s as %s with %v: %+v, want %q", c.method, c.l.Name, c.settings, out.Convention, c.differs)
		}
		other, err := c.l.Apply(c.method, c.settings, gramian)
		if err != nil {
			t.Fatal(c.method, err)
		}
		want := c.effective
		if want == nil {
			want = out.Effective
		}
		for i, v := range want {
			if math.Abs(out.Effective[i]-v) > 1e-12 || math.Abs(other.Effective[i]-v) > 1e-12 {
				t.Errorf("%s as %s: coefficients %v, of the Gramian %v, want %v", c.method, c.l.Name, out.Effective, other.Effective, want)
			}
		}
	}
	plain, err := Apply("mgda", nil, jacobian)
	if err != nil || plain.Convention != nil {
		t.Errorf("without a library: %+v, %v", plain.Convention, err)
	}
	// Whatever the library adjusts, the direction must be the sum of the gradients times the effective weights.
	for _, l := range Libraries {
		for _, method := range l.Methods() {
			out, err := l.Apply(method, nil, jacobian)
			if err != nil {
				t.Fatal(method, err)
			}
			for c := range 2 {
				if e := out.Effective; e != nil && math.Abs(e[0]*jacobian.Jacobian[0][c]+e[1]*jacobian.Jacobian[1][c]-out.Direction[c]) > 1e-12 {
					t.Errorf("%s as %s: got direction %v, coefficients %v", method, l.Name, out.Direction, e)
				}
			}
		}
	}
}

// TestAsShort checks TorchJD's norm_eps. Below a trace of 1e-4, projections return the mean and CAGrad returns 0. CAGrad
// also returns 0 if the vector that it adds is short.
func TestAsShort(t *testing.T) {
	short := read(t, `{"jacobian": [[0.003,0],[-0.001,0.001]]}`)
	for _, c := range []struct {
		method, text string
		want         []float64
	}{
		{"upgrad", "", []float64{0.5, 0.5}}, {"dualproj", "", []float64{0.5, 0.5}}, {"cagrad", "", []float64{0, 0}},
		{"cagrad", `{"jacobian": [[1,0],[-1,0.0001]]}`, []float64{0, 0}},
	} {
		in := short
		if c.text != "" {
			in = read(t, c.text)
		}
		out, err := torchJD.Apply(c.method, nil, in)
		if err != nil || !slices.Equal(out.Effective, c.want) {
			t.Errorf("%s: %+v, %v", c.method, out, err)
		}
		if plain, err := Apply(c.method, nil, in); err != nil || slices.Equal(plain.Effective, c.want) {
			t.Errorf("%s without conventions: %+v, %v", c.method, plain, err)
		}
	}
	// Methods must also decide if the gradients' squares overflow.
	long := read(t, `{"jacobian": [[3e200,0],[-1e200,1e200]]}`)
	for _, method := range []string{"upgrad", "dualproj", "cagrad"} {
		out, err := torchJD.Apply(method, nil, long)
		same, err2 := torchJD.Apply(method, nil, read(t, `{"jacobian": [[3,0],[-1,1]]}`))
		if err != nil || err2 != nil || math.Abs(out.Effective[1]-same.Effective[1]) > 1e-12 {
			t.Errorf("%s: got %+v, %v for long gradients; %+v, %v for others", method, out, err, same, err2)
		}
	}
	// A sum may overflow even if the mean does not.
	far, err := libMTL.Apply("ls", nil, read(t, `{"jacobian": [[1.7e308,0],[1.7e308,1]]}`))
	if err != nil || far.Status != algo.Diverged || far.Direction[0] != 0 {
		t.Errorf("a sum that overflows: got %+v, %v", far, err)
	}
}

// TestAsLacks checks that the error for an unknown method or library lists the available ones, and that "all" skips methods that the
// library lacks.
func TestAsLacks(t *testing.T) {
	if _, err := LookupLibrary("pymoo"); err == nil || err.Error() != `unknown library "pymoo"; available: torchjd libmtl` {
		t.Errorf("%v", err)
	}
	in := read(t, `{"jacobian": [[1,0],[0,2]], "losses": [1, 4]}`)
	for _, c := range []struct{ library, method, want string }{
		{"torchjd", "moco", "TorchJD has no moco; available: ls rlw dwa "}, {"libmtl", "config", "LibMTL has no config; available: ls rlw "},
		{"libmtl", "graddrop", "representation"}, {"torchjd", "psmgd", "TorchJD has no psmgd"},
	} {
		l, err := LookupLibrary(c.library)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Apply(c.method, nil, in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %v", c.method, c.library, err)
		}
		if _, err := NewStream([]string{c.method}, nil, nil, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a stream of %s as %s: %v", c.method, c.library, err)
		}
	}
	for _, l := range Libraries {
		list, err := l.ApplyAll(in)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, out := range list {
			names = append(names, out.Method)
			if out.Convention == nil {
				t.Errorf("%s of all as %s: the answer names no convention", out.Method, l.Name)
			}
		}
		if !slices.Equal(names, l.Methods()) {
			t.Errorf("all as %s: got %v, want %v", l.Name, names, l.Methods())
		}
		// LibMTL's MoCo needs losses; ours does not.
		list, err = l.ApplyAll(read(t, `{"jacobian": [[1,0],[0,2]]}`))
		for _, out := range list {
			if m, _ := weighting.Lookup(out.Method); m.Needs.Losses || out.Method == "moco" {
				t.Errorf("%s as %s answers without losses", out.Method, l.Name)
			}
		}
		if err != nil || len(list) == 0 {
			t.Errorf("all as %s without losses: %d, %v", l.Name, len(list), err)
		}
	}
}
