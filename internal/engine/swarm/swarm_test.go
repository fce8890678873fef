package swarm

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/internal/portable"
)

// TestPour checks that points are inside the rectangle, and that fewer points are a prefix of more points. Distances to
// the nearest other point must be neither too small nor too large.
func TestPour(t *testing.T) {
	lo, hi := [2]float64{-2, 1}, [2]float64{2, 3}
	all := Pour(3000, lo, hi)
	for i, x := range Pour(100, lo, hi) {
		if x[0] != all[i][0] || x[1] != all[i][1] {
			t.Fatalf("point %d of 100 is %v, of 3000 %v", i, x, all[i])
		}
	}
	counts := [25]int{}
	for i, x := range all {
		if x[0] < lo[0] || x[0] > hi[0] || x[1] < lo[1] || x[1] > hi[1] {
			t.Fatalf("%v is outside", x)
		}
		counts[int((x[1]-1)/2*5)*5+int((x[0]+2)/4*5)]++
		for _, y := range all[:i] {
			if portable.Hypot((x[0]-y[0])/4, (x[1]-y[1])/2) < 0.3/math.Sqrt(3000) {
				t.Fatalf("%v and %v are too near", x, y)
			}
		}
	}
	for i, n := range counts {
		if n < 110 || n > 130 {
			t.Errorf("part %d of 25: got %d points of 3000", i, n)
		}
	}
}

// TestCells checks that each cell stores the start nearest to its centre.
func TestCells(t *testing.T) {
	for _, count := range []int{1, 2, 50, 777} {
		starts := Pour(count, [2]float64{}, [2]float64{1, 1})
		c := new(cells).of(count)
		for row := range c.side {
			for col := range c.side {
				u, v := (float64(col)+0.5)/float64(c.side), (float64(row)+0.5)/float64(c.side)
				got := c.at(col, row, 0)
				if swapped := c.at(row, col, 1); swapped != got {
					t.Fatalf("%d starts, cell (%d, %d): %d, of the plane with the other variable to the right %d", count, col, row, got, swapped)
				}
				far := func(i int) float64 { return portable.Hypot(starts[i][0]-u, starts[i][1]-v) }
				for i := range starts {
					if far(i) < far(got) {
						t.Fatalf("%d starts, cell (%d, %d): start %d is %v away, start %d %v", count, col, row, got, far(got), i, far(i))
					}
				}
			}
		}
	}
}

// TestShare checks that places along a front rise from 0 to 1 and skip gaps.
func TestShare(t *testing.T) {
	l := newFrontLine([][2]float64{{0, 4}, {0.4, 3.6}, {0.8, 3.2}, {3.2, 0.8}, {3.6, 0.4}, {4, 0}})
	for _, c := range []struct{ x, y, share float64 }{
		{0, 4, 0}, {-1, 5, 0}, {0.4, 3.6, 0.25}, {0.8, 3.2, 0.5}, {0.9, 3.3, 0.5}, {3.2, 0.8, 0.5}, {3.6, 0.4, 0.75}, {4, 0, 1}, {9, 0, 1},
		{0.25, 3.85, 0.125},
	} {
		if got := l.share([2]float64{c.x, c.y}); math.Abs(got-c.share) > 1e-12 {
			t.Errorf("(%v, %v): got share %v, want %v", c.x, c.y, got, c.share)
		}
	}
	if got := newFrontLine(nil).share([2]float64{1, 1}); got != 0 {
		t.Errorf("without a front: got share %v", got)
	}
}

// flock returns a flock that descends on the first of Fonseca's objectives.
func flock(t *testing.T, c Course) *Flock {
	t.Helper()
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Sides = [2]float64{2, 2}
	if c.New == nil {
		c.New = func(i int) (algo.Stepper, error) {
			return descent.NewPSMGD(descent.LinearScalarization(descent.Config{Problem: p, Start: c.Starts[i], StepSize: 0.3}, []float64{1, 0}))
		}
	}
	return NewFlock(c, func(int) bool { return true })
}

// TestFlockReturns checks that a point that has ended rests and repeats its run while others still move. Afterwards, no
// point may start again.
func TestFlockReturns(t *testing.T) {
	f := flock(t, Course{Starts: [][]float64{{0.6, 0.6}, {-0.9, -0.9}}, Budget: 400})
	returned, seen := 0, false
	for round := 0; !f.Rests(); round++ {
		known, members := f.Known()
		if _, err := f.Round(known < members, func() bool { return true }); err != nil || round > 5000 {
			t.Fatal(round, err)
		}
		if p := f.Point(0); p.Ended {
			seen = true
			if end, _ := f.End(0); end.X != p.X || end.K != p.K {
				t.Fatalf("second end: got %v after %d, want %v after %d", p.X, p.K, end.X, end.K)
			}
		} else if seen {
			returned, seen = returned+1, false
		}
	}
	if returned == 0 {
		t.Error("the point that ended first was never seeded again")
	}
	if known, members := f.Known(); known != 2 || members != 2 {
		t.Errorf("got %d of %d ends", known, members)
	}
}

// failing is a stepper that never finds a solution.
type failing struct{ algo.Stepper }

func (f failing) Step() (algo.Status, error) { return algo.NoSolution, nil }

// TestFlockWithoutSteps checks that a run without a solution ends at its start, and that a failure to create a stepper is
// an error.
func TestFlockWithoutSteps(t *testing.T) {
	c := Course{Starts: [][]float64{{0.5, 0}}, Budget: 100}
	made := flock(t, c).course.New
	c.New = func(i int) (algo.Stepper, error) {
		s, err := made(i)
		return failing{s}, err
	}
	f := flock(t, c)
	if done, err := f.Finish(func() bool { return true }); err != nil || !done {
		t.Fatal(done, err)
	}
	if end, known := f.End(0); !known || end.K != 0 || end.Status != algo.NoSolution || end.X != [2]float64{0.5, 0} {
		t.Errorf("got end %+v, known %v", end, known)
	}
	c.New = func(int) (algo.Stepper, error) { return nil, algo.ErrNoProblem }
	if _, err := flock(t, c).Round(false, func() bool { return true }); err != algo.ErrNoProblem {
		t.Errorf("got error %v", err)
	}
}

// TestFinishParted checks that interruptions of Finish do not change the ends.
func TestFinishParted(t *testing.T) {
	starts := Pour(40, [2]float64{-1, -1}, [2]float64{1, 1})
	whole, parted := flock(t, Course{Starts: starts, Budget: 200}), flock(t, Course{Starts: starts, Budget: 200})
	if done, err := whole.Finish(func() bool { return true }); err != nil || !done {
		t.Fatal(done, err)
	}
	for calls := 0; ; calls++ {
		done, err := parted.Finish(func() bool { return false })
		if err != nil || calls > 1000 {
			t.Fatal(calls, err)
		}
		if done {
			break
		}
	}
	for i := range starts {
		a, _ := whole.End(i)
		if b, _ := parted.End(i); a != b || whole.Point(i) != parted.Point(i) {
			t.Errorf("point %d: got %+v at once, but %+v in parts", i, a, b)
		}
	}
}
