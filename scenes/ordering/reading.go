package ordering

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/timeline"
)

// What pictures show of one epoch is read from the steppers as they were then, once for an
// epoch, a step or a run, and never in every frame. Where reading takes long a frame reads
// a part, and Work the rest.

// perFrame is about how many multiplications a frame may spend on reading.
const perFrame = 1 << 20

// place is where a run stands at iteration k: in the epoch, from 0, of the step that led
// there, after so many of its steps; before the first step that is 0 of epoch 0.
func place(r *timeline.Run, k int) (epoch, steps int) {
	k = min(k, r.Last())
	if k <= 0 {
		return 0, 0
	}
	examples := orders.Examples(r)
	return (k - 1) / examples, (k-1)%examples + 1
}

// now is where a run stands at the marker.
func (s *Scene) now(r *timeline.Run) (epoch, steps int) { return place(r, s.Timeline().Marker()) }

// shownTracks are the runs that pictures of an epoch show: of every method that of the
// first seed, and in the place of its method's the selected one, which comes last.
func (s *Scene) shownTracks() []timeline.Track {
	chosen := s.Timeline().Selected()
	var out []timeline.Track
	for _, t := range s.Timeline().Tracks() {
		if t.StartIndex() == 0 && t.Method != chosen.Method {
			out = append(out, t)
		}
	}
	if chosen.Run != nil {
		out = append(out, chosen)
	}
	return out
}

// shows is the run that pictures of an epoch show for a name, as a Pick has it; its Run is
// nil where that is none of them.
func (s *Scene) shows(name string) timeline.Track {
	r := s.Timeline().Find(name)
	if chosen := s.Timeline().Selected(); r.Run != nil && (r == chosen || r.StartIndex() == 0 && r.Method != chosen.Method) {
		return r
	}
	return timeline.Track{}
}

// stepperCache is what has been read of the runs of one version of the timeline.
type stepperCache struct {
	herding *ordering.Herding
	walks   map[*timeline.Run]*walk
	step    *step
	trail   panel.Memo[epochOf, *trail]
	rows    panel.Memo[*timeline.Run, *orderRows]
}

// epochOf is an epoch of a run.
type epochOf struct {
	run   *timeline.Run
	epoch int
}

// cache is what has been read of the runs that there are.
func (s *Scene) cache() *stepperCache {
	return s.cached.Of(s.Timeline().Version(), func() *stepperCache {
		out := &stepperCache{walks: map[*timeline.Run]*walk{}}
		if s.problem != nil {
			out.herding = ordering.NewHerding(s.problem, s.values.Batch)
		}
		return out
	})
}

// at calls f with the stepper of a run as it was when it had just come to iteration k; of a
// run that goes on that is itself.
func (s *Scene) at(r *timeline.Run, k int, f func(*ordering.Descent)) error {
	// What a step did is known of a stepper that has just made it, not of one that was put back.
	if now := r.Stepper.(*ordering.Descent); k == r.Last() && (k == 0 || now.Signs() != nil) {
		f(now)
		return nil
	}
	return s.Timeline().Visit(r, k, func(stepper algo.Stepper) { f(stepper.(*ordering.Descent)) })
}

// stepCost is about how many multiplications one step of a run takes.
func (s *Scene) stepCost() int {
	if s.problem == nil {
		return 0
	}
	d, m := s.problem.Dims()
	return 2 * m * d * min(d, s.problem.Examples())
}

// ---- the walk

// walk is the prefix sums of the gradients of an epoch's examples, less their means, in the
// order of the epoch and at its first point.
type walk struct {
	epoch int
	sums  []float64 // of the two coordinates that are shown, for k = 0, 1, …, K
	norms []float64 // their max norm
	most  float64   // the largest of these
	h     float64   // that in the length of the longest term
}

// sum is that after k steps.
func (w *walk) sum(k int) (x, y float64) { return w.sums[2*k], w.sums[2*k+1] }

// walkOf is the walk of a run's epoch at the marker, nil while it has not been read.
func (s *Scene) walkOf(r *timeline.Run) *walk {
	epoch, _ := s.now(r)
	if w := s.cache().walks[r]; w != nil && w.epoch == epoch {
		return w
	}
	return nil
}

// readWalks reads the walks of the runs that are shown while more() holds, the selected
// run's first, and reports whether there are more to read.
func (s *Scene) readWalks(more func() bool) (pending bool) {
	shown := s.shownTracks()
	slices.Reverse(shown)
	for _, r := range shown {
		if s.walkOf(r.Run) != nil {
			continue
		}
		if !more() {
			return true
		}
		s.readWalk(r.Run)
	}
	return false
}

