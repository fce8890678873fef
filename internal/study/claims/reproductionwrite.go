package claims

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// repetitions returns a note that says how many runs each cell is based on.
func (r *Reproduction) repetitions() string { return fmt.Sprintf("%d runs per cell", r.Runs) }

// counts returns a note that says how many comparisons have each verdict.
func (r *Reproduction) counts() string {
	var parts []string
	for _, m := range matches {
		if n := r.Count(m); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, m))
		}
	}
	return strings.Join(parts, "; ")
}

// WriteText writes the table as text for readers.
func (r *Reproduction) WriteText(w io.Writer) error {
	var t experiment.Text
	t.Trimmed = true
	t.Printf("%s: the paper on %s beside ours, %s\n\npaper    %s\nhere     %s\n", r.Experiment, r.Paper, r.repetitions(), r.Theirs,
		strings.ReplaceAll(r.Here, "*", ""))
	if r.Lacks != "" {
		t.Printf("lacks    %s\n", r.Lacks)
	}
	t.Printf("judged   %s\n", JudgedBy)
	for i := range r.Groups {
		g := &r.Groups[i]
		t.Printf("\n%s (%s)\n\n", g.Title, g.Quantity)
		experiment.WriteRows(&t, g.Rows, []experiment.TextColumn[Comparison]{
			{Head: "", Entry: func(c Comparison) string { return c.Of }},
			{Head: "place", Entry: func(c Comparison) string { return c.Place }},
			{Head: "paper", Entry: func(c Comparison) string { return c.Says }},
			{Head: "ours", Entry: func(c Comparison) string { return c.OursText() }},
			{Head: "verdict", Entry: func(c Comparison) string { return string(c.Match) }},
		}...)
	}
	t.Printf("\n%s\n", r.counts())
	return t.Show(w)
}

// WriteMarkdown writes the table in Markdown.
func (r *Reproduction) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	cell := func(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
	fmt.Fprintf(&b, "# `%s`: the paper on %s beside ours\n\n", r.Experiment, r.Paper)
	fmt.Fprintf(&b, "* *The paper*: %s.\n* *Here*: %s; %s.\n", r.Theirs, r.Here, r.repetitions())
	if r.Lacks != "" {
		fmt.Fprintf(&b, "* *Not computed*: %s.\n", r.Lacks)
	}
	fmt.Fprintf(&b, "* *Verdicts*: %s.\n\n%s\n", r.counts(), JudgedBy)
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(&b, "\n## %s\n\n| %s | place in the paper | published | ours | verdict |\n|---|---|---|---|---|\n", g.Title, cell(g.Quantity))
		for k := range g.Rows {
			c := &g.Rows[k]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | **%s** |\n", cell(c.Of), cell(c.Place), cell(c.Says), cell(c.OursText()), c.Match)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCSV writes one line per comparison. Unknown numbers are empty.
func (r *Reproduction) WriteCSV(w io.Writer) error {
	number := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return data.Real(v)
	}
	out := [][]string{{"experiment", "paper", "group", "quantity", "of", "place", "says", "published", "published_low", "published_high",
		"ours", "ours_low", "ours_high", "runs", "failed", "note", "verdict"}}
	for i := range r.Groups {
		g := &r.Groups[i]
		for k := range g.Rows {
			c := &g.Rows[k]
			out = append(out, []string{r.Experiment, r.Paper, g.Title, g.Quantity, c.Of, c.Place, c.Says, number(c.Figure.Value),
				number(c.Figure.Low), number(c.Figure.High), number(c.Ours.Value), number(c.Ours.Low), number(c.Ours.High),
				strconv.Itoa(c.Runs), strconv.Itoa(c.Failed), c.Note, string(c.Match)})
		}
	}
	return csv.NewWriter(w).WriteAll(out)
}

// reproducedRow is a comparison in JSON. Its fields are named like the columns of the CSV file. Unknown numbers are
// null.
type reproducedRow struct {
	Group         string      `json:"group"`
	Quantity      string      `json:"quantity"`
	Of            string      `json:"of"`
	Place         string      `json:"place"`
	Says          string      `json:"says"`
	Published     data.Number `json:"published"`
	PublishedLow  data.Number `json:"published_low"`
	PublishedHigh data.Number `json:"published_high"`
	Ours          data.Number `json:"ours"`
	OursLow       data.Number `json:"ours_low"`
	OursHigh      data.Number `json:"ours_high"`
	Runs          int         `json:"runs"`
	Failed        int         `json:"failed"`
	Note          string      `json:"note"`
	Verdict       Match       `json:"verdict"`
}

// WriteJSON writes {"experiment", "paper", "theirs", "here", "lacks", "runs", "judged", "rows"}, where rows has one entry per
// comparison.
func (r *Reproduction) WriteJSON(w io.Writer) error {
	rows := []reproducedRow{}
	for i := range r.Groups {
		g := &r.Groups[i]
		for k := range g.Rows {
			c := &g.Rows[k]
			rows = append(rows, reproducedRow{
				Group: g.Title, Quantity: g.Quantity, Of: c.Of, Place: c.Place, Says: c.Says,
				Published: data.Number(c.Figure.Value), PublishedLow: data.Number(c.Figure.Low), PublishedHigh: data.Number(c.Figure.High),
				Ours: data.Number(c.Ours.Value), OursLow: data.Number(c.Ours.Low), OursHigh: data.Number(c.Ours.High),
				Runs: c.Runs, Failed: c.Failed, Note: c.Note, Verdict: c.Match,
			})
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Experiment string          `json:"experiment"`
		Paper      string          `json:"paper"`
		Theirs     string          `json:"theirs"`
		Here       string          `json:"here"`
		Lacks      string          `json:"lacks"`
		Runs       int             `json:"runs"`
		Judged     string          `json:"judged"`
		Rows       []reproducedRow `json:"rows"`
	}{r.Experiment, r.Paper, r.Theirs, r.Here, r.Lacks, r.Runs, JudgedBy, rows})
}
