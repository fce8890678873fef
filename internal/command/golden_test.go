package command

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/internal/engine/weigh"
)

// TestGolden checks that the cases cover every method, that weigh gives the cases' answers, and that a second call
// gives the same cases.
func TestGolden(t *testing.T) {
	for _, method := range weigh.Methods() {
		text := succeeds(t, "", "golden", "-method", method)
		if again := succeeds(t, "", "golden", "-method", method); again != text {
			t.Errorf("%s: two calls differ", method)
		}
		var cases []weigh.GoldenCase
		if err := json.Unmarshal([]byte(text), &cases); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if len(cases) < 10 || len(cases) > 20 {
			t.Errorf("%s has %d cases", method, len(cases))
		}
		for _, c := range cases {
			if c.Status == algo.Degenerate {
				t.Errorf("%s, %s: the answer is not unique", method, c.Case)
			}
			input, err := json.Marshal(map[string]any{"jacobian": c.Jacobian, "losses": c.Losses, "seed": c.Seed})
			if err != nil {
				t.Fatal(err)
			}
			var answer weigh.Answer
			if err := json.Unmarshal([]byte(succeeds(t, string(input), "weigh", "-method", method)), &answer); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(answer.Direction, c.Direction) || !reflect.DeepEqual(answer.Weights, c.Weights) {
				t.Errorf("%s, %s: weigh answers %v, the case says %v", method, c.Case, answer.Direction, c.Direction)
			}
		}
	}
	var set []weigh.GoldenCase
	if err := json.Unmarshal([]byte(succeeds(t, "", "golden", "-method", "cagrad", "-set", "c=0", "-n", "1")), &set); err != nil {
		t.Fatal(err)
	}
	if len(set) != 1 || fmt.Sprint(set[0].Parameters) != "map[c:0]" {
		t.Errorf("%+v", set)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "-method is missing"}, {[]string{"-method", "all"}, "unknown method \"all\""}, {[]string{"-method", "mgda", "-n", "0"}, "0 cases"},
		{[]string{"-method", "mgda", "-n", "1001"}, "1001 cases"}, {[]string{"-method", "mgda", "-set", "zzz=1"}, "zzz"},
	} {
		out, text, status := invoke(t, "", append([]string{"golden"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(text, c.want) {
			t.Errorf("%v: status %d, %q, want %q", c.args, status, text, c.want)
		}
	}
}
