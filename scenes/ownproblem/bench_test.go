package ownproblem_test

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes/ownproblem"
)

// BenchmarkPicture measures the time from new formulas to the critical sets and the front. A visitor who types has to
// wait that long.
func BenchmarkPicture(b *testing.B) {
	for name, values := range map[string]map[string]string{
		"opening":    nil,
		"rosenbrock": {"f1": "(1-x)^2 + 10*(y-x^2)^2", "f2": "(x+1)^2 + (y+0.5)^2"},
		"fonseca":    {"f1": "1 - exp(-(x-1/sqrt(2))^2 - (y-1/sqrt(2))^2)", "f2": "1 - exp(-(x+1/sqrt(2))^2 - (y+1/sqrt(2))^2)"},
		"himmelblau": {"f1": "((x^2+y-11)^2 + (x+y^2-7)^2)/100", "f2": "(x+y)/4", "box": "-5, 5"},
	} {
		b.Run(name+"/sets", func(b *testing.B) {
			for b.Loop() {
				scenetest.Open(b, ownproblem.New(), values)
			}
		})
		b.Run(name+"/sketch", func(b *testing.B) {
			for b.Loop() {
				s := scenetest.Open(b, ownproblem.New(), values)
				for scenetest.Number(b, s, "front") == 0 {
					left := 1
					if pending, err := s.Work(func() bool { left--; return left >= 0 }); err != nil || !pending {
						b.Fatal("no sketch comes", err)
					}
				}
			}
		})
		b.Run(name+"/front", func(b *testing.B) {
			for b.Loop() {
				s := scenetest.Open(b, ownproblem.New(), values)
				for pending := true; pending; {
					var err error
					if pending, err = s.Work(func() bool { return true }); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
