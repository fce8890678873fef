package axes

import "fmt"

// Goal names the axis of an objective, in words and with the symbol in brackets. It says in which direction the
// objective gets worse; the name in a Mini does not.
func (a Axis) Goal(number int, symbol string) Axis {
	a.Label, a.Short = fmt.Sprintf("worse in goal %d (%s) →", number, symbol), fmt.Sprintf("goal %d (%s)", number, symbol)
	return a
}

// Variable names the axis of a variable, in words and with the symbol in brackets. A Mini has only the symbol.
func (a Axis) Variable(number int, symbol string) Axis {
	return a.Named(fmt.Sprint("variable ", number), symbol)
}

// Named names an axis in words, with the symbol in brackets. A Mini has only the symbol.
func (a Axis) Named(words, symbol string) Axis {
	a.Label, a.Short = words+" ("+symbol+")", symbol
	return a
}
