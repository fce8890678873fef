package runlog

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestForeign checks that logs written by other programs are read, or rejected with advice.
func TestForeign(t *testing.T) {
	const lines = `{"step":[5],"losses":[1,2],"gramian":[[1,0],[0,1]],"forward":[1],"backward":[2]}` + "\n" +
		`{"step":[9],"losses":[1,2],"gramian":[[1,0],[0,1]],"forward":[1],"backward":[2]}` + "\n"
	l, err := Read(strings.NewReader("\ufeff"+lines), NativeBytes) // R's jsonlite writes single numbers as lists
	if err != nil || l.Step(0) != 5 || l.Step(1) != 9 {
		t.Fatalf("%+v, %v", l, err)
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"\ufeff", ""} {
			var text []byte
			for _, c := range utf16.Encode([]rune(mark + lines)) {
				text = order.AppendUint16(text, c)
			}
			if _, err := Read(bytes.NewReader(text), NativeBytes); err == nil || err.Error() != "the text is UTF-16; save it as UTF-8" {
				t.Errorf("UTF-16: %v", err)
			}
		}
	}
	for text, want := range map[string]string{
		strings.Replace(lines, "[5]", "[]", 1):    "line 1: step: ",
		strings.Replace(lines, "[5]", "[5,6]", 1): "line 1: step: lists are nested deeper than 0",
		strings.Replace(lines, "[5]", "[[5]]", 1): "line 1: step: lists are nested deeper than 0",
	} {
		if _, err := Read(strings.NewReader(text), NativeBytes); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	for _, c := range []struct {
		first, last int64
		want        string
	}{
		{10, math.MaxInt64, "0 records are from step 10 on; at least two are needed, and the log is from step 5 to step 9"},
		{math.MinInt64, 7, "1 records are up to step 7; at least two are needed, and the log is from step 5 to step 9"},
		{6, 7, "0 records are from step 6 to step 7; at least two are needed, and the log is from step 5 to step 9"},
	} {
		if _, err := l.Between(c.first, c.last); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for v, want := range map[float64]string{
		8.5e-9: "8.5e-09", 0.0012: ".0012", 0: ".00", 0.5: ".50", 1: "1.00", -8.5e-9: "-8.5e-09", 0.0051: ".01",
	} {
		if got := weightText(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
}

// TestDamagedEnd checks that the error for an archive with incomplete data says that it is damaged.
func TestDamagedEnd(t *testing.T) {
	if err := damaged("losses", fmt.Errorf("losses: %w", io.ErrUnexpectedEOF)); err.Error() !=
		"losses: the archive is damaged: it ends in the middle of this array" {
		t.Error(err)
	}
	for cut := range 40 {
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		header := "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }"
		data := append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), 0})+header), make([]byte, 32)...)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		short := packed.Bytes()[:max(packed.Len()-cut, 0)]
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		f, err := z.CreateRaw(&zip.FileHeader{Name: "losses.npy", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(data),
			CompressedSize64: uint64(len(short)), UncompressedSize64: uint64(len(data))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(short); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := OpenArrays(bytes.NewReader(file.Bytes()), int64(file.Len()), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = a.Read("losses"); (err == nil) != (cut == 0) || err != nil && strings.Contains(err.Error(), "EOF") {
			t.Errorf("%d bytes short: %v", cut, err)
		}
	}
}
