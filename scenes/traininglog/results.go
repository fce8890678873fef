package traininglog

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Results are the scene's results for the state and for files.
type Results struct {
	*runlog.Report
	Verdict []runlog.Sentence `json:"verdict"`
	Limits  string            `json:"limits"` // what a log cannot show
}

// Results returns the results, or nil while there is no report.
func (s *Scene) Results() any {
	if s.report == nil {
		return nil
	}
	return &Results{s.report, s.report.Verdict(), runlog.Limits}
}

// Conclusions returns the verdict, followed by a sentence about what a log cannot show.
func (s *Scene) Conclusions() *scene.Conclusions {
	out := &scene.Conclusions{Heading: verdictHeading}
	if s.report == nil {
		return out
	}
	for _, sentence := range s.report.Verdict() {
		changed := s.changes[sentence.ID]
		out.Sentences = append(out.Sentences, scene.Conclusion{ID: sentence.ID, Text: sentence.Text, Holds: sentence.Holds,
			Panel: string(sentence.Figure), Was: changed.was, Since: changed.since})
	}
	for _, text := range s.report.Remarks() {
		out.Sentences = append(out.Sentences, scene.Conclusion{ID: "records", Text: text})
	}
	out.Sentences = append(out.Sentences, scene.Conclusion{ID: "limits", Text: runlog.Limits})
	return out
}

const verdictHeading = "The verdict"

// Readout returns the table of the methods.
func (s *Scene) Readout() timeline.Readout {
	out := timeline.Readout{Rows: []timeline.ReadoutRow{}, Columns: []timeline.Column{
		{Label: "harm"}, {Label: "hurt"}, {Label: "hurt on another batch"}, {Symbol: "R", Label: fmt.Sprintf("harm with R = %d", s.values.R)},
		{Label: "harm of fixed mean weights"},
	}}
	if s.report == nil {
		return out
	}
	independent := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return percent(*v)
	}
	e := &s.report.Equal
	out.Rows = append(out.Rows, timeline.ReadoutRow{Method: "ls", Label: "Equal weights",
		Cells: []string{timeline.Number(e.Harm), percent(e.Hurt), independent(e.Independent), "–", "–"}})
	for i := range s.report.Methods {
		m := &s.report.Methods[i]
		cells := []string{timeline.Number(m.Harm), percent(m.Hurt), independent(m.Independent), "–", "–"}
		for _, stale := range m.Stale {
			if stale.R == s.values.R {
				cells[3] = timeline.Number(stale.Harm)
			}
		}
		if m.Fixed != nil {
			cells[4] = timeline.Number(m.Fixed.Harm)
		}
		out.Rows = append(out.Rows, timeline.ReadoutRow{Method: m.Name, Label: title(m.Name), Cells: cells})
	}
	return out
}

// WriteCSV writes one line per method and period, with the columns of replay.
func (s *Scene) WriteCSV(w io.Writer) error {
	rows := [][]string{{"method", "R", "hurt", "harm", "independent", "backprops"}}
	independent := func(v *float64) string {
		if v == nil {
			return ""
		}
		return data.Real(*v)
	}
	if r := s.report; r != nil {
		rows = append(rows, []string{"equal", "", data.Real(r.Equal.Hurt), data.Real(r.Equal.Harm), independent(r.Equal.Independent),
			data.Real(1)})
		for i := range r.Methods {
			for _, stale := range r.Methods[i].Stale {
				other := ""
				if stale.R == 1 {
					other = independent(r.Methods[i].Independent)
				}
				rows = append(rows, []string{r.Methods[i].Name, strconv.Itoa(stale.R), data.Real(stale.Hurt), data.Real(stale.Harm), other,
					data.Real(stale.Backprops)})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
