// Package survey examines a problem of few variables: where it is Pareto-critical, and an approximation of its Pareto front.
//
// Both are computed in small pieces, so that a program stays responsive. The front is an approximation: its points
// are Pareto-critical and none dominates another. With two objectives, neighbours are one to three hundredths of the
// front's range apart. Parts of the front that no start point leads to are missed.
//
// Walks along the front are for smooth objectives. With two objectives, a bundle method then searches the ends, and
// the gaps that walks leave; it finds fronts along kinks too. With more objectives, such parts are missed.
//
// References:
//   - Kerschke & Grimme (2017), An Expedition to Multimodal Multi-objective Optimization Landscapes, EMO:
//     the length of the sum of normalised gradients as a picture of critical sets.
//   - Hillermeier (2001), Nonlinear Multiobjective Optimization: A Generalized Homotopy Approach, Birkhäuser:
//     fronts by continuation.
//   - Pascoletti & Serafini (1984), Scalarizing vector optimization problems, Journal of Optimization Theory and
//     Applications 42: points of a front between two others.
//   - Schramm & Zowe (1992), A version of the bundle idea for minimizing a nonsmooth function, SIAM Journal on
//     Optimization 2.
package survey
