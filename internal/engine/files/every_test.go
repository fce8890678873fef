package files

import (
	"strings"
	"testing"

	"paretoplay/algo/runlog"
)

// TestRecordEvery checks the number of steps between a log's records, and the limits of this number.
func TestRecordEvery(t *testing.T) {
	for _, c := range []struct{ steps, objectives, every, want int }{
		{2, 2, 0, 1}, {599, 40, 0, 1}, {600, 40, 0, 2}, {6000, 2, 0, 20}, {1000, 2, 7, 7}, {500, 200, 0, 5},
	} {
		got, err := recordEvery(c.steps, c.objectives, c.every)
		if err != nil || got != c.want {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
		if records := int64(c.steps / got); records*runlog.RecordBytes(c.objectives) > maxLog {
			t.Errorf("%+v: got too many records: %d", c, records)
		}
	}
	for want, c := range map[string][3]int{"fewer than two records": {10, 2, 10}, "take more than the maximum of 64 MB": {500, 200, 2}} {
		if _, err := recordEvery(c[0], c[1], c[2]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
