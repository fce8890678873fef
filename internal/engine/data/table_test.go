package data_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
)

func readTable(r io.Reader) (*data.Table, error) {
	p, err := data.Read(r, data.Rows)
	if err != nil {
		return nil, err
	}
	return p.Table(), nil
}

// table reads a text in pieces of the given size.
func table(text string, piece int) (*data.Table, error) {
	r := data.NewReader(data.Rows)
	for part := range slices.Chunk([]byte(text), piece) {
		if _, err := r.Write(part); err != nil {
			return nil, err
		}
	}
	p, err := r.Close()
	if err != nil {
		return nil, err
	}
	return p.Table(), nil
}

func prepare(t *testing.T, text string, c data.Split) *data.Prepared {
	t.Helper()
	rows, err := readTable(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := rows.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTable checks that tables are read in the usual forms of CSV, in pieces of any size.
func TestTable(t *testing.T) {
	for _, text := range []string{
		"t,wind,y\n1,N,3\n2,S,5\n4,NA,1\n3,N,-1e1\n",
		"\ufeff\r\n t;wind ;y\r\n1;N;3\r\n 2 ; S;5\r\n4;;1\r\n3;N;-1e1",
		"\"t\"\t\"wind\"\ty\n1\t\"N\"\t\"3\"\n\n2\tS\t5\n?\tN\t1\n3\tN\t-10\n\n",
	} {
		want := prepare(t, text, data.Split{Responses: []string{"y"}, Train: 0.7})
		for _, piece := range []int{1, 2, 7, 1 << 20} {
			got, err := table(text, piece)
			if err != nil {
				t.Errorf("%q in pieces of %d: %v", text, piece, err)
				continue
			}
			if got.Len() != 3 || got.LeftOut != 1 || !slices.Equal(got.Names(), []string{"t", "wind", "y"}) ||
				!slices.Equal(got.Numeric(), []string{"t", "y"}) {
				t.Errorf("%q: %d rows, %d left out, columns %v, of numbers %v", text, got.Len(), got.LeftOut, got.Names(), got.Numeric())
			}
			p, err := got.Prepare(data.Split{Responses: []string{"y"}, Train: 0.7})
			if err != nil || !reflect.DeepEqual(p, want) {
				t.Errorf("%q in pieces of %d: %+v, %v", text, piece, p, err)
			}
		}
		if !slices.Equal(want.Features, []string{"t", "wind=S"}) || !slices.Equal(want.Responses, []string{"y"}) {
			t.Errorf("%q: features %v, responses %v", text, want.Features, want.Responses)
		}
		// For t = 1, 2 and y = 3, 5, the means are 1.5 and 4, and the deviations 0.5 and 1.
		for _, c := range []struct {
			of   *problem.Regression
			i    int
			x, y []float64
		}{
			{want.Train, 0, []float64{-1, -1}, []float64{-1}}, {want.Train, 1, []float64{1, 1}, []float64{1}},
			{want.Test, 0, []float64{3, -1}, []float64{-14}},
		} {
			if x, y := c.of.Example(c.i); !slices.Equal(x, c.x) || !slices.Equal(y, c.y) {
				t.Errorf("%q: got example %v with %v, want %v with %v", text, x, y, c.x, c.y)
			}
		}
	}
	got, err := readTable(iotest.OneByteReader(strings.NewReader("\"a, \"\"b\"\"\",\"c\nd\"\n1,\"x,y\"\n")))
	if err != nil || !slices.Equal(got.Names(), []string{`a, "b"`, "c\nd"}) || got.Len() != 1 {
		t.Errorf("quotes: %v, %v", got, err)
	}
	r := data.NewReader(data.Rows)
	if _, err := io.WriteString(r, "a,b\n1,2\n3,\n"); err != nil {
		t.Fatal(err)
	}
	p, err := r.Close()
	if err != nil || p.About != "1 row of 2 columns, and 1 left out for cells without a value" {
		t.Errorf("about: %v, %v", p, err)
	}
	if rows, columns := p.Shape(); rows != 1 || columns != 2 {
		t.Errorf("%d rows of %d columns", rows, columns)
	}
}

// TestTableErrors checks that errors name the line and the column.
func TestTableErrors(t *testing.T) {
	many := strings.Repeat("a", 500)
	for text, want := range map[string]string{
		"":                "the file is empty; a table is expected, as CSV with a heading",
		"\n \n":           "the file is empty; a table is expected, as CSV with a heading",
		"a,b":             "there are no rows below the heading",
		"a,b\n\n":         "there are no rows below the heading",
		"1,2\n3,4":        "line 1: a heading with the names of the columns is expected, but there are numbers",
		"a,,b\n1,2,3":     "line 1, column 2: the column has no name",
		"a,b,a\n1,2,3":    `line 1, column 3: there are two columns "a"`,
		"a,b\n1,2\n\n3\n": "line 4: 1 cell, but the heading has 2",
		"a,b\n1,2,3\n":    "line 2: 3 cells, but the heading has 2",
		"a,b\n1,2\n3,x\n": `line 3, column 2, "b": "x" is not a number; the column began with one`,
		"a;b\n1;2,5\n":    "", // words
		"a;b\n1;2.5\n1;2,5": `line 3, column 2, "b": "2,5" has a decimal comma and "2.5" a decimal point; ` +
			`write all numbers with decimal points`,
		"a,b\n1,2\nInf,2":                   `line 3, column 1, "a": "Inf" is not a number; the column began with one`,
		"a,b\n1,2\n0x1p3,2":                 `line 3, column 1, "a": "0x1p3" is not a number; the column began with one`,
		"a,b\n1,1e76":                       `line 2, column 2, "b": "1e76" is larger than 1e+75`,
		"a,b\n1,2\n1e999,2":                 `line 3, column 1, "a": "1e999" is too large for double precision; the column began with one`,
		"a,b\n1,\"x\n":                      "line 2: the file ends inside quotes",
		"a,b\n1," + many:                    `line 2, column 2, "b": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" is too long for a cell`,
		many:                                `line 1, column 1: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" is too long for a cell`,
		strings.Repeat("a,", 1001):          "line 1: there are more than 1000 columns",
		"a,b\n1,NA\n2,\n,3\n":               `no row has a value in every column; "b" has none in 2 of 3`,
		"\xff\xfea\x00":                     data.ErrUTF16.Error(),
		"w,b\n" + wordy(201):                `line 202, column 1, "w": "w200" exceeds the limit of 200 different words`,
		"\"a\nb\",c\n1,2\n\"3\n\",4\n5,x\n": `line 6, column 2, "c": "x" is not a number; the column began with one`,
	} {
		_, err := readTable(strings.NewReader(text))
		if want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: got error %v, want %s", text, err, want)
		} else if len(err.Error()) > 300 {
			t.Errorf("%.40q: got a message of %d bytes", text, len(err.Error()))
		}
		for _, piece := range []int{1, 3} {
			if _, other := table(text, piece); fmt.Sprint(other) != err.Error() {
				t.Errorf("%.40q in pieces of %d: got error %v, want %v", text, piece, other, err)
			}
		}
	}
	if _, err := readTable(iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a reader's error: got %v", err)
	}
}

// TestTableWithoutEnd checks that reading an endless table ends with an error.
func TestTableWithoutEnd(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("ten million cells take long here")
	}
	_, err := readTable(&lines{})
	if err == nil || err.Error() != "line 1000002: there are more than 10000000 cells" {
		t.Error(err)
	}
}

