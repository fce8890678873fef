package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

// TestApostrophes checks that texts for visitors have typographic apostrophes, not typewriter ones.
func TestApostrophes(t *testing.T) {
	list, err := Catalog(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var texts any
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatal(err)
		}
		apostrophes(t, e.ID, texts)
	}
	if len(list) == 0 {
		t.Error("got no scenes")
	}
}

// apostrophes checks all texts in a JSON value.
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
