package blocksmoo

// paperTable1 is the paper's Table 1, on the air-quality data: purity, Γ and Δ of the fronts,
// by method as swept has them. It does not say which r it has.
var paperTable1 = [][]float64{{purity: 0.6947, gamma: 0.4955, delta: 1.1785}, {purity: 0.5105, gamma: 0.2878, delta: 1.1549}}
