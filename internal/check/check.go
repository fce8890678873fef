// Package check tests what no single package can test: documents, licences, the findings, and which package may import which.
package check
