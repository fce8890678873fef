package site

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"
	"regexp"

	"paretoplay/scenes/lesson"
)

// sheetName is the site's page of questions that a teacher may ask a class.
const sheetName = "teachers-sheet.html"

//go:embed sheet.html
var sheetText string

var sheetPage = template.Must(template.New(sheetName).Parse(sheetText))

// sheetState matches a state of the page that the sheet names, in the HTML of its
// Markdown.
var sheetState = regexp.MustCompile(`<code>(#[^<]+)</code>`)

func (s *Source) sheetFile() string { return filepath.Join(s.dir, "docs", "teachers-sheet.md") }

// sheet returns the teacher’s sheet as a page; the states that it names are links.
func (s *Source) sheet() ([]byte, error) {
	data, err := os.ReadFile(s.sheetFile())
	if err != nil {
		return nil, err
	}
	words, err := lesson.Sheet(filepath.Base(s.sheetFile()), data)
	if err != nil {
		return nil, err
	}
	words = sheetState.ReplaceAllString(words, `<a href="index.html$1"><code>$1</code></a>`)
	var b bytes.Buffer
	err = sheetPage.Execute(&b, template.HTML(words)) // safe: its Markdown may not contain HTML
	return b.Bytes(), err
}
