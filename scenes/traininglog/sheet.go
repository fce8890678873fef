package traininglog

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Sizes of the sheet in pixels. The sheet has two columns.
const (
	sheetWidth = 1280
	sheetRow   = 400 // height of a row of ordinary panels
	sheetEdge  = 8   // margin around all panels
	sheetGap   = 24  // gap between two panels
	sheetFrame = 110 // height of heading, axis and edges of strips
)

// Sheet returns the picture of a log and of its report, which must have Series. The picture has every panel of the
// scene, with the verdict's sentences beside the panels. It shows the gradients of the first record.
func Sheet(l *runlog.Log, r *runlog.Report, about axes.About) *axes.Figure {
	s := New()
	s.log, s.name, s.report = l, logData, r
	s.values.Source, s.values.Window = logData, r.Window
	s.values.R = 0 // no period is chosen
	switch {
	case len(r.Methods) > 0:
		s.values.Method = r.Methods[0].Name
	case len(r.Absent) > 0:
		s.values.Method = r.Absent[0].Method
	}
	var texts []string
	for _, c := range s.Conclusions().Sentences {
		texts = append(texts, c.Text)
	}
	verdict := axes.Paragraphs("verdict", verdictHeading, texts)
	panels := append(s.Panels(), verdict)
	f := &axes.Figure{Width: sheetWidth, Theme: brush.Light, About: about}
	const column = (sheetWidth - 2*sheetEdge - sheetGap) / 2
	for len(panels) > 0 {
		row, width, height := panels[:min(2, len(panels))], vg.Length(column), vg.Length(sheetRow)
		panels = panels[len(row):]
		if len(row) == 1 {
			width, height = sheetWidth-2*sheetEdge, 0
		}
		for _, p := range row {
			switch p.ID() {
			case "hurt": // high enough for the methods' labels
				height = max(height, sheetFrame+vg.Length(2*namedRow/bandShare*vg.Length(len(r.Methods)+1)))
			case "verdict":
				height = max(height, verdict.Height(width))
			}
		}
		for i := range f.Placed {
			f.Placed[i].Rect = f.Placed[i].Rect.Add(vg.Point{Y: height + sheetGap})
		}
		for i, p := range row {
			from := vg.Point{X: sheetEdge + vg.Length(vg.Length(i)*(column+sheetGap)), Y: sheetEdge}
			f.Placed = append(f.Placed, axes.Placed{Panel: p, Rect: vg.Rectangle{Min: from, Max: from.Add(vg.Point{X: width, Y: height})}})
		}
		f.Height += height + sheetGap
	}
	f.Height += 2*sheetEdge - sheetGap
	return f
}
