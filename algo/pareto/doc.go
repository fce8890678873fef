// Package pareto compares points by all their objectives at once. It provides dominance, non-dominated sets,
// Pareto-stationarity, hypervolume, and measures that compare the fronts of several methods. All objectives are minimised.
package pareto
