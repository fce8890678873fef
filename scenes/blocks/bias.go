package blocks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/timeline"
)

// multiples of m for which the bias of the selected method is drawn.
var multiples = []int{1, 2, 5}

// Names and dashes of the lines of those multiples, and of how wide runs go round.
var (
	multipleNames  = []string{"m", "2m", "5m"}
	multipleDashes = [][]vg.Length{nil, averageDash, {12, 3, 2, 3}}
)

const widthName = "width with m"

// biasEntries are the legend of the lines of the selected method.
func (s *Scene) biasEntries(t *panel.Theme) (out []panel.Entry) {
	r := s.Timeline().Selected()
	if r.Run == nil || !alternates(r.Method) {
		return nil
	}
	hue := t.Look(r.Method).Hue
	for i, name := range multipleNames {
		width := vg.Length(1)
		if i == 0 {
			width = 2.75
		}
		out = append(out, panel.Entry{Label: name, Stroke: panel.Stroke{Color: hue, Width: width, Dash: multipleDashes[i]}})
	}
	return append(out, panel.Entry{Label: widthName, Stroke: panel.Stroke{Color: hue, Width: 1, Dash: randomDash}})
}

// cycles are where runs of a constant step size end, for many step sizes: computed, not run.
// Orders that are drawn have none; in their place are the ends of contiguous turns and listed
// blocks.
type cycles struct {
	lines []cycleLine
	next  int // of the points of all lines
}

// cyclesKey names what cycles depend on.
type cyclesKey struct {
	version  uint64
	selected string // method
}

// cycleLine is one method with a multiple of m.
type cycleLine struct {
	method      string
	times       int
	bias, width []float64 // of each step size; NaN where runs go away
}

// Step sizes for which cycles are computed.
const (
	leastStep = 0.001
	mostStep  = 0.2
	stepSizes = 24
)

func stepSize(i int) float64 {
	return leastStep * math.Pow(mostStep/leastStep, float64(i)/(stepSizes-1))
}

// cyclesNow returns the cycles of the methods that run.
func (s *Scene) cyclesNow() *cycles {
	selected := s.Timeline().Selected()
	if selected.Run == nil {
		return nil
	}
	return s.cycles.Of(cyclesKey{s.Timeline().Version(), selected.Method}, func() *cycles { return s.newCycles(selected.Method) })
}

// newCycles are those lines, without points yet.
func (s *Scene) newCycles(selected string) *cycles {
	out := new(cycles)
	for _, method := range s.values.On {
		if !alternates(method) { // its cycle is a point, the minimiser
			continue
		}
		for _, times := range multiples {
			if times == 1 || method == selected {
				line := cycleLine{method: method, times: times, bias: make([]float64, stepSizes), width: make([]float64, stepSizes)}
				for i := range stepSizes {
					line.bias[i], line.width[i] = math.NaN(), math.NaN()
				}
				out.lines = append(out.lines, line)
			}
		}
	}
	return out
}

// alternates reports whether objectives take turns in a method.
func alternates(method string) bool {
	return method == sweeps.BlockSMOO || method == sweeps.FunctionAlternate
}

// cyclesDone is how many points have been computed.
func (s *Scene) cyclesDone() int {
	if c := s.cyclesNow(); c != nil {
		return c.next
	}
	return 0
}

