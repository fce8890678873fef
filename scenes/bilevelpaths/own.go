package bilevelpaths

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// These text parameters define the problem.
const (
	textF1     = "F1"
	textF2     = "F2"
	textLower  = "f"
	textDefine = "define"
)

// These formulas define the paper's problem.
const (
	paperF1    = "(w1-1)^2 + (w2-a1)^2"
	paperF2    = "(w1-2)^2 + (w2-a1)^2"
	paperLower = "(w1-a1)^2 + (w2-a1)^2"
)

// texts holds the formulas of a problem with one upper and two lower variables.
type texts struct{ first, second, lower, define string }

// papers holds the default formulas, which define the paper's problem.
var papers = texts{paperF1, paperF2, paperLower, ""}

// reading is the result of parsing the texts. Its problem is nil if the texts have errors.
type reading struct {
	of      texts
	problem algo.LowerHessian
	faults  []scene.Fault
}

// read parses the problem. If the texts are the paper's, it returns the problem that is implemented in Go, whose
// solutions are known.
func (s *Scene) read() *reading {
	v := &s.values
	of := texts{v.F1, v.F2, v.Lower, v.Define}
	if s.reading != nil && s.reading.of == of {
		return s.reading
	}
	s.reading = &reading{of: of}
	if of == papers {
		s.reading.problem = problem.NewQuadraticBilevel()
		return s.reading
	}
	var all scene.Joined
	all.Add(textDefine, "", of.define)
	all.Add(textF1, "F1 = ", of.first)
	all.Add(textF2, "F2 = ", of.second)
	all.Add(textLower, "f = ", of.lower)
	p, err := formula.ParseBilevel(all.Text(), 1, 2)
	var at *formula.Error
	switch {
	case errors.As(err, &at):
		s.reading.faults = []scene.Fault{all.Fault(at)}
		return s.reading
	case err != nil:
		panic(err) // the parser returns no other errors
	}
	if _, _, m := p.Dims(); m != 2 {
		row := 1 + strings.Count(of.define[:strings.Index(of.define, "F3")], "\n")
		s.reading.faults = []scene.Fault{{Param: textDefine, Line: row, Column: 1, Length: 2, Text: "F3 is one objective too many; the " +
			"pictures show two"}}
		return s.reading
	}
	s.reading.problem = p
	return s.reading
}

// Faults implements scene.Faulty. It also reports formulas that have no value at a start point.
func (s *Scene) Faults() []scene.Fault {
	read := s.read()
	p, written := read.problem.(*formula.Bilevel)
	if !written {
		return read.faults
	}
	f := make([]float64, 3)
	for i, z := range s.values.startPoints() {
		if len(z) != 3 {
			continue // Restart reports this error
		}
		p.Values(f[:2], z)
		f[2] = p.Lower(z)
		for j, name := range []string{textF1, textF2, textLower} {
			if f[j]-f[j] == 0 {
				continue
			}
			out := scene.Fault{Param: name, Line: 1, Column: 1, Text: fmt.Sprintf("no value at start point %d, %s: %s", i+1, timeline.Vector(z),
				p.Fault(z))}
			text := s.Params().Text(name)
			if at := strings.Index(text, p.Fault(z)); at >= 0 {
				out.Column, out.Length = utf8.RuneCountInString(text[:at])+1, utf8.RuneCountInString(p.Fault(z))
			}
			return []scene.Fault{out}
		}
	}
	return nil
}

// own reports whether the problem is a custom one, whose solutions are unknown.
func (s *Scene) own() bool {
	_, papers := s.problem.(*problem.QuadraticBilevel)
	return !papers
}

// lowerAt returns the lower objective at a point of the plane of ω.
func (s *Scene) lowerAt(alpha float64, omega vector) float64 {
	s.point = space(alpha, omega)
	return s.problem.Lower(s.point[:])
}

// curvature returns ∇²_ωω f at a point.
func (s *Scene) curvature(z []float64) (rows [2]vector) {
	for i := range rows {
		var unit vector
		unit[i] = 1
		s.problem.HessianOmegaOmega(rows[i][:], z, unit[:])
	}
	return rows
}

