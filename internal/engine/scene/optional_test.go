package scene_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestOptional checks that there are few optional abilities, and that other code finds them only through the functions beside them.
func TestOptional(t *testing.T) {
	const limit = 7
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "optional.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	optional, asserted := map[string]bool{}, map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if of, is := n.(*ast.TypeSpec); is {
			_, optional[of.Name.Name] = of.Type.(*ast.InterfaceType)
		}
		if of, is := n.(*ast.TypeAssertExpr); is {
			asserted[of.Type.(*ast.Ident).Name]++
		}
		return true
	})
	if len(optional) == 0 || len(optional) > limit {
		t.Errorf("got %d abilities, want at most %d: %v", len(optional), limit, optional)
	}
	for name, is := range optional {
		if !is || asserted[name] != 1 {
			t.Errorf("%s: interface %t, asked for in %d functions, want true and 1", name, is, asserted[name])
		}
	}
	const root = "../../.."
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			assertion, is := n.(*ast.TypeAssertExpr)
			if !is {
				return true
			}
			if of, is := assertion.Type.(*ast.SelectorExpr); is && optional[of.Sel.Name] {
				if from, is := of.X.(*ast.Ident); is && from.Name == "scene" {
					t.Errorf("%s: use the function beside scene.%s instead", fset.Position(n.Pos()), of.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
