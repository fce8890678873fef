package survey

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
)

// Grid contains the values of a problem with one or two variables at the nodes of a rectangle. With one variable
// there is one row.
type Grid struct {
	Nodes  int       // number of nodes in each direction
	Rows   int       // Nodes, or 1 if there is one variable
	Values []float64 // m objectives per node, row by row, starting at the lowest value of the second variable
	// Length is the length of the shortest vector in the convex hull of the unit gradients at each node. It ranges from
	// 0, where the problem is Pareto-critical, to 1. It is NaN if a gradient is not finite. At the bounds of a box,
	// gradient entries that lead out of the box count as 0. A gradient of length 0 gives 0.
	Length []float64
	// Surpassed is true for each node that another node improves on in every objective by more than a margin: the
	// largest difference in that objective between the node and its neighbours. It is also true where objectives are
	// not finite. Surpassed is nil until all nodes are known.
	Surpassed []bool

	problem  algo.Problem
	bounded  algo.Bounded // nil if there is no box
	from, to []float64
	m        int
	row      int // next row to compute
	x        []float64
	jac      *algo.Jacobian
	measure  pareto.Stationarity
}

// NewGrid returns an empty grid over the rectangle between two opposite corners. The argument nodes is the number of
// nodes in each direction.
func NewGrid(p algo.Problem, from, to []float64, nodes int) *Grid {
	n, m := p.Dims()
	g := &Grid{Nodes: nodes, Rows: nodes, problem: p, from: from, to: to, m: m, x: make([]float64, n), jac: algo.NewJacobian(m, n)}
	if n == 1 {
		g.Rows = 1
	}
	g.bounded, _ = p.(algo.Bounded)
	g.Values, g.Length = make([]float64, g.Nodes*g.Rows*m), make([]float64, g.Nodes*g.Rows)
	return g
}

// Node stores the coordinates of a node in x.
func (g *Grid) Node(x []float64, node int) {
	at := [2]int{node % g.Nodes, node / g.Nodes}
	for i := range x {
		u := float64(at[i]) / float64(g.Nodes-1)
		x[i] = float64((1-u)*g.from[i]) + float64(u*g.to[i])
	}
}

// At returns the objectives at a node. The slice belongs to the Grid.
func (g *Grid) At(node int) []float64 { return g.Values[node*g.m : (node+1)*g.m] }

// Done reports whether the grid is complete, including Surpassed.
func (g *Grid) Done() bool { return g.Surpassed != nil }

// Advance computes the next row of nodes. After the last row it computes Surpassed. Further calls do nothing.
func (g *Grid) Advance() {
	if g.Done() {
		return
	}
	if g.row == g.Rows {
		g.compare()
		return
	}
	for i := range g.Nodes {
		node := g.row*g.Nodes + i
		g.Node(g.x, node)
		g.problem.Values(g.At(node), g.x)
		g.problem.Jacobian(g.jac, g.x)
		if g.bounded != nil {
			lo, hi := g.bounded.Bounds()
			g.jac.Reduce(g.x, lo, hi)
		}
		g.Length[node] = g.unitLength(g.At(node))
	}
	g.row++
}

// unitLength returns the length of the shortest vector in the convex hull of the unit gradients.
func (g *Grid) unitLength(f []float64) float64 {
	if !algo.Finite(f) {
		return math.NaN()
	}
	critical := false
	for i := range g.m {
		row, largest := g.jac.Row(i), 0.0
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
		if !(largest <= math.MaxFloat64) { // true for NaN too
			return math.NaN()
		}
		if largest == 0 {
			critical = true
			continue
		}
		square := 0.0
		for c, v := range row {
			row[c] = v / largest
			square += float64(row[c] * row[c])
		}
		for c := range row {
			row[c] /= math.Sqrt(square)
		}
	}
	switch {
	case critical:
		return 0
	case g.m == 1:
		return 1
	case g.m > 2:
		return min(g.measure.Measure(g.jac), 1)
	}
	square := 0.0
	for c, v := range g.jac.Row(0) {
		half := (v + g.jac.Row(1)[c]) / 2
		square += float64(half * half)
	}
	return math.Sqrt(square)
}

// compare computes Surpassed by comparing every node with the best nodes.
func (g *Grid) compare() {
	g.Surpassed = make([]bool, len(g.Length))
	margins := make([]float64, len(g.Values))
	var known []int
	for node := range g.Length {
		if !algo.Finite(g.At(node)) {
			g.Surpassed[node] = true
			continue
		}
		known = append(known, node)
		g.margin(margins[node*g.m:(node+1)*g.m], node)
	}
	if g.m == 2 {
		g.comparePairs(known, margins)
		return
	}
	points := make([][]float64, len(known))
	for i, node := range known {
		points[i] = g.At(node)
	}
	best, err := pareto.NonDominated(points)
	if err != nil {
		panic("survey: " + err.Error()) // cannot happen, because all points are finite and have the same length
	}
	for _, node := range known {
		f, by := g.At(node), margins[node*g.m:]
		g.Surpassed[node] = slices.ContainsFunc(best, func(b int) bool {
			for i, v := range points[b] {
				if !(v < f[i]-by[i]) {
					return false
				}
			}
			return true
		})
	}
}

// comparePairs does the same as compare for two objectives. It visits nodes by ascending first objective, and
// compares each node's second objective with the smallest one so far.
func (g *Grid) comparePairs(known []int, margins []float64) {
	order := slices.Clone(known)
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(g.At(a), g.At(b)) })
	first, least := make([]float64, len(order)), make([]float64, len(order))
	low := math.Inf(1)
	for i, node := range order {
		low = min(low, g.At(node)[1])
		first[i], least[i] = g.At(node)[0], low
	}
	for _, node := range known {
		f := g.At(node)
		i, _ := slices.BinarySearch(first, f[0]-margins[2*node])
		g.Surpassed[node] = i > 0 && least[i-1] < f[1]-margins[2*node+1]
	}
}

// margin updates the largest difference of each objective between a node and its neighbours.
func (g *Grid) margin(by []float64, node int) {
	i, j := node%g.Nodes, node/g.Nodes
	f := g.At(node)
	clear(by)
	for dj := -1; dj <= 1; dj++ {
		for di := -1; di <= 1; di++ {
			a, b := i+di, j+dj
			if a < 0 || a >= g.Nodes || b < 0 || b >= g.Rows {
				continue
			}
			for k, v := range g.At(b*g.Nodes + a) {
				if d := math.Abs(v - f[k]); d > by[k] { // false for NaN
					by[k] = d
				}
			}
		}
	}
}
