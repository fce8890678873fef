package browser

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

var lookMoments = flag.Bool("moments", false, "with -look: pictures of every scene 1, 5 and 12 seconds after it opens")

// moments lists when pictures are taken, in seconds after the first live frame. The pictures show what newcomers see if
// they touch nothing.
var moments = []int{1, 5, 12}

// TestLookAtMoments takes a picture of every scene at each of the moments, and writes the pictures to the folder given
// by -look, for visual inspection.
func TestLookAtMoments(t *testing.T) {
	if *look == "" || !*lookMoments {
		t.Skip("runs only with -look and -moments, as in make look-moments")
	}
	scenes := catalogue(t)
	if err := os.MkdirAll(*look, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		for _, theme := range themes {
			s := &sheet{view: v}
			for _, scene := range scenes {
				t.Run(fmt.Sprintf("%s/%s/%d", scene.ID, theme, v.width), func(t *testing.T) {
					p := ready(t, "#v=1&scene="+scene.ID, v.open())
					p.theme(theme)
					p.js(nil, `() => playground.reset()`)
					p.js(nil, `() => playground.play()`)
					opened := time.Now()
					for _, after := range moments {
						time.Sleep(time.Until(opened.Add(time.Duration(after) * time.Second)))
						at := shot{scene: scene.ID, card: fmt.Sprintf("%d-s", after)}
						data := p.window()
						save(t, file(at.name(), theme, v), data)
						s.add(t, at, data)
					}
				})
			}
			if len(s.scenes) > 0 {
				save(t, file("moments", theme, v), s.draw(t))
			}
		}
	}
}
