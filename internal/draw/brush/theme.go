package brush

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/portable"
)

// Theme holds the colours of a picture. Text on Paper has a contrast of at least 4.5:1. Important lines and markers have
// a contrast of at least 3:1.
type Theme struct {
	Name string // "light" or "dark", followed by " in print" for print

	// Print is true if the picture is only for reading. It then has no handles and no time marker.
	Print bool

	Paper    color.NRGBA // background
	Surface  color.NRGBA // background of items above the picture, such as tooltips
	Ink      color.NRGBA // headings and values
	Muted    color.NRGBA // labels
	Rule     color.NRGBA // axes, ticks and contours
	Hairline color.NRGBA // separators, for decoration only
	Accent   color.NRGBA // handles
	Optimum  color.NRGBA // true fronts and sets, which are translucent, wide, and below everything else

	field [256]color.NRGBA // tinted paper, from low to high
	ramp  [256]color.NRGBA // one hue, from paper to strong

	places [256]color.NRGBA // colours along a front
	looks  map[string]Look

	solutions []Look // looks of a run's solutions
	goals     []Look // looks of objectives, for methods that follow one objective at a time
}

// Light and Dark are the two themes. Callers must not modify them.
var (
	Light = newTheme(Theme{
		Name:     "light",
		Paper:    rgb(0xfcfcfb),
		Surface:  rgb(0xffffff),
		Ink:      rgb(0x1a1a1a),
		Muted:    rgb(0x5c6166),
		Rule:     rgb(0x7d8388),
		Hairline: rgb(0xdcdee0),
		Accent:   rgb(0x6d35c9),
		Optimum:  color.NRGBA{R: 0x1a, G: 0x1a, B: 0x1a, A: 0x38},
	}, lightLow, lightHigh, lightStrong)
	Dark = newTheme(Theme{
		Name:     "dark",
		Paper:    rgb(0x14171a),
		Surface:  rgb(0x1f2429),
		Ink:      rgb(0xe8e8e8),
		Muted:    rgb(0xa3a9af),
		Rule:     rgb(0x7c838a),
		Hairline: rgb(0x343a40),
		Accent:   rgb(0xb794f6),
		Optimum:  color.NRGBA{R: 0xe8, G: 0xe8, B: 0xe8, A: 0x40},
	}, 0.18, 0.11, rgb(0xa9cdf5))
)

// ThemeNamed returns the theme with the name "light" or "dark".
func ThemeNamed(name string) (*Theme, error) {
	switch name {
	case Light.Name:
		return Light, nil
	case Dark.Name:
		return Dark, nil
	}
	return nil, fmt.Errorf("unknown theme %.40q; available: light dark", name)
}

const (
	inPrint             = " in print"
	lightLow, lightHigh = 0.10, 0.19 // share of viridis in the light theme's field
)

var lightStrong = rgb(0x17406d)

// newTheme returns t with filled tables. The field's colours mix viridis into the paper. The share of viridis is low at
// the field's lower end and high at its upper end.
func newTheme(t Theme, low, high float64, strong color.NRGBA) *Theme {
	places := t.solutionColors()
	for i := range t.field {
		u := float64(i) / float64(len(t.field)-1)
		t.field[i] = mix(t.Paper, viridis(u), low+float64((high-low)*u))
		t.ramp[i] = mix(t.Paper, strong, u)
		t.places[i] = along(places, u)
	}
	// Compute the luminances only once, because every visitor of the page waits for this computation.
	behind := []float64{luminance(t.Paper)}
	for _, c := range t.field {
		behind = append(behind, luminance(c))
	}
	slices.Sort(behind)
	t.Rule = legible(t.Rule, t.Ink, behind)
	t.looks = make(map[string]Look, len(methods))
	for _, m := range methods {
		t.looks[m.name] = Look{Hue: legible(rgb(uint32(m.hue)), t.Ink, behind), Shape: m.shape, Dash: m.dash}
	}
	for _, g := range goals {
		t.goals = append(t.goals, Look{Hue: legible(rgb(g.hue), t.Ink, behind), Shape: g.shape})
	}
	t.solutions = t.solutionLooks()
	return &t
}

