package link

import (
	"strings"

	"paretoplay/algo/param"
)

// Shortened returns a value cut to at most 60 characters, for a message.
func Shortened(text string) string {
	const limit = 60
	text = strings.ReplaceAll(text, "\n", "; ")
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}

// Words lists the first two of the given parameters with their values.
func Words(ds []param.Descriptor, text func(name string) string) string {
	const limit = 2
	var words []string
	for i, d := range ds {
		if i == limit {
			words = append(words, "…")
			break
		}
		words = append(words, Word(d, text(d.Name)))
	}
	return strings.Join(words, ", ")
}

func Word(d param.Descriptor, text string) string {
	name := d.Label
	if d.Symbol != "" {
		name = d.Symbol
	}
	return name + " = " + Shortened(text)
}
