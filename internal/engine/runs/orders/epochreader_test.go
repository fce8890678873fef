package orders

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

func always() bool { return true }

// sampled describes a problem with samples. Unless own is set, the problem is least squares of the given size.
type sampled struct {
	own                            func() (ordering.Problem, error)
	samples, variables, objectives int
}

func (p sampled) problem(t testing.TB) ordering.Problem {
	t.Helper()
	if p.own == nil {
		p.own = func() (ordering.Problem, error) {
			return problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: p.objectives, Examples: p.samples, Variables: p.variables,
				Condition: 11, Heterogeneity: 0.3, Noise: 0.5, Seed: 2})
		}
	}
	on, err := p.own()
	if err != nil {
		t.Fatal(err)
	}
	return on
}

func twoTasks(samples int) func() (ordering.Problem, error) {
	return func() (ordering.Problem, error) {
		return problem.RandomLogistic(problem.LogisticConfig{Examples: samples, Heterogeneity: 0.3, Seed: 2})
	}
}

func threeBowls(samples int) func() (ordering.Problem, error) {
	return func() (ordering.Problem, error) {
		return problem.RandomDiagonalSum(problem.DiagonalSumConfig{Objectives: 3, Examples: samples, Variables: 2, Condition: 11,
			Heterogeneity: 0.3, Noise: 0.5, Seed: 2})
	}
}

// played plays runs that start at the origin, for n steps or, if n is −1, to their end. It also returns a reader of
// these runs.
func played(t testing.TB, of sampled, n, budget int, values map[string]string) (*timeline.Timeline, *Roster, *EpochReader) {
	t.Helper()
	on := of.problem(t)
	r, _ := bound(t, values)
	d, _ := on.Dims()
	runs, err := r.Runs(Course{Problem: on, Start: make([]float64, d), Epochs: 5, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	rd := NewEpochReader(line)
	rd.On(on, r.Batch)
	line.SetEnd(budget, 0)
	line.Reset(runs, nil)
	play(t, line, n)
	return line, r, rd
}

// visit calls f with a run's stepper at iteration k.
func visit(t testing.TB, line *timeline.Timeline, r *timeline.Run, k int, f func(*ordering.Descent)) {
	t.Helper()
	if err := line.Visit(r, k, func(s algo.Stepper) { f(s.(*ordering.Descent)) }); err != nil {
		t.Fatal(err)
	}
}

// TestWalk checks that the walk adds up, over the examples so far, the deviations of all objectives' gradients from
// their means at the epoch's first point. The walk must end at its start, and its largest norm must agree with the
// epoch's record.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		sampled
		values map[string]string
	}{
		{sampled{samples: 12, variables: 3, objectives: 2}, nil}, {sampled{own: twoTasks(18)}, map[string]string{"batch": "3"}},
		{sampled{own: threeBowls(9)}, map[string]string{"weighting": "mgda"}},
	} {
		line, roster, rd := played(t, c.sampled, 40, 60, c.values)
		examples := rd.Examples()
		for _, k := range []int{1, examples, examples + 1, 2*examples + 3, 40} {
			line.SetMarker(k)
			rd.Read(always)
			for _, track := range rd.Shown() {
				r := track.Run
				w, epoch := rd.Walk(r), (k-1)/examples
				if w == nil || w.Epoch != epoch {
					t.Fatalf("%s has no walk at %d", r.Name, k)
				}
				checkWalk(t, line, rd, r, w)
				for _, e := range roster.Epochs(r) {
					if e.Number == epoch && math.Abs(w.H-e.H) > 1e-12*e.H {
						t.Errorf("%s, epoch %d: got H = %v, want %v as recorded", r.Name, epoch, w.H, e.H)
					}
				}
			}
		}
	}
}

func checkWalk(t *testing.T, line *timeline.Timeline, rd *EpochReader, r *timeline.Run, w *Walk) {
	t.Helper()
	examples := rd.Examples()
	row, err := line.At(r, w.Epoch*examples)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Clone(row.X)
	var list [][]int
	visit(t, line, r, w.Epoch*examples+1, func(d *ordering.Descent) { list = copied(nil, d.Orders()) })
	d, m := rd.problem.Dims()
	mean, one := algo.NewJacobian(m, d), algo.NewJacobian(m, d)
	rd.problem.Jacobian(mean, at)
	sum, most := make([]float64, d), 0.0
	for step := range examples {
		for i := range m {
			batch := make([]int, rd.batch)
			for j := range batch {
				batch[j] = list[min(i, len(list)-1)][step]*rd.batch + j
			}
			rd.problem.JacobianAt(one, at, &algo.Sample{Batch: batch})
			for j, v := range one.Row(i) {
				sum[j] += v - mean.Row(i)[j]
			}
		}
		most = max(most, maxNorm(sum))
		p, norm := w.Points[step+1], w.Norms[step+1]
		if math.Abs(p.X-sum[0])+math.Abs(p.Y-sum[1]) > 1e-9*(1+most) || math.Abs(norm-maxNorm(sum)) > 1e-9*(1+most) {
			t.Fatalf("%s, epoch %d, after %d steps: %v with norm %v, want %v", r.Name, w.Epoch, step+1, p, norm, sum)
		}
	}
	if p := w.Points[examples]; math.Abs(p.X)+math.Abs(p.Y) > 1e-9*(1+most) {
		t.Errorf("%s: got end %v, want 0", r.Name, p)
	}
	if math.Abs(w.Most-most) > 1e-9*most {
		t.Errorf("%s: got largest norm %v, want %v", r.Name, w.Most, most)
	}
}

