package files

import (
	"bytes"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/scenes"
)

// leastMoves are how often films of eight moments move whose scenes have fewer.
var leastMoves = map[string]int{"bilevelcost": 2}

// In each scene something moves, in most from every moment to the next, and the film ends as the
// thumbnail shows the scene.
func TestFilm(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			themes := []*brush.Theme{brush.Light}
			films, err := Film(scenes.All, about.ID, "", 8, themes, 160, 100, 1)
			if err != nil || len(films) != 1 || len(films[0]) != 8 {
				t.Fatalf("%d films, %v", len(films), err)
			}
			moves := 0
			for i, picture := range films[0][1:] {
				if !bytes.Equal(picture, films[0][i]) {
					moves++
				}
			}
			if least := leastMoves[about.ID]; moves < least || least == 0 && moves < 7 {
				t.Errorf("it moves %d times", moves)
			}
			thumb, err := Thumbnails(scenes.All, about.ID, "", themes, 160, 100, 1)
			if err != nil {
				t.Fatal(err)
			}
			// The one measures times, the other has its marker at the beginning.
			if about.ID != "bilevelcost" && about.ID != "log" && !bytes.Equal(thumb[0], films[0][7]) {
				t.Error("it ends otherwise than the thumbnail")
			}
		})
	}
	if _, err := Film(scenes.All, "none", "", 8, nil, 160, 100, 1); err == nil {
		t.Error("a scene that there is not is filmed")
	}
}
