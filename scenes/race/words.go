package race

import (
	"fmt"
	"strings"

	"paretoplay/scenes/timeline"
)

// DescribeSelected tells where the selected track is at the marker, "" when there
// is none.
func DescribeSelected(t *timeline.Timeline) string {
	chosen := t.Selected()
	if chosen.Run == nil {
		return ""
	}
	row := t.Shown(chosen)
	return fmt.Sprintf("%s is at x = %s with f = %s and ω = %s.",
		chosen.Label(), timeline.Vector(row.X), timeline.Vector(row.F), timeline.Number(row.Stationarity))
}

// DescribeDiverged names the tracks that diverged, "" when there are none.
func DescribeDiverged(t *timeline.Timeline) string {
	var names []string
	for _, track := range t.Tracks() {
		if track.Divergence().Quantity != "" {
			names = append(names, track.Label())
		}
	}
	if names == nil {
		return ""
	}
	return " Diverged, marked by a cross: " + strings.Join(names, "; ") + "."
}
