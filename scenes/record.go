package scenes

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"paretoplay/scenes/timeline"
)

// Iterate is one iteration of a run in files.
type Iterate struct {
	K            int       `json:"k"`
	X            []float64 `json:"x"`
	F            []float64 `json:"f"`
	Weights      []float64 `json:"weights"`
	Stationarity float64   `json:"stationarity"`
	BP           int       `json:"bp"`
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
			rec.Iterates = append(rec.Iterates, Iterate{row.K, row.X, row.F, row.Weights, row.Stationarity, row.BP})
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
// stationarity, bp. Weights that do not exist are empty. A scene without runs
// writes its own table.
func (s *Session) WriteCSV(w io.Writer, every int) error {
	if static, ok := s.scene.(Static); ok {
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
		if err := out.Write(append(head, "stationarity", "bp")); err != nil {
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
			return out.Write(append(numbers(line, []float64{row.Stationarity}), strconv.Itoa(row.BP)))
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
		line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return line
}
