package command

import "io"

func printLicences(c *call) error {
	c.explain("Writes the licences of everything in the program and the site.")
	if err := c.parse(); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		_, err := io.WriteString(w, c.Notices)
		return err
	})
}
