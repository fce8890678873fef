package swarm

import (
	"math"

	"paretoplay/internal/portable"
)

// cells is a grid over the unit square. It stores, for each cell, the index of the start nearest to the cell's centre.
type cells struct {
	count   int // number of starts
	side    int // number of cells in each direction
	nearest []int32
}

// of returns the cells for count starts. It caches them.
func (c *cells) of(count int) *cells {
	if c.count == count {
		return c
	}
	// Use several cells per start, to show the shape of the start's region.
	c.count, c.side = count, int(math.Ceil(2.5*math.Sqrt(float64(count))))
	c.nearest = make([]int32, c.side*c.side)
	starts := Pour(count, [2]float64{}, [2]float64{1, 1})
	// Starts are spread evenly, so the nearest start is in the cell's bucket or a neighbouring bucket.
	buckets := max(1, int(math.Sqrt(float64(count)/2)))
	in := make([][]int32, buckets*buckets)
	bucket := func(u float64) int { return min(int(u*float64(buckets)), buckets-1) }
	for i, x := range starts {
		b := bucket(x[1])*buckets + bucket(x[0])
		in[b] = append(in[b], int32(i))
	}
	for row := range c.side {
		v := (float64(row) + 0.5) / float64(c.side)
		for col := range c.side {
			u := (float64(col) + 0.5) / float64(c.side)
			least := math.Inf(1)
			for y := max(bucket(v)-1, 0); y <= min(bucket(v)+1, buckets-1); y++ {
				for x := max(bucket(u)-1, 0); x <= min(bucket(u)+1, buckets-1); x++ {
					for _, i := range in[y*buckets+x] {
						if d := portable.Hypot(starts[i][0]-u, starts[i][1]-v); d < least {
							least, c.nearest[row*c.side+col] = d, i
						}
					}
				}
			}
		}
	}
	return c
}

// at returns the index of the start nearest to a cell. Columns are counted from the left and rows from the bottom. right
// is the variable of the horizontal axis.
func (c *cells) at(col, row, right int) int {
	if right == 1 {
		col, row = row, col
	}
	return int(c.nearest[row*c.side+col])
}
