package files

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"paretoplay/algo"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Iterate is one iteration of a run, in the form that files contain. For a run that may hold several solutions, X, F
// and Weights are lists of rows, and Stationarity lists one number per row.
type Iterate struct {
	K            int     `json:"k"`
	X            any     `json:"x"`
	F            any     `json:"f"`
	Weights      any     `json:"weights"`
	Stationarity any     `json:"stationarity"`
	BP           int     `json:"bp"`
	Further      Further `json:"-"` // written as separate fields after the other fields
}

// IterateOf converts a row of r to an Iterate.
func IterateOf(r *timeline.Run, row timeline.Row) Iterate {
	out := Iterate{K: row.K, X: listed(r, row.X), F: listed(r, row.F), Weights: weightsOf(r, row), BP: row.BP, Further: furtherOf(r, row)}
	stationarity := make([]data.Number, len(row.Stationarities))
	for i, v := range row.Stationarities {
		stationarity[i] = data.Number(v)
	}
	if out.Stationarity = stationarity; !r.Several {
		out.Stationarity = stationarity[0]
	}
	return out
}

// listed returns a run's numbers for JSON: one list, or one list per solution if the run may hold several. It returns nil
// for nil values.
func listed(r *timeline.Run, values []float64) any {
	switch {
	case values == nil:
		return nil
	case !r.Several:
		return values
	}
	rows := make([][]float64, r.Solutions())
	length := len(values) / len(rows)
	for i := range rows {
		rows[i] = values[i*length : (i+1)*length]
	}
	return rows
}

// weightsOf applies listed to a row's weights, with null for a solution without weights in the step.
func weightsOf(r *timeline.Run, row timeline.Row) any {
	if row.Weights == nil || !r.Several {
		return listed(r, row.Weights)
	}
	rows := make([][]float64, r.Solutions())
	for i := range rows {
		rows[i] = timeline.Track{Run: r, Solution: i}.Of(row).Weights
	}
	return rows
}

// table turns the solutions' consecutive lists into rows with one number per solution.
func table(lists []float64, size int) [][]float64 {
	rows := make([][]float64, size)
	for i := range rows {
		for at := i; at < len(lists); at += size {
			rows[i] = append(rows[i], lists[at])
		}
	}
	return rows
}

// StartOf returns a run's start: one point, or one point per solution if the run may hold several. It returns nil if rows
// hold no points.
func StartOf(r *timeline.Run) any {
	if r.Unlocated {
		return nil
	}
	if r.Several {
		return r.Starts
	}
	return r.Starts[0]
}

// MarshalJSON encodes the standard fields, followed by the further fields.
func (i Iterate) MarshalJSON() ([]byte, error) {
	type plain Iterate
	return i.Further.Beside(plain(i))
}

// Further lists the fields that a scene's runs record in addition to the standard fields.
type Further []FurtherField

// FurtherField is one field of Further. Its value is a number, a list, or nil for null.
type FurtherField struct {
	Name  string
	Value any
}

// furtherOf returns the further fields of a row of r. A number with one value per solution becomes a list.
func furtherOf(r *timeline.Run, row timeline.Row) Further {
	var out Further
	row.Further(func(e timeline.Extra, values []float64) {
		f := FurtherField{Name: e.Name}
		each := e.Each && r.Several
		switch {
		case values == nil:
		case e.Size == 0 && !each:
			f.Value = data.Number(values[0])
		case !algo.Finite(values): // omit a whole list if a number is missing
		case e.Size > 0 && each && e.Table:
			f.Value = table(values, e.Size)
		case e.Size > 0 && each:
			f.Value = listed(r, values)
		default:
			f.Value = values
		}
		out = append(out, f)
	})
	return out
}

// unclosed marshals an object with at least one field, without the closing brace.
func unclosed(v any) ([]byte, error) {
	out, err := json.Marshal(v)
	return bytes.TrimSuffix(out, []byte("}")), err
}