// wordy returns a table with a column of n different words and a column of numbers.
func wordy(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d,1\n", i)
	}
	return b.String()
}

// lines is a reader that returns an endless table.
type lines struct{ begun bool }

func (l *lines) Read(p []byte) (int, error) {
	if !l.begun {
		l.begun = true
		return copy(p, "a,b,c,d,e,f,g,h,i,j\n"), nil
	}
	const row = "1,2,3,4,5,6,7,8,9,0\n"
	return copy(p, bytes.Repeat([]byte(row), len(p)/len(row))), nil
}

// airQuality returns a table with the columns of the Beijing Multi-Site Air Quality data. All rows of a station come
// before the rows of the next station. Each station has the given number of hours. Every tenth value is missing.
func airQuality(stations, hours int) string {
	var b strings.Builder
	b.WriteString("No,year,month,day,hour,PM2.5,PM10,SO2,NO2,CO,O3,TEMP,PRES,DEWP,RAIN,wd,WSPM,station\n")
	winds := strings.Fields("N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW")
	for s := range stations {
		for h := range hours {
			i := float64(1 + h)
			co := fmt.Sprint(100 + h%50)
			if h%10 == 9 {
				co = "NA"
			}
			fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.2f,%s,%.2f,%.1f,%.1f,%.1f,%.1f,%s,%.1f,S%02d\n",
				1+h, 2013+h/300, 1+h/25%12, 1+h/24%31, h%24, 50+10*math.Sin(i), 80+7*math.Cos(3*i), 9+math.Sin(5*i), 40+math.Cos(2*i), co,
				60+9*math.Sin(7*i), 12+5*math.Sin(i/9), 1010+math.Cos(i), -3+math.Sin(11*i), math.Max(0, math.Sin(13*i)),
				winds[(h*h+s)%16], 1+math.Abs(math.Cos(17*i)), s)
		}
	}
	return b.String()
}

