package axes

import (
	"math"

	"paretoplay/internal/portable"
)

// Decades is the range of positive numbers on a logarithmic axis, in whole powers of ten. The zero value is empty.
type Decades struct{ lo, hi float64 }

// Add extends the range to include v. It ignores numbers that a logarithmic axis cannot show.
func (d *Decades) Add(v float64) {
	if !(v > 0 && v <= math.MaxFloat64) {
		return
	}
	if d.hi == 0 {
		d.lo = v
	}
	d.lo, d.hi = min(d.lo, v), max(d.hi, v)
}

// InSteps returns the first of base, factor·base, factor²·base, … that is at least v. An axis that ends at this value
// rarely changes: only when the data leave the axis, and then by a whole factor. base must be above 0, and factor above
// 1.
func InSteps(base, factor, v float64) float64 {
	if !(v <= math.MaxFloat64) {
		return base
	}
	for base < v {
		base *= factor
	}
	return base
}

// Falling returns the axis for numbers that start large and fall. It covers five decades, or ten after a number has
// fallen below these five. The axis does not change while the numbers fall within its range.
func (d *Decades) Falling(label string) Axis {
	axis := d.Axis(label)
	const few, many = 1e-5, 1e-10
	if least := few * axis.Max; d.hi == 0 || d.lo >= least {
		axis.Min = least
	} else {
		axis.Min = many * axis.Max
	}
	return axis
}

// Axis returns the axis for the range, or an axis from 0.01 to 1 if the range is empty. It omits numbers below 10⁻¹⁰
// times the largest number, because they are irrelevant.
func (d *Decades) Axis(label string) Axis {
	axis := Axis{Label: label, Min: 0.01, Max: 1, Log: true}
	if d.hi == 0 {
		return axis
	}
	const maxDecades = 10
	lo := max(d.lo, d.hi*portable.Pow(10, -maxDecades))
	axis.Min, axis.Max = portable.Pow(10, math.Floor(portable.Log10(lo))), portable.Pow(10, math.Ceil(portable.Log10(d.hi)))
	if axis.Max <= axis.Min {
		axis.Max = 10 * axis.Min
	}
	return axis
}
