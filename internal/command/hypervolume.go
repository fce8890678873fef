package command

import (
	"encoding/json"
	"fmt"
	"io"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func hypervolume(c *call) error {
	c.explain(fmt.Sprintf("which reads {\"points\": [[...], ...], \"reference\": [...]} from standard input:\n"+
		"at most %d points, %d numbers altogether. Beyond three objectives the time it takes grows\nexponentially with their number.",
		data.MaxPoints, data.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	v, err := weigh.Hypervolume(c.stdin)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(map[string]float64{"hypervolume": v}) })
}
