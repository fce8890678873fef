package runlog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// isTable reports whether a text begins with the header of a tracker's table.
func isTable(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	heading, err := csv.NewReader(bytes.NewReader(line)).Read()
	return err == nil && slices.ContainsFunc(heading, func(name string) bool {
		return strings.HasPrefix(name, lossPrefix) || strings.HasPrefix(name, gramianPrefix)
	})
}

// readTable reads a log from a table with a header, as Lightning writes it. Each name has a column. A cell is empty
// if the number is in another row.
func readTable(r io.Reader, most int64) (*Log, error) {
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	heading, err := rows.Read()
	if err != nil {
		return nil, err
	}
	names := slices.Clone(heading)
	names[0] = strings.TrimPrefix(names[0], "\ufeff")
	out := newScalars("the tracker", most)
	stepColumn := -1
	for _, name := range slices.Backward(stepNames) {
		if i := slices.Index(names, name); i >= 0 {
			stepColumn = i
		}
	}
	if stepColumn < 0 {
		return nil, fmt.Errorf("the step is missing: there is no column %s", strings.Join(stepNames, " or "))
	}
	for i, name := range names {
		if slices.Index(names, name) < i {
			return nil, fmt.Errorf("two columns are called %.40q", name)
		}
		if i != stepColumn {
			out.find(name)
		}
	}
	if out.sorted = slices.IsSorted(names); out.sorted {
		out.tracker = "Lightning"
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, csv.ErrFieldCount) {
			if _, next := rows.Read(); errors.Is(next, io.EOF) {
				out.cutOffLine("the file")
				break
			}
		}
		if err != nil {
			return nil, err
		}
		if err := out.addRow(rows, row, names, stepColumn); err != nil {
			return nil, err
		}
	}
	l, err := out.log()
	if err == nil && out.sorted && l.steps[0] > l.steps[1]-l.steps[0] {
		l.notes = append(l.notes, fmt.Sprintf("It begins at step %d: when Lightning resumes a run in the same folder, it deletes the earlier "+
			"table.", l.steps[0]))
	}
	return l, err
}

// addRow adds a row's numbers to the series of their columns.
func (s *scalars) addRow(rows *csv.Reader, row, names []string, stepColumn int) error {
	place := func(i int) string {
		line, column := rows.FieldPos(i)
		return fmt.Sprintf("line %d, column %d (%.40s)", line, column, names[i])
	}
	var step *int64
	for i, text := range row {
		if i == stepColumn || text == "" || s.series[names[i]] == nil {
			continue
		}
		if step == nil {
			k, err := wholeText(row[stepColumn])
			if err != nil {
				return fmt.Errorf("%s: %w", place(stepColumn), err)
			}
			step = &k
		}
		v, err := decimal(text)
		if err != nil {
			return fmt.Errorf("%s: %w", place(i), err)
		}
		if err := s.add(names[i], *step, v); err != nil {
			return err
		}
	}
	return nil
}

// decimal parses a number in the formats that programs print, including nan and inf. Numbers beyond the range of
// float64 are infinite.
func decimal(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return v, nil
}

// wholeText parses a whole number. A decimal point and zeros may follow it.
func wholeText(text string) (int64, error) {
	v, err := decimal(text)
	if err != nil {
		return 0, err
	}
	return whole(v)
}
