package weighting

import (
	"fmt"
	"math"

	"paretoplay/algo/param"
)

// bindPreference binds the parameter preference. The function that it returns reads the preference, and returns nil for
// an empty preference.
func bindPreference(s *scope, symbol, help string) func(Context) ([]float64, error) {
	var rows [][]float64
	s.list.Points(&rows, s.describe(param.Descriptor{
		Name: "preference", Symbol: symbol, Label: "Preference", Help: help,
		Min: 1e-6, Max: 1e6, AtMost: 1,
		Effect: param.Restart,
	}))
	return func(c Context) ([]float64, error) {
		if len(rows) == 0 || len(rows[0]) == 0 {
			return nil, nil
		}
		if len(rows[0]) != c.Objectives {
			return nil, refused("preference", rows[0], oneFor(c.Objectives))
		}
		return rows[0], nil
	}
}

// oneFor returns the part of an error message that says that a list must contain one number per objective.
func oneFor(m int) string { return fmt.Sprintf("one number for each of %d objectives", m) }

// preferred returns an error unless all numbers of the preference are finite and above 0.
func preferred(preference []float64) error {
	for i, r := range preference {
		if !(r > 0) || math.IsInf(r, 1) {
			return refused(fmt.Sprintf("preference[%d]", i), r, "a finite number above 0")
		}
	}
	return nil
}
