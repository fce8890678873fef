package cleaning

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// setNames are the names of the data sets.
var setNames = [problem.HyperCleaningSets]string{"Circle", "Spiral"}

// classShapes distinguish the classes. All symbols have one colour, so that opacity and size can show the weights.
var classShapes = [maxClasses]brush.Shape{brush.Circle, brush.Square, brush.Triangle, brush.Diamond, brush.DownTriangle}

// split returns the displayed part of the data.
func (s *Scene) split() problem.Split {
	switch s.values.Samples {
	case samplesValidation:
		return problem.Validation
	case samplesTest:
		return problem.Test
	}
	return problem.Training
}

// point returns the selected run's point at the marker, or nil if there is none.
func (s *Scene) point() []float64 {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return nil
	}
	return s.Timeline().Shown(r).X
}

// dataPanel shows a data set: its samples by class and weight, and the borders of the selected run's model.
func (s *Scene) dataPanel(set int) axes.Panel {
	p := &axes.Plane{Name: []string{"circle", "spiral"}[set], Heading: fmt.Sprintf("Data set %d: %s", set+1, setNames[set])}
	p.Axes = func() (axes.Axis, axes.Axis) {
		const reach = problem.HyperCleaningView
		return axes.Axis{Min: -reach, Max: reach}.Named("feature 1", "x_{1}"), axes.Axis{Min: -reach, Max: reach}.Named("feature 2", "x_{2}")
	}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{
			{Draw: func(b *brush.Brush) { s.drawRegions(b, set) }},
			{Key: s.stillKey(set), Draw: func(b *brush.Brush) { s.drawStill(b, set) }},
			{Draw: func(b *brush.Brush) {
				s.drawBorders(b, set)
				s.drawWeighed(b, set)
			}},
		}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		var out []axes.Entry
		for class := range s.values.Classes {
			out = append(out, axes.Entry{Label: fmt.Sprint("class ", class+1), Area: s.tint(t, class), Shape: classShapes[class], Fill: t.Ink})
		}
		if s.ringed() {
			out = append(out, axes.Entry{Label: "ring: wrong label", Shape: brush.Ring, Fill: t.Ink},
				axes.Entry{Label: "faint: weighs little", Shape: brush.Circle, Fill: signColor(t, faintWeight)})
		}
		if r := s.Timeline().Selected(); r.Run != nil {
			out = append(out, axes.Entry{Label: "borders of " + r.Label(), Stroke: borderStroke(t, r.Method)})
		}
		if s.values.Reference {
			out = append(out, axes.Entry{Label: "borders with all labels right", Stroke: referenceStroke(t)})
		}
		return out
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) { return s.findSample(b, set, at) }
	p.Text = s.OfSelected(func(r timeline.Track) string { return s.describeData(r, set) })
	return p
}

// ringed reports whether wrong labels are marked. Only training samples have wrong labels.
func (s *Scene) ringed() bool { return s.values.Truth && s.values.Samples == samplesTraining }

// tint returns the colour of a class's region. It is faint, because it is beneath the points.
func (s *Scene) tint(t *brush.Theme, class int) color.NRGBA {
	const share = 0.5
	return t.Tint(t.Field(float64(class)/float64(s.values.Classes-1)), share)
}

// drawRegions tints the plane by the class that the selected run predicts.
func (s *Scene) drawRegions(b *brush.Brush, set int) {
	if z := s.point(); z != nil {
		s.surfaces[set].update(s.problem, z, set)
		s.surfaces[set].drawRegions(b, func(class int) color.NRGBA { return s.tint(b.Theme, class) })
	}
}

// drawBorders draws the borders between the selected run's most probable classes.
func (s *Scene) drawBorders(b *brush.Brush, set int) {
	if z := s.point(); z != nil {
		s.surfaces[set].update(s.problem, z, set)
		s.surfaces[set].drawBorders(b, borderStroke(b.Theme, s.Timeline().Selected().Method))
	}
}

func borderStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: t.Look(method).Hue, Width: 2.25}
}

func referenceStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Muted, Width: 1} }

// referred reports whether the reference is chosen and trained.
func (s *Scene) referred() bool {
	return s.values.Reference && s.reference != nil && s.reference.done()
}

