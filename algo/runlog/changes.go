package runlog

import (
	"regexp"
	"slices"
)

// Change is a sentence that says something else than an earlier one of the same ID.
type Change struct {
	Sentence
	Was string // what the earlier one said; "" if there was none
}

// SameRun reports whether the later of two reports is about the run of the earlier one: the same objectives, and as many records or more.
func SameRun(before, now *Report) bool {
	return slices.Equal(before.Names, now.Names) && now.Records >= before.Records
}

// Changes returns the sentences of a verdict whose words differ from those of an earlier verdict on the same run, in their order. Numbers
// alone make no change: most of them move with every record. R counts as a word, since it is what such a sentence is about.
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

// inSentence matches what stays of a sentence, the names of a pair, which may be numbers, and R; and its other numbers.
var inSentence = regexp.MustCompile(`((?:“[^”]*”|[^\s,;.]+) and (?:“[^”]*”|[^\s,;.]+) \(|\bR = \d+)|` +
	`(?:\b(?:under|over) )?[-−+]?(?:\d+(?:,\d{3})*\.?\d*|\.\d+)(?:e[-−+]?\d+)?`)

// wording returns a sentence without its numbers.
func wording(text string) string {
	return inSentence.ReplaceAllString(text, "#$1")
}
