// Package ordering visits the samples of a finite sum in random orders and in orders that balance
// gradients: if one sample pulls a run off course, the next ones pull it back. The stepper that
// follows an order accepts any weighting, any optimizer and PSMGD's period.
//
// References:
//   - "JoGBa: Joint Gradient Balancing for Data Ordering in Finite-Sum Multi-Objective
//     Optimization", whose algorithms, theorems and assumptions are cited by number.
//   - Lu, Guo & De Sa (2022), GraB: Finding provably better data permutations than random
//     reshuffling, NeurIPS 35.
package ordering
