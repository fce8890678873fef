package axes

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"paretoplay/internal/draw/brush"
)

var show = flag.String("show", "", "directory to write every picture to, in every format")

// track returns point i of an artificial run, which spirals from a start towards the origin.
func track(run, i int) (x, y float64) {
	a := float64(run) * 0.7
	r := (1.6 - 0.08*float64(run)) * math.Exp(-float64(i)/400)
	t := a + float64(i)/300
	return r * math.Cos(t), r * math.Sin(t)
}

var trackMethods = []string{"psmgd", "mgda", "ls", "pcgrad", "cagrad"}

// samplePanels returns panels with everything that a Plane can draw.
func samplePanels(theme *brush.Theme, runs, points int) []Panel {
	// Compute the tracks in advance, so that benchmarks measure only drawing.
	tracks := make([][2][]float64, runs)
	decay := make([][]float64, runs)
	for r := range runs {
		for i := range points {
			x, y := track(r, i)
			tracks[r][0], tracks[r][1] = append(tracks[r][0], x), append(tracks[r][1], y)
			decay[r] = append(decay[r], math.Exp(-float64(i)/float64(points)*(4+2*float64(r))))
		}
	}
	bowl := func(x, y float64) float64 { return math.Hypot(x-0.6, y-0.6) * math.Hypot(x+0.6, y+0.6) }
	var legend []Entry
	for i := range min(runs, len(trackMethods)) {
		legend = append(legend, EntryOf(theme.Look(trackMethods[i]), trackMethods[i]))
	}
	look := func(r int) brush.Look { return theme.Look(trackMethods[r%len(trackMethods)]) }
	decision := &Plane{
		Name: "decision", Heading: "Decision space",
		Text:  func() string { return "Runs in the plane." },
		Axes:  func() (x, y Axis) { return Axis{Label: "x_1", Min: -2, Max: 2}, Axis{Label: "x_2", Min: -2, Max: 2} },
		Equal: true,
		Legend: func(*brush.Theme) []Entry {
			return append([]Entry{{Label: "ω, small to large", Field: true}, {Label: "Pareto set",
				Stroke: brush.Stroke{Color: theme.Optimum, Width: 6}}}, legend...)
		},
		Sheets: func() []Sheet {
			return []Sheet{
				{Key: "field", Draw: func(b *brush.Brush) {
					b.Field(80, 80, bowl, 0, 4)
					b.Contours(60, 60, bowl, []float64{0.2, 0.5, 0.72, 1, 1.5, 2, 3, 4}, brush.Stroke{Color: theme.Rule, Width: 0.75})
					b.Line(2, func(i int) (float64, float64) { v := 1.2*float64(i) - 0.6; return v, v }, brush.Stroke{Color: theme.Optimum, Width: 6})
					b.Label(0.6, 0.6, "min f_1", brush.SmallText, theme.Ink, brush.RightOf)
					b.Label(-0.6, -0.6, "min f_2", brush.SmallText, theme.Ink, brush.LeftOf)
				}},
				{Draw: func(b *brush.Brush) {
					for r := range runs {
						l := look(r)
						b.Line(points, func(i int) (float64, float64) { return tracks[r][0][i], tracks[r][1][i] }, l.Stroke(1.75))
						x, y := track(r, points-1)
						b.Marker(x, y, l.Shape, 4.5, l.Hue, true)
					}
				}},
			}
		},
		Grips: func() []Grip {
			var grips []Grip
			for r := range runs {
				x, y := track(r, 0)
				grips = append(grips, Grip{
					ID: fmt.Sprintf("start-%d", r), Label: fmt.Sprintf("start of run %d", r+1),
					Value: fmt.Sprintf("x_1 = %.2f, x_2 = %.2f", x, y), Run: trackMethods[r%len(trackMethods)],
					X: x, Y: y, StepX: 0.05, StepY: 0.05, Look: look(r),
				})
			}
			return grips
		},
	}
	weights := &Plane{
		Name: "weights", Heading: "Weights λ over iterations",
		Axes: func() (x, y Axis) {
			return Axis{Label: "k", Min: 0, Max: 200, Integer: true}, Axis{Label: "λ_s", Min: 0, Max: 1}
		},
		Legend: func(*brush.Theme) []Entry {
			return []Entry{
				{Label: "λ_1", Stroke: brush.Stroke{Color: theme.Objective(0, 2), Width: 1.75}},
				{Label: "λ_2", Stroke: brush.Stroke{Color: theme.Objective(1, 2), Width: 1.75}},
				{Label: "weights renewed", Stroke: brush.Stroke{Color: theme.Muted, Width: 1}, Tick: true},
				{Label: "pause", Area: brush.Faded(theme.Rule, 0.2)},
			}
		},
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) {
				for o := range 2 {
					b.Line(201, func(i int) (float64, float64) {
						l := 0.5 + 0.4*math.Sin(float64(i/8))*math.Exp(-float64(i)/120)
						return float64(i), math.Abs(float64(o) - l)
					}, brush.Stroke{Color: theme.Objective(o, 2), Width: 1.75})
				}
				b.Ticks(26, func(i int) float64 { return float64(8 * i) }, brush.Stroke{Color: theme.Muted, Width: 1})
				b.VLine(42, brush.Stroke{Color: theme.Accent, Width: 1.5})
				b.Band(150, 170, brush.Faded(theme.Rule, 0.2))
			}}}
		},
	}
	stationarity := &Plane{
		Name: "stationarity", Heading: "Stationarity ‖∇F λ*‖ after η = 10^{−3} ½ · ω",
		Axes: func() (x, y Axis) {
			return Axis{Label: "backpropagations → ≤ × ² − αλωσΓμ", Min: 0, Max: 4000, Integer: true}, Axis{Label: "ω", Min: 1e-7, Max: 2, Log: true}
		},
		Legend: func(*brush.Theme) []Entry { return legend },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) {
				for r := range min(runs, len(trackMethods)) {
					l := look(r)
					b.Line(points, func(i int) (float64, float64) {
						return float64(i) * 4000 / float64(points), decay[r][i]
					}, l.Stroke(1.75))
				}
			}}}
		},
	}
	gradients := &Plane{
		Name: "gradients", Heading: "Gradients at the marker",
		Axes:  func() (x, y Axis) { return Axis{Min: -1, Max: 1.4}, Axis{Min: -1, Max: 1.4} },
		Equal: true,
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) {
				px, py := []float64{0, 1, 0.2}, []float64{0, 0.3, 1.1}
				b.Polygon(3, func(i int) (float64, float64) { return px[i], py[i] }, brush.Faded(theme.Rule, 0.2))
				for o := 1; o < 3; o++ {
					b.Arrow(0, 0, px[o], py[o], brush.Stroke{Color: theme.Objective(o-1, 2), Width: 2})
					b.Label(px[o], py[o], fmt.Sprintf("∇f_%d", o), brush.LabelText, theme.Ink, brush.RightOf)
				}
				l := theme.Look("psmgd")
				b.Arrow(0, 0, 0.55, 0.72, l.Stroke(2.5))
				b.Label(0.55, 0.72, "d = λ_1∇f_1 + λ_2∇f_2", brush.LabelText, theme.Ink, brush.Above)
				b.Marker(0, 0, l.Shape, 4, l.Hue, true)
			}}}
		},
	}
	return []Panel{decision, weights, stationarity, gradients}
}

