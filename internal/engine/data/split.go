package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/numeral"
)

// MaxPrepared is the maximum number of values in a prepared Table: features and responses of all rows.
const MaxPrepared = 20_000_000

// TrainShare is the fraction of rows that the Block-SMOO paper uses for training.
const TrainShare = 0.7

// Split describes how to turn a Table into a regression.
type Split struct {
	Responses []string // columns of numbers; at least one is required
	Without   []string // columns that are not features, such as row numbers
	// Order lists columns of numbers by which the rows are sorted in ascending order. The most significant column is
	// first, as in year, month, day, hour. If Order is empty, rows keep the order of the file, which should start with
	// the earliest row.
	Order []string
	// Train is the fraction of rows for training, between 0 and 1. The first rows are for training; their number is
	// rounded down. All other rows are for tests.
	Train float64
	// MostTrain and MostTest are the maximum numbers of rows for training and for tests. Later rows are dropped. 0 means
	// no limit.
	MostTrain, MostTest int
}

// Prepared is a Table turned into a regression.
type Prepared struct {
	Train, Test         *problem.Regression
	Features, Responses []string // names; the feature for a word in a column is called "column=word"
	LeftOut             []string // features with a single value in all training rows
}

// Prepare turns a table into a regression. Every column that c does not name is a feature. A column of words becomes
// one feature for each word except the alphabetically first. The feature is 1 in rows with the word and 0 in all
// others. Features and responses are shifted and scaled to mean 0 and variance 1 over the training rows, before
// MostTrain drops any of them. A feature that is constant over those rows is left out.
//
// Errors are of type *algo.RangeError and name the field of c that is wrong.
//
// References:
//   - Block-SMOO, section 4.2. The paper does not say how it codes words. Without each column's
//     first word, and with year, month, day and hour, the air-quality data have the 35 features that
//     the paper counts.
func (t *Table) Prepare(c Split) (*Prepared, error) {
	order, err := t.order(c.Order)
	if err != nil {
		return nil, err
	}
	train := int(c.Train * float64(t.rows) * (1 + 0x1p-50)) // 0.7·10 must give 7, however 0.7 is rounded
	if !(c.Train > 0 && c.Train < 1) || train < 2 || train == t.rows {
		return nil, refused("train", c.Train, fmt.Sprintf(
			"between 0 and 1, with at least 2 of the table’s %s for training and 1 for tests", numeral.Counted(t.rows, "row")))
	}
	responses, features, err := t.variables(&c)
	if err != nil {
		return nil, err
	}
	rows, tests := order[:train], order[train:]
	out := &Prepared{}
	for i := range responses {
		if !responses[i].standardize(rows) {
			return nil, refused("responses", responses[i].name, "columns that vary among the training rows")
		}
		out.Responses = append(out.Responses, responses[i].name)
	}
	features = slices.DeleteFunc(features, func(v *variable) bool {
		varies := v.standardize(rows)
		if !varies {
			out.LeftOut = append(out.LeftOut, v.name)
		}
		return !varies
	})
	if len(features) == 0 && len(c.Without) == 0 {
		return nil, refused("responses", strings.Join(out.Responses, ","), "not all columns that vary: at least one must remain as a feature")
	}
	if len(features) == 0 {
		return nil, refused("without", strings.Join(c.Without, ","), "at least one feature that varies must remain")
	}
	for _, v := range features {
		out.Features = append(out.Features, v.name)
	}
	for _, part := range []struct {
		name string
		most int
		rows []int
		to   **problem.Regression
	}{{"most train", c.MostTrain, rows, &out.Train}, {"most test", c.MostTest, tests, &out.Test}} {
		if part.most < 0 {
			return nil, refused(part.name, part.most, "0 for all rows, or a number of rows")
		}
		if part.most > 0 {
			part.rows = part.rows[:min(part.most, len(part.rows))]
		}
		if numbers := len(part.rows) * (len(features) + len(responses)); numbers > MaxPrepared {
			return nil, refused(part.name, part.most, fmt.Sprintf(
				"%d rows of %d features and responses are %d numbers; at most %d are allowed",
				len(part.rows), len(features)+len(responses), numbers, MaxPrepared))
		}
		*part.to, err = problem.NewRegression(len(features), len(responses), values(features, part.rows), values(responses, part.rows))
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func refused(name string, value any, allowed string) error {
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed}
}

// order returns the indices of the rows, sorted by the named columns.
func (t *Table) order(by []string) ([]int, error) {
	order := make([]int, t.rows)
	for i := range order {
		order[i] = i
	}
	var keys []*column
	for _, name := range by {
		c, err := t.column("order", name, true)
		if err != nil {
			return nil, err
		}
		keys = append(keys, c)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, c := range keys {
			if d := cmp.Compare(c.numbers[a], c.numbers[b]); d != 0 {
				return d
			}
		}
		return 0
	})
	return order, nil
}

