package runlog

import (
	"os"
	"testing"
)

// open reads a log that the site ships.
func open(t testing.TB, name string) *Log {
	t.Helper()
	f, err := os.Open("../../assets/logs/" + name + ".npz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	l, err := ReadAt(f, info.Size(), NativeBytes)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
