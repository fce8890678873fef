package site

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// TestHeroPaths: the file is small and has a start near every attainable pair of objectives. The first and last points
// of each path agree with the scene's run from its start.
func TestHeroPaths(t *testing.T) {
	data, err := drawPaths()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 80_000 {
		t.Errorf("the file has %d bytes", len(data))
	}
	var read heroPaths
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	number := func(text string) float64 {
		return float64(64*strings.IndexByte(pathDigits, text[0]) + strings.IndexByte(pathDigits, text[1]))
	}
	if len(read.Paths) < 700 || read.One[0] <= read.Origin[0] || read.One[1] >= read.Origin[1] {
		t.Fatalf("%d paths, 0 at %v and 1 at %v", len(read.Paths), read.Origin, read.One)
	}
	about, err := scenes.All.Find(tradeoffScene)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(read.Paths); i += 97 {
		text := read.Paths[i]
		if len(text)%4 != 0 || len(text) < 8 {
			t.Fatalf("path %d is %q", i, text)
		}
		s := about.New()
		start := fmt.Sprintf("%.3f,%.3f", number(text)/1000-2, number(text[2:])/1000-2)
		for name, value := range map[string]string{"starts": "1", "start": start} {
			if err := s.Params().Assign(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		if err := scene.Finish(s); err != nil {
			t.Fatal(err)
		}
		r := s.Timeline().Tracks()[0]
		for k, point := range map[int]string{0: text[4:8], r.Len() - 1: text[len(text)-4:]} {
			f := r.Kept(k).F
			for j, v := range []float64{number(point), number(point[2:])} {
				want := float64(read.Origin[j]) + f[j]*float64(read.One[j]-read.Origin[j])
				if math.Abs(v-want) > 2 {
					t.Errorf("from %s at k = %d, objective %d is at %v, in the scene at %v", start, k, j+1, v, want)
				}
			}
		}
	}
}
