package browser

import (
	"fmt"
	"image"
	"image/png"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// TestPreviewInItsPlace: a scene's preview is in the place of the live picture, with every panel in its position, so
// that nothing moves when the live picture appears.
func TestPreviewInItsPlace(t *testing.T) {
	t.Parallel()
	for name, screen := range map[string]option{"1440×900": size(1440, 900), "390×844": touchScreen(390, 844)} {
		t.Run(name, func(t *testing.T) {
			// Screenshots have no scroll bars. If the page had scroll bars, a screenshot would show another layout than
			// the one before it.
			p := open(t, "#v=1&scene=transport", screen, with(chrome.HideScrollbars()), injecting(`
				if (window === top) {
					const place = (node) => { const {x, y, width, height} = node.getBoundingClientRect(); return [x, y, width, height]; };
					document.addEventListener('load', ({target}) => {
						if (target.id !== 'preview') return;
						window.previewed = {source: target.src, natural: target.naturalWidth / target.naturalHeight};
						// Visitors see the final position before the preview disappears.
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
				t.Fatal("the preview never appeared")
			}
			for _, b := range seen.Places[len(seen.Places)/2:] { // the page's texts may be missing at first
				for i, want := range []float64{live.X, live.Y, live.Width, live.Height} {
					if math.Abs(b[i]-want) > 1 {
						t.Fatalf("the preview was at %v, the live picture is at %+v", b, live)
					}
				}
			}
			if shape := live.Width / live.Height; math.Abs(seen.Natural/shape-1) > 0.01 {
				t.Errorf("the picture's sides have the ratio %.3f, its place has %.3f", seen.Natural, shape)
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
			// The preview shows the runs at their end, so the live picture must show them there too before the
			// comparison.
			p.js(nil, `async () => { playground.pause(); await playground.step(playground.state().budget); }`)
			p.drawn()
			picture := p.picture("#stage")
			apart, moved := difference(preview, picture, 0), difference(preview, picture, 4)
			t.Logf("%.2f %% of the dots differ from the live picture's, %.2f %% if it is moved by four", 100*apart, 100*moved)
			if apart > moved/4 {
				t.Error("the panels differ in position from the preview")
			}
		})
	}
}

// TestPreviewComesFirst: a visitor to a scene sees its picture before the program and the list of scenes arrive. The
// picture does not move when they arrive, nor when the live picture replaces it. The short form uses one theme on three
// screens.
func TestPreviewComesFirst(t *testing.T) {
	t.Parallel()
	screens := map[string]struct {
		screen option
		search string
	}{
		"1440×900": {size(1440, 900), ""}, "1024×768": {size(1024, 768), ""}, "768×1024": {size(768, 1024), ""},
		"390×844": {touchScreen(390, 844), ""}, "embedded": {size(900, 500), "?embed"}, "embedded small": {size(480, 400), "?embed"},
	}
	for name, on := range screens {
		for _, theme := range []string{"light", "dark"} {
			if testing.Short() && name+theme != "1440×900light" && name+theme != "390×844dark" && name+theme != "embeddedlight" {
				continue
			}
			t.Run(name+" "+theme, func(t *testing.T) {
				release := make(chan struct{})
				address := behind(t, func(r *http.Response) error {
					switch name := r.Request.URL.Path; {
					case strings.HasSuffix(name, ".wasm"):
						<-release
					case strings.HasSuffix(name, "/main.js"):
						time.Sleep(500 * time.Millisecond) // the page is usually painted before main.js arrives
					}
					return nil
				})
				p := open(t, address+on.search+"#v=1&scene=toy", on.screen, inTheme(theme), injecting(`
					if (window === top) {
						const fetched = fetch;
						const listed = new Promise((resolve) => { window.releaseList = resolve; });
						window.fetch = async (...of) => {
							if (String(of[0]).includes('scenes.json')) await listed;
							return fetched(...of);
						};
						window.places = new Set();
						const look = () => {
							const preview = document.querySelector('#preview');
							const {x, y, width, height} = preview?.getBoundingClientRect() ?? {};
							if (preview?.checkVisibility({visibilityProperty: true})) {
								places.add([x, y, width, height].join(' '));
							}
							requestAnimationFrame(look);
						};
						look();
					}`))
				p.until("the preview in sight", `() => {
					const preview = document.querySelector('#preview');
					return preview.naturalWidth > 0 && preview.checkVisibility({visibilityProperty: true});
				}`)
				var source string
				p.js(&source, `() => document.querySelector('#preview').src`)
				if !strings.HasSuffix(source, "-"+theme+".png") {
					t.Errorf("the preview is %s", source)
				}
				var described bool
				if p.js(&described, `() => document.querySelector('#scene').classList.contains('described')`); described {
					t.Fatal("the list of scenes was not held back")
				}
				p.js(nil, `() => releaseList()`)
				p.until("the controls", `() => document.querySelector('#scene').classList.contains('described')`)
				p.until("the live picture's document", `() => document.querySelector('#stage').contentDocument?.readyState === 'complete'`)
				p.until("nothing but the preview", `() => getComputedStyle(document.querySelector('#stage')).opacity === '0'`)
				close(release)
				p.js(nil, `() => playground.ready`)
				p.until("the preview gone", `() => document.querySelector('#preview').hidden`)
				live := p.box("#stage")
				place := fmt.Sprint(live.X, live.Y, live.Width, live.Height)
				var places []string
				p.js(&places, `() => [...places]`)
				if !slices.Equal(places, []string{place}) {
					t.Errorf("the preview was at %q, the live picture is at %s", places, place)
				}
			})
		}
	}
}

// inTheme emulates a system that prefers a theme.
func inTheme(name string) option {
	return with(chrome.Prefer(chrome.Feature{Name: "prefers-color-scheme", Value: name}))
}

// difference returns the share of a picture's dots that clearly differ from another picture. It compares each dot of a
// with a dot of b that is farther to the right by the given number of dots.
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
