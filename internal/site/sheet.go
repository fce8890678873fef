package site

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"paretoplay/internal/teach/lesson"
)

// sheetName is the site's page for teachers: links for a class and its codes, the lessons by aim, and questions to discuss in class.
const sheetName = "teachers-sheet.html"

//go:embed sheet.html
var sheetText string

var sheetPage = template.Must(template.New(sheetName).Funcs(template.FuncMap{"worksheet": worksheetName}).Parse(sheetText))

// sheetState matches a state of the page in the sheet, in the HTML made from its Markdown.
var sheetState = regexp.MustCompile(`<code>(#[^<]+)</code>`)

func (s *Source) sheetFile() string { return filepath.Join(s.dir, "docs", "teachers-sheet.md") }

// sheet returns the teacher’s sheet as a page, with its states as links.
func (s *Source) sheet() ([]byte, error) {
	data, err := os.ReadFile(s.sheetFile())
	if err != nil {
		return nil, err
	}
	words, err := lesson.Sheet(filepath.Base(s.sheetFile()), data)
	if err != nil {
		return nil, err
	}
	_, lessons, err := s.lessons()
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, head := range lessons {
		titles[head.Name] = head.Title
	}
	// The page already has a heading of the first level.
	words = strings.NewReplacer("<h2", "<h3", "</h2>", "</h3>", "<h1", "<h2", "</h1>", "</h2>").Replace(words)
	words = sheetState.ReplaceAllString(words, `<a href="index.html$1"><code>$1</code></a>`)
	var b bytes.Buffer
	err = sheetPage.Execute(&b, map[string]any{
		"Words":   template.HTML(words), // safe: its Markdown may not contain HTML
		"Lessons": lessons, "Titles": titles, "Worksheets": len(s.folders) > 0,
	})
	return b.Bytes(), err
}
