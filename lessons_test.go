package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/lesson"
)

// TestLessonFiles: the site has a list of the lessons and a file for each, a teacher's own after
// the others; a name that is taken is bad input.
func TestLessonFiles(t *testing.T) {
	own := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const mine = "---\ntitle: Mine\nquestion: Why?\nminutes: 2\nscene: fonseca\n---\n## One\nLook.\n"
	write("21-mine.md", mine)
	write("README.txt", "no lesson")
	files, list, err := lessonFiles(lessonFolders(".", []string{own})...)
	if err != nil {
		t.Fatal(err)
	}
	last := list[len(list)-1]
	if last.Name != "21-mine" || last.Steps != 1 || last.Scene != "fonseca" || len(files) != len(list)+1 {
		t.Errorf("%d files, the last of %d lessons is %+v", len(files), len(list), last)
	}
	for _, head := range list {
		var l struct {
			Name  string
			Steps []json.RawMessage
		}
		if err := json.Unmarshal(files["lessons/"+head.Name+".json"], &l); err != nil || l.Name != head.Name || len(l.Steps) != head.Steps {
			t.Errorf("%s: %d steps, %q, error %v", head.Name, len(l.Steps), l.Name, err)
		}
	}

	write(list[0].Name+".md", mine)
	write("22-bad.md", strings.Replace(mine, "scene: fonseca", "scene: fonsca", 1))
	_, _, err = lessonFiles(lessonFolders(".", []string{own})...)
	if !errors.As(err, new(inputError)) || !strings.Contains(err.Error(), "is taken by") || !strings.Contains(err.Error(), "1 more") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(own, list[0].Name+".md")); err != nil {
		t.Fatal(err)
	}
	_, _, err = lessonFiles(lessonFolders(".", []string{own})...)
	if err == nil || !strings.Contains(err.Error(), "22-bad.md:5: \"fonsca\" is no scene") {
		t.Errorf("error %v", err)
	}
	if _, _, err := lessonFiles(filepath.Join(own, "none")); err == nil || !errors.As(err, new(inputError)) {
		t.Errorf("a folder that is not there: error %v", err)
	}
	if _, _, err := lessonFiles(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no lesson") {
		t.Errorf("a folder without a lesson: error %v", err)
	}
}

// TestLessonsCommand: the command follows lessons and says in one line, with file and line, what
// does not come true.
func TestLessonsCommand(t *testing.T) {
	own := t.TempDir()
	file := filepath.Join(own, "one.md")
	run := func(text string) (status int, out, said string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		status = dispatch([]string{"lessons", "-lessons", own}, strings.NewReader(""), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	const good = "---\ntitle: One\nquestion: Why?\nminutes: 2\nscene: fonseca\n---\n## Go\nLook.\n\nstate: method=ls budget=20\n" +
		"goal: Play. `ended`\nshow: play\ncheck: latest == 20\n"
	if status, out, said := run(good); status != 0 || !strings.Contains(out, "one") || said != "" {
		t.Errorf("status %d, output %q, error %q", status, out, said)
	}
	for wrong, want := range map[string]string{
		"latest == 21": "one.md:13: step 1, Go: check: latest == 21 does not hold; latest = 20",
		"latst == 20":  "one.md:13: check: latst is no parameter or fact of the scene fonseca; did you mean latest?, in latst == 20",
	} {
		status, out, said := run(strings.Replace(good, "latest == 20", wrong, 1))
		if status != 2 || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, output %q, error %q", wrong, status, out, said)
		}
	}
}

// TestLessonOfDocuments: the lesson that docs/lessons.md shows is complete, and its goal is reached.
func TestLessonOfDocuments(t *testing.T) {
	_, text, found := strings.Cut(documentText(t, "docs/lessons.md"), "```markdown\n")
	text, _, closed := strings.Cut(text, "```\n")
	if !found || !closed {
		t.Fatal("docs/lessons.md has no lesson between ```markdown and ```")
	}
	l, err := lesson.Parse(scenes.All, "21-my-lesson.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err != nil || len(l.Steps) != 1 || l.Steps[0].Predict == nil || l.Steps[0].Goal == nil {
		t.Errorf("%d steps, error %v", len(l.Steps), err)
	}
}
