// Package check tests what no package of the tree can test alone: documents, licences, the findings, and which
// package may import which.
package check
