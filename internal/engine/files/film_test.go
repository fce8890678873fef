package files

import (
	"bytes"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/scenes"
)

// leastMoves lists the scenes whose films of eight moments change less often than usual, with the required number of
// changes.
var leastMoves = map[string]int{"bilevelcost": 2}

// TestFilm checks that each scene's film shows motion, and that it ends with the thumbnail's picture.
func TestFilm(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			themes := []*brush.Theme{brush.Light}
			films, err := Film(scenes.All, about.ID, "", 8, themes, 160, 100, 1)
			if err != nil || len(films) != 1 || len(films[0]) != 8 {
				t.Fatalf("got %d films, error %v", len(films), err)
			}
			moves := 0
			for i, picture := range films[0][1:] {
				if !bytes.Equal(picture, films[0][i]) {
					moves++
				}
			}
			if least := leastMoves[about.ID]; moves < least || least == 0 && moves < 7 {
				t.Errorf("got %d changes", moves)
			}
			thumb, err := Thumbnails(scenes.All, about.ID, "", themes, 160, 100, 1)
			if err != nil {
				t.Fatal(err)
			}
			// The scene bilevelcost measures times, and the scene log has its marker at the beginning.
			if about.ID != "bilevelcost" && about.ID != "log" && !bytes.Equal(thumb[0], films[0][7]) {
				t.Error("the last picture differs from the thumbnail")
			}
		})
	}
	if _, err := Film(scenes.All, "none", "", 8, nil, 160, 100, 1); err == nil {
		t.Error("an unknown scene is not refused")
	}
}
