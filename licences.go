package main

import (
	_ "embed"
	"io"
)

// noticesName is the file of notices in the source tree and in the site.
const noticesName = "LICENCES.txt"

// notices are those of everything that the program and the site are made of. A test
// writes them, go test . -run Licences -regen, and holds them to what is linked.
//
//go:embed LICENCES.txt
var notices string

func printLicences(c *call) error {
	c.explain("which writes the notices of everything that the program and the site are made of.")
	if err := c.parse(); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		_, err := io.WriteString(w, notices)
		return err
	})
}
