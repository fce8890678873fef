//go:build js && !picture

package files

import "errors"

// errNoClips is the answer of the page's first program.
var errNoClips = errors.New("this program only shows runs; the second program (wasm/picture) draws clips")

// Clip replaces the clips of the second program.
type Clip struct{}

// NewClip returns an error.
func (s Source) NewClip(string) (*Clip, error) { return nil, errNoClips }

// Step returns an error.
func (c *Clip) Step() (float64, error) { return 0, errNoClips }

// File returns an error.
func (c *Clip) File() (File, error) { return File{}, errNoClips }

func (s Source) gif(string) (File, error) { return File{}, errNoClips }
