// Package pareto compares points by all their objectives at once: dominance,
// non-dominated sets, Pareto-stationarity, hypervolume, and how the fronts of
// several methods compare. Everything is minimised.
package pareto
