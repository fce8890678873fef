package blocksmoo

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/sweeps"
)

func (m Method) title() string {
	for _, method := range sweeps.Methods() {
		if method.ID == m.ID {
			if m.Shared {
				return method.Title + ", shared V batch"
			}
			return method.Title
		}
	}
	return m.ID
}

func (c contender) title() string {
	if c.tuned {
		return c.Method.title()
	}
	return c.Method.title() + ", the same step size"
}

// partitionTitles maps partitions to their titles.
var partitionTitles = map[string]string{whole: "–", twoParts: "U, V", byRows: "U, rows of V"}

// lossText formats the geometric mean of losses, or states that some runs diverged.
func lossText(losses []float64) string {
	if diverged := len(losses) - finite(losses); diverged > 0 {
		return fmt.Sprintf("%d diverged", diverged)
	}
	return experiment.Significant(experiment.GeometricMean(losses), 3)
}

// finite returns the number of finite values.
func finite(values []float64) (n int) {
	for _, v := range values {
		if v-v == 0 {
			n++
		}
	}
	return n
}

func (t trial) words() string {
	return fmt.Sprintf("%s\t%s\t%g", partitionTitles[t.partition()], mText(t.Setting), t.Alpha)
}

func mText(s Setting) string {
	if s.Method == baseline {
		return "–"
	}
	return strconv.Itoa(s.M)
}

// title describes the data in a text.
func (d *Data) title() string {
	examples, features, q := d.shape()
	if d.Table != nil {
		return fmt.Sprintf("%d rows for training, %d for testing, d = %d, q = %d (%s)", examples, d.Table.Test.Examples(), features, q,
			strings.Join(d.Table.Responses, ", "))
	}
	return fmt.Sprintf("%d rows for training, %d for testing, d = %d, q = %d, true rank %d, noise %g", examples, d.Drawn.Test, features, q,
		d.Drawn.TrueRank, d.Drawn.Noise)
}

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	b := experiment.Text{Trimmed: true}
	b.Printf("Reduced-rank regression, %s, r = %d, batch %d; the loss is the mean of the responses’ squared errors on the rows "+
		"for tests.\n", c.Race.title(), c.Rank, c.Batch)
	b.Printf("%d runs of every method, one per seed, with separate starts and batches%s; ± and [ ] are 95 %% intervals over the runs. "+
		"Settings are chosen with %d other seeds.\n", c.Runs, map[bool]string{true: " and data"}[c.Race.Table == nil], c.Tuning)
	s.writeTimed(&b)
	s.writeCosts(&b)
	s.writeVariants(&b)
	s.writeFronts(&b)
	return b.Show(w)
}
