package stage

import (
	"math"
	"testing"
)

// BenchmarkTrajectories measures the drawing of the changing part of a slow frame: ten lines of 2000 points.
func BenchmarkTrajectories(b *testing.B) {
	points := make([]point, 2000)
	for i := range points {
		sin, cos := math.Sincos(float64(i) * 0.05)
		r := 200 * math.Exp(-float64(i)*0.0005)
		points[i] = point{300 + float32(r*cos), 300 + float32(r*sin)}
	}
	var t batch
	b.ReportAllocs()
	for b.Loop() {
		t.clear()
		for range 10 {
			t.stroke(points, false, false, 1.5, paint{0, 0, 1, 1})
		}
	}
	b.ReportMetric(float64(len(t.indices)/3), "triangles")
}
