package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLock checks that only one process holds the lock, and that the error names the holder. After release, the next
// process must be able to lock the file.
func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.csv")
	release, err := Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lock(file)
	var locked *LockedError
	if want := fmt.Sprintf("process %d", os.Getpid()); !errors.As(err, &locked) || !strings.HasPrefix(locked.Holder, want) ||
		!strings.Contains(err.Error(), " is writing it") {
		t.Errorf("held twice: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release, err = Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if got := (&LockedError{}).Error(); got != "another process is writing it" {
		t.Error(got)
	}
	if _, err := Lock(filepath.Join(file, "none", "x")); err == nil || errors.As(err, &locked) {
		t.Errorf("no folder: %v", err)
	}
}
