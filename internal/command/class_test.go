package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/teach/class"
)

// codeOf returns a student's code for a lesson.
func codeOf(t *testing.T, of, lesson, name string) string {
	t.Helper()
	c := class.Code{Class: class.Tag(class.Fold(of)), Lesson: class.Tag(lesson), Name: name, Steps: []class.Step{
		{Prediction: class.Right, Goal: class.Reached, Tries: 2}, {Prediction: class.Wrong, Goal: class.Shown},
	}}
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestClassCheck checks that, for each line with a code, the command reports the code's content or why the code is
// invalid.
func TestClassCheck(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "21-mine.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	codes := strings.Join([]string{codeOf(t, "Bio 3", "01-conflict", "Ana"), "", codeOf(t, "bio 3", "21-mine", "Ben"), "nonsense",
		codeOf(t, "bio 4", "01-conflict", "Cem"), strings.ToLower(codeOf(t, "bio 3", "01-conflict", "Ana"))}, "\n")
	file := filepath.Join(t.TempDir(), "codes.txt")
	if err := os.WriteFile(file, []byte(codes), 0o644); err != nil {
		t.Fatal(err)
	}
	said, problem, status := invoke(t, "", "class", "check", file, "-class", " BIO 3", "-lessons", own)
	if status != 0 || problem != "" {
		t.Fatalf("status %d, error %q", status, problem)
	}
	var rows []string
	for line := range strings.SplitSeq(said, "\n") {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"line name lesson right at first goals without help shown tries code",
		"1 Ana 01-conflict 1/2 1/2 1 2 valid",
		"3 Ben 21-mine 1/2 1/2 1 2 valid",
		"4 – – – – – – not valid: it is too short for a code",
		"5 Cem 01-conflict 1/2 1/2 1 2 not valid: it belongs to another class",
		"6 Ana 01-conflict 1/2 1/2 1 2 not valid: it is the same as line 1",
		"",
		"2 of 5 codes are valid. Students can forge codes: use them for a conversation, not for marks.",
		"",
	}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", said)
	}

	said, problem, status = invoke(t, codes, "class", "check", "-", "-json", "-")
	var lines []class.Line
	if err := json.Unmarshal([]byte(said), &lines); err != nil || status != 0 || problem != "" {
		t.Fatalf("status %d, error %q, JSON %v", status, problem, err)
	}
	if len(lines) != 5 || lines[1].Why != "it belongs to an unknown lesson" || lines[0].Steps[0].Prediction != class.Right {
		t.Errorf("%+v", lines)
	}
}

// TestClassRefuses checks that bad input gives a one-line error.
func TestClassRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"the input contains no codes":               {"check", "-"},
		"expected the word check and a file":        {},
		"expected one file of codes after check":    {"check"},
		"standard input; got 2":                     {"check", "a", "b"},
		"no such file":                              {"check", filepath.Join(t.TempDir(), "none")},
		"the folder contains no lessons":            {"check", "-", "-lessons", t.TempDir()},
		"flag provided but not defined: -classroom": {"check", "-", "-classroom", "x"},
	} {
		out, problem, status := invoke(t, " \n\n", append([]string{"class"}, args...)...)
		if status != 2 || out != "" || strings.Count(problem, "\n") != 1 || !strings.Contains(problem, want) {
			t.Errorf("%v: status %d, output %q, error %q", args, status, out, problem)
		}
	}
}
