package blocksmoo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/scenes/race/sweeps"
)

// million is the unit of multiplications, each with its addition, and thousand that of
// gradient coordinates.
const million, thousand = 1e6, 1e3

// digits of what files hold, so that they stay short.
const digits = 5

// run is one under way.
type run struct {
	stepper *blocks.Alternation
	steps   int  // of a visit to a block
	parted  bool // there are several blocks
	// Multiplications, of each block, of the first step of a visit and of a further one.
	first, further []int
	outer          int // and of an outer iteration
	work           int // of all steps that were made by forward

	test   *problem.ReducedRank
	losses []float64
}

// begin starts the run of a trial on these examples.
func (s *Tables) begin(e examples, rank int, t trial, seed uint64) (*run, error) {
	frequencies := slices.Repeat([]int{t.M}, e.train.Responses())
	return newRun(e, rank, t, frequencies, nil, s.config.Batch, seed)
}

// newRun starts a run with frequencies of its own. Shared is as blocks.Config has it; nil
// leaves it to the method.
func newRun(e examples, rank int, t trial, frequencies []int, shared []bool, batch int, seed uint64) (*run, error) {
	sharing := t.Shared || shared != nil
	p, err := problem.NewReducedRank(e.train, problem.ReducedRankConfig{Rank: rank, KeepProduct: sharing})
	if err != nil {
		return nil, err
	}
	test, err := problem.NewReducedRank(e.test, problem.ReducedRankConfig{Rank: rank})
	if err != nil {
		return nil, err
	}
	n, q := p.Dims()
	config := blocks.Config{Problem: p, Start: p.Start(seed, 0), Frequencies: frequencies, StepSize: t.Alpha, Batch: batch, Seed: seed,
		Blocks: partition(e.train.Features()*rank, q, n, t.ByRows), Shared: shared}
	if t.Shared {
		config.Shared = make([]bool, len(config.Blocks))
		for b := 1; b < len(config.Shared); b++ { // those of V
			config.Shared[b] = true
		}
	}
	switch t.ID {
	case sweeps.WeightedSum:
		config = blocks.WeightedSum(config)
	case sweeps.FunctionAlternate:
		config = blocks.FunctionAlternate(config)
	case sweeps.BlockAlternate:
		config = blocks.BlockAlternate(config)
	}
	stepper, err := blocks.New(config)
	if err != nil {
		return nil, err
	}
	r := &run{stepper: stepper, test: test, losses: make([]float64, q), parted: config.Blocks != nil}
	if config.Blocks == nil {
		config.Blocks = [][]int{{0, n - 1}}
	}
	r.steps = stepper.OuterSteps() / len(config.Blocks)
	for _, block := range config.Blocks {
		cost := func(kept bool) int {
			lo, hi := block[0], block[len(block)-1]+1
			if config.Together {
				return p.WeightedWork(batch, lo, hi, kept)
			}
			return p.Work(batch, 0, lo, hi, kept) // that of all objectives alike
		}
		r.first, r.further = append(r.first, cost(false)), append(r.further, cost(sharing))
		r.outer += cost(false) + (r.steps-1)*cost(sharing)
	}
	return r, nil
}

// partition is U, of the first variables, and V or each of its rows.
func partition(u, q, n int, rows bool) [][]int {
	stretch := func(lo, hi int) []int {
		out := make([]int, hi-lo)
		for i := range out {
			out[i] = lo + i
		}
		return out
	}
	out := [][]int{stretch(0, u)}
	if !rows {
		return append(out, stretch(u, n))
	}
	for lo := u; lo < n; lo += q {
		out = append(out, stretch(lo, lo+q))
	}
	return out
}

// loss is the mean of the objectives on the test examples, infinite once the run diverged.
func (r *run) loss() float64 {
	r.test.Values(r.losses, r.stepper.View().X)
	var sum float64
	for _, v := range r.losses {
		sum += v / float64(len(r.losses))
	}
	if sum-sum != 0 {
		return math.Inf(1)
	}
	return sum
}

