package lesson

import (
	"regexp"
	"strings"
	"unicode"
)

// Reading speed, and time to think about a question.
const (
	wordsPerMinute = 180
	minutesToGuess = 0.5
)

// Time returns the minutes that the lesson takes: to read its words, to think about its questions, and to wait for
// the runs that Show plays.
func (l *Lesson) Time() float64 {
	minutes := float64(l.Words)/wordsPerMinute + l.playing/60
	for _, s := range l.Steps {
		if s.Predict != nil {
			minutes += minutesToGuess
		}
	}
	return minutes
}

// words counts what everybody reads: not hints, nor the reasons of answers, of which one reads one.
func (l *Lesson) words() int {
	n := countWords(l.Title) + countWords(l.Question)
	for _, s := range l.Steps {
		n += countWords(s.Title) + countWords(s.Text) + countWords(s.Then)
		if s.Predict != nil {
			n += countWords(s.Predict.Question) + countWords(strings.Join(s.Predict.Answers, " "))
		}
		if s.Goal != nil {
			n += countWords(s.Goal.Text)
			for _, part := range s.Goal.Parts {
				n += countWords(part.Text)
			}
		}
	}
	return n
}

// formulaElement matches a formula, which is read like a word; element matches any tag.
var (
	formulaElement = regexp.MustCompile(`(?s)<math.*?</math>`)
	element        = regexp.MustCompile(`<[^>]*>`)
)

// countWords counts the words in HTML.
func countWords(html string) int {
	text := element.ReplaceAllString(formulaElement.ReplaceAllString(html, "x"), "")
	n := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '…' }) {
			n++
		}
	}
	return n
}
