#!/usr/bin/env bash
# Ebitengine 2.10.4: a program keeps the vertices of its largest frame forever, several times over. The queue of draw commands keeps its
# buffer, as expected. But it also keeps up to 1024 commands for reuse, and each still points at the vertices it drew. While a large frame
# grows the buffer, some commands keep a pointer to every size that the buffer had. Later frames of one square reuse the same one or two
# commands, so the others never release theirs. In a browser, where a program has a few hundred megabytes of memory, one picture of
# 500,000 triangles cost us 60 MB for the rest of the visit.
#
# Output with Ebitengine 2.10.4 and Go 1.26 on Linux, x86-64: a frame of 1000 commands with 300 vertices each, 14.4 MB of vertices, and
# then 1000 frames of one square. MB held by the program, without garbage:
#
#     before 0, after the large frame 84, after 1000 small frames 84, the queue's own buffer 17
#     with the commands' vertices set to nil: 18
#
# Figures change a little with the growth of slices. The script tests the package that contains the queue, with a graphics driver that
# draws nothing, and exits with status 1 if Ebitengine behaves differently. It needs Go.
set -euo pipefail

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
go mod init example.com/held > init.txt 2>&1
source=$(go mod download -json github.com/hajimehoshi/ebiten/v2@v2.10.4 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp -r "$source" ebiten
chmod -R u+w ebiten
rm ebiten/internal/graphicscommand/*_test.go # they need a window
cat > ebiten/internal/graphicscommand/held_test.go <<'GO'
package graphicscommand

import (
	"image"
	"runtime"
	"testing"

	"github.com/hajimehoshi/ebiten/v2/internal/debug"
	"github.com/hajimehoshi/ebiten/v2/internal/graphics"
	"github.com/hajimehoshi/ebiten/v2/internal/graphicsdriver"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir"
)

type driver struct{ graphicsdriver.Graphics }

func (driver) Begin() error                          { return nil }
func (driver) End(graphicsdriver.FlushMode) error    { return nil }
func (driver) SetVertices([]float32, []uint32) error { return nil }
func (driver) DrawTriangles(graphicsdriver.ImageID, [graphics.ShaderSrcImageCount]graphicsdriver.ImageID, graphicsdriver.ShaderID,
	[]graphicsdriver.DstRegion, int, graphicsdriver.Blend, []uint32) error {
	return nil
}

type picture struct{ graphicsdriver.Image }

func (picture) ID() graphicsdriver.ImageID { return 1 }

type program struct{ graphicsdriver.Shader }

func (program) ID() graphicsdriver.ShaderID { return 1 }

func held() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

func TestHeld(t *testing.T) {
	targets := [2]*Image{{image: picture{}, width: 16, height: 16}, {image: picture{}, width: 16, height: 16}}
	shader := &Shader{shader: program{}, ir: &shaderir.Program{}}
	q := &commandQueue{}
	draw := func(command, vertices int) {
		var regions [graphics.ShaderSrcImageCount]image.Rectangle
		numbers := make([]float32, vertices*graphics.VertexFloatCount)
		for i := 0; i < len(numbers); i += graphics.VertexFloatCount {
			numbers[i], numbers[i+1] = float32(i%16), float32(i/16%16)
		}
		q.EnqueueDrawTrianglesCommand(targets[command%2], [graphics.ShaderSrcImageCount]*Image{}, numbers, make([]uint32, vertices),
			graphicsdriver.Blend{}, image.Rect(0, 0, 16, 16), regions, shader, nil)
	}
	flush := func() {
		if err := q.flush(driver{}, graphicsdriver.FlushModePresent, debug.SwitchFrameLogger()); err != nil {
			t.Fatal(err)
		}
	}
	before := held()
	for i := range 1000 { // in turn for two images, so that commands are not joined
		draw(i, 300)
	}
	flush()
	large := held() - before
	for range 1000 {
		draw(0, 4)
		flush()
	}
	small := held() - before
	own := float64(4*cap(q.vertices)) / 1e6
	t.Logf("before 0, after the large frame %.0f, after 1000 small frames %.0f, the queue's own buffer %.0f", large, small, own)
	for _, c := range q.drawTrianglesCommandPool.pool {
		c.vertices = nil
	}
	let := held() - before
	t.Logf("with the commands' vertices set to nil: %.0f", let)
	if small < 2*own || let > 1.5*own {
		t.Error("it behaves otherwise")
	}
	runtime.KeepAlive(q)
}
GO
cd ebiten
CGO_ENABLED=0 go test -count=1 -v -run '^TestHeld$' ./internal/graphicscommand > ../said.txt 2>&1 || {
	cat ../said.txt >&2
	echo "Ebitengine 2.10.4 behaves differently than described" >&2
	exit 1
}
sed -n 's/^ *held_test.go:[0-9]*: //p' ../said.txt
