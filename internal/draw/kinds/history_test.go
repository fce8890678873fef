package kinds

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// filled returns the number of filled areas of each colour. The keys are the colours as strings.
func filled(actions []recorder.Action) map[string]int {
	out, now := map[string]int{}, ""
	for _, a := range actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			now = fmt.Sprint(a.Color)
		case *recorder.Fill:
			out[now]++
		}
	}
	return out
}

// TestSignsOnLines checks that lines over time end with their method's marker, as do curves without a marker at the
// time marker, because different hues may look alike in grey. Thumbnails over time must have no markers.
func TestSignsOnLines(t *testing.T) {
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(20, 0)
	methods := []string{"mgda", "imtlg", "cagrad", "sdmgrad"}
	var runs []*timeline.Run
	for _, m := range methods {
		runs = append(runs, &timeline.Run{Name: m, Method: m, Starts: make([][]float64, 1), Stepper: &ended{until: 15}})
	}
	line.Reset(runs, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	last := runs[0].Last()
	h := &History{Name: "h", Timeline: line, Unticked: true, Y: func() axes.Axis { return axes.Axis{Min: -1, Max: 2} },
		Value: func(r timeline.Row) float64 {
			if r.K == last { // like weights, which belong to the step that begins there
				return math.NaN()
			}
			return r.F[0]
		}}
	var still []Curve
	for _, m := range methods {
		c := falling(m)
		c.Low, c.High, c.Still = nil, nil, true
		still = append(still, c)
	}
	_, series := meansOf(t, still...)
	small := frame
	small.Detail = brush.Thumbnail
	full, thumbnail, curves := filled(drawn(h.Panel(), frame)), filled(drawn(h.Panel(), small)), filled(drawn(series.Panel(), frame))
	for _, m := range methods {
		hue := fmt.Sprint(brush.Light.Look(m).Hue)
		if full[hue] != 1 || thumbnail[hue] != 0 || curves[hue] != 1 {
			t.Errorf("%s: got %d markers over time, %d in a thumbnail, %d on a curve", m, full[hue], thumbnail[hue], curves[hue])
		}
	}
}
