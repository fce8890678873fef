package sampleorder

import (
	"fmt"
	"strings"

	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// These are the moments of the step that leads to the marker, in order. At each moment, a picture shows the part of the
// step up to this moment. The last value, moments, means the whole step.
const (
	momentSample = iota
	momentGradients
	momentCentring
	momentSign
	momentPlace
	momentWeights
	momentUpdate
	moments
)

var momentNames = [moments]string{"sample", "gradients", "centring", "sign", "place", "weights", "update"}

// These are the times, in seconds, for which slow motion shows each moment: the first list is for orders with signs,
// the second for orders without signs.
var (
	signedDurations   = [moments]float64{0.7, 0.9, 0.9, 1.1, 0.9, 0.7, 0.9}
	unsignedDurations = [moments]float64{0.7, 0.9, 0, 0, 0, 0.7, 0.9}
)

var _ scene.SlowMotion = (*Scene)(nil)

// momentDurations returns the durations of the moments for the selected run.
func (s *Scene) momentDurations() []float64 {
	if r := s.Timeline().Selected().Run; r == nil || !balances(r) {
		return unsignedDurations[:]
	}
	return signedDurations[:]
}

// Displayed shows whole steps again when slow motion ends.
func (s *Scene) Displayed() error {
	s.EndIfOff()
	return nil
}

// pointNow returns the iteration whose point is displayed.
func (s *Scene) pointNow() int {
	k := s.Timeline().Marker()
	if s.Hides(momentUpdate) {
		k--
	}
	return k
}

// momentText describes the displayed moment. It returns "" if the whole step is shown.
func (s *Scene) momentText() string {
	now := s.read.Step()
	if now == nil || !s.Partway() {
		return ""
	}
	text := fmt.Sprintf("%s: ", momentNames[s.Stage()])
	switch s.Stage() {
	case momentSample:
		var due []string
		for _, order := range now.Now {
			due = append(due, fmt.Sprint(order[max(now.Steps-1, 0)]+1))
		}
		text += strings.Join(due, ", ") + " of " + fmt.Sprint(orders.Examples(now.Run))
	case momentGradients:
		text += "unchanged, drawn as arrows from the current sum"
		if now.Next == nil {
			text += "; they belong to this sample"
		}
	case momentCentring:
		text += "minus the mean of the previous epoch, g or −g"
		if now.Epoch == 0 {
			text += "; there is no mean yet"
		}
	case momentSign:
		text += "the side on which the sum stays "
		switch ordering.SignRule(s.values.Sign) {
		case ordering.SelfBalancing:
			text += "smaller is likelier"
		case ordering.InnerProduct, ordering.TwoNorm:
			text += "shorter, by ⟨s, g⟩"
		default:
			text += "smaller"
		}
	case momentPlace:
		var sides []string
		for _, o := range now.Offers {
			sides = append(sides, sideOf(o.Sign))
		}
		text += strings.Join(sides, ", ") + " of the next order"
	case momentWeights:
		text += "none"
		if now.Weights != nil {
			text = "weights: λ = " + timeline.Vector(now.Weights)
		}
	case momentUpdate:
		text += "w = " + timeline.Vector(now.Point)
	}
	return text
}

// drawMoment writes the description of the moment at the bottom of the hero picture.
func (s *Scene) drawMoment(b *brush.Brush) {
	if text := s.momentText(); text != "" {
		b.Caption(text)
	}
}