// TestPrepareAirQuality checks that the air-quality data have the paper's 35 features. The rows of all stations must be
// sorted together by time. The first 70 % must be for training, and must determine the standardization of all rows.
func TestPrepareAirQuality(t *testing.T) {
	responses := []string{"PM2.5", "PM10", "SO2", "NO2", "CO", "O3"}
	rows, err := readTable(strings.NewReader(airQuality(12, 500)))
	if err != nil {
		t.Fatal(err)
	}
	if rows.Len() != 12*450 || rows.LeftOut != 12*50 {
		t.Fatalf("%d rows, %d left out", rows.Len(), rows.LeftOut)
	}
	c := data.Split{
		Responses: responses, Without: []string{"No"}, Order: []string{"year", "month", "day", "hour"}, Train: data.TrainShare,
	}
	p, err := rows.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Features) != 35 || !slices.Equal(p.Responses, responses) || len(p.LeftOut) != 0 {
		t.Errorf("%d features %v, responses %v, left out %v", len(p.Features), p.Features, p.Responses, p.LeftOut)
	}
	if a, b := p.Train.Examples(), p.Test.Examples(); a != 3780 || b != 1620 {
		t.Errorf("got %d training rows, %d for tests", a, b)
	}
	year := slices.Index(p.Features, "year")
	var last float64
	mean, square := make([]float64, 41), make([]float64, 41)
	for _, part := range []*problem.Regression{p.Train, p.Test} {
		for i := range part.Examples() {
			x, y := part.Example(i)
			if i > 0 && x[year] < last {
				t.Fatalf("row %d: got year %v after %v", i, x[year], last)
			}
			last = x[year]
			if part == p.Train {
				for j, v := range append(slices.Clone(x), y...) {
					mean[j] += v / 3780
					square[j] += v * v / 3780
				}
			}
		}
	}
	for j, m := range mean {
		if math.Abs(m) > 1e-12 || math.Abs(square[j]-1) > 1e-12 {
			t.Errorf("column %d: got mean %g and variance %g", j, m, square[j])
		}
	}
	c.MostTrain, c.MostTest = 512, 100
	few, err := rows.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	if few.Train.Examples() != 512 || few.Test.Examples() != 100 {
		t.Errorf("%d and %d rows", few.Train.Examples(), few.Test.Examples())
	}
	a, _ := p.Train.Example(511)
	b, _ := few.Train.Example(511)
	if !slices.Equal(a, b) {
		t.Error("leaving rows out changes the others")
	}
	reduced, err := problem.NewReducedRank(p.Train, problem.ReducedRankConfig{Rank: 3})
	if err != nil {
		t.Fatal(err)
	}
	x, err := reduced.Minimum([]float64{1, 1, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	f := make([]float64, 6)
	reduced.Values(f, x)
	for k, v := range f {
		if v < reduced.LowerBounds()[k]-1e-12 || v > 1+1e-12 {
			t.Errorf("response %d: got error %v, want at most 1 (no features) and at least %v (all)", k, v, reduced.LowerBounds()[k])
		}
	}
}

// TestPrepareLeavesOut checks that a feature that is constant over the training rows is left out, even if it varies
// elsewhere.
func TestPrepareLeavesOut(t *testing.T) {
	p := prepare(t, "a,b,w,v,y\n0.1,1,u,k,1\n0.1,2,u,k,2\n0.1,1,u,k,5\n7,2,v,k,3\n",
		data.Split{Responses: []string{"y"}, Train: 0.75})
	if !slices.Equal(p.LeftOut, []string{"a", "w=v"}) || !slices.Equal(p.Features, []string{"b"}) {
		t.Errorf("got left out %v, kept %v", p.LeftOut, p.Features)
	}
	for _, unit := range []string{"e-60", "e-8", "e8", "e60"} {
		text := strings.ReplaceAll("a,y\n1@,3@\n2@,1@\n4@,2@\n", "@", unit)
		p := prepare(t, text, data.Split{Responses: []string{"y"}, Train: 0.7})
		x, y := p.Test.Example(0)
		if math.Abs(x[0]-5) > 1e-14 || math.Abs(y[0]) > 1e-14 {
			t.Errorf("in units of 1%s: got %v and %v, want 5 and 0", unit, x, y)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	text := "a,b,w,y,z,k\n1,2,u,3,4,1\n2,3,v,5,4,1\n3,5,u,4,4,1\n4,1,v,3,5,1\n"
	rows, err := readTable(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*data.Split){
		"responses = none: at least one of: a, b, y, z, k": func(c *data.Split) { c.Responses = nil },
		`responses = "x": unknown column; available: a, b, y, z, k`: func(c *data.Split) {
			c.Responses = []string{"x"}
		},
		`responses = "w": a column of words; columns of numbers: a, b, y, z, k`: func(c *data.Split) { c.Responses = []string{"w"} },
		`responses = "y": each column once`:                                     func(c *data.Split) { c.Responses = []string{"y", "y"} },
		"responses = z: columns that vary among the training rows":              func(c *data.Split) { c.Responses = []string{"y", "z"} },
		`without = "x": unknown column; available: a, b, w, y, z, k`:            func(c *data.Split) { c.Without = []string{"x"} },
		`without = "y": no response, and each column once`:                      func(c *data.Split) { c.Without = []string{"y"} },
		"without = a,b,w,z: at least one feature that varies must remain":       func(c *data.Split) { c.Without = []string{"a", "b", "w", "z"} },
		`order = "w": a column of words; columns of numbers: a, b, y, z, k`:     func(c *data.Split) { c.Order = []string{"w"} },
		"train = 1: between 0 and 1, with at least 2 of the table’s 4 rows for training and 1 for tests": func(c *data.Split) {
			c.Train = 1
		},
		"train = 0.3: between 0 and 1, with at least 2 of the table’s 4 rows for training and 1 for tests": func(c *data.Split) {
			c.Train = 0.3
		},
		"train = NaN: between 0 and 1, with at least 2 of the table’s 4 rows for training and 1 for tests": func(c *data.Split) {
			c.Train = math.NaN()
		},
		"most train = -1: 0 for all rows, or a number of rows": func(c *data.Split) { c.MostTrain = -1 },
		"most test = -2: 0 for all rows, or a number of rows":  func(c *data.Split) { c.MostTest = -2 },
	} {
		c := data.Split{Responses: []string{"y"}, Train: 0.75}
		change(&c)
		_, err := rows.Prepare(c)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}

// FuzzTable checks that no file crashes the reader, and that the size of the pieces does not matter. An accepted table
// must give a regression of finite numbers or an error.
func FuzzTable(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n3,4\n5,6", "a;w;y\n1;u;2\n2;v;3\n3;u;1\n", "\"a\nb\",\"\"\"c\"\n1,2\n", "\ufeffa\tb\r\n1\tNA\r\n",
		"a,b\n1,\"x", "\"\",\n", "a,b\n1e-300,2\n2e-300,3\n1,1\n", "#" + strings.Repeat("\xb0", 3000), "#" + strings.Repeat("b", 3000) + "\n1\n",
	} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		whole, errWhole := table(text, 1<<20)
		parts, errParts := table(text, max(1, piece))
		if fmt.Sprint(errWhole) != fmt.Sprint(errParts) || !reflect.DeepEqual(whole, parts) {
			t.Fatalf("%q: %v %v in one piece, %v %v in pieces of %d", text, whole, errWhole, parts, errParts, piece)
		}
		if errWhole != nil || len(whole.Numeric()) == 0 {
			return
		}
		p, err := whole.Prepare(data.Split{Responses: whole.Numeric()[:1], Train: 0.7})
		if err != nil {
			return
		}
		for _, part := range []*problem.Regression{p.Train, p.Test} {
			for i := range part.Examples() {
				if x, y := part.Example(i); !algo.Finite(x) || !algo.Finite(y) {
					t.Fatalf("%q: example %d is %v with %v", text, i, x, y)
				}
			}
		}
	})
}

func BenchmarkReadTable(b *testing.B) {
	text := airQuality(12, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := readTable(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
