package kinds

import (
	"fmt"
	"math"
)

// Turn returns the camera turned to an azimuth and an elevation. It rounds both to whole degrees, wraps the azimuth to
// −180 to 180, and limits the elevation to −90 to 90.
func (c Camera) Turn(azimuth, elevation float64) Camera {
	c[0] = math.Remainder(math.Round(azimuth), 360)
	c[1] = max(-90, min(math.Round(elevation), 90))
	return c
}

// Text returns the camera as the text of a parameter.
func (c Camera) Text() string { return fmt.Sprintf("%g,%g,%g", c[0], c[1], c[2]) }