// legible moves a hue towards the ink, by as little as possible, until its contrast with all backgrounds is at least 3:1.
// behind holds the luminances of the backgrounds in ascending order: the paper and every colour of the field.
func legible(hue, ink color.NRGBA, behind []float64) color.NRGBA {
	const steps = 64
	for i := range steps {
		c := mix(hue, ink, float64(i)/steps)
		own := luminance(c)
		above, _ := slices.BinarySearch(behind, own)
		// The backgrounds with the luminances nearest to c's have the least contrast with c.
		if (above == 0 || contrast(own, behind[above-1]) >= 3) && (above == len(behind) || contrast(own, behind[above]) >= 3) {
			return c
		}
	}
	return ink
}

// Field returns the colour of a field at u in [0, 1], from low to high.
func (t *Theme) Field(u float64) color.NRGBA { return lookUp(&t.field, u) }

// FaintField returns the colour of Field, mixed with paper.
func (t *Theme) FaintField(u float64) color.NRGBA { return mix(t.Paper, t.Field(u), 0.45) }

// Spectrum returns the colour of one of many ordered items, where u in [0, 1] is the item's place in the order. The
// colours are plain viridis, for areas without lines or text.
func (t *Theme) Spectrum(u float64) color.NRGBA { return lookUp(&spectrum, u) }

// Ramp returns the colour of a matrix entry at u in [0, 1]. The colours have one hue, from paper at 0 to strong at 1.
func (t *Theme) Ramp(u float64) color.NRGBA { return lookUp(&t.ramp, u) }

func lookUp(table *[256]color.NRGBA, u float64) color.NRGBA {
	if !(u > 0) { // also NaN, as in an empty range
		return table[0]
	}
	last := float64(len(table) - 1)
	return table[int(math.Round(min(last, u*last)))]
}

// Objective returns the colour of objective i of m. The colours differ only in lightness, so that none has the hue of a
// method.
func (t *Theme) Objective(i, m int) color.NRGBA {
	if m < 2 {
		return t.Ink
	}
	return mix(t.Ink, t.Rule, float64(i)/float64(m-1))
}

// goals holds hues and markers of objectives, for methods that follow one objective at a time. The first hues are darker
// versions of the colours by Okabe & Ito that these methods do not use.
var goals = []struct {
	hue   uint32
	shape Shape
}{{0xb8307f, Circle}, {0x9c8600, Square}, {0x00808f, Triangle}, {0x8a4b20, Diamond}, {0x5d5f9e, DownTriangle}, {0x6b6f73, Plus}}

// Goal returns the look of the steps that follow objective k, for methods that follow one objective at a time. Hues and
// markers repeat after the sixth objective.
func (t *Theme) Goal(k int) Look { return t.goals[k%len(t.goals)] }

// OnColor returns black or white, whichever is more legible on c. The contrast is at least 4.5:1 on any opaque colour.
func OnColor(c color.Color) color.NRGBA {
	black, white := rgb(0), rgb(0xffffff)
	if Contrast(black, c) >= Contrast(white, c) {
		return black
	}
	return white
}

// Look describes the appearance of a method. The combination of hue, marker and dash is unique.
type Look struct {
	Hue   color.Color
	Shape Shape
	Dash  []vg.Length // nil means a solid line
}

// Stroke returns the look's line of the given width.
func (l Look) Stroke(width vg.Length) Stroke {
	return Stroke{Color: l.Hue, Width: width, Dash: l.Dash}
}

// Look returns the look of a method. For an unknown name, the look has the ink's colour.
func (t *Theme) Look(method string) Look {
	if l, ok := t.looks[method]; ok {
		return l
	}
	return Look{Hue: t.Ink, Shape: Circle}
}

// okabeIto is a hue of the palette by Okabe & Ito (2008), whose hues are distinct under all common kinds of colour
// blindness.
type okabeIto uint32

const (
	blue       okabeIto = 0x0072b2
	vermillion okabeIto = 0xd55e00
	orange     okabeIto = 0xe69f00
	skyBlue    okabeIto = 0x56b4e9
	green      okabeIto = 0x009e73
	yellow     okabeIto = 0xf0e442
	purple     okabeIto = 0xcc79a7
	grey       okabeIto = 0x999999
)

