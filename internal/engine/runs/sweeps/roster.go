package sweeps

import (
	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// Roster is the family on one problem: the methods that run, their settings, and the settings that all runs share. Its
// fields are bound to a scene's parameters.
type Roster struct {
	*runs.Roster[*Course]
	runs.Settings

	M          []int // number of turns of each objective; nil means one each
	Alpha      float64
	Schedule   string // a blocks.Schedule
	Order      string // a blocks.Order
	BlockOrder string // a blocks.BlockOrder
	Update     string // a blocks.Update
	Seeds      int    // number of runs of every method
	StepSizes  string // EqualSteps or BestSteps; "" means EqualSteps

	own map[string]*float64 // step sizes of BestSteps, by method
}

// maxTurns is the maximum frequency of an objective.
const maxTurns = 40

// New returns settings with a constant step size and random orders. The argument on lists the methods that run.
func New(on ...string) *Roster {
	r := &Roster{Alpha: 0.1, Schedule: string(blocks.Constant), Order: string(blocks.RandomOrder),
		BlockOrder: string(blocks.RandomBlocks), Update: string(blocks.GaussSeidel), Seeds: 1}
	r.Axis = kinds.Iterations
	r.Roster = runs.New(r.methods(), nil, on...)
	r.liveSteps()
	return r
}

// BindMethods binds "method", the choice of methods.
func (r *Roster) BindMethods(l *param.List) {
	r.Roster.BindMethods(l, 0, "The methods to compare. They differ in the variables that a step moves and the gradient that it follows. "+
		"Each method has its own run from the same start.")
	r.Roster.BindOwn(l)
}

// BindFrequencies binds m, one number for each objective. The Integer parameter "q" counts the objectives. The argument
// objectives is the maximum of "q".
func (r *Roster) BindFrequencies(l *param.List, objectives int) {
	l.Frequencies(&r.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Frequencies", Max: maxTurns, Count: "q", AtMost: objectives,
		Effect: param.Rerun, Help: "How many turns each objective has on a block. The total is p, and m_k/p is the weight of objective k " +
			"in F_m, the sum that all methods minimise. At 0 an objective is left out."})
}

// BindStepSettings binds the settings of a step: alpha and its schedule.
func (r *Roster) BindStepSettings(l *param.List) {
	l.Number(&r.Alpha, param.Descriptor{Name: "alpha", Symbol: "α", Label: "Step size", Min: 0.0001, Max: 5, Scale: param.Log,
		Effect: param.Live, Help: "How far one step goes: x ← x − α·gradient, on the current block."})
	l.Choice(&r.Schedule, param.Descriptor{Name: "schedule", Label: "Step size schedule", Effect: param.Rerun,
		Help: "How the step size changes between outer iterations; t counts them from 0. Within an outer iteration the size stays the same.",
		Options: []param.Option{
			{Value: string(blocks.Constant), Label: "constant", Help: "The step size is always α."},
			{Value: string(blocks.InverseSqrt), Label: "1/√T", Help: "The step size for T outer iterations in total (Theorems 3.1 and 3.2). α " +
				"is not used."},
			{Value: string(blocks.Printed), Label: "2/(μ(t+1))", Help: "The printed step size of Theorem 3.3. It starts far too large for " +
				"ordinary quadratics. α is not used."},
			{Value: string(blocks.Safe), Label: "2/(pμ(t+1+2L/μ))", Help: "Our step size has the same order as the printed step size and never " +
				"exceeds 1/(pL). α is not used."},
		}})
}

// BindOrder binds the order in which objectives and blocks have their turns, and which steps of other blocks a block
// takes into account.
func (r *Roster) BindOrder(l *param.List) {
	l.Choice(&r.Order, param.Descriptor{Name: "order", Symbol: "π", Label: "Order of the objectives", Effect: param.Rerun,
		Help: "The order in which objectives take turns on a block.",
		Options: []param.Option{
			{Value: string(blocks.RandomOrder), Label: "random", Help: "The order is drawn again for every block."},
			{Value: string(blocks.Contiguous), Label: "contiguous", Help: "The first objective has m₁ turns, then the second has m₂ turns, " +
				"and so on."},
			{Value: string(blocks.Cyclic), Label: "cyclic", Help: "Objectives take turns one by one; an objective drops out when its turns are " +
				"used up."},
		}})
	l.Choice(&r.BlockOrder, param.Descriptor{Name: "blockorder", Symbol: "σ", Label: "Order of the blocks", Effect: param.Rerun,
		Help: "The order in which blocks have their turns.",
		Options: []param.Option{
			{Value: string(blocks.RandomBlocks), Label: "random", Help: "The order is drawn again for every outer iteration."},
			{Value: string(blocks.ListedBlocks), Label: "as listed"},
		}})
	l.Choice(&r.Update, param.Descriptor{Name: "update", Label: "Which steps of other blocks count", Effect: param.Rerun,
		Help: "Which steps of other blocks in the same outer iteration a block takes into account.",
		Options: []param.Option{
			{Value: string(blocks.GaussSeidel), Label: "all earlier steps", Help: "A block uses all earlier steps (Gauss–Seidel), as in " +
				"Algorithm 1."},
			{Value: string(blocks.Jacobi), Label: "none of them", Help: "Blocks ignore each other (Jacobi), so all could move at once. This " +
				"is not in the paper."},
		}})
}

// BindSeeds binds the number of runs of every method.
func (r *Roster) BindSeeds(l *param.List, most int) {
	l.Integer(&r.Seeds, param.Descriptor{Name: "seeds", Label: "Seeds", Min: 1, Max: float64(most), Step: 1, Effect: param.Rerun, Unit: "runs",
		Help: "How many runs each method has. Runs with the same number share their random draws, so methods can be compared run by run. " +
			"More runs give steadier means."})
}

// OuterClock is the name of the clock that counts outer iterations.
const OuterClock = "outer"

// BindAxis binds the quantity on the time axis of panels.
func (r *Roster) BindAxis(l *param.List) {
	l.Choice(&r.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display,
		Options: []param.Option{{Value: kinds.Iterations, Label: "steps"}, {Value: OuterClock, Label: "outer iterations"},
			{Value: CoordinatesName, Label: "gradient coordinates"}},
		Help: "The unit of the time axis. A step for an objective costs as many gradient coordinates as its block has variables; a step of the " +
			"weighted sum costs q times as many. In an outer iteration every block has all its turns; the weighted sum takes one step."})
}

// config returns the configuration of one method's stepper.
func (r *Roster) config(s *sweep, c *Course) blocks.Config {
	config := blocks.Config{Problem: c.Problem, Start: c.Start, Frequencies: r.Frequencies(c.Problem), StepSize: r.stepSize(s.ID),
		Schedule: blocks.Schedule(r.Schedule), Order: blocks.Order(r.Order), BlockOrder: blocks.BlockOrder(r.BlockOrder),
		Update: blocks.Update(r.Update), Batch: c.Batch, Seed: c.Seed, StartIndex: c.draw}
	if s.parts {
		config.Blocks, config.Shared = c.Blocks, c.Shared
		if c.Partitioned != nil {
			config.Problem = c.Partitioned()
		}
	}
	config = s.special(config)
	config.Horizon = c.horizon(&config)
	return config
}

// Frequencies returns how many turns each objective of a problem has.
func (r *Roster) Frequencies(p algo.Problem) []int {
	_, q := p.Dims()
	return param.Frequencies(r.M, q)
}
