package sweeps

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// StepPath draws each step of the selected run separately, if its method treats objectives in turn. A step has the
// colour of the objective whose gradient it followed, and ends in that objective's marker.
type StepPath struct {
	Timeline *timeline.Timeline
	// Point returns where a row is drawn. It may return intermediate positions while the row at the marker is moving.
	Point func(timeline.Row) (x, y float64)
	// Moved returns the shown fraction, from 0 to 1, of the step that leads to the marker.
	Moved func() float64

	strokes [][][4]float64 // scratch space for one picture
}

const (
	// maxDrawn is the maximum number of steps that are drawn separately.
	maxDrawn = 1200
	// StepSign is the radius of an objective's marker at the end of a step.
	StepSign = 3.5
)

// ages lists line widths and marker sizes by age. The age of a step is the number of outer iterations from the step to
// the marker. The entry for an age is the first one whose field before exceeds that age.
var ages = [...]struct{ before, width, sign vg.Length }{{1, 4, StepSign}, {4, 3, 3}, {math.MaxInt32, 2.25, 2.5}}

// StepEntries returns the legend entries for the steps of q objectives.
func StepEntries(t *brush.Theme, q int) (out []axes.Entry) {
	for k := range q {
		look := t.Goal(k)
		out = append(out, axes.Entry{Label: fmt.Sprintf("for f_%d", k+1), Stroke: look.Stroke(ages[0].width), Shape: look.Shape, Fill: look.Hue})
	}
	return out
}

// Long reports whether there are too many steps to draw them all.
func (p *StepPath) Long() bool { return p.Timeline.Marker() > maxDrawn }

// Covers reports whether all steps of a run are drawn, so that they replace its path.
func (p *StepPath) Covers(r timeline.Track) bool {
	return r == p.Timeline.Selected() && Alternates(r.Method) && !p.Long()
}

// Draw draws the last steps: bold in the marker's outer iteration, and thinner before it. If steps within a visit to a
// block turn back, Draw shifts all steps to the right, so that the two directions can be distinguished.
func (p *StepPath) Draw(b *brush.Brush) {
	r := p.Timeline.Selected()
	if r.Run == nil || !Alternates(r.Method) {
		return
	}
	q := len(r.Kept(0).F)
	k := min(p.Timeline.Marker(), r.Last())
	steps := Steps(r.Run)
	now := max(0, k-1) / steps // the outer iteration of the step that led to x_k
	strokes := p.clearStrokes(q)
	last, from := r.Index(k), 0
	if !p.Covers(r) { // the run's path shows the earlier steps
		from = max(0, now-int(ages[1].before)+1) * steps
	}
	for i := r.Index(from); i < last; {
		row := r.Kept(i)
		outer, block := row.K/steps, row.Number(BlockName)
		end := i + 1
		for end < last && r.Kept(end).K/steps == outer && r.Kept(end).Number(BlockName) == block {
			end++
		}
		age := 0
		for vg.Length(now-outer) >= ages[age].before {
			age++
		}
		aside := vg.Length(0)
		if p.turnsBack(b, r, i, end) {
			const apart = 0.6 // shift, relative to the width of a step
			aside = apart * ages[age].width
		}
		for began := i; i < end; i++ {
			row, next := r.Kept(i), r.Kept(i+1)
			objective := row.Number(ObjectiveName)
			if !(objective >= 0) || next.K != row.K+1 || next.K == k && p.Moved() == 0 {
				began = i + 1
				continue
			}
			if r.Kept(began).Number(ObjectiveName) != objective {
				began = i
			}
			from, to := onTheRight(b.At(p.Point(r.Kept(began))), b.At(p.Point(next)), aside)
			const least = 1.5 // in pixels; shorter old steps would merge into a blot, so several steps for one objective are drawn as one
			if d := to.Sub(from); age > 0 && max(math.Abs(float64(d.X)), math.Abs(float64(d.Y))) < least {
				continue
			}
			began = i + 1
			x0, y0 := b.World(from)
			x1, y1 := b.World(to)
			of := &strokes[age*q+int(objective)]
			*of = append(*of, [4]float64{x0, y0, x1, y1})
			if next.K == k && b.Frame.Detail == brush.Full {
				nameStep(b, from, to, ObjectiveOf(objective))
			}
		}
	}
	for age := len(ages) - 1; age >= 0; age-- {
		for j := range q {
			list := strokes[age*q+j]
			b.Segments(len(list), func(i int) (x0, y0, x1, y1 float64) { return list[i][0], list[i][1], list[i][2], list[i][3] },
				b.Theme.Goal(j).Stroke(ages[age].width))
		}
		signSteps(b, strokes[age*q:(age+1)*q], ages[age].sign)
	}
}

