package transport

import "math"

const (
	// leastAssignment is the minimum number of rows at which a cold start from an assignment is faster than pivots
	// alone.
	leastAssignment = 32
	// nearest is the maximum number of columns in a row's list.
	nearest = 64
	// takings is the maximum average number of columns that a row takes in one round of competition.
	takings = 20
)

// raises contains one factor per round. A row that takes a column lowers the column's price by the difference between
// the row's two best columns. The price also falls by the factor times the average of these differences at the start.
// The numbers were tuned on random costs and on distances between random points.
var raises = [...]float64{2, 0.2}

// assignment solves tasks with equal masses and equally many rows and columns, by assigning a different column to
// each row. It first lowers the prices of columns for which rows compete. It then assigns each remaining row along
// a shortest path, on which other rows change columns (Jonker & Volgenant 1987, A shortest augmenting path
// algorithm for dense and sparse linear assignment problems, Computing 38).
//
// The distance of a column from a row is the cost minus the price. Prices only fall, so distances only rise. Each
// row therefore keeps a list of its nearest columns. The list is sufficient while its best column is nearer than
// the unlisted columns were when the list was built.
type assignment struct {
	n            int
	colOf, rowOf []int // column of each row, row of each column; −1 if there is none
	free         []int // rows without a column

	near   []int32   // n lists of columns
	cost   []float64 // costs of the listed cells
	length []int     // lengths of the lists
	others []float64 // per row: the least distance of unlisted columns when the list was built; −∞ if there is no list

	// These fields hold the state of the search for a shortest path.
	distance []float64 // distance of each column; ∞ if not reached
	from     []int     // the row before each column on its shortest path
	reached  []int     // reached columns
	heap     []int     // reached columns whose distance is not final: a binary heap with the nearest column first
	place    []int     // position of each column in the heap; −1 after its removal
	looked   []look    // visited rows
}

// look is a visited row. The distance of a column is its cost minus its price minus base. For columns outside the
// row's list, this distance is at least limit.
type look struct {
	i           int
	base, limit float64
	renewed     bool
}

func (a *assignment) resize(n int) {
	*a = assignment{
		n: n, colOf: make([]int, n), rowOf: make([]int, n), free: make([]int, n), near: make([]int32, n*nearest),
		cost: make([]float64, n*nearest), length: make([]int, n), others: make([]float64, n), distance: make([]float64, n),
		from: make([]int, n), reached: make([]int, 0, n), heap: make([]int, 0, n), place: make([]int, n), looked: make([]look, 0, n),
	}
	for j := range a.distance {
		a.distance[j] = math.Inf(1)
	}
}

// assign computes an assignment of least cost and builds a tree of least cost from it. It reports whether the
// masses allow this. The perturbations of all masses go to one column, each along a shortest path by reduced costs.
// The tree consists of the assignment and the cells of these paths.
func (e *Exact) assign() bool {
	if e.matching.n != e.rows {
		return false
	}
	to := 0 // the column that receives the perturbations
	for j, w := range e.wantCol {
		if w > e.wantCol[to] {
			to = j
		}
	}
	for i, w := range e.wantRow {
		if w != e.wantRow[0] || w <= e.wantCol[i] && i != to {
			return false
		}
	}
	e.compete()
	for _, i := range e.matching.free {
		e.augment(i)
	}
	e.spread(to)
	return e.restart()
}

// compete lets the rows compete for columns. It first sets the price v of each column to the cost of its cheapest row.
// Then each row without a column takes its best column, even if another row owns it, and lowers this column's price
// until the second best column is equally good. The first rounds lower the price further, by less in each round, so
// that the prices soon become approximately right (Bertsekas 1988, The auction algorithm, Annals of Operations Research
// 14).
func (e *Exact) compete() {
	a, v, m := &e.matching, e.v, e.cols
	for j := range v {
		v[j] = math.Inf(1)
	}
	for i := range e.rows {
		e.yielder.Yield(m)
		a.others[i] = math.Inf(-1)
		row := e.cost[i*m : (i+1)*m][:len(v)]
		for j, c := range row {
			if c < v[j] {
				v[j] = c
			}
		}
	}
	var step float64
	for i := range e.rows {
		_, _, worse := e.cheapest(i)
		step += worse / float64(m)
	}
	if step > 0 {
		for _, raise := range raises {
			e.round(float64(raise * step))
		}
	}
	e.round(0)
}

