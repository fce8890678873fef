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
	file := c.tableFlags("the points, one per row")
	reference := c.flags.String("reference", "", "the reference point `r1,r2,...` that bounds the volume")
	maximise := c.flags.String("maximise", "", "the objectives to maximise, `i,j,...`, counted from 1")
	contributions := c.flags.Bool("contributions", false, fmt.Sprintf("also write how much each point adds to the volume, "+
		"for at most %d points", weigh.MaxContributions))
	c.explain(fmt.Sprintf("Reads {\"points\": [[...], ...], \"reference\": [...]} from standard input, or points\n"+
		"from the file of -data: at most %d points with %d numbers in total. It writes the volume, and which\n"+
		"points add nothing because they are at or beyond the reference. Above three objectives, the time grows\n"+
		"exponentially with the number of objectives.", data.MaxPoints, data.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	if c.given("reference") && !file.named() {
		return fmt.Errorf("-reference %s: standard input contains the reference; to read points from a file, add -data", *reference)
	}
	in, err := c.readPoints(file)
	if err != nil {
		return err
	}
	of := in.List(data.ReferenceName)
	switch given := c.given("reference"); {
	case given && of != nil:
		return errors.New("-reference: the input also contains a reference; omit one of the two")
	case given:
		if of, err = numberList("-reference", *reference); err != nil {
			return err
		}
	case of == nil:
		return errors.New("-reference is missing; give the point that bounds the volume, such as 1.1,1.1")
	}
	var flipped []int
	if c.given("maximise") {
		for _, text := range strings.Split(*maximise, ",") {
			j, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				return fmt.Errorf("-maximise %s: %q is not a whole number; objectives are counted from 1", *maximise, text)
			}
			flipped = append(flipped, j)
		}
	}
	points := in.Rows(data.PointsName)
	if file.named() && len(points) > 0 && len(points[0]) != len(of) {
		return fmt.Errorf("-data %s: rows have %d numbers, but the reference has %d; choose columns with -columns",
			*file.path, len(points[0]), len(of))
	}
	volume, err := weigh.Hypervolume(points, of, flipped, *contributions)
	if err != nil {
		return err
	}
	if volume.Points > 0 && volume.Ignored == volume.Points {
		c.remarks = append(c.remarks, "every point is at or beyond the reference, so the volume is 0")
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(volume) })
}

// readPoints reads points from the file that the flags name, or from standard input.
func (c *call) readPoints(file *tableFile) (*data.Pasted, error) {
	if file.named() {
		return c.readTable(file, data.Points)
	}
	if _, err := file.choice(); err != nil {
		return nil, err
	}
	return data.Read(c.stdin, data.PointsObject)
}
