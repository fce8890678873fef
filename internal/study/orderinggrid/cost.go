package orderinggrid

import (
	"fmt"
	"io"
	"math"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/orders"
)

// Size is a problem size for which the time per step is measured.
type Size struct {
	D     int // variables
	Batch int // samples per example
	Steps int // steps per measurement: the examples in an epoch
}

func (s Size) check() error {
	if s.D < 1 || s.Batch < 1 || s.Steps < 1 {
		return fmt.Errorf("variables = %d, batch = %d and steps = %d must be positive", s.D, s.Batch, s.Steps)
	}
	return nil
}

// Timing is a size with its measurements so far. Each row contains the seconds per step without and with JoGBa's
// ordering.
type Timing struct {
	Size
	Each experiment.Rows
}

// Columns of a measurement, that is, of a row of Timing.
const (
	updated = iota
	ordered
)

// said contains the settings that all measured times share, by column.
var said = map[string]any{"part": "cost", "weighting": "mgda", "optimizer": plain, "order": orders.JoGBa, "variant": ""}

// costLines returns one line per size.
func (s *Tables) costLines() []experiment.Line {
	plan := experiment.Plan[Timing]{
		Parts: func(t *Timing) (done, wanted int) { return len(t.Each), measurements },
		Work: func(t *Timing, _ func() bool) (complete bool, err error) {
			each, err := t.measure(s.config.Seed)
			if err != nil {
				return false, err
			}
			t.Each.Add(each)
			return true, nil
		},
		Effort: func(*Timing) float64 { return 10_000 },
		Columns: []experiment.Column[Timing]{
			experiment.Key("d", func(t *Timing) any { return t.D }), experiment.Key("batch", func(t *Timing) any { return t.Batch }),
			rowsColumn("each", func(t *Timing) *experiment.Rows { return &t.Each }, math.MaxFloat64,
				func(*Timing) (rows, numbers int) { return measurements, ordered + 1 }),
			experiment.Member("steps", func(t *Timing) any { return t.Steps }),
		},
	}
	for name, value := range said {
		plan.Columns = append(plan.Columns, experiment.Key(name, func(*Timing) any { return value }))
	}
	for _, size := range s.config.Costs {
		plan.Cells = append(plan.Cells, Timing{Size: size})
	}
	return experiment.Lines(plan)
}

// times returns the seconds that a step's update takes, and the time that ordering adds as a share of them. Both are
// medians over the measurements, or NaN until all measurements are complete.
func (t *Timing) times() (update, share float64) {
	if len(t.Each) < measurements {
		return math.NaN(), math.NaN()
	}
	shares := t.Each.Each(func(row []float64) float64 { return row[ordered]/row[updated] - 1 })
	return experiment.Median(t.Each.Number(updated)), experiment.Median(shares)
}

// recordedTimes returns the times for the JSON file.
func (s *Tables) recordedTimes() []map[string]any {
	out := []map[string]any{}
	for t := range experiment.Of[Timing](s.Grid) {
		if update, share := t.times(); !math.IsNaN(update) {
			out = append(out, map[string]any{"d": t.D, "batch": t.Batch, "update": update, "ordering": share * update})
		}
	}
	return out
}

// measurements is the number of measurements per size, and turns is how often each kind of order is timed in a
// measurement.
const measurements, turns = 9, 10

// costTasks is the number of objectives, M, in the measurements.
const costTasks = 2

// lossless is a problem that does not evaluate its losses. Steppers compute all losses after every step, a cost that
// a training loop would not have.
type lossless struct{ ordering.Problem }

func (lossless) Values(f, _ []float64) { clear(f) }

// measure returns the seconds per step of MGDA on least squares with shared inputs: with separate random orders for
// each objective, and with JoGBa's. Each number is the minimum over several epochs. The two kinds of order take turns.
// A first epoch of each, in which everything is allocated, does not count.
func (s Size) measure(seed uint64) (least []float64, err error) {
	p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: costTasks, Examples: s.Steps * s.Batch, Variables: s.D,
		Condition: condition, Heterogeneity: heterogeneity, Noise: noise, SharedInputs: true, Seed: seed})
	if err != nil {
		return nil, err
	}
	var steppers []*ordering.Descent
	for _, kind := range []ordering.Kind{ordering.Random, ordering.JoGBa} {
		stepper, err := ordering.New(ordering.Config{Problem: lossless{p}, Batch: s.Batch, Kind: kind, Own: kind == ordering.Random,
			Start: make([]float64, s.D), StepSize: 1e-3 / float64(s.D), Seed: seed})
		if err != nil {
			return nil, err
		}
		if _, err := epoch(stepper); err != nil {
			return nil, err
		}
		steppers = append(steppers, stepper)
	}
	least = []float64{math.Inf(1), math.Inf(1)}
	for range turns {
		for i, stepper := range steppers { // random orders first, then JoGBa's
			took, err := epoch(stepper)
			if err != nil {
				return nil, err
			}
			least[i] = min(least[i], experiment.Rounded(took, digits))
		}
	}
	return least, nil
}

// epoch returns the seconds per step of the next epoch.
func epoch(s *ordering.Descent) (float64, error) {
	begun := time.Now()
	for range s.Examples() {
		if status, err := s.Step(); err != nil || status == algo.Diverged {
			return 0, fmt.Errorf("a timed step ended as %v: %w", status, err)
		}
	}
	return time.Since(begun).Seconds() / float64(s.Examples()), nil
}

// writeCosts writes the times, measured on one machine.
func (s *Tables) writeCosts(b *experiment.Text) {
	b.Printf("\nTime per step of MGDA on least squares with shared inputs, M = %d, on the machine that computed these tables: medians of "+
		"%d measurements. The update is gradients, weights and move, with a separate random order for each objective; ordering is the "+
		"time that JoGBa adds.\n\n", costTasks, measurements)
	b.Table(func(out io.Writer) {
		fmt.Fprintln(out, "d\tsamples per example\tupdate\tordering\tas a share of the update")
		for t := range experiment.Of[Timing](s.Grid) {
			update, share := t.times()
			if math.IsNaN(update) {
				fmt.Fprintf(out, "%d\t%d\t–\n", t.D, t.Batch)
				continue
			}
			fmt.Fprintf(out, "%d\t%d\t%s\t%s\t%.0f %%\n", t.D, t.Batch, duration(update), duration(share*update), 100*share)
		}
	})
}

// duration formats seconds with two digits in a suitable unit.
func duration(seconds float64) string {
	if math.Abs(seconds) >= 1e-3 {
		return experiment.Significant(1e3*seconds, 2) + " ms"
	}
	return experiment.Significant(1e6*seconds, 2) + " µs"
}
