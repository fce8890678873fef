package command

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var out, complaint strings.Builder
	if status := new(Program).Run([]string{"version"}, strings.NewReader(""), &out, &complaint); status != 0 || complaint.Len() > 0 {
		t.Fatalf("status %d: %s", status, complaint.String())
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "paretoplay ") || !strings.HasPrefix(lines[1], "commit ") ||
		!strings.HasPrefix(lines[2], runtime.Version()) {
		t.Errorf("%q", out.String())
	}
	if status := new(Program).Run([]string{"version", "now"}, strings.NewReader(""), &out, &complaint); status != 2 {
		t.Errorf("an argument too many: status %d", status)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	if got := describeBuild(info); !strings.HasPrefix(got, "paretoplay v1.2.3\ncommit abc, with changes\ngo1.26 ") {
		t.Errorf("%q", got)
	}
}
