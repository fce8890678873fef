package blocks

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// batches distributes the examples over samples, in random orders.
type batches struct {
	size  int   // 0 if samples use all examples
	order []int // order of the examples in the current pass
	pass  int   // number of the current pass, −1 if there is none yet
}

// prepare sets up batches as configured.
func (b *batches) prepare(c *Config) error {
	if c.Batch == 0 {
		return nil
	}
	sum, ok := c.Problem.(algo.FiniteSum)
	if !ok {
		return &algo.RangeError{Name: "batch", Value: c.Batch, Allowed: "0: the problem has no examples for batches"}
	}
	examples := sum.Examples()
	if c.Batch < 0 || c.Batch > examples {
		return &algo.RangeError{Name: "batch", Value: c.Batch,
			Allowed: fmt.Sprintf("from 1 to the number of examples, %d, or 0 to use all of them", examples)}
	}
	if c.Batch < examples {
		b.size, b.order, b.pass = c.Batch, make([]int, examples), -1
	}
	return nil
}

// at returns the batch of a sample, numbered from 0, or nil for all examples. The batch is valid until a batch of
// another pass is requested.
func (b *batches) at(number int, seed uint64, start int) []int {
	if b.size == 0 {
		return nil
	}
	perPass := len(b.order) / b.size
	if pass := number / perPass; pass != b.pass {
		b.pass = pass
		schedule.Count(b.order)
		source := algo.Stream(seed, start, pass, algo.Shuffle)
		schedule.Shuffle(b.order, &source)
	}
	from := number % perPass * b.size
	return b.order[from : from+b.size]
}
