package blocksteps

import (
	"errors"
	"fmt"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
)

// file holds the content of a visitor's file.
type file struct {
	bowls  []problem.QuadraticObjective
	blocks [][]int   // nil if the file has none
	start  []float64 // zeros if the file has none
}

// ShowsPasted reports whether the objectives come from a file. It returns true even if the file is still missing.
func (s *Scene) ShowsPasted() bool { return s.values.Problem == yours }

// Paste reads the objectives from a file.
func (s *Scene) Paste(p *data.Pasted) error {
	in, err := ofFile(p)
	if err != nil {
		return err
	}
	s.file = in
	v := &s.values
	v.Problem, v.Q = yours, len(in.bowls)
	switch m := p.List(data.TurnsName); {
	case m != nil:
		v.M = wholes(m)
	case len(v.M) != v.Q:
		v.M = []int{}
	}
	switch {
	case in.blocks != nil:
		v.Partition = given
	case v.Partition == given:
		v.Partition = coordinates
	}
	if p.List(data.StartName) != nil {
		v.Moved = [][]float64{}
	}
	return nil
}

// ofFile converts a file, whose layout must be Quadratics, to objectives, blocks and a start point.
func ofFile(p *data.Pasted) (*file, error) {
	out := new(file)
	centres := p.Rows(data.LowestName)
	for k, matrix := range p.Stack(data.ShapesName) {
		bowl := problem.QuadraticObjective{Center: centres[k]}
		for _, row := range matrix {
			bowl.A = append(bowl.A, row...)
		}
		if _, err := problem.NewQuadratics(0, bowl); err != nil {
			return nil, refused(k, err)
		}
		out.bowls = append(out.bowls, bowl)
	}
	for _, block := range p.Lists(data.BlocksName) {
		out.blocks = append(out.blocks, wholes(block))
	}
	if out.start = p.List(data.StartName); out.start == nil {
		out.start = make([]float64, len(centres[0]))
	}
	return out, nil
}

// refused adds the name of the file's matrix, Q[k], to an error.
func refused(k int, err error) error {
	if out := (&algo.RangeError{}); errors.As(err, &out) {
		own := fmt.Sprintf("Q[%d]", k)
		words := strings.NewReplacer("A[", own+"[", "A must", own+" must", "of A is", "is")
		text := words.Replace(strings.TrimPrefix(out.Error(), "objective 0: "))
		return fmt.Errorf("%s: %s", own, text)
	}
	return err
}

// wholes converts numbers to integers.
func wholes(v []float64) []int {
	out := make([]int, len(v))
	for i, f := range v {
		out[i] = int(f)
	}
	return out
}

// brought returns the problem in the visitor's file, and its start. It returns an error if the parameter for the number
// of objectives differs from the file's number.
func (s *Scene) brought() (*problem.Quadratics, []float64, error) {
	if s.values.Q != len(s.file.bowls) {
		return nil, nil, &algo.RangeError{Name: "q", Value: s.values.Q, Allowed: fmt.Sprintf("%d, as in the file", len(s.file.bowls))}
	}
	p, err := problem.NewQuadratics(s.values.Sigma, s.file.bowls...)
	return p, s.file.start, err
}

// waiting returns the text shown while there are no runs.
func (s *Scene) waiting() string { return "No objectives yet: open a file, or choose the bowls." }
