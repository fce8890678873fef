package scenetest

import (
	"path"
	"reflect"
	"runtime"
	"strings"

	"paretoplay/internal/engine/scene"
)

// Folder returns the folder of a scene's package relative to the module's root, such as scenes/toymap. A package's name may differ
// from its scene's ID, because other packages use that name.
func Folder(a scene.About) string {
	name := runtime.FuncForPC(reflect.ValueOf(a.New).Pointer()).Name() // such as paretoplay/scenes/fonseca.init.func1
	folder, file := path.Split(strings.TrimPrefix(name, "paretoplay/"))
	file, _, _ = strings.Cut(file, ".")
	return folder + file
}
