package site

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"paretoplay/internal/teach/lesson"
)

// sheetName is the site's page for teachers: links and codes for a class, the lessons by aim, a plan for a term, and
// questions to discuss in class.
const sheetName = "teachers-sheet.html"

//go:embed sheet.html
var sheetText string

var sheetPage = template.Must(template.New(sheetName).Funcs(template.FuncMap{"worksheet": worksheetName}).Parse(sheetText))

// sheetState matches the hash of an address that opens a state of the page, in the HTML generated from the sheet's
// Markdown.
var sheetState = regexp.MustCompile(`<code>(#[^<]+)</code>`)

// namedLesson matches a possible name of a lesson in the HTML generated from the course's Markdown.
var namedLesson = regexp.MustCompile(`<code>([0-9]{2}-[a-z0-9-]+)</code>`)

func (s *Source) sheetFile() string { return filepath.Join(s.dir, "docs", "teachers-sheet.md") }

// words returns a document as HTML for a part of the page. The page's own title is above that part.
func (s *Source) words(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	words, err := lesson.Sheet(filepath.Base(file), data)
	// The page already has a heading of the first level.
	return strings.NewReplacer("<h2", "<h3", "</h2>", "</h3>", "<h1", "<h2", "</h1>", "</h2>").Replace(words), err
}

// sheet returns the teacher’s sheet as a page, with links for the states and lessons that it names.
func (s *Source) sheet() ([]byte, error) {
	words, err := s.words(s.sheetFile())
	if err != nil {
		return nil, err
	}
	course, err := s.words(filepath.Join(s.dir, "docs", "course.md"))
	if err != nil {
		return nil, err
	}
	_, lessons, err := s.lessons()
	if err != nil {
		return nil, err
	}
	titles, leadsTo, links := map[string]string{}, map[string][]string{}, map[string]string{}
	for _, head := range lessons {
		titles[head.Name] = head.Title
		links[head.Name] = fmt.Sprintf(`<a href="index.html#v=1&amp;scene=%s&amp;lesson=%s:1">%s</a>`, head.Scene, head.Name,
			template.HTMLEscapeString(head.Title))
		for _, before := range head.After {
			leadsTo[before] = append(leadsTo[before], head.Title)
		}
	}
	course = namedLesson.ReplaceAllStringFunc(course, func(code string) string {
		if link, has := links[namedLesson.FindStringSubmatch(code)[1]]; has {
			return link
		}
		return code
	})
	words = sheetState.ReplaceAllString(words, `<a href="index.html$1"><code>$1</code></a>`)
	var b bytes.Buffer
	err = sheetPage.Execute(&b, map[string]any{
		"Words": template.HTML(words), "Course": template.HTML(course), // safe: their Markdown may not contain HTML
		"Lessons": lessons, "Titles": titles, "LeadsTo": leadsTo, "Worksheets": len(s.folders) > 0,
	})
	return b.Bytes(), err
}
