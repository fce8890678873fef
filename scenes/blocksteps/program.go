package blocksteps

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/internal/engine/runs/sweeps"
)

// maxTurns is the maximum number of turns that a program lists.
const maxTurns = 5000

// ProgramData implements scene.Programmed. It returns the bowls, the blocks and the order of turns. If all outer
// iterations are equal, it lists the turns of one iteration; otherwise it lists the turn of every step.
func (s *Scene) ProgramData(method string, steps int) (map[string]any, error) {
	v := &s.values
	if method != sweeps.BlockSMOO {
		return nil, nil
	}
	config, err := v.Config(method, v.course(s.problem, s.Start, s.parts))
	if err != nil {
		return nil, err
	}
	stepper, err := blocks.New(config)
	if err != nil {
		return nil, err
	}
	outer := stepper.OuterSteps()
	if v.Order == string(blocks.RandomOrder) || v.BlockOrder == string(blocks.RandomBlocks) && len(s.parts) > 1 {
		if steps > maxTurns {
			return nil, &algo.RangeError{Name: "steps", Value: steps,
				Allowed: fmt.Sprintf("a program can contain at most %d random turns; choose fixed orders of the objectives and of "+
					"the blocks", maxTurns)}
		}
	} else {
		steps = min(steps, outer)
	}
	turns := make([][]int, steps)
	for i := range turns {
		if _, err := stepper.Step(); err != nil {
			return nil, err
		}
		move, _ := stepper.Move()
		turns[i] = []int{move.Block, move.Objective}
	}
	parts := s.parts
	if parts == nil {
		parts = [][]int{{0, 1}}
	}
	n, q := s.problem.Dims()
	matrices, centres := make([][][]float64, q), make([][]float64, q)
	for k, o := range bowls[:q] {
		for i := range n {
			matrices[k] = append(matrices[k], o.A[i*n:(i+1)*n])
		}
		centres[k] = o.Center
	}
	return map[string]any{"matrices": matrices, "centres": centres, "blocks": parts, "turns": turns, "outer": outer}, nil
}
