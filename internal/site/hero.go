package site

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

// pathsName is the file of runs for the contents page. This program draws the large picture. On top of the picture, the
// page draws the run from a start that the visitor drags.
const pathsName = "thumbs/tradeoff-paths.json"

// The objectives at the starts are multiples of 1/pathNodes, up to pathMost. Nearer to 1, both gradients are so short
// that a run hardly moves. Runs end after pathSteps steps.
const (
	pathNodes = 56
	pathMost  = 0.98
	pathSteps = 200
)

// Coordinates in the file are whole numbers from 0 to pathUnits−1, measured to the right and downwards across the
// picture. Variables are in thousandths, counted from −2. pathGap is the minimum distance between two points of a path,
// about a pixel.
const (
	pathUnits = 4096
	pathGap   = 6
)

// heroPaths holds the paths in the form that the page reads.
type heroPaths struct {
	Origin [2]int `json:"origin"` // where both objectives are 0
	One    [2]int `json:"one"`    // where both objectives are 1
	// Each point of a path takes four digits of base 64, two per coordinate. The first point is the start in the
	// variables; the others are the iterates' positions in the picture.
	Paths []string `json:"paths"`
	// Edge outlines the attainable region and Front is the front, for a page without the picture. Their points are
	// coded like the paths' points.
	Edge  string `json:"edge"`
	Front string `json:"front"`
}

// pathDigits are the digits of base 64, lowest first.
const pathDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func pathPoint(x, y int) string {
	var out [4]byte
	for i, v := range []int{x, y} {
		v = min(max(v, 0), pathUnits-1)
		out[2*i], out[2*i+1] = pathDigits[v/64], pathDigits[v%64]
	}
	return string(out[:])
}

// drawPaths returns the file's contents.
func drawPaths() ([]byte, error) {
	opened, err := session.New(scenes.All, tradeoffScene)
	if err != nil {
		return nil, err
	}
	panel, size, err := tradeoffPlane(opened)
	if err != nil {
		return nil, err
	}
	b := panel.Brush(axes.Placed{Panel: panel, Rect: vg.Rectangle{Max: size}, Detail: brush.Thumbnail}.Frame(brush.Light, false), nil)
	place := func(f []float64) (x, y int) {
		at := b.At(f[0], f[1])
		return int(math.Round(float64(at.X/size.X) * pathUnits)), int(math.Round((1 - float64(at.Y/size.Y)) * pathUnits))
	}
	var out heroPaths
	out.Origin[0], out.Origin[1] = place([]float64{0, 0})
	out.One[0], out.One[1] = place([]float64{1, 1})
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		return nil, err
	}
	const edgePoints = 40 // per part of the edge
	for _, line := range []struct {
		to     *string
		points [][]float64
	}{{&out.Edge, p.AttainableBoundary(edgePoints)}, {&out.Front, p.Front(edgePoints)}} {
		for _, f := range line.points {
			*line.to += pathPoint(place(f))
		}
	}
	starts := pathStarts(p)
	about, err := scenes.All.Find(tradeoffScene)
	if err != nil {
		return nil, err
	}
	s := about.New()
	d, _ := s.Params().Lookup("starts")
	for some := range slices.Chunk(starts, int(d.Max)) {
		paths, err := pathsFrom(s, some, place)
		if err != nil {
			return nil, err
		}
		out.Paths = append(out.Paths, paths...)
	}
	return json.Marshal(out)
}

// tradeoffPlane returns the large picture's panel and its size.
func tradeoffPlane(s *session.Session) (*axes.Plane, vg.Point, error) {
	size := vg.Point{X: tradeoffWidth, Y: tradeoffHeight}
	placed := s.Layout(1200, 800, false, false) // wide enough for all panels
	at := slices.IndexFunc(placed, func(p axes.Placed) bool { return p.Panel.ID() == tradeoffPanel })
	if at >= 0 {
		if plane, is := placed[at].Panel.(*axes.Plane); is {
			return plane, size, nil
		}
	}
	return nil, size, fmt.Errorf("scene %s has no plane %s", tradeoffScene, tradeoffPanel)
}

// pathStarts returns the starts, rounded to thousandths.
func pathStarts(p *problem.Fonseca) (starts [][]float64) {
	for i := range pathNodes {
		for j := range pathNodes {
			f := []float64{float64(i) / pathNodes, float64(j) / pathNodes}
			if max(f[0], f[1]) > pathMost || !p.Attainable(f[0], f[1], 0) {
				continue
			}
			x := []float64{0.5, -0.5} // the runs look the same from either side of the line through the minima
			p.Preimage(x, f, 2)
			starts = append(starts, []float64{math.Round(x[0]*1000) / 1000, math.Round(x[1]*1000) / 1000})
		}
	}
	return starts
}

// pathsFrom returns the paths from the given starts, with the scene's default settings.
func pathsFrom(s scene.Scene, starts [][]float64, place func(f []float64) (x, y int)) ([]string, error) {
	var texts []string
	for _, x := range starts {
		texts = append(texts, fmt.Sprintf("%g,%g", x[0], x[1]))
	}
	values := map[string]string{"starts": fmt.Sprint(len(starts)), "start": strings.Join(texts, ";"), "budget": fmt.Sprint(pathSteps)}
	for name, value := range values {
		if err := s.Params().Assign(name, value); err != nil {
			return nil, err
		}
	}
	if err := s.Restart(nil); err != nil {
		return nil, err
	}
	if err := scene.Finish(s); err != nil {
		return nil, err
	}
	tracks := s.Timeline().Tracks()
	if len(tracks) != len(starts) {
		return nil, fmt.Errorf("%d runs from %d starts", len(tracks), len(starts))
	}
	var paths []string
	for i, r := range tracks {
		text := pathPoint(int(math.Round((starts[i][0]+2)*1000)), int(math.Round((starts[i][1]+2)*1000)))
		last, lastX, lastY := r.Len()-1, -pathUnits, -pathUnits
		for k := range last + 1 {
			x, y := place(r.Kept(k).F)
			if k == last || max(x-lastX, lastX-x, y-lastY, lastY-y) >= pathGap {
				text += pathPoint(x, y)
				lastX, lastY = x, y
			}
		}
		paths = append(paths, text)
	}
	return paths, nil
}
