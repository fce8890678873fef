package weighting

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// maxOrdered is the largest number of objectives for which the user can set an order.
const maxOrdered = 200

// orderName is the name of the parameter that sets an Order.
const orderName = "order"

// Order determines the order in which PCGrad and GradVac compare each gradient with the others. It contains lists, or
// a seed and a start for random lists.
type Order struct {
	Lists [][]int // one list per row, or one for all rows; nil or an empty list means random
	Seed  uint64  // seed of the run
	Start int     // number of the start within the run
}

// check returns an error if the lists are invalid for m objectives.
func (o *Order) check(m int) error {
	if len(o.Lists) > 1 && len(o.Lists) != m {
		allowed := fmt.Sprintf("one for each of %d objectives or one for all", m)
		return &algo.RangeError{Name: "order", Value: o.Lists, Allowed: allowed,
			Text: fmt.Sprintf("order has %d lists; use %s", len(o.Lists), allowed)}
	}
	for i, list := range o.Lists {
		if len(list) == 0 {
			continue
		}
		seen := make([]bool, m)
		for _, j := range list {
			if j < 0 || j >= m || seen[j] {
				return refused(fmt.Sprintf("order[%d]", i), list, others(m))
			}
			seen[j] = true
		}
		for j, ok := range seen {
			if !ok && (j != i || len(o.Lists) == 1 && m > 1) {
				return &algo.RangeError{
					Name: fmt.Sprintf("order[%d]", i), Value: list, Allowed: others(m), Text: fmt.Sprintf("order[%d] = %v lacks objective %d", i, list, j),
				}
			}
		}
	}
	return nil
}

// others returns the part of an error message that says what a valid list for m objectives contains.
func others(m int) string { return fmt.Sprintf("each of the other objectives from 0 to %d once", m-1) }

// orderer provides the lists of an Order.
type orderer struct {
	order   Order
	checked int // number of objectives for which the lists were checked
	state   rand.PCG
	random  *rand.Rand // draws its numbers from state
	list    []int
}

func newOrderer(o Order) *orderer {
	d := &orderer{order: o}
	d.random = rand.New(&d.state)
	return d
}

// begin prepares the lists of iteration k for m objectives.
func (d *orderer) begin(m, k int) error {
	if d.checked != m {
		if err := d.order.check(m); err != nil {
			return err
		}
		d.checked = m
		d.list = make([]int, m)
	}
	d.state = algo.Stream(d.order.Seed, d.order.Start, k, algo.Decision)
	return nil
}

// next returns the list of row i. It must be called in the order of the rows. The list may contain i; the caller must
// skip it.
func (d *orderer) next(i int) []int {
	lists := d.order.Lists
	var given []int
	if len(lists) == 1 {
		given = lists[0]
	} else if len(lists) > 1 {
		given = lists[i]
	}
	if len(given) > 0 {
		return given
	}
	for j := range d.list {
		d.list[j] = j
	}
	for j := len(d.list) - 1; j > 0; j-- {
		k := d.random.IntN(j + 1)
		d.list[j], d.list[k] = d.list[k], d.list[j]
	}
	return d.list
}

// bindOrder binds the parameter order and returns a function that reads it.
func bindOrder(s *scope) func(Context) (Order, error) {
	var lists [][]float64
	s.list.Points(&lists, s.describe(param.Descriptor{
		Name: orderName, Label: "Order",
		Min: 0, Max: maxOrdered - 1, AtMost: maxOrdered,
		Effect: param.Restart,
		Help: "Sets the order in which each gradient is compared with the others (counted from 0). Enter one list for each gradient, such " +
			"as 1,2;2,0;0,1, or one list for all. If empty, the order is random.",
	}))
	return func(c Context) (Order, error) {
		o := Order{Seed: c.Seed, Start: c.Start}
		for i, list := range lists {
			whole := make([]int, len(list))
			for k, v := range list {
				if v != math.Trunc(v) {
					return o, &algo.RangeError{
						Name: fmt.Sprintf("order[%d]", i), Value: list, Allowed: "whole numbers",
						Text: fmt.Sprintf("order[%d] = %v: use whole numbers", i, list),
					}
				}
				whole[k] = int(v)
			}
			o.Lists = append(o.Lists, whole)
		}
		return o, o.check(c.Objectives)
	}
}
