package command

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	var out struct {
		Scene   string
		Seeds   int
		Target  float64
		Methods []struct {
			Method string
			Step   float64
			Finals []*float64
		}
		Pairs []struct {
			A, B            string
			Difference, Low *float64
			Better          *string
		}
		Verdict []string
	}
	flags := []string{"compare", "-scene", "clusters", "-method", "most,most-l", "-seeds", "4"}
	decodeJSON(t, succeeds(t, "", append(flags, "-json", "-")...), &out)
	if out.Scene != "clusters" || out.Seeds != 4 || len(out.Methods) != 3 || len(out.Pairs) != 3 || len(out.Verdict) < 3 {
		t.Fatalf("it writes %+v", out)
	}
	for _, m := range out.Methods {
		if len(m.Finals) != 4 || m.Step <= 0 {
			t.Errorf("%s: %+v", m.Method, m)
		}
	}
	said := succeeds(t, "", flags...)
	for _, verdict := range out.Verdict {
		if !strings.Contains(said, verdict) {
			t.Errorf("%q is not said in\n%s", verdict, said)
		}
	}
	if rows := strings.Count(succeeds(t, "", append(flags, "-csv", "-")...), "\n"); rows != 1+3*4 {
		t.Errorf("%d lines of CSV", rows)
	}
}

func TestCompareRefuses(t *testing.T) {
	for want, flags := range map[string][]string{
		"-scene is missing":  {},
		"cannot be compared": {"-scene", "lab", "-method", "mgda,ls"},
		"at least two":       {"-scene", "fonseca"},
		"unknown method":     {"-scene", "fonseca", "-method", "mgda,other"},
		"2 to 1000":          {"-scene", "fonseca", "-method", "mgda", "-seeds", "1"},
		"-target":            {"-scene", "fonseca", "-method", "mgda", "-target", "Inf"},
		"chooses itself":     {"-scene", "fonseca", "-method", "mgda", "-set", "seed=3"},
	} {
		_, message, status := invoke(t, "", append([]string{"compare"}, flags...)...)
		if status != 2 || !strings.Contains(message, want) {
			t.Errorf("%v: status %d, %q does not say %q", flags, status, message, want)
		}
	}
}