// signSteps draws the objectives' markers at the ends of steps that are longer than a marker.
func signSteps(b *brush.Brush, strokes [][][4]float64, radius vg.Length) {
	for j, list := range strokes {
		look := b.Theme.Goal(j)
		for _, step := range list {
			d := b.At(step[2], step[3]).Sub(b.At(step[0], step[1]))
			if vg.Length(portable.Hypot(float64(d.X), float64(d.Y))) > 3*radius {
				b.Marker(step[2], step[3], look.Shape, radius, look.Hue, true)
			}
		}
	}
}

// turnsBack reports whether any step of r into a row k, from < k ≤ end, goes against the first of these steps.
func (p *StepPath) turnsBack(b *brush.Brush, r timeline.Track, from, end int) bool {
	var first vg.Point
	for i := from; i < end; i++ {
		d := b.At(p.Point(r.Kept(i + 1))).Sub(b.At(p.Point(r.Kept(i))))
		if first == (vg.Point{}) {
			first = d
		}
		if first.Dot(d) < 0 {
			return true
		}
	}
	return false
}

// clearStrokes returns empty strokes for q objectives and every entry of ages.
func (p *StepPath) clearStrokes(q int) [][][4]float64 {
	if len(p.strokes) != q*len(ages) {
		p.strokes = make([][][4]float64, q*len(ages))
	}
	for i := range p.strokes {
		p.strokes[i] = p.strokes[i][:0]
	}
	return p.strokes
}

// onTheRight returns the ends of a step on the screen, shifted to its right by aside pixels.
func onTheRight(from, to vg.Point, aside vg.Length) (at, end vg.Point) {
	d := to.Sub(from)
	length := vg.Length(portable.Hypot(float64(d.X), float64(d.Y)))
	if !(length > 0) {
		return from, to
	}
	right := vg.Point{X: aside * d.Y / length, Y: -aside * d.X / length}
	return from.Add(right), to.Add(right)
}

// ObjectiveOf returns the name of the objective whose gradient a step followed, from the recorded value.
func ObjectiveOf(objective float64) string {
	if objective == blocks.Together {
		return "F_m"
	}
	return fmt.Sprintf("f_%d", int(objective)+1)
}

// nameStep writes the name of the followed objective beside the middle of a step, unless it would touch the run's marker
// at the end.
func nameStep(b *brush.Brush, from, to vg.Point, name string) {
	d := to.Sub(from)
	length := portable.Hypot(float64(d.X), float64(d.Y))
	const least, reach = 10, 9 // in pixels
	if !(length >= least) {
		return
	}
	middle, words := from.Add(to).Scale(0.5), "for "+name
	side := brush.Align{X: math.Abs(float64(d.Y)) / length, Y: math.Abs(float64(d.X)) / length}
	marker := vg.Rectangle{Min: to.Sub(vg.Point{X: reach, Y: reach}), Max: to.Add(vg.Point{X: reach, Y: reach})}
	if !brush.Overlap(b.LabelArea(middle, words, brush.LabelText, side), marker) {
		b.LabelAt(middle, words, brush.LabelText, b.Theme.Ink, side)
	}
}
