package transport

import (
	"math"
	"math/bits"

	"paretoplay/algo"
)

// Exact solves the transport problem by the transportation simplex. Its basis is a spanning tree of n+m−1 cells of
// the plan, so a plan has at most n+m−1 non-zeros. The potentials of the tree determine which cell enters the tree
// (Dantzig 1951; Ahuja, Magnanti & Orlin 1993, Network Flows, chapter 11).
//
// Ties cannot cause cycles. Pivots use integer masses, perturbed so that no basis is degenerate (Charnes 1952). At
// the end, the solver puts the true masses on the tree. Every pivot lowers the cost, except pivots of columns
// without mass. Such a column has a single cell, so each of its pivots lowers its potential.
//
// A pivot updates only the part of the tree that moves. If all masses are equal, and the number of rows is at least
// 32 and equals the number of columns, Solve starts cold from an assignment of least cost. Pivots then only correct
// rounding errors. Begin instead fills its first plan row by row. If only one plan has the least cost, both end at
// this plan.
//
// A later call of the same shape starts from the tree of the last call, unless this tree gives negative masses. If
// several plans have the least cost, the call may find a different plan than a cold start. The search first compares
// costs relative to the largest cost. Next to costs of 1e12, which mark forbidden cells, this can hide the saving of
// a pivot. Therefore every search ends with a proof, in twice the digits if needed: the plan's cost may differ from
// the dual bound of the potentials only by rounding errors. Otherwise the pivots continue. If the digits do not
// suffice, the plan has not converged, and its Gap bounds the excess over the least cost.
type Exact struct {
	shape
	rows, cols int  // numbers of rows and columns of the tree: the larger and the smaller of n and m
	turned     bool // whether the rows of the tree are columns of the plan
	started    bool // whether the tree comes from an earlier call
	laid       bool // whether the masses of the task are on the tree

	task    *Task
	yielder *algo.Yielder
	// row is where the search for the next pivot continues. since counts the rows searched without success since the
	// last pivot; it is rows+1 once the plan is certified.
	row, since    int
	pivots, limit int

	// The root of the tree is a column. The parent of row i is column up[i]. The parent of column j is row over[j],
	// or −1 for the root.
	up, over []int
	root     int
	order    []int // columns, ancestors before descendants; scratch space unless arranged
	arranged bool  // whether order belongs to the current tree
	depth    []int // depth of each column, counted in columns
	head     []int // per column, the first of its child columns
	next     []int // per column, the next child of the same column
	branches branches
	matching assignment

	cost             []float64 // rows×cols, divided by 2^exponent
	u, v             []float64 // potentials of rows and columns
	least            bool      // whether u holds min_j C_ij − v_j of each row, for the current tree
	spare            []float64 // if least is true: how much worse the other cells of each row are than the tree's cells
	loaded           bool      // whether some of the rows counted by since were searched before Load
	w                []fine    // v in extended precision
	high             []float64 // high parts of w
	proved           bool      // whether gap belongs to the current tree
	gap              float64   // in units of the divided costs
	massRow, massCol []float64
	cells            []int     // per row of the plan, its first cell in the tree; (i, up[i]) is cell i, and (over[j], j) is cell rows + j
	nextCell         []int     // per cell, the next cell of the same row, from left to right
	carried          []float64 // per column, the total mass of its child rows
	wantRow, wantCol []int64   // perturbed masses
	flowRow, flowCol []int64   // flows on the cells (i, up[i]) and (over[j], j)
	haveCol          []int64
	payRow, payCol   []float64 // costs of the cells (i, up[i]) and (over[j], j)
}

// pivotLimit times rows+cols is the maximum number of pivots. Random problems need fewer than 3 times rows+cols, so
// the limit is only a safeguard.
const pivotLimit = 1000

// leastSparse is the minimum number of rows, and of columns, at which listing the tree's cells is faster than visiting
// all cells.
const leastSparse = 24

