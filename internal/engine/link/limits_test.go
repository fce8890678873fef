package link

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"paretoplay/internal/engine/timeline"
)

// TestPinsOfLinks checks that pins are read in the order of their letters. Pins that are too long, duplicate or broken must be left
// out, each with a notice.
func TestPinsOfLinks(t *testing.T) {
	long := "scene=fonseca&start=" + strings.Repeat("1", MaxPins/2-40)
	for _, c := range []struct {
		address, letters string
		notices          []string
	}{
		{"pinB=x&pinA=", "AB", nil},
		{"pinA=x&pinA=y", "A", []string{"twice"}},
		{"pinC=%zz&pinD=1", "D", []string{"pin C cannot be read"}},
		{(&Settings{Scene: "fonseca", Pins: []Pin{
			{Letter: "A", Hash: long}, {Letter: "B", Hash: long}, {Letter: "C", Hash: "short"}, {Letter: "D", Hash: long},
		}}).Hash(), "ABC", []string{
			"pin D is left out"}},
		{(&Settings{Scene: "fonseca", Pins: []Pin{{Letter: "A", Hash: long + long + long}}}).Hash(), "", []string{"pin A is left out"}},
		{"pinA=" + strings.Repeat("x", MaxLink+MaxPins), "", []string{
			fmt.Sprintf("only the first %d", MaxLink+MaxPins), "pin A is left out"}},
		{"pinE=x", "", nil}, // an unknown parameter
		{strings.Repeat("x", MaxLink) + "&R=1&pinA=x", "A", []string{"beside its pins"}},
	} {
		got, notices := Parse(c.address)
		letters := ""
		for _, p := range got.Pins {
			letters += p.Letter
		}
		if letters != c.letters || len(notices) != len(c.notices) {
			t.Errorf("%.40s: pins %q, notices %q; want %q, %q", c.address, letters, notices, c.letters, c.notices)
			continue
		}
		for i, want := range c.notices {
			if !strings.Contains(notices[i], want) {
				t.Errorf("%.40s: notice %q, want %q", c.address, notices[i], want)
			}
		}
	}
}

// TestLongestLog checks that the longest log that can be read fits into a link.
func TestLongestLog(t *testing.T) {
	in := Settings{Scene: "fonseca", Latest: 100_000, Marker: 100_000}
	for k := range MaxLog {
		in.Log = append(in.Log, timeline.Change{K: 99_000 + k, Name: "crmogm.momentum", Text: fmt.Sprint(0.3 + 0.1/float64(k+3))})
	}
	if got, notices := Parse(in.Hash()); len(notices) > 0 || !reflect.DeepEqual(got, in) {
		t.Errorf("a link of %d characters: got %d changes, want %d; notices %q", len(in.Hash()), len(got.Log), MaxLog, notices)
	}
}