// TestSums checks that the trail holds the balanced sums after each step, and that an offer leads from one sum to the
// next. The greedy rule must choose the sign that gives the smaller sum.
func TestSums(t *testing.T) {
	for method, count := range map[string]int{GraBShared: 1, GraBSeparate: 3, JoGBa: 3} {
		line, _, rd := played(t, sampled{samples: 10, variables: 3, objectives: 3}, 37, 60, map[string]string{"method": method})
		rd.Read(always)
		trail, now := rd.Trail(), rd.Step()
		if trail.Steps != 7 || now.Epoch != 3 || now.Steps != 7 {
			t.Fatalf("%s: %d steps of the trail, step %d of epoch %d", method, trail.Steps, now.Steps, now.Epoch)
		}
		for k := 1; k <= 7; k++ {
			visit(t, line, line.Runs()[0], 30+k, func(d *ordering.Descent) {
				for i := range trail.Sums {
					sum, at := d.Sum(i), k*trail.Sums+i
					if trail.Points[at] != shadow(sum) || trail.Norms[at] != maxNorm(sum) {
						t.Errorf("%s, sum %d after %d steps: %v, want %v", method, i, k, trail.Points[at], sum)
					}
				}
			})
		}
		for i, o := range now.Offers {
			after, want := o.From.Plus(o.Sign, o.G), trail.Points[7*trail.Sums+min(i, trail.Sums-1)]
			if trail.Sums == 1 && i+1 < len(now.Offers) {
				want = now.Offers[i+1].From
			}
			if math.Abs(after.X-want.X)+math.Abs(after.Y-want.Y) > 1e-12*(1+math.Abs(want.X)+math.Abs(want.Y)) {
				t.Errorf("%s: offer %d: got sum %v, want %v", method, i, after, want)
			}
			if (o.Sign > 0) != (o.Plus <= o.Minus) {
				t.Errorf("%s: offer %d of sign %v could reach %v and %v", method, i, o.Sign, o.Plus, o.Minus)
			}
		}
		if len(now.Offers) != count {
			t.Errorf("%s: %d offers", method, len(now.Offers))
		}
	}
}

// TestStrips checks that the rows of a strip are the orders of the epochs. The next order must be known for the
// examples that already have places.
func TestStrips(t *testing.T) {
	const last = 8*30 + 3
	line, _, rd := played(t, sampled{samples: 8, variables: 2, objectives: 2}, last, 400,
		map[string]string{"method": "once,grab-shared,jogba"})
	for name, count := range map[string]int{"once-1": 1, "grab-shared-1": 1, "jogba-1": 2} {
		line.Select(name)
		r := line.Selected().Run
		for _, k := range []int{0, 1, 8, 9, 100, last} {
			line.SetMarker(k)
			rd.Read(always)
			strips := rd.Strips(false)
			epoch, steps := Place(r, k)
			first := max(0, epoch+1-mostRows)
			for i, strip := range strips {
				if len(strip.Rows) != epoch-first+1 || strip.Names[len(strip.Names)-1] != fmt.Sprint(epoch) {
					t.Fatalf("%s at %d: rows %v", name, k, strip.Names)
				}
				for row, got := range strip.Rows {
					at := (first+row)*8 + 1
					if k == 0 {
						at = 0
					}
					visit(t, line, r, at, func(d *ordering.Descent) {
						if want := d.Orders()[i]; !slices.Equal(got, want) {
							t.Errorf("%s at %d, epoch %d: %v, want %v", name, k, first+row, got, want)
						}
					})
				}
				if balances := name != "once-1"; balances != (strip.Next != nil) || balances && strip.Left+strip.Right != steps {
					t.Errorf("%s at %d: %d and %d places of the next row are taken", name, k, strip.Left, strip.Right)
				}
			}
			if len(strips) != count {
				t.Errorf("%s: %d strips", name, len(strips))
			}
		}
	}
}