// guesses is the number of times that a cold start adjusts its potentials. It was tuned on random costs, as were
// the factors in guess.
const guesses = 4

// NewExact returns a solver whose first call starts cold.
func NewExact() *Exact { return &Exact{} }

var _ Iterative = (*Exact)(nil)

// SetYielder sets a yielder that Solve calls before it searches a row, and before every pivot.
func (e *Exact) SetYielder(b *algo.Yielder) { e.yielder = b }

// Forget makes the next call start cold.
func (e *Exact) Forget() { e.started = false }

// Save appends the tree, and the progress of the search for a better tree.
func (e *Exact) Save(to *algo.Snapshot) {
	to.PutBool(e.started)
	if !e.started {
		return
	}
	for _, i := range [...]int{e.n, e.m, e.row, e.since, e.pivots} {
		to.PutInt(i)
	}
	for _, j := range e.up {
		to.PutInt(j)
	}
	for _, i := range e.over {
		to.PutInt(i)
	}
}

// Load restores what Save appended. After a Begin with the same task, iterations continue as they would have
// continued after Save.
func (e *Exact) Load(from *algo.Snapshot) {
	e.started, e.laid, e.proved, e.least, e.loaded = from.GetBool(), false, false, false, true
	if !e.started {
		return
	}
	n := from.GetInt()
	e.resize(n, from.GetInt())
	e.row, e.since, e.pivots = from.GetInt(), from.GetInt(), from.GetInt()
	for i := range e.up {
		e.up[i] = from.GetInt()
	}
	for j := range e.over {
		e.over[j] = from.GetInt()
		if e.over[j] < 0 {
			e.root = j
		}
	}
}

// Solve stores an optimal plan in p, with potentials that prove it optimal. Iterations is the number of pivots. It
// is 0 if the starting tree is already optimal.
func (e *Exact) Solve(p *Plan, t *Task) error {
	if err := e.begin(t, e.startNear); err != nil {
		return err
	}
	e.improve(e.limit)
	e.Read(p)
	return nil
}

// Begin starts a task from the tree of the last call, or cold if there is no usable tree.
func (e *Exact) Begin(t *Task) error { return e.begin(t, e.start) }

// begin starts a task. If there is no usable tree, it calls cold to build one.
func (e *Exact) begin(t *Task, cold func()) error {
	largest, err := t.check()
	if err != nil {
		return err
	}
	if len(t.A) != e.n || len(t.B) != e.m {
		e.started = false
		e.resize(len(t.A), len(t.B))
	}
	e.task, e.proved, e.least, e.loaded = t, false, false, false
	e.take(t, largest)
	if !e.started || !e.restart() {
		cold()
	}
	e.started, e.laid = true, true
	e.row, e.since, e.pivots = 0, 0, 0
	e.limit = pivotLimit * (e.rows + e.cols)
	return nil
}

// Iterate performs one pivot if a pivot can lower the cost.
func (e *Exact) Iterate() {
	e.lay()
	e.improve(min(e.pivots+1, e.limit))
}

// Done reports whether a complete search has found no pivot that lowers the cost.
func (e *Exact) Done() bool { return e.since > e.rows }

// Read stores the current plan in p. The plan always meets the marginals.
func (e *Exact) Read(p *Plan) {
	e.lay()
	p.resize(e.n, e.m)
	p.Iterations, p.Converged = e.pivots, e.Done()
	e.read(p)
}

// lay puts the task's masses on a loaded tree.
func (e *Exact) lay() {
	if !e.laid {
		e.laid = true
		if !e.restart() {
			panic("transport: the snapshot belongs to another task")
		}
	}
}

