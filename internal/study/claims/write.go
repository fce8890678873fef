package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText writes the rows as text for readers, paper by paper, with the number of claims per verdict.
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
		fmt.Fprintf(&b, "\n  %s (%s)  %s\n", r.Name, r.Section, r.Claim)
		entry := func(name, text string) {
			if text != "" {
				fmt.Fprintf(&b, "    %-9s%s\n", name, text)
			}
		}
		entry("paper", join(r.Stated, r.Setting))
		if r.Because != "" {
			entry("verdict", fmt.Sprintf("%s: %s", r.Verdict, r.Because))
			continue
		}
		entry("here", r.Here)
		entry("choices", r.Choices)
		if len(r.Parts) == 1 {
			entry("found", fmt.Sprintf("%s  [%s]", r.Parts[0].Ours, r.Source))
		} else {
			for _, p := range r.Parts {
				entry("found", fmt.Sprintf("%s: %s: %s  [%s]", p.Of, p.Verdict, p.Ours, r.Source))
			}
		}
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

// join joins the non-empty texts with semicolons.
func join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "; ")
}

// WriteMarkdown writes one table per paper. A claim has one line for the paper, one for us, and one per part if it has
// several. Our line names the file that its figures were read from. If it names no file, the figures were computed.
func WriteMarkdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	line := func(cells ...any) { fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cells...) }
	paper := ""
	for _, r := range rows {
		if r.Paper != paper {
			if paper != "" {
				b.WriteByte('\n')
			}
			paper = r.Paper
			fmt.Fprintf(&b, "## %s\n\n| claim | by | setting | figure | verdict |\n|---|---|---|---|---|\n", paper)
		}
		line(fmt.Sprintf("`%s` (%s): %s", r.Name, r.Section, r.Claim), "paper", r.Setting, r.Stated, "")
		check, found := "", r.Because
		if r.Check != "" {
			check = "shown by `" + r.Check + "`"
		}
		if file, kept := strings.CutPrefix(r.Source, keptIn); kept {
			found = "from " + file
		}
		if len(r.Parts) == 1 {
			found = r.Parts[0].Ours
			if file, kept := strings.CutPrefix(r.Source, keptIn); kept {
				found += " (" + file + ")"
			}
		}
		setting := r.Here
		if r.Choices != "" {
			setting += ". *Our choices*: " + r.Choices
		}
		line(check, "here", setting, found, "**"+string(r.Verdict)+"**")
		if len(r.Parts) > 1 {
			for _, p := range r.Parts {
				line("", "", "– "+p.Of, p.Ours, string(p.Verdict))
			}
		}
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
