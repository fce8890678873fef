package axes

// Blank is a plane's axes with nothing in them, for a reader to draw into. A panel that has no axes has no such
// picture: ok is false then.
func Blank(of Panel) (blank Panel, ok bool) {
	p, is := of.(*Plane)
	if !is || p.Bare {
		return nil, false
	}
	return &Plane{Name: p.Name, Heading: p.Heading, Axes: p.Axes, Equal: p.Equal, Sheets: func() []Sheet { return nil }}, true
}