var (
	solid      []vg.Length
	dashed     = []vg.Length{7, 3}
	dotted     = []vg.Length{2, 3}
	dashDotted = []vg.Length{8, 3, 2, 3}
	longDashed = []vg.Length{12, 4}
)

// methods lists the look of every method. Each hue stands for a family of methods.
var methods = []struct {
	name  string
	hue   okabeIto
	shape Shape
	dash  []vg.Length
}{
	{"psmgd", blue, Circle, solid},

	// These weights ignore the geometry of the gradients.
	{"ls", grey, Ring, solid},
	{"rlw", grey, RingDiamond, dotted},
	{"si", grey, Plus, dashDotted},
	{"dwa", grey, RingSquare, dashed},
	{"uw", grey, RingTriangle, longDashed},

	// These methods use the min-norm point in the convex hull of the gradients.
	{"mgda", vermillion, Diamond, solid},
	{"smg", vermillion, Triangle, dashed},
	{"epo", vermillion, RingDiamond, dashDotted},
	{"moosvgd", vermillion, Plus, dotted},

	// These methods correct the min-norm point's bias under noise.
	{"sdmgrad", purple, Square, solid},
	{"moco", purple, Triangle, dashed},
	{"modo", purple, RingDiamond, dotted},
	{"crmogm", purple, Plus, dashDotted},
	{"excessmtl", purple, DownTriangle, longDashed},

	// These methods remove conflicts between gradients.
	{"pcgrad", green, Square, solid},
	{"gradvac", green, DownTriangle, dashed},
	{"graddrop", green, Plus, dotted},
	{"upgrad", green, RingTriangle, dashDotted},
	{"dualproj", green, RingDiamond, longDashed},

	// These methods serve the worst objective, or transform the losses.
	{"cagrad", orange, Triangle, solid},
	{"famo", orange, RingSquare, dashed},
	{"gls", orange, Plus, dotted},
	{"stch", orange, RingTriangle, dashDotted},

	// These methods seek equal shares, by projections, bargaining or alignment.
	{"imtlg", skyBlue, DownTriangle, solid},
	{"nashmtl", skyBlue, Plus, dashed},
	{"alignedmtl", skyBlue, RingSquare, dotted},
	{"config", skyBlue, RingDiamond, dashDotted},
	{"dbmtl", skyBlue, RingTriangle, longDashed},

	// These methods seek fair shares of the gains, or similar speeds of progress.
	{"fairgrad", yellow, RingDiamond, solid},
	{"gradnorm", yellow, Diamond, dashed},

	// These methods minimise one objective and limit the others.
	{"epsilon", yellow, RingSquare, longDashed},

	// These are two-level methods: first-order methods, methods that differentiate the lower level's loop (moco is above),
	// first-order methods for one upper objective, and others.
	{"forum", blue, Square, solid},
	{"forumexact", blue, RingSquare, dashed},
	{"forumreleased", blue, Plus, dotted},
	{"moml", vermillion, DownTriangle, longDashed},
	{"bome", green, Diamond, longDashed},
	{"bvfim", skyBlue, Diamond, dashDotted},
	{"nocleaning", grey, DownTriangle, solid},
	{"validationonly", grey, Diamond, dashed},

	// In these methods, several solutions share many objectives: by transport, by transport with parts omitted or
	// replaced, and by fixed sums (mgda, epo and moosvgd are above).
	{"most", blue, Diamond, solid},
	{"most-noreg", blue, RingTriangle, dashed},
	{"most-nocl", blue, DownTriangle, dashDotted},
	{"most-o", orange, Circle, solid},
	{"most-m", purple, Circle, dashed},
	{"most-l", green, Circle, solid},
	{"wmgda", yellow, Circle, dotted},
	{"most-e", skyBlue, Circle, longDashed},
	{"linearization", grey, Circle, solid},

	// These are transport solvers: an exact one, one with proximal steps, and one that blurs the plan.
	{"exact", skyBlue, Square, solid},
	{"ipot", vermillion, Square, solid},
	{"sinkhorn", green, Triangle, solid},

	// With these methods, a server combines the clients' updates: by an average, an average of clients that stay near
	// the server's model, or the shortest sum of unit vectors.
	{"fedavg", yellow, Square, longDashed},
	{"fedprox", yellow, Triangle, dashDotted},
	{"fedmgda", orange, Diamond, dotted},

	// These are orders of samples: random, fixed, reversed, and determined by gradients. Lines are solid if all objectives
	// share one order, and for JoGBa.
	{"random", vermillion, Circle, solid},
	{"random-own", vermillion, Ring, dashed},
	{"once", grey, Square, solid},
	{"once-own", grey, Triangle, dotted},
	{"flipflop", purple, Diamond, solid},
	{"flipflop-own", purple, RingTriangle, dashed},
	{"randomflipflop", yellow, DownTriangle, solid},
	{"randomflipflop-own", yellow, RingTriangle, dashed},
	{"grab-shared", orange, Square, solid},
	{"grab-separate", green, Ring, dashed},
	{"jogba", blue, Triangle, solid},

	// These methods update one block at a time, follow one objective at a time, do both, or do neither.
	{"blocksmoo", blue, RingDiamond, solid},
	{"weightedsum", vermillion, RingSquare, longDashed},
	{"functionalternate", orange, DownTriangle, dashed},
	{"blockalternate", green, RingSquare, dashDotted},
}

