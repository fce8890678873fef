package axes

// Covered stands in place of a panel whose picture is not to be seen yet, because it would answer a question: it has the panel's
// ID, and a text in place of title, picture and description.
func Covered(of Panel, heading, text string) Panel {
	return &Plane{Name: of.ID(), Heading: heading, Bare: true, Text: func() string { return text },
		Axes:   func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet { return WordSheets(text) }}
}
