// This file is not compiled for WebAssembly, because its test runs the go command, which is missing under Node.

//go:build !js

package scenes

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unreadOnPurpose lists the variables of parameters that have an effect without being read, each with the reason.
var unreadOnPurpose = map[string]string{
	"Measurement": "any change of a parameter of the scene bilevelcost measures anew, and this one changes nothing else",
}

// TestEveryParameterIsRead checks that code of the scenes or their dependencies reads the variable of each parameter,
// usually a field. Binding the variable, assigning to it and setting its default do not count as reads, and tests are
// ignored.
func TestEveryParameterIsRead(t *testing.T) {
	p := loadProgram(t)
	bound := p.bindings(t)
	if least := len(All[0].New().Params().Names()); len(bound) < least {
		t.Errorf("%d variables are bound, %s alone has %d parameters", len(bound), All[0].ID, least)
	}
	unread := p.unread(bound)
	for _, v := range unread {
		if unreadOnPurpose[v.Name()] == "" {
			t.Errorf("%s: no code reads %s, which a parameter is bound to", p.fset.Position(v.Pos()), v.Name())
		}
	}
	for name := range unreadOnPurpose {
		if !slices.ContainsFunc(unread, func(v *types.Var) bool { return v.Name() == name }) {
			t.Errorf("%s is read, or no parameter", name)
		}
	}
}

// TestUnreadParameter checks that a parameter that no code reads is found, whether it is bound directly or by a function.
func TestUnreadParameter(t *testing.T) {
	p := loadProgram(t)
	p = &program{p.fset, maps.Clone(p.known), p.rest, nil} // the planted package alone
	p.check(t, "planted", p.parse(t, "planted.go", `package planted

import "paretoplay/algo/param"

type values struct {
	read, direct, indirect, assigned, grown float64
	texts, other [2]string
}

func (v *values) bind(l *param.List) func() bool {
	*v = values{direct: 1, indirect: 2}
	v.assigned = 3
	v.grown += 1
	l.Number(&v.read, param.Descriptor{Name: "read"})
	l.Number(&v.direct, param.Descriptor{Name: "direct"})
	l.Number(&v.assigned, param.Descriptor{Name: "assigned"})
	l.Number(&v.grown, param.Descriptor{Name: "grown"})
	add := func(name string, field *float64) { l.Number(field, param.Descriptor{Name: name}) }
	add("indirect", &v.indirect)
	for i := range v.texts {
		l.FreeText(&v.texts[i], param.Descriptor{Name: "text"})
		l.FreeText(&v.other[i], param.Descriptor{Name: "other"})
	}
	var local, used bool
	local = true
	l.Bool(&local, param.Descriptor{Name: "local"})
	l.Bool(&used, param.Descriptor{Name: "used"})
	return func() bool { return used }
}

func (v *values) double() float64 { return 2 * v.read }

func (v *values) first() string { return v.texts[0] }
`))
	var names []string
	for _, v := range p.unread(p.bindings(t)) {
		names = append(names, v.Name())
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "assigned direct grown indirect local other" {
		t.Errorf("unread are %q", got)
	}
}

// program holds the type-checked source of the scenes.
type program struct {
	fset  *token.FileSet
	known map[string]*types.Package // packages read from source, by import path
	rest  types.Importer            // imports all others from export data
	pkgs  []*checked
}

type checked struct {
	files []*ast.File
	info  *types.Info
	binds map[*ast.Ident]bool // where a variable is bound
}

// loaded caches the program for all tests.
var loaded *program

// loadProgram reads the module's packages that the scenes import, without tests.
func loadProgram(t *testing.T) *program {
	t.Helper()
	if loaded != nil {
		return loaded
	}
	list := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,GoFiles,Export,Module", ".")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{fset: token.NewFileSet(), known: map[string]*types.Package{}}
	exports := map[string]string{}
	p.rest = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
			Module                  *struct{ Main bool }
		}
		if err := in.Decode(&pkg); err == io.EOF {
			loaded = p
			return p
		} else if err != nil {
			t.Fatal(err)
		}
		if pkg.Module == nil || !pkg.Module.Main {
			exports[pkg.ImportPath] = pkg.Export
			continue
		}
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			files = append(files, p.parse(t, filepath.Join(pkg.Dir, name), nil))
		}
		p.check(t, pkg.ImportPath, files...)
	}
}

