package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func solveTransport(c *call) error {
	solvers := strings.Join(weigh.Solvers(), " ")
	solver := c.flags.String("solver", "exact", "one of "+solvers)
	var settings repeated
	c.flags.Var(&settings, "set", "set a parameter of the solver, `name=value`: eps of sinkhorn or beta of ipot, both relative "+
		"to the range of the costs")
	file := c.tableFlags("a table of costs from rows to columns, with equal masses unless -a and -b or the file set them")
	rows := c.flags.String("a", "", "the masses of the rows of the -data file, `a1,a2,...`")
	columns := c.flags.String("b", "", "the masses of the columns of the -data file, `b1,b2,...`")
	c.explain(fmt.Sprintf("Reads {\"cost\": [[...], ...], \"a\": [...], \"b\": [...], \"tau\": t} from standard input, or costs from the\n"+
		"file of -data. tau is optional. a contains a mass for each of at most %d rows of costs.\n"+
		"b contains a mass for each of at most %d columns. The sums of a and b must agree to 1e-6; b is scaled to\n"+
		"the sum of a. The objective is the cost minus tau times the sum of every row's largest mass.",
		data.MaxMasses, data.MaxMasses))
	if err := c.parse(); err != nil {
		return err
	}
	if !slices.Contains(weigh.Solvers(), *solver) {
		return fmt.Errorf("unknown solver %q; available: %s", *solver, solvers)
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	in, err := c.readCosts(file, *rows, *columns)
	if err != nil {
		return err
	}
	result, err := weigh.Transport(*solver, byName, in)
	if err != nil {
		return err
	}
	if !result.Converged {
		c.remarks = append(c.remarks, unconverged(result))
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
}

// unconverged says that a solver did not converge, with the marginal error and, if known, a lower bound on the cost.
func unconverged(r *weigh.Transported) string {
	text := fmt.Sprintf("%s did not converge in %d iterations: marginal error %.2g", r.Solver, r.Iterations, r.MarginalError)
	if r.Gap != nil {
		text += fmt.Sprintf(", cost %.6g, dual lower bound %.6g", r.Cost, *r.Bound)
	}
	return text
}

// readCosts reads a problem from standard input, or the costs from the -data file and the masses from the flags.
func (c *call) readCosts(file *tableFile, rows, columns string) (*data.TransportInput, error) {
	for _, side := range []struct{ name, text string }{{"a", rows}, {"b", columns}} {
		if c.given(side.name) && !file.named() {
			return nil, fmt.Errorf("-%s %s: standard input contains the masses; to read costs from a file, add -data", side.name, side.text)
		}
	}
	if !file.named() {
		if _, err := file.choice(); err != nil {
			return nil, err
		}
		in, err := weigh.ReadTransport(c.stdin)
		if err == nil {
			c.remarks = append(c.remarks, in.Notes...)
		}
		return in, err
	}
	read, err := c.readTable(file, data.CostsFile)
	if err != nil {
		return nil, err
	}
	for _, side := range []struct{ name, field, text string }{{"a", data.RowMassName, rows}, {"b", data.ColumnMassName, columns}} {
		if !c.given(side.name) {
			continue
		}
		masses, err := numberList("-"+side.name, side.text)
		if err == nil {
			err = read.SetList(side.field, masses)
		}
		if err != nil {
			return nil, err
		}
	}
	in, err := read.Transport()
	if err == nil && (c.given("a") || c.given("b")) {
		c.remarks = append(c.remarks, in.Notes...)
	}
	return in, err
}
