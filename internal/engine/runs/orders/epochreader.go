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

// EpochReader reads the runs' epochs at the marker, for pictures. It reads each epoch, step or run from the steppers
// only once, not in every frame. If the reading takes long, a frame does a part of it, and Read does the rest.
type EpochReader struct {
	line    *timeline.Timeline
	problem ordering.Problem // nil if there are no runs
	batch   int
	kept    brush.Memo[uint64, *read] // results by version of the timeline

	before, offered []float64 // scratch space for one offer
}

// read holds the data read from the runs of one version of the timeline.
type read struct {
	herding *ordering.Herding
	walks   map[*timeline.Run]*Walk
	extent  Extent
	step    *Step
	trail   brush.Memo[epochOf, *Trail]
	rows    brush.Memo[*timeline.Run, map[int][][]int] // each run's orders by epoch
}

// epochOf is an epoch of a run.
type epochOf struct {
	Run   *timeline.Run
	Epoch int
}

// NewEpochReader returns a reader of a timeline's runs. It reads nothing before the first call of On.
func NewEpochReader(t *timeline.Timeline) *EpochReader { return &EpochReader{line: t} }

// On discards earlier results and starts to read the runs on a problem. It reads nothing if p is nil. The argument
// batch is the number of samples in an example.
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

// Examples returns K, the number of examples in an epoch, or 1 if there are no runs.
func (rd *EpochReader) Examples() int {
	if runs := rd.line.Runs(); len(runs) > 0 {
		return Examples(runs[0])
	}
	return 1
}

// Place returns the epoch, counted from 0, of the step that led a run to iteration k, and the number of steps taken in
// that epoch. Before the first step it returns 0 steps of epoch 0.
func Place(r *timeline.Run, k int) (epoch, steps int) {
	k = min(k, r.Last())
	if k <= 0 {
		return 0, 0
	}
	examples := Examples(r)
	return (k - 1) / examples, (k-1)%examples + 1
}

// Now returns a run's Place at the marker.
func (rd *EpochReader) Now(r *timeline.Run) (epoch, steps int) { return Place(r, rd.line.Marker()) }

// StepAt returns the step of a run at iteration k, from 0 to K. A negative k means the marker. ok is false if k is
// outside the run's epoch at the marker.
func (rd *EpochReader) StepAt(r *timeline.Run, k int) (step int, ok bool) {
	epoch, step := rd.Now(r)
	if k >= 0 {
		step = k - epoch*Examples(r)
	}
	return step, step >= 0 && step <= Examples(r)
}

// Shown returns the runs in pictures of an epoch: each method's run with the first seed. The selected run replaces its
// method's run and comes last.
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

// Find returns the run in Shown with the given name, such as the name in a Pick. The result's Run is nil if there is no
// such run.
func (rd *EpochReader) Find(name string) timeline.Track {
	r := rd.line.Find(name)
	if chosen := rd.line.Selected(); r.Run != nil && (r == chosen || r.StartIndex() == 0 && r.Method != chosen.Method) {
		return r
	}
	return timeline.Track{}
}

// Read reads what all pictures need while more() is true. It reports whether work remains.
func (rd *EpochReader) Read(more func() bool) (pending bool) {
	if rd.problem == nil || len(rd.line.Runs()) == 0 {
		return false
	}
	return rd.readWalks(more) || rd.readTrail(more) || rd.readRows(more)
}

// perFrame is the approximate number of multiplications that one frame may spend on reading.
const perFrame = 1 << 20

// frameful returns a more() that limits the reading in a frame. cost returns the multiplications of one reading for d
// variables, m objectives and n samples. The first reading is always allowed.
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

// stepCost is the approximate number of multiplications in one step of a run.
func stepCost(d, m, n int) int { return 2 * m * d * min(d, n) }

// At calls f with a run's stepper in the state right after reaching iteration k. At the latest iteration, f may get the
// run's own stepper. At returns false if an iteration in progress prevents the call of f.
func (rd *EpochReader) At(r *timeline.Run, k int, f func(*ordering.Descent)) bool {
	// A restored stepper cannot describe its last step. Only a stepper that has just taken a step can do so.
	if now := r.Stepper.(*ordering.Descent); k == r.Last() && now.View().K == k && (k == 0 || now.Signs() != nil) {
		f(now)
		return true
	}
	err := rd.line.Visit(r, k, func(stepper algo.Stepper) { f(stepper.(*ordering.Descent)) })
	if err != nil && !timeline.NotNow(err) {
		panic(err) // cannot fail: the run's own steps succeeded
	}
	return err == nil
}

// WithOrders calls f with a run's orders in an epoch that the run has reached. The orders are valid until f returns.
func (rd *EpochReader) WithOrders(r *timeline.Run, epoch int, f func([][]int)) {
	if now := r.Stepper.(*ordering.Descent); now.Epoch() == epoch {
		f(now.Orders())
		return
	}
	rd.At(r, min(epoch*Examples(r)+1, r.Last()), func(d *ordering.Descent) { f(d.Orders()) })
}

// Vector holds the first two coordinates of a vector.
type Vector struct{ X, Y float64 }

