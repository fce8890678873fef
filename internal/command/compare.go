package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"paretoplay/internal/engine/comparison"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

var compareKinds = []string{"json", "csv"}

func compare(c *call) error {
	c.explain("Compares methods of a scene over seeds. Each method runs with its best step size, tuned on five other seeds.\n" +
		"All methods start from the same points with the same noise. Differences are paired by seed. Their intervals hold\n" +
		"jointly with a probability of 95 %; methods that the seeds cannot separate are called not distinguishable. A run fails\n" +
		"if it diverges, or ends dominated by its start or where all gradients vanish. A failed run ranks below all others.\n" +
		"Scenes that can be compared: " + strings.Join(comparable(), ", ") + ".")
	name := c.flags.String("scene", "", "the `name` of the scene, as listed by scenes")
	methods := c.flags.String("method", "", "methods to compare, `a,b,...`; the scene's simplest method is always included")
	seeds := c.flags.Int("seeds", 20, "number of seeds")
	base := c.flags.Int("seedbase", 0, "seed minus 1 of the first run; change it to repeat the comparison on other runs")
	target := c.flags.Float64("target", math.NaN(),
		"the `value` to reach; the cost of reaching it is printed. By default half of the worst method's runs reach it")
	c.flags.Lookup("target").DefValue = "0" // hides the default NaN in the help
	var settings repeated
	c.flags.Var(&settings, "set", "set a parameter, `name=value`; repeat for more")
	paths := c.fileFlags(compareKinds)
	if err := c.parse(); err != nil {
		return err
	}
	about, err := scenes.All.Find(*name)
	if err != nil {
		if *name == "" {
			err = fmt.Errorf("-scene is missing: %w", err)
		}
		return err
	}
	values, err := settings.split()
	if err != nil {
		return err
	}
	plan := comparison.Plan{Scene: about, Values: map[string]string{}, Seeds: *seeds, SeedBase: *base, Target: *target}
	for _, v := range values {
		plan.Values[v.Name] = v.Text
	}
	if *methods != "" {
		plan.Methods = strings.Split(*methods, ",")
	}
	if c.given("target") && (math.IsNaN(*target) || math.IsInf(*target, 0)) {
		return fmt.Errorf("-target %g: expected a finite number", *target)
	}
	work, err := comparison.New(plan)
	if err != nil {
		return err
	}
	if err := c.reserveAll(compareKinds, paths); err != nil {
		return err
	}
	if _, err := work.Work(func() bool { return true }); err != nil {
		return Fault{err}
	}
	if len(c.outputs) == 0 {
		return c.print(func(w io.Writer) error { return writeComparison(w, work, about) })
	}
	for _, kind := range compareKinds {
		err := c.fill("-"+kind, func(w io.Writer) error {
			if kind == "csv" {
				return writeComparisonRows(w, work)
			}
			return json.NewEncoder(w).Encode(work)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// comparable returns the names of the scenes whose methods can be compared.
func comparable() (names []string) {
	for _, a := range scenes.All {
		if a.Comparison != nil {
			names = append(names, a.ID)
		}
	}
	return names
}

// writeComparison writes a comparison's result as readable text.
func writeComparison(w io.Writer, c *comparison.Comparison, a scene.About) error {
	fmt.Fprintf(w, "%s: %s\n", a.ID, c.Fact().Text)
	for _, line := range c.Notes() {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, strings.Join(c.Columns(), "\t"))
	for _, row := range c.Table() {
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, line := range c.Verdicts() {
		fmt.Fprintln(w, line)
	}
	return nil
}

func writeComparisonRows(w io.Writer, c *comparison.Comparison) error {
	rows := [][]string{{"method", "step", "seed", "final", "cost", "failure"}}
	for _, m := range c.Methods() {
		for i, final := range m.Finals {
			rows = append(rows, []string{m.ID, data.Real(m.Step), fmt.Sprint(c.Seed(i)), data.Real(final),
				data.Real(m.Costs[i]), string(m.Fails[i])})
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
