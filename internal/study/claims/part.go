package claims

import (
	"cmp"
	"fmt"
	"strings"
)

// part is a row in the table of a claim's verdicts. Its formats and bounds count a setting's numbers from 1.
type part struct {
	of string // name of the part, with {} for the setting; "" for the setting alone
	// says is a format for the numbers. %.2[1]s writes the first number with its interval, %.2[1]x writes it as a
	// ratio, and other verbs write only the value.
	says string
	is   bound
}

// bound returns the verdict on a setting's numbers.
type bound func(v []Number) Verdict

// above, below, atLeast, atMost and within apply Number's methods to number i.
func above(i int, limit float64) bound {
	return func(v []Number) Verdict { return v[i-1].above(limit) }
}
func below(i int, limit float64) bound {
	return func(v []Number) Verdict { return v[i-1].below(limit) }
}
func atLeast(i int, limit float64) bound {
	return func(v []Number) Verdict { return v[i-1].atLeast(limit) }
}
func atMost(i int, limit float64) bound {
	return func(v []Number) Verdict { return v[i-1].atMost(limit) }
}
func within(i int, low, high float64) bound {
	return func(v []Number) Verdict { return v[i-1].within(low, high) }
}

// all returns a bound that requires all given bounds.
func all(bounds ...bound) bound {
	return func(v []Number) Verdict {
		verdicts := make([]Verdict, len(bounds))
		for i, is := range bounds {
			verdicts[i] = is(v)
		}
		return both(verdicts...)
	}
}

// names returns the names of all numbers of the claim.
func (c *Claim) names() []string {
	if c.settings == nil {
		return c.numbers
	}
	return named(c.settings, c.numbers...)
}

// judge returns the verdicts on the claim's parts. The claim's numbers v are in the order of names.
func (c *Claim) judge(v []Number) (out []Part) {
	if c.decide != nil {
		return c.decide(v)
	}
	settings := c.settings
	if settings == nil {
		settings = []string{""}
	}
	for i, setting := range settings {
		of := v[i*len(c.numbers):]
		shown := make([]any, len(of))
		for k, n := range of {
			shown[k] = n
		}
		for _, p := range c.parts {
			title := strings.ReplaceAll(cmp.Or(p.of, "{}"), "{}", setting)
			out = append(out, Part{Of: title, Ours: fmt.Sprintf(p.says, shown...), Verdict: p.is(of)})
		}
	}
	return out
}
