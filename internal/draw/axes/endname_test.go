package axes

import (
	"math"
	"strings"
	"testing"

	"paretoplay/internal/draw/brush"
)

// named returns a plane with named curves that end at the given heights.
func named(heights ...float64) *Plane {
	titles := []string{"MGDA", "PSMGD", "FORUM"}
	return &Plane{
		Name: "named", Heading: "Named",
		Axes: func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Ends: func(t *brush.Theme) (out []EndName) {
			for i, y := range heights {
				out = append(out, EndName{Text: titles[i], Y: y, Look: t.Look(strings.ToLower(titles[i]))})
			}
			return out
		},
		Legend: func(t *brush.Theme) (out []Entry) {
			for _, title := range titles {
				out = append(out, EntryOf(t.Look(strings.ToLower(title)), title))
			}
			return out
		},
	}
}

// legendOf returns the labels of the legend in a frame.
func legendOf(p *Plane, f brush.Frame) string {
	var words []string
	for _, e := range p.layout(f).legend {
		words = append(words, e.Label)
	}
	return strings.Join(words, " ")
}

func TestEndNames(t *testing.T) {
	wide := brush.Frame{Width: 640, Height: 400, Theme: brush.Light, Detail: brush.Full}
	narrow := wide
	narrow.Width = endNamesFrom - 1
	for _, tt := range []struct {
		name    string
		heights []float64
		frame   brush.Frame
		legend  string
	}{
		{"two named, one not", []float64{0.5, 0.5}, wide, "FORUM"},
		{"all named", []float64{0, 1, math.NaN()}, wide, ""},
		{"a curve alone needs no name", []float64{0.5}, wide, "MGDA PSMGD FORUM"},
		{"no room", []float64{0.5, 0.5}, narrow, "MGDA PSMGD FORUM"},
	} {
		if got := legendOf(named(tt.heights...), tt.frame); got != tt.legend {
			t.Errorf("%s: got legend %q, want %q", tt.name, got, tt.legend)
		}
	}
	with, without := named(0.5, 0.5).layout(wide).data.Max.X, named(0.5).layout(wide).data.Max.X
	if with >= without {
		t.Errorf("with names the axes end at %g, without at %g", with, without)
	}
}

func TestEndNamesApart(t *testing.T) {
	const low, high = 100, 200
	for _, ends := range [][]float64{
		{150, 150, 150}, {0, 0, 0}, {1000, 1000}, {101, 100, 199}, {math.NaN(), 100, math.NaN()}, {math.Inf(1), math.Inf(-1)},
	} {
		got := spread(ends, low, high)
		for i, y := range got {
			if !(y >= low && y <= high) {
				t.Errorf("%v: got the name of %g at %g", ends, ends[i], y)
			}
			for j := range i {
				if math.Abs(float64(y-got[j])) < endNameApart-1e-9 {
					t.Errorf("%v: names at %g and %g", ends, got[j], y)
				}
				if ends[i] > ends[j] && y < got[j] {
					t.Errorf("%v: got names in another order than the ends: %v", ends, got)
				}
			}
		}
	}
	if got := spread([]float64{120, 180}, low, high); got[0] != 120 || got[1] != 180 {
		t.Errorf("names with room moved to %v", got)
	}
}
