// Package check tests what no single package can test: documents, licences, findings, and the imports between packages.
package check
