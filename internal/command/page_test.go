package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"paretoplay/internal/site/sitetest"
)

func TestBuildRefusesForeignFolder(t *testing.T) {
	dir, foreign := sitetest.SourceTree(t, nil), t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := sitetest.Run(t, program.Run, dir, "build", "-o", foreign)
	sitetest.OneLine(t, "foreign folder", status, 2, stdout, stderr, foreign, "not empty")
	data, err := os.ReadFile(filepath.Join(foreign, "letter.txt"))
	if names := namesIn(t, foreign); err != nil || string(data) != "dear" || names != "letter.txt" {
		t.Errorf("the folder was changed: %s, %q, %v", names, data, err)
	}
}

// TestBuildRefusesLessons checks that an invalid lesson causes one short line before anything is written. The lessons
// command must report the same errors, except those that only the site can detect.
func TestBuildRefusesLessons(t *testing.T) {
	const good = "---\ntitle: Mine\nquestion: Why?\nminutes: 2\nscene: lab\n---\n\n## One\n\nLook.\n\n" +
		"state: gradients=1,0;1.2,1.5 method=ls,mgda\n\ngoal: Turn it. `angle(1,2) > 95`\nshow: gradients=1,0;-0.6,1.8\n"
	dir, out := sitetest.SourceTree(t, nil), filepath.Join(t.TempDir(), "site")
	own := func(name, text string) string {
		t.Helper()
		folder := t.TempDir()
		if name != "" {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return folder
	}
	changed := func(old, new string) string {
		t.Helper()
		text := strings.Replace(good, old, new, 1)
		if text == good {
			t.Fatalf("nothing says %q", old)
		}
		return own("21-mine.md", text)
	}
	for what, c := range map[string]struct {
		folder, says string
		site         bool // only the site can detect it
	}{
		"a fact that is misspelt": {folder: changed("angle(", "angel("), says: ":14: goal: unknown fact or function angel of the scene lab"},
		"a goal from the start": {folder: changed("> 95", "> 5"),
			says: "21-mine.md:8: step 1, One: its goal is already reached when it opens"},
		"a goal out of reach":         {folder: changed("> 95", "> 190"), says: "its goal is not reached after Show"},
		"raw HTML":                    {folder: changed("Look.", "Look <b>here</b>."), says: "21-mine.md:10: HTML is not allowed"},
		"an endless name":             {folder: changed("angle(1,2)", strings.Repeat("a", 1900)), says: "goal: unknown parameter or fact aaaa"},
		"a name that no link can say": {folder: own(strings.Repeat("x", 200)+".md", good), says: "does not name a lesson’s step"},
		"an empty folder":             {folder: own("", ""), says: "there is no lesson in this folder"},
		"a folder that is missing":    {folder: filepath.Join(t.TempDir(), "none"), says: "no such file"},
		"no folder":                   {folder: "", says: "a folder is expected"},
		"too much":                    {folder: own("21-mine.md", strings.Repeat("a", 10<<20)), says: "it has 10485760 bytes; the maximum"},
		"anything but text":           {folder: own("21-mine.md", "\x7fELF\x02\x01\xff\xfe"), says: "not text in UTF-8"},
		"a zero in the text":          {folder: changed("Look.", "Lo\x00ok."), says: "not text in UTF-8"},
		"a name that is taken":        {folder: own("01-angle.md", good), says: "the name is taken by", site: true},
	} {
		for _, args := range [][]string{{"build", "-o", out, "-lessons", c.folder}, {"lessons", "-lessons", c.folder}} {
			if c.site && args[0] == "lessons" {
				continue
			}
			status, stdout, stderr := sitetest.Run(t, program.Run, dir, args...)
			sitetest.OneLine(t, what, status, 2, stdout, stderr, c.says)
			if n := utf8.RuneCountInString(strings.TrimSpace(stderr)); n > 300 {
				t.Errorf("%s: %d characters: %s", what, n, stderr)
			}
			if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: something was written (%v)", what, err)
			}
		}
	}
}

// TestBuildOfOneLesson checks that each output for a single lesson is one file, which is written completely or not at
// all. Mutually exclusive flags must be rejected before any work.
func TestBuildOfOneLesson(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "out.html")
	for want, args := range map[string][]string{
		"expected one lesson":           {"-worksheet", file},
		"-scormversion needs a SCORM":   {"-scormversion", "2004"},
		"-lesson needs a file":          {"-lesson", "01-conflict"},
		"each write a file":             {"-worksheet", file, "-scorm", file, "-lesson", "01-conflict"},
		"-quick applies to a site":      {"-worksheet", file, "-quick", "-lesson", "01-conflict"},
		"unknown lesson \"none\"":       {"-worksheet", file, "-lesson", "none"},
		"no such file or directory":     {"-worksheet", filepath.Join(folder, "none", "x.html"), "-lesson", "01-conflict"},
		"unknown SCORM version \"3\"":   {"-scorm", file, "-scormversion", "3", "-lesson", "01-conflict"},
		"-worksheet is empty; expected": {"-worksheet", "", "-lesson", "01-conflict"},
	} {
		out, problem, status := invoke(t, "", append([]string{"build"}, args...)...)
		if status != 2 || out != "" || strings.Count(problem, "\n") != 1 || !strings.Contains(problem, want) {
			t.Errorf("%v: status %d, output %q, error %q", args, status, out, problem)
		}
		if names := namesIn(t, folder); names != "" {
			t.Errorf("%v wrote %s", args, names)
		}
	}
	out, problem, status := invoke(t, "", "build", "-worksheet", file, "-lesson", "01-conflict")
	if status != 0 || out != "" || problem != "" {
		t.Fatalf("status %d, output %q, error %q", status, out, problem)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "45 minutes: ") {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
}
