package axes

// Covered returns a replacement for a panel whose picture would reveal an answer too early. The replacement has the
// panel's ID. The heading replaces the panel's title, and the text replaces the panel's picture and description.
func Covered(of Panel, heading, text string) Panel {
	return &Plane{Name: of.ID(), Heading: heading, Bare: true, Text: func() string { return text },
		Axes:   func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet { return WordSheets(text) }}
}