// Contrast returns the contrast ratio of two opaque colours, from 1 to 21, as defined by WCAG 2.2.
func Contrast(a, b color.Color) float64 { return contrast(luminance(a), luminance(b)) }

// contrast returns the contrast ratio of two luminances.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance returns the relative luminance of WCAG 2.2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return float64(0.2126*linear(r)) + float64(0.7152*linear(g)) + float64(0.0722*linear(b))
}

// linear returns the intensity, from 0 to 1, of a 16-bit sRGB channel.
func linear(channel uint32) float64 {
	if channel%257 != 0 {
		return computeLinear(channel)
	}
	return linear8()[channel/257]
}

// linear8 returns the intensities of all values of an 8-bit channel.
var linear8 = sync.OnceValue(func() *[256]float64 {
	var table [256]float64
	for i := range table {
		table[i] = computeLinear(uint32(i) * 257)
	}
	return &table
})

func computeLinear(channel uint32) float64 {
	s := float64(channel) / math.MaxUint16
	if s <= 0.04045 {
		return s / 12.92
	}
	return portable.Pow((s+0.055)/1.055, 2.4)
}

// Faded returns c with its opacity multiplied by a in [0, 1].
func Faded(c color.Color, a float64) color.NRGBA {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(math.Round(float64(n.A) * a))
	return n
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// mix returns (1−u)·a + u·b for two opaque colours.
func mix(a, b color.NRGBA, u float64) color.NRGBA {
	f := func(x, y uint8) uint8 {
		return uint8(math.Round(float64((1-u)*float64(x)) + float64(u*float64(y))))
	}
	return color.NRGBA{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), A: 0xff}
}

// viridisAnchors holds samples of matplotlib's viridis at equal distances.
var viridisAnchors = [...]uint32{
	0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725,
}

// spectrum is the viridis table that both themes share.
var spectrum = func() (table [256]color.NRGBA) {
	for i := range table {
		table[i] = viridis(float64(i) / float64(len(table)-1))
	}
	return table
}()

func viridis(u float64) color.NRGBA {
	s := float64(u * float64(len(viridisAnchors)-1))
	i := min(int(s), len(viridisAnchors)-2)
	return mix(rgb(viridisAnchors[i]), rgb(viridisAnchors[i+1]), s-float64(i))
}

// Diverging returns the colour of a number u in [−1, 1]: paper at 0, one hue above 0, and another hue below.
func (t *Theme) Diverging(u float64) color.NRGBA {
	if u < 0 {
		return t.Tint(t.Goal(1).Hue, min(1, -u))
	}
	return t.Ramp(u)
}

// MaxMethods is the maximum number of methods that a picture distinguishes by colour.
const MaxMethods = 8
