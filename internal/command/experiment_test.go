package command

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/engine/experiment"
)

// TestExperiments checks that every experiment runs in its quick form. In short mode it runs every fourth experiment,
// because the experiments' own packages test them too.
func TestExperiments(t *testing.T) {
	for i := range Experiments {
		e := &Experiments[i]
		if found, err := FindExperiment(e.Name); err != nil || found != e {
			t.Error(err)
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel() // experiments that measure times use one core
			if e.Name == "" || e.Title == "" {
				t.Errorf("experiment %+v lacks words", e)
			}
			if testing.Short() && i%4 > 0 {
				t.Skip("make test-long runs it here too")
			}
			outcome, err := e.Run(experiment.Options{Seeds: 1, Quick: true, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := outcome.WriteCSV(&b); err != nil || strings.Count(b.String(), "\n") < 2 {
				t.Errorf("%q, error %v", b.String(), err)
			}
			var j bytes.Buffer
			if err := outcome.WriteJSON(&j); err != nil || !strings.Contains(j.String(), `"experiment":"`+e.Name+`"`) {
				t.Errorf("JSON %.80q, error %v", j.String(), err)
			}
		})
	}
	if _, err := FindExperiment("zzz"); err == nil || !strings.Contains(err.Error(), "available: fonseca-staleness") {
		t.Errorf("zzz: %v", err)
	}
}

// TestProgressText checks that the text contains the finished share and, as soon as it can be estimated, the time left.
func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		done, resumed float64
		elapsed       time.Duration
		want          string
	}{
		{0.25, 0.25, 0, " 25 %"},
		{0.5, 0, 700 * time.Millisecond, " 50 %, 1 s left"},
		{0.5, 0, 59 * time.Second, " 50 %, 59 s left"},
		{0.5, 0, 59100 * time.Millisecond, " 50 %, 1 min left"},
		{0.5, 0, 61 * time.Second, " 50 %, 2 min left"},
		{0.75, 0.5, 90 * time.Minute, " 75 %, 1 h 30 min left"},
		{0.005, 0, 30 * time.Minute, "  0 %, 99 h 30 min left"},
		{1, 0, time.Hour, "100 %"},
		{1, 1, 0, "100 %"},
	} {
		got := progressText(experiment.Progress{Done: c.done, Resumed: c.resumed}, c.elapsed)
		if got != c.want || len(got) > progressWidth {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
