package algo

// Run takes at most budget ≥ 0 steps with s. It returns the final view of s and the reason why the run ended. The
// status is Budget if all steps were taken, Converged if done returned true, or the status of a final step, such as
// Diverged. Run calls done before the first step and after each step. A nil done never ends the run.
//
// If a step has no solution, x does not move. The next step uses other samples and may have a solution. Run therefore
// continues, and returns NoSolution only if the last step of the budget had no solution. It returns an error if a
// step fails, and a *RangeError if budget is negative; the status is then invalid.
//
// The view belongs to s and is valid until the next Step or Load of s. Another call of Run continues where this one
// ended. Only the first Step allocates.
func Run(s Stepper, budget int, done func(View) bool) (View, Status, error) {
	if budget < 0 {
		return s.View(), Running, &RangeError{Name: "budget", Value: budget, Allowed: "it must be at least 0"}
	}
	status := Running
	for range budget {
		if done != nil && done(s.View()) {
			return s.View(), Converged, nil
		}
		var err error
		if status, err = s.Step(); err != nil || status != Running && status != NoSolution {
			return s.View(), status, err
		}
	}
	if done != nil && done(s.View()) {
		return s.View(), Converged, nil
	}
	if status == NoSolution {
		return s.View(), NoSolution, nil
	}
	return s.View(), Budget, nil
}
