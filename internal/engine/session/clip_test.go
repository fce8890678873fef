package session

import (
	"bytes"
	"image/gif"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/files"
	"paretoplay/scenes"
)

// TestClip checks that a clip is a valid GIF with at most 200 pictures from k = 0 to the marker. The clip must be the
// same at every call, and making it must not change the session. Its pictures must change with the runs. With -short
// the longest clip is not tested.
func TestClip(t *testing.T) {
	const maxFrames, leastDelay, maxDelay, clipRest = 200, 4, 15, 200 // delays are hundredths of a second
	t.Parallel()
	for _, c := range []struct {
		steps, frames int
	}{{300, 200}, {7, 8}} {
		if testing.Short() && c.steps > 100 {
			continue
		}
		s := programmed{"fonseca", "psmgd", c.steps, nil}.open(t)
		hash := do(t, s, "hash", "")
		file, err := s.Take("gif", files.Taking{Panel: ""})
		if err != nil {
			t.Fatal(err)
		}
		if do(t, s, "hash", "") != hash {
			t.Errorf("%d steps: the state has changed", c.steps)
		}
		if c.steps < maxFrames {
			if again, err := s.Take("gif", files.Taking{Panel: s.front()}); err != nil || !bytes.Equal(file.Data, again.Data) {
				t.Errorf("%d steps: a second clip differs, %v", c.steps, err)
			}
		}
		film, err := gif.DecodeAll(bytes.NewReader(file.Data))
		if err != nil || len(film.Image) != c.frames || file.Type != "image/gif" || !strings.HasSuffix(file.Name, ".gif") {
			t.Fatalf("%d steps: %v, %d pictures in %s, want %d", c.steps, err, len(film.Image), file.Name, c.frames)
		}
		if film.Delay[0] < leastDelay || film.Delay[0] > maxDelay || film.Delay[c.frames-1] != clipRest {
			t.Errorf("%d steps: delays %v", c.steps, film.Delay)
		}
		changed := 0
		for _, picture := range film.Image[1:] {
			if picture.Bounds().Dx() > 1 {
				changed++
			}
		}
		if changed < 5 { // the runs soon reach the front
			t.Errorf("%d steps: %d of %d pictures change", c.steps, changed, c.frames)
		}
	}
}

// TestClipOfSwarm checks that each picture shows the swarm at the picture's iteration: there must be bars in the colours of
// places only after points have ended.
func TestClipOfSwarm(t *testing.T) {
	t.Parallel()
	s := programmed{"fonseca", "mgda", 60, map[string]string{"swarm": "200"}}.open(t)
	work(t, s)
	before, _ := ended(t, s)
	file, err := s.Take("gif", files.Taking{Panel: "objective"})
	if err != nil {
		t.Fatal(err)
	}
	if now, _ := ended(t, s); now != before || now != 200 {
		t.Errorf("after the clip %v points have ended, before it %v", now, before)
	}
	film, err := gif.DecodeAll(bytes.NewReader(file.Data))
	if err != nil {
		t.Fatal(err)
	}
	pink := func(i int) (n int) {
		picture := film.Image[i]
		for y := picture.Rect.Min.Y; y < picture.Rect.Max.Y; y++ {
			for x := picture.Rect.Min.X; x < picture.Rect.Max.X; x++ {
				if r, g, b, a := picture.At(x, y).RGBA(); a > 0 && r > b+0x2000 && b > g+0x1000 {
					n++
				}
			}
		}
		return n
	}
	late := 0
	for i := 10; i < len(film.Image); i++ {
		late += pink(i)
	}
	// The first picture has this colour only in the key's sample.
	if first := pink(0); late < 5*first {
		t.Errorf("%d pixels are in the colours of places at k = 0, and %d change to them later", first, late)
	}
}

// TestClipRefuses checks that a clip is refused if nothing would move.
func TestClipRefuses(t *testing.T) {
	t.Parallel()
	for scene, want := range map[string]string{"lab": "has no iterations", "fonseca": "iteration 0 alone"} {
		s, err := New(scenes.All, scene)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Take("gif", files.Taking{Panel: ""}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", scene, err, want)
		}
	}
	s := programmed{"fonseca", "psmgd", 5, nil}.open(t)
	if _, err := s.Take("gif", files.Taking{Panel: "none"}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("unknown panel: got error %v", err)
	}
}

// TestTake checks that every kind of export gives a file, and that no two kinds have the same type.
func TestTake(t *testing.T) {
	t.Parallel()
	s := programmed{"fonseca", "psmgd", 5, nil}.open(t)
	var types []string
	for _, kind := range []string{"png", "svg", "pdf", "gif", "csv", "json", "go", "python"} {
		file, err := s.Take(kind, files.Taking{Width: 85})
		if err != nil || len(file.Data) == 0 || slices.Contains(types, file.Type) {
			t.Errorf("%s: %v, %d bytes of %s", kind, err, len(file.Data), file.Type)
		}
		types = append(types, file.Type)
	}
	if _, err := s.Take("bmp", files.Taking{}); err == nil || !strings.Contains(err.Error(), "png svg pdf gif csv json go python") {
		t.Error(err)
	}
}
