package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestRows checks that rows are written, rounded and read back. Texts of rows with another form must be rejected and
// must change nothing.
func TestRows(t *testing.T) {
	type cell struct{ rows Rows }
	column := RowsColumn("each", func(c *cell) *Rows { return &c.rows }, RowsForm[cell]{
		Shape: func(*cell) (rows, numbers int) { return 2, 2 }, Digits: 3, Kind: "length", Allowed: func(v float64) bool { return v >= 0 },
		Check: func(_ *cell, rows Rows) error {
			if rows[0][0] == 9 {
				return errors.New("nine")
			}
			return nil
		},
	})
	var c cell
	c.rows.Add([]float64{1.23456, 2})
	c.rows.Add([]float64{math.Inf(1), 4})
	c.rows.Round(3)
	if got := c.rows.Number(0); !slices.Equal(got, []float64{1.23, math.Inf(1)}) {
		t.Errorf("got first numbers %v", got)
	}
	if got := c.rows.Each(func(row []float64) float64 { return row[1] - 1 }); !slices.Equal(got, []float64{1, 3}) {
		t.Errorf("Each: got %v", got)
	}
	text := field(column.value(&c))
	record, err := json.Marshal((&Plan[cell]{Columns: []Column[cell]{column}}).recorded(&c))
	if text != "1.23 2.0;+Inf 4.0" || string(record) != `{"each":[[1.23,2],[null,4]]}` || err != nil {
		t.Errorf("got CSV %q, JSON %s, error %v", text, record, err)
	}
	again := cell{Rows{{7, 7}}}
	for wrong, want := range map[string]string{
		"": "1 rows", "1 2": "1 rows", "1 2;3": "row 2 has 1", "1 2;3 -4": `"-4" is not a length`, "1 2;3 x": `"x" is not a length`,
		"1 2;3 1.2345": "of 3 digits", "9 2;3 4": "nine",
	} {
		if err := column.read(&again, wrong); err == nil || !strings.Contains(err.Error(), want) || fmt.Sprint(again.rows) != "[[7 7]]" {
			t.Errorf("%q: %v, %v", wrong, err, again.rows)
		}
	}
	if err := column.read(&again, text); err != nil || fmt.Sprint(again.rows) != fmt.Sprint(c.rows) {
		t.Errorf("got rows %v, error %v", again.rows, err)
	}
}

// TestMembers checks that JSON contains a cell's keys, values and members, and that CSV contains its keys, settings,
// shown columns and values. InJSON must change what JSON contains.
func TestMembers(t *testing.T) {
	type cell struct{}
	is := func(v any) func(*cell) any { return func(*cell) any { return v } }
	p := Plan[cell]{Cells: make([]cell, 1), Parts: func(*cell) (done, wanted int) { return 1, 1 }, Columns: []Column[cell]{
		Key("key", is("k")), Setting("setting", is(1)), Member("member", is(map[string]int{"a": 1})), Shown("shown", is(math.NaN())),
		Shown("both", is(true)).InJSON(true), Value("value", is([]float64{math.NaN(), math.NaN()}), nil),
		Value("file", is(2.5), nil).InJSON(false),
	}}
	g := NewGrid(p)
	record, err := json.Marshal(g.Records())
	if want := `[{"both":true,"key":"k","member":{"a":1},"value":[null,null]}]`; string(record) != want || err != nil {
		t.Errorf("got JSON %s, error %v, want %s", record, err, want)
	}
	var file strings.Builder
	if err := g.WriteCSV(&file); err != nil || file.String() != "key,setting,shown,both,value,file\nk,1,,true,,2.5\n" {
		t.Errorf("got CSV %q, error %v", file.String(), err)
	}
}
