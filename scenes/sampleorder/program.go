package sampleorder

import (
	"errors"

	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/orders"
)

// ProgramData implements scene.Programmed. It returns the samples, and the orders in which JoGBa visits them in the
// first epoch.
func (s *Scene) ProgramData(method string, _ int) (map[string]any, error) {
	if method != orders.JoGBa {
		return nil, nil
	}
	sum, is := s.problem.(*problem.LeastSquares)
	if !is {
		return nil, errors.New("it supports only least squares, not the current problem")
	}
	d, m := sum.Dims()
	balancer, err := ordering.NewBalancer(ordering.BalancerConfig{
		Objectives: m, Examples: sum.Examples(), Variables: d, Kind: ordering.JoGBa, First: ordering.First(s.values.First), Seed: s.values.Seed,
	})
	if err != nil {
		return nil, err
	}
	inputs, labels := make([][][]float64, m), make([][]float64, m)
	for i := range m {
		for k := range sum.Examples() {
			a, y := sum.Example(i, k)
			inputs[i], labels[i] = append(inputs[i], a), append(labels[i], y)
		}
	}
	return map[string]any{"inputs": inputs, "labels": labels, "orders": balancer.Orders()}, nil
}
