package files

import (
	"bytes"
	"image/png"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/scenes"
)

// TestThumbnail checks that thumbnails have the requested size, and that they differ between a scene and its experiment
// and between themes.
func TestThumbnail(t *testing.T) {
	var seen [][]byte
	for _, card := range []string{"", "middle"} {
		files, err := Thumbnails(scenes.All, "fonseca", card, []*brush.Theme{brush.Dark, brush.Light}, 240, 150, 2)
		if err != nil {
			t.Fatal(err)
		}
		file := files[0]
		if bytes.Equal(file, files[1]) {
			t.Error("both themes look alike")
		}
		config, err := png.DecodeConfig(bytes.NewReader(file))
		if err != nil || config.Width != 480 || config.Height != 300 {
			t.Errorf("card %q: got %d × %d, error %v; want 480 × 300", card, config.Width, config.Height, err)
		}
		seen = append(seen, file)
	}
	if bytes.Equal(seen[0], seen[1]) {
		t.Error("the experiment's picture is the scene's")
	}
	if _, err := Thumbnails(scenes.All, "fonseca", "none", []*brush.Theme{brush.Light}, 240, 150, 1); err == nil {
		t.Error("an unknown experiment is not refused")
	}
}

// TestPoses checks that every pose belongs to an existing experiment and comes before its end.
func TestPoses(t *testing.T) {
	for of := range poses {
		s, err := newPicture(scenes.All, of[0], of[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := s.stand(poses[of]); err != nil {
			t.Fatal(err)
		}
		pending, err := s.Work(func() bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		if !pending && !s.Timeline().Running() {
			t.Errorf("%v: the pose is the end", of)
		}
	}
}