// Sizes in CSS pixels and opacities of samples with weights from 0 to 1. At weight 0.05, a sample nearly disappears.
const (
	leastRadius, maxRadius   = 2.0, 6.0
	leastOpacity, maxOpacity = 0.04, 1.0
	aroundSample             = 2.5  // distance of a ring from its sample
	unweighed                = 0.5  // samples without weights are drawn with this weight
	faintWeight              = 0.2  // weight of the legend's faint sample
	leastRing                = 0.15 // opacity of a ring at weight 0; it is 1 at ½, the initial weight, and above
)

// stillKey returns a cache key for the picture that drawStill draws. The picture does not depend on the runs.
func (s *Scene) stillKey(set int) string {
	return fmt.Sprintf("still %d %+v %v %t", set, s.problem.Config(), s.split(), s.referred())
}

// drawStill draws the reference's borders and the samples without weights.
func (s *Scene) drawStill(b *brush.Brush, set int) {
	samples := s.problem.Samples(set, s.split())
	for j := range samples.Len() {
		if s.split() != problem.Training {
			drawSample(b, samples.Point(j), samples.Given[j], unweighed)
		}
	}
	if s.referred() {
		var of surface
		of.update(s.reference.problem, s.reference.stepper.View().X, set)
		of.drawBorders(b, referenceStroke(b.Theme))
	}
}

// drawWeighed draws the training samples by their given labels. Rings mark wrong labels and fade with their samples.
func (s *Scene) drawWeighed(b *brush.Brush, set int) {
	z := s.point()
	if z == nil || s.split() != problem.Training {
		return
	}
	samples := s.problem.Samples(set, problem.Training)
	for j, class := range samples.Given {
		x, weight := samples.Point(j), s.problem.Weight(z, set, j)
		if s.ringed() && samples.Corrupted(j) {
			b.Marker(x[0], x[1], brush.Ring, sampleRadius(weight)+aroundSample,
				brush.Faded(b.Theme.Ink, min(1, leastRing+float64(2*(1-leastRing)*weight))), false)
		}
		drawSample(b, x, class, weight)
	}
}

// drawSample draws a class's symbol at a point. The larger the weight, the larger and stronger the symbol.
func drawSample(b *brush.Brush, x []float64, class int, weight float64) {
	b.Marker(x[0], x[1], classShapes[class], sampleRadius(weight), signColor(b.Theme, weight), false)
}

func sampleRadius(weight float64) vg.Length {
	return vg.Length(leastRadius + float64((maxRadius-leastRadius)*weight))
}

// signColor returns the colour of a sample's symbol. It is the same for all classes.
func signColor(t *brush.Theme, weight float64) color.NRGBA {
	return brush.Faded(t.Ink, leastOpacity+float64((maxOpacity-leastOpacity)*weight))
}

// findSample finds the nearest visible sample.
func (s *Scene) findSample(b *brush.Brush, set int, at vg.Point) (axes.Pick, bool) {
	near, best := b.Nearest(at), 0
	samples := s.problem.Samples(set, s.split())
	for j := range samples.Len() {
		if near.Closer(samples.Point(j)[0], samples.Point(j)[1]) {
			best = j
		}
	}
	if !near.Found {
		return axes.Pick{}, false
	}
	return axes.Pick{K: -1, At: near.At, Lines: s.sampleLines(set, best)}, true
}

// sampleLines describes a visible sample.
func (s *Scene) sampleLines(set, j int) []string {
	split := s.split()
	samples := s.problem.Samples(set, split)
	lines := []string{fmt.Sprintf("%s %d of data set %d", [...]string{"training sample", "validation sample", "", "test sample"}[split],
		j+1, set+1)}
	label := fmt.Sprint("class ", samples.Given[j]+1)
	if s.ringed() && samples.Corrupted(j) {
		label = fmt.Sprintf("labelled class %d, true class %d", samples.Given[j]+1, samples.True[j]+1)
	}
	lines = append(lines, label)
	if z := s.point(); z != nil {
		if split == problem.Training {
			lines = append(lines, "weight "+timeline.Number(s.problem.Weight(z, set, j)))
		}
		x := samples.Point(j)
		lines = append(lines, fmt.Sprint("predicted class ", s.problem.Predict(z, set, x[0], x[1])+1))
	}
	return lines
}

