package command

import (
	"errors"
	"fmt"
	"strings"

	"paretoplay/internal/engine/data"
)

// tableFile holds the flags that name a file with a table and select the part of the file to read.
type tableFile struct {
	path, part, columns *string
	call                *call
}

func (f *tableFile) named() bool { return f.call.given("data") }

// tableFlags declares the flags of a tableFile. what describes the table in their help.
func (c *call) tableFlags(what string) *tableFile {
	return &tableFile{
		path: c.flags.String("data", "", what+", from this `file`: a table, a JSON list, or an npy or npz of NumPy"),
		part: c.flags.String("part", "",
			"the part to read of a -data file with several parts: the `name` of an array or member, or the number of a run, from 1"),
		columns: c.flags.String("columns", "", "the columns to read from the -data file, `c1,c2,...`: names, or numbers from 1"),
		call:    c,
	}
}

// choice returns a description of the part of the file that the flags select.
func (f *tableFile) choice() (data.Choice, error) {
	c := data.Choice{Part: *f.part}
	for _, name := range []string{"part", "columns"} {
		switch text := f.call.flags.Lookup(name).Value.String(); {
		case f.call.given(name) && !f.named():
			return c, fmt.Errorf("-%s %s: there is no file to select from; add -data", name, text)
		case f.call.given(name) && text == "":
			return c, fmt.Errorf("-%s is empty", name)
		}
	}
	if f.call.given("columns") {
		c.Columns = strings.Split(*f.columns, ",")
	}
	return c, nil
}

// readTable reads the table that the flags select. It adds remarks on how it interpreted the file.
func (c *call) readTable(f *tableFile, layout *data.Layout) (*data.Pasted, error) {
	choice, err := f.choice()
	if err != nil {
		return nil, err
	}
	file, err := c.open("-data", *f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := data.ReadChoice(file, layout, choice)
	if err != nil {
		return nil, fmt.Errorf("-data %s: %w", *f.path, advised(err))
	}
	c.remarks = append(c.remarks, in.Notes...)
	return in, nil
}

// advised adds the flag -part to an error about a file with several parts.
func advised(err error) error {
	if several := new(data.ChoiceError); errors.As(err, &several) {
		return fmt.Errorf("%w with -part", err)
	}
	return err
}

func numberList(flag, text string) ([]float64, error) {
	var out []float64
	for _, part := range strings.Split(text, ",") {
		v, err := data.Decimal(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, text, err)
		}
		out = append(out, v)
	}
	return out, nil
}
