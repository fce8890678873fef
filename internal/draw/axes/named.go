package axes

import "fmt"

// Goal names an axis of an objective, words first and its symbol in brackets: of objectives less is better. A Mini has the name
// without the direction.
func (a Axis) Goal(number int, symbol string) Axis {
	a.Label, a.Short = fmt.Sprintf("worse in goal %d (%s) →", number, symbol), fmt.Sprintf("goal %d (%s)", number, symbol)
	return a
}

// Variable names an axis of a variable in the same way. A Mini has the symbol alone.
func (a Axis) Variable(number int, symbol string) Axis {
	return a.Named(fmt.Sprint("variable ", number), symbol)
}

// Named names an axis in words, with the symbol in brackets, which a Mini has alone.
func (a Axis) Named(words, symbol string) Axis {
	a.Label, a.Short = words+" ("+symbol+")", symbol
	return a
}