// Work computes where runs end, while that is shown.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.values.View != viewBias {
		return false, nil
	}
	c := s.cyclesNow()
	if c == nil {
		return false, nil
	}
	for ; c.next < len(c.lines)*stepSizes; c.next++ {
		if !more() {
			return true, nil
		}
		line, i := &c.lines[c.next/stepSizes], c.next%stepSizes
		if line.bias[i], line.width[i], err = s.cycle(line.method, line.times, stepSize(i)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// cycle is where a method ends with a multiple of m and a step size: how far x^{t,0,0} is then
// from the minimiser of F_m, and how far apart the points of an outer iteration are. Both are
// NaN where runs go away from it.
func (s *Scene) cycle(method string, times int, alpha float64) (bias, width float64, err error) {
	config, err := s.values.Config(method, s.values.course(s.problem, s.Start, s.parts))
	if err != nil {
		return 0, 0, err
	}
	m := make([]int, len(config.Frequencies))
	for k, f := range config.Frequencies {
		m[k] = times * f
	}
	config.Frequencies, config.StepSize, config.Schedule, config.BlockOrder = m, alpha, blocks.Constant, blocks.ListedBlocks
	if config.Order == blocks.RandomOrder {
		config.Order = blocks.Contiguous
	}
	c, err := blocks.NewCycle(config)
	if err != nil || !(c.Radius < 1) { // runs go away, or so far that it is not finite
		return math.NaN(), math.NaN(), nil
	}
	const rounding = 1e-12
	size := 1 + distance(s.goal.minimiser, make([]float64, len(s.goal.minimiser)))
	at := func(v float64) float64 {
		if v <= rounding*size {
			return math.NaN()
		}
		return v
	}
	return at(distance(c.Points[0], s.goal.minimiser)), at(c.Diameter()), nil
}

// endOf is where a method ends with the frequencies and the step size of now; it is computed
// once.
func (s *Scene) endOf(method string) round {
	none := round{math.NaN(), math.NaN()}
	if s.problem == nil {
		return none
	}
	ends := s.ends.Of(fmt.Sprint(s.Timeline().Version(), s.values.Alpha), func() map[string]round { return map[string]round{} })
	end, known := ends[method]
	if !known {
		bias, width, err := s.cycle(method, 1, s.values.Alpha)
		if err != nil {
			return none
		}
		end = round{bias, width}
		ends[method] = end
	}
	return end
}

// biasCurves are how far from the minimiser of F_m runs stay, over the step size: computed lines,
// and as points what the runs have come to.
func (s *Scene) biasCurves(selected timeline.Track) (out []panel.Curve) {
	lines := s.cyclesNow().lines
	for i := range lines {
		line := &lines[i]
		i := slices.Index(multiples, line.times)
		out = append(out, s.cycleCurve(line, multipleNames[i], line.bias, multipleDashes[i]))
		if line.method == selected.Method && line.times == 1 {
			out = append(out, s.cycleCurve(line, widthName, line.width, randomDash))
		}
	}
	for _, r := range s.Timeline().Tracks() {
		if !alternates(r.Method) { // it comes as near as rounding lets it
			continue
		}
		around := s.roundOf(r.Run)
		for j, v := range []float64{around.bias, around.width} {
			if j == 1 && r != selected || !(v > 0) {
				continue
			}
			what := [...]string{"its mean is off by ", "an outer iteration is as wide as "}[j] + timeline.Number(v)
			out = append(out, panel.Curve{Method: r.Method, Run: r.Name(), X: []float64{s.values.Alpha}, Y: []float64{v},
				Lines: func(int) []string { return []string{r.Label(), what} }})
		}
	}
	return out
}

// stepSizeAxis holds the step sizes for which cycles are computed, and that of now.
func (s *Scene) stepSizeAxis() panel.Axis {
	return panel.Axis{Label: "step size α", Min: min(leastStep, s.values.Alpha), Max: max(mostStep, s.values.Alpha), Log: true}
}

// cycleCurve is one line of the panel.
func (s *Scene) cycleCurve(line *cycleLine, label string, values []float64, dash []vg.Length) panel.Curve {
	c := panel.Curve{Method: line.method, Faint: dash != nil, Still: true, Dash: dash}
	if r := s.Timeline().FindFrom(line.method, 0); r.Run != nil {
		c.Run = r.Name()
	}
	for i, v := range values {
		if v > 0 {
			c.X, c.Y = append(c.X, stepSize(i)), append(c.Y, v)
		}
	}
	c.Lines = func(i int) []string {
		return []string{fmt.Sprintf("%s with %s: α = %s", s.values.Title(line.method), label, timeline.Number(c.X[i])), timeline.Number(c.Y[i])}
	}
	return c
}

func (s *Scene) describeBias(timeline.Track) string {
	var parts []string
	for _, r := range s.Timeline().Runs() {
		if around := s.roundOf(r); around.bias == around.bias {
			parts = append(parts, fmt.Sprintf("%s is off by %s and goes round as wide as %s", r.Label, timeline.Number(around.bias),
				timeline.Number(around.width)))
		}
	}
	text := "How far from where the weighted sum is least runs stay, by step size: computed lines, and signs for the runs."
	if s.values.Order == blocks.RandomOrder.String() || s.values.BlockOrder == blocks.RandomBlocks.String() {
		text += " The lines are for contiguous turns and listed blocks, always in the same order; the orders of the runs are drawn, which " +
			"leads them elsewhere."
	}
	if parts != nil {
		text += " In the second half of its way " + strings.Join(parts, "; ") + "."
	}
	return text
}