// solve returns m⁻¹v, and reports whether m is positive definite.
func solve(m [2]vector, v vector) (vector, bool) {
	det := float64(m[0][0]*m[1][1]) - float64(m[0][1]*m[1][0])
	if !(m[0][0] > 0) || !(det > 1e-12*m[0][0]*math.Abs(m[1][1])) {
		return vector{}, false
	}
	return vector{(float64(m[1][1]*v[0]) - float64(m[0][1]*v[1])) / det, (float64(m[0][0]*v[1]) - float64(m[1][0]*v[0])) / det}, true
}

// moves returns dω*/dα, the rate at which the valley's bottom moves with α, from the second derivatives of f at a point.
// It is NaN where f is not strictly convex in ω.
func (s *Scene) moves(z []float64) vector {
	if !s.own() {
		return vector{1, 1}
	}
	var mixed vector
	s.problem.HessianOmegaAlpha(mixed[:], z, []float64{1})
	d, ok := solve(s.curvature(z), mixed.times(-1))
	if !ok {
		return vector{math.NaN(), math.NaN()}
	}
	return d
}

// bottom returns the bottom of the valley at α, searched downhill from a point. It returns NaN if the search fails.
func (s *Scene) bottom(alpha float64, from vector) vector {
	if !s.own() {
		return vector{alpha, alpha}
	}
	const limit, halvings = 60, 30
	none, at, value := vector{math.NaN(), math.NaN()}, from, s.lowerAt(alpha, from)
	for range limit {
		var g vector
		z := space(alpha, at)
		s.problem.LowerGradientOmega(g[:], z[:])
		rows := s.curvature(z[:])
		d, convex := solve(rows, g.times(-1))
		if !convex { // descend along the gradient
			size := math.Abs(rows[0][0]) + math.Abs(rows[1][1]) + math.Abs(rows[0][1])
			d = g.times(-1 / math.Max(size, 1e-300))
		}
		scale := 1 + portable.Hypot(at[0], at[1])
		length := portable.Hypot(d[0], d[1])
		switch {
		case length-length != 0:
			return none
		case convex && length <= 1e-9*scale:
			return at
		case length > scale:
			d = d.times(scale / length)
		}
		share, found := 1.0, false
		for range halvings {
			if next := at.plus(d.times(share)); s.lowerAt(alpha, next) <= value {
				at, value, found = next, s.lowerAt(alpha, next), true
				break
			}
			share /= 2
		}
		if !found {
			if convex && length <= 1e-6*scale { // only rounding error is left
				return at
			}
			return none
		}
	}
	return none
}

// bottomPoints is the number of valleys whose bottoms are searched for. The search ends after maxMissed consecutive
// failures.
const (
	bottomPoints = 61
	maxMissed    = 3
)

// findBottoms finds the bottoms of the valleys, from the first start to both ends of the visible range.
func (s *Scene) findBottoms() {
	s.bottoms = make([][3]float64, bottomPoints)
	at := func(i int) float64 { return s.lo + (s.hi-s.lo)*float64(i)/(bottomPoints-1) }
	begin := vector{(s.lo + s.hi) / 2, (s.lo + s.hi) / 2}
	first := bottomPoints / 2
	if len(s.starts) > 0 {
		begin = vector(s.starts[0][1:])
		first = int(math.Round((s.starts[0][0] - s.lo) / (s.hi - s.lo) * (bottomPoints - 1)))
	}
	follow := func(from, by int, omega vector) {
		missed := 0
		for i := from; i >= 0 && i < bottomPoints; i += by {
			found := vector{math.NaN(), math.NaN()}
			if missed < maxMissed {
				found = s.bottom(at(i), omega)
			}
			s.bottoms[i] = space(at(i), found)
			if missed++; found[0]-found[0] == 0 {
				omega, missed = found, 0
			}
		}
	}
	follow(first, 1, begin)
	if here := vector(s.bottoms[first][1:]); here[0]-here[0] == 0 {
		begin = here
	}
	follow(first-1, -1, begin)
}

// drawBottoms draws the bottoms that were found and are visible.
func (s *Scene) drawBottoms(line func(n int, at func(i int) (x, y float64), stroke brush.Stroke), flat func(z [3]float64) (x, y float64),
	stroke brush.Stroke) {
	line(len(s.bottoms), func(i int) (x, y float64) {
		z := s.bottoms[i]
		if !(math.Min(z[1], z[2]) >= s.lo && math.Max(z[1], z[2]) <= s.hi) {
			return math.NaN(), math.NaN()
		}
		return flat(z)
	}, stroke)
}

