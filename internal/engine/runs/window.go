package runs

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Flat returns a point's position in the plane of the first two variables. A point with one variable is on the
// horizontal axis.
func Flat(x []float64) (h, v float64) {
	if len(x) == 1 {
		return x[0], 0
	}
	return x[0], x[1]
}

// Window is a square in the plane that extends Half to each side of its middle (X, Y).
type Window struct{ X, Y, Half float64 }

// Axes returns the window's axes. With the symbol w, the variables are called w_1 and w_2.
func (w Window) Axes(symbol string) (x, y axes.Axis) {
	return axes.Axis{Min: w.X - w.Half, Max: w.X + w.Half}.Variable(1, symbol+"_{1}"),
		axes.Axis{Min: w.Y - w.Half, Max: w.Y + w.Half}.Variable(2, symbol+"_{2}")
}

// Holds reports whether the window contains another window.
func (w Window) Holds(o Window) bool {
	return o.X-o.Half >= w.X-w.Half && o.X+o.Half <= w.X+w.Half && o.Y-o.Half >= w.Y-w.Half && o.Y+o.Half <= w.Y+w.Half
}

// Box is the smallest box that contains given points in the plane of the first two variables.
type Box struct{ x0, x1, y0, y1 float64 }

// NewBox returns a box without points.
func NewBox() *Box {
	inf := math.Inf(1)
	return &Box{inf, -inf, inf, -inf}
}

// Add extends the box to contain a point.
func (b *Box) Add(x []float64) {
	h, v := Flat(x)
	b.x0, b.x1, b.y0, b.y1 = min(b.x0, h), max(b.x1, h), min(b.y0, v), max(b.y1, v)
}

// Size returns the larger of the box's width and height. It is 0 for a single point.
func (b *Box) Size() float64 { return max(b.x1-b.x0, b.y1-b.y0) }

// Window returns a window around the box. Its half-width is room times the box's half-width. It is never below least
// times the box's distance from the origin, because a smaller half-width would be within rounding error. If grain > 0,
// the half-width is a power of two and the middle is on a grid, so that the window stays the same if the box changes a
// little.
func (b *Box) Window(room, least, grain float64) Window {
	w := Window{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2, b.Size() / 2}
	size := max(math.Abs(w.X), math.Abs(w.Y), w.Half)
	if !(size <= math.MaxFloat64) {
		return Window{Half: 1}
	}
	w.Half = max(room*w.Half, least*size)
	if w.Half == 0 { // a single point at the origin
		w.Half = 1
	}
	if grain > 0 {
		w.Half = portable.Exp2(math.Ceil(portable.Log2(w.Half)))
		snap := func(v float64) float64 { return float64(math.Round(v/w.Half/grain)*w.Half*grain) + 0 } // avoids −0
		w.X, w.Y = snap(w.X), snap(w.Y)
	}
	return w
}

// StartPlane is the plane of the first two variables, with one start point from which all runs begin. With the Symbol
// w, the variables are called w_1 and w_2. The start can be dragged. During a drag the window stays the same; the
// embedding scene reports the end of a drag by calling Released.
type StartPlane struct {
	Symbol string
	Start  []float64 // nil if there are no runs
	// Fitting returns a window that contains everything in the plane.
	Fitting func() Window
	held    *Window
}

// Window returns the plane's window, which Fitting determines. During a drag, the window stays fixed.
func (p *StartPlane) Window() Window {
	switch {
	case p.held != nil:
		return *p.held
	case p.Start == nil:
		return Window{Half: 1}
	}
	return p.Fitting()
}

// StartPanel adds axes and the start's grip to a panel of the plane. If there are no runs, the panel shows the text
// that waiting returns.
func (p *StartPlane) StartPanel(of *axes.Plane, t *timeline.Timeline, waiting func() string) *axes.Plane {
	of.Equal, of.Stretched = true, true
	of.Axes = func() (axes.Axis, axes.Axis) { return p.axes(p.Window()) }
	of.Grips = func() []axes.Grip { return p.grips(t, p.Window()) }
	sheets := of.Sheets
	of.Sheets = func() []axes.Sheet {
		if p.Start == nil {
			return axes.WordSheets(waiting())
		}
		return sheets()
	}
	return of
}

// axes returns the axes of a window.
func (p *StartPlane) axes(w Window) (x, y axes.Axis) {
	x, y = w.Axes(p.Symbol)
	if len(p.Start) == 1 {
		y.Label, y.Short = "", ""
	}
	return x, y
}

// grips returns the start point's grip.
func (p *StartPlane) grips(t *timeline.Timeline, w Window) []axes.Grip {
	if p.Start == nil {
		return nil
	}
	return PlaneGrips(t, [][]float64{p.Start}, 0, p.second(), 0.05*w.Half)
}

// FirstTwo returns a sentence saying that the plane shows only two of the variables, or "" if it shows all.
func (p *StartPlane) FirstTwo() string {
	if len(p.Start) <= 2 {
		return ""
	}
	return fmt.Sprintf("The picture shows the first two of %d variables.", len(p.Start))
}

// second returns the variable on the vertical axis: the second, or the first if there is only one.
func (p *StartPlane) second() int { return min(1, len(p.Start)-1) }

// DragStart moves the start's handle to a position in the plane. It returns the changed parameter's name and new text.
func (p *StartPlane) DragStart(s *Starts, l *param.List, handle string, x, y float64) (name, text string) {
	if p.Start == nil {
		return "", ""
	}
	w := p.Window()
	if name, text = s.Drag(l, handle, [][]float64{p.Start}, InPlane(0, p.second(), x, y)); name != "" {
		p.held = &w
	}
	return name, text
}

// Released lets the window fit the runs again after a drag.
func (p *StartPlane) Released() { p.held = nil }

// MeanLandscape returns a landscape of the mean of a problem's losses. The problem must have two variables. The
// landscape covers a window, which the screen may stretch in either direction. If any value is not finite, which
// happens near the points of a diverged run, the landscape has no values. key identifies the problem and the window.
func MeanLandscape(key string, p algo.Problem, w Window) kinds.Landscape {
	_, m := p.Dims()
	f, at := make([]float64, m), make([]float64, 2)
	mean := func(x, y float64) (sum float64) {
		at[0], at[1] = x, y
		p.Values(f, at)
		for _, v := range f {
			sum += v / float64(m)
		}
		return sum
	}
	const coarse, wide, nodes, lines = 12, 1.4, 64, 10
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := -coarse; i <= coarse; i++ {
		for j := -coarse; j <= coarse; j++ {
			v := mean(w.X+wide*w.Half*float64(i)/coarse, w.Y+w.Half*float64(j)/coarse)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !(hi-lo <= math.MaxFloat64) {
		return kinds.Landscape{Key: key}
	}
	l := kinds.Landscape{Key: key, Label: "mean loss", Value: mean, Nodes: nodes, Low: lo, High: hi}
	l.SetLevels(lines)
	return l
}
