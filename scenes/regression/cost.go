package regression

import (
	"fmt"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// kind describes a kind of step.
type kind struct {
	name   string // a short name
	what   string
	method string // the method that takes such steps
	work   int    // in multiplications
}

// kindsOf returns the kinds of gradients that methods compute on the given data. The first is the gradient of the whole
// weighted sum.
func (p *Params) kindsOf(of *sets) []kind {
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
		{"all UV", "the weighted sum, all variables", sweeps.WeightedSum, fresh.WeightedWork(batch, 0, n, false)},
		{"all U", "the weighted sum, U", sweeps.BlockAlternate, parted.WeightedWork(batch, 0, border, false)},
		{"all " + name, "the weighted sum, " + what, sweeps.BlockAlternate, parted.WeightedWork(batch, border, end, false)},
		{"one UV", "one response, all variables", sweeps.FunctionAlternate, fresh.Work(batch, 0, 0, n, false)},
		{"one U", "one response, U", sweeps.BlockSMOO, parted.Work(batch, 0, 0, border, false)},
		{"one " + name, "one response, " + what, sweeps.BlockSMOO, parted.Work(batch, 0, border, end, false)},
	}
	if p.Share {
		list = append(list, kind{name + " again", "one response, " + what + " with X·U kept", sweeps.BlockSMOO,
			parted.Work(batch, 0, border, end, true)})
	}
	return list
}

// costPanel returns the panel that compares the costs of the kinds of steps.
func (s *Scene) costPanel() axes.Panel {
	p := runs.Columns{Name: "cost", Heading: "What a step’s gradient costs", Timeline: s.Timeline(), Lacks: func() string { return s.lacks },
		Label: "responses in the gradient, variables moved", Tints: []float64{0.5}, Radius: 4.5, Text: s.describeCost}
	p.List = func() (out []runs.Column) {
		if s.data == nil {
			return nil
		}
		for _, k := range s.kinds {
			share := ratio(k.work, s.kinds[0].work)
			out = append(out, runs.Column{Method: k.method, Title: k.name, Parts: []float64{float64(k.work) / thousand}, Note: share,
				Lines: []string{"a gradient of " + k.what, fmt.Sprintf("%d multiply-adds", k.work), share + " of the weighted sum’s full gradient"}})
		}
		return out
	}
	p.Y = func(list []runs.Column) axes.Axis {
		y := axes.Axis{Label: "thousand multiply-adds", Max: 1}
		if list != nil {
			const room = 1.15
			y.Max = room * float64(s.kinds[0].work) / thousand
		}
		return y
	}
	return p.Panel()
}

const thousand = 1e3

// ratio formats a share with few digits.
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
	text := fmt.Sprintf("The cost of a step’s gradient on a batch of %d examples, relative to the weighted sum’s gradient for all "+
		"variables (%d multiply-adds): %s.", s.values.Batch, kinds[0].work, strings.Join(parts, ", "))
	if m := s.measured; m != nil {
		for _, cell := range m.cells {
			if pace := cell.pace(); pace > 0 {
				text += fmt.Sprintf(" %s does %s million multiply-adds per second in this browser.",
					s.values.Title(cell.method), numeral.Fixed(1/(million*pace), 0))
			}
		}
	}
	return text
}
