// Package weighting implements rules that compute weights λ, or directly a direction, from the gradients of m
// objectives. Each rule has a file that is named after the rule's command-line name. Methods lists all rules.
//
// To add a rule, write a file with its Method and a type that implements algo.Weighting. Its Weigh should start with
// begin and end with combine. Then add the Method to the list in methods.go and run the tests, which check the
// promises of every listed method.
//
// Every threshold is relative to the data, so scaling all gradients, even to 1e-300, only scales the direction. The
// gradients of an Input may be divided by a power of two: see algo.Input.SetGradients. A decision applies to the
// original gradients, so rules compute directions with algo.Input.Combine.
package weighting
