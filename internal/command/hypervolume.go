package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func hypervolume(c *call) error {
	file := c.tableFlags("points, one a row")
	reference := c.flags.String("reference", "", "the point `r1,r2,...` up to which the volume is measured")
	maximise := c.flags.String("maximise", "", "the objectives of which more is better, `i,j,...`, from 1")
	c.explain(fmt.Sprintf("which reads {\"points\": [[...], ...], \"reference\": [...]} from standard input, or points\n"+
		"from the file of -data: at most %d points, %d numbers altogether. It writes the volume, and how many\n"+
		"points are at or beyond the reference and add nothing. Beyond three objectives the time it takes grows\n"+
		"exponentially with their number.", data.MaxPoints, data.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	if c.given("reference") && !file.named() {
		return fmt.Errorf("-reference %s: standard input has the reference; add -data for points in a file", *reference)
	}
	in, err := c.readPoints(file)
	if err != nil {
		return err
	}
	of := in.List(data.ReferenceName)
	switch given := c.given("reference"); {
	case given && of != nil:
		return errors.New("-reference: the input has a reference too; leave one of them out")
	case given:
		if of, err = numberList("-reference", *reference); err != nil {
			return err
		}
	case of == nil:
		return errors.New("-reference is missing, the point up to which the volume is measured, such as 1.1,1.1")
	}
	var flipped []int
	if c.given("maximise") {
		for _, text := range strings.Split(*maximise, ",") {
			j, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				return fmt.Errorf("-maximise %s: %q is no whole number; objectives are counted from 1", *maximise, text)
			}
			flipped = append(flipped, j)
		}
	}
	points := in.Rows(data.PointsName)
	if file.named() && len(points) > 0 && len(points[0]) != len(of) {
		return fmt.Errorf("-data %s: rows have %d numbers and the reference %d; choose columns with -columns",
			*file.path, len(points[0]), len(of))
	}
	volume, err := weigh.Hypervolume(points, of, flipped)
	if err != nil {
		return err
	}
	if volume.Points > 0 && volume.Ignored == volume.Points {
		c.remarks = append(c.remarks, "every point is at or beyond the reference, so the volume is 0")
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(volume) })
}

// readPoints reads the file of the flags, or standard input.
func (c *call) readPoints(file *tableFile) (*data.Pasted, error) {
	if file.named() {
		return c.readTable(file, data.Points)
	}
	if _, err := file.choice(); err != nil {
		return nil, err
	}
	return data.Read(c.stdin, data.PointsObject)
}

// tableFile is a file of a table that a command reads, and the part of it.
type tableFile struct {
	path, part, columns *string
	call                *call
}

// named reports whether the command line names the file.
func (f *tableFile) named() bool { return f.call.given("data") }

// tableFlags adds the flags that name a file of a table and a part of it.
func (c *call) tableFlags(what string) *tableFile {
	return &tableFile{
		path: c.flags.String("data", "", what+", from this `file`: a table, a JSON list, or an npy or npz of NumPy"),
		part: c.flags.String("part", "",
			"of a -data file that has several parts: the `name` of an array or member, or the number of a run, from 1"),
		columns: c.flags.String("columns", "", "the columns of the -data file that are read, `c1,c2,...`: names, or numbers from 1"),
		call:    c,
	}
}

// choice returns the part of the file that the flags choose.
func (f *tableFile) choice() (data.Choice, error) {
	c := data.Choice{Part: *f.part}
	for _, name := range []string{"part", "columns"} {
		switch text := f.call.flags.Lookup(name).Value.String(); {
		case f.call.given(name) && !f.named():
			return c, fmt.Errorf("-%s %s: it chooses from a file; add -data", name, text)
		case f.call.given(name) && text == "":
			return c, fmt.Errorf("-%s is empty", name)
		}
	}
	if f.call.given("columns") {
		c.Columns = strings.Split(*f.columns, ",")
	}
	return c, nil
}

// readTable reads the file of the flags, and remarks how it was understood.
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

// advised adds to an error about a file of several parts how one is chosen.
func advised(err error) error {
	if several := new(data.ChoiceError); errors.As(err, &several) {
		return fmt.Errorf("%w with -part", err)
	}
	return err
}

// numberList reads the numbers of a flag.
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
