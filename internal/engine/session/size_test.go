package session

import (
	"reflect"
	"testing"
)

// TestSessionStaysSmall: what can be a part of its own, as links, files and the pointer are, is no method of the session.
func TestSessionStaysSmall(t *testing.T) {
	const maxMethods = 45
	of := reflect.TypeFor[*Session]()
	var names []string
	for i := range of.NumMethod() {
		names = append(names, of.Method(i).Name)
	}
	if len(names) > maxMethods {
		t.Errorf("%d methods, at most %d: %v", len(names), maxMethods, names)
	}
}
