package traininglog

import (
	"fmt"
	"image"
	"image/draw"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// pairing holds the S×S cosines between the gradients of a record, and the cosines averaged over its window. The
// averaged cosines are nil if the log has no second batch or if the window is incomplete.
type pairing struct {
	cosines, averaged []float64
	first, last       int64 // steps of the window
}

// pairsAt returns the cosines of a record.
func (s *Scene) pairsAt(record int) pairing {
	n := s.log.Objectives()
	out := pairing{cosines: make([]float64, n*n)}
	s.log.Cosines(out.cosines, record)
	from := record / s.values.Window * s.values.Window
	if to := from + s.values.Window; to <= s.log.Records() && s.log.HasCross() {
		out.averaged = make([]float64, n*n)
		s.log.Averaged(out.averaged, from, to)
		out.first, out.last = s.log.Step(from), s.log.Step(to-1)
	}
	return out
}

// conflicts returns the number of pairs with a negative cosine.
func conflicts(cosines []float64, n int) (count int) {
	for i := range n {
		for j := range i {
			if cosines[i*n+j] < 0 {
				count++
			}
		}
	}
	return count
}

type pairsKey struct {
	log            any
	record, window int
}

// pairsPanel shows the matrix of cosines at the marker. The cosines on the batch are below the diagonal, and the
// averaged cosines are above it.
func (s *Scene) pairsPanel() axes.Panel {
	var memo brush.Memo[pairsKey, pairing]
	now := func() pairing {
		return memo.Of(pairsKey{s.log, s.record(), s.values.Window}, func() pairing { return s.pairsAt(s.record()) })
	}
	p := &axes.Plane{Name: "pairs", Heading: "Pairs at the marker"}
	p.Axes = func() (x, y axes.Axis) {
		if s.waiting() != "" {
			return axes.Axis{Max: 1}, axes.Axis{Max: 1}
		}
		n := s.log.Objectives()
		x, y = axes.NumberedAxis(n, "", false), axes.NumberedAxis(n, "", true)
		x.Label = fmt.Sprintf("below the diagonal: step %d", s.log.Step(s.record()))
		if at := now(); at.averaged != nil {
			x.Label += fmt.Sprintf("; above: mean of steps %d to %d", at.first, at.last)
		}
		return x, y
	}
	p.Sheets = func() []axes.Sheet {
		if text := s.waiting(); text != "" {
			return axes.WordSheets(text)
		}
		return []axes.Sheet{{Key: fmt.Sprintf("pairs %p %d %d", s.log, s.record(), s.values.Window), Draw: func(b *brush.Brush) {
			drawPairs(b, now(), s.log.Objectives())
		}}}
	}
	p.Legend = cosineEntries
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if s.waiting() != "" || !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		n := s.log.Objectives()
		x, y := b.World(at)
		i, j := n-1-int(math.Round(y)), int(math.Round(x))
		if i < 0 || j < 0 || i >= n || j >= n || i == j {
			return axes.Pick{}, false
		}
		shown := now()
		lines := []string{s.pairName(i, j), "cosine on this batch " + timeline.Number(shown.cosines[i*n+j])}
		if shown.averaged != nil {
			lines = append(lines, fmt.Sprintf("averaged over %s %s", numeral.Counted(s.values.Window, "record"),
				timeline.Number(shown.averaged[i*n+j])))
		}
		return axes.Pick{K: -1, At: at, Lines: lines}, true
	}
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		at, n := now(), s.log.Objectives()
		text := fmt.Sprintf("%d of the %d pairs of gradients conflict at step %d", conflicts(at.cosines, n), n*(n-1)/2, s.log.Step(s.record()))
		if at.averaged != nil {
			text += fmt.Sprintf(", and %d when averaged over steps %d to %d", conflicts(at.averaged, n), at.first, at.last)
		}
		return text + "."
	}
	return p
}

// drawPairs paints the matrix as a picture with two dots per pixel. Each cell covers whole dots, so that its edges stay
// sharp.
func drawPairs(b *brush.Brush, at pairing, n int) {
	size := b.Canvas.Size()
	dots := func(length vg.Length) int { return max(1, int(math.Ceil(2*float64(length)/float64(n)))) }
	w, h := dots(size.X), dots(size.Y)
	gap := 0
	if min(w, h) >= 2*gappedRow {
		gap = 1
	}
	img := image.NewNRGBA(image.Rect(0, 0, n*w, n*h))
	for i := range n {
		for j := range n {
			of := at.cosines
			if j > i {
				of = at.averaged
			}
			if i == j || of == nil {
				continue
			}
			cell := image.Rect(j*w, i*h, (j+1)*w-gap, (i+1)*h-gap)
			draw.Draw(img, cell, image.NewUniform(cosineShade(b.Theme, of[i*n+j])), image.Point{}, draw.Src)
		}
	}
	b.Picture(img)
}
