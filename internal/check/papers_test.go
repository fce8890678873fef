package check

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/study/claims"
)

// paperRow is a row of docs/sentences-of-papers.md: a sentence, its place and its state.
var paperRow = regexp.MustCompile(`^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)

// TestSentencesOfPapers: docs/sentences-of-papers.md names every claim in the part for the claim's paper, and names no
// other claim. Every sentence is tested by a claim, not testable for a stated reason, or open.
func TestSentencesOfPapers(t *testing.T) {
	t.Parallel()
	paper := ""
	named := map[string][]string{} // by claim, the papers whose parts name it
	rows := map[string]int{}       // by state
	for number, line := range strings.Split(documentText(t, "docs/sentences-of-papers.md"), "\n") {
		if title, is := strings.CutPrefix(line, "## "); is {
			paper = title
		}
		if paper == "" || !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || line == "| sentence | place | state |" {
			continue
		}
		cells := paperRow.FindStringSubmatch(line)
		if cells == nil {
			t.Errorf("line %d: got %s, want a row of three cells", number+1, line)
			continue
		}
		state, why, said := strings.Cut(cells[3], ": ")
		rows[state]++
		names := regexp.MustCompile("`([a-zA-Z0-9-]+)`").FindAllStringSubmatch(why, -1)
		if !said || !slices.Contains([]string{"tested", "not testable here", "open"}, state) || state == "tested" && len(names) == 0 {
			t.Errorf("line %d: the state is %q", number+1, cells[3])
		}
		for _, name := range names {
			if _, err := claims.Find(name[1]); err == nil {
				named[name[1]] = append(named[name[1]], paper)
			} else if state == "tested" {
				t.Errorf("line %d names the unknown claim %q", number+1, name[1])
			}
		}
	}
	for _, c := range claims.All() {
		if !slices.Contains(named[c.Name], c.Paper) {
			t.Errorf("no sentence of %s names the claim %s", c.Paper, c.Name)
		}
	}
	if rows["tested"] < 80 || rows["not testable here"] < 10 {
		t.Errorf("only %v rows were found", rows)
	}
}
