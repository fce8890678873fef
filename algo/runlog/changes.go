package runlog

import (
	"slices"

	"paretoplay/internal/pattern"
)

// Change is a sentence whose wording differs from an earlier sentence with the same ID.
type Change struct {
	Sentence
	Was string // the earlier text; "" if there was none
}

// SameRun reports whether two reports may be about the same run. They must have the same objectives, and the later
// report, now, must have at least as many records as the earlier one.
func SameRun(before, now *Report) bool {
	return slices.Equal(before.Names, now.Names) && now.Records >= before.Records
}

// Changes returns, in their order, the sentences of a verdict whose wording differs from that of an earlier verdict
// on the same run. It ignores numbers, because most of them change with every record. It does not ignore R, because R
// is the subject of its sentence.
func Changes(before, now []Sentence) []Change {
	was := make(map[string]string, len(before))
	for _, s := range before {
		was[s.ID] = s.Text
	}
	var out []Change
	for _, s := range now {
		if old, there := was[s.ID]; !there || wording(old) != wording(s.Text) {
			out = append(out, Change{s, old})
		}
	}
	return out
}

// inSentence matches numbers that do not count as words. Its group matches the texts whose numbers do count as words:
// the names of a pair, and R.
var inSentence = pattern.Lazy(`((?:“[^”]*”|[^\s,;.]+) and (?:“[^”]*”|[^\s,;.]+) \(|\bR = \d+)|` +
	`(?:\b(?:under|over) )?[-−+]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:e[-−+]?\d+)?`)

// wording returns a sentence without its numbers.
func wording(text string) string {
	return inSentence().ReplaceAllString(text, "#$1")
}
