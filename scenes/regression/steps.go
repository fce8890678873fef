package regression

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/timeline"
)

// ---- where steps go

const recent = 40 // steps that are shown

// blockNames names the blocks.
func (s *Scene) blockNames() []string {
	if s.values.Partition == twoBlocks {
		return []string{"U", "V"}
	}
	names := []string{"U"}
	for b := range s.values.R {
		names = append(names, fmt.Sprintf("V, row %d", b+1))
	}
	return names
}

// wherePanel shows which block recent steps of the selected run moved, and down whose gradient.
func (s *Scene) wherePanel() panel.Panel {
	p := &panel.Plane{Name: "where", Heading: "What the last steps moved", Text: s.describeWhere}
	p.Axes = func() (panel.Axis, panel.Axis) {
		last := s.lastStep()
		return panel.Axis{Label: "step k", Min: float64(last - recent), Max: float64(last), Integer: true},
			panel.Axis{Categories: s.blockNames()}
	}
	p.Sheets = func() []panel.Sheet { return []panel.Sheet{{Draw: s.drawWhere}} }
	return p
}

// lastStep is the step that the selected run has made to the marker, at least so many that the
// recent ones are from 1 on.
func (s *Scene) lastStep() int {
	chosen := s.Timeline().Selected().Run
	if chosen == nil {
		return recent
	}
	return max(recent, min(s.Timeline().Marker(), chosen.Last()))
}

// moves calls f for the recent steps of the selected run; step k led to iteration k.
func (s *Scene) moves(f func(k, block, objective int)) {
	chosen := s.Timeline().Selected().Run
	if chosen == nil {
		return
	}
	to := min(s.Timeline().Marker(), chosen.Last())
	for i := chosen.Index(max(0, to-recent)); i < chosen.Len(); i++ {
		row := chosen.Kept(i)
		if block := row.Number(sweeps.BlockName); row.K < to && row.K >= to-recent && block >= 0 {
			f(row.K+1, int(block), int(row.Number(sweeps.ObjectiveName)))
		}
	}
}

func (s *Scene) drawWhere(b *panel.Brush) {
	if s.data == nil {
		b.Words(s.lacks)
		return
	}
	whole := !sweeps.Parts(s.Timeline().Selected().Method)
	s.moves(func(k, block, objective int) {
		low, high := float64(block), float64(block)
		if whole {
			low, high = 0, float64(len(s.blockNames())-1)
		}
		const half = 0.42
		low, high = low-half, high+half
		right := float64(k)
		fill := b.Theme.Tint(b.Theme.Muted, 0.55)
		if objective != blocks.Together {
			fill = color.NRGBAModel.Convert(b.Theme.Goal(objective).Hue).(color.NRGBA)
		}
		b.Box(right-0.95, low, right-0.05, high, fill)
		if width := b.At(right, low).X - b.At(right-1, low).X; objective != blocks.Together && width >= 12 && b.Frame.Detail == panel.Full {
			b.Text(right-0.5, (low+high)/2, fmt.Sprint(objective+1), panel.SmallText, panel.OnColor(fill), panel.Centred)
		}
	})
}

func (s *Scene) describeWhere() string {
	if s.data == nil {
		return s.lacks
	}
	t := s.Timeline()
	text := fmt.Sprintf("The last %d steps of %s, from left to right: which block moved and, in colour and number, down which response’s "+
		"gradient; grey is all together.", recent, t.Selected().Label())
	if !sweeps.Parts(t.Selected().Method) {
		text += " All blocks move at once."
	}
	return text
}

// ---- what steps cost

// kind is a kind of step.
type kind struct {
	name   string // in few letters
	what   string
	method string // that makes such steps
	work   int    // multiplications
}

// kindsOf returns the kinds of gradients that methods take on data. The first is a gradient of the whole weighted sum.
func (p *Params) kindsOf(of *data) []kind {
	fresh := of.train
	q, border := fresh.Data().Responses(), fresh.Data().Features()*fresh.Rank()
	n, _ := fresh.Dims()
	batch, end, name, what := p.batchOf(of), n, "V", "V"
	if p.Partition == rowBlocks {
		end, name, what = border+q, "row", "a row of V"
	}
	parted := fresh
	if p.Share {
		parted = of.keeping()
	}
	list := []kind{
		{"all, U V", "the weighted sum, all variables", sweeps.WeightedSum, fresh.WeightedWork(batch, 0, n, false)},
		{"all, U", "the weighted sum, U", sweeps.BlockAlternate, parted.WeightedWork(batch, 0, border, false)},
		{"all, " + name, "the weighted sum, " + what, sweeps.BlockAlternate, parted.WeightedWork(batch, border, end, false)},
		{"one, U V", "one response, all variables", sweeps.FunctionAlternate, fresh.Work(batch, 0, 0, n, false)},
		{"one, U", "one response, U", sweeps.BlockSMOO, parted.Work(batch, 0, 0, border, false)},
		{"one, " + name, "one response, " + what, sweeps.BlockSMOO, parted.Work(batch, 0, border, end, false)},
	}
	if p.Share {
		list = append(list, kind{name + " again", "one response, " + what + " with X·U kept", sweeps.BlockSMOO,
			parted.Work(batch, 0, border, end, true)})
	}
	return list
}

