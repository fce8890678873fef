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
