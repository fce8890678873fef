package orders

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// EpochReader supplies pictures with the epochs of runs at the marker. It reads the steppers as they
// were then, once for an epoch, a step or a run, and never in every frame. If reading takes long, a
// frame reads a part, and Read the rest.
type EpochReader struct {
	line    *timeline.Timeline
	problem ordering.Problem // nil where there are no runs
	batch   int
	kept    brush.Memo[uint64, *read] // by the timeline's version

	before, offered []float64 // scratch of one offer
}

// read keeps the results of reading the runs of one version of the timeline.
type read struct {
	herding *ordering.Herding
	walks   map[*timeline.Run]*Walk
	extent  Extent
	step    *Step
	trail   brush.Memo[epochOf, *Trail]
	rows    brush.Memo[*timeline.Run, map[int][][]int] // orders by epoch
}

// epochOf is an epoch of a run.
type epochOf struct {
	Run   *timeline.Run
	Epoch int
}

// NewEpochReader reads runs of a timeline; there are none before On.
func NewEpochReader(t *timeline.Timeline) *EpochReader { return &EpochReader{line: t} }

// On forgets earlier results and starts reading the runs on a problem, nil for none, with examples
// of batch samples.
func (rd *EpochReader) On(p ordering.Problem, batch int) {
	*rd = EpochReader{line: rd.line, problem: p, batch: batch}
}

func (rd *EpochReader) read() *read {
	return rd.kept.Of(rd.line.Version(), func() *read {
		out := &read{walks: map[*timeline.Run]*Walk{}}
		if rd.problem != nil {
			out.herding = ordering.NewHerding(rd.problem, rd.batch)
		}
		return out
	})
}

// Examples returns K, 1 if there are no runs.
func (rd *EpochReader) Examples() int {
	if runs := rd.line.Runs(); len(runs) > 0 {
		return Examples(runs[0])
	}
	return 1
}

// Place returns where a run stands at iteration k: the epoch, from 0, of the step that led there,
// and how many of its steps are made; before the first step, 0 steps of epoch 0.
func Place(r *timeline.Run, k int) (epoch, steps int) {
	k = min(k, r.Last())
	if k <= 0 {
		return 0, 0
	}
	examples := Examples(r)
	return (k - 1) / examples, (k-1)%examples + 1
}

// Now returns where a run stands at the marker.
func (rd *EpochReader) Now(r *timeline.Run) (epoch, steps int) { return Place(r, rd.line.Marker()) }

// StepAt returns the step, from 0 to K, at which a run was at iteration k, or is at the marker if k
// is negative; ok is false if k is outside the run's epoch at the marker.
func (rd *EpochReader) StepAt(r *timeline.Run, k int) (step int, ok bool) {
	epoch, step := rd.Now(r)
	if k >= 0 {
		step = k - epoch*Examples(r)
	}
	return step, step >= 0 && step <= Examples(r)
}

// Shown returns the runs in pictures of an epoch: every method's run with the first seed. The
// selected run replaces its method's, and comes last.
func (rd *EpochReader) Shown() (out []timeline.Track) {
	chosen := rd.line.Selected()
	for _, t := range rd.line.Tracks() {
		if t.StartIndex() == 0 && t.Method != chosen.Method {
			out = append(out, t)
		}
	}
	if chosen.Run != nil {
		out = append(out, chosen)
	}
	return out
}

// Find returns the run among Shown with a name, as in a Pick; its Run is nil for none.
func (rd *EpochReader) Find(name string) timeline.Track {
	r := rd.line.Find(name)
	if chosen := rd.line.Selected(); r.Run != nil && (r == chosen || r.StartIndex() == 0 && r.Method != chosen.Method) {
		return r
	}
	return timeline.Track{}
}

// Read reads for all pictures while more() holds, and reports whether there is more to read.
func (rd *EpochReader) Read(more func() bool) (pending bool) {
	if rd.problem == nil || len(rd.line.Runs()) == 0 {
		return false
	}
	return rd.readWalks(more) || rd.readTrail(more) || rd.readRows(more)
}

// perFrame is roughly how many multiplications a frame may spend on reading.
const perFrame = 1 << 20

