// Package class reads and writes the codes by which students of a class report what they did in a lesson. A code is a
// line of letters and digits that contains all its data, so no server is needed. Anybody can create codes, so use them
// for a conversation about a lesson, never for marks. For the page, assets/class/codes.js does the same. The codes in
// testdata/vectors.json test both programs.
package class

import (
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Prediction is the outcome of the first answer to a step's question.
type Prediction uint8

// These are the outcomes of a prediction.
const (
	NotAsked Prediction = iota
	Unanswered
	Wrong
	Right
)

// Goal is the outcome of a step's goal.
type Goal uint8

// These are the outcomes of a goal.
const (
	NoGoal  Goal = iota
	Open         // not reached
	Shown        // reached by "Show me"
	Reached      // reached independently
)

// MostTries is the largest number of tries in a code. It also stands for any larger number.
const MostTries = 7

// Step records what a student did in a step of a lesson.
type Step struct {
	Prediction Prediction `json:"prediction"`
	Goal       Goal       `json:"goal"`
	Tries      int        `json:"tries"` // how many runs ended before the goal was reached, at most MostTries
}

// These are the words for the outcomes of predictions and goals in JSON.
var (
	predictionWords = []string{"none", "unanswered", "wrong", "right"}
	goalWords       = []string{"none", "open", "shown", "reached"}
)

// MarshalText returns none, unanswered, wrong or right.
func (p Prediction) MarshalText() ([]byte, error) { return worded(int(p), predictionWords) }

// MarshalText returns none, open, shown or reached.
func (g Goal) MarshalText() ([]byte, error) { return worded(int(g), goalWords) }

func worded(i int, words []string) ([]byte, error) {
	if i >= len(words) {
		return nil, fmt.Errorf("unknown outcome %d; available: %v", i, words)
	}
	return []byte(words[i]), nil
}

// UnmarshalText reads what MarshalText returns.
func (p *Prediction) UnmarshalText(text []byte) error {
	i := slices.Index(predictionWords, string(text))
	if i < 0 {
		return fmt.Errorf("unknown outcome %q; available: %v", text, predictionWords)
	}
	*p = Prediction(i)
	return nil
}

// UnmarshalText reads what MarshalText returns.
func (g *Goal) UnmarshalText(text []byte) error {
	i := slices.Index(goalWords, string(text))
	if i < 0 {
		return fmt.Errorf("unknown outcome %q; available: %v", text, goalWords)
	}
	*g = Goal(i)
	return nil
}

// Code holds the content of a code.
type Code struct {
	Class  uint16 // Tag(Fold(name)), where name is the class's name
	Lesson uint16 // Tag of the lesson's name
	Steps  []Step // 1 to maxSteps
	Name   string // name of the student, as Tidy returns it
}

// alphabet omits letters that look like other symbols: I, L, O and U. Decode reads I, L and O as 1, 1 and 0
// (Crockford's base 32).
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// plain lists the letters that take six bits each in a name. A name with other letters takes eight bits per byte.
const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -"

// These are the sizes of the parts of a code, in bits unless stated otherwise. A step has two numbers of two bits and
// one number of three.
const (
	version     = 1
	versionBits = 3
	tagBits     = 15
	stepsBits   = 5
	lengthBits  = 6
	plainBits   = 6
	sumSymbols  = 4
	symbolBits  = 5
	group       = 5 // symbols between hyphens

	maxSteps   = 1<<stepsBits - 1
	maxLetters = 24
	maxBytes   = 1<<lengthBits - 1
	leastBits  = versionBits + 2*tagBits + stepsBits + 1 + lengthBits
	maxSymbols = 160 // the longest code has 158
)

// Tag returns a 15-bit hash of a lesson's name, or of a class's name after Fold has been applied to it.
func Tag(name string) uint16 { return uint16(crc32.ChecksumIEEE([]byte(name)) & (1<<tagBits - 1)) }

// Fold returns a class's name in the form used for comparison: without surrounding spaces, with single spaces, and with
// A to Z in lower case.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.Join(strings.Fields(name), " "))
}

// Tidy returns a student's name in the form used in codes: without unprintable characters, with
// single spaces, and with at most 24 characters and 63 bytes. It returns "" if nothing is left.
func Tidy(name string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name))
	letters := []rune(strings.Join(words, " "))
	letters = letters[:min(len(letters), maxLetters)]
	for len(string(letters)) > maxBytes {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), " ")
}

