//go:build js && !picture

package files

import "errors"

// errNoClips is the error of the page's first program, which cannot draw clips.
var errNoClips = errors.New("this program only shows runs; the second program (wasm/picture) draws clips")

// Clip is a placeholder for the second program's Clip.
type Clip struct{}

// NewClip always returns an error.
func (s Source) NewClip(string) (*Clip, error) { return nil, errNoClips }

// Step always returns an error.
func (c *Clip) Step() (float64, error) { return 0, errNoClips }

// File always returns an error.
func (c *Clip) File() (File, error) { return File{}, errNoClips }

func (s Source) gif(string) (File, error) { return File{}, errNoClips }