// costPanel shows what a step of each kind costs.
func (s *Scene) costPanel() panel.Panel {
	p := race.Columns{Name: "cost", Heading: "What a step’s gradient costs", Timeline: s.Timeline(), Lacks: func() string { return s.lacks },
		Label: "responses in the gradient, and what it moves", Tints: []float64{0.5}, Radius: 4.5, Text: s.describeCost}
	p.List = func() (out []race.Column) {
		if s.data == nil {
			return nil
		}
		for _, k := range s.kinds {
			share := ratio(k.work, s.kinds[0].work)
			out = append(out, race.Column{Method: k.method, Title: k.name, Parts: []float64{float64(k.work) / thousand}, Note: share,
				Lines: []string{"a gradient of " + k.what, fmt.Sprintf("%d multiply-adds", k.work), share + " of the whole weighted gradient"}})
		}
		return out
	}
	p.Y = func(list []race.Column) panel.Axis {
		y := panel.Axis{Label: "thousand multiply-adds", Max: 1}
		if list != nil {
			const room = 1.15
			y.Max = room * float64(s.kinds[0].work) / thousand
		}
		return y
	}
	return p.Panel()
}

const thousand = 1e3

// ratio writes a share in few digits.
func ratio(work, whole int) string { return timeline.Significant(float64(work) / float64(whole)) }

func (s *Scene) describeCost() string {
	if s.data == nil {
		return s.lacks
	}
	kinds := s.kinds
	var parts []string
	for _, k := range kinds[1:] {
		parts = append(parts, k.what+" "+ratio(k.work, kinds[0].work))
	}
	text := fmt.Sprintf("What the gradient of a step costs on a batch of %d examples, beside that of the weighted sum by all variables, %d "+
		"multiply-adds: %s.", s.values.Batch, kinds[0].work, strings.Join(parts, ", "))
	if m := s.measured; m != nil {
		for _, cell := range m.cells {
			if pace := cell.pace(); pace > 0 {
				text += fmt.Sprintf(" %s makes %.0f million a second here.", s.values.Title(cell.method), 1/(million*pace))
			}
		}
	}
	return text
}

// ---- how long they take

// measured is how long multiplications take here, method by method. Exact losses, which the page
// computes for its curves, are left out: they would hide what is measured.
type measured struct {
	race.Turns
	build int // of the runs that it is about
	cells []*paced
}

// paced is a method that is measured over whole outer iterations, in which it does all that it does.
type paced struct {
	method string
	race.Timed
	work float64 // multiplications a step
}

// unvalued leaves the exact losses of a problem out.
type unvalued struct{ *problem.ReducedRank }

// Values implements algo.Problem: losses of 0.
func (unvalued) Values(f, _ []float64) { clear(f) }

// measuredNow is the measurement of the runs that there are, nil where there are none.
func (s *Scene) measuredNow() *measured {
	if s.data == nil {
		return nil
	}
	if s.measured != nil && s.measured.build == s.builds {
		return s.measured
	}
	m := &measured{Turns: race.Turns{Clock: s.watch}, build: s.builds}
	s.measured = m
	for _, method := range s.values.On {
		config, err := s.values.Config(method, s.course(s.data))
		if err != nil {
			m.Failed = err
			return m
		}
		config.Problem = unvalued{config.Problem.(*problem.ReducedRank)}
		const tiny = 1e-9 // runs stay where they start
		config.StepSize = tiny
		stepper, err := blocks.New(config)
		if err != nil {
			m.Failed = err
			return m
		}
		steps := stepper.OuterSteps()
		_, work := stepper.StepsFor(math.MaxInt, steps)
		cell := &paced{method, race.Timed{Stepper: stepper, Cycle: steps}, float64(work) / float64(steps)}
		m.cells, m.Groups = append(m.cells, cell), append(m.Groups, []*race.Timed{&cell.Timed})
	}
	return m
}

// pace is the time of a multiplication in seconds, NaN before anything is measured.
func (p *paced) pace() float64 { return race.Median(p.Times) / p.work }

// pace returns the pace of a method, 0 while it is not known.
func (s *Scene) pace(method string) float64 {
	if m := s.measuredNow(); m != nil {
		for _, cell := range m.cells {
			if pace := cell.pace(); cell.method == method && pace > 0 {
				return pace
			}
		}
	}
	return 0
}

// measuring reports whether the horizontal axis waits for a measurement.
func (s *Scene) measuring() bool {
	return s.values.Axis == secondsAxis && s.data != nil && s.pace(s.values.On[len(s.values.On)-1]) == 0
}

// paceKey names what is measured so far where it is shown.
func (s *Scene) paceKey() string {
	if s.values.Axis != secondsAxis || s.measured == nil {
		return ""
	}
	return fmt.Sprint(s.measured.build, s.measured.Taken)
}
