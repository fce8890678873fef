// Package transportplan implements the scene of optimal transport. In MosT, transport decides which solution serves which objective.
// The scene shows the solvers one iteration at a time.
package transportplan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	ot "paretoplay/algo/transport"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the transport problem of one visitor. It implements scene.Scene and scene.DataTaker.
type Scene struct {
	scene.Base
	values Params

	task   ot.Task // the current problem; it has no costs while a visitor's file is missing
	tau    float64 // absolute, not relative to the mean cost
	best   ot.Plan // the optimum; if τ > 0, the best plan that a search finds
	goal   float64 // objective of best
	pasted *data.Pasted

	least, range_ float64 // minimum and range of the costs
	scale         float64 // scale of the picture of the costs, fixed during a drag
	dragged       bool
	framed        int // index of the cost cell that the keys change, in reading order

	rows, columns *kinds.Bars
	panels        []axes.Panel
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	line := s.Timeline()
	line.Sign("variables", "Γ")
	line.Sign("objectives", "error, gap")
	line.Omit("weights", "backpropagations")
	errors := s.errorHistory()
	s.MarkOn(errors)
	s.rows = s.bars("rows", "Masses of the rows a", "row", func() []float64 { return s.task.A }, rowCell)
	s.columns = s.bars("columns", "Masses of the columns b", "column", func() []float64 { return s.task.B }, columnCell)
	s.Declare(factKinds.Facts(s, Methods))
	s.panels = []axes.Panel{
		s.plansPanel(), s.rows.Panel(), s.columns.Panel(), s.costPanel(), errors.Panel(), s.gapHistory().Panel(), s.dualsPanel(),
	}
	return s
}

// Restart builds the runs at k = 0. It builds none while a visitor's file is missing.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	s.Timeline().SetEnd(v.Budget, 0)
	if v.Kind == costsData && s.pasted == nil {
		s.task = ot.Task{A: param.Shares(v.A, v.N), B: param.Shares(v.B, v.M)}
		s.Timeline().Reset(nil, log)
		return nil
	}
	s.task = ot.Task{Cost: v.costs(), A: param.Shares(v.A, v.N), B: param.Shares(v.B, v.M)}
	s.measure()
	if err := s.solve(); err != nil {
		return err
	}
	var runs []*timeline.Run
	for _, m := range slices.Backward(ot.Methods) { // start with Exact, because the others are compared with its plan
		if !s.on(m.ID) {
			continue
		}
		r, err := s.run(m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Title, err)
		}
		runs = append(runs, r)
	}
	s.Timeline().Reset(runs, log)
	return nil
}

func (s *Scene) on(method string) bool { return slices.Contains(s.values.On, method) }

// measure computes the range and the mean of the costs.
func (s *Scene) measure() {
	most, sum := math.Inf(-1), 0.0
	s.least = math.Inf(1)
	for _, c := range s.task.Cost {
		s.least, most = min(s.least, c), max(most, c)
		sum += math.Abs(c)
	}
	s.range_ = most - s.least
	s.tau = s.values.Tau * sum / float64(len(s.task.Cost))
	if largest := max(math.Abs(s.least), math.Abs(most)); !s.dragged || s.scale == 0 {
		s.scale = largest
		if largest == 0 {
			s.scale = 1
		}
	}
	s.dragged = false
}

// solve finds the optimum.
func (s *Scene) solve() error {
	search, err := ot.NewConcave(ot.NewExact(), ot.DefaultRestarts, s.values.Seed)
	if err != nil {
		return err
	}
	s.best = ot.Plan{}
	if err := search.Solve(&s.best, &s.task, s.tau); err != nil {
		return err
	}
	s.goal = s.best.Cost - float64(s.tau*ot.RowMaxima(s.best.Mass, s.values.M))
	return nil
}

// Names of the runs' records besides the common ones.
const (
	recordedCost      = "cost"
	recordedBound     = "bound"
	recordedRowMaxima = "whole"
	recordedU         = "u"
	recordedV         = "v"
)

