package session

import (
	"reflect"
	"testing"
)

// TestSessionStaysSmall checks that the session has few methods and fields: links, files, lessons and the pointer have
// separate types. No field may be embedded.
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
	const maxFields = 15
	var fields []string
	for _, f := range reflect.VisibleFields(of.Elem()) {
		if f.Anonymous {
			t.Errorf("%s is embedded", f.Name)
		}
		fields = append(fields, f.Name)
	}
	if len(fields) > maxFields {
		t.Errorf("%d fields, at most %d: %v", len(fields), maxFields, fields)
	}
}
