package data

import (
	"errors"
	"slices"
	"strings"
)

// ErrUTF16 is the error for a text in UTF-16, which some editors and spreadsheets call "Unicode".
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// ErrNumPy is the error for a NumPy array file in a place where arrays cannot be read.
var ErrNumPy = errors.New("this is a NumPy file (.npy), which cannot be read here; write the array as CSV with " +
	`numpy.savetxt("gradients.csv", a, delimiter=",")`)

// First bytes of NumPy files: npy, and npz, which is a zip file.
const (
	numPyMark = "\x93NUMPY"
	zipMark   = "PK\x03\x04"
)

// kinds lists binary formats that this package cannot read, with their first bytes and the command that converts them.
// A browser may decode the first bytes as UTF-8 and replace invalid ones.
var kinds = []struct {
	marks []string
	is    string
}{
	{[]string{"\x89HDF", "\ufffdHDF"},
		`an HDF5 file (.h5, .mat of MATLAB 7.3); write an array of it with numpy.savetxt("table.csv", f["NAME"], delimiter=",")`},
	{[]string{"MATLAB 5"}, `a MATLAB file (.mat); write a matrix of it with writematrix(x, "table.csv")`},
	{[]string{"PAR1"}, `a Parquet file; write it with pandas.read_parquet(f).to_csv("table.csv", index=False)`},
	{[]string{"ARROW1", "FEA1"}, `an Arrow file; write it with pandas.read_feather(f).to_csv("table.csv", index=False)`},
	{[]string{"SQLite f"}, `an SQLite database; write a table of it with sqlite3 -header -csv FILE "select ..." > table.csv`},
	{[]string{"\xd0\xcf\x11\xe0", "\ufffd\ufffd\x11"}, "an old spreadsheet (.xls); save it as CSV"},
	{[]string{"\x1f\x8b", "\x1f\ufffd"},
		`a gzip file, such as an .rds of R; unpack it, or write it in R with write.csv(x, "table.csv", row.names=FALSE)`},
	{[]string{"RDX2", "RDX3", "RDA2", "RDA3"}, `a file of R's save; write a matrix of it with write.csv(x, "table.csv", row.names=FALSE)`},
	{[]string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05", "\ufffd\x02", "\ufffd\x03", "\ufffd\x04", "\ufffd\x05"},
		`a pickle of Python; write the array with numpy.savetxt("table.csv", a, delimiter=",")`},
	{[]string{"\x89PNG", "\ufffdPNG", "%PDF-", "\xff\xd8\xff"}, "a picture or a document; write its numbers as CSV"},
}

// firstBytes is the number of bytes that suffice to identify a file: the length of the longest mark.
const firstBytes = len("\ufffdNUMPY")

// unreadable returns an error if a file with these first bytes is neither UTF-8 text nor another supported format.
func unreadable(first []byte) error {
	for _, k := range kinds {
		if begins(first, k.marks...) {
			return errors.New("this is " + k.is)
		}
	}
	if begins(first, "\ufffdNUMPY") { // as a browser decodes it
		return ErrNumPy
	}
	if looksUTF16(first) {
		return ErrUTF16
	}
	return nil
}

// begins reports whether a file begins with one of the marks.
func begins(first []byte, marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(string(first), mark) })
}

// mayBeMarked reports whether these bytes may be the start of a binary file's mark.
func mayBeMarked(first []byte) bool {
	may := func(mark string) bool { return len(first) < len(mark) && strings.HasPrefix(mark, string(first)) }
	if may(numPyMark) || may(zipMark) || may("\ufffdNUMPY") || may(byteOrderMark) {
		return true
	}
	for _, k := range kinds {
		if slices.ContainsFunc(k.marks, may) {
			return true
		}
	}
	return false
}

// zipped returns the error for a zip file that is not an npz. The argument is a list of the file names in the zip file.
func zipped(names []string) error {
	is := "a zip file without NumPy arrays; unpack it"
	for _, name := range names {
		switch {
		case name == "[Content_Types].xml", name == "content.xml":
			is = "a spreadsheet (.xlsx or .ods); save it as CSV"
		case strings.HasSuffix(name, "data.pkl"):
			is = `a file written by torch.save; write the tensor with numpy.savetxt("table.csv", t.detach().cpu().numpy(), delimiter=",")`
		}
	}
	return errors.New("this is " + is)
}

// looksUTF16 reports whether a text with these first bytes is UTF-16. Such a text starts with a byte order mark, which
// a browser may have decoded. Without a mark, a text counts as UTF-16 if exactly one of its first two bytes is 0,
// because one of the two bytes of an ordinary character is 0.
func looksUTF16(first []byte) bool {
	return begins(first, "\xff\xfe", "\xfe\xff", "\ufffd\ufffd") || len(first) >= 2 && (first[0] == 0) != (first[1] == 0)
}

// refuseArrays returns an error for a file of arrays where text is expected.
func refuseArrays(first []byte) error {
	switch {
	case begins(first, numPyMark):
		return ErrNumPy
	case begins(first, zipMark):
		return errors.New("this is a zip file, such as NumPy's npz or a spreadsheet, and cannot be read here; save it as CSV or as text")
	}
	return nil
}
