// Package pattern has regular expressions that are compiled at their first use. Compiling all of them would delay the page's start,
// and most visits need none.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that returns the compiled expression. That function panics if the expression is invalid, and may be called by
// several goroutines.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