// Encode returns the code, in groups of five symbols separated by hyphens. It returns an error if the code
// has no step or more than 31, a number that is out of range, or a name that Tidy would change.
func (c Code) Encode() (string, error) {
	switch {
	case len(c.Steps) == 0 || len(c.Steps) > maxSteps:
		return "", fmt.Errorf("a code has 1 to %d steps, not %d", maxSteps, len(c.Steps))
	case c.Name == "" || c.Name != Tidy(c.Name):
		return "", fmt.Errorf("invalid name %q for a code", c.Name)
	case c.Class >= 1<<tagBits || c.Lesson >= 1<<tagBits:
		return "", errors.New("the class or the lesson has more than 15 bits")
	}
	var b bits
	b.put(version, versionBits)
	b.put(int(c.Class), tagBits)
	b.put(int(c.Lesson), tagBits)
	b.put(len(c.Steps), stepsBits)
	for i, s := range c.Steps {
		if s.Prediction > Right || s.Goal > Reached || s.Tries < 0 || s.Tries > MostTries {
			return "", fmt.Errorf("step %d has a number that is out of range", i+1)
		}
		b.put(int(s.Prediction), 2)
		b.put(int(s.Goal), 2)
		b.put(s.Tries, 3)
	}
	if strings.Trim(c.Name, plain) == "" {
		b.put(0, 1)
		b.put(len(c.Name), lengthBits)
		for _, letter := range c.Name {
			b.put(strings.IndexRune(plain, letter), plainBits)
		}
	} else {
		b.put(1, 1)
		b.put(len(c.Name), lengthBits)
		for _, octet := range []byte(c.Name) {
			b.put(int(octet), 8)
		}
	}
	body := b.symbols()
	symbols := body + sum(body)
	var out strings.Builder
	for len(symbols) > group {
		out.WriteString(symbols[:group] + "-")
		symbols = symbols[group:]
	}
	return out.String() + symbols, nil
}

// sum returns the symbols that protect a code against typing mistakes.
func sum(body string) string {
	var b bits
	b.put(int(crc32.ChecksumIEEE([]byte(body))&(1<<(sumSymbols*symbolBits)-1)), sumSymbols*symbolBits)
	return b.symbols()
}

// These are the errors for invalid codes, except for the error that names a letter.
var (
	errShort   = errors.New("it is too short for a code")
	errLong    = errors.New("it is too long for a code")
	errSum     = errors.New("the checksum is wrong; check for mistyped or missing letters")
	errVersion = errors.New("it comes from another version of the page")
	errMade    = errors.New("the checksum is right, but the content is not valid")
)

// Decode reads a code. It ignores case, spaces and hyphens, and reads I, L and O as 1, 1 and 0. The text
// of its error is a sentence.
func Decode(text string) (Code, error) {
	var symbols strings.Builder
	for _, r := range text {
		if unicode.IsSpace(r) || r == '-' || r == '–' {
			continue
		}
		read := r
		if r >= 'a' && r <= 'z' {
			read += 'A' - 'a'
		}
		switch read {
		case 'I', 'L':
			read = '1'
		case 'O':
			read = '0'
		}
		if !strings.ContainsRune(alphabet, read) {
			return Code{}, fmt.Errorf("“%c” does not occur in codes", r)
		}
		if symbols.WriteRune(read); symbols.Len() > maxSymbols {
			return Code{}, errLong
		}
	}
	all := symbols.String()
	if (len(all)-sumSymbols)*symbolBits < leastBits {
		return Code{}, errShort
	}
	body := all[:len(all)-sumSymbols]
	if sum(body) != all[len(body):] {
		return Code{}, errSum
	}
	b := bitsOf(body)
	if b.take(versionBits) != version {
		return Code{}, errVersion
	}
	c := Code{Class: uint16(b.take(tagBits)), Lesson: uint16(b.take(tagBits))}
	for range b.take(stepsBits) {
		c.Steps = append(c.Steps, Step{Prediction(b.take(2)), Goal(b.take(2)), b.take(3)})
	}
	eight := b.take(1) == 1
	var name []byte
	for range b.take(lengthBits) {
		if eight {
			name = append(name, byte(b.take(8)))
		} else {
			name = append(name, plain[b.take(plainBits)])
		}
	}
	c.Name = string(name)
	// A code must be exactly what the page would write.
	if again, err := c.Encode(); err != nil || strings.ReplaceAll(again, "-", "") != all {
		return Code{}, errMade
	}
	return c, nil
}

// bits is a sequence of bits, one per byte.
type bits []byte

func (b *bits) put(value, size int) {
	for i := size - 1; i >= 0; i-- {
		*b = append(*b, byte(value>>i&1))
	}
}

// take removes the first size bits and returns them as a number. Missing bits count as 0.
func (b *bits) take(size int) (value int) {
	for range size {
		value <<= 1
		if len(*b) > 0 {
			value |= int((*b)[0])
			*b = (*b)[1:]
		}
	}
	return value
}

// symbols returns the bits, five per symbol, padded with zeros at the end.
func (b bits) symbols() string {
	var out []byte
	for len(b) > 0 {
		out = append(out, alphabet[b.take(symbolBits)])
	}
	return string(out)
}

func bitsOf(symbols string) (b bits) {
	for _, r := range symbols {
		b.put(strings.IndexRune(alphabet, r), symbolBits)
	}
	return b
}
