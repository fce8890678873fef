// Package blocks alternates: every step moves one block of the variables along the negative
// gradient of one objective. The frequencies of the objectives' turns act as their weights. With
// one block, with all objectives together, or with both, the same stepper is alternation of
// functions, block coordinate descent, or stochastic gradient descent on the weighted sum.
//
// Throughout, there are n variables, s blocks and q objectives; m_k is the frequency of objective
// k, p = Σ m_k, and F_m = Σ (m_k/p)·f_k.
//
// Tran & Vicente (2026), Stochastic block coordinate and function alternation for
// multi-objective optimization and learning (Block-SMOO), arXiv:2605.12432.
package blocks