func (s *Scene) readWalk(r *timeline.Run) {
	epoch, _ := s.now(r)
	k := orders.Examples(r)
	held := s.cache().walks[r]
	if held == nil {
		held = &walk{sums: make([]float64, 2*(k+1)), norms: make([]float64, k+1)}
		s.cache().walks[r] = held
	}
	held.epoch, held.most = epoch, 0
	row, err := s.Timeline().At(r, epoch*k)
	if err != nil {
		panic(err) // the run's own steps have made it once
	}
	w := slices.Clone(row.X)
	s.withOrders(r, epoch, func(list [][]int) {
		held.h = s.cache().herding.Walk(w, list, func(k int, sum []float64) {
			held.sums[2*k], held.sums[2*k+1] = sum[0], sum[len(sum)-1]
			if len(sum) > 1 {
				held.sums[2*k+1] = sum[1]
			}
			held.norms[k] = maxNorm(sum)
			held.most = max(held.most, held.norms[k])
		})
	})
}

// withOrders calls f with the orders of an epoch that a run has come to, which hold until
// it returns.
func (s *Scene) withOrders(r *timeline.Run, epoch int, f func([][]int)) {
	if now := r.Stepper.(*ordering.Descent); now.Epoch() == epoch {
		f(now.Orders())
		return
	}
	err := s.at(r, min(epoch*orders.Examples(r)+1, r.Last()), func(d *ordering.Descent) { f(d.Orders()) })
	if err != nil {
		panic(err) // the run's own steps have made it once
	}
}

// frameful is a more() for readings of that cost, of which one is made whatever it costs.
func frameful(cost int) func() bool {
	left, first := perFrame, true
	return func() bool {
		ok := first || left >= cost
		first, left = false, left-cost
		return ok
	}
}

// walkCost is about how many multiplications a walk takes.
func (s *Scene) walkCost() int {
	if s.problem == nil {
		return 0
	}
	d, m := s.problem.Dims()
	return d * m * s.problem.Examples()
}

func maxNorm(v []float64) (most float64) {
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	return most
}

// ---- the step at the marker

// step is what the last step before the marker did to the orders of the selected run.
type step struct {
	run   *timeline.Run
	k     int
	epoch int // of the step
	steps int // of that epoch, made

	own         bool    // every objective has an order of its own
	now         [][]int // the orders of the epoch
	next        [][]int // what is known of those after it, nil where signs decide nothing
	left, right []int   // how many of its places are taken

	weights []float64 // nil where there were none
	point   []float64 // after the step

	offers []offer // of each objective, or one that is shared; nil where nothing was offered
}

// offer is one vector that was put on one side of a sum.
type offer struct {
	objective   int     // from 0; −1 for one of all objectives
	sign        float64 // +1 or −1
	from, g     vector  // the sum before, and what was offered
	gradient    vector  // that is before it was centred
	plus, minus float64 // max norms of the sum, had the sign been that
	before      float64 // and of the sum before
}

// vector is the part in the two coordinates that are shown.
type vector struct{ x, y float64 }

func shadow(v []float64) vector {
	x, y := race.Flat(v)
	return vector{x, y}
}

func (v vector) plus(c float64, g vector) vector { return vector{v.x + c*g.x, v.y + c*g.y} }

// stepNow returns the step of the selected run, nil where there is none.
func (s *Scene) stepNow() *step {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	read, k := s.cache(), min(s.Timeline().Marker(), r.Last())
	if read.step == nil || read.step.run != r || read.step.k != k {
		read.step = s.readStep(r, k, read.step)
	}
	return read.step
}

