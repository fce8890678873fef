package browser

import (
	"image"
	"image/png"
	"math"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// The picture that a scene arrives with stands where the live one will be, with every panel at its place: when the
// live one comes nothing moves.
func TestPreviewInItsPlace(t *testing.T) {
	t.Parallel()
	for name, screen := range map[string]option{"1440×900": size(1440, 900), "390×844": touchScreen(390, 844)} {
		t.Run(name, func(t *testing.T) {
			// A screenshot has no scroll bars: with them it would not be of the page that was there before.
			p := open(t, "#v=1&scene=fonseca", screen, with(emulation.SetScrollbarsHidden(true)), injecting(`
				if (window === top) {
					const place = (node) => { const {x, y, width, height} = node.getBoundingClientRect(); return [x, y, width, height]; };
					document.addEventListener('load', ({target}) => {
						if (target.id !== 'preview') return;
						window.previewed = {source: target.src, natural: target.naturalWidth / target.naturalHeight};
						// The last place before it goes is where the eye has it.
						new MutationObserver(() => { window.replaced ??= performance.now(); }).observe(target, {attributeFilter: ['hidden']});
						const look = () => {
							if (target.hidden || window.replaced) return;
							window.previewed.places = [...(window.previewed.places ?? []), place(target)];
							requestAnimationFrame(look);
						};
						look();
					}, true);
				}`))
			p.js(nil, `() => playground.ready`)
			p.until("the preview gone", `() => document.querySelector('#preview').hidden`)
			var seen struct {
				Source  string
				Natural float64
				Places  [][4]float64
			}
			p.js(&seen, `() => window.previewed`)
			live := p.box("#stage")
			if len(seen.Places) == 0 {
				t.Fatal("the preview was never seen")
			}
			for _, b := range seen.Places[len(seen.Places)/2:] { // the page may not have its words at first
				for i, want := range []float64{live.X, live.Y, live.Width, live.Height} {
					if math.Abs(b[i]-want) > 1 {
						t.Fatalf("the preview was at %v, the live picture is at %+v", b, live)
					}
				}
			}
			if shape := live.Width / live.Height; math.Abs(seen.Natural/shape-1) > 0.01 {
				t.Errorf("the picture's sides are as %.3f, its place has %.3f", seen.Natural, shape)
			}
			answer, err := http.Get(seen.Source)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			preview, err := png.Decode(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			// With the runs at their end, as the preview has them, both are the same picture.
			p.js(nil, `async () => { playground.pause(); await playground.step(playground.state().budget); }`)
			p.drawn()
			picture := p.picture("#stage")
			apart, moved := difference(preview, picture, 0), difference(preview, picture, 4)
			t.Logf("%.2f %% of the dots differ from the live picture's, %.2f %% if it is moved by four", 100*apart, 100*moved)
			if apart > moved/4 {
				t.Error("the panels are not where the preview has them")
			}
		})
	}
}

// difference is the share of the dots of a picture that differ clearly from the same place in another one,
// or from dots to the right of it.
func difference(a, b image.Image, right int) float64 {
	differ, all := 0, 0
	size, other := a.Bounds(), b.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() - right {
			r0, g0, b0, _ := a.At(size.Min.X+x, size.Min.Y+y).RGBA()
			r1, g1, b1, _ := b.At(other.Min.X+(x+right)*other.Dx()/size.Dx(), other.Min.Y+y*other.Dy()/size.Dy()).RGBA()
			all++
			for _, c := range [][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}} {
				if max(c[0], c[1])-min(c[0], c[1]) > 0x4000 {
					differ++
					break
				}
			}
		}
	}
	return float64(differ) / float64(all)
}
