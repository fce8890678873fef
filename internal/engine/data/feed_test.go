package data

import (
	"strings"
	"testing"
)

// TestFeed checks that a log can be read in pieces of any size, and that an error in the log is reported with the piece
// that contains it.
func TestFeed(t *testing.T) {
	const text = `{"losses": [1, 2], "gramian": [[1, 0], [0, 1]]}` + "\n" + `{"losses": [2, 1], "gramian": [[2, 0], [0, 1]]}` + "\n"
	for size := 1; size <= len(text); size++ {
		r := NewReader(RunLog)
		for at := 0; at < len(text); at += size {
			if _, err := r.Write([]byte(text[at:min(at+size, len(text))])); err != nil {
				t.Fatalf("pieces of %d: %v", size, err)
			}
		}
		p, err := r.Close()
		if err != nil || p.Log().Records() != 2 {
			t.Fatalf("pieces of %d: error %v", size, err)
		}
	}
	r := NewReader(RunLog)
	if _, err := r.Write([]byte(`{"losses": [1`)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write([]byte(strings.Repeat(",1", 1<<16))); err == nil || !strings.Contains(err.Error(), "more than 800 numbers") {
		t.Errorf("before the line ends: got error %v", err)
	}
	r = NewReader(RunLog)
	if _, err := r.Write([]byte(text[:20])); err != nil {
		t.Fatal(err)
	}
	r.Abandon()
	r.Abandon()
}
