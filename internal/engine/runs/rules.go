package runs

import "fmt"

// NothingToHold says why a rule without effective coefficients cannot keep its decision for R steps.
const NothingToHold = "The rule’s direction is not a combination of the step’s gradients, so there are no coefficients to keep for R steps."

// Limit and Limited name the parameters that replace those of the ε-constraint in scenes with two objectives: the only
// limit, and the number of the objective to which the limit applies.
const (
	Limit   = "epsilon.limit"
	Limited = "epsilon.limited"
)

// LimitOf returns the ε-constraint's settings for a limit on one of two objectives, "1" or "2".
func LimitOf(limit float64, limited string) (limits, objective string) {
	if limited == "1" {
		return fmt.Sprintf("%v,0", limit), "2"
	}
	return fmt.Sprintf("0,%v", limit), "1"
}
