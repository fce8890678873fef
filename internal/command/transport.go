package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func solveTransport(c *call) error {
	solvers := strings.Join(weigh.Solvers(), " ")
	solver := c.flags.String("solver", "exact", "one of "+solvers)
	var settings repeated
	c.flags.Var(&settings, "set", "a parameter of the solver, `name=value`: eps of sinkhorn, beta of ipot, both relative to the range of the "+
		"costs")
	c.explain(fmt.Sprintf("which reads {\"cost\": [[...], ...], \"a\": [...], \"b\": [...], \"tau\": t}, the last if\n"+
		"you like, from standard input: a mass in a for each of at most %d rows of costs, and one in b for\n"+
		"each of at most %d columns. The sums of a and b agree to 1e-9. The objective is the cost less tau\n"+
		"times the sum of the largest masses of the rows.", data.MaxMasses, data.MaxMasses))
	if err := c.parse(); err != nil {
		return err
	}
	if !slices.Contains(weigh.Solvers(), *solver) {
		return fmt.Errorf("%q is no solver; there are: %s", *solver, solvers)
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	in, err := weigh.ReadTransport(c.stdin)
	if err != nil {
		return err
	}
	result, err := weigh.Transport(*solver, byName, in)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
}