// forward makes steps of about that many multiplications, at least one and all on the same
// block, and counts what they cost.
func (r *run) forward(work int) (algo.Status, error) {
	before := r.stepper.View().K
	done := before % r.steps
	steps := max(1, work/r.dearest())
	if r.parted {
		steps = min(steps, r.steps-done)
	}
	status, err := r.stepper.Advance(steps)
	if err != nil || status == algo.Diverged {
		return status, err
	}
	block := 0
	if r.parted {
		move, _ := r.stepper.Move()
		block = move.Block
	}
	made := r.stepper.View().K - before
	r.work += made * r.further[block]
	if done == 0 { // where there is one block, all steps cost the same
		r.work += r.first[block] - r.further[block]
	}
	return status, nil
}

// dearest is what a further step costs at most.
func (r *run) dearest() int { return slices.Max(r.further) }

// begun is where the time of day is counted from, where it stands in for that of the
// processor.
var begun = time.Now()

// record is what a timed run came to.
type record struct {
	steps  int
	work   float64   // million multiplications, those of an outer iteration under way in proportion
	losses []float64 // at the times asked for
}

// race lets a run go until each of the times, in seconds, and takes its loss there. The clock
// stands still meanwhile. It ends the run wherever that is, and changes nothing of it.
func (r *run) race(times []float64) (*record, error) {
	out := &record{losses: slices.Repeat([]float64{math.Inf(1)}, len(times))}
	elapsed := time.Nanosecond
	for i, t := range times {
		until := time.Duration(t * float64(time.Second))
		for elapsed < until {
			// Steps are not alike, so that the time of the first ones says little of the others.
			count := max(1, min(out.steps, int(float64(until-elapsed)/float64(elapsed)*float64(out.steps))))
			before := clock()
			status, err := r.stepper.Advance(count)
			elapsed += max(time.Nanosecond, clock()-before)
			if err != nil {
				return nil, err
			}
			if out.steps = r.stepper.View().K; status == algo.Diverged {
				out.work = r.share(out.steps)
				return out, nil
			}
		}
		out.losses[i] = r.loss()
	}
	out.work = r.share(out.steps)
	return out, nil
}

// share is about how many million multiplications so many steps take.
func (r *run) share(steps int) float64 {
	return float64(steps) / float64(r.stepper.OuterSteps()) * float64(r.outer) / million
}

// screen tries every step size with a setting.
func (s *Tables) screen(c *Cell) ([][]float64, error) {
	var rows [][]float64
	for _, alpha := range s.config.Alphas {
		loss, err := s.final(trial{c.Setting, alpha}, c.Seed)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []float64{loss})
	}
	return rows, nil
}

// final is the loss of a trial when its time is up.
func (s *Tables) final(t trial, seed uint64) (float64, error) {
	o, err := s.clocked(t, seed, []float64{s.config.Budget})
	if err != nil {
		return 0, err
	}
	return o.losses[0], nil
}

// clocked makes a timed run.
func (s *Tables) clocked(t trial, seed uint64, times []float64) (*record, error) {
	e, err := s.store.take(&s.config.Race, seed)
	if err != nil {
		return nil, err
	}
	r, err := s.begin(e, s.config.Rank, t, seed)
	if err != nil {
		return nil, err
	}
	return r.race(times)
}

