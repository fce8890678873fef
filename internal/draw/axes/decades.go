package axes

import (
	"math"

	"paretoplay/internal/portable"
)

// Decades is the range of numbers above 0 on a logarithmic axis, in whole powers of ten. The zero value
// holds none.
type Decades struct{ lo, hi float64 }

// Add makes the range hold a number, if that has a place on a logarithmic axis.
func (d *Decades) Add(v float64) {
	if !(v > 0 && v <= math.MaxFloat64) {
		return
	}
	if d.hi == 0 {
		d.lo = v
	}
	d.lo, d.hi = min(d.lo, v), max(d.hi, v)
}

// InSteps returns the first of base, factor·base, factor²·base, … that is no less than v: the end of an axis that stays where it is
// until the data leave it, and then makes room for long. base is above 0 and factor above 1.
func InSteps(base, factor, v float64) float64 {
	if !(v <= math.MaxFloat64) {
		return base
	}
	for base < v {
		base *= factor
	}
	return base
}

// Falling returns the axis of numbers that begin large and fall: five decades, ten once one of the numbers is below these. It does not
// move while they fall within them.
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

// Axis returns the axis about the range, from 0.01 to 1 about none. It leaves out what is below 10⁻¹⁰ of
// the largest number: that is no longer of interest.
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
