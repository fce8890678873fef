package site

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

// TestSheet: the teacher’s sheet is a page, its formulas are MathML, and each of its states is a link that loads without
// a notice.
func TestSheet(t *testing.T) {
	source, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	page, err := source.sheet()
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, want := range []string{"<h1>For teachers</h1>", "<h2>Three questions for a class</h2>", "<h2>A one-term course</h2>",
		`<a href="index.html#v=1&amp;scene=fronts&amp;lesson=19-coverage:1">Ranking sets of solutions</a>`,
		`<a href="worksheets/01-conflict.html">`, `<option value="01-conflict" data-scene="lab">`, "<math", `<a href="index.html">`} {
		if !strings.Contains(text, want) {
			t.Errorf("the sheet has no %s", want)
		}
	}
	if strings.Contains(text, "style=") || strings.Contains(text, "$") {
		t.Error("the sheet has styles, or a formula that was not rendered")
	}
	links := regexp.MustCompile(`href="index\.html(#[^"]*)"`).FindAllStringSubmatch(text, -1)
	if len(links) < 3 {
		t.Fatalf("the sheet links to %d states", len(links))
	}
	for _, address := range links {
		settings, notices := link.Parse(html.UnescapeString(address[1]))
		s, err := session.New(scenes.All, settings.Scene)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Load(settings); err != nil {
			t.Fatal(err)
		}
		if notices = append(notices, s.TakeNotices()...); len(notices) > 0 {
			t.Errorf("%s: %q", address[1], notices)
		}
	}
}
