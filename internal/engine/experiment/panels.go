package experiment

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// key returns a picture's key, which changes whenever more of the experiment is computed.
func (g *grid) key(name string) string {
	done, _ := g.Parts()
	return fmt.Sprint(name, " ", done)
}

// Sheets returns one sheet, which is redrawn when more of the experiment is computed. Like Run, it is a function
// because every exported method is part of the page's program.
func Sheets[C any](g *Grid[C], name string, draw func(b *brush.Brush)) []axes.Sheet {
	return []axes.Sheet{{Key: g.key(name), Draw: draw}}
}

// Pending adds an entry to a legend while parts are missing. The argument words is a format such as "%d of %d runs".
func Pending[C any](g *Grid[C], entries []axes.Entry, words string) []axes.Entry {
	if done, wanted := g.Parts(); done < wanted {
		entries = append(entries, axes.Entry{Label: fmt.Sprintf(words, done, wanted)})
	}
	return entries
}

// DrawUpright draws an estimate above x, with a vertical whisker of the given width for its spread.
func DrawUpright(b *brush.Brush, x float64, e Estimate, width, radius vg.Length, look brush.Look) {
	if !e.Known() {
		return
	}
	if !math.IsNaN(e.Spread) {
		b.Line(2, func(end int) (float64, float64) { return x, e.Mean + float64(e.Spread*float64(2*end-1)) },
			brush.Stroke{Color: look.Hue, Width: width})
	}
	b.Marker(x, e.Mean, look.Shape, radius, look.Hue, true)
}

// DrawAcross draws an estimate at height y, with a horizontal whisker of the given width for its spread.
func DrawAcross(b *brush.Brush, y float64, e Estimate, width, radius vg.Length, look brush.Look) {
	if !e.Known() {
		return
	}
	if !math.IsNaN(e.Spread) {
		b.Line(2, func(end int) (float64, float64) { return e.Mean + float64(e.Spread*float64(2*end-1)), y },
			brush.Stroke{Color: look.Hue, Width: width})
	}
	b.Marker(e.Mean, y, look.Shape, radius, look.Hue, true)
}
