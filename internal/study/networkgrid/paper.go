package networkgrid

import "math"

// Tables in the paper, as means over three seeds.
var (
	// paperTable2 contains Δm% on QM9 with eleven tasks, by method. Table 7 lists the same values for equal weights,
	// MGDA and PSMGD.
	paperTable2 = map[string]float64{
		equal: 177.6, "rlw": 203.8, "uw": 108.0, mgda: 120.5, "cagrad": 112.8, "nashmtl": 62.0, "famo": 58.5, psmgd: 92.4,
	}
	// paperTable6 contains Δm% on CelebA with forty tasks, by method.
	paperTable6 = map[string]float64{
		equal: 4.15, "rlw": 1.46, "uw": 3.23, mgda: 14.85, "cagrad": 2.48, "nashmtl": 2.84, "famo": 1.21, psmgd: 2.60,
	}
	// paperTable3 contains the minutes per epoch on QM9, by method.
	paperTable3 = map[string]float64{
		equal: 1.70, mgda: 12.94, "cagrad": 5.29, "famo": 1.96, "nashmtl": 8.45, psmgd: 2.23,
	}
	// paperTable7 contains PSMGD's Δm% and minutes per epoch on QM9, by R.
	paperTable7 = map[int]struct{ loss, minutes float64 }{4: {88.2, 2.61}, 8: {92.4, 2.23}, 16: {109.7, 2.13}, 32: {116.2, 2.07}}
)

// PublishedLoss returns a method's Δm% (lower is better) from the paper: for eleven tasks on QM9 (Table 2), and for
// forty tasks on CelebA (Table 6). It returns NaN for values that the tables lack.
func PublishedLoss(tasks int, method string) float64 {
	return known(map[int]map[string]float64{11: paperTable2, 40: paperTable6}[tasks], method)
}

// PublishedMinutes returns a method's minutes per epoch on QM9 from the paper's Table 3, or NaN for methods that the
// table lacks.
func PublishedMinutes(method string) float64 { return known(paperTable3, method) }

// known returns an entry of a table, or NaN if the entry is missing.
func known(table map[string]float64, method string) float64 {
	if v, has := table[method]; has {
		return v
	}
	return math.NaN()
}

// PublishedPeriod returns PSMGD's Δm% and minutes per epoch on QM9 with R = 4, 8, 16 or 32 from the paper's Table 7,
// or NaN for other R.
func PublishedPeriod(r int) (loss, minutes float64) {
	if row, has := paperTable7[r]; has {
		return row.loss, row.minutes
	}
	return math.NaN(), math.NaN()
}