// matrixPanel returns a panel with a heat map and no axes.
func matrixPanel(rows, cols int) Panel {
	return &Plane{
		Name: "matrix", Heading: "Transport plan Γ", Bare: true,
		Axes: func() (x, y Axis) { return Axis{Max: float64(cols)}, Axis{Max: float64(rows)} },
		Sheets: func() []Sheet {
			return []Sheet{{Key: "plan", Draw: func(b *brush.Brush) {
				b.Cells(rows, cols, func(r, c int) (float64, bool) {
					return float64(r*cols+c) / float64(rows*cols-1), (r+c)%4 != 3
				}, 0, 1)
			}}}
		},
	}
}

// pictured lists the methods in the golden picture. The list is fixed, so that new methods do not change the picture.
var pictured = strings.Fields("psmgd ls rlw si dwa uw mgda smg epo moosvgd sdmgrad moco modo crmogm pcgrad gradvac graddrop " +
	"upgrad cagrad famo imtlg nashmtl alignedmtl fairgrad forum forumexact moml bome bvfim nocleaning")

// markersPanel returns a panel that shows the looks of the pictured methods.
func markersPanel(theme *brush.Theme) Panel {
	return &Plane{
		Name: "looks", Heading: "Methods", Bare: true,
		Axes: func() (x, y Axis) { return Axis{Max: 4}, Axis{Max: 7} },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) {
				for i, name := range pictured {
					l := theme.Look(name)
					x, y := float64(i/6), 6.5-float64(i%6)
					b.Line(2, func(j int) (float64, float64) { return x + 0.3*float64(j), y }, l.Stroke(1.75))
					b.Marker(x+0.15, y, l.Shape, 4.5, l.Hue, true)
					b.Text(x+0.3, y, name, brush.LabelText, theme.Ink, brush.RightOf)
				}
			}}}
		},
	}
}

