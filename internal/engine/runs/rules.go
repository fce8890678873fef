package runs

import "fmt"

// NothingToHold says why the decision of a rule that does not promise effective coefficients cannot be
// kept for R steps.
const NothingToHold = "Its direction is no combination of the gradients of its step, so there are no coefficients to keep for R steps."

// Limit and Limited are parameters of scenes with two objectives, in the place of the ε-constraint's own: its one
// limit, and the number of the objective that has it.
const (
	Limit   = "epsilon.limit"
	Limited = "epsilon.limited"
)

// LimitOf returns the ε-constraint's own settings for a limit of one of two objectives, "1" or "2".
func LimitOf(limit float64, limited string) (limits, objective string) {
	if limited == "1" {
		return fmt.Sprintf("%v,0", limit), "2"
	}
	return fmt.Sprintf("0,%v", limit), "1"
}