func (e *Exact) resize(n, m int) {
	if n == e.n && m == e.m {
		return
	}
	e.shape.resize(n, m)
	e.turned = n < m
	e.rows, e.cols = max(n, m), min(n, m)
	e.up, e.over = make([]int, e.rows), make([]int, e.cols)
	e.order, e.depth = make([]int, e.cols), make([]int, e.cols)
	e.head, e.next = make([]int, e.cols), make([]int, e.cols)
	e.branches.resize(e.rows, e.cols)
	e.matching = assignment{}
	if n == m && n >= leastAssignment {
		e.matching.resize(n)
	}
	e.cost = make([]float64, n*m)
	e.u, e.v, e.w = make([]float64, e.rows), make([]float64, e.cols), make([]fine, e.cols)
	e.high, e.spare = make([]float64, e.cols), make([]float64, e.rows)
	e.massRow, e.massCol, e.carried = make([]float64, e.rows), make([]float64, e.cols), make([]float64, e.cols)
	e.cells, e.nextCell = make([]int, n), make([]int, n+m)
	e.wantRow, e.wantCol = make([]int64, e.rows), make([]int64, e.cols)
	e.payRow, e.payCol = make([]float64, e.rows), make([]float64, e.cols)
	e.flowRow, e.flowCol, e.haveCol = make([]int64, e.rows), make([]int64, e.cols), make([]int64, e.cols)
}

// take reads the task. It divides the costs by a power of two, and keeps the masses both as given and as perturbed
// integers.
func (e *Exact) take(t *Task, largest float64) {
	e.scaleTo(t, largest)
	down, downAgain := e.down, e.downAgain
	switch {
	case e.turned:
		for i := range e.n {
			for j, c := range t.Cost[i*e.m : (i+1)*e.m] {
				e.cost[j*e.cols+i] = c * down * downAgain
			}
		}
	case e.exponent == 0:
		copy(e.cost, t.Cost)
	default:
		cost := e.cost[:len(t.Cost)]
		for i, c := range t.Cost {
			cost[i] = c * down * downAgain
		}
	}
	e.massRow, e.massCol = t.A, e.balanced
	if e.turned {
		e.massRow, e.massCol = e.balanced, t.A
	}

	// Each mass is a multiple of rows+1. Add 1 to the mass of every row, and rows to the mass of one column. Then no
	// proper subset of rows and columns balances, apart from columns without mass. Sums stay below 2^62.
	perturbed := int64(e.rows + 1)
	units := float64(uint64(1) << min(52, 61-bits.Len64(uint64(perturbed))))
	var left int64
	for i, a := range e.massRow {
		w := int64(float64(a/e.total*units) + 0.5)
		left += w
		e.wantRow[i] = w*perturbed + 1
	}
	most := 0
	for j, b := range e.massCol {
		w := int64(float64(b/e.total*units) + 0.5)
		left -= w
		e.wantCol[j] = w * perturbed
		if b > e.massCol[most] {
			most = j
		}
	}
	e.wantCol[most] += left*perturbed + int64(e.rows)
}

// restart puts the masses on the tree of the last call. It returns false if a mass becomes negative.
func (e *Exact) restart() bool {
	e.arrange()
	clear(e.haveCol)
	for i, w := range e.wantRow {
		e.flowRow[i] = w
		e.haveCol[e.up[i]] += w
	}
	for k := e.cols - 1; k > 0; k-- {
		j := e.order[k]
		i := e.over[j]
		f := e.wantCol[j] - e.haveCol[j]
		e.flowCol[j] = f
		e.flowRow[i] -= f
		e.haveCol[e.up[i]] -= f
		if f < 0 {
			return false
		}
	}
	for _, f := range e.flowRow {
		if f < 0 {
			return false
		}
	}
	e.branches.grow(e.up, e.over)
	e.potentials()
	return true
}

// startNear starts from an assignment if possible, and otherwise calls start. After an assignment, the tree has the
// least cost except for rounding errors.
func (e *Exact) startNear() {
	if !e.assign() {
		e.start()
	}
}

