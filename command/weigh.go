package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/scenes/exchange"
)

func weigh(c *call) error {
	method := c.flags.String("method", "", "one of "+strings.Join(exchange.WeighMethods(), " ")+", or all")
	var settings repeated
	c.flags.Var(&settings, "set", "a parameter of the method, `name=value`; repeat for more")
	c.explain(fmt.Sprintf("which reads {\"jacobian\": [[...], ...], \"losses\": [...], \"seed\": n},\n"+
		"the last two if you like, from standard input: at most %d rows of %d numbers,\n%d numbers altogether.",
		exchange.MaxRows, exchange.MaxColumns, exchange.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	names := exchange.WeighMethods()
	switch {
	case *method == "":
		return fmt.Errorf("-method is missing; there are: %s all", strings.Join(names, " "))
	case *method == "all" && len(settings) > 0:
		return errors.New("-set belongs to one method, not to all")
	case *method != "all" && !slices.Contains(names, *method):
		return fmt.Errorf("%q is no method; there are: %s all", *method, strings.Join(names, " "))
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	in, err := exchange.ReadWeigh(c.stdin)
	if err != nil {
		return err
	}
	if *method != "all" {
		result, err := exchange.Weigh(*method, byName, in)
		if err != nil {
			return err
		}
		return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
	}
	list, err := exchange.WeighAll(in)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

func solveTransport(c *call) error {
	solvers := strings.Join(exchange.TransportSolvers(), " ")
	solver := c.flags.String("solver", "exact", "one of "+solvers)
	var settings repeated
	c.flags.Var(&settings, "set", "a parameter of the solver, `name=value`: eps of sinkhorn, beta of ipot, both relative to the range of the "+
		"costs")
	c.explain(fmt.Sprintf("which reads {\"cost\": [[...], ...], \"a\": [...], \"b\": [...], \"tau\": t}, the last if\n"+
		"you like, from standard input: a mass in a for each of at most %d rows of costs, and one in b for\n"+
		"each of at most %d columns. The sums of a and b agree to 1e-9. The objective is the cost less tau\n"+
		"times the sum of the largest masses of the rows.", exchange.MaxMasses, exchange.MaxMasses))
	if err := c.parse(); err != nil {
		return err
	}
	if !slices.Contains(exchange.TransportSolvers(), *solver) {
		return fmt.Errorf("%q is no solver; there are: %s", *solver, solvers)
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	in, err := exchange.ReadTransport(c.stdin)
	if err != nil {
		return err
	}
	result, err := exchange.Transport(*solver, byName, in)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
}

func hypervolume(c *call) error {
	c.explain(fmt.Sprintf("which reads {\"points\": [[...], ...], \"reference\": [...]} from standard input:\n"+
		"at most %d points, %d numbers altogether. Beyond three objectives the time it takes grows\nexponentially with their number.",
		exchange.MaxPoints, exchange.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	v, err := exchange.Hypervolume(c.stdin)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(map[string]float64{"hypervolume": v}) })
}
