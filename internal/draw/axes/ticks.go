package axes

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Repaired returns the axis with a valid range.
func (a Axis) Repaired() Axis {
	if n := len(a.Categories); n > 0 {
		a.Min, a.Max, a.Log = -0.5, float64(n)-0.5, false
		return a
	}
	ok := func(v float64) bool { return v-v == 0 && math.Abs(v) < 1e300 }
	if !ok(a.Min) || !ok(a.Max) {
		a.Min, a.Max = 0, 1
	}
	if a.Min > a.Max {
		a.Min, a.Max = a.Max, a.Min
	}
	if a.Log {
		if a.Max <= 0 {
			a.Min, a.Max = 0.1, 1
		}
		if a.Min <= 0 {
			a.Min = a.Max * 1e-6
		}
		if a.Max < a.Min*1.01 {
			a.Min, a.Max = a.Min/2, a.Max*2
		}
		return a
	}
	// A range too narrow for double precision counts as empty.
	if least := 1e-9 * max(math.Abs(a.Min), math.Abs(a.Max)); a.Max-a.Min <= least {
		half := max(0.5, 0.5*math.Abs(a.Min))
		a.Min, a.Max = a.Min-half, a.Max+half
	}
	return a
}

// squeezed reports whether a part of the axis is squeezed.
func (a Axis) squeezed() bool {
	return a.Loft > 0 && a.Loft < 1 && a.Min < a.Knee && a.Knee < a.Max && !a.Log && len(a.Categories) == 0
}

func (a Axis) scale(from, to vg.Length) brush.Scale {
	s := brush.NewScale(a.Min, a.Max, a.Log, from, to)
	if a.squeezed() {
		s = s.Squeezed(a.Knee, a.Loft)
	}
	return s
}

// ticks returns the axis's ticks. While the axis moves, these are the ticks of its old range and of its new range.
func (a Axis) ticks(length, spacing vg.Length) []Tick {
	if a.way != nil {
		return a.way.ticks(length, spacing)
	}
	return a.Ticks(length, spacing)
}

// Ticks returns labelled ticks at round numbers, for an axis of the given length. The ticks are at least spacing apart.
// length and spacing are in pixels.
func (a Axis) Ticks(length, spacing vg.Length) []Tick {
	if len(a.Categories) > 0 {
		ticks := make([]Tick, len(a.Categories))
		// If labels would overlap, label only every n-th tick.
		named := 0
		for _, label := range a.Categories {
			if label != "" {
				named++
			}
		}
		every := max(1, int(math.Ceil(1.4*float64(named)*float64(brush.SmallText)/float64(max(length, 1)))))
		seen := 0
		for i, label := range a.Categories {
			if label != "" {
				if seen%every != 0 {
					label = ""
				}
				seen++
			}
			ticks[i] = Tick{Value: float64(i), Label: label}
		}
		return ticks
	}
	if a.squeezed() {
		return a.squeezedTicks(length, spacing)
	}
	most := max(1, float64(length/spacing)) // maximum number of intervals
	if a.Log {
		return a.logTicks(most)
	}
	step := roundStep((a.Max - a.Min) / most)
	if a.Integer {
		step = math.Max(1, step)
	}
	var ticks []Tick
	const slack = 1e-9
	first := math.Ceil(a.Min/step - slack)
	for i := 0.0; first+i <= a.Max/step+slack; i++ {
		v := (first + i) * step
		// Rounding errors must not move ticks past the ends of the axis.
		ticks = append(ticks, Tick{
			Value: max(a.Min, min(v, a.Max)),
			Label: TickLabel(v, step),
		})
	}
	return ticks
}

