package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteText writes the rows for people, paper by paper, and how many there are of each verdict.
func WriteText(w io.Writer, rows []Row) error {
	var b strings.Builder
	paper := ""
	for _, r := range rows {
		if r.Paper != paper {
			if paper != "" {
				b.WriteByte('\n')
			}
			paper = r.Paper
			fmt.Fprintln(&b, paper)
		}
		fmt.Fprintf(&b, "\n  %s  %s\n", r.Section, r.Claim)
		entry := func(name, text string) { fmt.Fprintf(&b, "    %-9s%s\n", name, text) }
		entry("paper", r.Stated)
		if r.Source == "" {
			entry("verdict", fmt.Sprintf("%s: %s", r.Verdict, r.Ours))
			continue
		}
		entry("ours", fmt.Sprintf("%s  [%s]", r.Ours, r.Source))
		entry("verdict", string(r.Verdict))
		entry("check", r.Check)
	}
	b.WriteByte('\n')
	for _, v := range verdicts {
		n := 0
		for _, r := range rows {
			if r.Verdict == v {
				n++
			}
		}
		fmt.Fprintf(&b, "%3d %s\n", n, v)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes the rows as a table. Ours names the file from which it is read; numbers
// that name none are computed.
func WriteMarkdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("| paper | claim | the paper’s figure | ours | verdict | shown by |\n|---|---|---|---|---|---|\n")
	for _, r := range rows {
		ours, check := r.Ours, ""
		if file, kept := strings.CutPrefix(r.Source, keptIn); kept {
			ours += " (" + file + ")"
		}
		if r.Check != "" {
			check = "`" + r.Check + "`"
		}
		fmt.Fprintf(&b, "| %s, %s | %s | %s | %s | **%s** | %s |\n", r.Paper, r.Section, r.Claim, r.Stated, ours, r.Verdict, check)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the rows as a list.
func WriteJSON(w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(rows)
}
