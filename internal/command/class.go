package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"text/tabwriter"

	"paretoplay/assets/lessons"
	"paretoplay/internal/atomicfile"
	"paretoplay/internal/teach/class"
)

// ofClass implements the class command, which checks a class's codes.
func ofClass(c *call) error {
	of := c.flags.String("class", "", "the `name` of the class, as in its link (default: the class with the most codes)")
	data := c.flags.String("json", "", "write JSON to this `file`, - for standard output")
	folders := c.lessonsFlag()
	c.explain("class check FILE reads the codes of a class, one per line, and prints who completed which lesson; - is standard\n" +
		"input. Students can forge a code, so use codes for a conversation about the lesson, not for a mark.")
	words := leading(&c.args)
	if err := c.parse(); err != nil {
		return err
	}
	if len(words) == 0 || words[0] != "check" {
		return errors.New("expected the word check and a file of codes, or - for standard input")
	}
	if len(words) != 2 {
		return fmt.Errorf("expected one file of codes after check, or - for standard input; got %d", len(words)-1)
	}
	lines, err := c.readCodes(words[1], *of, *folders)
	if err != nil {
		return err
	}
	if err := c.reserve("-json", *data); err != nil {
		return err
	}
	if c.output("-json") == nil {
		return c.print(func(w io.Writer) error { return writeCodes(w, lines) })
	}
	return c.fill("-json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(lines)
	})
}

// leading removes the words before the first flag from args and returns them. It treats a lone hyphen as a word.
func leading(args *[]string) (words []string) {
	for len(*args) > 0 && (!strings.HasPrefix((*args)[0], "-") || (*args)[0] == "-") {
		words, *args = append(words, (*args)[0]), (*args)[1:]
	}
	return words
}

func (c *call) readCodes(file, of string, folders []string) ([]class.Line, error) {
	lessons, err := c.lessonNames(folders)
	if err != nil {
		return nil, err
	}
	input := c.stdin
	if file != "-" {
		f, err := c.open("check", file)
		if err != nil {
			return nil, err
		}
		c.releases = append(c.releases, func() { _ = f.Close() }) // closing a file after reading cannot lose data
		input = f
	}
	lines, err := class.Check(input, of, lessons)
	if err == nil && len(lines) == 0 {
		err = errors.New("the input contains no codes")
	}
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", file, atomicfile.Cause(err))
	}
	return lines, nil
}

// lessonNames returns the names of the page's lessons and of the lessons in a teacher's folders.
func (c *call) lessonNames(folders []string) (names []string, err error) {
	add := func(files []string) {
		for _, file := range files {
			names = append(names, strings.TrimSuffix(path.Base(file), ".md"))
		}
	}
	own, err := fs.Glob(lessons.Files, "*.md")
	if err != nil {
		return nil, Fault{err}
	}
	add(own)
	for _, folder := range folders {
		files, err := fs.Glob(os.DirFS(folder), "*.md")
		if err == nil && len(files) == 0 {
			err = errors.New("the folder contains no lessons")
		}
		if err != nil {
			return nil, fmt.Errorf("-lessons %s: %w", folder, err)
		}
		add(files)
	}
	return names, nil
}

func writeCodes(w io.Writer, lines []class.Line) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "line\tname\tlesson\tright at first\tgoals without help\tshown\ttries\tcode")
	valid := 0
	for _, l := range lines {
		state := "valid"
		switch {
		case !l.Valid:
			state = "not valid: " + l.Why
		case l.Why != "":
			state += "; " + l.Why
		}
		if l.Valid {
			valid++
		}
		if l.Steps == nil {
			fmt.Fprintf(table, "%d\t–\t–\t–\t–\t–\t–\t%s\n", l.Line, state)
			continue
		}
		more := ""
		if l.More {
			more = "+"
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%d/%d\t%d/%d\t%d\t%d%s\t%s\n",
			l.Line, l.Name, l.Lesson, l.Right, l.Predictions, l.Reached, l.Goals, l.Shown, l.Tries, more, state)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d codes are valid. %s\n", valid, len(lines),
		"Students can forge codes: use them for a conversation, not for marks.")
	return err
}
