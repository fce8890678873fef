package algo

// Run makes at most budget ≥ 0 steps. It returns the view of s at the end and the reason why it
// ended: Budget when the steps are spent, Converged when done reports true, or the status of a step
// after which none can follow, such as Diverged. It calls done before the first step and after
// each; a nil done never ends a run.
//
// A step without a solution stays where it is; the next one, on other samples, may have one. Run
// therefore goes on, and returns NoSolution only if the last step of the budget had none. It
// returns an error if a step fails, and a *RangeError if budget is below 0; the status is then
// invalid.
//
// The view belongs to s and is valid until its next Step or Load. A further call continues from
// there. Only the first Step allocates.
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
