package axes

import "fmt"

// Goal returns the axis labelled with the name of an objective, in words and with the symbol in brackets. The label
// says in which direction values become worse. The shorter label of a Mini omits the direction.
func (a Axis) Goal(number int, symbol string) Axis {
	a.Label, a.Short = fmt.Sprintf("worse in goal %d (%s) →", number, symbol), fmt.Sprintf("goal %d (%s)", number, symbol)
	return a
}

// Variable returns the axis labelled with the name of a variable, in words and with the symbol in brackets. A Mini
// shows only the symbol.
func (a Axis) Variable(number int, symbol string) Axis {
	return a.Named(fmt.Sprint("variable ", number), symbol)
}

// Named returns the axis labelled with a name in words and the symbol in brackets. A Mini shows only the symbol.
func (a Axis) Named(words, symbol string) Axis {
	a.Label, a.Short = words+" ("+symbol+")", symbol
	return a
}
