// Package pareto compares points by all their objectives at once: dominance,
// non-dominated sets, Pareto-stationarity and hypervolume. Everything is
// minimised.
package pareto
