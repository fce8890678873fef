package check

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// accuracyFile is the last output of bench/accuracy, and accuracyPicture is the picture drawn from it.
const (
	accuracyFile    = "docs/accuracy.csv"
	accuracyPicture = "docs/accuracy.svg"
)

// accuracy is a row of accuracyFile: a summary of the errors in the directions that a method computed for several
// random inputs.
type accuracy struct {
	Library, Precision, Method   string
	Rows, Decades, Draws, Failed int
	ErrorMin, Error, ErrorMax    float64 // relative: least, median, largest
	Angle, AngleMax              float64 // degrees: median, largest
	Against, ExactAgainst        int     // directions that oppose a gradient, and exact ones that do
}

// accuracyHead is the file's first line, whose columns are in the order of the fields of accuracy.
const accuracyHead = "library,precision,method,rows,decades,draws,failed,error_min,error,error_max,angle,angle_max,against,exact_against"

func readAccuracy(t *testing.T) []accuracy {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(documentText(t, accuracyFile))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.Join(lines[0], ","); head != accuracyHead {
		t.Fatalf("%s begins with %s", accuracyFile, head)
	}
	var out []accuracy
	for _, line := range lines[1:] {
		a := accuracy{Library: line[0], Precision: line[1], Method: line[2]}
		for i, whole := range []*int{&a.Rows, &a.Decades, &a.Draws, &a.Failed} {
			if *whole, err = strconv.Atoi(line[3+i]); err != nil {
				t.Fatal(err)
			}
		}
		for i, number := range []*float64{&a.ErrorMin, &a.Error, &a.ErrorMax, &a.Angle, &a.AngleMax} {
			if *number, err = strconv.ParseFloat(line[7+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		for i, whole := range []*int{&a.Against, &a.ExactAgainst} {
			if *whole, err = strconv.Atoi(line[12+i]); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, a)
	}
	return out
}

// measuredMethods lists the methods in the file's order.
var measuredMethods = []string{"mgda", "upgrad", "dualproj", "cagrad", "nashmtl", "imtlg", "alignedmtl"}

// accuracyOf returns the row of a library with the given precision, method and size.
func accuracyOf(t *testing.T, all []accuracy, library, precision, method string, rows, decades int) accuracy {
	t.Helper()
	i := slices.IndexFunc(all, func(a accuracy) bool {
		return a.Library == library && a.Precision == precision && a.Method == method && a.Rows == rows && a.Decades == decades
	})
	if i < 0 {
		t.Fatalf("%s has no row of %s %s %s, %d rows, %d decades", accuracyFile, library, precision, method, rows, decades)
	}
	return all[i]
}

// accuracyRows returns the rows of the document's table of errors.
func accuracyRows(t *testing.T) []string {
	all := readAccuracy(t)
	rows := []string{"| method | S | decades | TorchJD, float64 | angle | against | TorchJD, float32 | `weigh` | against | plain mean | " +
		"angle | against | exact against |", "|---|---:|---:|---|---:|---:|---|---|---:|---|---:|---:|---:|"}
	errors := func(a accuracy) string {
		text := fmt.Sprintf("%.0e / %.0e", a.Error, a.ErrorMax)
		if a.Failed > 0 {
			text += fmt.Sprintf(", %d failed", a.Failed)
		}
		return text
	}
	angles := func(a accuracy) string { return fmt.Sprintf("%.2f° / %.2f°", a.Angle, a.AngleMax) }
	for _, method := range measuredMethods {
		m, _ := weighting.Lookup(method)
		for _, s := range []int{10, 30} {
			for _, decades := range []int{0, 2, 4} {
				of := func(library, precision string) accuracy {
					return accuracyOf(t, all, library, precision, method, s, decades)
				}
				double, single := of("torchjd", "float64"), of("torchjd", "float32")
				ours, mean := of("ours", "float64"), of("mean", "float64")
				rows = append(rows, fmt.Sprintf("| %s | %d | %d | %s | %s | %d | %s | %s | %d | %s | %s | %d | %d |", m.Title, s, decades,
					errors(double), angles(double), double.Against, errors(single), errors(ours), ours.Against, errors(mean), angles(mean),
					mean.Against, ours.ExactAgainst))
			}
		}
	}
	return rows
}

// accuracySeries lists the curves of a panel.
var accuracySeries = []struct {
	library, precision, label string
	look                      int
}{
	{"mean", "float64", "plain mean", 3}, {"torchjd", "float32", "TorchJD, float32", 2}, {"torchjd", "float64", "TorchJD, float64", 1},
	{"ours", "float64", "weigh, float64", 0},
}

// accuracyPanel draws a method's errors against the decades: medians, with the range over all draws.
func accuracyPanel(t *testing.T, all []accuracy, method string) *axes.Plane {
	m, _ := weighting.Lookup(method)
	return &axes.Plane{Name: method, Heading: m.Title,
		Text: func() string { return "Relative error of directions over the spread of the gradients’ lengths." },
		Axes: func() (x, y axes.Axis) {
			return axes.Axis{Label: "decades of lengths", Min: -0.3, Max: 4.3, Integer: true},
				axes.Axis{Label: "relative error", Min: 1e-17, Max: 1e4, Log: true}
		},
		Sheets: func() []axes.Sheet {
			return []axes.Sheet{{Draw: func(b *brush.Brush) {
				for i, s := range accuracySeries {
					look := b.Theme.Goal(s.look)
					at := func(decades int) (float64, accuracy) {
						return float64(decades) + 0.08*float64(i) - 0.12, accuracyOf(t, all, s.library, s.precision, method, 30, decades)
					}
					for decades := range 5 {
						x, a := at(decades)
						b.Line(2, func(end int) (float64, float64) {
							return x, math.Max([]float64{a.ErrorMin, a.ErrorMax}[end], 1e-17)
						}, brush.Stroke{Color: brush.Faded(look.Hue, 0.5), Width: 3})
					}
					b.Line(5, func(decades int) (float64, float64) {
						x, a := at(decades)
						return x, math.Max(a.Error, 1e-17)
					}, brush.Stroke{Color: look.Hue, Width: 1.5})
					for decades := range 5 {
						x, a := at(decades)
						b.Marker(x, math.Max(a.Error, 1e-17), look.Shape, 3, look.Hue, true)
					}
				}
			}}}
		}}
}

// drawnAccuracy returns the picture for docs/accuracy.md.
func drawnAccuracy(t *testing.T) *axes.Figure {
	light, err := brush.ThemeNamed("light")
	if err != nil {
		t.Fatal(err)
	}
	const columns, width, height = 4, 300, 270
	figure := &axes.Figure{Width: columns * width, Height: 2 * height, Theme: light.Printed(),
		About: axes.About{Title: "Relative errors of directions, 30 gradients: medians and ranges of 20 draws", Settings: accuracyFile},
		Legend: func(theme *brush.Theme) []axes.Entry {
			var out []axes.Entry
			for _, s := range slices.Backward(accuracySeries) {
				out = append(out, axes.EntryOf(theme.Goal(s.look), s.label))
			}
			return out
		}}
	all := readAccuracy(t)
	for i, method := range measuredMethods {
		at := vg.Point{X: vg.Length(i%columns) * width, Y: vg.Length(1-i/columns) * height}
		figure.Placed = append(figure.Placed, axes.Placed{Panel: accuracyPanel(t, all, method),
			Rect: vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: width, Y: height})}})
	}
	return figure
}

// TestReadmeAccuracy: docs/accuracy.md shows the picture drawn from the stored numbers, and the numbers support the
// document's text: weigh is always right, no call failed, and a direction opposes a gradient only where the exact
// direction does.
func TestReadmeAccuracy(t *testing.T) {
	var want bytes.Buffer
	if err := drawnAccuracy(t).WriteSVG(&want); err != nil {
		t.Fatal(err)
	}
	if *regenerate {
		if err := os.WriteFile(accuracyPicture, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if documentText(t, accuracyPicture) != want.String() {
		t.Errorf("%s is not the picture of %s; run make regen-readme", accuracyPicture, accuracyFile)
	}
	for _, a := range readAccuracy(t) {
		if a.Draws != 20 || a.Library != "torchjd" && a.Failed > 0 {
			t.Errorf("%+v", a)
		}
		if a.Library == "ours" && (a.ErrorMax > 1e-13 || a.AngleMax > 1e-6 || a.Against != a.ExactAgainst) {
			t.Errorf("weigh: %+v", a)
		}
	}
}
