// Package ordering visits the samples of a finite sum in random orders or in orders that balance gradients. In a
// balanced order the next samples correct the deviation that one sample causes. The stepper Descent accepts any
// weighting, any optimizer and PSMGD's period.
//
// References:
//   - "JoGBa: Joint Gradient Balancing for Data Ordering in Finite-Sum Multi-Objective Optimization", the source of
//     the algorithms, theorems and assumptions that are cited by number.
//   - Lu, Guo & De Sa (2022), GraB: Finding provably better data permutations than random
//     reshuffling, NeurIPS 35.
package ordering