func shadow(v []float64) Vector {
	x, y := runs.Flat(v)
	return Vector{x, y}
}

// Plus returns v + c·g.
func (v Vector) Plus(c float64, g Vector) Vector {
	return Vector{v.X + float64(c*g.X), v.Y + float64(c*g.Y)}
}

func maxNorm(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

// The walk of an epoch

// Walk holds the prefix sums of the gradients of an epoch's examples, in the epoch's order. The gradients are taken
// at the epoch's first point, and their means are subtracted.
type Walk struct {
	Epoch  int
	Points []Vector  // the sums after k = 0, 1, …, K examples
	Norms  []float64 // max norms of Points
	Most   float64   // the largest of Norms
	Tall   float64   // the largest absolute second coordinate
	H      float64   // ratio of Most to the norm of the longest term
}

// Walk returns the walk of a run's epoch at the marker, or nil if it has not been read yet.
func (rd *EpochReader) Walk(r *timeline.Run) *Walk {
	epoch, _ := rd.Now(r)
	if w := rd.read().walks[r]; w != nil && w.Epoch == epoch {
		return w
	}
	return nil
}

// Walks yields, for the runs in Shown, the walks that have been read so far.
func (rd *EpochReader) Walks() iter.Seq2[timeline.Track, *Walk] {
	return func(yield func(timeline.Track, *Walk) bool) {
		for _, r := range rd.Shown() {
			if w := rd.Walk(r.Run); w != nil && !yield(r, w) {
				return
			}
		}
	}
}

// FarthestWalk reads a part of the walks for this frame. It returns the largest norm on any walk.
func (rd *EpochReader) FarthestWalk() (most float64) {
	rd.readWalks(rd.frameful(func(d, m, n int) int { return d * m * n }))
	for _, w := range rd.Walks() {
		most = max(most, w.Most)
	}
	return most
}

// Extent is the size of the first run's first walk. It determines how large an area pictures show. The zero value means
// that the size is unknown.
type Extent struct {
	Most float64 // as Walk.Most
	Tall float64
	Step float64 // max norm of the longest term
}

// Extent reads the walk of the first run's first epoch, once for each version of the timeline. The result is unknown if
// there are no runs or an iteration is in progress.
func (rd *EpochReader) Extent() Extent {
	runs := rd.line.Runs()
	out := &rd.read().extent
	if out.Most > 0 || len(runs) == 0 || rd.problem == nil || rd.line.UnderWay() {
		return *out
	}
	row, err := rd.line.At(runs[0], 0)
	if err != nil {
		panic(err) // cannot fail, because this is the start
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

// readWalks reads the walks of the shown runs while more() is true, starting with the selected run. It reports whether
// work remains.
func (rd *EpochReader) readWalks(more func() bool) (pending bool) {
	if rd.line.UnderWay() {
		return false // the walks can be read once the iteration is complete
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
		panic(err) // cannot fail, because the run's own steps succeeded
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

// The step at the marker

// Step describes how the last step before the marker changed the orders of the selected run.
type Step struct {
	Run   *timeline.Run
	K     int
	Epoch int // epoch of the step
	Steps int // number of steps taken in that epoch

	Own         bool    // whether each objective has a separate order
	Now         [][]int // orders of the epoch
	Next        [][]int // the known part of the next orders; nil if they do not depend on signs
	Left, Right []int   // number of places taken from either end

	Weights []float64 // nil if the step used no weights
	Point   []float64 // the point after the step

	Offers []Offer // one for each objective, or one that all share; nil if no offers were made
}

// Offer is a vector that a step added to or subtracted from a sum.
type Offer struct {
	Objective   int     // number of the objective, from 0; −1 if all objectives share the offer
	Sign        float64 // +1 or −1
	From, G     Vector  // the sum before the offer, and the offered vector
	Gradient    Vector  // the vector before centring
	Plus, Minus float64 // max norms of the sum with +G and with −G
	Before      float64 // max norm of the sum before the offer
}

// Step returns the last step of the selected run before the marker, or nil if there is none.
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

// readStep reads a step into out, which may be nil. It returns false if only the step's place is known at present.
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

// copied copies orders into dst if their sizes agree.
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

// appendOffers appends the offers of a stepper's last step.
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

// The trail of the balanced sum

// Trail holds the selected run's balanced sums after each step of the epoch at the marker.
type Trail struct {
	epochOf
	Sums   int      // number of sums: one for each objective if objectives are balanced separately, otherwise 1
	Steps  int      // number of steps read so far
	Points []Vector // one entry per sum for each step, starting with step 0
	Norms  []float64
	Most   float64 // the largest max norm
}

// Trail returns the part of the selected run's trail that has been read. It is nil if there is no run or if the
// orders do not depend on signs.
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

// FarthestSum reads a part of the trail for this frame. It returns the largest norm of the sums and of the offers to
// them, or 0 if there are none.
func (rd *EpochReader) FarthestSum() (most float64) {
	// Each reading repeats a step of the run and undoes it.
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

// readTrail reads the trail up to the marker while more() is true. It reports whether work remains.
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
