package experiment

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Shard is part I of N of a grid's cells, with 0 ≤ I < N: every N-th cell, starting at I. The zero value is the whole
// grid.
type Shard struct{ I, N int }

// ParseShard parses a shard of the form i/n.
func ParseShard(text string) (Shard, error) {
	first, last, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(first)
	n, errN := strconv.Atoi(last)
	if s := (Shard{i, n}); ok && err == nil && errN == nil && i >= 0 && i < n && s.String() == text {
		return s, nil
	}
	return Shard{}, fmt.Errorf("invalid shard %q; the form is i/n with i from 0 to n - 1, as in 0/4", text)
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Part is a shard's table as written by WriteCSV, with a name for errors.
type Part struct {
	Name  string
	Shard Shard
	Table []byte
}

// seeded inserts a column with the first seed before the other columns.
func (g *Grid[C]) seeded(first uint64) {
	g.first = first
	column := Key("seed0", func(*C) any { return strconv.FormatUint(first, 10) })
	g.plan.Columns = append([]Column[C]{column}, g.plan.Columns...)
	g.head = append([]string{column.name}, g.head...)
}

// split limits the grid to the cells of a shard. It returns a function that undoes the limit.
func (g *grid) split(s Shard) (undo func(), err error) {
	if g.bound {
		return nil, fmt.Errorf("%s measures times, which shards on several machines would mix; it cannot be split", g.name)
	}
	all := g.parts
	kept := make([]bool, g.count)
	wanted := 0
	for i := range kept {
		if _, parts := all(i); parts > 0 {
			kept[i] = wanted%s.N == s.I
			wanted++
		}
	}
	if s.N > wanted {
		return nil, fmt.Errorf("%v asks for more shards than the %d cells of %s", s, wanted, g.name)
	}
	g.parts = func(i int) (done, parts int) {
		if !kept[i] {
			return 0, 0
		}
		return all(i)
	}
	return func() { g.parts = all }, nil
}

// Lacking is the error that Merge returns if shards must be computed, or computed again.
type Lacking struct {
	Shards []Shard // missing shards in order, at least one
	// Part is the name of the part that lacks cells. It is "" if shards are missing completely.
	Part           string
	Missing, Cells int // number of missing cells, and number of all cells of the part
}

// Error states what is missing. It names at most nine shards.
func (l *Lacking) Error() string {
	if l.Part != "" {
		return fmt.Sprintf("%s lacks %d of its %d cells", l.Part, l.Missing, l.Cells)
	}
	const named = 9
	names, more := make([]string, 0, named), ""
	for _, s := range l.Shards[:min(named, len(l.Shards))] {
		names = append(names, s.String())
	}
	if len(l.Shards) > named {
		more = fmt.Sprintf(" and %d more", len(l.Shards)-named)
	}
	if len(names) == 1 {
		return "no file has shard " + names[0]
	}
	return "no file has shards " + strings.Join(names, ", ") + more
}

// merge reads the cells of all shards. There must be at least one shard.
func (g *Grid[C]) merge(parts []Part) error {
	var there []Shard
	for _, p := range parts {
		undo, err := g.split(p.Shard)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		err = Resume(g, bytes.NewReader(p.Table))
		done, wanted := g.countCells()
		undo()
		if err != nil {
			return fmt.Errorf("%s: below its first line: %w", p.Name, err)
		}
		if done < wanted {
			return &Lacking{Shards: []Shard{p.Shard}, Part: p.Name, Missing: wanted - done, Cells: wanted}
		}
		there = append(there, p.Shard)
	}
	lacking := &Lacking{}
	for s := (Shard{N: there[0].N}); s.I < s.N; s.I++ {
		if !slices.Contains(there, s) {
			lacking.Shards = append(lacking.Shards, s)
		}
	}
	if lacking.Shards != nil {
		return lacking
	}
	return nil
}

// Size is the amount of work that is left.
type Size struct{ Cells, Parts int }

// Size returns the number of incomplete cells, and the number of their missing parts.
func (g *grid) Size() (s Size) {
	for i := range g.count {
		if done, wanted := g.parts(i); done < wanted {
			s.Cells, s.Parts = s.Cells+1, s.Parts+wanted-done
		}
	}
	return s
}

// Columns implements Computable.
func (g *Grid[C]) Columns() (keys, values []string) {
	for _, column := range g.plan.Columns {
		if column.key {
			keys = append(keys, column.name)
		} else {
			values = append(values, column.name)
		}
	}
	return keys, values
}

// sampled is the processor time that an estimate takes.
const sampled = 2 * time.Second

// Estimate estimates the processor time of the remaining work. It computes parts for some seconds and extrapolates by
// the cells' efforts. The grid does not change. If times are measured, it computes the first cell, because later cells
// may read the results of that cell. Otherwise it picks cells spread over the whole grid.
func (g *Grid[C]) Estimate() (time.Duration, error) {
	var cells []int
	total := 0.0
	for i := range g.count {
		if done, wanted := g.parts(i); wanted > done {
			cells = append(cells, i)
			total += float64(g.effort(i) * float64(wanted-done))
		}
	}
	stride := 1
	if !g.bound {
		for stride = len(cells)*5/8 + 1; common(stride, len(cells)) > 1; stride++ {
		}
	}
	before, effort := ProcessorTime(), 0.0
	for n := range cells {
		if ProcessorTime()-before > sampled || g.bound && n > 0 {
			break
		}
		i := cells[n*stride%len(cells)]
		c := g.plan.Cells[i]
		for complete := false; !complete; {
			var err error
			if complete, err = g.plan.Work(&c, always); err != nil {
				return 0, err
			}
		}
		effort += g.effort(i)
	}
	if effort == 0 {
		return 0, nil
	}
	return time.Duration(float64(ProcessorTime()-before) * total / effort), nil
}

// common returns the greatest common divisor of a and b.
func common(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Merge returns the complete table from shards that were computed with the given options. There must be at least one
// shard, and all must have the same N. Merge returns an error if a shard does not fit, and a *Lacking if shards or
// cells are missing.
func (e *Experiment) Merge(o Options, parts []Part) (Outcome, error) {
	outcome, err := e.Begin(o)
	if err != nil {
		return nil, err
	}
	return outcome, outcome.merge(parts)
}