// readStep reads a step into the storage of a former one, nil for none.
func (s *Scene) readStep(r *timeline.Run, k int, out *step) *step {
	if out == nil {
		out = new(step)
	}
	out.run, out.k = r, k
	out.epoch, out.steps = place(r, k)
	err := s.at(r, k, func(d *ordering.Descent) {
		out.now, out.own = copied(out.now, d.Orders()), len(d.Orders()) > 1
		next, left, right := d.Next()
		out.next, out.left, out.right = copied(out.next, next), append(out.left[:0], left...), append(out.right[:0], right...)
		out.offers = s.appendOffers(out.offers[:0], d)
		v := d.View()
		out.weights, out.point = slices.Clone(v.Weights), append(out.point[:0], v.X...)
	})
	if err != nil {
		panic(err) // the run's own steps have made it once
	}
	return out
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
func (s *Scene) appendOffers(dst []offer, d *ordering.Descent) []offer {
	signs := d.Signs()
	if signs == nil {
		return dst
	}
	v := d.View()
	n, _ := s.problem.Dims()
	if len(s.before) != n {
		s.before, s.offered = make([]float64, n), make([]float64, n)
	}
	for m, sign := range signs {
		d.Offer(s.before, s.offered, m)
		o := offer{objective: m, sign: sign, from: shadow(s.before), g: shadow(s.offered), before: maxNorm(s.before)}
		o.gradient = shadow(v.Direction)
		if len(d.Orders()) > 1 {
			o.gradient = shadow(v.Jacobian.Row(m))
		}
		for j, v := range s.before {
			o.plus, o.minus = max(o.plus, math.Abs(v+s.offered[j])), max(o.minus, math.Abs(v-s.offered[j]))
		}
		if len(d.Orders()) == 1 {
			o.objective = -1
			return append(dst, o)
		}
		dst = append(dst, o)
	}
	return dst
}

// ---- the trail of the balanced sum

// trail is the balanced sums of the selected run in the epoch at the marker, step by step.
type trail struct {
	epochOf
	sums   int // how many there are: one for each objective where these are balanced apart
	steps  int // that have been read
	points []vector
	norms  []float64 // sums entries a step, from step 0
	most   float64   // the largest of the norms
}

// trailNow returns the trail of the selected run, as far as it has been read; nil where there is none
// or signs decide nothing.
func (s *Scene) trailNow() *trail {
	r := s.Timeline().Selected().Run
	if r == nil || s.stepNow().next == nil {
		return nil
	}
	epoch, _ := s.now(r)
	of := epochOf{r, epoch}
	return s.cache().trail.Of(of, func() *trail {
		t := &trail{epochOf: of, sums: 1}
		if r.Method == orders.GraBSeparate {
			_, t.sums = s.problem.Dims()
		}
		t.points, t.norms = make([]vector, t.sums), make([]float64, t.sums)
		return t
	})
}

// readTrail reads on to the marker while more() holds, and reports whether there is more
// to read.
func (s *Scene) readTrail(more func() bool) (pending bool) {
	t := s.trailNow()
	if t == nil {
		return false
	}
	_, steps := s.now(t.run)
	for t.steps < steps {
		if !more() {
			return true
		}
		t.steps++
		err := s.at(t.run, t.epoch*orders.Examples(t.run)+t.steps, func(d *ordering.Descent) {
			for i := range t.sums {
				sum := d.Sum(i)
				norm := maxNorm(sum)
				t.points, t.norms = append(t.points, shadow(sum)), append(t.norms, norm)
				t.most = max(t.most, norm)
			}
		})
		if err != nil {
			panic(err) // the run's own steps have made it once
		}
	}
	return false
}

// ---- the orders of the epochs before

// mostRows is how many epochs of orders are shown.
const mostRows = 20

// orderRows are orders of epochs of one run.
type orderRows struct {
	run *timeline.Run
	of  map[int][][]int // by epoch
}

// rowsNow returns the rows of the selected run.
func (s *Scene) rowsNow() *orderRows {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	return s.cache().rows.Of(r, func() *orderRows { return &orderRows{run: r, of: map[int][][]int{}} })
}

// span is the epochs whose orders are shown.
func (s *Scene) span(r *timeline.Run) (first, last int) {
	last, _ = s.now(r)
	return max(0, last+1-mostRows), last
}

// readRows reads the orders of the epochs that are shown while more() holds, the latest
// first, and reports whether there are more to read.
func (s *Scene) readRows(more func() bool) (pending bool) {
	rows := s.rowsNow()
	if rows == nil {
		return false
	}
	first, last := s.span(rows.run)
	for epoch := last; epoch >= first; epoch-- {
		if rows.of[epoch] != nil {
			continue
		}
		if !more() {
			return true
		}
		s.withOrders(rows.run, epoch, func(list [][]int) { rows.of[epoch] = copied(nil, list) })
	}
	const kept = 4 * mostRows
	if len(rows.of) > kept {
		for epoch := range rows.of {
			if epoch < first-mostRows || epoch > last+mostRows {
				delete(rows.of, epoch)
			}
		}
	}
	return false
}

// readAll reads what all pictures show while more() holds, and reports whether there is more
// to read.
func (s *Scene) readAll(more func() bool) (pending bool) {
	if s.problem == nil || len(s.Timeline().Runs()) == 0 {
		return false
	}
	return s.readWalks(more) || s.readTrail(more) || s.readRows(more)
}
