package traininglog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// plane holds the gradients of a record, projected onto the plane of the two leading directions of their Gramian. Of
// all planes, this plane keeps the largest share of the squared lengths.
type plane struct {
	x, y  []float64 // coordinates of each gradient
	share float64   // share of the sum of squared lengths in the plane, from 0 to 1
}

// maxSweeps is the maximum number of rounds of Jacobi's method. Each of its last rounds squares the error.
const maxSweeps = 30

// principal returns the coordinates of vectors with the given n×n Gramian on their principal axes, one vector per row.
// The first coordinate has the maximum share of the squared lengths.
func principal(gramian []float64, n int) [][]float64 {
	a, v := append([]float64(nil), gramian...), make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	for turned, round := true, 0; turned && round < maxSweeps; round++ {
		turned = false
		for p := range n {
			for q := p + 1; q < n; q++ {
				turned = rotate(a, v, n, p, q) || turned
			}
		}
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(a[l*n+l], a[k*n+k]) })
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	for axis, k := range order {
		length, mean := math.Sqrt(max(0, a[k*n+k])), 0.0
		for i := range n {
			out[i][axis] = v[i*n+k] * length
			mean += out[i][axis]
		}
		if mean < 0 { // point the mean to the right, so that pictures do not flip between records
			for i := range n {
				out[i][axis] = -out[i][axis]
			}
		}
	}
	return out
}

// flatten returns the plane that keeps the largest share of the squared lengths of vectors with the given n×n Gramian.
// Two vectors fit into the plane exactly.
func flatten(gramian []float64, n int) plane {
	out := plane{x: make([]float64, n), y: make([]float64, n), share: 1}
	all, shown := 0.0, 0.0
	for i, row := range principal(gramian, n) {
		out.x[i] = row[0]
		if n > 1 {
			out.y[i] = row[1]
		}
		all += portable.Dot(row, row)
		shown += float64(out.x[i]*out.x[i]) + float64(out.y[i]*out.y[i])
	}
	if all > 0 {
		out.share = min(1, shown/all)
	}
	return out
}

