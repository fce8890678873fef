package blocksmoo

// paperTable1 is the paper's Table 1, on the air-quality data: purity, Γ and Δ of the fronts,
// by method as swept has them. It does not say which r it has.
var paperTable1 = [][3]float64{{0.6947, 0.4955, 1.1785}, {0.5105, 0.2878, 1.1549}}
