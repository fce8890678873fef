package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/scenes"
)

// typeset are the scenes whose words have typographic apostrophes throughout.
var typeset = []string{"bilevel", "bilevelcost", "cleaning", "fonseca", "lab", "toy"}

// TestApostrophes: what people read has typographic apostrophes, not those of a
// typewriter.
func TestApostrophes(t *testing.T) {
	list, err := Catalog(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, e := range list {
		if !slices.Contains(typeset, e.ID) {
			continue
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var texts any
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatal(err)
		}
		apostrophes(t, e.ID, texts)
		checked++
	}
	if checked != len(typeset) {
		t.Errorf("%d of the scenes %v are there", checked, typeset)
	}
}

// apostrophes looks through all texts of what JSON holds.
func apostrophes(t *testing.T, where string, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "'") {
			t.Errorf("%s: write ’ for ' in %q", where, v)
		}
	case []any:
		for i, w := range v {
			apostrophes(t, fmt.Sprintf("%s[%d]", where, i), w)
		}
	case map[string]any:
		for name, w := range v {
			apostrophes(t, where+"."+name, w)
		}
	}
}
