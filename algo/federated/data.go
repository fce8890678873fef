package federated

import (
	"fmt"

	"paretoplay/algo"
)

// Split selects a part of a client's samples.
type Split int

const (
	Training   Split = iota // the client's objective is the loss on these samples
	Validation              // for choosing a solution
	Test                    // for evaluating the chosen solution

	Splits Split = iota // number of splits
)

// Samples contains points with labels. The slices must not be modified.
type Samples struct {
	X     []float64 // one row per sample: its features, then a 1 for the bias
	Label []int     // classes from 0 to C−1
}

// Len returns the number of samples.
func (s *Samples) Len() int { return len(s.Label) }

// row returns the features of sample j followed by a 1, width numbers in total.
func (s *Samples) row(j, width int) []float64 { return s.X[j*width : (j+1)*width : (j+1)*width] }

// Data contains the samples of all clients.
type Data struct {
	Features int // number of features, without the 1 for the bias
	Classes  int // number of classes, C ≥ 2
	Clients  [][Splits]Samples
}

// Size returns the number of samples that a client has in all splits together.
func (d *Data) Size(client int) int {
	size := 0
	for split := range d.Clients[client] {
		size += d.Clients[client][split].Len()
	}
	return size
}

// Shares returns each client's fraction of all training samples. Federated averaging uses these as weights.
func (d *Data) Shares() []float64 {
	shares, all := make([]float64, len(d.Clients)), 0
	for i := range d.Clients {
		size := d.Clients[i][Training].Len()
		shares[i], all = float64(size), all+size
	}
	for i := range shares {
		shares[i] /= float64(all)
	}
	return shares
}

// check returns an error if the data do not form a valid problem.
func (d *Data) check() error {
	switch {
	case d.Features < 1:
		return &algo.RangeError{Name: "features", Value: d.Features, Allowed: "it must be at least 1"}
	case d.Classes < 2:
		return &algo.RangeError{Name: "classes", Value: d.Classes, Allowed: "it must be at least 2"}
	case len(d.Clients) < 1:
		return &algo.RangeError{Name: "clients", Value: len(d.Clients), Allowed: "there must be at least one"}
	}
	for i := range d.Clients {
		for split := range Splits {
			s := &d.Clients[i][split]
			name := fmt.Sprintf("samples of client %d", i)
			if s.Len() < 1 || len(s.X) != s.Len()*(d.Features+1) {
				return &algo.RangeError{Name: name, Value: s.Len(),
					Allowed: fmt.Sprintf("each part needs at least one, with %d numbers per sample", d.Features+1)}
			}
			if !algo.Finite(s.X) {
				return &algo.RangeError{Name: name, Value: "", Allowed: "all numbers must be finite", Text: name + ": all numbers must be finite"}
			}
			for _, y := range s.Label {
				if y < 0 || y >= d.Classes {
					return &algo.RangeError{Name: "label", Value: y, Allowed: fmt.Sprintf("0 to %d", d.Classes-1)}
				}
			}
		}
	}
	return nil
}
