package bilevelpaths

import (
	"fmt"
	"image/color"
	"strings"

	levels "paretoplay/algo/bilevel"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// frontPoints is the number of points on the drawn front.
const frontPoints = 60

// objectivePanel returns the panel that shows the runs and the solutions in the upper objectives.
func (s *Scene) objectivePanel() axes.Panel {
	p := &runs.FrontPlane{Timeline: s.Timeline(), Lines: s.describeRow}
	p.Axes = func() (axes.Axis, axes.Axis) {
		if s.own() {
			return s.objectiveAxes()
		}
		const limit = 3.2
		return axes.Axis{Min: 0, Max: limit}.Goal(1, "F_{1}"), axes.Axis{Min: 0, Max: limit}.Goal(2, "F_{2}")
	}
	p.Front = func() axes.Sheet {
		if s.own() {
			return axes.Sheet{Key: "no front", Draw: func(*brush.Brush) {}}
		}
		return axes.Sheet{Key: "front", Draw: drawFront}
	}
	p.Text = func() string {
		if s.own() {
			return s.arrivedOwn()
		}
		return s.arrived() + " In the plane of the two goals, the solutions are the grey arc, on which one goal’s gain is the other goal’s loss."
	}
	out := p.Panel()
	out.Heading = "Upper objectives"
	return out
}

// drawFront draws the front: the solutions α = ω1 = ω2 = c have F = ((c−1)², (c−2)²).
func drawFront(b *brush.Brush) {
	at := func(i int) (float64, float64) {
		c := firstOptimum + (secondOptimum-firstOptimum)*float64(i)/(frontPoints-1)
		return (c - firstOptimum) * (c - firstOptimum), (c - secondOptimum) * (c - secondOptimum)
	}
	b.Optima(frontPoints, at)
	x, y := at(frontPoints / 3)
	b.Label(x, y, "solutions", brush.LabelText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
}

// bill holds the cost of a method's runs up to the marker.
type bill struct {
	method, title       string
	gradients, products float64 // means over the method's runs
	floats              int     // maximum number of floats that a run holds in memory
}

// bills returns the costs of the methods that run, in the methods' order.
func (s *Scene) bills() []bill {
	var out []bill
	for _, method := range runs.MethodsOf(s.Timeline()) {
		gradients, products := s.spentBy(method, (*timeline.Timeline).Shown)
		runs, first := runs.Runs(s.Timeline(), method), s.Timeline().FindFrom(method, 0)
		out = append(out, bill{
			method: method, title: first.Title, gradients: gradients / runs, products: products / runs,
			floats: first.Stepper.(levels.Stepper).PeakFloats(),
		})
	}
	return out
}

// costPanel returns the panel of the methods' costs: gradients, Hessian-vector products, and floats in memory.
func (s *Scene) costPanel() axes.Panel {
	p := &axes.Plane{Name: "cost", Heading: "The cost of a run so far"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		bills := s.bills()
		titles := make([]string, len(bills))
		for i, c := range bills { // the first is on top
			titles[len(bills)-1-i] = c.title
		}
		return axes.Axis{Label: "evaluations", Min: 0, Max: niceReach(s.wholeBill()), Integer: true}, axes.Axis{Categories: titles}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawBills}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "gradients", Area: gradientColor(t)}, {Label: "Hessian-vector products", Area: productColor(t)}}
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "gradients", Area: gradientColor(t)}, {Label: "Hessians", Area: productColor(t)}}
	}
	p.Text = func() string {
		var free, paying []string
		for _, c := range s.bills() {
			if of := fmt.Sprintf("%s holds %d numbers at once", c.title, c.floats); c.products > 0 {
				paying = append(paying, of)
			} else {
				free = append(free, of)
			}
		}
		var out []string
		if free != nil {
			out = append(out, "Gradients alone: "+strings.Join(free, ", ")+".")
		}
		if paying != nil {
			out = append(out, "With second derivatives as Hessian-vector products: "+strings.Join(paying, ", ")+".")
		}
		if out == nil {
			return "No run."
		}
		return strings.Join(out, " ")
	}
	return p
}

// wholeBill returns the approximate cost of the most expensive run over the whole budget. This cost sets the length of
// the axis, so that the axis does not change while the bars grow.
func (s *Scene) wholeBill() float64 {
	const room, least = 1.1, 50 // leaves room for the text at the end of a bar
	most := 0.0
	for _, r := range s.Timeline().Tracks() {
		paid := s.firstBill(r.Method)
		if last := r.Last(); last > 0 {
			paid = twolevel.Spent(r.Kept(r.Index(last))) / float64(last)
		}
		most = max(most, paid*float64(s.Timeline().Budget()))
	}
	return max(room*most, least)
}

// firstBill returns the predicted cost of a method's step before any step has been taken. It counts T lower gradients
// and one gradient of each upper objective. Methods that differentiate through the loop also need one Hessian-vector
// product for each objective and lower step.
func (s *Scene) firstBill(method string) float64 {
	const objectives = 2
	loop := float64(s.values.T)
	if familyOf(method) == differentiated {
		return objectives + loop + objectives*loop
	}
	return objectives + loop + 1
}

// gradientColor and productColor return the legend's colours. The bars themselves use their methods' hues.
func gradientColor(t *brush.Theme) color.Color { return t.Muted }
func productColor(t *brush.Theme) color.Color  { return brush.Faded(t.Muted, productShade) }

// productShade is the opacity of the Hessian-vector products' part of a bar.
const productShade = 0.4

func (s *Scene) drawBills(b *brush.Brush) {
	bills := s.bills()
	for i, c := range bills {
		y := float64(len(bills) - 1 - i)
		hue := b.Theme.Look(c.method).Hue
		bar := func(from, to float64, fill color.Color) {
			x := [4]float64{from, to, to, from}
			b.Polygon(4, func(k int) (float64, float64) { return x[k], y - 0.12 + float64(0.3*float64(k/2)) }, fill)
		}
		bar(0, c.gradients, hue)
		bar(c.gradients, c.gradients+c.products, brush.Faded(hue, productShade))
		words := numeral.Fixed(c.gradients, 0) + " gradients"
		if c.products > 0 {
			words += " + " + numeral.Fixed(c.products, 0) + " HVP"
		}
		b.Text(0, y-0.14, words+fmt.Sprintf("; holds %d floats", c.floats), brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: -1})
	}
}
