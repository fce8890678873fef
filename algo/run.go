package algo

// Run makes at most budget ≥ 0 steps and returns the view of s at the end and why it
// ended: Budget when the steps are spent; Converged when done reports true; or the
// status of a step after which none can follow, such as Diverged. A step that has no
// solution stays where it is, and the next one, on other samples, may have one: Run goes
// on, and returns NoSolution only if the last step of the budget had none. It calls done before the
// first step and after each; nil never ends a run. The error comes from a step, or is
// a *RangeError for a budget below 0; the status then means nothing.
//
// The view belongs to s and holds until its next Step or Load. A further call goes
// on from there. Nothing is allocated but by the first Step.
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
