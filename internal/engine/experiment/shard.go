package experiment

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Shard is the part I of N, 0 ≤ I < N, of the cells of a grid: every N-th from the I-th on. The zero
// value is the whole grid.
type Shard struct{ I, N int }

// ParseShard reads i/n.
func ParseShard(text string) (Shard, error) {
	first, last, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(first)
	n, errN := strconv.Atoi(last)
	if s := (Shard{i, n}); ok && err == nil && errN == nil && i >= 0 && i < n && s.String() == text {
		return s, nil
	}
	return Shard{}, fmt.Errorf("%q is no shard; the form is i/n with i from 0 to n - 1, as in 0/4", text)
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Part is a shard's table as WriteCSV writes it, with the name that errors use.
type Part struct {
	Name  string
	Shard Shard
	Table []byte
}

// seeded lets files say which seed is the first: a column before the others.
func (g *Grid[C]) seeded(first uint64) {
	g.first = first
	column := Key("seed0", func(*C) any { return strconv.FormatUint(first, 10) })
	g.plan.Columns = append([]Column[C]{column}, g.plan.Columns...)
	g.head = append([]string{column.name}, g.head...)
}

// split leaves only the cells of a shard to be computed, read and written, and returns what undoes it.
func (g *grid) split(s Shard) (undo func(), err error) {
	if g.bound {
		return nil, fmt.Errorf("%s measures times, which shards on several machines would mix; it runs as a whole", g.name)
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

// merge takes over the cells of all shards.
func (g *Grid[C]) merge(parts []Part) error {
	for _, p := range parts {
		undo, err := g.split(p.Shard)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		err = Resume(g, bytes.NewReader(p.Table))
		undo()
		if err != nil {
			return fmt.Errorf("%s: below its first line: %w", p.Name, err)
		}
	}
	missing, first := 0, ""
	for i := range g.count {
		done, wanted := g.parts(i)
		if done == wanted {
			continue
		}
		missing++
		if missing > 3 {
			continue
		}
		var keys []string
		for j, column := range g.plan.Columns {
			if !column.key { // others may not have a value without runs
				continue
			}
			if text := field(g.value(i, j)); text != "" {
				keys = append(keys, column.name+"="+text)
			}
		}
		first += "; " + strings.Join(keys, " ")
	}
	if missing > 0 {
		_, all := g.countCells()
		return fmt.Errorf("%d of %d cells are missing%s", missing, all, first)
	}
	return nil
}

// Size is how much there is to compute.
type Size struct{ Cells, Parts int }

// Size counts the cells that are not done, and their parts that are not.
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

// sampled is the processor time for which an estimate computes parts.
const sampled = 2 * time.Second

// Estimate computes parts for some seconds, and says from their processor time and the cells' relative
// efforts which processor time all takes that is left. The grid stays as it was. Cells whose times are
// measured are tried in their order, since they may read what those before have found; others all over the
// grid.
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

// common is the greatest common divisor.
func common(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Merge returns the whole table of shards that were computed with these options, or an error that says
// what does not fit or is missing.
func (e *Experiment) Merge(o Options, parts []Part) (Outcome, error) {
	outcome, err := e.Begin(o)
	if err != nil {
		return nil, err
	}
	return outcome, outcome.merge(parts)
}
