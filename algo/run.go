package algo

// Run makes at most budget ≥ 0 steps and returns the view of s at the end and why it
// ended: Budget when the steps are spent; Converged when done reports true; or the
// status of a step that was not Running, such as Diverged. It calls done before the
// first step and after each; nil never ends a run. The error comes from a step, or is
// a *RangeError for a budget below 0; the status then means nothing.
//
// The view belongs to s and holds until its next Step or Load. A further call goes
// on from there. Nothing is allocated but by the first Step.
func Run(s Stepper, budget int, done func(View) bool) (View, Status, error) {
	if budget < 0 {
		return s.View(), Running, &RangeError{Name: "budget", Value: budget, Allowed: "it must be at least 0"}
	}
	for range budget {
		if done != nil && done(s.View()) {
			return s.View(), Converged, nil
		}
		if status, err := s.Step(); err != nil || status != Running {
			return s.View(), status, err
		}
	}
	if done != nil && done(s.View()) {
		return s.View(), Converged, nil
	}
	return s.View(), Budget, nil
}
