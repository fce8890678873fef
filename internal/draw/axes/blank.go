package axes

// Blank returns a panel that shows only the axes of a plane, so that readers can draw in it. ok is false if the panel
// has no axes.
func Blank(of Panel) (blank Panel, ok bool) {
	p, is := of.(*Plane)
	if !is || p.Bare {
		return nil, false
	}
	return &Plane{Name: p.Name, Heading: p.Heading, Axes: p.Axes, Equal: p.Equal, Sheets: func() []Sheet { return nil }}, true
}
