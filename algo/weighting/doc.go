// Package weighting has the rules that turn the gradients of m objectives into weights λ,
// or directly into a direction. There is one file per rule, named as on the command line.
// Methods lists all rules.
//
// To add a rule, write its file with its Method and a type that implements
// algo.Weighting; Weigh begins with begin and ends with combine. Then add the Method to the
// list in methods.go and run the tests, which check every listed method against its
// promises.
//
// Every threshold is relative to the data: scaling all gradients, even to 1e-300, only
// scales the direction. An Input from algo.Input.SetGradients may contain gradients divided
// by a power of two. A decision is about the original gradients, so rules compute
// directions by algo.Input.Combine.
package weighting