// round lets all rows compete for the columns again, starting at the current prices. It lists the rows that end
// without a column.
func (e *Exact) round(raise float64) {
	a, v, m := &e.matching, e.v, e.cols
	a.free = a.free[:0]
	for i := m - 1; i >= 0; i-- {
		a.colOf[i], a.rowOf[i] = -1, -1
		a.free = append(a.free, i)
	}
	left := 0 // rows whose two best columns are equally good and both taken
	for budget := takings * m; len(a.free) > left && budget > 0; budget-- {
		last := len(a.free) - 1
		i := a.free[last]
		best, next, worse := e.cheapest(i)
		lower := v[best] - worse - raise
		if lower == v[best] {
			if a.rowOf[best] >= 0 {
				best = next
			}
			if a.rowOf[best] >= 0 {
				a.free[last], a.free[left] = a.free[left], i
				left++
				continue
			}
		}
		if best != next {
			v[best] = lower
		}
		a.free = a.free[:last]
		if taken := a.rowOf[best]; taken >= 0 {
			a.colOf[taken] = -1
			a.free = append(a.free, taken)
		}
		a.rowOf[best], a.colOf[i] = i, best
	}
}

// cheapest returns the two best columns for row i, and how much worse the second is. It moves both to the front of
// the row's list, because the next search will probably find them again.
func (e *Exact) cheapest(i int) (best, next int, worse float64) {
	a, v := &e.matching, e.v
	for ; ; e.list(i) {
		if math.IsInf(a.others[i], -1) {
			continue
		}
		e.yielder.Yield(a.length[i])
		near := a.near[i*nearest:][:a.length[i]]
		costs := a.cost[i*nearest:][:len(near)]
		first, other := 0, 1
		least, second := costs[0]-v[near[0]], costs[1]-v[near[1]]
		if second < least {
			first, other, least, second = 1, 0, second, least
		}
		for k, j := range near[2:] {
			if d := costs[2+k] - v[j]; d < second {
				other, second = 2+k, d
				if d < least {
					first, other, least, second = other, first, second, least
				}
			}
		}
		if second > a.others[i] {
			continue
		}
		near[0], near[first] = near[first], near[0]
		costs[0], costs[first] = costs[first], costs[0]
		if other == 0 {
			other = first
		}
		near[1], near[other] = near[other], near[1]
		costs[1], costs[other] = costs[other], costs[1]
		return int(near[0]), int(near[1]), second - least
	}
}

// list lists the columns that are currently nearest to row i.
func (e *Exact) list(i int) {
	a, v, m := &e.matching, e.v, e.cols
	e.yielder.Yield(m)
	row := e.cost[i*m : (i+1)*m][:len(v)]
	near, costs := a.near[i*nearest:][:nearest], a.cost[i*nearest:][:nearest]
	// In a sample of every eighth column, the second best is about the 16th best of all columns. With many columns, the
	// lists must be longer.
	apart := 8 + m/250
	least, bound := math.Inf(1), math.Inf(1)
	for j := i % apart; j < m; j += apart {
		if d := row[j] - v[j]; d < least {
			least, bound = d, least
		} else if d < bound {
			bound = d
		}
	}
	found := 0
	for j, c := range row {
		if d := c - v[j]; d <= bound {
			if found == nearest {
				e.listFewer(i)
				return
			}
			near[found], costs[found] = int32(j), c
			found++
		}
	}
	a.length[i], a.others[i] = found, bound
}

// listFewer does the same as list if a sample of columns gives no bound on the distances of the nearest columns.
func (e *Exact) listFewer(i int) {
	const few = nearest / 4
	a, v, m := &e.matching, e.v, e.cols
	var d [few + 1]float64
	var at [few + 1]int
	for k := range d {
		d[k] = math.Inf(1)
	}
	row := e.cost[i*m : (i+1)*m][:len(v)]
	for j, c := range row {
		if c -= v[j]; c < d[few] {
			k := few
			for ; k > 0 && c < d[k-1]; k-- {
				d[k], at[k] = d[k-1], at[k-1]
			}
			d[k], at[k] = c, j
		}
	}
	for k, j := range at[:few] {
		a.near[i*nearest+k], a.cost[i*nearest+k] = int32(j), row[j]
	}
	a.length[i], a.others[i] = few, d[few]
}

// augment assigns a column to row start along a shortest path, on which other rows change columns.
func (e *Exact) augment(start int) {
	a, v := &e.matching, e.v
	a.looked, a.heap, a.reached = a.looked[:0], a.heap[:0], a.reached[:0]
	limit := e.look(start, 0)
	end := -1
	for end < 0 {
		for len(a.heap) == 0 || a.distance[a.heap[0]] > limit {
			limit = e.lookAgain()
		}
		j := a.pop()
		if i := a.rowOf[j]; i >= 0 {
			limit = min(limit, e.look(i, e.cost[i*e.cols+j]-v[j]-a.distance[j]))
		} else {
			end = j
		}
	}
	length := a.distance[end]
	for _, j := range a.reached {
		if a.place[j] < 0 {
			v[j] += a.distance[j] - length
		}
		a.distance[j] = math.Inf(1)
	}
	for j := end; ; {
		i := a.from[j]
		a.rowOf[j] = i
		j, a.colOf[i] = a.colOf[i], j
		if i == start {
			return
		}
	}
}

