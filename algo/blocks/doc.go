// Package blocks implements alternation: every step moves one block of the variables along the negative gradient of
// one objective. How often an objective has a turn acts as its weight. With one block, the stepper becomes
// alternation of functions. With all objectives together, it becomes block coordinate descent. With both, it
// becomes stochastic gradient descent on the weighted sum.
//
// Throughout, n is the number of variables, s the number of blocks and q the number of objectives. m_k is the frequency
// of objective k, p = Σ m_k, and F_m = Σ (m_k/p)·f_k.
//
// Tran & Vicente (2026), Stochastic block coordinate and function alternation for
// multi-objective optimization and learning (Block-SMOO), arXiv:2605.12432.
package blocks
