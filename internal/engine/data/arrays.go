package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/numeral"
)

// closeArrays reads a NumPy file once it is complete. If an npz contains an array named like the layout's first field,
// each array is read as the field of the same name. From any other file, closeArrays reads only one array, as the first
// field.
func (r *PasteReader) closeArrays() error {
	whole, first := r.whole, &r.takes.fields[0]
	r.whole = nil
	file, err := runlog.OpenArrays(bytes.NewReader(whole), int64(len(whole)), int64(MaxBytes))
	if err != nil {
		return err
	}
	if file.Npy() {
		if r.choice.Part != "" {
			return fmt.Errorf("unknown part %s: the file is a single array", clipped(r.choice.Part))
		}
		return r.matrixOf(file, "", first)
	}
	names := file.Names()
	switch {
	case len(names) == 0:
		return zipped(file.Others())
	case r.choice.Part != "" && !slices.Contains(names, r.choice.Part):
		return fmt.Errorf("unknown array %s; available: %s", clipped(r.choice.Part), listed(names))
	case r.choice.Part != "":
		return r.matrixOf(file, r.choice.Part, first)
	case !slices.Contains(names, first.name) && len(names) > 1:
		return &ChoiceError{What: "arrays", Parts: names}
	case !slices.Contains(names, first.name):
		r.out.Notes = append(r.out.Notes, "the array "+clipped(names[0])+" is read")
		return r.matrixOf(file, names[0], first)
	}
	for _, name := range names {
		f := r.takes.field(name)
		switch {
		case f == nil:
			r.out.Notes = append(r.out.Notes, "the array "+clipped(name)+" is left out")
		case f.what == matrix:
			err = r.matrixOf(file, name, f)
		case f.what == list:
			err = r.listOf(file, f)
		default:
			err = r.scalarOf(file, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// matrixOf reads the named array as the matrix of field f. The name is "" for an npy file, which has only one array.
func (r *PasteReader) matrixOf(file *runlog.Arrays, name string, f *field) error {
	a, err := file.Read(name)
	if err != nil {
		return err
	}
	called := f.name
	if name != "" {
		called = name
	}
	switch {
	case len(a.Shape) == 1:
		return fmt.Errorf("%s: it is a list of %s, but a matrix is expected; save it as a.reshape(1, -1) or a.reshape(-1, 1)",
			called, numeral.Counted(a.Shape[0], "number"))
	case len(a.Shape) != 2:
		return fmt.Errorf("%s: it has %s, but a matrix has 2", called, numeral.Counted(len(a.Shape), "dimension"))
	case a.Shape[0] < 1 || a.Shape[1] < 1:
		return fmt.Errorf("%s: at least one row with one number is needed", called)
	case a.Shape[0] > f.rows:
		return fmt.Errorf("%s: there are more than %d rows", called, f.rows)
	case f.exactly && a.Shape[1] != f.columns:
		return fmt.Errorf("%s: rows have %s; %d are expected", called, numeral.Counted(a.Shape[1], "number"), f.columns)
	case a.Shape[1] > f.columns:
		return fmt.Errorf("%s: rows have more than %d numbers", called, f.columns)
	case len(a.Data) > MaxNumbers:
		return fmt.Errorf("%s: there are more than %d numbers", called, MaxNumbers)
	}
	columns, err := r.chosenColumns(a.Shape[1])
	if err != nil {
		return err
	}
	m := &algo.Jacobian{Rows: a.Shape[0], Cols: a.Shape[1], Data: a.Data}
	if columns != nil && f == &r.takes.fields[0] {
		m = algo.NewJacobian(a.Shape[0], len(columns))
		for i := range m.Rows {
			for j, of := range columns {
				m.Row(i)[j] = a.Data[i*a.Shape[1]+of]
			}
		}
	}
	r.out.matrices[f.name] = m
	return nil
}

// chosenColumns returns the columns to read from a matrix without column names, or nil for all of them.
func (r *PasteReader) chosenColumns(width int) ([]int, error) {
	if len(r.choice.Columns) == 0 {
		return nil, nil
	}
	t := newTextTable(false, r.choice, (*numberRows)(r))
	t.width = width
	err := t.columns(nil, 0, true)
	return t.use, err
}

// listOf reads an array as a list of numbers.
func (r *PasteReader) listOf(file *runlog.Arrays, f *field) error {
	a, err := file.Read(f.name)
	if err != nil {
		return err
	}
	if len(a.Shape) != 1 || len(a.Data) > f.rows {
		return fmt.Errorf("%s: a list of at most %d numbers is expected", f.name, f.rows)
	}
	r.out.lists[f.name] = a.Data
	return nil
}

// scalarOf reads an array that contains one number.
func (r *PasteReader) scalarOf(file *runlog.Arrays, f *field) error {
	a, err := file.Read(f.name)
	switch {
	case err != nil:
		return err
	case len(a.Data) != 1:
		return fmt.Errorf("%s: one number is expected", f.name)
	case f.what == number:
		r.out.numbers[f.name] = a.Data[0]
		return nil
	}
	v := a.Data[0]
	if v != float64(uint64(v)) {
		return fmt.Errorf("%s: %g is not a whole number of at least 0", f.name, v)
	}
	r.out.integers[f.name] = uint64(v)
	return nil
}

// closeEntries reads a JSON list of objects once it is complete. Each object is a row, and its members are the columns.
func (r *PasteReader) closeEntries() error {
	whole := r.whole
	r.whole = nil
	r.newText()
	if r.choice.Part != "" {
		return fmt.Errorf("unknown part %s: the file is one list of objects", clipped(r.choice.Part))
	}
	d := json.NewDecoder(bytes.NewReader(whole))
	d.UseNumber()
	line := func() int { return r.base + bytes.Count(whole[:d.InputOffset()], []byte("\n")) }
	fail := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the " + r.takes.noun + " ends in the middle")
		}
		return fmt.Errorf("line %d: %w", line(), err)
	}
	if _, err := d.Token(); err != nil {
		return fail(err)
	}
	var names []string
	var cells []textCell
	for entry := 1; d.More(); entry++ {
		at := line()
		if token, err := d.Token(); err != nil || token != json.Delim('{') {
			if err == nil {
				err = fmt.Errorf("entry %d: an object is expected, as in entry 1", entry)
			}
			return fail(err)
		}
		if cells = make([]textCell, len(names)); entry == 1 {
			cells = nil
		}
		for n := 0; d.More(); n++ {
			key, err := d.Token()
			if err != nil {
				return fail(err)
			}
			value, err := d.Token()
			if err != nil {
				return fail(err)
			}
			c := textCell{column: n + 1, text: []byte{}}
			switch v := value.(type) {
			case json.Delim:
				return fail(fmt.Errorf("entry %d: %s is a list or an object, but a number or a text is expected", entry, clipped(fmt.Sprint(key))))
			case nil:
			default:
				c.text = []byte(fmt.Sprint(v))
			}
			if len(c.text) > longest {
				return fail(fmt.Errorf("entry %d: %s is too long", entry, clipped(string(c.text))))
			}
			if entry == 1 {
				if slices.Contains(names, fmt.Sprint(key)) {
					return fail(fmt.Errorf("entry 1: %s appears twice", clipped(fmt.Sprint(key))))
				}
				names, cells = append(names, fmt.Sprint(key)), append(cells, c)
				if len(names) > MaxTableColumns {
					return fail(fmt.Errorf("there are more than %d columns", MaxTableColumns))
				}
				continue
			}
			i := slices.Index(names, fmt.Sprint(key))
			if i < 0 || cells[i].text != nil {
				return fail(fmt.Errorf("entry %d: %s is not in entry 1, or appears twice", entry, clipped(fmt.Sprint(key))))
			}
			cells[i] = c
		}
		if _, err := d.Token(); err != nil {
			return fail(err)
		}
		for i, c := range cells {
			if c.text == nil {
				return fail(fmt.Errorf("entry %d: %s is missing", entry, clipped(names[i])))
			}
		}
		if len(names) == 0 {
			return fail(errors.New("entry 1 has no members"))
		}
		if err := r.text.object(names, cells, at); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fail(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fail(errors.New("nothing more is expected after the list"))
	}
	if r.takes.table { // the table's reader completes the table
		return nil
	}
	return r.endText()
}
