package scene

// Unfolding is a Flow that draws a finished picture bit by bit within some seconds, once. Nothing else depends on it: with reduced
// motion, and in files, the whole picture is shown at once.
type Unfolding struct {
	// Seconds is how long it takes, > 0.
	Seconds float64

	passed float64 // of these, Seconds while nothing unfolds
	still  bool    // nothing moves in time
}

// NewUnfolding returns one that rests, with the whole picture on show.
func NewUnfolding(seconds float64) *Unfolding {
	return &Unfolding{Seconds: seconds, passed: seconds, still: true}
}

// Animate implements Flow.
func (u *Unfolding) Animate(on bool) { u.still = !on }

// Flow implements Flow.
func (u *Unfolding) Flow(seconds float64, _ func() bool) (flows bool, err error) {
	const longest = 0.25 // a tab that was away goes on where it was
	if u.Flows() {
		u.passed += min(seconds, longest)
	}
	return u.Flows(), nil
}

// Flows implements Flow.
func (u *Unfolding) Flows() bool { return u.passed < u.Seconds && !u.still }

// Idle implements Flow: no parameter depends on it.
func (u *Unfolding) Idle() map[string]string { return nil }

// ShowAt implements Flow: files have the whole picture, which no iteration changes.
func (*Unfolding) ShowAt(int) error { return nil }

// Pour implements Flow: it begins anew.
func (u *Unfolding) Pour() { u.passed = 0 }

// End shows the whole picture at once, as for a visitor who begins to change it.
func (u *Unfolding) End() { u.passed = u.Seconds }

// Share returns how much of the time is over, from 0 to 1, which is also where nothing unfolds.
func (u *Unfolding) Share() float64 {
	if !u.Flows() {
		return 1
	}
	return u.passed / u.Seconds
}

// Part returns how much of the time between two shares of it is over, from 0 to 1.
func (u *Unfolding) Part(from, to float64) float64 { return min(max((u.Share()-from)/(to-from), 0), 1) }