// tune tries the best of a method's trials with the other seeds for choosing.
func (s *Tables) tune(c *Cell) ([][]float64, error) {
	var screened []float64
	for other := range s.Each {
		if other.Part == screening && other.Method == c.Method {
			for _, row := range other.Rows {
				screened = append(screened, row[0])
			}
		}
	}
	trials := s.config.trials(c.Method)
	if len(screened) != len(trials) {
		return nil, fmt.Errorf("%s: %d of %d settings are tried before the best are chosen", c.Method.title(), len(screened), len(trials))
	}
	order := make([]int, len(trials))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(screened[a], screened[b]) })
	var rows [][]float64
	for _, i := range order[:min(s.config.Finalists, len(order))] {
		row := []float64{float64(i)}
		for seed := 1; seed < s.config.Tuning; seed++ {
			loss, err := s.final(trials[i], s.config.Seed+uint64(seed))
			if err != nil {
				return nil, err
			}
			row = append(row, loss)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// chosen is the trial of a method with the least mean loss among its finalists; ok is false
// before these are computed.
func (s *Tables) chosen(m Method) (best trial, ok bool) {
	least := math.Inf(1)
	for c := range s.Each {
		if c.Part != finals || c.Method != m {
			continue
		}
		for _, row := range c.Rows {
			var sum float64
			for _, loss := range row[1:] {
				sum += loss
			}
			if !ok || sum < least {
				best, least, ok = s.config.trials(m)[int(row[0])], sum, true
			}
		}
	}
	return best, ok
}

// contender is a method in the race by the clock: with the trial that was chosen, or with
// the step size that all have.
type contender struct {
	Method
	tuned bool
}

// contenders are in the order of the rows of timed cells.
func contenders() (out []contender) {
	for _, tuned := range []bool{true, false} {
		for _, m := range methods() {
			out = append(out, contender{m, tuned})
		}
	}
	return out
}

// entered is the trial that a contender runs.
func (s *Tables) entered(c contender) (t trial, ok bool) {
	if c.tuned {
		return s.chosen(c.Method)
	}
	return trial{s.config.plain(c.Method), s.config.EqualAlpha}, true
}

// race makes the timed runs of a seed.
func (s *Tables) race(c *Cell) ([][]float64, error) {
	all := contenders()
	rows := make([][]float64, len(all))
	for place := range all {
		i := place
		if c.Seed%2 == 1 { // there and back, for what the machine does meanwhile
			i = len(all) - 1 - place
		}
		t, ok := s.entered(all[i])
		if !ok {
			return nil, fmt.Errorf("%s races before its setting is chosen", all[i].title())
		}
		o, err := s.clocked(t, c.Seed, s.config.Records)
		if err != nil {
			return nil, err
		}
		rows[i] = append([]float64{float64(o.steps), o.work}, o.losses...)
	}
	return rows, nil
}

// count takes the costs of a setting, with every step size.
func (s *Tables) count(c *Cell) ([][]float64, error) {
	e, err := s.store.take(&s.config.Race, c.Seed)
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	for _, alpha := range s.config.Alphas {
		r, err := s.begin(e, s.config.Rank, trial{c.Setting, alpha}, c.Seed)
		if err != nil {
			return nil, err
		}
		row, err := s.costs(r)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// looks is how often the loss is taken of a run whose cost is counted, at most.
const looks = 200

// costs follows a run up to the last checkpoint. Between two looks the logarithm of the loss
// is taken to be straight.
func (s *Tables) costs(r *run) ([]float64, error) {
	levels, checkpoints := s.config.Levels, s.config.Checkpoints
	last := checkpoints[len(checkpoints)-1]
	row := slices.Repeat([]float64{math.Inf(1)}, 2*len(levels)+len(checkpoints))
	type place struct{ work, coordinates, loss float64 }
	at := place{loss: math.Log(r.loss())}
	between := func(from, to place, share float64) place {
		return place{from.work + share*(to.work-from.work), from.coordinates + share*(to.coordinates-from.coordinates),
			from.loss + share*(to.loss-from.loss)}
	}
	for level := range levels {
		if at.loss <= math.Log(levels[level]) {
			row[level], row[len(levels)+level] = 0, 0
		}
	}
	for at.work < last {
		status, err := r.forward(int(last * million / looks))
		if err != nil || status == algo.Diverged {
			return row, err
		}
		now := place{float64(r.work) / million, float64(r.stepper.View().Cost.GradientCoordinates) / thousand, math.Log(r.loss())}
		for i, level := range levels {
			if target := math.Log(level); math.IsInf(row[i], 1) && now.loss <= target {
				there := between(at, now, (at.loss-target)/(at.loss-now.loss))
				row[i], row[len(levels)+i] = there.work, there.coordinates
			}
		}
		for i, checkpoint := range checkpoints {
			if at.work < checkpoint && now.work >= checkpoint {
				row[2*len(levels)+i] = math.Exp(between(at, now, (checkpoint-at.work)/(now.work-at.work)).loss)
			}
		}
		at = now
	}
	return row, nil
}