// frameful returns a more() for readings that take cost multiplications for d variables, m
// objectives and n samples. It always allows one reading.
func (rd *EpochReader) frameful(cost func(d, m, n int) int) func() bool {
	left, first, each := perFrame, true, 0
	if rd.problem != nil {
		d, m := rd.problem.Dims()
		each = cost(d, m, rd.problem.Examples())
	}
	return func() bool {
		ok := first || left >= each
		first, left = false, left-each
		return ok
	}
}

// stepCost is about how many multiplications one step of a run takes.
func stepCost(d, m, n int) int { return 2 * m * d * min(d, n) }

// At calls f with the stepper of a run as it was when it had just come to iteration k; at the
// latest iteration it may be the run's stepper itself. It reports false where that cannot be done
// now, because an iteration is under way.
func (rd *EpochReader) At(r *timeline.Run, k int, f func(*ordering.Descent)) bool {
	// Only a stepper that has just made a step can describe it, not one that was restored.
	if now := r.Stepper.(*ordering.Descent); k == r.Last() && now.View().K == k && (k == 0 || now.Signs() != nil) {
		f(now)
		return true
	}
	err := rd.line.Visit(r, k, func(stepper algo.Stepper) { f(stepper.(*ordering.Descent)) })
	if err != nil && !timeline.NotNow(err) {
		panic(err) // the run's own steps have made it once
	}
	return err == nil
}

// WithOrders calls f with the orders of an epoch that a run has come to, which hold until it
// returns.
func (rd *EpochReader) WithOrders(r *timeline.Run, epoch int, f func([][]int)) {
	if now := r.Stepper.(*ordering.Descent); now.Epoch() == epoch {
		f(now.Orders())
		return
	}
	rd.At(r, min(epoch*Examples(r)+1, r.Last()), func(d *ordering.Descent) { f(d.Orders()) })
}

// Vector is the part of a vector in the first two coordinates.
type Vector struct{ X, Y float64 }

func shadow(v []float64) Vector {
	x, y := runs.Flat(v)
	return Vector{x, y}
}

// Plus is v + c·g.
func (v Vector) Plus(c float64, g Vector) Vector {
	return Vector{v.X + float64(c*g.X), v.Y + float64(c*g.Y)}
}

