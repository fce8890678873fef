//go:build js && !picture

package files

import "errors"

// Program returns an error: the templates are in the second program alone.
func (s Source) Program(string, string) (File, error) {
	return File{}, errors.New("this program shows runs and writes none as code: the second program does (wasm/picture)")
}
