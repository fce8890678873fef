package runlog_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"paretoplay/algo/runlog"
)

// TestArrays checks that npy and npz are read as row-major float64, and that damaged files are rejected.
func TestArrays(t *testing.T) {
	npy := func(descr, fortran, shape, data string) string {
		header := "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }"
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + data
	}
	const one, two, half = "\x00\x00\x80\x3f", "\x00\x00\x00\x40", "\x00\x00\x00\x3f"
	for _, c := range []struct {
		file  string
		want  runlog.Array
		error string
	}{
		{npy("<f4", "False", "(1, 2)", one+two), runlog.Array{Shape: []int{1, 2}, Data: []float64{1, 2}}, ""},
		{npy("<f4", "True", "(2, 2)", one+two+half+one), runlog.Array{Shape: []int{2, 2}, Data: []float64{1, 0.5, 2, 1}}, ""},
		{npy("<i4", "False", "()", "\x07\x00\x00\x00"), runlog.Array{Data: []float64{7}}, ""},
		{npy("<f4", "False", "(1, 2)", one), runlog.Array{}, "an array of shape (1, 2) does not have the"},
		{npy("<f2", "False", "(1, 1)", "\x00\x3c"), runlog.Array{}, "save it as a.astype('<f4')"},
		{npy("|b1", "False", "(1, 1)", "\x01"), runlog.Array{}, "save it as a.astype('<f4')"},
		{npy("<u8", "False", "(1, 1)", "\x01\x00\x00\x00\x00\x00\x00\x00"), runlog.Array{}, "save it as a.astype('<i8')"},
		{npy("|V2", "False", "(1, 1)", "\x80\x3f"), runlog.Array{}, "save a tensor as t.float().numpy()"},
		{npy("<f4", "False", "(1, 1)", "\x00\x00\x80\x7f"), runlog.Array{}, "is +Inf, which is not finite"},
		{"PK\x03\x04", runlog.Array{}, "it is neither an npy nor a complete npz"},
	} {
		f, err := runlog.OpenArrays(strings.NewReader(c.file), int64(len(c.file)), 1<<20)
		var got *runlog.Array
		if err == nil {
			got, err = f.Read("")
		}
		if c.error != "" {
			if err == nil || !strings.Contains(err.Error(), c.error) {
				t.Errorf("%q: %v, want an error with %q", c.file, err, c.error)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got.Data, c.want.Data) || len(got.Shape) != len(c.want.Shape) {
			t.Errorf("%q: %v, %v, want %v", c.file, got, err, c.want)
		}
	}
	text, err := os.ReadFile("digits/digits-two.npz")
	if err != nil {
		t.Fatal(err)
	}
	f, err := runlog.OpenArrays(bytes.NewReader(text), int64(len(text)), 1<<30)
	if err != nil || f.Npy() || len(f.Names()) < 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	if a, err := f.Read("losses"); err != nil || len(a.Shape) != 2 || len(a.Data) != a.Shape[0]*a.Shape[1] {
		t.Errorf("losses: %+v, %v", a, err)
	}
	if _, err := f.Read("zzz"); err == nil || !strings.Contains(err.Error(), "unknown array zzz; available: ") {
		t.Errorf("no array: %v", err)
	}
	if _, err := f.Read(""); err == nil {
		t.Error("an array without a name is read of an npz")
	}
}
