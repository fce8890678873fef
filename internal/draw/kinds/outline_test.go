package kinds

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// spiky is a stepper that moves along a curve with one spike up and one down.
type spiky struct {
	k    int
	x, f [1]float64
}

const (
	spikeUp, spikeDown = 4321, 7654
	longRun            = 10_000
)

func (s *spiky) Step() (algo.Status, error) {
	s.k++
	return algo.Running, nil
}

func (s *spiky) View() algo.View {
	s.x[0] = float64(s.k) / longRun
	s.f[0] = 0.5 + 0.1*math.Sin(float64(s.k))
	switch s.k {
	case spikeUp:
		s.f[0] = 0.97
	case spikeDown:
		s.f[0] = 0.03
	}
	return algo.View{K: s.k, Solutions: 1, X: s.x[:], F: s.f[:]}
}

func (s *spiky) Save(to *algo.Snapshot)   { to.PutInt(s.k) }
func (s *spiky) Load(from *algo.Snapshot) { s.k = from.GetInt() }

// extent returns the number of points of all lines that a panel draws, and the lowest and the highest of these points.
func extent(p *axes.Plane) (points int, low, high vg.Length) {
	var r recorder.Canvas
	c := draw.NewCanvas(&r, 400, 300)
	low, high = vg.Length(math.Inf(1)), vg.Length(math.Inf(-1))
	for _, l := range p.Layers(brush.Frame{Width: 400, Height: 300, Theme: brush.Light})[1:] { // without paper and axes
		l.Draw(c)
	}
	for _, a := range r.Actions {
		if s, ok := a.(*recorder.Stroke); ok {
			points += len(s.Path)
			for _, q := range s.Path {
				low, high = min(low, q.Pos.Y), max(high, q.Pos.Y)
			}
		}
	}
	return points, low, high
}

// TestOutline checks that a long run draws only as many points as the pixels can show, but still draws its spikes. The
// result must not depend on dropped rows or on the run's length at the first drawing. The pointer must find exact rows.
func TestOutline(t *testing.T) {
	for _, overTime := range []bool{true, false} {
		for _, limit := range []int{timeline.DefaultLimit, 400_000} {
			line := timeline.New(limit)
			line.SetEnd(longRun, 0)
			line.Reset([]*timeline.Run{{Name: "a-1", Method: "mgda", Label: "a", Stepper: &spiky{}, Starts: [][]float64{{0}}}}, nil)
			line.Select("a-1")
			track := &Tracks{Name: "t", Timeline: line, OverTime: overTime, Point: func(r timeline.Row) (float64, float64) { return r.X[0], r.F[0] }}
			p := &axes.Plane{Name: "p", Find: track.Find, Sheets: track.Sheets,
				Axes: func() (axes.Axis, axes.Axis) { return axes.Axis{Max: 1}, axes.Axis{Max: 1} }}
			most := 0
			for k := range longRun {
				if _, err := line.Step(); err != nil {
					t.Fatal(err)
				}
				if k%97 == 0 {
					points, _, _ := extent(p)
					most = max(most, points)
				}
			}
			often, low, high := extent(p)
			track.outlines = nil
			once, _, _ := extent(p)
			if often != once {
				t.Errorf("over time %v: %d points when drawn on the way, %d when drawn at the end", overTime, often, once)
			}
			if bound := 8*400 + 500; overTime && most > bound {
				t.Errorf("got %d points, want at most %d", most, bound)
			}
			b := p.Brush(brush.Frame{Width: 400, Height: 300, Theme: brush.Light}, nil)
			if limit == timeline.DefaultLimit {
				up, down := b.At(0, 0.97).Y, b.At(0, 0.03).Y
				if high < up-0.5 || low > down+0.5 {
					t.Errorf("over time %v: lines from %.1f to %.1f, want %.1f to %.1f", overTime, low, high, down, up)
				}
				if pick, ok := track.Find(b, b.At(float64(spikeUp)/longRun, 0.97)); !ok || pick.K != spikeUp {
					t.Errorf("over time %v: %d is found at the spike", overTime, pick.K)
				}
			}
		}
	}
}

// TestSettled checks that the cached part of a line never exceeds the line. The cached part must change only a few
// times whenever the line's length doubles.
func TestSettled(t *testing.T) {
	moves, last := 0, 0
	for k := range 100_000 {
		s := settled(k)
		if s > k || k-s > max(64, k/4) {
			t.Fatalf("%d of %d is settled", s, k)
		}
		if s != last {
			moves, last = moves+1, s
		}
	}
	if moves > 120 {
		t.Errorf("got %d moves", moves)
	}
}
