package site

import (
	"bytes"
	_ "embed"
	"html/template"

	"paretoplay/internal/teach/lesson"
)

// reviewName is the site's page of questions about what the lessons have taught.
const reviewName = "review.html"

//go:embed review.html
var reviewText string

var reviewTemplate = template.Must(template.New(reviewName).Parse(reviewText))

// reviewPage returns a page that lists what visitors can do after each lesson. The page's script asks a question about
// each item.
func reviewPage(lessons []lesson.Head) ([]byte, error) {
	var b bytes.Buffer
	err := reviewTemplate.Execute(&b, lessons)
	return b.Bytes(), err
}

func (s *Source) review() ([]byte, error) {
	_, list, err := s.lessons()
	if err != nil {
		return nil, err
	}
	return reviewPage(list)
}
