package command

import "io"

func printLicences(c *call) error {
	c.explain("which writes the notices of everything that the program and the site are made of.")
	if err := c.parse(); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		_, err := io.WriteString(w, c.Notices)
		return err
	})
}
