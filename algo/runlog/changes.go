package runlog

import (
	"slices"

	"paretoplay/internal/pattern"
)

// Change is a sentence whose words differ from an earlier sentence with the same ID.
type Change struct {
	Sentence
	Was string // the earlier text; "" if there was none
}

// SameRun reports whether the later of two reports may be about the same run: it has the same objectives, and at least as
// many records.
func SameRun(before, now *Report) bool {
	return slices.Equal(before.Names, now.Names) && now.Records >= before.Records
}

// Changes returns the sentences of a verdict whose words differ from an earlier verdict on the same run, in order. It ignores
// numbers, because most of them change with every record. R counts as a word, because it is the subject of its sentence.
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

// inSentence matches two kinds of text: the parts with numbers that count as words, which are the names of a pair and R;
// and all other numbers.
var inSentence = pattern.Lazy(`((?:“[^”]*”|[^\s,;.]+) and (?:“[^”]*”|[^\s,;.]+) \(|\bR = \d+)|` +
	`(?:\b(?:under|over) )?[-−+]?(?:\d+(?:,\d{3})*\.?\d*|\.\d+)(?:e[-−+]?\d+)?`)

// wording returns a sentence without its numbers.
func wording(text string) string {
	return inSentence().ReplaceAllString(text, "#$1")
}
