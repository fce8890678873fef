package weighting

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestSource checks that each rule has an example and a file with the rule's name, and that the doc comment of the
// rule's type starts with the rule's formula.
func TestSource(t *testing.T) {
	files := token.NewFileSet()
	examples := map[string]bool{}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				examples[f.Name.Name] = true
			}
		}
	}
	for _, m := range Methods {
		rule, err := New(m.Name, 2)
		if err != nil {
			t.Fatal(err)
		}
		name := reflect.TypeOf(rule).Elem().Name()
		if !examples["Example"+name] {
			t.Errorf("%s has no example: func Example%s in a test of this package", m.Name, name)
		}
		file, err := parser.ParseFile(files, m.Name+".go", nil, parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		var text string
		for _, d := range file.Decls {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.TYPE && g.Specs[0].(*ast.TypeSpec).Name.Name == name {
				text = g.Doc.Text()
			}
		}
		content := new(comment.Parser).Parse(text).Content
		if len(content) < 2 || !strings.HasPrefix(text, name+" ") {
			t.Errorf("%s.go declares no %s with a comment that begins with its name", m.Name, name)
			continue
		}
		lead, _, _ := strings.Cut(text, "\n\n")
		if _, formula := content[1].(*comment.Code); !formula || len(lead) > 110 {
			t.Errorf("the comment of %s does not begin with its formula: %q comes first", name, lead)
		}
	}
}