// TestStripPlaces checks that a place in a strip refers to the iteration that visited it, and that this iteration marks
// the place.
func TestStripPlaces(t *testing.T) {
	line, _, rd := played(t, sampled{samples: 8, variables: 2, objectives: 2}, 53, 160, map[string]string{"method": "random,jogba"})
	line.Select("jogba-1")
	rd.Read(always)
	strips := rd.Strips(false)
	for _, at := range []kinds.StripPlace{{Strip: 0, Row: 6, Column: 2}, {Strip: 1, Row: 0, Column: 7}} {
		strip := &strips[at.Strip]
		pick := rd.findPlace(strip, at)
		if want := at.Row*8 + at.Column + 1; pick.K != want {
			t.Errorf("%v: got iteration %d, want %d", at, pick.K, want)
		}
		if !slices.Contains(rd.placesOf("jogba-1", pick.K), at) {
			t.Errorf("%v: the iteration found there marks %v", at, rd.placesOf("jogba-1", pick.K))
		}
		sample, _ := strip.Thing(at.Row, at.Column)
		if want := fmt.Sprintf("sample %d of 8", sample+1); pick.Lines[0] != want {
			t.Errorf("got text %q, want %q", pick.Lines[0], want)
		}
	}
	if pick := rd.findPlace(&strips[0], kinds.StripPlace{Strip: 0, Row: 6, Column: 7}); pick.K != -1 {
		t.Errorf("place not visited yet: got iteration %d", pick.K)
	}
}

// TestReadsOnce checks that nothing is read twice while the runs do not change.
func TestReadsOnce(t *testing.T) {
	line, _, rd := played(t, sampled{samples: 8, variables: 2, objectives: 2}, 30, 80, nil)
	line.Select("jogba-1")
	line.SetMarker(21)
	rd.Read(always)
	of := func() (out []any) {
		for _, w := range rd.Walks() {
			out = append(out, w)
		}
		return append(out, rd.Step(), rd.Trail(), rd.stripsKey())
	}
	before := of()
	if len(before) != len(Methods())+3 || rd.Read(func() bool { return false }) || !slices.Equal(of(), before) {
		t.Error("got a second reading of the same runs")
	}
}

// meansOf returns the curves of a measure. Their horizontal axis shows the epochs' numbers.
func meansOf(line *timeline.Timeline, r *Roster, m Measure) *Means {
	out := r.Means(line, []Measure{m}, false, nil)
	out.Extend(func(_ *timeline.Run, number int) float64 { return float64(number) })
	return out
}

// TestMeans checks that curves show means over the seeds with standard errors, and that the means for ω are geometric.
// Orders must be compared between runs with the same seed.
func TestMeans(t *testing.T) {
	line, r, _ := played(t, sampled{samples: 8, variables: 2, objectives: 2}, 43, 80,
		map[string]string{"seeds": "4", "method": "random,jogba"})
	curves := meansOf(line, r, Measure{Geometric: true, Value: func(e Epoch) float64 { return e.Omega }}).Curves
	if len(curves) != 2 || len(curves[0].X) != 6 || curves[1].X[5] != 5 {
		t.Fatalf("%d curves, of %v", len(curves), curves[0].X)
	}
	var logs, ratios []float64
	for i := range 4 {
		of := func(method string) float64 { return line.FindFrom(method, i).Run.Kept(40).Stationarity }
		logs, ratios = append(logs, of(JoGBa)), append(ratios, of(JoGBa)/of(Random))
	}
	if want, _, _ := kinds.GeometricMean(logs); math.Abs(curves[1].Y[5]-want) > 1e-12*want {
		t.Errorf("ω of JoGBa at epoch 5 is %v, want %v", curves[1].Y[5], want)
	}
	want, low, high := kinds.GeometricMean(ratios)
	if c, ok := r.Compared(line, JoGBa, 5); !ok || c != (Comparison{"Random", want, low, high, 4}) || !(low < want && want < high) {
		t.Errorf("compared: %+v, want %v", c, want)
	}
	if _, ok := r.Compared(line, Random, 5); ok {
		t.Error("random orders are compared with themselves")
	}
	if c, ok := r.Compared(line, JoGBa, 6); ok {
		t.Errorf("an epoch that has not begun is compared: %+v", c)
	}
	drift := Measure{Complete: true, Value: func(e Epoch) float64 { return e.Drift }}
	for _, ended := range []int{5, 6} {
		for _, c := range meansOf(line, r, drift).Curves {
			if len(c.X) != ended {
				t.Errorf("%d epochs of drift, %d have ended", len(c.X), ended)
			}
		}
		play(t, line, 5)
	}
}

// TestRates checks that a rate begins at the epoch where its second term becomes smaller than the first and stays so.
func TestRates(t *testing.T) {
	for i := range Rates {
		r := &Rates[i]
		for _, k := range []int{1, 8, 64, 512} {
			from := r.Begins(k)
			for _, c := range []struct {
				t    int
				want bool
			}{{from - 1, from <= 8}, {from, true}, {2 * from, true}, {100 * from, true}} {
				if got := r.ahead(float64(k), float64(c.t)); got != c.want && c.t >= 8 {
					t.Errorf("%s with K = %d and T = %d: %v", r.Power, k, c.t, got)
				}
			}
		}
	}
	if got := Rates[1].Begins(64); got != 64*64 {
		t.Errorf("JoGBa with K = 64: got begin %d", got)
	}
}
