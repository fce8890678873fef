package axes

// Covered replaces a panel whose picture would answer a question too early. It has the panel's ID, and a text in place
// of title, picture and description.
func Covered(of Panel, heading, text string) Panel {
	return &Plane{Name: of.ID(), Heading: heading, Bare: true, Text: func() string { return text },
		Axes:   func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet { return WordSheets(text) }}
}
