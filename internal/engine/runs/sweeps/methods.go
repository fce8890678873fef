// Package sweeps is the family of methods that sweep over blocks of variables and over objectives, one at a time or
// together. It contains the list of methods and their shared settings.
package sweeps

import (
	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
)

// Names of the methods.
const (
	BlockSMOO         = "blocksmoo"
	WeightedSum       = "weightedsum"
	FunctionAlternate = "functionalternate"
	BlockAlternate    = "blockalternate"
)

// paper is the title of the paper that compares the methods.
const paper = "Block-SMOO"

// sweep describes one method: its special case of the stepper, and whether the method divides the variables into
// blocks.
type sweep struct {
	special func(blocks.Config) blocks.Config
	parts   bool
	param.Method
}

// family lists the methods in the order of lists and legends.
var family = []sweep{
	{func(c blocks.Config) blocks.Config { return c }, true, param.Method{ID: BlockSMOO, Title: "Block-SMOO", Paper: paper + ", Algorithm 1",
		Help: "A step moves one block of the variables down the gradient of one objective; objective k has m_k turns on every block."}},
	{blocks.WeightedSum, false, param.Method{ID: WeightedSum, Title: "Weighted sum", Paper: paper + ", section 4.3",
		Help: "A step moves all variables down the gradient of the weighted sum of all objectives, with weights m_k/p."}},
	{blocks.FunctionAlternate, false, param.Method{ID: FunctionAlternate, Title: "Function-Alternate",
		Paper: paper + ", section 4.3; Liu & Vicente 2023",
		Help:  "A step moves all variables down the gradient of one objective; objective k has m_k turns."}},
	{blocks.BlockAlternate, true, param.Method{ID: BlockAlternate, Title: "Block-Alternate", Paper: paper + ", section 4.3; Xu & Yin 2015",
		Help: "A step moves one block of the variables down the gradient of the weighted sum of all objectives."}},
}

// Methods returns every method, in the order of lists and legends.
func Methods() []param.Method {
	out := make([]param.Method, len(family))
	for i, s := range family {
		out[i] = s.Method
	}
	return out
}

// methods returns the family with its steppers.
func (r *Roster) methods() []runs.Method[*Course] {
	out := make([]runs.Method[*Course], len(family))
	for i, s := range family {
		out[i] = runs.Method[*Course]{Method: s.Method, Bind: func(*param.List) func(*Course) (algo.Stepper, error) {
			return func(c *Course) (algo.Stepper, error) {
				return blocks.New(r.config(&s, c))
			}
		}}
	}
	return out
}

// Config returns the configuration of a method's stepper. It returns an error if a setting is invalid.
func (r *Roster) Config(method string, c Course) (blocks.Config, error) {
	for i := range family {
		if family[i].ID == method {
			return r.config(&family[i], &c), nil
		}
	}
	return blocks.Config{}, &algo.RangeError{Name: "method", Value: method, Allowed: "it must be a method of this family"}
}

// Parts reports whether a method divides the variables into blocks.
func Parts(method string) bool {
	for i := range family {
		if family[i].ID == method {
			return family[i].parts
		}
	}
	return false
}
