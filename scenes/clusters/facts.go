package clusters

import (
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
)

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) newFacts() []scene.Fact { return nil }

// Results says by run where the runs have come to.
func (s *Scene) Results() any { return plans.Results(s.Timeline()) }
