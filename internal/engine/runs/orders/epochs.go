package orders

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Epoch holds what has been measured in one epoch of a run so far. Numbers are NaN before the epoch has begun.
type Epoch struct {
	Number int // counted from 0
	Steps  int // number of steps taken; K once the epoch is complete

	// ω at the epoch's first point, the mean of ω² at the first points of all epochs up to this one, and the losses at
	// the epoch's first point.
	Omega, MeanSquare float64
	F                 []float64

	// Numbers of the epoch's order: H at the first point, SignBound for the signs, Drift and Wobble for the steps.
	// See ordering.Epoch.
	H, SignBound, Drift, Wobble float64
}

// Epochs returns the epochs that a run has recorded so far. The run must come from the last call of Runs. The last
// epoch may be incomplete or not begun. For a long run, only one in 2, 4, 8, … epochs is kept, as their Numbers show.
// The slice belongs to the roster and is valid until the run's next step.
func (r *Roster) Epochs(run *timeline.Run) []Epoch {
	if heard := r.records[run]; heard != nil {
		return heard.epochs
	}
	return nil
}

// maxEpochs is the maximum number of epochs that are kept for a run.
const maxEpochs = 1024

// record holds a run's epochs.
type record struct {
	stepper *ordering.Descent
	meter   *ordering.Meter
	epochs  []Epoch
	stride  int     // a complete epoch is kept if stride divides its Number
	squares float64 // sum of ω² at the first points of the epochs so far
}

func newRecord(p ordering.Problem, batch int, s *ordering.Descent) *record {
	return &record{stepper: s, meter: ordering.NewMeter(p, batch), stride: 1}
}

// hear records the point that a run has just reached, and ω at that point.
func (r *record) hear(v *algo.View, omega float64) {
	if e := r.meter.Hear(r.stepper); e != nil {
		last := &r.epochs[len(r.epochs)-1]
		last.Steps, last.H, last.SignBound, last.Drift, last.Wobble = e.Steps, e.H, e.SignBound, e.Drift, e.Wobble
	}
	if v.K%r.stepper.Examples() != 0 {
		return
	}
	r.thin()
	number := v.K / r.stepper.Examples()
	r.squares += float64(omega * omega)
	nan := math.NaN()
	r.epochs = append(r.epochs, Epoch{Number: number, Omega: omega, MeanSquare: r.squares / float64(number+1), F: slices.Clone(v.F),
		H: nan, SignBound: nan, Drift: nan, Wobble: nan})
}

// thin drops the last epoch unless it must be kept, and every other epoch once there are too many epochs.
func (r *record) thin() {
	if n := len(r.epochs); n > 0 && r.epochs[n-1].Number%r.stride != 0 {
		r.epochs = r.epochs[:n-1]
	}
	if len(r.epochs) == maxEpochs {
		r.stride *= 2
		r.epochs = slices.DeleteFunc(r.epochs, func(e Epoch) bool { return e.Number%r.stride != 0 })
	}
}

// Begun returns the epochs whose first point a run has reached by iteration k.
func (r *Roster) Begun(run *timeline.Run, k int) []Epoch {
	list, n := r.Epochs(run), len(r.Epochs(run))
	for n > 1 && list[n-1].Number*Examples(run) > k {
		n--
	}
	return list[:n]
}

// Stepped returns the first epoch, and all others in which a run has taken a step by iteration k.
func (r *Roster) Stepped(run *timeline.Run, k int) []Epoch {
	list, k := r.Begun(run, k), min(k, run.Last())
	if n := len(list) - 1; n > 0 && list[n].Number*Examples(run) == k {
		return list[:n]
	}
	return list
}

// LastThird returns the mean of the numbers that the function `of` returns for the epochs in the last third of list.
func LastThird(list []Epoch, of func(Epoch) float64) (mean float64) {
	last, from := list[len(list)-1].Number, len(list)-1
	for from > 0 && 3*list[from-1].Number > 2*last {
		from--
	}
	for _, e := range list[from:] {
		mean += of(e) / float64(len(list)-from)
	}
	return mean
}

// Slope returns the exponent with which the running mean of ω² falls as the number of steps grows. It compares the
// list's middle epoch with the list's last epoch.
func Slope(list []Epoch) float64 {
	last, half := list[len(list)-1], list[len(list)/2]
	if half.Number == 0 || half.Number == last.Number {
		return math.NaN()
	}
	return portable.Log(last.MeanSquare/half.MeanSquare) / portable.Log(float64(last.Number+1)/float64(half.Number+1))
}

// omegaAt returns ω at the beginning of an epoch, or NaN if it is unknown.
func (r *Roster) omegaAt(run *timeline.Run, number int) float64 {
	for _, e := range slices.Backward(r.Epochs(run)) {
		if e.Number == number {
			return e.Omega
		}
	}
	return math.NaN()
}
