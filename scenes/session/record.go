package session

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"paretoplay/scenes/scene"

	"paretoplay/algo"
	"paretoplay/scenes/timeline"
)

// Iterate is one iteration of a run in files.
type Iterate struct {
	K            int       `json:"k"`
	X            []float64 `json:"x"`
	F            []float64 `json:"f"`
	Weights      []float64 `json:"weights"`
	Stationarity Known     `json:"stationarity"`
	BP           int       `json:"bp"`
	Further      Further   `json:"-"` // fields of their own, after the others
}

// MarshalJSON writes the fields, then the further ones beside them.
func (i Iterate) MarshalJSON() ([]byte, error) {
	type plain Iterate
	return i.Further.beside(plain(i))
}

// Known is a number that files write as null where it is NaN, for what is not known,
// or infinite, for what has overflowed: JSON has neither.
type Known float64

// MarshalJSON writes the number, or null.
func (k Known) MarshalJSON() ([]byte, error) {
	if !algo.Finite([]float64{float64(k)}) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(k))
}

// Further is what a scene's runs record beside what every run does.
type Further []FurtherField

// FurtherField is one field: a number, a list, or nil for null.
type FurtherField struct {
	Name  string
	Value any
}

// furtherOf is that of a row of r.
func furtherOf(r *timeline.Run, row timeline.Row) Further {
	var out Further
	add := func(e timeline.Extra, values []float64) {
		f := FurtherField{Name: e.Name}
		switch {
		case values == nil:
		case e.Size == 0:
			f.Value = Known(values[0])
		case algo.Finite(values): // a list is there as a whole or not at all
			f.Value = values
		}
		out = append(out, f)
	}
	r.AtPoint.Each(row.AtPoint, add)
	r.OfStep.Each(row.OfStep, add)
	return out
}

// beside writes the object v with the further fields at its end.
func (f Further) beside(v any) ([]byte, error) {
	out, err := json.Marshal(v)
	if err != nil || len(f) == 0 {
		return out, err
	}
	out = out[:len(out)-1]
	for _, field := range f {
		name, err := json.Marshal(field.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(field.Value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// RunRecord is one run in files.
type RunRecord struct {
	Name     string    `json:"name"`
	Method   string    `json:"method"`
	Start    []float64 `json:"start"`
	Status   string    `json:"status"`
	Diverged *Diverged `json:"diverged,omitempty"`
	Iterates []Iterate `json:"iterates"`
}

// Record is what run -json writes and the page exports.
type Record struct {
	Scene   string         `json:"scene"`
	Params  map[string]any `json:"params"`
	Base    map[string]any `json:"base,omitempty"` // values at k = 0 of the parameters in the log
	Log     []LogEntry     `json:"log,omitempty"`
	Runs    []RunRecord    `json:"runs"`
	Results any            `json:"results"`
}

// each calls f for every `every`-th iteration of a run and for its last.
func (s *Session) each(r *timeline.Run, every int, f func(timeline.Row) error) error {
	for k := 0; ; k = min(k+every, r.Last()) {
		row, err := s.timeline().At(r, k)
		if err != nil {
			return err
		}
		if err := f(row); err != nil || k == r.Last() {
			return err
		}
	}
}

// WriteJSON writes the runs, every `every`-th iteration and the last, every ≥ 1.
func (s *Session) WriteJSON(w io.Writer, every int) error {
	params := s.scene.Params()
	out := Record{Scene: s.about.ID, Params: map[string]any{}, Base: s.baseJSON(), Runs: []RunRecord{}, Results: s.scene.Results()}
	for _, name := range params.Names() {
		out.Params[name] = params.Value(name)
	}
	for _, c := range s.timeline().Log() {
		out.Log = append(out.Log, LogEntry{c.K, c.Name, jsonValue(params, c.Name, c.Text)})
	}
	for _, r := range s.timeline().Runs() {
		rec := RunRecord{Name: r.Name, Method: r.Method, Start: r.Start, Status: r.Status().String(), Diverged: diverged(r)}
		err := s.each(r, every, func(row timeline.Row) error {
			rec.Iterates = append(rec.Iterates, Iterate{row.K, row.X, row.F, row.Weights, Known(row.Stationarity), row.BP, furtherOf(r, row)})
			return nil
		})
		if err != nil {
			return err
		}
		out.Runs = append(out.Runs, rec)
	}
	return json.NewEncoder(w).Encode(out)
}

// WriteCSV writes one line an iteration: run, method, k, x1…, f1…, weight1…,
// stationarity, bp, and what else the scene's runs record. What does not exist is
// empty. A scene without runs writes its own table.
func (s *Session) WriteCSV(w io.Writer, every int) error {
	if static, ok := s.scene.(scene.Static); ok {
		return static.WriteCSV(w)
	}
	out := csv.NewWriter(w)
	runs := s.timeline().Runs()
	if len(runs) > 0 {
		first := runs[0].Kept(0)
		head := []string{"run", "method", "k"}
		head = numbered(head, "x", len(first.X))
		head = numbered(head, "f", len(first.F))
		head = numbered(head, "weight", len(first.F))
		head = append(head, "stationarity", "bp")
		for _, extras := range []timeline.Extras{runs[0].AtPoint, runs[0].OfStep} {
			for _, e := range extras.List {
				if e.Size == 0 {
					head = append(head, e.Name)
				} else {
					head = numbered(head, e.Name, e.Size)
				}
			}
		}
		if err := out.Write(head); err != nil {
			return err
		}
	}
	var line []string
	for _, r := range runs {
		err := s.each(r, every, func(row timeline.Row) error {
			line = append(line[:0], r.Name, r.Method, strconv.Itoa(row.K))
			line = numbers(line, row.X)
			line = numbers(line, row.F)
			if row.Weights == nil {
				line = append(line, make([]string, len(row.F))...)
			}
			line = numbers(line, row.Weights)
			line = append(numbers(line, []float64{row.Stationarity}), strconv.Itoa(row.BP))
			for _, f := range []struct {
				extras timeline.Extras
				values []float64
			}{{r.AtPoint, row.AtPoint}, {r.OfStep, row.OfStep}} {
				if f.values == nil {
					line = append(line, make([]string, f.extras.Width())...)
				}
				line = numbers(line, f.values)
			}
			return out.Write(line)
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func numbered(head []string, name string, n int) []string {
	for i := range n {
		head = append(head, fmt.Sprintf("%s%d", name, i+1))
	}
	return head
}

func numbers(line []string, v []float64) []string {
	for _, x := range v {
		if math.IsNaN(x) {
			line = append(line, "")
			continue
		}
		line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return line
}
