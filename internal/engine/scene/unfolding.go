package scene

// Unfolding is a Flow that draws a finished picture gradually, once, within a few seconds. With reduced motion, and in
// files, the whole picture is shown at once. Nothing else depends on an Unfolding.
type Unfolding struct {
	// Seconds is the duration, and must be positive.
	Seconds float64

	passed float64 // seconds that have passed; equal to Seconds at rest
	still  bool    // whether animation is off
}

// NewUnfolding returns an Unfolding at rest, with the whole picture shown.
func NewUnfolding(seconds float64) *Unfolding {
	return &Unfolding{Seconds: seconds, passed: seconds, still: true}
}

// Animate implements Flow.
func (u *Unfolding) Animate(on bool) { u.still = !on }

// Flow implements Flow.
func (u *Unfolding) Flow(seconds float64, _ func() bool) (flows bool, err error) {
	const longest = 0.25 // a tab returning from the background continues where it was
	if u.Flows() {
		u.passed += min(seconds, longest)
	}
	return u.Flows(), nil
}

// Flows implements Flow.
func (u *Unfolding) Flows() bool { return u.passed < u.Seconds && !u.still }

// Idle implements Flow: no parameter depends on the motion.
func (u *Unfolding) Idle() map[string]string { return nil }

// ShowAt implements Flow: files show the whole picture at every iteration.
func (*Unfolding) ShowAt(int) error { return nil }

// Pour implements Flow: it restarts the motion.
func (u *Unfolding) Pour() { u.passed = 0 }

// End shows the whole picture at once, for example when a visitor starts to change it.
func (u *Unfolding) End() { u.passed = u.Seconds }

// Share returns the fraction of the time that has passed, from 0 to 1. It is 1 at rest.
func (u *Unfolding) Share() float64 {
	if !u.Flows() {
		return 1
	}
	return u.passed / u.Seconds
}

// Part returns the fraction that has passed, from 0 to 1, of the time between two values of Share.
func (u *Unfolding) Part(from, to float64) float64 { return min(max((u.Share()-from)/(to-from), 0), 1) }