// detail returns how to open the current step in the lab. Two or three gradients become arrows, and more than three
// gradients become the rows of a file.
func (s *Scene) detail() *scene.DetailScene {
	if s.log == nil || s.log.Objectives() < 2 {
		return nil
	}
	n := s.log.Objectives()
	gramian := make([]float64, n*n)
	s.log.Products(gramian, s.record())
	rows := principal(gramian, n)
	out := &scene.DetailScene{Words: fmt.Sprintf("Open step %d in the lab", s.log.Step(s.record())), Scene: "lab"}
	var lines []string
	for _, row := range rows {
		cells := make([]string, n)
		for k, v := range row {
			cells[k] = strconv.FormatFloat(v, 'g', 6, 64)
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	switch {
	case n == 2:
		out.Values = map[string]string{"view": "plane", "gradients": strings.Join(lines, ";")}
	case n == 3:
		out.Values = map[string]string{"view": "space", "gradients3": strings.Join(lines, ";")}
	default:
		out.Data = strings.Join(lines, "\n") + "\n"
	}
	return out
}

// rotate zeroes entry (p, q) of a symmetric matrix by a rotation. It applies the rotation to v too, and reports whether the entry was
// not negligible. Source: Golub G H and Van Loan C F: Matrix Computations, 4th edition, section 8.5.
func rotate(a, v []float64, n, p, q int) bool {
	const negligible = 1e-15 // relative to the diagonal
	if math.Abs(a[p*n+q]) <= negligible*(math.Abs(a[p*n+p])+math.Abs(a[q*n+q])) {
		return false
	}
	tau := (a[q*n+q] - a[p*n+p]) / (2 * a[p*n+q])
	t := math.Copysign(1, tau) / (math.Abs(tau) + portable.Hypot(1, tau))
	c := 1 / portable.Hypot(1, t)
	s := t * c
	for k := range n {
		x, y := a[k*n+p], a[k*n+q]
		a[k*n+p], a[k*n+q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range n {
		x, y := a[p*n+k], a[q*n+k]
		a[p*n+k], a[q*n+k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
		x, y = v[k*n+p], v[k*n+q]
		v[k*n+p], v[k*n+q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	a[p*n+q], a[q*n+p] = 0, 0
	return true
}

// outward lists the sides for a gradient's label in order of preference: first for gradients that point right, then for those that
// point left.
var outward = [2][]brush.Align{axes.Rightward, {{X: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}, {Y: 1}, {Y: -1}, {X: 1}}}

// gradientsPanel shows the gradients of the record at the marker as arrows.
func (s *Scene) gradientsPanel() axes.Panel {
	p := &axes.Plane{Name: "gradients", Heading: "Gradients at the marker", Equal: true}
	var shown brush.Memo[gradientsKey, plane]
	now := func() plane {
		return shown.Of(gradientsKey{s.log, s.record()}, func() plane {
			n := s.log.Objectives()
			gramian := make([]float64, n*n)
			s.log.Products(gramian, s.record())
			return flatten(gramian, n)
		})
	}
	p.Axes = func() (x, y axes.Axis) {
		if s.waiting() != "" {
			return axes.Axis{Max: 1}, axes.Axis{Max: 1}
		}
		at, reach := now(), 0.0
		for i := range at.x {
			reach = max(reach, portable.Hypot(at.x[i], at.y[i]))
		}
		if reach == 0 {
			reach = 1
		}
		x = axes.Axis{Min: -1.25 * reach, Max: 1.25 * reach, Label: "in their best plane, relative to the longest", Short: "of the longest"}
		if len(at.x) <= 2 {
			x.Label, x.Short = "relative to the longest", "of the longest"
		}
		return x, axes.Axis{Min: x.Min, Max: x.Max}
	}
	p.Sheets = func() []axes.Sheet {
		if text := s.waiting(); text != "" {
			return axes.WordSheets(text)
		}
		return []axes.Sheet{{Draw: func(b *brush.Brush) {
			at, t := now(), b.Theme
			n := len(at.x)
			b.Origin()
			for i := range n {
				b.Arrow(0, 0, at.x[i], at.y[i], brush.Stroke{Color: t.Objective(i, n), Width: 1.75})
			}
			if b.Frame.Detail == brush.Thumbnail {
				return
			}
			if m := s.method(); m != nil {
				x, y := 0.0, 0.0
				for i, w := range m.Series.Weights[s.record()*n : (s.record()+1)*n] {
					x, y = x+float64(w*at.x[i]), y+float64(w*at.y[i])
				}
				look := t.Look(m.Name)
				b.Arrow(0, 0, x, y, look.Stroke(2.5))
				b.Marker(0.7*x, 0.7*y, look.Shape, 4.5, look.Hue, true)
			}
			if n <= maxPaired {
				names := axes.NewNames(b)
				for i, name := range s.log.Names() {
					sides := outward[0]
					if at.x[i] < 0 {
						sides = outward[1]
					}
					names.Put(axes.Name{X: at.x[i], Y: at.y[i], Text: name, Size: brush.SmallText, Sides: sides})
				}
				names.Draw()
			}
			if b.Frame.Detail == brush.Mini {
				b.Footnote(percent(at.share) + " of the squared lengths")
				return
			}
			b.Footnote(fmt.Sprintf("Step %d. This plane shows %s of the squared lengths.", s.log.Step(s.record()), percent(at.share)))
		}}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		m := s.method()
		if s.waiting() != "" || m == nil {
			return nil
		}
		return []axes.Entry{axes.EntryOf(t.Look(m.Name), title(m.Name)+", weights scaled to sum to 1")}
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		m := s.method()
		if s.waiting() != "" || m == nil {
			return nil
		}
		n := s.log.Objectives()
		return []axes.Entry{{Label: "gradients", Stroke: brush.Stroke{Color: t.Objective(0, n), Width: 1.75}},
			axes.EntryOf(t.Look(m.Name), title(m.Name))}
	}
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		return fmt.Sprintf("The %d gradients of step %d, in the plane that shows the largest share, %s, of their squared lengths.",
			s.log.Objectives(), s.log.Step(s.record()), percent(now().share))
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if s.waiting() != "" {
			return axes.Pick{}, false
		}
		plane, best, nearest := now(), -1, float64(2*brush.HitRadius(b.Frame.Touch))
		for i := range plane.x {
			tip := b.At(plane.x[i], plane.y[i])
			if d := portable.Hypot(float64(tip.X-at.X), float64(tip.Y-at.Y)); d < nearest {
				best, nearest = i, d
			}
		}
		if best < 0 {
			return axes.Pick{}, false
		}
		return axes.Pick{K: -1, At: b.At(plane.x[best], plane.y[best]), Lines: []string{s.log.Names()[best]}}, true
	}
	return p
}

type gradientsKey struct {
	log    any
	record int
}