func (p *program) parse(t *testing.T, name string, source any) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(p.fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// check type-checks a package whose imports have been added.
func (p *program) check(t *testing.T, path string, files ...*ast.File) {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: p}).Check(path, p.fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	p.known[path] = pkg
	p.pkgs = append(p.pkgs, &checked{files, info, map[*ast.Ident]bool{}})
}

// Import implements types.Importer.
func (p *program) Import(path string) (*types.Package, error) {
	if pkg := p.known[path]; pkg != nil {
		return pkg, nil
	}
	return p.rest.Import(path)
}

// isBinding reports whether a call binds its first argument to a parameter. Such a call is a param.List method that takes a pointer and
// a Descriptor.
func (c *checked) isBinding(call *ast.CallExpr) bool {
	name, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) != 2 {
		return false
	}
	f, is := c.info.Uses[name.Sel].(*types.Func)
	if !is || f.Signature().Recv() == nil || f.Signature().Recv().Type().String() != "*paretoplay/algo/param.List" {
		return false
	}
	of := f.Signature().Params()
	_, pointer := of.At(0).Type().(*types.Pointer)
	return pointer && of.At(1).Type().String() == "paretoplay/algo/param.Descriptor"
}

// bindings returns the variables that parameters are bound to. If a binding call is given a pointer instead of an
// address, the pointer may point to any variable of its type whose address is taken in the same function.
func (p *program) bindings(t *testing.T) map[*types.Var]bool {
	t.Helper()
	out := map[*types.Var]bool{}
	for _, c := range p.pkgs {
		for _, file := range c.files {
			for _, declaration := range file.Decls {
				inspect(declaration, func(call *ast.CallExpr) {
					if !c.isBinding(call) {
						return
					}
					arg := call.Args[0]
					if v := c.addressed(arg); v != nil {
						out[v], c.binds[named(arg.(*ast.UnaryExpr).X)] = true, true
						return
					}
					found := false
					inspect(declaration, func(taken *ast.UnaryExpr) {
						if v := c.addressed(taken); v != nil && types.Identical(c.info.Types[taken].Type, c.info.Types[arg].Type) {
							out[v], c.binds[named(taken.X)], found = true, true, true
						}
					})
					if !found {
						t.Errorf("%s: this test cannot tell what is bound", p.fset.Position(arg.Pos()))
					}
				})
			}
		}
	}
	return out
}

// inspect calls f for every node of type N.
func inspect[N ast.Node](in ast.Node, f func(N)) {
	ast.Inspect(in, func(n ast.Node) bool {
		if of, is := n.(N); is {
			f(of)
		}
		return true
	})
}

// addressed returns the variable v if an expression is the address of v or of an entry of v. It returns nil for other
// expressions.
func (c *checked) addressed(e ast.Expr) *types.Var {
	of, is := e.(*ast.UnaryExpr)
	if !is || of.Op != token.AND {
		return nil
	}
	if name := named(of.X); name != nil {
		v, _ := c.info.Uses[name].(*types.Var)
		return v
	}
	return nil
}

// named returns the identifier of the variable that an expression names, directly or as the operand of an index. It
// returns nil for other expressions.
func named(e ast.Expr) *ast.Ident {
	for {
		switch of := e.(type) {
		case *ast.IndexExpr:
			e = of.X
		case *ast.ParenExpr:
			e = of.X
		case *ast.SelectorExpr:
			return of.Sel
		case *ast.Ident:
			return of
		default:
			return nil
		}
	}
}

// unread returns the bound variables that are never read, in source order.
func (p *program) unread(bound map[*types.Var]bool) []*types.Var {
	left := maps.Clone(bound)
	for _, c := range p.pkgs {
		skip := maps.Clone(c.binds) // where a variable is bound or assigned
		for _, file := range c.files {
			inspect(file, func(of *ast.AssignStmt) { // also += and the like, which read the value only to assign it
				for _, to := range of.Lhs {
					skip[named(to)] = true
				}
			})
			inspect(file, func(of *ast.IncDecStmt) { skip[named(of.X)] = true })
			inspect(file, func(of *ast.RangeStmt) {
				if of.Value == nil { // over indices only
					skip[named(of.X)] = true
				}
			})
			inspect(file, func(of *ast.KeyValueExpr) {
				key, _ := of.Key.(*ast.Ident)
				if v, is := c.info.Uses[key].(*types.Var); is && v.IsField() {
					skip[key] = true
				}
			})
		}
		for name, of := range c.info.Uses {
			if v, is := of.(*types.Var); is && !skip[name] {
				delete(left, v)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(left), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
}