// squeezedTicks returns the ticks of both parts of a squeezed axis. It omits ticks of the upper part that are too close
// to the knee.
func (a Axis) squeezedTicks(length, spacing vg.Length) []Tick {
	low, high := a, a
	low.Max, low.Loft, high.Min, high.Loft = a.Knee, 0, a.Knee, 0
	ticks, room := low.Ticks(vg.Length(1-a.Loft)*length, spacing), vg.Length(a.Loft)*length
	at := high.scale(0, room)
	for _, t := range high.Ticks(room, spacing/2) {
		if at.At(t.Value) >= spacing/2 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// RoundUp returns the smallest number that is at least v and is the product of one of the steps and a power of ten. The
// steps must ascend from 1, and v must be above 0.
func RoundUp(v float64, steps ...float64) float64 { return roundUp(v, v, steps) }

// roundUp implements RoundUp. It takes the power of ten from decade, a number close to v.
func roundUp(decade, v float64, steps []float64) float64 {
	power := portable.Pow(10, math.Floor(portable.Log10(decade)))
	for _, m := range steps {
		if m*power >= v {
			return m * power
		}
	}
	return 10 * power
}

// roundStep returns the smallest product of 1, 2 or 5 and a power of ten that is at least v.
func roundStep(v float64) float64 { return roundUp(v, v*(1-1e-9), []float64{1, 2, 5}) }

// TickLabel formats the value of a tick with enough digits to distinguish it from the next tick, which is one step away.
func TickLabel(v, step float64) string {
	if v == 0 {
		return "0"
	}
	decimals := int(max(0, -math.Floor(portable.Log10(step)+1e-9)))
	if size := math.Abs(v); decimals <= 4 && size < 1e5 {
		return numeral.Fixed(v, decimals)
	}
	digits := int(max(0, math.Floor(portable.Log10(math.Abs(v))+1e-9)-math.Floor(portable.Log10(step)+1e-9)))
	s := strconv.FormatFloat(v, 'e', digits, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, err := strconv.Atoi(exponent)
	if err != nil {
		// This cannot happen, because strconv wrote the exponent.
		panic("axes: exponent of " + s)
	}
	return numeral.Minus(mantissa) + "·" + power(e)
}

// power returns the label of a power of ten.
func power(e int) string { return "10^{" + numeral.Minus(strconv.Itoa(e)) + "}" }

// logTicks returns ticks at the powers of ten in the range, and labels no more than about most+1 of them. If fewer than
// two powers are in the range, it returns ticks at 1, 2 and 5 times a power.
func (a Axis) logTicks(most float64) []Tick {
	lo, hi := portable.Log10(a.Min), portable.Log10(a.Max)
	const slack = 1e-9
	first, last := math.Ceil(lo-slack), math.Floor(hi+slack)
	var ticks []Tick
	add := func(v float64, label string) {
		ticks = append(ticks, Tick{Value: max(a.Min, min(v, a.Max)), Label: label})
	}
	if last-first >= 1 {
		every := math.Max(1, math.Ceil((hi-lo)/most))
		for e := first; e <= last; e++ {
			label := ""
			if math.Mod(e, every) == 0 {
				label = power(int(e))
			}
			add(portable.Pow(10, e), label)
		}
		return ticks
	}
	for e := math.Floor(lo); e <= hi; e++ {
		for _, m := range [...]float64{1, 2, 5} {
			if v := m * portable.Pow(10, e); v >= a.Min*(1-slack) && v <= a.Max*(1+slack) {
				add(v, TickLabel(v, portable.Pow(10, e)))
			}
		}
	}
	return ticks
}

// quiet returns a Mini's axis with a short label, or with no label if the label would repeat the heading.
func (a Axis) quiet(heading string) Axis {
	if a.Short != "" {
		a.Label = a.Short
	}
	if a.Brief != nil {
		a.Categories = a.Brief
	}
	name, _, _ := strings.Cut(strings.ToLower(a.Label), ",")
	if strings.Contains(strings.ToLower(heading), name) {
		a.Label = ""
	}
	return a
}

// NumberedAxis returns an axis with n categories, numbered from 1. If n is at most 12, the numbers are subscripts of the
// prefix. Otherwise, only every second, fifth or tenth category, and so on, has a number.
func NumberedAxis(n int, prefix string, reversed bool) Axis {
	every := 1
	for n/every > 12 {
		every *= 2
		if every == 4 || every == 40 {
			every += every / 4 // the steps are 1, 2, 5, 10, 20, 50
		}
	}
	names := make([]string, n)
	for i := range names {
		if n <= 12 || (i+1)%every == 0 {
			names[i] = strconv.Itoa(i + 1)
			if prefix != "" && n <= 12 {
				names[i] = prefix + "_{" + names[i] + "}"
			}
		}
	}
	if reversed {
		slices.Reverse(names)
	}
	return Axis{Categories: names}
}
