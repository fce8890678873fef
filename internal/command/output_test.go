package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fileIn writes a file with one line and returns its name.
func fileIn(t *testing.T, dir, name, line string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(line+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// linkTo creates a symbolic link. It skips the test if the system has no symbolic links.
func linkTo(t *testing.T, target, link string) string {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	return link
}

// namesIn lists the names in a folder, including hidden ones.
func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestOutputRefused checks that a command fails before the work starts if an output cannot be written, or if two
// outputs name the same file, even with different spellings. The command must change nothing and leave no file.
func TestOutputRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	old, data := fileIn(t, dir, "old.csv", "old"), fileIn(t, dir, "data.csv", "1,0")
	linkTo(t, "old.csv", "link.csv")
	linkTo(t, "new.csv", "dangling.csv")
	linkTo(t, "folder", "alias")
	linkTo(t, "loop", "loop")
	linkTo(t, "../data.csv", "folder/data.csv")
	if err := os.Link(old, "hard.csv"); err != nil {
		t.Fatal(err)
	}
	before := namesIn(t, dir)
	for _, c := range []struct {
		args string
		want string
	}{
		{"-csv none/x.csv", "-csv none/x.csv: its folder cannot be used: no such file or directory"},
		{"-csv folder", "-csv folder: expected a file, not a folder"},
		{"-csv .", "expected a file, not a folder"},
		{"-csv ..", "expected a file, not a folder"},
		{"-csv none/", "no such folder"},
		{"-csv old.csv/x", "not a directory"},
		{"-csv loop", "too many"},
		{"-csv " + strings.Repeat("n", 300), "too long"},
		{"-csv=", "-csv is empty"},
		{"-csv new.csv -json new.csv", "-csv new.csv: -json writes to the same place"},
		{"-csv new.csv -json ./new.csv", "same place"},
		{"-csv new.csv -svg folder/../new.csv", "same place"},
		{"-csv new.csv -png dangling.csv", "same place"},
		{"-csv old.csv -json link.csv", "same place"},
		{"-csv old.csv -json hard.csv", "same place"},
		{"-csv folder/x -json alias/x", "same place"},
		{"-csv alias/../old.csv -json old.csv", "same place"},
		{"-csv - -json -", "same place"},
		{"-csv a -csv b", "twice"},
		{"-data data.csv -csv data.csv", "-csv data.csv: -data reads this file"},
		{"-data folder/data.csv -json ./data.csv", "-data reads this file"},
		{"-data folder -json x", "folder"},
	} {
		out, text, status := invoke(t, "", append([]string{"run", "-scene", "lab"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || strings.Count(text, "\n") != 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, %q, %q, want one line with %q", c.args, status, out, text, c.want)
		}
		if after := namesIn(t, dir); after != before {
			t.Fatalf("%s: the folder holds %s, before it was %s", c.args, after, before)
		}
	}
	for name, want := range map[string]string{old: "old\n", data: "1,0\n"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s holds %q, error %v", name, text, err)
		}
	}
	// The error must come before the long experiment starts.
	begun := time.Now()
	_, text, status := invoke(t, "", "experiment", "fonseca-staleness", "-csv", "none/x.csv", "-seeds", "1000")
	if status != 2 || !strings.Contains(text, "none/x.csv") {
		t.Errorf("status %d, %q after %v", status, text, time.Since(begun))
	}
}

// TestOutputFoldedNames checks that two names count as one file if the file system treats them as one.
func TestOutputFoldedNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	fileIn(t, dir, "case", "")
	_, err := os.Stat("CASE")
	folds := err == nil
	_, text, status := invoke(t, "", "run", "-scene", "lab", "-csv", "x.csv", "-json", "X.CSV")
	if folds != (status == 2 && strings.Contains(text, "same place")) {
		t.Errorf("the file system folds names: %v; status %d, %q", folds, status, text)
	}
}

// TestOutputReplaces checks that permissions and links are preserved, that a link's target is replaced, and that no
// temporary file remains.
func TestOutputReplaces(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("deep", 0o755); err != nil {
		t.Fatal(err)
	}
	old := fileIn(t, dir, "deep/old.csv", "old")
	if err := os.Chmod(old, 0o640); err != nil {
		t.Fatal(err)
	}
	linkTo(t, "deep/old.csv", "link.csv")
	linkTo(t, "deep/new.json", "dangling.json")
	run := []string{"run", "-scene", "lab", "-csv", "link.csv", "-json", "dangling.json"}
	succeeds(t, "", run...)
	for link, target := range map[string]string{"link.csv": "deep/old.csv", "dangling.json": "deep/new.json"} {
		if got, err := os.Readlink(link); err != nil || got != target {
			t.Errorf("%s is a link to %q, error %v", link, got, err)
		}
	}
	info, err := os.Stat(old)
	if err != nil || info.Mode().Perm() != 0o640 || info.Size() < 20 {
		t.Errorf("the file that was there: %v, error %v", info, err)
	}
	fresh := fileIn(t, dir, "usual", "")
	usual, err := os.Stat(fresh)
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.Stat("deep/new.json")
	if err != nil || made.Mode()&^0o022 != usual.Mode()&^0o022 {
		t.Errorf("a new file has %v, error %v", made.Mode(), err)
	}
	if got := namesIn(t, "deep"); got != "new.json old.csv" {
		t.Errorf("the folder holds %s", got)
	}

	// The file of an unfinished experiment is replaced after every part.
	linkTo(t, "deep/map.csv", "map.csv")
	resume := []string{"experiment", "fonseca-staleness", "-quick", "-resume", "-csv", "map.csv"}
	succeeds(t, "", resume...)
	if got, err := os.Readlink("map.csv"); err != nil || got != "deep/map.csv" {
		t.Errorf("resuming makes of the link %q, error %v", got, err)
	}
	whole, err := os.ReadFile("deep/map.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	// Convert the part to the format of a spreadsheet program.
	part := append([]byte(exchangeMark), bytes.ReplaceAll(bytes.Join(lines[:10], nil), []byte("\n"), []byte("\r\n"))...)
	if err := os.WriteFile("deep/map.csv", part, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("deep/map.csv", 0o600); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "", resume...)
	if again, err := os.ReadFile("deep/map.csv"); err != nil || !bytes.Equal(again, whole) {
		t.Errorf("gone on from the target of a link, the file differs, error %v", err)
	}
	if info, err := os.Stat("deep/map.csv"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of -resume: %v, error %v", info.Mode(), err)
	}
}

// exchangeMark is UTF-8's byte order mark.
const exchangeMark = "\xef\xbb\xbf"

// TestStageFails checks that a failed write leaves no temporary file.
func TestStageFails(t *testing.T) {
	dir := t.TempDir()
	place := filepath.Join(dir, "x")
	if err := os.Mkdir(place, 0o755); err != nil {
		t.Fatal(err)
	}
	good := fileIn(t, dir, "good", "old")
	c := &call{outputs: []*output{{option: "-csv", path: "good", file: good, data: []byte("new")},
		{option: "-svg", path: "y", file: filepath.Join(dir, "none", "y"), data: []byte("1")}}}
	if err := c.write(); err == nil || !strings.Contains(err.Error(), "-svg y: ") {
		t.Errorf("error %v", err)
	}
	if data, err := os.ReadFile(good); err != nil || string(data) != "old\n" {
		t.Errorf("one of two outputs cannot be written, and the other holds %q, error %v", data, err)
	}
	if got := namesIn(t, dir); got != "good x" {
		t.Errorf("the folder holds %s", got)
	}
}

// TestProgram checks the exit statuses of the built program for errors that the operating system causes.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no limits of the shell here")
	}
	bin, dir := filepath.Join(t.TempDir(), "paretoplay"), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	start := func(line string) (*exec.Cmd, *bytes.Buffer) {
		var said bytes.Buffer
		command := exec.Command("bash", "-c", line)
		command.Env = append(os.Environ(), "p="+bin)
		command.Dir, command.Stderr = dir, &said
		return command, &said
	}
	status := func(err error) int {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return 0
	}
	old := fileIn(t, dir, "old", "old")
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{`$p licences > licences`, 0, ""},
		{`$p run -scene lab -csv x.csv`, 0, ""},
		{`$p run -scene lab -csv none/x.csv`, 2, "none/x.csv"},
		{`$p run -scene lab -csv /dev/null -svg /dev/null`, 0, ""},
		{`$p run -scene lab -csv x.csv -json - > x.csv`, 2, "same place"},
		{`$p run -scene lab -data /dev/stdin -csv old < old`, 2, "-data reads this file"},
		{`echo 1,0 | $p run -scene lab -data /dev/stdin -csv fromstdin.csv`, 0, ""},
		{`set -o pipefail; $p run -scene lab -csv /dev/stdout | grep -q mgda`, 0, ""},
		{`$p run -scene lab -csv /dev/stdout > direct; echo more >> direct; $p run -scene lab -json /dev/stdout >> direct; grep -q more direct`,
			0, ""},
		{`mkfifo pipe; wc -l < pipe > lines & $p run -scene lab -csv pipe && wait && test "$(cat lines)" -eq 5`, 0, ""},
		// ulimit simulates a disk that is full after a kilobyte.
		{`ulimit -f 1; exec $p run -scene fonseca -json old`, 2, "-json old: file too large"},
		{`ulimit -f 1; exec $p run -scene fonseca -csv old -json x.json`, 2, "file too large"},
		{`$p run -scene lab -csv -json`, 2, "-csv -json: expected a file"},
		{`$p run -scene lab -csv ./-json && rm ./-json`, 0, ""},
		{`$p experiment fairness -quick -csv -nonsense`, 2, "-csv -nonsense"},
		{`$p run -scene lab -csv /dev/fd/99`, 2, "-csv /dev/fd/99"},
		{`$p serve -addr 127.0.0.1:99999`, 2, "-addr"},
		{`$p -addr nowhere`, 2, "host:port"},
		{`$p -addr 127.0.0.1:`, 2, "host:port"},
		{`$p -addr 127.0.0.1:http-but-not`, 2, "-addr"},
		{`$p -addr 203.0.113.1:80`, 2, "-addr"},
		{`$p -addr 127.0.0.1:0 -addr 127.0.0.1:0`, 2, "twice"},
	} {
		command, said := start(c.line)
		err := command.Run()
		lines := strings.Count(said.String(), "\n")
		if got := status(err); got != c.status || !strings.Contains(said.String(), c.want) || lines != min(c.status, 1) {
			t.Errorf("%s: status %d, want %d; %q, want %q", c.line, got, c.status, said, c.want)
		}
		if strings.Contains(namesIn(t, dir), ".paretoplay") {
			t.Fatalf("%s leaves %s", c.line, namesIn(t, dir))
		}
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "old\n" {
		t.Errorf("with no room, the old file holds %d bytes, error %v", len(data), err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		command, said := start(`$p scenes > /dev/full`)
		if got := status(command.Run()); got != 1 || !strings.Contains(said.String(), "standard output: no space left") {
			t.Errorf("standard output is full: status %d, %q", got, said)
		}
		command, said = start(`$p run -scene lab -csv /dev/full`)
		if got := status(command.Run()); got != 2 || !strings.Contains(said.String(), "-csv /dev/full: no space left") {
			t.Errorf("a device is full: status %d, %q", got, said)
		}
	}

	// An experiment that is interrupted at any moment must leave one complete file and nothing else.
	table := filepath.Join(dir, "table.csv")
	for i := range 8 {
		command, said := start(fmt.Sprintf("exec $p experiment fonseca-staleness -seeds 50 -jobs 2 -resume -csv %s", table))
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		for begun := time.Now(); ; { // its file is replaced now and then
			if _, err := os.Stat(table); err == nil || time.Since(begun) > time.Minute {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(37*i) * time.Millisecond)
		told := []os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]
		if err := command.Process.Signal(told); err != nil {
			t.Fatal(err)
		}
		if command.Wait() == nil || said.Len() > 0 {
			t.Errorf("interrupted, it says %q", said)
		}
		data, err := os.ReadFile(table)
		if err != nil || !bytes.HasSuffix(data, []byte("\n")) {
			t.Errorf("interrupted, it leaves %.80q, error %v", data, err)
		}
	}
	// An interrupt must not end a process that ignores interrupts, such as a background job.
	command, said := start(`trap '' INT; exec $p experiment fonseca-staleness -quick -resume -csv ignoring.csv`)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- command.Wait() }()
	for running := true; running; {
		select {
		case err := <-ended:
			running = false
			if got := status(err); got != 0 || said.Len() > 0 {
				t.Errorf("interrupts are to be ignored: status %d, %q", got, said)
			}
		case <-time.After(2 * time.Millisecond):
			if _, err := os.Stat(filepath.Join(dir, "ignoring.csv")); err != nil {
				continue // the shell may not ignore them yet
			}
			if err := command.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
		}
	}
	names := strings.Fields(namesIn(t, dir))
	// A killed experiment leaves its lock file; the next experiment must remove it.
	want := []string{"direct", "fromstdin.csv", "ignoring.csv", "licences", "lines", "old", "pipe", "table.csv", "table.csv.lock", "x.csv"}
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
}