// run returns a solver's run at its start.
func (s *Scene) run(m ot.Method) (*timeline.Run, error) {
	regularization := s.values.Beta
	if m.Regularization.Name == "eps" {
		regularization = s.values.Epsilon
	}
	solver, err := m.New(regularization)
	if err != nil {
		return nil, err
	}
	w, err := ot.NewWatch(ot.WatchConfig{Task: s.task, Solver: solver, Tau: s.tau, Optimum: s.goal})
	if err != nil {
		return nil, err
	}
	task, tau := s.task, s.tau
	return &timeline.Run{
		Name: m.ID, Method: m.ID, Title: m.Title, Label: m.Title, Starts: [][]float64{{}}, Stepper: w,
		AtPoint: []timeline.Extra{
			{Name: recordedCost, Symbol: "cost", Label: "cost"}, {Name: recordedBound, Symbol: "bound", Label: "bound from the potentials"},
			{Name: recordedRowMaxima, Symbol: "Σmax", Label: "sum of the rows’ largest entries"},
			{Name: recordedU, Size: len(task.A)}, {Name: recordedV, Size: len(task.B)},
		},
		MeasurePoint: func(_ algo.View, _, further []float64) {
			p := w.Plan()
			further[0], further[2] = p.Cost, ot.RowMaxima(p.Mass, len(task.B))
			if tau == 0 { // if τ > 0, the potentials belong to a linearized problem
				further[1] = 0
				for i, u := range p.U {
					further[1] += float64(task.A[i] * u)
				}
				for j, v := range p.V {
					further[1] += float64(task.B[j] * v)
				}
			}
			copy(further[3:], p.U)
			copy(further[3+len(p.U):], p.V)
		},
	}, nil
}

// Panels returns the linked panels.
func (s *Scene) Panels() []axes.Panel { return s.panels }

// Drag moves a bar, a cell of the costs or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if shares, ok := s.rows.Drag(handle, x, y); ok {
		return "a", param.FormatShares(shares)
	}
	if shares, ok := s.columns.Drag(handle, x, y); ok {
		return "b", param.FormatShares(shares)
	}
	if handle == cursorHandle {
		return s.key(x, y)
	}
	if cell, ok := strings.CutPrefix(handle, cellHandle); ok {
		return s.drop(cell, y)
	}
	return s.Base.Drag(handle, x, y)
}

// key handles an arrow key and returns the change of a parameter, if any. The offset of x from the framed cell's column
// moves the frame; the offset of y from its row, in rows of the picture, changes the cell's cost.
func (s *Scene) key(x, y float64) (name, text string) {
	n, m := s.values.N, s.values.M
	if len(s.task.Cost) != n*m {
		return "", ""
	}
	i, j := s.cell()
	if by := math.Round(x - float64(j)); by != 0 {
		s.framed = int(min(max(float64(i*m+j)+by, 0), float64(n*m-1)))
		return "", ""
	}
	return s.paint(i, j, s.task.Cost[i*m+j]+s.costAt(y-s.rowAt(i)))
}

// drop sets a cell's cost from a height in the picture, and frames the cell. cell has the form "row-column", counted from 1.
func (s *Scene) drop(cell string, y float64) (name, text string) {
	row, column, _ := strings.Cut(cell, "-")
	i, err := strconv.Atoi(row)
	j, err2 := strconv.Atoi(column)
	n, m := s.values.N, s.values.M
	if err != nil || err2 != nil || i < 1 || i > n || j < 1 || j > m || len(s.task.Cost) != n*m {
		return "", ""
	}
	s.framed = (i-1)*m + j - 1
	return s.paint(i-1, j-1, s.costAt(y))
}

// paint returns a value of the parameter cost in which the cost of one cell is changed. Costs of a built-in kind become
// painted costs.
func (s *Scene) paint(i, j int, to float64) (name, text string) {
	n, m := s.values.N, s.values.M
	cost := make([][]float64, n)
	for r := range cost {
		cost[r] = make([]float64, m)
		for c := range cost[r] {
			cost[r][c] = rounded(s.task.Cost[r*m+c], s.scale)
		}
	}
	cost[i][j] = rounded(max(min(s.least, 0), min(to, maxCost)), s.scale)
	if s.values.Kind != costsData {
		s.values.Kind = costsGiven
	}
	s.dragged = true
	return "cost", param.FormatRows(cost)
}

// ShowsPasted reports whether the costs come from a file, even if the file is still missing.
func (s *Scene) ShowsPasted() bool { return s.values.Kind == costsData }

// Paste reads the costs, masses and τ from a file. τ is 0 if the file has none.
func (s *Scene) Paste(p *data.Pasted) error {
	in, err := p.Transport()
	if err != nil {
		return err
	}
	var sum float64
	for i, c := range in.Cost {
		if math.Abs(c) > maxCost {
			return fmt.Errorf("cost: %g is outside %g to %g", c, -maxCost, maxCost)
		}
		sum += math.Abs(in.Cost[i])
	}
	tau := 0.0
	if in.Tau > 0 {
		tau = in.Tau * float64(len(in.Cost)) / sum
		d, _ := s.Params().Lookup("tau")
		if !(tau <= d.Max) {
			return fmt.Errorf("tau: %g is more than %g times the mean of the costs", in.Tau, d.Max)
		}
	}
	v := &s.values
	s.pasted = p
	v.Kind, v.N, v.M, v.Tau = costsData, len(in.A), len(in.B), tau
	v.A, v.B = data.ShareOfSum(in.A), data.ShareOfSum(in.B)
	v.Given = p.Rows(data.CostName)
	return nil
}