// start builds a tree by filling the columns row by row. Each row uses, among the columns that are not full, the
// column with the least cost minus potential. The potentials are the estimates of guess. A row that fills a column
// becomes the column's parent, and the rest of the row's mass goes to another column.
func (e *Exact) start() {
	e.guess()
	room := e.haveCol
	copy(room, e.wantCol)
	for i, left := range e.wantRow {
		row := e.cost[i*e.cols : (i+1)*e.cols]
		for {
			best, least := -1, math.Inf(1)
			for j, c := range row {
				if c -= e.v[j]; c < least && room[j] > 0 {
					best, least = j, c
				}
			}
			if left < room[best] || left == room[best] && i == e.rows-1 {
				room[best] -= left
				e.up[i], e.flowRow[i] = best, left
				e.root = best // column of the last row
				break
			}
			e.over[best], e.flowCol[best] = i, room[best]
			left -= room[best]
			room[best] = 0
		}
	}
	for j, w := range e.wantCol {
		if w == 0 {
			e.over[j], e.flowCol[j] = 0, 0
		}
	}
	e.over[e.root] = -1
	e.arrange()
	e.branches.grow(e.up, e.over)
	e.potentials()
}

// guess estimates the potentials of the columns. It starts from 0, sends every row to its cheapest column, and
// adjusts each potential by the column's shortage. It repeats these two operations a few times. With many rows and
// few columns, only a sixth of the pivots then remain.
func (e *Exact) guess() {
	clear(e.v)
	if e.rows < 2*e.cols || e.cols == 1 {
		return
	}
	v := e.v
	var regret float64 // average extra cost if the rows had to use their second choice
	for k := range guesses {
		copy(e.carried, e.massCol)
		for i, a := range e.massRow {
			row := e.cost[i*e.cols : (i+1)*e.cols]
			row = row[:len(v)]
			best, least, second := 0, math.Inf(1), math.Inf(1)
			for j, c := range row {
				if c -= v[j]; c < least {
					best, least, second = j, c, least
				} else if c < second {
					second = c
				}
			}
			e.carried[best] -= a
			if k == 0 {
				regret += float64((second - least) * (a / e.total))
			}
		}
		step := 5 * regret / (1 + float64(0.3*float64(k)))
		for j, short := range e.carried {
			v[j] += float64(step * (short / e.total))
		}
	}
}

// arrange computes the order and the depths of the columns.
func (e *Exact) arrange() {
	e.arranged = true
	for j := range e.head {
		e.head[j] = -1
	}
	for j, i := range e.over {
		if i >= 0 {
			from := e.up[i]
			e.next[j] = e.head[from]
			e.head[from] = j
		}
	}
	e.order[0], e.depth[e.root] = e.root, 0
	found := 1
	for k := 0; k < found; k++ {
		from := e.order[k]
		for j := e.head[from]; j >= 0; j = e.next[j] {
			e.order[found], e.depth[j] = j, e.depth[from]+1
			found++
		}
	}
}

// potentials recomputes the columns' potentials, each from the column above it, so that errors do not accumulate
// over pivots. Row i has the potential C_ij − v_j with j = up[i].
func (e *Exact) potentials() {
	for i, j := range e.up {
		e.payRow[i] = e.cost[i*e.cols+j]
	}
	e.v[e.root] = 0
	for _, j := range e.order[1:] {
		i := e.over[j]
		e.payCol[j] = e.cost[i*e.cols+j]
		e.v[j] = e.payCol[j] - (e.payRow[i] - e.v[e.up[i]])
	}
}

// moved recomputes the depths and potentials of some columns and of all columns below them. The given columns come
// first in e.order, and the argument found is their number. arrange and potentials would give the same results.
func (e *Exact) moved(found int) {
	b, order := &e.branches, e.order
	for k := 0; k < found; k++ {
		j := order[k]
		i := e.over[j]
		from := e.up[i]
		e.depth[j] = e.depth[from] + 1
		e.v[j] = e.payCol[j] - (e.payRow[i] - e.v[from])
		for r := b.rows.first[j]; r >= 0; r = b.rows.next[r] {
			for c := b.columns.first[r]; c >= 0; c = b.columns.next[c] {
				order[found] = c
				found++
			}
		}
	}
}

