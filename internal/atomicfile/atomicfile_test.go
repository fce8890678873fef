package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// names lists the files in a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// holds checks the contents of a file.
func holds(t *testing.T, file, want string) {
	t.Helper()
	if data, err := os.ReadFile(file); err != nil || string(data) != want {
		t.Errorf("%s holds %q, want %q, error %v", filepath.Base(file), data, want, err)
	}
}

// TestReplace checks that Replace creates a file, or replaces it and keeps its permissions. Replace must not replace a
// folder, and must leave no temporary files.
func TestReplace(t *testing.T) {
	folder := t.TempDir()
	file, taken := filepath.Join(folder, "file"), filepath.Join(folder, "taken")
	if err := os.Mkdir(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Replace(file, []byte("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, file, "one")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(file, []byte("two")); err != nil {
		t.Fatal(err)
	}
	holds(t, file, "two")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the permissions are %v, error %v", info.Mode(), err)
	}
	if err := Replace(taken, []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if err := Replace(filepath.Join(folder, "none", "file"), nil); err == nil {
		t.Error("a file was put in a folder that is not there")
	}
	if got := names(t, folder); got != "file taken" {
		t.Errorf("the folder holds %s", got)
	}
}

// TestStage checks that a staged file appears at its destination only when it is published.
func TestStage(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	for _, publish := range []bool{false, true} {
		s, err := Stage(file, []byte("staged"))
		if err != nil || s.Place() != file {
			t.Fatalf("place %s, error %v", s.Place(), err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("the file is in its place before it is published")
		}
		finish, want := s.Discard, ""
		if publish {
			finish, want = s.Publish, "file"
		}
		if err := finish(); err != nil || names(t, folder) != want {
			t.Errorf("published %v: the folder holds %s, error %v", publish, names(t, folder), err)
		}
	}
	holds(t, file, "staged")
}

// TestTry checks that Try creates an empty file with the same name and deletes it.
func TestTry(t *testing.T) {
	folder := t.TempDir()
	err := Try(filepath.Join(folder, "file"), func(trial string) error {
		holds(t, filepath.Join(trial, "file"), "")
		return fs.ErrExist
	})
	if err == nil || names(t, folder) != "" {
		t.Errorf("the folder holds %s, error %v", names(t, folder), err)
	}
	if err := Try(filepath.Join(folder, "none", "file"), func(string) error { return nil }); err == nil {
		t.Error("a file could be written to a folder that is not there")
	}
}

// TestFollowed checks that Followed resolves links to a file that may be missing, and returns an error for a cycle of
// links.
func TestFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need privileges here")
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"a": "b", "b": "file", "circle": "circle"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if end, err := Followed(filepath.Join(folder, "a")); err != nil || end != filepath.Join(folder, "file") {
		t.Errorf("it leads to %s, error %v", end, err)
	}
	for _, wrong := range []string{"circle", "none/file", "none/"} {
		if end, err := Followed(filepath.Join(folder, "") + "/" + wrong); err == nil {
			t.Errorf("%s leads to %s", wrong, end)
		}
	}
}
