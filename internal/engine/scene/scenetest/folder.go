package scenetest

import (
	"path"
	"reflect"
	"runtime"
	"strings"

	"paretoplay/internal/engine/scene"
)

// Folder returns the folder of a scene's package below the module's root, such as scenes/toymap. Some packages are not
// named after their scenes, because other packages have these names.
func Folder(a scene.About) string {
	name := runtime.FuncForPC(reflect.ValueOf(a.New).Pointer()).Name() // such as paretoplay/scenes/fonseca.init.func1
	folder, file := path.Split(strings.TrimPrefix(name, "paretoplay/"))
	file, _, _ = strings.Cut(file, ".")
	return folder + file
}
