//go:build js && !picture

package files

import "errors"

// Program always returns an error, because only the second program contains the templates.
func (s Source) Program(string, string) (File, error) {
	return File{}, errors.New("this program only shows runs; the second program (wasm/picture) writes them as code")
}
