package problem

// Work returns how many multiplications, each with its addition, coordinates lo to hi−1 of the gradient of objective
// k take on a batch of the given size. The count omits terms that do not grow with the batch or with d. For batch
// size b, the forward pass to the errors takes d·r + b·d. The backward pass to g takes b for each row of U with an
// entry in the range, or b·d if the range has entries of V_k. Each entry of U takes 1 more, and each entry of V_k
// takes d more.
//
// With KeepProduct, entries of V_k take b·r for the errors and b each. If kept is false, X·U is not available from
// the previous gradient and takes b·d·r more. Entries of V outside column k take no multiplications.
func (p *ReducedRank) Work(batch, k, lo, hi int, kept bool) int {
	d, r := p.data.features, p.rank
	a := p.part(lo, hi)
	from, to := p.rows(a, k)
	work, rows := a.u, a.to-a.from
	switch {
	case from == to:
	case p.keep:
		if !kept {
			work += batch * d * r
		}
		work += batch * (r + to - from)
	default:
		work += (to - from) * d
		rows = d
	}
	if rows > 0 {
		work += d*r + batch*(d+rows)
	}
	return work
}

// WeightedWork is like Work, but for the gradient of a weighted sum of all objectives. The forward pass takes b·d·r +
// b·r·q. The backward pass takes r·(b·q + b for each row of U with an entry in the range), and b·q for each row of V.
// With KeepProduct, if kept is true, a range in V alone does not need b·d·r.
func (p *ReducedRank) WeightedWork(batch, lo, hi int, kept bool) int {
	d, q, r := p.data.features, p.data.responses, p.rank
	a := p.part(lo, hi)
	work := batch * r * q
	if !(p.keep && kept && a.u == 0) {
		work += batch * d * r
	}
	if a.u > 0 {
		work += batch * r * (q + a.to - a.from)
	}
	from, to := p.weightedRows(a)
	return work + batch*q*(to-from)
}