// improve performs pivots until no cell would lower the cost by more than a rounding error, or until the total number
// of pivots reaches limit. It searches the rows in turn, and pivots on the cell that lowers the cost most in its row.
// At the end it certifies the plan, and performs pivots that very large costs have hidden.
func (e *Exact) improve(limit int) {
	slack := float64(-8 * float64(e.cols) * 0x1p-52)
	v := e.v
	for ; e.since < e.rows; e.since++ {
		e.yielder.Yield(e.cols)
		i := e.row
		row := e.cost[i*e.cols : (i+1)*e.cols]
		row = row[:len(v)]
		k := e.up[i]
		best, least := k, row[k]-v[k]
		bound := least + slack
		second := math.Inf(1) // least reduced cost outside the tree
		for j, c := range row {
			if d := c - v[j]; d < second {
				if d < least {
					best, least, second = j, d, least
				} else if j != best && e.over[j] != i {
					second = d
				}
			}
		}
		if least < bound {
			if e.pivots == limit {
				return
			}
			e.yielder.Yield(e.rows + e.cols)
			e.pivot(i, best)
			e.pivots++
			e.since, e.loaded = -1, false // this row may allow another pivot
		} else {
			e.u[i], e.spare[i] = least, second-least
			if best != k {
				e.spare[i] = 0
			}
		}
		if e.row++; e.row == e.rows {
			e.row = 0
		}
	}
	if e.since == e.rows {
		e.least = !e.loaded
	}
	e.polish(limit)
}

// pivot adds the cell (i, j) to the tree, which closes a cycle. The masses of every second cell on the cycle fall
// until one of them is 0. That cell leaves the tree.
func (e *Exact) pivot(i, j int) {
	e.least = false
	// Climb from both ends until the paths meet, in a row or in a column.
	least := int64(math.MaxInt64)
	leaving, isRow := 0, false
	meetRow, meetCol := -1, -1
	for x, y := i, j; ; {
		if k := e.up[x]; e.depth[k] >= e.depth[y] {
			if e.flowRow[x] < least {
				least, leaving, isRow = e.flowRow[x], x, true
			}
			if k == y {
				meetCol = k
				break
			}
			x = e.over[k]
			continue
		}
		if e.flowCol[y] < least {
			least, leaving, isRow = e.flowCol[y], y, false
		}
		s := e.over[y]
		if s == x {
			meetRow = x
			break
		}
		y = e.up[s]
	}
	for x := i; x != meetRow; {
		e.flowRow[x] -= least
		k := e.up[x]
		if k == meetCol {
			break
		}
		e.flowCol[k] += least
		x = e.over[k]
	}
	for y := j; y != meetCol; {
		e.flowCol[y] -= least
		s := e.over[y]
		if s == meetRow {
			break
		}
		e.flowRow[s] += least
		y = e.up[s]
	}

	// The part below the leaving cell is now below the new cell. The cells between them reverse their direction.
	e.arranged = false
	b := &e.branches
	found := 0
	if isRow {
		for x, onto, flow, pay := i, j, least, e.cost[i*e.cols+j]; ; {
			k, f, p := e.up[x], e.flowRow[x], e.payRow[x]
			b.turnRow(x, k, onto)
			e.up[x], e.flowRow[x], e.payRow[x] = onto, flow, pay
			if x == leaving {
				break
			}
			above := e.over[k]
			onto, flow, pay = k, e.flowCol[k], e.payCol[k]
			b.cut(k, above, e.up[above])
			b.hang(k, x, e.up[x])
			e.over[k], e.flowCol[k], e.payCol[k] = x, f, p
			x = above
		}
		for c := b.columns.first[i]; c >= 0; c = b.columns.next[c] {
			e.order[found] = c
			found++
		}
	} else {
		for y, onto, flow, pay := j, i, least, e.cost[i*e.cols+j]; ; {
			s, f, p := e.over[y], e.flowCol[y], e.payCol[y]
			b.cut(y, s, e.up[s])
			b.hang(y, onto, e.up[onto])
			e.over[y], e.flowCol[y], e.payCol[y] = onto, flow, pay
			if y == leaving {
				break
			}
			above := e.up[s]
			onto, flow, pay = s, e.flowRow[s], e.payRow[s]
			b.turnRow(s, above, y)
			e.up[s], e.flowRow[s], e.payRow[s] = y, f, p
			y = above
		}
		e.order[0], found = j, 1
	}
	e.moved(found)
}

