package blocksteps

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
)

// multiples lists the multiples of m for which the selected method's bias is drawn.
var multiples = []int{1, 2, 5}

// These are the names and dashes of the lines for the multiples of m.
var (
	multipleNames  = []string{"m", "2m", "5m"}
	multipleDashes = [][]vg.Length{nil, averageDash, {12, 3, 2, 3}}
)

const widthName = "width with m"

// biasEntries returns the legend of the selected method's lines.
func (s *Scene) biasEntries(t *brush.Theme) (out []axes.Entry) {
	r := s.Timeline().Selected()
	if r.Run == nil || !sweeps.Alternates(r.Method) {
		return nil
	}
	hue := t.Look(r.Method).Hue
	for i, name := range multipleNames {
		width := vg.Length(1)
		if i == 0 {
			width = 2.75
		}
		out = append(out, axes.Entry{Label: name, Stroke: brush.Stroke{Color: hue, Width: width, Dash: multipleDashes[i]}})
	}
	return append(out, axes.Entry{Label: widthName, Stroke: brush.Stroke{Color: hue, Width: 1, Dash: randomDash}})
}

// cyclesKey is the cache key of the cycles. It contains everything that they depend on.
type cyclesKey struct {
	version  uint64
	selected string // method of the selected run
}

// cyclesNow returns the final cycles of the current methods, or nil if no method runs.
func (s *Scene) cyclesNow() *sweeps.Cycles {
	selected := s.Timeline().Selected()
	if selected.Run == nil {
		return nil
	}
	return s.cycles.Of(cyclesKey{s.Timeline().Version(), selected.Method}, func() *sweeps.Cycles {
		out := new(sweeps.Cycles)
		for _, method := range s.values.On {
			if !sweeps.Alternates(method) { // its cycle is a single point, the minimiser
				continue
			}
			for _, times := range multiples {
				if times == 1 || method == selected.Method {
					out.Add(method, times)
				}
			}
		}
		return out
	})
}

// cyclesDone returns the number of final cycles computed so far for the lines of the bias.
func (s *Scene) cyclesDone() int {
	if c := s.cyclesNow(); c != nil {
		return c.Done
	}
	return 0
}

// curvePanel is the ID of the panel that can show the bias.
const curvePanel = "curve"

// Work computes the runs' final cycles while the bias is displayed.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if c := s.cyclesNow(); c != nil && s.values.View == viewBias {
		return c.Work(more, s.cycle)
	}
	return false, nil
}

// cycle returns the cycle in which a method's runs end if the frequencies are times·m and the step size is alpha.
func (s *Scene) cycle(method string, times int, alpha float64) (sweeps.Round, error) {
	return s.values.Cycle(method, s.values.course(s.problem, s.Start, s.parts), s.goal, times, alpha)
}

// endOf returns the final cycle of a method with the current frequencies and step size. It computes each cycle once.
func (s *Scene) endOf(method string) sweeps.Round {
	if s.problem == nil {
		return sweeps.NoRound
	}
	key := fmt.Sprint(s.Timeline().Version(), s.values.Alpha)
	ends := s.ends.Of(key, func() map[string]sweeps.Round { return map[string]sweeps.Round{} })
	end, known := ends[method]
	if !known {
		var err error
		if end, err = s.cycle(method, 1, s.values.Alpha); err == nil {
			ends[method] = end
		}
	}
	return end
}

// biasCurves returns the curves of the distance from the minimiser of F_m, by step size. The lines show the distances of
// the computed cycles, and the points show those that the runs have reached.
func (s *Scene) biasCurves(selected timeline.Track) (out []kinds.Curve) {
	lines := s.cyclesNow().Lines
	for j := range lines {
		line := &lines[j]
		i := slices.Index(multiples, line.Times)
		out = append(out, s.cycleCurve(line, multipleNames[i], func(r sweeps.Round) float64 { return r.Bias }, multipleDashes[i]))
		if line.Method == selected.Method && line.Times == 1 {
			out = append(out, s.cycleCurve(line, widthName, func(r sweeps.Round) float64 { return r.Width }, randomDash))
		}
	}
	for _, r := range s.Timeline().Tracks() {
		if !sweeps.Alternates(r.Method) { // only rounding errors keep the run from the minimiser
			continue
		}
		around := s.ways.Round(r.Run)
		for j, v := range []float64{around.Bias, around.Width} {
			if j == 1 && r != selected || !(v > 0) {
				continue
			}
			what := [...]string{"its mean’s distance from x* is ", "the width of an outer iteration is "}[j] + timeline.Number(v)
			out = append(out, kinds.Curve{Method: r.Method, Run: r.Name(), X: []float64{s.values.Alpha}, Y: []float64{v},
				Lines: func(int) []string { return []string{r.Label(), what} }})
		}
	}
	return out
}

// stepSizeAxis returns an axis that contains the step sizes of the computed cycles and the current one.
func (s *Scene) stepSizeAxis() axes.Axis {
	return axes.Axis{Label: "step size α", Min: min(sweeps.CycleLeast, s.values.Alpha), Max: max(sweeps.CycleMost, s.values.Alpha), Log: true}
}

// cycleCurve returns the curve for one line of computed cycles.
func (s *Scene) cycleCurve(line *sweeps.CycleLine, label string, of func(sweeps.Round) float64, dash []vg.Length) kinds.Curve {
	c := kinds.Curve{Method: line.Method, Faint: dash != nil, Still: true, Dash: dash}
	if r := s.Timeline().FindFrom(line.Method, 0); r.Run != nil {
		c.Run = r.Name()
	}
	for i, end := range line.Ends {
		if v := of(end); v > 0 {
			c.X, c.Y = append(c.X, sweeps.CycleStep(i)), append(c.Y, v)
		}
	}
	c.Lines = func(i int) []string {
		return []string{fmt.Sprintf("%s with %s: α = %s", s.values.Title(line.Method), label, timeline.Number(c.X[i])), timeline.Number(c.Y[i])}
	}
	return c
}

func (s *Scene) describeBias(timeline.Track) string {
	var parts []string
	for _, r := range s.Timeline().Runs() {
		if around := s.ways.Round(r); around.Bias == around.Bias {
			parts = append(parts, fmt.Sprintf("%s is off by %s and its outer iterations are %s wide", r.Label, timeline.Number(around.Bias),
				timeline.Number(around.Width)))
		}
	}
	text := "How far runs stay from the minimiser of the weighted sum, by step size. Lines are computed without runs; symbols mark the runs."
	if s.values.Order == string(blocks.RandomOrder) || s.values.BlockOrder == string(blocks.RandomBlocks) {
		text += " The lines are for contiguous turns and listed blocks, always in the same order. The runs use random orders, which lead " +
			"the runs elsewhere."
	}
	if parts != nil {
		text += " In the second half of the iterations, " + strings.Join(parts, "; ") + "."
	}
	return text
}
