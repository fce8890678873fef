package lesson

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

// costHead is the beginning of a lesson whose words take long to parse.
const costHead = "---\ntitle: Mine\nquestion: Why?\nscene: lab\n---\n\n## One\n\n"

// TestTooLong checks that a text that would take long to parse is rejected before it is parsed. The error must name the
// line.
func TestTooLong(t *testing.T) {
	words := strings.Repeat("words ", maxLine/6)
	steps := strings.Repeat("## One\n\nLook.\n\n", maxSteps-1)
	for _, c := range []struct{ text, want string }{
		{costHead + words + "\n", ""},
		{costHead + strings.Repeat(words+"\n", 40), "the file has"},
		{costHead + "Look.\n" + words + words + "\n", "own-1.md:10: the line has 3997 characters; the maximum is 2000"},
		{costHead + "Look.\n\n" + steps, ""},
		{costHead + "Look.\n\n" + steps + "## One\n\nLook.\n", "the lesson has more than 40 steps"},
		{costHead + "Look at $$$$$$ and $a$.\n", "own-1.md:9: a formula is empty"},
	} {
		_, err := Parse(scenes.All, "own-1.md", []byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.80q …: error %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Sheet("sheet.md", []byte(words+words)); err == nil || !strings.Contains(err.Error(), "sheet.md:1: the line has") {
		t.Errorf("a sheet: error %v", err)
	}
}

// BenchmarkReading parses the longest allowed text of a single repeated character. No character may take much longer
// than another.
func BenchmarkReading(b *testing.B) {
	for _, unit := range []string{"words ", "> ", "[", "[a](", "![", "**", "*a ", "$a$ ", "$", "`", "- ", "<a ", "_a*b", "\\", "&a"} {
		for _, width := range []int{1, maxLine} { // characters per line
			line := strings.Repeat(unit, max(1, (width-1)/len(unit))) + "\n"
			text := costHead + strings.Repeat(line, (maxFile-len(costHead))/len(line))
			b.Run(fmt.Sprintf("%q/%d", unit, len(line)), func(b *testing.B) {
				for b.Loop() {
					_, _ = Parse(scenes.All, "own-1.md", []byte(text)) // many of them are invalid lessons
				}
			})
		}
	}
}
