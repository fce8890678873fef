package weigh

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/algo"
)

// FuzzWeigh checks that no parameter of any method crashes a decision. The result must be finite numbers or an error.
func FuzzWeigh(f *testing.F) {
	for _, method := range Methods() {
		f.Add(method, "", "", `{"jacobian": [[1,2],[3,-4]], "losses": [1,2]}`)
	}
	for _, set := range [][3]string{{"cagrad", "c", "0.4"}, {"cagrad", "rescale", "sq"}, {"fairgrad", "alpha", "1e-3"},
		{"pcgrad", "order", "1,0;1,0"}, {"pcgrad", "order", "9,9"}, {"mgda", "normalize", "loss+"}, {"nashmtl", "maxnorm", "1e-300"},
		{"epo", "preference", "1e-300,1"}, {"moco", "gamma", "NaN"}, {"sdmgrad", "kappa", "1e999"}, {"rlw", "seed", "-1"}} {
		f.Add(set[0], set[1], set[2], `{"jacobian": [[1e-8,0],[0,1e8]], "losses": [1,1e-9]}`)
	}
	f.Fuzz(func(t *testing.T, method, name, value, text string) {
		in, err := Read(strings.NewReader(text))
		if err != nil || len(in.Jacobian) > 30 {
			return
		}
		var settings map[string]string
		if name != "" {
			settings = map[string]string{name: value}
		}
		out, err := Apply(method, settings, in)
		if err != nil {
			return
		}
		sayable(t, out, fmt.Sprintf("%s with %s=%s of %q", method, name, value, text))
	})
}

// sayable checks that a decision has finite numbers and can be encoded as JSON.
func sayable(t *testing.T, out *Answer, what string) {
	t.Helper()
	if !algo.Finite(out.Weights) || !algo.Finite(out.Direction) || !algo.Finite([]float64{out.Norm, out.Stationarity}) {
		t.Errorf("%s: %+v", what, out)
	}
	if _, err := json.Marshal(out); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}