// read puts the true masses on the tree, and stores the plan in p.
func (e *Exact) read(p *Plan) {
	if !e.arranged {
		e.arrange()
	}
	clear(p.Mass)
	clear(e.carried)
	at := func(i, j int) *float64 {
		if e.turned {
			return &p.Mass[j*e.m+i]
		}
		return &p.Mass[i*e.m+j]
	}
	for i, a := range e.massRow {
		*at(i, e.up[i]) = a
		e.carried[e.up[i]] += a
	}
	// Treat a mass as 0 if it is only a rounding error.
	rounding := float64(e.rows+e.cols) * 0x1p-52 * e.total
	for k := e.cols - 1; k > 0; k-- {
		j := e.order[k]
		i := e.over[j]
		f := max(0, e.massCol[j]-e.carried[j])
		if f <= rounding && f < e.massCol[j]/2 {
			f = 0
		}
		from := e.up[i]
		rest := at(i, from)
		if *rest-f <= min(rounding, f/2) {
			f = *rest
		}
		*at(i, j) = f
		*rest -= f
		e.carried[from] -= f
	}

	u, v := p.U, p.V
	if e.turned {
		u, v = v, u
	}
	copy(v, e.v)
	rows := e.u
	if !e.least {
		for i := range rows {
			row := e.cost[i*e.cols : (i+1)*e.cols][:len(v)]
			least := row[0] - v[0]
			for j, c := range row {
				if c -= v[j]; c < least { // much faster than the built-in min
					least = c
				}
			}
			rows[i] = least
		}
	}
	copy(u, rows)
	e.finishTree(p)
	e.prove(p, rows)
}

// finishTree does the same as finish for a plan that has mass only in cells of the tree.
func (e *Exact) finishTree(p *Plan) {
	if min(e.rows, e.cols) < leastSparse {
		e.finish(p, e.task)
		return
	}
	e.center(p)
	for i := range e.cells {
		e.cells[i] = -1
	}
	push := func(i, cell int) { e.nextCell[cell], e.cells[i] = e.cells[i], cell }
	column := func(cell int) int {
		switch {
		case cell < e.rows && e.turned:
			return cell
		case cell < e.rows:
			return e.up[cell]
		case e.turned:
			return e.over[cell-e.rows]
		}
		return cell - e.rows
	}
	insert := func(i, cell int) {
		at, j := &e.cells[i], column(cell)
		for *at >= 0 && column(*at) < j {
			at = &e.nextCell[*at]
		}
		e.nextCell[cell], *at = *at, cell
	}
	if e.turned {
		for i := e.rows - 1; i >= 0; i-- {
			push(e.up[i], i)
		}
		for j, i := range e.over {
			if i >= 0 {
				insert(j, e.rows+j)
			}
		}
	} else {
		for j := e.cols - 1; j >= 0; j-- {
			if i := e.over[j]; i >= 0 {
				push(i, e.rows+j)
			}
		}
		for i := range e.up {
			insert(i, i)
		}
	}
	e.clearSums(p)
	for i, cell := range e.cells {
		var sum float64
		for ; cell >= 0; cell = e.nextCell[cell] {
			j := column(cell)
			if mass := p.Mass[i*e.m+j]; mass > 0 {
				e.add(p, mass, e.task.Cost[i*e.m+j])
				sum += mass
				e.sumCol[j] += mass
			}
		}
		p.MarginalError += math.Abs(sum - e.task.A[i])
	}
	e.compare(p, e.task)
}
