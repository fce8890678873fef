// Package pattern compiles regular expressions at their first use. Compiling all of them would delay the page's start, and most
// visits need none.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that returns the compiled expression. That function panics if the expression is invalid. Several
// goroutines may call it at once.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
