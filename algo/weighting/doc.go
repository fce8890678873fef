// Package weighting holds the rules that turn the gradients of m objectives into
// weights λ or directly into a direction, one file per rule, named as on the
// command line. Methods lists them all.
//
// To add one: write its file, with a type that implements algo.Weighting (begin
// with begin, end with combine) and its Method, add that to the list in methods.go, and run
// the tests, which check every listed method against what it promises.
//
// Every threshold is relative to the data: a direction at gradients of size 1e-300
// is the one at size 1, scaled. An Input that algo.Input.SetGradients made may hold
// gradients divided by a power of two: what a rule decides is for the gradients
// themselves, so directions are made by algo.Input.Combine.
package weighting
