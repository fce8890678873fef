// Package survey examines a problem with few variables. It finds where the problem is Pareto-critical, and
// approximates its Pareto front.
//
// The work is divided into small pieces, so that a program stays responsive. The points of the approximate front are
// Pareto-critical, and none dominates another. With two objectives, neighbours are one to three hundredths of the
// front's range apart. The survey misses parts of the front that no start point leads to.
//
// Walks along the front require smooth objectives. With two objectives, a bundle method then searches the ends and
// the remaining gaps, and also finds fronts along kinks. With more objectives there is no such search, and the survey
// misses fronts along kinks.
//
// References:
//   - Kerschke & Grimme (2017), An Expedition to Multimodal Multi-objective Optimization Landscapes, EMO: pictures of
//     critical sets, from the length of the sum of normalised gradients.
//   - Hillermeier (2001), Nonlinear Multiobjective Optimization: A Generalized Homotopy Approach, Birkhäuser:
//     fronts by continuation.
//   - Pascoletti & Serafini (1984), Scalarizing vector optimization problems, Journal of Optimization Theory and
//     Applications 42: points of a front between two others.
//   - Schramm & Zowe (1992), A version of the bundle idea for minimizing a nonsmooth function, SIAM Journal on
//     Optimization 2.
package survey
