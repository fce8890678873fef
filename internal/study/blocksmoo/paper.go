package blocksmoo

// paperTable1 contains the paper's Table 1, on the air-quality data: purity, Γ and Δ of the fronts, by method in the
// order of swept. The paper does not state the rank r of these runs.
var paperTable1 = [][]float64{{purity: 0.6947, gamma: 0.4955, delta: 1.1785}, {purity: 0.5105, gamma: 0.2878, delta: 1.1549}}

// PublishedFront contains the paper's Table 1 values for a method's front: purity, the largest gap Γ and the spread
// Δ.
type PublishedFront struct{ Purity, Gamma, Delta float64 }

// Published returns the fronts of Block-SMOO and of the weighted sum in the paper's Table 1.
func Published() (ours, weightedSum PublishedFront) {
	of := func(row []float64) PublishedFront { return PublishedFront{row[purity], row[gamma], row[delta]} }
	return of(paperTable1[0]), of(paperTable1[1])
}
