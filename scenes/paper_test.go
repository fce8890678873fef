//go:build !js

package scenes

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestOnPaper checks that, in a one-column figure of any panel of any scene, no text overlaps another or is cut off by the panel's
// edge.
func TestOnPaper(t *testing.T) {
	for _, a := range All {
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			s := scenetest.Open(t, a.New(), nil)
			scenetest.Finish(t, s)
			onPaper(t, s, "as it opens", nil)
			for _, card := range a.Presets {
				if !slices.Contains(marked[a.ID], card.ID) && !slices.Contains(allCards, a.ID) {
					continue
				}
				s := scenetest.Open(t, a.New(), card.Values)
				for k := 0; k < early && s.Timeline().Running(); k++ {
					if _, err := s.Timeline().Step(); err != nil {
						t.Fatal(err)
					}
				}
				scene.SelectRun(s, card.Selected)
				onPaper(t, s, card.ID+" early", card.References)
				scenetest.Finish(t, s)
				onPaper(t, s, card.ID+" at its end", card.References)
			}
		})
	}
}

// allCards lists the scenes whose cards are all checked.
var allCards = []string{"blocks", "cleaning", "clusters", "fairness", "federated", "fronts", "ordering", "regression", "sweep", "transport"}

// marked lists, by scene, the cards whose references or labels are close to each other.
var marked = map[string][]string{"fonseca": {"settle", "period", "middle"},
	"yours":       {"crash", "rocket", "dtlz"},
	"bilevel":     {"paper", "slow", "rho", "short", "large", "multiplier", "fixed", "mean", "own"},
	"bilevelcost": {"figure1", "upper", "memory", "price", "short"},
	"network":     {"forty", "rest", "noise", "two", "same", "adam"},
	"log":         {"noise", "batch", "old", "units"},
}

// early is the number of iterations that the runs of a card take before the card is drawn for the first time.
const early = 12

// onPaper checks every panel of a scene.
func onPaper(t *testing.T, s scene.Scene, what string, references []axes.Reference) {
	t.Helper()
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Panels() {
		if shows, is := p.(axes.Referring); is {
			shows.Refer(slices.DeleteFunc(slices.Clone(references), func(r axes.Reference) bool { return r.Panel != p.ID() }))
		}
		f := axes.Printed(axes.OneColumn, brush.Light, []axes.Panel{p})
		size := f.Placed[0].Rect.Size()
		frame := brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Light.Printed()}
		var c recorder.Canvas
		for _, l := range p.Layers(frame) {
			l.Draw(draw.NewCanvas(&c, size.X, size.Y))
		}
		texts := boxed(c.Actions)
		for i, one := range texts {
			if b := one.box; b.Min.X < -1 || b.Min.Y < -1 || b.Max.X > size.X+1 || b.Max.Y > size.Y+1 {
				t.Errorf("%s, %s: %q at %v is cut by the edge of %v", what, p.ID(), one.words, b, size)
			}
			for _, other := range texts[:i] {
				if over(one.box, other.box) {
					t.Errorf("%s, %s: %q overlaps %q", what, p.ID(), one.words, other.words)
				}
			}
		}
	}
}

// over reports whether two texts overlap by more than a small tolerance.
func over(a, b vg.Rectangle) bool {
	const hair = 0.5
	return a.Min.X+hair < b.Max.X && b.Min.X+hair < a.Max.X && a.Min.Y+hair < b.Max.Y && b.Min.Y+hair < a.Max.Y
}

// placedText is a text on a recorded canvas.
type placedText struct {
	words string
	box   vg.Rectangle // around its capitals
}

// boxed returns the texts among recorded actions, with their boxes. It includes texts rotated left by 90°.
func boxed(actions []recorder.Action) (texts []placedText) {
	type state struct {
		shift  vg.Point
		turned bool
	}
	stack := []state{{}}
	for _, a := range actions {
		top := &stack[len(stack)-1]
		switch a := a.(type) {
		case *recorder.Push:
			stack = append(stack, *top)
		case *recorder.Pop:
			stack = stack[:len(stack)-1]
		case *recorder.Rotate:
			top.turned = true
		case *recorder.Translate:
			top.shift = top.shift.Add(a.Point)
		case *recorder.FillString:
			face := brush.Text.Fonts.Lookup(a.Font, a.Size)
			size := vg.Point{X: face.Width(a.String), Y: brush.CapHeight * a.Size}
			box := vg.Rectangle{Min: a.Point, Max: a.Point.Add(size)}
			if top.turned {
				box = vg.Rectangle{Min: vg.Point{X: -box.Max.Y, Y: box.Min.X}, Max: vg.Point{X: -box.Min.Y, Y: box.Max.X}}
			}
			texts = append(texts, placedText{a.String, box.Add(top.shift)})
		}
	}
	return texts
}
