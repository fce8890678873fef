package networktasks

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// ages lists the ages, in steps, at which weights are compared with new ones.
var ages = []int{1, 2, 4, 8, 16, 32, 64}

// maxCompared is the maximum number of a run's latest steps that are compared.
const maxCompared = 300

// drift returns, for each of the ages, the share of a run's weight that has moved between tasks when the weights are
// that old: half the sum of the absolute changes. Each value is a mean over the steps up to iteration end, or NaN if no
// two refreshes are that far apart.
func drift(r *timeline.Run, end int) []float64 {
	out := make([]float64, len(ages))
	list := make([][]float64, r.Index(min(end-1, r.Last()))+1)
	first := max(0, len(list)-maxCompared)
	for i := first; i < len(list); i++ {
		if row := r.Kept(i); row.Refreshed {
			list[i] = shares(row)
		}
	}
	for a, age := range ages {
		sum, count := 0.0, 0
		for i := first; i < len(list); i++ {
			k := r.Kept(i).K
			j := r.Index(min(k+age, r.Last()))
			if list[i] == nil || j >= len(list) || list[j] == nil || r.Kept(j).K != k+age {
				continue
			}
			for task, w := range list[i] {
				sum += float64(math.Abs(w-list[j][task]) / 2)
			}
			count++
		}
		out[a] = sum / float64(count)
	}
	return out
}

// drifts returns the drift up to the marker for all runs whose weights are not fixed.
func (s *Scene) drifts() map[*timeline.Run][]float64 {
	end := s.Timeline().Marker()
	return s.drifted.Of(driftKey{s.builds, s.Timeline().Version(), end}, func() map[*timeline.Run][]float64 {
		out := map[*timeline.Run][]float64{}
		for _, r := range s.Timeline().Runs() {
			if r.Method != ls && end > 0 {
				out[r] = drift(r, end)
			}
		}
		return out
	})
}

// driftKey is the cache key of the drifts. It contains everything that they depend on.
type driftKey struct {
	builds  int
	version uint64
	end     int
}

// agePanel returns the panel that shows how far weights of each age are from new ones.
func (s *Scene) agePanel() axes.Panel {
	p := &axes.Plane{Name: "age", Heading: "How fast weights go out of date", Text: s.describeAge}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "age of the weights in steps", Min: 0.9, Max: 1.1 * float64(ages[len(ages)-1]), Log: true},
			axes.Axis{Label: "share of the weight that has moved", Min: 0, Max: 1}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawAge}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.net == nil {
			return nil
		}
		return kinds.MethodEntries(t, Methods, s.Timeline())
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		if s.oldest() < 1 {
			return nil
		}
		return []axes.Entry{{Label: "oldest weights that PSMGD uses", Stroke: oldestStroke(t)}}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		const reach = 10
		for _, r := range s.Timeline().Runs() {
			for i, v := range s.drifts()[r] {
				p := b.At(float64(ages[i]), v)
				if d := p.Sub(at); portable.Hypot(float64(d.X), float64(d.Y)) < reach {
					return axes.Pick{Run: timeline.Track{Run: r}.Name(), K: -1, At: p, Lines: []string{r.Title,
						fmt.Sprintf("after %s, %s of the weight has moved", numeral.Counted(ages[i], "step"), timeline.Significant(v))}}, true
				}
			}
		}
		return axes.Pick{}, false
	}
	return p
}

// oldest returns the maximum age of PSMGD's weights, in steps, or 0 if PSMGD does not run.
func (s *Scene) oldest() int {
	if s.net == nil || s.Timeline().FindFrom(psmgd, 0).Run == nil {
		return 0
	}
	return s.values.R - 1
}

func oldestStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Rule, Width: 1, Dash: []vg.Length{4, 3}}
}

func (s *Scene) drawAge(b *brush.Brush) {
	if s.net == nil {
		b.Words(waiting)
		return
	}
	if age := s.oldest(); age >= 1 {
		b.VLine(float64(age), oldestStroke(b.Theme))
		if b.Frame.Detail == brush.Full {
			b.Label(float64(age), 0.97, fmt.Sprintf("PSMGD’s oldest, R − 1 = %d", age), brush.SmallText, b.Theme.Muted, brush.RightOf)
		}
	}
	selected := s.Timeline().Selected().Run
	for _, r := range s.Timeline().Runs() {
		of := s.drifts()[r]
		if of == nil {
			continue
		}
		look, width := b.Theme.Look(r.Method), vg.Length(1.75)
		if kinds.Greyed(s.Timeline(), timeline.Track{Run: r}) {
			look.Hue, width = kinds.Grey(b.Theme), 1
		}
		if r == selected {
			width = 2.75
		}
		var x, y []float64
		for i, v := range of {
			if !math.IsNaN(v) {
				x, y = append(x, float64(ages[i])), append(y, v)
			}
		}
		b.Line(len(x), func(i int) (float64, float64) { return x[i], y[i] }, look.Stroke(width))
		for i := range x {
			b.Marker(x[i], y[i], look.Shape, 3.5, look.Hue, true)
		}
	}
}

func (s *Scene) describeAge() string {
	if s.net == nil {
		return waiting
	}
	var parts []string
	for _, r := range s.Timeline().Runs() {
		for i, v := range s.drifts()[r] {
			if !math.IsNaN(v) {
				parts = append(parts, fmt.Sprintf("%s %s after %d", r.Title, timeline.Significant(v), ages[i]))
				break
			}
		}
	}
	text := "How much of the weight moves to other tasks when weights are recomputed some steps later; mean over the steps."
	if len(parts) > 0 {
		text += " " + strings.Join(parts, "; ") + "."
	}
	return text
}
