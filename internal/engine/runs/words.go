package runs

import (
	"fmt"
	"strings"

	"paretoplay/internal/engine/timeline"
)

// DescribeSelected returns a sentence that states the selected track's position at the marker, or "" if no track is
// selected.
func DescribeSelected(t *timeline.Timeline) string {
	chosen := t.Selected()
	if chosen.Run == nil {
		return ""
	}
	row := t.Shown(chosen)
	return fmt.Sprintf("%s is at x = %s with f = %s and ω = %s.",
		chosen.Label(), timeline.Vector(row.X), timeline.Vector(row.F), chosen.Left(row))
}

// DescribeStopped returns sentences that name the tracks whose status does not fully explain why they ended, each with
// its reason. It returns "" if there are none.
func DescribeStopped(t *timeline.Timeline) string {
	names := map[string][]string{}
	var reasons []string
	for _, track := range t.Tracks() {
		if why := track.Why(); why != "" {
			if names[why] == nil {
				reasons = append(reasons, why)
			}
			names[why] = append(names[why], track.Label())
		}
	}
	var out strings.Builder
	for _, why := range reasons {
		fmt.Fprintf(&out, " Stopped because %s: %s.", why, strings.Join(names[why], "; "))
	}
	return out.String()
}

// DescribeDiverged returns a sentence that names the diverged tracks, or "" if there are none.
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
	return " Diverged (marked by a cross): " + strings.Join(names, "; ") + "."
}