// finest is the number of grid cells, in each direction, with which a custom lower level is drawn. For costly formulas
// the number is reduced, but not below coarsest, so that a frame takes about pictureWork multiplications at most.
const (
	finest, coarsest = 48, 12
	pictureWork      = 4_000_000
)

// parts returns the number of grid cells, in each direction, for the current formulas.
func (s *Scene) parts() int {
	return min(max(int(math.Sqrt(pictureWork/float64(algo.LabourOf(s.problem, 3)))), coarsest), finest)
}

// drawOwnLandscape draws the valley of a custom lower level: the square root of f's height above its minimum in the
// window. With the root, the contours of a round valley are equally spaced.
func (s *Scene) drawOwnLandscape(b *brush.Brush, t *step) {
	x0, x1, y0, y1 := b.Bounds()
	lo, hi, n := math.Inf(1), math.Inf(-1), s.parts()
	for i := range n * n {
		x, y := float64(i%n)/float64(n-1), float64(i/n)/float64(n-1)
		if v := s.lowerAt(t.alpha, vector{x0 + float64((x1-x0)*x), y0 + float64((y1-y0)*y)}); v-v == 0 {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if bottom := s.bottom(t.alpha, t.omega); bottom[0]-bottom[0] == 0 {
		lo = math.Min(lo, s.lowerAt(t.alpha, bottom))
	}
	height := func(x, y float64) float64 {
		v := math.Sqrt(math.Max((s.lowerAt(t.alpha, vector{x, y})-lo)/math.Max(hi-lo, 1e-300), 0))
		if math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	b.Field(n, n, func(x, y float64) float64 { return 1 - height(x, y) }, 0, 1)
	levels := make([]float64, len(valley))
	for i, r := range valley {
		levels[i] = r / (valley[0] + 0.1)
	}
	b.Contours(n+1, n+1, height, levels, brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.5), Width: 0.75})
	s.drawBottoms(b.Line, func(z [3]float64) (x, y float64) { return z[1], z[2] }, optimaStroke(b.Theme))
}

// objectiveAxes returns the axes of the upper objectives. Each axis spans the values of all runs so far and ends at
// round numbers.
func (s *Scene) objectiveAxes() (x, y axes.Axis) {
	const rows = 48 // number of rows read from each run
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, r := range s.Timeline().Tracks() {
		for i := range rows {
			row := r.Kept(i * (r.Len() - 1) / (rows - 1))
			for j, v := range row.F {
				if math.Abs(v) < 1e12 {
					lo[j], hi[j] = math.Min(lo[j], v), math.Max(hi[j], v)
				}
			}
		}
	}
	axis := func(j int, label string) axes.Axis {
		if !(lo[j] <= hi[j]) {
			lo[j], hi[j] = 0, 1
		}
		size := math.Max(math.Max(hi[j]-lo[j], 1e-6*math.Abs(hi[j])), 1e-9)
		step := axes.RoundUp(size/8, 1, 2, 5)
		return axes.Axis{Label: label, Min: step * (math.Floor(lo[j]/step) - 1), Max: step * (math.Ceil(hi[j]/step) + 1)}
	}
	return axis(0, "F_1"), axis(1, "F_2")
}

// arrivedOwn returns a text for a problem whose solutions are unknown. It says how far the runs are, at most, from the
// bottoms of their valleys.
func (s *Scene) arrivedOwn() string {
	const unknown = "The solutions of these formulas are unknown."
	worst := 0.0
	for _, r := range s.Timeline().Tracks() {
		z := s.Timeline().Shown(r).X
		bottom := s.bottom(z[0], vector(z[1:]))
		if bottom[0]-bottom[0] != 0 {
			return unknown + " No bottom of the valley was found for " + r.Label() + "."
		}
		worst = math.Max(worst, bottom.distance(vector(z[1:])))
	}
	return unknown + " The lower level is at most " + timeline.Number(worst) + " away from the bottom of its valley."
}