// look extends the search from row i to the columns in its list. It returns a lower bound on the distances of the
// unlisted columns.
func (e *Exact) look(i int, base float64) float64 {
	a := &e.matching
	e.yielder.Yield(a.length[i])
	renewed := false
	if math.IsInf(a.others[i], -1) {
		e.list(i)
		renewed = true
	}
	for k, j := range a.near[i*nearest:][:a.length[i]] {
		a.arrive(int(j), i, a.cost[i*nearest+k]-e.v[j]-base)
	}
	a.looked = append(a.looked, look{i, base, a.others[i] - base, renewed})
	return a.others[i] - base
}

// lookAgain extends the search from the row whose unlisted columns may be nearest. The first time, it renews the row's
// list; the next time, it visits all columns. It returns a lower bound on the distances of unvisited columns.
func (e *Exact) lookAgain() float64 {
	a := &e.matching
	at := 0
	for k := range a.looked {
		if a.looked[k].limit < a.looked[at].limit {
			at = k
		}
	}
	l := &a.looked[at]
	if !l.renewed {
		e.list(l.i)
		l.renewed, l.limit = true, a.others[l.i]-l.base
		for k, j := range a.near[l.i*nearest:][:a.length[l.i]] {
			a.arrive(int(j), l.i, a.cost[l.i*nearest+k]-e.v[j]-l.base)
		}
	} else {
		e.yielder.Yield(e.cols)
		l.limit = math.Inf(1)
		for j, c := range e.cost[l.i*e.cols : (l.i+1)*e.cols] {
			a.arrive(j, l.i, c-e.v[j]-l.base)
		}
	}
	limit := math.Inf(1)
	for k := range a.looked {
		limit = min(limit, a.looked[k].limit)
	}
	return limit
}

// arrive records that column j can be reached from row i at the given distance.
func (a *assignment) arrive(j, i int, distance float64) {
	if distance >= a.distance[j] {
		return
	}
	k := len(a.heap)
	if math.IsInf(a.distance[j], 1) {
		a.reached = append(a.reached, j)
		a.heap = append(a.heap, j)
	} else if k = a.place[j]; k < 0 {
		return
	}
	a.distance[j], a.from[j] = distance, i
	for k > 0 {
		above := (k - 1) / 2
		x := a.heap[above]
		if a.distance[x] <= distance {
			break
		}
		a.heap[k], a.place[x] = x, k
		k = above
	}
	a.heap[k], a.place[j] = j, k
}

// pop removes the nearest column from the heap, and returns it.
func (a *assignment) pop() int {
	h := a.heap[:len(a.heap)-1]
	top, last := a.heap[0], a.heap[len(h)]
	a.heap, a.place[top] = h, -1
	if len(h) == 0 {
		return top
	}
	k := 0
	for below := 1; below < len(h); below = 2*k + 1 {
		if below+1 < len(h) && a.distance[h[below+1]] < a.distance[h[below]] {
			below++
		}
		x := h[below]
		if a.distance[last] <= a.distance[x] {
			break
		}
		h[k], a.place[x] = x, k
		k = below
	}
	h[k], a.place[last] = last, k
	return top
}

// spread extends the assignment to a tree, by shortest paths from all other rows to the given column.
func (e *Exact) spread(to int) {
	a, v, m := &e.matching, e.v, e.cols
	for i, j := range a.colOf {
		e.over[j] = i
		e.u[i] = e.cost[i*m+j] - v[j]
		a.distance[i] = math.Inf(1)
	}
	i := a.rowOf[to]
	e.root, e.over[to], e.up[i] = to, -1, to
	open := a.from
	at := 0
	for k := range open {
		open[k] = k
		if k == i {
			at = k
		}
	}
	for total := 0.0; ; {
		open[at] = open[len(open)-1]
		open = open[:len(open)-1]
		if len(open) == 0 {
			break
		}
		e.yielder.Yield(m)
		j := a.colOf[i]
		base := total - v[j]
		least := math.Inf(1)
		for k, x := range open {
			d := e.cost[x*m+j] - e.u[x] + base
			if d < a.distance[x] {
				a.distance[x], e.up[x] = d, j
			} else {
				d = a.distance[x]
			}
			if d < least {
				at, least = k, d
			}
		}
		i, total = open[at], least
	}
	for k := range a.distance {
		a.distance[k] = math.Inf(1)
	}
}
