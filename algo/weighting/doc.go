// Package weighting holds the rules that turn the gradients of m objectives into
// weights λ or directly into a direction, one file per rule, named as on the
// command line. Methods lists them all.
//
// To add one: write its file with a type that implements algo.Weighting (begin
// with begin, end with combine), add its Method to the list in methods.go, and run
// the tests, which check every listed method against what it promises.
//
// Every threshold is relative to the data: a direction at gradients of size 1e-8
// is the one at size 1, scaled.
package weighting
