// Package survey looks over a problem of few variables: where it is Pareto-critical, and an approximation of its
// Pareto front.
//
// Both come in small pieces, so that a program stays alive meanwhile. The front is an approximation: its points
// are Pareto-critical, none dominates another, and neighbours are one to three hundredths of the front's range apart
// where there are two objectives. A part of the front to which no point of the start leads is missed.
//
// Walks along the front are for smooth objectives. Of two objectives, ends and gaps that they leave are searched by a
// bundle method, which finds fronts along kinks too; of more, such parts are missed.
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