func maxNorm(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

// ---- the walk

// Walk holds the prefix sums of the gradients of an epoch's examples, less their means, in the
// epoch's order and at its first point.
type Walk struct {
	Epoch  int
	Points []Vector  // for k = 0, 1, …, K
	Norms  []float64 // their max norms
	Most   float64   // the largest of these
	Tall   float64   // the largest second coordinate by size
	H      float64   // the same in lengths of the longest term
}

// Walk returns the walk of a run's epoch at the marker, nil until it has been read.
func (rd *EpochReader) Walk(r *timeline.Run) *Walk {
	epoch, _ := rd.Now(r)
	if w := rd.read().walks[r]; w != nil && w.Epoch == epoch {
		return w
	}
	return nil
}

// Walks returns the walks of the runs in Shown, as far as they have been read.
func (rd *EpochReader) Walks() iter.Seq2[timeline.Track, *Walk] {
	return func(yield func(timeline.Track, *Walk) bool) {
		for _, r := range rd.Shown() {
			if w := rd.Walk(r.Run); w != nil && !yield(r, w) {
				return
			}
		}
	}
}

// FarthestWalk reads a frame's part of the walks, and returns how far the farthest goes.
func (rd *EpochReader) FarthestWalk() (most float64) {
	rd.readWalks(rd.frameful(func(d, m, n int) int { return d * m * n }))
	for _, w := range rd.Walks() {
		most = max(most, w.Most)
	}
	return most
}

// Extent is how far the walk of a first epoch goes, which the frames of pictures are taken from. The zero value is unknown.
type Extent struct {
	Most float64 // as a Walk's
	Tall float64
	Step float64 // the longest term, in max norm
}

// Extent reads the walk of the first run's first epoch, once for a version of the timeline. It is unknown where there are no runs,
// and while an iteration is under way.
func (rd *EpochReader) Extent() Extent {
	runs := rd.line.Runs()
	out := &rd.read().extent
	if out.Most > 0 || len(runs) == 0 || rd.problem == nil || rd.line.UnderWay() {
		return *out
	}
	row, err := rd.line.At(runs[0], 0)
	if err != nil {
		panic(err) // it is the start
	}
	w := slices.Clone(row.X)
	rd.WithOrders(runs[0], 0, func(list [][]int) {
		before := make([]float64, len(w))
		rd.read().herding.Walk(w, list, func(_ int, sum []float64) {
			out.Most, out.Tall = max(out.Most, maxNorm(sum)), max(out.Tall, math.Abs(shadow(sum).Y))
			for j, v := range sum {
				out.Step = max(out.Step, math.Abs(v-before[j]))
			}
			copy(before, sum)
		})
	})
	return *out
}

// readWalks reads the walks of the runs that are shown while more() holds, the selected run's
// first, and reports whether there are more to read.
func (rd *EpochReader) readWalks(more func() bool) (pending bool) {
	if rd.line.UnderWay() {
		return false // once the iteration is complete they can be read
	}
	for _, r := range slices.Backward(rd.Shown()) {
		if rd.Walk(r.Run) != nil {
			continue
		}
		if !more() {
			return true
		}
		rd.readWalk(r.Run)
	}
	return false
}

func (rd *EpochReader) readWalk(r *timeline.Run) {
	epoch, _ := rd.Now(r)
	k := Examples(r)
	held := rd.read().walks[r]
	if held == nil {
		held = &Walk{Points: make([]Vector, k+1), Norms: make([]float64, k+1)}
		rd.read().walks[r] = held
	}
	held.Epoch, held.Most, held.Tall = epoch, 0, 0
	row, err := rd.line.At(r, epoch*k)
	if err != nil {
		panic(err) // the run's own steps have made it once
	}
	w := slices.Clone(row.X)
	rd.WithOrders(r, epoch, func(list [][]int) {
		held.H = rd.read().herding.Walk(w, list, func(k int, sum []float64) {
			held.Points[k], held.Norms[k] = shadow(sum), maxNorm(sum)
			held.Most = max(held.Most, held.Norms[k])
			held.Tall = max(held.Tall, math.Abs(held.Points[k].Y))
		})
	})
}

// ---- the step at the marker

// Step describes the effect of the last step before the marker on the orders of the selected run.
type Step struct {
	Run   *timeline.Run
	K     int
	Epoch int // of the step
	Steps int // of that epoch, made

	Own         bool    // every objective has an order of its own
	Now         [][]int // the orders of the epoch
	Next        [][]int // the known part of the next orders, nil if signs decide nothing
	Left, Right []int   // how many of its places are taken

	Weights []float64 // nil where there were none
	Point   []float64 // after the step

	Offers []Offer // of each objective, or one that is shared; nil where nothing was offered
}

// Offer is one vector that was put on one side of a sum.
type Offer struct {
	Objective   int     // from 0; −1 for one of all objectives
	Sign        float64 // +1 or −1
	From, G     Vector  // the sum before, and what was offered
	Gradient    Vector  // that is before it was centred
	Plus, Minus float64 // max norms of the sum with either sign
	Before      float64 // and of the sum before
}

// Step returns the step of the selected run, nil where there is none.
func (rd *EpochReader) Step() *Step {
	r := rd.line.Selected().Run
	if r == nil {
		return nil
	}
	read, k := rd.read(), min(rd.line.Marker(), r.Last())
	if read.step == nil || read.step.Run != r || read.step.K != k {
		var ok bool
		if read.step, ok = rd.readStep(r, k, read.step); !ok {
			now := read.step
			read.step = nil
			return now
		}
	}
	return read.step
}

// readStep reads a step into the storage of a former one, nil for none. It reports false where only
// its place can be known now.
func (rd *EpochReader) readStep(r *timeline.Run, k int, out *Step) (*Step, bool) {
	if out == nil {
		out = new(Step)
	}
	out.Run, out.K = r, k
	out.Epoch, out.Steps = Place(r, k)
	read := rd.At(r, k, func(d *ordering.Descent) {
		out.Now, out.Own = copied(out.Now, d.Orders()), len(d.Orders()) > 1
		next, left, right := d.Next()
		out.Next, out.Left, out.Right = copied(out.Next, next), append(out.Left[:0], left...), append(out.Right[:0], right...)
		out.Offers = rd.appendOffers(out.Offers[:0], d)
		v := d.View()
		out.Weights, out.Point = slices.Clone(v.Weights), append(out.Point[:0], v.X...)
	})
	if !read {
		*out = Step{Run: r, K: k, Epoch: out.Epoch, Steps: out.Steps}
	}
	return out, read
}

// copied stores orders in dst where it has their sizes.
func copied(dst, orders [][]int) [][]int {
	if orders == nil {
		return nil
	}
	if len(dst) != len(orders) {
		dst = make([][]int, len(orders))
	}
	for i, order := range orders {
		dst[i] = append(dst[i][:0], order...)
	}
	return dst
}

// appendOffers appends what the last step of a stepper offered.
func (rd *EpochReader) appendOffers(dst []Offer, d *ordering.Descent) []Offer {
	v, apart := d.View(), len(d.Orders()) > 1
	if n, _ := rd.problem.Dims(); len(rd.before) != n {
		rd.before, rd.offered = make([]float64, n), make([]float64, n)
	}
	for m, sign := range d.Signs() {
		d.Offer(rd.before, rd.offered, m)
		o := Offer{Objective: m, Sign: sign, From: shadow(rd.before), G: shadow(rd.offered), Before: maxNorm(rd.before)}
		for j, v := range rd.before {
			o.Plus, o.Minus = max(o.Plus, math.Abs(v+rd.offered[j])), max(o.Minus, math.Abs(v-rd.offered[j]))
		}
		if !apart {
			o.Objective, o.Gradient = -1, shadow(v.Direction)
			return append(dst, o)
		}
		o.Gradient = shadow(v.Jacobian.Row(m))
		dst = append(dst, o)
	}
	return dst
}

// ---- the trail of the balanced sum

// Trail holds the balanced sums of the selected run in the epoch at the marker, step by step.
type Trail struct {
	epochOf
	Sums   int      // how many sums: one for each objective if these are balanced separately
	Steps  int      // that have been read
	Points []Vector // Sums entries a step, from step 0
	Norms  []float64
	Most   float64 // the largest of the norms
}

// Trail returns the trail of the selected run, as far as it has been read; nil where there is none
// or signs decide nothing.
func (rd *EpochReader) Trail() *Trail {
	r := rd.line.Selected().Run
	if r == nil || rd.Step().Next == nil {
		return nil
	}
	epoch, _ := rd.Now(r)
	of := epochOf{r, epoch}
	return rd.read().trail.Of(of, func() *Trail {
		t := &Trail{epochOf: of, Sums: 1}
		if r.Method == GraBSeparate {
			_, t.Sums = rd.problem.Dims()
		}
		t.Points, t.Norms = make([]Vector, t.Sums), make([]float64, t.Sums)
		return t
	})
}

// FarthestSum reads a frame's part of the trail, and returns how far the sums and the offers to
// them go, 0 if there are none.
func (rd *EpochReader) FarthestSum() (most float64) {
	// A step of the run is repeated, and taken back.
	rd.readTrail(rd.frameful(func(d, m, n int) int { return 2*stepCost(d, m, n) + 8*(rd.Examples()*m+d) }))
	t := rd.Trail()
	if t == nil {
		return 0
	}
	most = t.Most
	for _, o := range rd.Step().Offers {
		most = max(most, o.Plus, o.Minus)
	}
	return most
}

// readTrail reads on to the marker while more() holds, and reports whether there is more to read.
func (rd *EpochReader) readTrail(more func() bool) (pending bool) {
	t := rd.Trail()
	if t == nil || rd.line.UnderWay() {
		return false
	}
	for _, steps := rd.Now(t.Run); t.Steps < steps; {
		if !more() {
			return true
		}
		t.Steps++
		rd.At(t.Run, t.Epoch*Examples(t.Run)+t.Steps, func(d *ordering.Descent) {
			for i := range t.Sums {
				sum := d.Sum(i)
				norm := maxNorm(sum)
				t.Points, t.Norms = append(t.Points, shadow(sum)), append(t.Norms, norm)
				t.Most = max(t.Most, norm)
			}
		})
	}
	return false
}
