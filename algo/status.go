package algo

import "fmt"

// Status is a mathematical outcome; faults are errors.
type Status int

const (
	Running    Status = iota // the run goes on
	Budget                   // the iteration budget is spent
	Stationary               // the stationarity measure fell to the requested value
	Converged                // an inner or outer criterion of the method is satisfied
	NoSolution               // the rule has no solution here; the direction is zero
	Diverged                 // a quantity was not finite; the last good state is kept
	Finished                 // the method has nothing further to do
	Degenerate               // the rule's equations have many solutions, with different directions; this is one of them
	Underflow                // weights are below the range of numbers and became 0; the direction is correct
	AboveLimit               // the iteration budget is spent, and an objective exceeds its limit
)

var statusNames = [...]string{"running", "budget", "stationary", "converged", "no-solution", "diverged",
	"finished", "degenerate", "underflow", "above-limit"}

// String returns the name used in JSON and on the page.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("status(%d)", int(s))
	}
	return statusNames[s]
}

// MarshalText returns String, so that JSON carries names.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts the names that String returns.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("unknown status %q", text)
}