// Beside marshals the object v with the further fields at the end.
func (f Further) Beside(v any) ([]byte, error) {
	out, err := unclosed(v)
	if err != nil {
		return nil, err
	}
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

// runRecord is a run in the form that files contain, without the iterates. Files add them in the field iterates.
type runRecord struct {
	Name     string    `json:"name"`
	Method   string    `json:"method"`
	Start    any       `json:"start"`
	Status   string    `json:"status"`
	Diverged *Diverged `json:"diverged,omitempty"`
}

// record is the first part of the object that run -json writes and the page exports. The fields runs and results follow.
type record struct {
	Scene  string          `json:"scene"`
	Params map[string]any  `json:"params"`
	Base   map[string]any  `json:"base,omitempty"` // values at k = 0 of the parameters that the log changes
	Log    []link.LogEntry `json:"log,omitempty"`
}

// each calls f for every `every`-th iteration of a run, and for the last iteration.
func (s Source) each(r *timeline.Run, every int, f func(timeline.Row) error) error {
	for k := 0; ; k = min(k+every, r.Last()) {
		row, err := s.Scene.Timeline().At(r, k)
		if err != nil {
			return err
		}
		if err := f(row); err != nil || k == r.Last() {
			return err
		}
	}
}

// WriteJSON writes every `every`-th iteration of each run, and its last iteration; every must be at least 1. It writes
// each row immediately, because a long run as one object would need many times the file's size in memory.
func (s Source) WriteJSON(w io.Writer, every int) error {
	params := s.Scene.Params()
	out := record{Scene: s.About.ID, Params: map[string]any{}, Base: link.JSONValues(params, s.Base)}
	results, err := s.details()
	if err != nil {
		return err
	}
	for _, name := range params.Names() {
		out.Params[name] = params.Value(name)
	}
	out.Log = append(out.Log, link.JSONLog(params, s.Scene.Timeline().Log())...)
	b := bufio.NewWriter(w)
	if err := open(b, out, "runs"); err != nil {
		return err
	}
	for i, r := range s.Scene.Timeline().Runs() {
		if i > 0 {
			b.WriteByte(',')
		}
		head := runRecord{Name: r.Name, Method: r.Method, Start: StartOf(r), Status: r.Status().String(), Diverged: DivergedOf(r)}
		if err := open(b, head, "iterates"); err != nil {
			return err
		}
		first := true
		err := s.each(r, every, func(row timeline.Row) error {
			data, err := json.Marshal(IterateOf(r, row))
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.Write(data)
			return err
		})
		if err != nil {
			return err
		}
		b.WriteString("]}")
	}
	data, err := json.Marshal(results)
	if err != nil {
		return err
	}
	b.WriteString(`],"results":`)
	b.Write(data)
	b.WriteString("}\n")
	return b.Flush()
}

// open writes an object that has at least one field, without the closing brace. It adds the name and the opening
// bracket of a last field, which is a list.
func open(b *bufio.Writer, of any, list string) error {
	data, err := unclosed(of)
	if err != nil {
		return err
	}
	b.Write(data)
	b.WriteString(`,"` + list + `":[`)
	return nil
}

// details returns the scene's results for files.
func (s Source) details() (any, error) {
	if details := s.Scene.Extras().Details; details != nil {
		return details()
	}
	return s.Scene.Results(), nil
}

// WriteCSV writes one line per iteration with run, method, k, x1…, f1…, weight1…, stationarity, bp, and the further
// numbers that the runs record. A missing number gives an empty cell. Numbers have a decimal point or an exponent,
// except in columns of whole numbers such as k and bp.
//
// If the runs can hold several solutions, each solution has a separate line. The column solution, which follows k,
// holds the number of the solution, from 1, and bp is the run's total. For a scene without runs, WriteCSV writes the
// scene's own table. If runs wait for data, the heading lacks the columns that depend on the data.
func (s Source) WriteCSV(w io.Writer, every int) error {
	if static, is := scene.AsStatic(s.Scene); is {
		return static.WriteCSV(w)
	}
	out := csv.NewWriter(w)
	var sizes []int // sizes of the further numbers
	head := []string{"run", "method", "k"}
	if s.About.Several {
		head = append(head, "solution")
	}
	if tracks := s.Scene.Timeline().Tracks(); len(tracks) == 0 {
		head = append(head, "stationarity", "bp")
	} else {
		first := tracks[0].Kept(0)
		head = numbered(head, "x", len(first.X))
		head = numbered(head, "f", len(first.F))
		head = numbered(head, "weight", len(first.F))
		head = append(head, "stationarity", "bp")
		sizes = furtherSizes(s.Scene.Timeline().Runs())
		i := 0
		first.Further(func(e timeline.Extra, _ []float64) {
			if sizes[i] == 0 {
				head = append(head, e.Name)
			} else {
				head = numbered(head, e.Name, sizes[i])
			}
			i++
		})
	}
	if err := out.Write(head); err != nil {
		return err
	}
	var line []string
	for _, r := range s.Scene.Timeline().Runs() {
		err := s.each(r, every, func(row timeline.Row) error {
			for i := range r.Solutions() {
				line = append(line[:0], r.Name, r.Method, strconv.Itoa(row.K))
				if s.About.Several {
					line = append(line, strconv.Itoa(i+1))
				}
				line = cells(line, timeline.Track{Run: r, Solution: i}.Of(row), row.BP, sizes)
				if err := out.Write(line); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// furtherSizes returns the size of each further number, as the maximum over all runs.
func furtherSizes(runs []*timeline.Run) (sizes []int) {
	for _, r := range runs {
		i := 0
		r.Kept(0).Further(func(e timeline.Extra, _ []float64) {
			if i == len(sizes) {
				sizes = append(sizes, 0)
			}
			sizes[i] = max(sizes[i], e.Size)
			i++
		})
	}
	return sizes
}

// cells appends the cells of one solution to line. sizes holds the number of cells of each additional
// quantity.
func cells(line []string, row timeline.Row, bp int, sizes []int) []string {
	line = numbers(line, row.X)
	line = numbers(line, row.F)
	if row.Weights == nil {
		line = append(line, make([]string, len(row.F))...)
	}
	line = numbers(line, row.Weights)
	line = append(numbers(line, []float64{row.Stationarity}), strconv.Itoa(bp))
	row.Further(func(e timeline.Extra, values []float64) {
		if e.Whole {
			line = wholes(line, values)
		} else {
			line = numbers(line, values)
		}
		line = append(line, make([]string, max(sizes[0], 1)-len(values))...)
		sizes = sizes[1:]
	})
	return line
}

func numbered(head []string, name string, n int) []string {
	for i := range n {
		head = append(head, fmt.Sprintf("%s%d", name, i+1))
	}
	return head
}

// wholes appends whole numbers to line.
func wholes(line []string, v []float64) []string {
	for _, x := range v {
		text := ""
		if !math.IsNaN(x) {
			text = strconv.FormatFloat(x, 'f', -1, 64)
		}
		line = append(line, text)
	}
	return line
}

func numbers(line []string, v []float64) []string {
	for _, x := range v {
		line = append(line, data.Real(x))
	}
	return line
}

// Diverged describes where a run's numbers stopped being finite.
type Diverged struct {
	K        int    `json:"k"`
	Quantity string `json:"quantity"`
	// Objective is the number, from 1, of the first objective with a non-finite value. It is 0 if Quantity belongs to all
	// objectives.
	Objective int `json:"objective,omitempty"`
}

// DivergedOf returns where a run's numbers stopped being finite, or nil if they are all finite.
func DivergedOf(r *timeline.Run) *Diverged {
	if d := r.Divergence(); d.Quantity != "" {
		return &Diverged{d.K, d.Quantity, d.Objective}
	}
	return nil
}
