package lesson

import (
	"regexp"
	"strings"
	"unicode"
)

// How fast people read, and how long they think and act, in minutes. With these a lesson of the page takes 7 to 10 minutes, as it does
// for a visitor who takes it in full; words, questions and runs alone are less than half of that.
const (
	wordsPerMinute = 180
	minutesToGuess = 0.5 // a question
	minutesToAct   = 1.0 // for a goal: find the control, try, look, try again
	minutesAlone   = 0.5 // more, for a step without a hint
	minutesToKeep  = 0.5 // to read what one knows now beside one's predictions
	playedTimes    = 2   // how often the runs that Show plays are played: a first try seldom does
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
