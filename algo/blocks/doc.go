// Package blocks alternates: every step moves one block of the variables down the
// gradient of one objective. The objectives are weighed by how often each has its turn.
// The same stepper, with one block or with all objectives together, is stochastic
// gradient descent on their weighted sum, alternation of functions and block coordinate
// descent.
//
// Throughout, there are n variables, s blocks and q objectives; m_k is how often
// objective k has its turn, p = Σ m_k, and F_m = Σ (m_k/p)·f_k.
//
// Tran & Vicente (2026), Stochastic block coordinate and function alternation for
// multi-objective optimization and learning (Block-SMOO), arXiv:2605.12432.
package blocks
