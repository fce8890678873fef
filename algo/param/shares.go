package param

import (
	"fmt"
	"math"
	"slices"
)

// Shares returns the n entries of a Simplex. An empty value means equal shares. The caller may modify the result.
func Shares(value []float64, n int) []float64 {
	if len(value) > 0 {
		return slices.Clone(value)
	}
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = 1 / float64(n)
	}
	return shares
}

// Frequencies returns the n whole numbers of a Simplex. An empty value means that all are 1. The caller may modify
// the result.
func Frequencies(value []int, n int) []int {
	if len(value) > 0 {
		return slices.Clone(value)
	}
	return slices.Repeat([]int{1}, n)
}

// FormatFrequencies returns whole numbers in the text form of a Simplex.
func FormatFrequencies(frequencies []int) string { return format(frequencies) }

// FormatShares returns shares in the text form of a Simplex.
func FormatShares(shares []float64) string { return formatRow(shares) }

// WithShare returns shares with shares[at] set to value, rounded to a ten-thousandth and limited so that no other share
// falls below least. The others keep the proportions of their amounts above least. If they all equal least, they share
// the remainder equally. All shares are multiples of a small unit, which keeps texts short and the sum at 1. The page's
// sliders do the same.
func WithShare(shares []float64, at int, value, least float64) []float64 {
	const fine = 1e4
	n, parts := len(shares), 1e6
	if n > 12 {
		parts = 1e9
	}
	if n == 1 {
		return []float64{1}
	}
	free := 1 - float64(float64(n)*least)
	own := min(max(math.Round(value*fine)/fine-least, 0), free)
	var others float64
	for i, s := range shares {
		if i != at {
			others += max(s-least, 0)
		}
	}
	out, rest, largest := make([]float64, n), parts, -1
	for i, s := range shares {
		above := own
		if i != at {
			above = (free - own) / float64(n-1)
			if others > 0 {
				above = (free - own) * max(s-least, 0) / others
			}
		}
		out[i] = math.Round((above + least) * parts)
		rest -= out[i]
		if i != at && (largest < 0 || out[i] > out[largest]) {
			largest = i
		}
	}
	out[largest] += rest // the largest share, because its relative change is smallest
	for i := range out {
		out[i] /= parts
	}
	return out
}

// counts calls f for every Simplex whose number of entries differs from the value of its Count.
func (l *List) counts(f func(e *entry, misfit string, count int)) {
	for i := range l.entries {
		e := &l.entries[i]
		if e.Kind != Simplex || e.Count == "" {
			continue
		}
		count, ok := l.Value(e.Count).(int)
		if !ok {
			panic("param: " + e.Name + " takes its number of shares from " + e.Count + ", which is not a bound Integer")
		}
		has, what := 0, "shares"
		switch v := e.get().(type) {
		case []float64:
			has = len(v)
		case []int:
			has, what = len(v), "whole numbers"
		}
		if has > 0 && has != count {
			f(e, fmt.Sprintf("%s has %d %s, but %s = %d needs %d", e.Name, has, what, e.Count, count, count), count)
		}
	}
}

// Check verifies the conditions that involve several parameters. Assign cannot verify them, because it sets one
// parameter at a time. Check returns an error for the first Simplex whose number of entries differs from its Count, or
// for the first failed check added by Require.
func (l *List) Check() (err error) {
	l.counts(func(e *entry, misfit string, _ int) {
		switch {
		case err != nil:
		case e.Whole():
			err = fmt.Errorf("%s; leave it empty to set all to 1", misfit)
		default:
			err = fmt.Errorf("%s; leave it empty for equal shares", misfit)
		}
	})
	for _, sound := range l.together {
		if err == nil {
			err = sound()
		}
	}
	return err
}

// Fit changes the number of entries of every Simplex to the value of its Count, and returns a notice for the visitor
// for each change. If there are too many shares, it keeps the first ones, in their proportions. If there are too few,
// each new share is 1 divided by the new number of shares, and the others keep their proportions. Whole numbers do not
// change; new ones are 1. Fit skips parameters named in except.
func (l *List) Fit(except ...string) (notices []string) {
	l.counts(func(e *entry, misfit string, count int) {
		if slices.Contains(except, e.Name) {
			return
		}
		var fitted any
		var what string
		if e.Whole() {
			fitted, what = fitWhole(e.get().([]int), count)
		} else {
			fitted, what = e.fit(e.get().([]float64), count)
		}
		e.set(fitted)
		notices = append(notices, misfit+": "+what)
	})
	return notices
}

func fitWhole(numbers []int, count int) (fitted []int, what string) {
	if missing := count - len(numbers); missing > 0 {
		return append(slices.Clone(numbers), Frequencies(nil, missing)...), "the new ones are 1"
	}
	fitted = slices.Clone(numbers[:count])
	if slices.Max(fitted) == 0 {
		return []int{}, "all are now 1"
	}
	return fitted, fmt.Sprintf("the first %d are kept", count)
}

func (d *Descriptor) fit(shares []float64, count int) (fitted []float64, what string) {
	const equal = "all are now equal"
	if count > len(shares) {
		fitted = make([]float64, count)
		for i := range fitted {
			fitted[i] = 1 / float64(count)
			if i < len(shares) {
				fitted[i] = shares[i] * float64(len(shares)) / float64(count)
			}
		}
		what = "the new ones are equal shares"
	} else {
		fitted = slices.Clone(shares[:count])
		what = fmt.Sprintf("the first %d are kept, in proportion", count)
	}
	var sum float64
	for _, f := range fitted {
		sum += f
	}
	if sum <= 0 || 1-float64(float64(count)*d.Min) <= 0 {
		return []float64{}, equal
	}
	for i := range fitted {
		fitted[i] /= sum
	}
	return d.raised(fitted), what
}
