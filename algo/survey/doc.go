// Package survey looks over a smooth problem of few variables: where it is Pareto-critical, and an
// approximation of its Pareto front.
//
// Both come in small pieces, so that a program stays alive meanwhile. The front is an approximation: its points
// are Pareto-critical, none dominates another, and neighbours are about a hundredth of the front's range apart
// where there are two objectives. A part of the front to which no point of the start leads is missed.
//
// References:
//   - Kerschke & Grimme (2017), An Expedition to Multimodal Multi-objective Optimization Landscapes, EMO:
//     the length of the sum of normalised gradients as a picture of critical sets.
//   - Hillermeier (2001), Nonlinear Multiobjective Optimization: A Generalized Homotopy Approach, Birkhäuser:
//     fronts by continuation.
package survey
