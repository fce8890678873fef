package blocksteps

import (
	"errors"
	"fmt"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
)

// file is the content of a visitor's file.
type file struct {
	bowls  []problem.QuadraticObjective
	blocks [][]int   // nil where it says none
	start  []float64 // 0 where it says none
}

// ShowsPasted reports whether the objectives come, or are to come, from a file.
func (s *Scene) ShowsPasted() bool { return s.values.Problem == yours }

// Paste takes over the objectives of a file.
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

// ofFile reads what a file in the layout Quadratics has.
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

// refused names the matrix of a file in an error.
func refused(k int, err error) error {
	if out := (&algo.RangeError{}); errors.As(err, &out) {
		own := fmt.Sprintf("Q[%d]", k)
		words := strings.NewReplacer("A[", own+"[", "A must", own+" must", "of A is", "is")
		text := words.Replace(strings.TrimPrefix(out.Error(), "objective 0: "))
		return fmt.Errorf("%s: %s", own, text)
	}
	return err
}

// wholes are numbers that are whole.
func wholes(v []float64) []int {
	out := make([]int, len(v))
	for i, f := range v {
		out[i] = int(f)
	}
	return out
}

// brought is the problem of a visitor's file. As long as it is shown nobody can say that it has
// more or fewer objectives.
func (s *Scene) brought() (*problem.Quadratics, []float64, error) {
	if s.values.Q != len(s.file.bowls) {
		return nil, nil, &algo.RangeError{Name: "q", Value: s.values.Q, Allowed: fmt.Sprintf("%d, as the file has it", len(s.file.bowls))}
	}
	p, err := problem.NewQuadratics(s.values.Sigma, s.file.bowls...)
	return p, s.file.start, err
}

// waiting says what is missing where there are no runs.
func (s *Scene) waiting() string { return "No objectives yet: bring a file, or choose the bowls." }
