// Package statistics has the estimates of experiments that need gonum/stat. They are apart from
// paretoplay/scenes/experiment because gonum/stat brings gonum's factorizations, which are too
// large for the page's program, and the page runs some experiments itself.
package statistics

import "gonum.org/v1/gonum/stat"

// Exponent is the slope of the line that is fitted to points by least squares. Where both
// coordinates are logarithms it is the exponent of a power law.
func Exponent(logX, logY []float64) float64 {
	_, slope := stat.LinearRegression(logX, logY, nil, false)
	return slope
}
