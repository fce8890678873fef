package follow

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/scene"
)

// ScopeOf returns the names that lessons' goals may use in a scene.
func ScopeOf(about scene.About) condition.Scope {
	of := about.New()
	_, static := scene.AsStatic(of)
	return scope{about, of.Params(), static}
}

type scope struct {
	about  scene.About
	params *param.List
	static bool
}

// Param implements condition.Scope.
func (s scope) Param(name string) condition.Type {
	d, known := s.params.Lookup(name)
	if !known {
		return condition.None
	}
	return condition.TypeOf(d)
}

// Fact implements condition.Scope.
func (s scope) Fact(name string) error {
	if slices.Contains(scene.RunFacts, name) {
		if s.static {
			return fmt.Errorf("scene %s has no runs, so it has no fact %s", s.about.ID, name)
		}
		return nil
	}
	if _, known := s.about.FactKind(name); !known && s.about.Facts != nil {
		names := make([]string, len(s.about.Facts))
		for i, f := range s.about.Facts {
			names[i] = f.Name
		}
		return fmt.Errorf("unknown fact %s of %s; available: %s", scene.Quote(name), s.about.ID, strings.Join(names, " "))
	}
	return nil
}
