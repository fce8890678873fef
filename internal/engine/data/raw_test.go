package data

import (
	"bytes"
	"testing"
)

// TestRaw checks that a file of any bytes is kept unchanged when it is read in pieces of any size. An empty file must
// be refused.
func TestRaw(t *testing.T) {
	data := []byte{0x1f, 0x8b, 0, '\n', '{', 0xff, '"'}
	r := NewReader(Raw)
	for _, part := range [][]byte{data[:1], data[1:4], data[4:]} {
		if _, err := r.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	p, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	if rows, columns := p.Shape(); !bytes.Equal(p.Raw(), data) || p.Bytes != len(data) || rows != 0 || columns != 0 || p.About == "" {
		t.Errorf("%+v holds %v", p, p.Raw())
	}
	if _, err := NewReader(Raw).Close(); err == nil {
		t.Error("got no error for an empty file")
	}
	if _, err := NewReader(Raw).Write(make([]byte, MaxBytes+1)); err == nil {
		t.Error("got no error for a file that is too large")
	}
}
