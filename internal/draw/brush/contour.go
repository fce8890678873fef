package brush

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Contours draws the contour lines of f at the given levels. It uses marching squares on a grid of nx×ny points that
// covers the data area. It omits squares with a corner where f is not finite.
func (b *Brush) Contours(nx, ny int, f func(x, y float64) float64, levels []float64, s Stroke) {
	if nx < 2 || ny < 2 {
		return
	}
	b.GridContours(nx, ny, b.nodes(nx, ny, f), levels, s)
}

// nodes evaluates a function at the grid points of Contours, row by row from the bottom.
func (b *Brush) nodes(nx, ny int, f func(x, y float64) float64) []float64 {
	g := grid{nx: nx, ny: ny, area: b.Canvas.Rectangle, values: make([]float64, nx*ny)}
	for j := range ny {
		for i := range nx {
			g.values[j*nx+i] = f(b.World(g.node(i, j)))
		}
	}
	return g.values
}

// GridContours draws contour lines like Contours, but takes the function's values at the nx×ny points, row by row from
// the bottom.
func (b *Brush) GridContours(nx, ny int, values, levels []float64, s Stroke) {
	if nx >= 2 && ny >= 2 {
		b.contours(&grid{nx: nx, ny: ny, area: b.Canvas.Rectangle, values: values}, levels, s)
	}
}

func (b *Brush) contours(g *grid, levels []float64, s Stroke) {
	for _, level := range levels {
		t := Tracer{area: b.Canvas.Rectangle, path: b.Store.path[:0]}
		g.trace(level, &t)
		b.Store.path = t.path
		b.StrokePath(t.path, s)
	}
}

// grid is a function sampled at nx×ny points of an area, row by row from the bottom.
type grid struct {
	nx, ny int
	area   vg.Rectangle
	values []float64
}

func (g *grid) node(i, j int) vg.Point {
	size := g.area.Size()
	return vg.Point{
		X: g.area.Min.X + vg.Length(vg.Length(i)/vg.Length(g.nx-1)*size.X),
		Y: g.area.Min.Y + vg.Length(vg.Length(j)/vg.Length(g.ny-1)*size.Y),
	}
}

// crossing identifies the point where a level line crosses an edge of the grid. The edge to the right of a node has
// number 2·node; the edge above the node has number 2·node + 1.
type crossing int

func (g *grid) horizontal(i, j int) crossing { return crossing(2 * (j*g.nx + i)) }
func (g *grid) vertical(i, j int) crossing   { return crossing(2*(j*g.nx+i) + 1) }

// point returns the place of a crossing, by linear interpolation along its edge.
func (g *grid) point(c crossing, level float64) vg.Point {
	node := int(c) / 2
	i, j := node%g.nx, node/g.nx
	next, to := node+1, g.node(i+1, j)
	if c%2 == 1 {
		next, to = node+g.nx, g.node(i, j+1)
	}
	from := g.node(i, j)
	u := (level - g.values[node]) / (g.values[next] - g.values[node])
	return from.Add(to.Sub(from).Scale(vg.Length(u)))
}

// neighbours holds a crossing's neighbours on its level line. An end of the line has one neighbour; other crossings have
// two.
type neighbours struct {
	of    [2]crossing
	count int
}

func (n *neighbours) add(c crossing) {
	n.of[n.count] = c
	n.count++
}

func (n *neighbours) drop(c crossing) {
	if n.of[0] == c {
		n.of[0] = n.of[1]
	}
	n.count--
}

// trace adds the lines of one level to t. It joins their pieces into the longest possible lines, so that dashes
// continue from square to square.
func (g *grid) trace(level float64, t *Tracer) {
	links := make(map[crossing]*neighbours)
	var order []crossing // the drawing must not depend on map order
	link := func(a, b crossing) {
		for _, e := range [2][2]crossing{{a, b}, {b, a}} {
			n := links[e[0]]
			if n == nil {
				n = new(neighbours)
				links[e[0]] = n
				order = append(order, e[0])
			}
			n.add(e[1])
		}
	}
	for j := range g.ny - 1 {
		for i := range g.nx - 1 {
			g.square(i, j, level, link)
		}
	}
	// First draw the open lines, each from one of its ends. The remaining lines are loops.
	for _, ends := range [2]int{1, 2} {
		for _, c := range order {
			if links[c].count != ends {
				continue
			}
			t.Add(g.point(c, level))
			for at := c; links[at].count > 0; {
				next := links[at].of[0]
				links[at].drop(next)
				links[next].drop(at)
				t.Add(g.point(next, level))
				at = next
			}
			t.End()
		}
	}
}

// square links the crossings on the edges of one square of the grid.
func (g *grid) square(i, j int, level float64, link func(a, b crossing)) {
	n := j*g.nx + i
	v0, v1, v2, v3 := g.values[n], g.values[n+1], g.values[n+g.nx+1], g.values[n+g.nx]
	var mask int
	if v0 >= level {
		mask = 1
	}
	if v1 >= level {
		mask |= 2
	}
	if v2 >= level {
		mask |= 4
	}
	if v3 >= level {
		mask |= 8
	}
	if mask == 0 || mask == 15 { // the most common case
		return
	}
	sum := v0 + v1 + v2 + v3
	if math.IsNaN(sum - sum) {
		return
	}
	below, right, above, left := g.horizontal(i, j), g.vertical(i+1, j), g.horizontal(i, j+1), g.vertical(i, j)
	switch mask {
	case 1, 14:
		link(left, below)
	case 2, 13:
		link(below, right)
	case 3, 12:
		link(left, right)
	case 4, 11:
		link(right, above)
	case 6, 9:
		link(below, above)
	case 7, 8:
		link(left, above)
	case 5, 10:
		// At a saddle, the mean of the corners' values decides which crossings are linked.
		if (mask == 5) == (sum/4 >= level) {
			link(left, above)
			link(below, right)
		} else {
			link(left, below)
			link(right, above)
		}
	}
}
