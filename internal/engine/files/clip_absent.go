//go:build js && !picture

package files

import "errors"

// errNoClips is what the page's first program answers.
var errNoClips = errors.New("this program shows runs and draws no clips: the second program does (wasm/picture)")

// Clip is a clip that cannot be drawn.
type Clip struct{}

// NewClip returns an error.
func (s Source) NewClip(string) (*Clip, error) { return nil, errNoClips }

// Step returns an error.
func (c *Clip) Step() (float64, error) { return 0, errNoClips }

// File returns an error.
func (c *Clip) File() (File, error) { return File{}, errNoClips }

func (s Source) gif(string) (File, error) { return File{}, errNoClips }