// column returns the named column. The argument field is the field of Split that names the column, for errors. If
// numeric is true, the column must contain numbers.
func (t *Table) column(field, name string, numeric bool) (*column, error) {
	i := slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
	allowed := t.Names()
	if numeric {
		allowed = t.Numeric()
	}
	if i < 0 {
		return nil, refused(field, clipped(name), "unknown column; available: "+listed(allowed))
	}
	c := &t.columns[i]
	if numeric && c.holds != numbers {
		return nil, refused(field, clipped(name), "a column of words; columns of numbers: "+listed(allowed))
	}
	return c, nil
}

// printable returns a name with its unprintable characters escaped.
func printable(name string) string {
	if quoted := strconv.Quote(name); strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return quoted[1 : len(quoted)-1]
	}
	return name
}

// listed joins names into a list and truncates the list if it is long.
func listed(names []string) string {
	const limit = 150
	text := ""
	for i, name := range names {
		if name = printable(name); i > 0 {
			text += ", "
		}
		if len(text)+len(name) > limit {
			return text + "…"
		}
		text += name
	}
	return text
}

// variable is a feature or response.
type variable struct {
	name            string
	at              func(row int) float64
	mean, deviation float64 // mean and deviation over the training rows
}

// variables returns the responses, in the order of c.Responses, and the features.
func (t *Table) variables(c *Split) (responses, features []*variable, err error) {
	if len(c.Responses) == 0 {
		return nil, nil, refused("responses", "none", "at least one of: "+listed(t.Numeric()))
	}
	used := map[*column]bool{}
	for _, name := range c.Responses {
		col, err := t.column("responses", name, true)
		if err != nil {
			return nil, nil, err
		}
		if used[col] {
			return nil, nil, refused("responses", clipped(name), "each column once")
		}
		used[col] = true
		responses = append(responses, col.variables()...)
	}
	for _, name := range c.Without {
		col, err := t.column("without", name, false)
		if err != nil {
			return nil, nil, err
		}
		if used[col] {
			return nil, nil, refused("without", clipped(name), "no response, and each column once")
		}
		used[col] = true
	}
	for i := range t.columns {
		if col := &t.columns[i]; !used[col] {
			features = append(features, col.variables()...)
		}
	}
	return responses, features, nil
}

// variables returns the variables of a column: the column itself, or one variable for each word except the
// alphabetically first.
func (c *column) variables() []*variable {
	if c.holds == numbers {
		return []*variable{{name: c.name, at: func(row int) float64 { return c.numbers[row] }}}
	}
	var list []*variable
	for _, word := range slices.Sorted(slices.Values(c.words))[1:] {
		code := c.code[word]
		list = append(list, &variable{name: c.name + "=" + word, at: func(row int) float64 {
			if c.codes[row] == code {
				return 1
			}
			return 0
		}})
	}
	return list
}

// standardize computes the mean and the deviation over the given rows. It reports whether the variable varies over
// these rows.
func (v *variable) standardize(rows []int) bool {
	least, most := math.Inf(1), math.Inf(-1)
	share := 1 / float64(len(rows))
	for range 2 { // the second pass corrects the rounding errors of the first
		var rest float64
		for _, row := range rows {
			x := v.at(row)
			least, most = min(least, x), max(most, x)
			rest += float64(share * (x - v.mean))
		}
		v.mean += rest
	}
	var variance float64
	for _, row := range rows {
		e := v.at(row) - v.mean
		variance += float64(share * e * e)
	}
	v.deviation = math.Sqrt(variance)
	return least < most && v.deviation > 0
}

// values returns the standardized values of the given rows, row by row.
func values(variables []*variable, rows []int) []float64 {
	list := make([]float64, 0, len(rows)*len(variables))
	for _, row := range rows {
		for _, v := range variables {
			list = append(list, (v.at(row)-v.mean)/v.deviation)
		}
	}
	return list
}
