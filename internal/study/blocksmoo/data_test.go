package blocksmoo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// weather returns a user's table: hours in random order, features, a column of words and three responses.
func weather(rows int) string {
	var b strings.Builder
	b.WriteString("No,hour,temp,rain,wind,PM2.5,PM10,SO2\n")
	for i := range rows {
		at := i * 7 % rows
		a, c, wind := math.Sin(float64(3*at)), math.Cos(float64(5*at)), []string{"N", "S", "W"}[at%3]
		fmt.Fprintf(&b, "%d,%d,%.4f,%.4f,%s,%.4f,%.4f,%.4f\n", at+1, at%24, a, c, wind, a+0.1*math.Sin(float64(11*at)),
			a-c+0.1*math.Cos(float64(13*at)), c+float64(at%3))
	}
	return b.String()
}

func tabled(t *testing.T, file string, settings map[string]string) (Config, error) {
	t.Helper()
	return configFor(experiment.Options{Quick: true, Seeds: 1, Data: strings.NewReader(file), Settings: settings})
}

// TestTable checks that a user's table replaces the drawn data.
func TestTable(t *testing.T) {
	settings := map[string]string{"responses": "PM2.5,PM10,SO2", "without": "No", "order": "No", "train": "0.75", "rank": "2"}
	c, err := tabled(t, weather(40), settings)
	if err != nil {
		t.Fatal(err)
	}
	if train, d, q := c.Race.shape(); train != 30 || d != 5 || q != 3 || c.Race.Table.Test.Examples() != 10 || c.Batch != 30 || c.Rank != 2 {
		t.Errorf("%d rows of %d features and %d responses, %d for tests, batches of %d, r = %d", train, d, q, c.Race.Table.Test.Examples(),
			c.Batch, c.Rank)
	}
	for _, f := range c.Fronts {
		if f.Table != c.Race.Table || f.Sum != 6 || f.Rank > 3 {
			t.Errorf("%+v", f)
		}
	}
	c.Budget, c.Records, c.Tuning, c.Runs = 0.002, []float64{0.001, 0.002}, 2, 2
	s := tables.Complete(t, c, 2)
	var text strings.Builder
	const title = "30 rows for training, 10 for testing, d = 5, q = 3 (PM2.5, PM10, SO2)"
	if err := s.WriteText(&text); err != nil || !strings.Contains(text.String(), title) || strings.Contains(text.String(), "paper") {
		t.Errorf("%s, %v", text.String(), err)
	}
	// Tables do not resume from the file of another table.
	full := experimenttest.CSV(t, s)
	same := tables.Begin(t, c)
	if err := experiment.Resume(same.Grid, strings.NewReader(full)); err != nil || !same.Finished() {
		t.Error(err)
	}
	settings["order"] = "hour"
	other, err := tabled(t, weather(40), settings)
	if err != nil {
		t.Fatal(err)
	}
	other.Budget, other.Records, other.Tuning, other.Runs = c.Budget, c.Records, c.Tuning, c.Runs
	if err := experiment.Resume(tables.Begin(t, other).Grid, strings.NewReader(full)); err == nil {
		t.Error("it goes on from the file of another table")
	}
	delete(settings, "rank")
	delete(settings, "train")
	settings["responses"] = "PM10,SO2"
	c, err = tabled(t, weather(40), settings)
	if err != nil || c.Rank != 2 || len(c.Fronts) != 4 || c.Fronts[0].Rank != 1 || c.Race.Table.Train.Examples() != 28 {
		t.Errorf("r = %d, %d fronts, %v", c.Rank, len(c.Fronts), err)
	}
	// With many responses, the sums of the frequencies are smaller.
	full20 := Default()
	for _, q := range []int{2, 3, 4, 5, 12} {
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}[:q]
		file := strings.Join(names, ",") + ",x\n"
		for i := range 10 {
			for k := range names {
				file += fmt.Sprintf("%d,", i*i%(k+3))
			}
			file += fmt.Sprintf("%d\n", i)
		}
		c, err := full20.with(strings.NewReader(file), map[string]string{"responses": strings.Join(names, ","), "rank": "1"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int]int{2: 20, 3: 20, 4: 10, 5: 6, 12: 2}[q]
		if len(c.Fronts) == 0 || c.Fronts[0].Sum != want || c.Fronts[0].Rank != 1 {
			t.Errorf("of %d responses: %+v, want the sum %d and r = 1", q, c.Fronts, want)
		}
	}
}

// TestTableRefused checks that errors name the problem with a table or its settings.
func TestTableRefused(t *testing.T) {
	two := map[string]string{"responses": "PM2.5,PM10"}
	for _, x := range []struct {
		file     string
		settings map[string]string
		want     string
	}{
		{"a,b\n1,2\n3,x\n", two, `-data: line 3, column 2, "b": "x" is not a number; the column began with one`},
		{"", two, "-data: the file is empty"},
		{weather(20), nil, "-set responses = none: at least one of: No, hour, temp, rain, PM2.5, PM10, SO2"},
		{weather(20), map[string]string{"responses": "PM2.5"}, "-set responses: there are 1; allowed are 2 to 20"},
		{weather(20), map[string]string{"responses": "PM2.5,pm10"}, `-set responses = "pm10": unknown column`},
		{weather(20), map[string]string{"responses": "PM2.5,wind"}, `-set responses = "wind": a column of words`},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "without": "none"}, `-set without = "none"`},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "order": "wind"}, `-set order = "wind"`},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "train": "1"}, "-set train = 1"},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "train": "most"}, "-set train=most: not a number"},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "rank": "3"}, "-set rank=3: must be from 1 to 2"},
		{weather(20), map[string]string{"responses": "PM2.5,PM10", "rank": "x"}, "-set rank=x: must be from 1 to 2"},
	} {
		if _, err := tabled(t, x.file, x.settings); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v, want %s", x.settings, err, x.want)
		}
	}
	if _, err := configFor(experiment.Options{Seeds: 1, Settings: two}); err == nil {
		t.Error("settings without a table are taken")
	}
}
