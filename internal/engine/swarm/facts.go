package swarm

import (
	"math"

	"paretoplay/internal/engine/scene"
)

// Facts returns the kinds of facts for a scene's swarm. The facts have no values if the scene shows no swarm.
func Facts[S any](swarm func(s S) *Swarm) scene.FactKinds[S] {
	counted := []scene.FactArgument{{Name: "points", Label: "points"}, {Name: "ended", Label: "points with a known end"},
		{Name: "away", Label: "points that end away from the front"}, {Name: "end1", Label: "points that end near the smallest f₁"},
		{Name: "end2", Label: "points that end near the smallest f₂"}}
	value := func(s S, side, of int) float64 {
		counts := swarm(s).Counts()
		if side >= len(counts) {
			return math.NaN()
		}
		c := counts[side]
		first, second := c.ends()
		return float64([]int{c.Points, c.Ended, c.Away, first, second}[of])
	}
	kind := func(name, whose string, side int) scene.FactKind[S] {
		return scene.FactKind[S]{Name: name, Of: []string{"count"}, Over: counted, Label: "swarm" + whose + ": %s",
			Text: "Counts of the swarm’s points" + whose + ": all points (points), points with a known end (ended), and of these, points that " +
				"end away from the front (away) or in its outer tenth at the smallest f₁ or f₂ (end1, end2).",
			Value: func(s S, i int) float64 { return value(s, side, i) }}
	}
	return scene.FactKinds[S]{kind("swarm", "", 0), kind("curtain", " right of the curtain", 1)}
}
