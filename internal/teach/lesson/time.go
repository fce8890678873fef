package lesson

import (
	"regexp"
	"strings"
	"unicode"
)

// These are the reading speed, and the minutes for thinking and acting. With these values a lesson of the page takes
// 7 to 10 minutes, as it does for a visitor who reads everything. Words, questions and runs alone take less than half
// of that.
const (
	wordsPerMinute = 180
	minutesToGuess = 0.5 // for a question
	minutesToAct   = 1.0 // for a goal: find the control, try, look, try again
	minutesAlone   = 0.5 // additional, for a step without a hint
	minutesToKeep  = 0.5 // to compare the visitor's predictions with the outcomes
	playedTimes    = 2   // how often the runs of Show are played: a first attempt seldom reaches the goal
)

// Time returns the minutes that the lesson takes: to read its words, to think about its questions, to reach its goals, and to wait for
// runs.
func (l *Lesson) Time() float64 {
	minutes := float64(l.Words)/wordsPerMinute + playedTimes*l.playing/60
	for _, s := range l.Steps {
		if s.Predict != nil {
			minutes += minutesToGuess
		}
		if s.Goal != nil {
			minutes += minutesToAct
		}
		if s.Kind == Transfer {
			minutes += minutesAlone
		}
	}
	if len(l.Know) > 0 {
		minutes += minutesToKeep
	}
	return minutes
}

// words returns the number of words that everybody reads. It omits hints, and the reasons for answers, because a
// visitor reads only one reason.
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

// countWords returns the number of words in HTML.
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
