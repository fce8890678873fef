package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		"latst == 20":  "one.md:13: check: latst is no parameter or fact of the scene fonseca; did you mean latest?, in latst == 20",
	} {
		status, out, said := run(strings.Replace(good, "latest == 20", wrong, 1))
		if status != 2 || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, output %q, error %q", wrong, status, out, said)
		}
	}
}