type picture struct {
	name          string
	width, height vg.Length
	theme         *brush.Theme
	panels        []Panel
	only          string
	tooltip       vg.Point // not drawn if it is the origin
}

func pictures() []picture {
	var all []picture
	for _, t := range []*brush.Theme{brush.Light, brush.Dark} {
		all = append(all,
			picture{"wide-" + t.Name, 1000, 640, t, samplePanels(t, 5, 400), "", vg.Point{}},
			picture{"phone-" + t.Name, 360, 420, t, samplePanels(t, 5, 400), "decision", vg.Point{X: 250, Y: 200}},
			picture{"smallest-" + t.Name, 320, 300, t, samplePanels(t, 5, 400), "weights", vg.Point{X: 310, Y: 280}},
			picture{"matrix-" + t.Name, 800, 320, t, []Panel{matrixPanel(5, 8), markersPanel(t)}, "", vg.Point{}},
		)
	}
	return all
}

func TestGoldenPictures(t *testing.T) {
	kept, err := filepath.Glob("testdata/*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range kept {
		if !slices.ContainsFunc(pictures(), func(p picture) bool { return p.name+".png" == filepath.Base(file) }) {
			t.Errorf("no test compares a picture with %s", file)
		}
	}
	for _, p := range pictures() {
		placed := Arrange(p.width, p.height, p.panels, p.only)
		var got bytes.Buffer
		c := vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(72), vgimg.UseBackgroundColor(p.theme.Paper))
		Draw(draw.New(c), placed, p.theme, false)
		if p.tooltip != (vg.Point{}) {
			DrawTooltip(draw.New(c), p.theme, Pick{Lines: []string{
				"psmgd, k = 42", "x_1 = 0.513, x_2 = −0.250", "‖∇F λ‖ = 3.1·10^{−4}",
			}}, p.tooltip)
		}
		if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&got); err != nil {
			t.Fatal(err)
		}
		if *show != "" {
			writeAll(t, *show, p, placed)
			if err := os.WriteFile(filepath.Join(*show, p.name+"-1x.png"), got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join("testdata", p.name+".png")
		if *cmpimg.GenerateTestData { // the flag -regen
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// Some processors fuse multiplications and additions, so allow a difference of a tenth of the range from black to
		// white.
		same, err := cmpimg.EqualApprox("png", got.Bytes(), want, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		if !same {
			bad := filepath.Join(t.ArtifactDir(), p.name+".png")
			if err := os.WriteFile(bad, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s differs from its golden picture; look at both, then make regen-golden", p.name)
		}
	}
}

// writeAll writes a picture in every format, for visual inspection.
func writeAll(t *testing.T, dir string, p picture, placed []Placed) {
	t.Helper()
	for format, write := range map[string]func(*bytes.Buffer) error{
		"png": func(b *bytes.Buffer) error { return WritePNG(b, p.width, p.height, 2, p.theme, placed) },
		"svg": func(b *bytes.Buffer) error {
			return (&Figure{Width: p.width, Height: p.height, Theme: p.theme, Placed: placed}).WriteSVG(b)
		},
		"pdf": func(b *bytes.Buffer) error {
			return (&Figure{Width: p.width, Height: p.height, Theme: p.theme, Placed: placed}).WritePDF(b)
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, p.name+"."+format), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
