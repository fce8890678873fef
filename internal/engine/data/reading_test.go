package data_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
)

// read reads a text in the given layout, in pieces of the given size.
func read(l *data.Layout, c data.Choice, text string, piece int) (*data.Pasted, error) {
	r := data.NewChoiceReader(l, c)
	for part := range slices.Chunk([]byte(text), piece) {
		if _, err := r.Write(part); err != nil {
			return nil, err
		}
	}
	return r.Close()
}

// TestForms checks that tables can be read in the formats that common programs write, with notes on how each table was
// interpreted.
func TestForms(t *testing.T) {
	const commas, heading = "commas are decimal commas", "line 1 is the heading: f1, f2"
	square := "[[1.5 0] [0 1.5]]"
	for _, c := range []struct {
		name, text, want string
		notes            string
	}{
		{"semicolons", "1,5;0\n0;1,5\n", square, commas},
		{"tabs", "1,5\t0\n0\t1,5\n", square, commas},
		{"blanks", "1,5 0,0\n0,0 1,5\n", square, commas},
		{"R's write.csv2", "\"f1\";\"f2\"\n1,5;0\n0;1,5\n", square, heading + "; " + commas},
		{"R's write.csv2 with texts", "\"f1\";\"f2\"\n\"1,5\";\"0\"\n\"0\";\"1,5\"\n", square, heading + "; " + commas},
		{"R's write.csv2 with row names", "\"\";\"f1\";\"f2\"\n\"1\";1,5;0\n\"2\";0;1,5\n", square,
			"the first column, which has no name, counts or names the rows and is left out; " + heading + "; " + commas},
		{"quoted in commas", "\"1,5\",0\n0,\"1,5\"\n", square, commas},
		{"commas with blanks", "1.5, 0\n 0 , 1.5\n", square, ""},
		{"commas with tabs", "1.5,\t0\n0,\t1.5", square, ""},
		{"R's write.table", "\"f1\" \"f2\"\n\"a\" 1.5 0\n\"b\" 0 1.5\n", square,
			"the first column, which has no name, counts or names the rows and is left out; " + heading},
		{"pandas' index", ",f1,f2\n0,1.5,0\n1,0,1.5\n", square,
			"the first column, which has no name, counts or names the rows and is left out; " + heading},
		{"pandas' index with tabs", "\tf1\tf2\n0\t1.5\t0\n4\t0\t1.5\n", square,
			"the first column, which has no name, counts or names the rows and is left out; " + heading},
		{"numpy.savetxt", "1.500000000000000000e+00 0.000000000000000000e+00\n0.0e+00 1.5e+00\n", square, ""},
		{"numpy's header", "# f1,f2\n1.5,0\n0,1.5\n", square, heading},
		{"numpy's header with blanks below", "# f1,f2\n1.5 0\n0 1.5\n", square, heading},
		{"a comment", "# two points of a front\n1.5,0\n# and\n0,1.5\n", square, "2 comment lines left out"},
		{"MATLAB's comment", "% f\n1.5 0\n0 1.5\n", square, "1 comment line left out"},
		{"jMetal", "1.5 0.0 \n0.0 1.5 \n", square, ""},
		{"names of several words", "first objective;second\n1.5;0\n0;1.5\n", square, "line 1 is the heading: first objective, second"},
		{"one column", "the loss\n1.5\n2\n", "[[1.5] [2]]", "line 1 is the heading: the loss"},
		{"one name with a number", "loss 1\n1.5\n2\n", "[[1.5] [2]]", "line 1 is the heading: loss 1"},
		{"old Macs", "1.5,0\r0,1.5\r", square, ""},
		{"doubled line ends", "1.5,0\r\r\n0,1.5\r\r\n", square, "blank lines between single rows are ignored"},
		{"NumPy's repr", "array([[1.5, 0. ],\n       [0. , 1.5]])", square, ""},
		{"NumPy's repr of float32", "array([[1.5, 0. ],\n       [0. , 1.5]], dtype=float32)\n", square, ""},
		{"NumPy's str", "[[1.5 0. ]\n [0.  1.5]]\n", square, ""},
		{"an assignment", "F = np.array([[1.5,0],[0,1.5]])", square, ""},
		{"PyTorch", "tensor([[1.5000, 0.0000],\n        [0.0000, 1.5000]], device='cuda:0', dtype=torch.float64, grad_fn=<AddBackward0>)",
			square, ""},
		{"JAX", "Array([[1.5, 0. ],\n       [0. , 1.5]], dtype=float32)", square, ""},
		{"a JSON list", "[[1.5,0],[0,1.5]]", square, ""},
		{"a list of objects", "[\n {\"f1\": 1.5, \"f2\": 0},\n {\"f2\": 1.5, \"f1\": 0}]", square, "line 2 is the heading: f1, f2"},
		{"Optuna", ",number,values_0,values_1,datetime_start,state\n0,0,1.5,0,2024-01-01 10:00:00,COMPLETE\n" +
			"1,1,,,2024-01-01,PRUNED\n2,2,0,1.5,2024,COMPLETE\n", square,
			"only the values of Optuna's trials are read; line 1 is the heading: values_0, values_1; 1 incomplete trial left out"},
	} {
		for _, piece := range []int{1, 3, 1 << 20} {
			p, err := read(data.Gradients, data.Choice{}, c.text, piece)
			if err != nil {
				t.Errorf("%s in pieces of %d: %v", c.name, piece, err)
				continue
			}
			if got := fmt.Sprint(p.Rows(data.JacobianName)); got != c.want || strings.Join(p.Notes, "; ") != c.notes {
				t.Errorf("%s in pieces of %d: got %s, %q, want %s, %q", c.name, piece, got, p.Notes, c.want, c.notes)
			}
		}
	}
}

