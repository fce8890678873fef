package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"paretoplay/docs"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/claims"
)

// testClaims checks the papers' claims and lists the results.
func testClaims(c *call) error {
	quick := c.flags.Bool("quick", false, "read stored tables of experiments instead of computing for minutes")
	jobs := c.flags.Int("jobs", runtime.NumCPU(), "number of parallel computations; it does not affect the result")
	base := c.flags.Int("seedbase", claims.UsualSeedBase, "seed minus 1 of the first run; change it to repeat the tests on other runs")
	data := c.flags.String("json", "", "write JSON to this `file`, - for standard output")
	table := c.flags.String("markdown", "", "write a table in Markdown to this `file`, - for standard output")
	c.explain("Checks every claim of the five papers that small problems can test, or only the claim named before the flags.\n" +
		"It lists the paper's setting and figure, ours, and the verdict. It reads slow results from stored tables and computes\n" +
		"the others; each claim says which, and -seedbase does not affect stored tables. A check that starts with # is\n" +
		"the end of a link to the page.")
	name := ""
	if len(c.args) > 0 && !strings.HasPrefix(c.args[0], "-") {
		name, c.args = c.args[0], c.args[1:]
		if _, err := claims.Find(name); err != nil {
			return err
		}
	}
	if err := c.parse(); err != nil {
		return err
	}
	if *jobs < 1 || *jobs > 1024 {
		return fmt.Errorf("-jobs %d: allowed is 1 to 1024", *jobs)
	}
	if *base < 0 || *base > claims.MostSeedBase {
		return fmt.Errorf("-seedbase %d: allowed is 0 to %d", *base, claims.MostSeedBase)
	}
	if err := errors.Join(c.reserve("-json", *data), c.reserve("-markdown", *table)); err != nil {
		return err
	}
	o := claims.Options{Kept: docs.Tables, Only: name, Quick: *quick, Jobs: *jobs, SeedBase: *base}
	if f, ok := c.stderr.(*os.File); ok && isTerminal(f) {
		begun := time.Now()
		o.Progress = func(done float64) {
			fmt.Fprintf(f, "\r%-*s", progressWidth, progressText(experiment.Progress{Done: done}, time.Since(begun)))
		}
		defer fmt.Fprintln(f)
	}
	rows, err := claims.Test(o)
	if err != nil {
		return Fault{err}
	}
	if len(c.outputs) == 0 {
		return c.print(func(w io.Writer) error {
			err := claims.WriteText(w, rows)
			if err == nil && *base != claims.UsualSeedBase {
				_, err = fmt.Fprintf(w, "\nThe newly computed results use the seeds %d to %d.\n", *base+1, *base+claims.Seeds)
			}
			return err
		})
	}
	return errors.Join(c.fill("-json", func(w io.Writer) error { return claims.WriteJSON(w, rows) }),
		c.fill("-markdown", func(w io.Writer) error { return claims.WriteMarkdown(w, rows) }))
}
