package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/internal/engine/weigh"
)

func golden(c *call) error {
	method := c.flags.String("method", "", "one of "+strings.Join(weigh.Methods(), " "))
	count := c.flags.Int("n", 20, fmt.Sprintf("the number of cases, up to %d", weigh.MaxGolden))
	var settings repeated
	c.flags.Var(&settings, "set", "set a parameter of the method, `name=value`; repeat for more")
	c.explain("Writes small cases of a method and their answers as JSON, for tests of other implementations. A case has\n" +
		"Jacobian, losses, seed and parameters, and an answer has weights, effective weights and direction, to the last digit.\n" +
		"The list omits cases that the method rejects and cases with several answers.")
	if err := c.parse(); err != nil {
		return err
	}
	if names := weigh.Methods(); !slices.Contains(names, *method) {
		if *method == "" {
			return fmt.Errorf("-method is missing; available: %s", strings.Join(names, " "))
		}
		return fmt.Errorf("unknown method %q; available: %s", *method, strings.Join(names, " "))
	}
	values, err := settings.byName()
	if err != nil {
		return err
	}
	cases, err := weigh.Golden(*method, values, *count)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(cases)
	})
}
