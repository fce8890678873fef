package site

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLessonFiles: the site lists the lessons and has a file for each, with a teacher's lessons last. A duplicate name
// causes an InputError.
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
	files, list, err := lessonFiles(lessonFolders("../..", []string{own})...)
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
	_, _, err = lessonFiles(lessonFolders("../..", []string{own})...)
	if !errors.As(err, new(InputError)) || !strings.Contains(err.Error(), "is taken by") || !strings.Contains(err.Error(), "1 more") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(own, list[0].Name+".md")); err != nil {
		t.Fatal(err)
	}
	_, _, err = lessonFiles(lessonFolders("../..", []string{own})...)
	if err == nil || !strings.Contains(err.Error(), "22-bad.md:5: unknown scene \"fonsca\"") {
		t.Errorf("error %v", err)
	}
	if _, _, err := lessonFiles(filepath.Join(own, "none")); err == nil || !errors.As(err, new(InputError)) {
		t.Errorf("a missing folder: error %v", err)
	}
	if _, _, err := lessonFiles(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no lesson") {
		t.Errorf("a folder without a lesson: error %v", err)
	}
}
