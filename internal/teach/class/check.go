package class

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Line is the result of checking one line of a list of codes. If the line is unreadable, only Line and Why are valid.
type Line struct {
	Line   int    `json:"line"` // from 1
	Name   string `json:"name"`
	Lesson string `json:"lesson"` // the lesson's name; "" if unknown
	// Predictions is the number of the lesson's predictions. Right is the number that were right at the first attempt.
	Right       int `json:"right"`
	Predictions int `json:"predictions"`
	// Goals is the number of the lesson's goals. Reached is the number reached independently, and Shown is the number
	// reached by "Show me".
	Reached int `json:"reached"`
	Shown   int `json:"shown"`
	Goals   int `json:"goals"`
	// Tries is the number of tries before goals were reached. If More is set, some step may have had more tries.
	Tries int    `json:"tries"`
	More  bool   `json:"more"`
	Steps []Step `json:"steps"`
	Valid bool   `json:"valid"`
	Why   string `json:"why"` // why it is invalid, or another remark
}

// longestLine is the maximum number of bytes in a line.
const longestLine = 4096

// Check reads codes, one per line, in UTF-8, or in UTF-16 with a byte order mark. Empty lines are counted and
// skipped. A code is valid if it belongs to the class and to one of the lessons, and does not repeat an earlier one.
// If class is "", the most frequent class of the codes is used, or the first of several equally frequent ones. Check
// returns r's error, or an error that starts with the line's number if a line has more than 4095 bytes.
func Check(r io.Reader, class string, lessons []string) ([]Line, error) {
	var lines []Line
	var codes []Code
	// PowerShell and Excel write UTF-16, and Notepad adds a byte order mark.
	input := bufio.NewScanner(transform.NewReader(r, unicode.BOMOverride(unicode.UTF8.NewDecoder())))
	input.Buffer(nil, longestLine)
	number := 1
	for ; input.Scan(); number++ {
		text := input.Text()
		if strings.TrimSpace(text) == "" {
			continue
		}
		line := Line{Line: number, Valid: true}
		code, err := Decode(text)
		if err != nil {
			line.Valid, line.Why = false, err.Error()
		} else {
			line.tell(code, lessons)
		}
		lines, codes = append(lines, line), append(codes, code)
	}
	if err := input.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number, err)
	}
	tag, among := Tag(Fold(class)), "it belongs to another class"
	if class == "" {
		tag, among = most(lines, codes), "most codes belong to another class"
	}
	for i := range lines {
		l := &lines[i]
		switch {
		case !l.Valid:
		case codes[i].Class != tag:
			l.Valid, l.Why = false, among
		case l.Lesson == "":
			l.Valid, l.Why = false, "it belongs to an unknown lesson"
		default:
			l.compare(lines[:i])
		}
	}
	return lines, nil
}

// tell sets the fields that a code determines.
func (l *Line) tell(c Code, lessons []string) {
	l.Name, l.Steps = c.Name, c.Steps
	for _, name := range lessons {
		if Tag(name) == c.Lesson {
			l.Lesson = name
		}
	}
	for _, s := range c.Steps {
		if s.Prediction != NotAsked {
			l.Predictions++
		}
		if s.Prediction == Right {
			l.Right++
		}
		switch s.Goal {
		case NoGoal:
		case Open:
			l.Goals++
		case Shown:
			l.Goals++
			l.Shown++
		case Reached:
			l.Goals++
			l.Reached++
		}
		l.Tries += s.Tries
		l.More = l.More || s.Tries == MostTries
	}
}

// compare looks for an earlier valid code of the same student and lesson. If the codes are equal, the later one becomes
// invalid; otherwise its Why mentions the earlier one.
func (l *Line) compare(before []Line) {
	for _, b := range before {
		if !b.Valid || Fold(b.Name) != Fold(l.Name) || b.Lesson != l.Lesson {
			continue
		}
		if fmt.Sprint(b.Steps) == fmt.Sprint(l.Steps) {
			l.Valid, l.Why = false, fmt.Sprintf("it is the same as line %d", b.Line)
			return
		}
		l.Why = fmt.Sprintf("line %d has the same student and lesson", b.Line)
	}
}

// most returns the most frequent class of the codes, or the first if several are equally frequent.
func most(lines []Line, codes []Code) (tag uint16) {
	counts, best := map[uint16]int{}, 0
	for i, l := range lines {
		if l.Valid {
			counts[codes[i].Class]++
		}
	}
	for i, l := range lines {
		if l.Valid && counts[codes[i].Class] > best {
			tag, best = codes[i].Class, counts[codes[i].Class]
		}
	}
	return tag
}
