package axes

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// PrintWidth is the width of a printed figure in millimetres. 0 means a figure for the screen.
type PrintWidth int

// These are the widths of a printed figure: one column of a journal's page, or both columns.
const (
	OneColumn  PrintWidth = 85
	TwoColumns PrintWidth = 170
)

// printedText is the size of the smallest text in a printed figure, in points.
const printedText = 8

// PageHeight is the height of an A4 page in millimetres.
const PageHeight = 297

// ParsePrintWidth parses "85mm" or "170mm".
func ParsePrintWidth(text string) (PrintWidth, error) {
	for _, w := range []PrintWidth{OneColumn, TwoColumns} {
		if text == w.String() {
			return w, nil
		}
	}
	return 0, fmt.Errorf("unknown width %.40q of a printed figure; available: %v %v", text, OneColumn, TwoColumns)
}

func (w PrintWidth) String() string { return fmt.Sprintf("%dmm", int(w)) }

// OnPaper returns a figure of width w on paper, without panels. Its text is at least 8 points high.
func OnPaper(w PrintWidth, theme *brush.Theme) *Figure {
	f := &Figure{Theme: theme, Point: printedText / float64(brush.SmallText)}
	f.Width = vg.Length(float64(w) / 25.4 * 72 / f.Point)
	return f
}

// Printed returns a figure of width w on paper with the given panels and with text of at least 8 points. In one column,
// the panels are one below another. In two columns, two panels are side by side.
func Printed(w PrintWidth, theme *brush.Theme, panels []Panel) *Figure {
	f := OnPaper(w, theme)
	columns := 1
	if w == TwoColumns && len(panels) > 1 {
		columns = 2
	}
	rows := (len(panels) + columns - 1) / columns
	// A single panel across both columns is flatter than other panels.
	share := vg.Length(0.78)
	if w == TwoColumns && columns == 1 {
		share = 0.62
	}
	row := snapped(share * f.Width / vg.Length(columns))
	f.Height = vg.Length(rows) * row
	for i, p := range panels {
		line := panels[i/columns*columns : min((i/columns+1)*columns, len(panels))]
		x := cuts(f.Width, len(line))[i%columns]
		top := f.Height - vg.Length(vg.Length(i/columns)*row)
		f.Placed = append(f.Placed, Placed{Panel: p, Rect: vg.Rectangle{
			Min: vg.Point{X: x.from, Y: top - row + margin}, Max: vg.Point{X: x.to, Y: top - margin},
		}})
	}
	return f
}
