package algo

import "fmt"

// Status is the mathematical outcome of a step or a run. A fault is not a Status but an error.
type Status int

const (
	Running    Status = iota // the run continues
	Budget                   // the iteration budget is spent
	Stationary               // the stationarity measure fell to the requested value
	Converged                // a convergence criterion of the method is satisfied
	NoSolution               // the rule's problem has no solution at this point; the direction is zero
	Diverged                 // a quantity was not finite; the last good state is kept
	Finished                 // the method has completed its last step
	Degenerate               // the rule's equations have several solutions with different directions; this is one of them
	Underflow                // weights below the range of float64 became 0; the direction is correct
	AboveLimit               // the iteration budget is spent, and an objective exceeds its limit
)

var statusNames = [...]string{"running", "budget", "stationary", "converged", "no-solution", "diverged",
	"finished", "degenerate", "underflow", "above-limit"}

// String returns the status name used in JSON and on the page.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("status(%d)", int(s))
	}
	return statusNames[s]
}

// MarshalText returns the result of String, so that JSON contains names.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses a name returned by String.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("unknown status %q", text)
}
