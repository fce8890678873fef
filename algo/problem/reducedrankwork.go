package problem

// Work returns how many multiplications, each with its addition, the stretch from lo to hi of the gradient
// of objective k takes on a batch of the given size, by formula: terms that do not grow with the batch or
// with d are left out. With b the batch, forward to the errors are d·r + b·d, and back to g another b for
// each row of U that has some of the stretch, or b·d where the stretch has some of V_k; each entry of U
// takes 1 more, and each of V_k d.
//
// Where products are kept, entries of V_k take b·r for the errors and b each, and b·d·r before, unless
// kept says that X·U is left from the gradient before. An entry of V outside column k takes nothing.
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

// WeightedWork is Work for the gradient of a weighted sum of all objectives. Forward are b·d·r and b·r·q;
// back are r·(b·q + b for each row of U that has some of the stretch), and b·q for each row of V.
// Where products are kept, b·d·r falls away for a stretch of V alone if kept says so.
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