// TestDamaged checks that a first row of damaged numbers is not taken for a heading. An ambiguous number must be
// refused with an error that names both readings.
func TestDamaged(t *testing.T) {
	for text, want := range map[string]string{
		"NaN,NaN\n1,2":      `line 1, column 1: "NaN" is not a number`,
		"inf,-inf\n1,2":     `line 1, column 1: "inf" is not a number`,
		"1e400,-1e400\n1,2": `line 1, column 1: "1e400" is too large for double precision`,
		"−1,−2\n1,2":        `line 1, column 1: "−1" is not a number; write its minus sign as "-"`,
		"1 000,2 000\n1,2":  `line 1, column 1: "1 000,2 000" has 3 numbers with decimal commas, or 2 separated by commas`,
		"1 000,2 500\n":     `line 1, column 1: "1 000,2 500" has 3 numbers with decimal commas, or 2 separated by commas`,
		"1\u00a0000;2\n1;2": `line 1, column 1: "1\u00a0000" is not a number; write it without signs between groups of digits`,
		"#DIV/0!,1\n1,2":    `line 1, column 1: "#DIV/0!" is not a number`,
		"50%,1\n1,2":        `line 1, column 1: "50%" is not a number; write a share without the percent sign`,
		"1d3,2d0\n1,2":      `line 1, column 1: "1d3" is not a number; write its exponent with "e"`,
		"--,--\n1,2":        `line 1, column 1: "--" is not a number`,
		"f1,NaN\n1,2":       `line 1, column 4: "NaN" is not a number, nor a column name`,
		"f1,f2\nNaN,2":      `line 2, column 1: "NaN" is not a number`,
		"f1,f2,f3\n1,2":     `line 2: 2 cells, but the heading in line 1 has 3`,
		"f1\n1,5\n":         `line 2: 2 cells, but the heading in line 1 has 1`,
		"!1J1 0.8 0.7\n0":   `line 1, column 1: "!1J1" is not a number`,
		"J 0.8 0.7\n0":      `line 1, column 3: cell 2 is a number, but the cells before it are not`,
		"f1,,f3\n1,2,3":     `line 1, column 4: "" is not a number, nor a column name`,
		"1,234;5,678": `line 1, column 1: "1,234" is 1.234 with a decimal comma, ` +
			`or 1234 with a comma between groups of digits`,
		"1,234 5,678":  `line 1, column 1: "1,234" is 1.234 with a decimal comma, or 1234`,
		"1,500;0,250":  "",
		"1,5;2\n1.5;2": `line 2, column 1: "1,5" has a decimal comma and "1.5" a decimal point`,
		"1,5,2;3":      `line 1, column 1: "1,5,2" is not a number`,
		"1.234,5;2": `line 1, column 1: "1.234,5" is not a number; write it with a decimal point, ` +
			`and without signs between groups`,
		"1,5;0\n0,1,5":      `line 2, column 1: "0,1,5" is not a number`,
		"1;2\n3,4":          `line 2, column 4: row 2 has 1 numbers, row 1 has 2`,
		",f1\n1.5,2\n2.5,1": `line 2, column 1: the first column has no name and does not count the rows; give it a name`,
		"[1., 2.]": `line 1, column 2: unexpected "1."; "[" before a row is expected; ` +
			`write a matrix of one row as [[1, 2]]`,
		"[[1 2]\n ...\n [3 4]]":          `unexpected "..."`,
		"[[1 ... 2]]":                    `"..." is not a number; NumPy left numbers out`,
		"[[1 2, 3]]":                     "unexpected comma; blanks separate the numbers",
		"array([[1, 2]]":                 `; ")" is expected after the array`,
		"array([[nan, 2]])":              `"nan" is not a number`,
		"array([[1, 2]]) + 1":            `; ")" is expected`,
		"     [,1] [,2]\n[1,]  1.0  2.0": "this looks like a matrix printed by R; write it with write.csv",
		`[{"f1":1},{"f2":2}]`:            `line 1: entry 2: "f2" is not in entry 1, or appears twice`,
		`[{"f1":1,"f2":null}]`:           `line 1, column 2: cell 2 is empty`,
		`[{"f1":[1]}]`:                   `line 1: entry 1: "f1" is a list or an object`,
		`[{"f1":1}`:                      "line 1: the file ends in the middle",
		`[{"f1":1}] 2`:                   "nothing more is expected after the list",
		"\xef9":                          `"\xef9" is not a number`,
		"\xef\xbb":                       `"\xef\xbb" is not a number`,
		"PK\x03\x04":                     "it is neither an npy nor a complete npz",
		"\x89HDF\r\n\x1a\n":              "this is an HDF5 file (.h5, .mat of MATLAB 7.3); write an array of it with numpy.savetxt",
		"PAR1....":                       "this is a Parquet file; write it with pandas.read_parquet",
		"\x80\x04\x95abc":                "this is a pickle of Python; write the array with numpy.savetxt",
		"MATLAB 5.0 MAT-file":            "this is a MATLAB file (.mat); write a matrix of it with writematrix",
		"\x1f\x8b\x08":                   "this is a gzip file",
	} {
		for _, piece := range []int{1, 1 << 20} {
			_, err := read(data.Gradients, data.Choice{}, text, piece)
			if want == "" {
				if err != nil {
					t.Errorf("%q: %v", text, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q in pieces of %d: got error %v, want one with %q", text, piece, err, want)
			} else if len(err.Error()) > 300 {
				t.Errorf("%q: got a message of %d bytes", text, len(err.Error()))
			}
		}
	}
}

// TestChoice checks that a file with several runs, arrays or columns requires a choice, and that the chosen part is
// returned.
func TestChoice(t *testing.T) {
	const runs = "1 2\n3 4\n\n5 6\n7 8\n9 0\n"
	var several *data.ChoiceError
	if _, err := read(data.Gradients, data.Choice{}, runs, 1); !errors.As(err, &several) ||
		err.Error() != "there are 2 runs, separated by blank lines: 1 (2 rows), 2 (3 rows); name the part to read" {
		t.Errorf("runs: got error %v", err)
	}
	for _, c := range []struct {
		text         string
		choice       data.Choice
		want, refuse string
	}{
		{runs, data.Choice{Part: "1"}, "[[1 2] [3 4]]", ""},
		{runs, data.Choice{Part: "2"}, "[[5 6] [7 8] [9 0]]", ""},
		{runs, data.Choice{Part: "2", Columns: []string{"2"}}, "[[6] [8] [0]]", ""},
		{runs, data.Choice{Part: "3"}, "", "unknown part 3; the file has 2 runs"},
		{runs, data.Choice{Part: "F"}, "", `unknown part "F": the file is a table, whose runs are counted from 1`},
		{"1 2\n3 4\n", data.Choice{Part: "1"}, "[[1 2] [3 4]]", ""},
		{"g,f_1,f_2\nx,1,2\ny,3,4\n", data.Choice{Columns: []string{"f_2", "2"}}, "[[2 1] [4 3]]", ""},
		{"g,f_1,f_2\nx,1,2\n", data.Choice{}, "", `line 2, column 1: "x" is not a number`},
		{"g,f_1,f_2\nx,1,2\n", data.Choice{Columns: []string{"f"}}, "", `unknown column "f"; available: g, f_1, f_2`},
		{"1,2\n", data.Choice{Columns: []string{"3"}}, "", `unknown column "3"; available: 1 to 2`},
		{"1,2\n", data.Choice{Columns: []string{"1", "1"}}, "", `column "1" is chosen twice`},
		{"a,b\n1,2\n3\n", data.Choice{Columns: []string{"a"}}, "", "line 3: 1 cell, but the table has 2"},
		{`{"F": [[1,2]], "X": [["a,}", {"b":[3]}]], "seed": 3}`, data.Choice{Part: "F"}, "[[1 2]]", ""},
		{`{"X": "a\"]", "F": [[1,2]]}`, data.Choice{Part: "F"}, "[[1 2]]", ""},
		{`{"X": 3, "F": [[1,2]]}`, data.Choice{}, "",
			`unknown name "X"; available: jacobian losses seed; name it as the part to read if it is the jacobian`},
		{`{"X": 3}`, data.Choice{Part: "F"}, "", "jacobian: at least one row"},
		{`[{"g":"x","f":1},{"g":"y","f":2}]`, data.Choice{Columns: []string{"f"}}, "[[1] [2]]", ""},
	} {
		for _, piece := range []int{1, 1 << 20} {
			p, err := read(data.Gradients, c.choice, c.text, piece)
			if c.refuse != "" {
				if err == nil || !strings.Contains(err.Error(), c.refuse) {
					t.Errorf("%q with %+v: got error %v, want one with %q", c.text, c.choice, err, c.refuse)
				}
				continue
			}
			if err != nil {
				t.Errorf("%q with %+v: %v", c.text, c.choice, err)
			} else if got := fmt.Sprint(p.Rows(data.JacobianName)); got != c.want {
				t.Errorf("%q with %+v: got %s, want %s", c.text, c.choice, got, c.want)
			}
		}
	}
}

// TestNamedForms checks that tables with column names are read, with notes on what is left out and how words are coded.
func TestNamedForms(t *testing.T) {
	for _, c := range []struct{ text, names, numeric, notes, refuse string }{
		{"# f1 f2\n1,5 2\n2,5 3\n", "[f1 f2]", "[f1 f2]", "commas are decimal commas", ""},
		{"f1;f2\n1,5;2\n2,5;3\n", "[f1 f2]", "[f1 f2]", "commas are decimal commas", ""},
		{",f1,day\n0,1,2024-01-01\n1,2,2024-01-02\n2,,x\n", "[f1 day]", "[f1]",
			"the first column, which has no name, counts or names the rows and is left out; " +
				"1 row left out for a cell without a value, the first in line 4; " +
				`column "day" has 2 different words, which become 1 column of 0 and 1`, ""},
		{`[{"f1": 1, "w": "a, b"}, {"f1": 2, "w": "c"}]`, "[f1 w]", "[f1]",
			`column "w" has 2 different words, which become 1 column of 0 and 1`, ""},
		{"[\n  {\"f1\": 1},\n  {\"f1\": 2}\n]\n", "[f1]", "[f1]", "", ""},
		{"f1,f2\n1,2\n\n3,4\n5,6\n", "[f1 f2]", "[f1 f2]", "blank lines separate 2 groups of rows, which are read as one table", ""},
		{"NaN,NaN\n1,2\n", "", "", "", "line 1: a heading with the names of the columns is expected, but there are numbers"},
		{"a,b\n−1,2\n", "", "", "", `line 2, column 1, "a": "−1" is not a number; write its minus sign as "-"`},
		{"a,b\n#REF!,2\n", "", "", "", `line 2, column 1, "a": "#REF!" is not a number`},
		{"# " + strings.Repeat("a comment ", 100) + "\na,b\n1,2\n", "[a b]", "[a b]", "1 comment line left out", ""},
		{strings.Repeat("a", 401) + "\n1\n", "", "", "", "is too long for a cell"},
		{",a\n1,−1\n", "", "", "", `line 2, column 2, "a": "−1" is not a number`},
	} {
		for _, piece := range []int{1, 1 << 20} {
			p, err := read(data.Rows, data.Choice{}, c.text, piece)
			if c.refuse != "" {
				if err == nil || !strings.Contains(err.Error(), c.refuse) {
					t.Errorf("%q: got error %v, want one with %q", c.text, err, c.refuse)
				}
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
				continue
			}
			if got := fmt.Sprint(p.Table().Names(), p.Table().Numeric()); got != c.names+" "+c.numeric || strings.Join(p.Notes, "; ") != c.notes {
				t.Errorf("%q: %s, %q, want %s %s, %q", c.text, got, p.Notes, c.names, c.numeric, c.notes)
			}
		}
	}
}