func (s *Scene) describeData(r timeline.Track, set int) string {
	row := s.Timeline().Shown(r)
	m := marksOf(row)
	return fmt.Sprintf("%s’s model gets %.0f %% of the test samples of data set %d right at iteration %d. Points are training samples "+
		"with their given classes; larger and stronger points have more weight. Lines are the borders between predicted classes.",
		r.Label(), 100*m.accuracy[set], set+1, row.K)
}

// Rows of the weights' panel, from the bottom.
const (
	corruptedRow = 0
	cleanRow     = 1
)

// weightsPanel shows the weights of the selected run. It draws a dot for each training sample, in one row for right labels and one for
// wrong labels.
func (s *Scene) weightsPanel() axes.Panel {
	p := &axes.Plane{Name: "weights", Heading: "Weights of the training samples"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "weight σ(α)", Min: -0.03, Max: 1.03}, axes.Axis{Categories: []string{corruptedRow: "wrong", cleanRow: "right"}}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawWeights}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		return []axes.Entry{{Label: r.Label() + ", one dot per sample", Shape: brush.Circle, Fill: t.Look(r.Method).Hue},
			{Label: "mean", Stroke: meanStroke(t)}}
	}
	p.Key = p.Legend
	p.Find = s.findWeight
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.Timeline().Shown(r)
		return fmt.Sprintf("On average, training samples with wrong labels weigh %s and those with right labels %s, with the weights of %s "+
			"at iteration %d.",
			timeline.Number(corruptedWeight(row)), timeline.Number(cleanWeight(row)), r.Label(), row.K)
	})
	return p
}

func meanStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Ink, Width: 2} }

// eachWeight calls f for every training sample with its position in the panel.
func (s *Scene) eachWeight(f func(set, j int, x, y float64)) {
	z := s.point()
	if z == nil {
		return
	}
	for set := range problem.HyperCleaningSets {
		samples := s.problem.Samples(set, problem.Training)
		for j := range samples.Len() {
			row := cleanRow
			if samples.Corrupted(j) {
				row = corruptedRow
			}
			// The golden ratio spreads neighbours, so that dots of equal weight do not overlap.
			_, spread := math.Modf(float64(float64(set*samples.Len()+j) * math.Phi))
			f(set, j, s.problem.Weight(z, set, j), float64(row)+float64(0.7*(spread-0.5)))
		}
	}
}

func (s *Scene) drawWeights(b *brush.Brush) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return
	}
	hue := b.Theme.Look(r.Method).Hue
	xmin, xmax, _, _ := b.Bounds()
	b.Line(2, func(i int) (float64, float64) { return [2]float64{xmin, xmax}[i], 0.5 }, brush.Stroke{Color: b.Theme.Hairline, Width: 1})
	s.eachWeight(func(_, _ int, x, y float64) { b.Marker(x, y, brush.Circle, 3, brush.Faded(hue, 0.85), false) })
	shown := s.Timeline().Shown(r)
	for row, x := range [...]float64{corruptedRow: corruptedWeight(shown), cleanRow: cleanWeight(shown)} {
		b.Line(2, func(i int) (float64, float64) { return x, float64(row) + float64(0.42*float64(2*i-1)) }, meanStroke(b.Theme))
	}
}

func (s *Scene) findWeight(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, best := b.Nearest(at), axes.Pick{K: -1}
	s.eachWeight(func(set, j int, x, y float64) {
		if near.Closer(x, y) {
			samples := s.problem.Samples(set, problem.Training)
			label := fmt.Sprint("class ", samples.Given[j]+1)
			if samples.Corrupted(j) {
				label = fmt.Sprintf("labelled class %d, true class %d", samples.Given[j]+1, samples.True[j]+1)
			}
			best.At, best.Lines = near.At, []string{
				fmt.Sprintf("training sample %d of data set %d", j+1, set+1), label, "weight " + timeline.Number(x)}
		}
	})
	return best, near.Found
}
