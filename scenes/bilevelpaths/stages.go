package bilevelpaths

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// These are the moments at which the stages of a step start. The first stage is the lower level's loop.
const (
	stageSlope   = 1 // ∇q̃, or the backward pass through the loop
	stageWeights = 2
	stageStep    = 3
)

// stageNames holds the names of the stages for each family of methods.
var stageNames = map[family][moments]string{
	another:        {"loop", "direction", "weights", "step"},
	valueFunction:  {"loop", "slope", "weights", "step"},
	differentiated: {"loop", "way back", "weights", "step"},
	interiorPoint:  {"loop", "barrier", "pull", "step"},
}

// share returns the completed share of a stage at a moment, from 0 to 1.
func share(moment, stage float64) float64 { return math.Max(0, math.Min(moment-stage, 1)) }

// looped returns how many steps of the lower level's loop are shown at a moment.
func (t *step) looped(moment float64) int {
	return min(int(math.Round(share(moment, 0)*float64(t.steps))), len(t.loop)-1)
}

// stageText describes the displayed moment with its numbers.
func (s *Scene) stageText(t *step) string {
	moment := s.values.Moment
	number := timeline.Number
	if !t.made {
		return fmt.Sprintf("loop, %d of %s; the step cannot be taken", t.looped(moment), numeral.Counted(t.steps, "step"))
	}
	switch {
	case moment <= stageSlope:
		return fmt.Sprintf("loop: t = %d of T = %d", t.looped(moment), t.steps)
	case moment <= stageWeights:
		switch t.family {
		case valueFunction:
			return fmt.Sprintf("q̃ = %s, φ = %s", timeline.Significant(t.q), timeline.Significant(t.phi))
		case differentiated:
			n := int(math.Round(share(moment, stageSlope) * float64(t.steps)))
			return fmt.Sprintf("back %d of %s: %d HVP", n, numeral.Counted(t.steps, "step"), t.products(n))
		case interiorPoint:
			return fmt.Sprintf("barrier where f = %s", timeline.Significant(t.bound))
		}
		return "after " + numeral.Counted(t.steps, "step") + " of the loop"
	case moment <= stageStep:
		switch {
		case t.family == differentiated:
			return fmt.Sprintf("h = %s, λ = %s", pair(t.hyper[:]), pair(t.weights))
		case t.lambda != nil:
			return fmt.Sprintf("λ = %s, λ̃ = %s, ν = %s", pair(t.lambda), pair(t.weights), timeline.Significant(t.nu))
		case t.family == another:
			return "λ = " + pair(t.weights)
		}
		return "ν = " + timeline.Significant(t.nu)
	}
	switch t.family {
	case valueFunction:
		if t.nu == 0 {
			return "down the weighted goals; no pull, ν = 0"
		}
		return fmt.Sprintf("down the weighted goals, pulled by ν = %s", timeline.Significant(t.nu))
	case differentiated:
		return fmt.Sprintf("α from %s to %s, ω to the loop’s end", number(t.alpha), number(t.to[0]))
	}
	return fmt.Sprintf("α from %s to %s", number(t.alpha), number(t.to[0]))
}

func pair(v []float64) string {
	if len(v) != 2 {
		return "–"
	}
	return "(" + timeline.Significant(v[0]) + ", " + timeline.Significant(v[1]) + ")"
}

// roomForTitle is the minimum height of the plane, in pixels, at which the step's title is drawn.
const roomForTitle = 150

// drawStages writes the displayed stage, and marks all stages along the lower edge, where the handle of the moment
// slides.
func (s *Scene) drawStages(b *brush.Brush, t *step) {
	theme, area := b.Theme, b.Canvas
	top := area.Max.Y - 2
	lines := []string{t.title(), s.stageText(t), s.slopesAt(t).text()}
	switch {
	case b.Frame.Detail != brush.Full:
		lines = nil
	case area.Size().Y < roomForTitle:
		lines = lines[1:2]
	}
	if _, there := s.valleyGrip(t); there && len(lines) > 1 {
		lines = append(lines, "drag the + to move the valley")
	}
	for _, words := range lines {
		if b.Width(words) > area.Size().X {
			continue // the table of numbers already shows this line
		}
		b.LabelAt(vg.Point{X: area.Min.X + 2, Y: top}, words, brush.SmallText, theme.Ink, brush.Align{X: 1, Y: -1})
		top -= 18
	}
	if b.Frame.Detail != brush.Full {
		return
	}
	x0, x1, _, _ := s.window()
	names := stageNames[t.family]
	edge := func(i int) vg.Length { return b.At(x0+float64((x1-x0)*float64(i)/moments), 0).X }
	current, fit := min(int(s.values.Moment), moments-1), true
	for i, name := range names {
		fit = fit && b.Width(name)+gapOfStages <= edge(i+1)-edge(i)
	}
	for i, name := range names {
		left, right := edge(i), edge(i+1)
		done := s.done(i)
		bar := func(to vg.Length, stroke brush.Stroke) {
			b.Line(2, func(k int) (float64, float64) {
				return b.World(vg.Point{X: []vg.Length{left + 1, to}[k], Y: area.Min.Y + 1.5})
			}, stroke)
		}
		bar(right-1, brush.Stroke{Color: theme.Hairline, Width: 3})
		if done > 0 {
			bar(left+1+vg.Length(vg.Length(done)*(right-left-2)), brush.Stroke{Color: theme.Accent, Width: 3})
		}
		if !fit && i != current { // if the names do not all fit, only the current stage's is drawn
			continue
		}
		color := theme.Muted
		if i == current {
			color = theme.Ink
		}
		b.LabelAt(vg.Point{X: (left + right) / 2, Y: area.Min.Y + 9}, name, brush.SmallText, color, brush.Above)
	}
}

// gapOfStages is the minimum gap in pixels between the names of two stages.
const gapOfStages = 14
