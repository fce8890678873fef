package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLessonsCommand checks that the command follows lessons, and reports each failing goal in one line with the file
// and the line number.
func TestLessonsCommand(t *testing.T) {
	own := t.TempDir()
	file := filepath.Join(own, "one.md")
	run := func(text string) (status int, out, said string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		status = program.Run([]string{"lessons", "-lessons", own}, strings.NewReader(""), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	const good = "---\ntitle: One\nquestion: Why?\nminutes: 2\nscene: fonseca\n---\n## Go\nLook.\n\nstate: method=ls budget=20\n" +
		"goal: Play. `ended`\nshow: play\ncheck: latest == 20\n"
	if status, out, said := run(good); status != 0 || !strings.Contains(out, "one") || said != "" {
		t.Errorf("status %d, output %q, error %q", status, out, said)
	}
	for wrong, want := range map[string]string{
		"latest == 21": "one.md:13: step 1, Go: check: latest == 21 does not hold; latest = 20",
		"latst == 20":  "one.md:13: check: unknown parameter or fact latst of the scene fonseca; did you mean latest?, in latst == 20",
	} {
		status, out, said := run(strings.Replace(good, "latest == 20", wrong, 1))
		if status != 2 || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, output %q, error %q", wrong, status, out, said)
		}
	}
}

// TestLessonsOfSeveralFolders checks that folders and names may be given repeatedly, and that random visitors reach
// goals that need no thought.
func TestLessonsOfSeveralFolders(t *testing.T) {
	args := []string{"lessons"}
	for _, name := range []string{"one", "two", "three"} {
		own := t.TempDir()
		text := "---\ntitle: One\nquestion: Why?\nscene: fonseca\n---\n## Go\nLook.\n\n" +
			"state: method=ls budget=20\ngoal: Play. `ended`\nshow: play\n"
		if err := os.WriteFile(filepath.Join(own, name+".md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-lessons", own)
	}
	run := func(more ...string) (status int, out, said string) {
		var stdout, stderr strings.Builder
		status = program.Run(append(args, more...), strings.NewReader(""), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	if status, out, said := run("-only", "two", "-only", "one"); status != 0 || said != "" || strings.Contains(out, "three") ||
		!strings.Contains(out, "one") || !strings.Contains(out, "two") {
		t.Errorf("status %d, output %q, error %q", status, out, said)
	}
	for _, c := range []struct {
		more []string
		want string
	}{
		{[]string{"-random", "10", "-only", "one"}, "1 goals are too easy: more than 10 % of random visitors reach them: one step 1 (10 of 10)"},
		{[]string{"-only", "four"}, `unknown lesson "four"; available: `},
		{[]string{"-random", "-1"}, "-random -1: expected a number of at least 0"},
	} {
		if status, out, said := run(c.more...); status != 2 || out != "" || !strings.Contains(said, c.want) {
			t.Errorf("%v: status %d, output %q, error %q", c.more, status, out, said)
		}
	}
}
