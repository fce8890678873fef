package loop

import (
	"image"

	"paretoplay/internal/draw/brush"
)

// slot identifies a layer of a panel. The cache keeps at most one picture of each layer.
type slot struct {
	panel string
	layer int
}

// stamp holds everything that a kept picture depends on.
type stamp struct {
	key    string
	theme  string
	size   image.Point // in pixels
	ratio  float64     // screen pixels per CSS pixel
	touch  bool
	detail brush.Detail
}

// IdleFrames is the number of frames after which an unused picture is released.
const IdleFrames = 120

// cache keeps one picture per slot. It releases pictures that have not been used for IdleFrames, so that the cache is
// no larger than what the screen shows.
type cache[T any] struct {
	create  func(size image.Point) T
	release func(T)
	kept    map[slot]*picture[T]
	frame   int
}

type picture[T any] struct {
	stamp stamp
	value T
	frame int // frame of the last use
}

func newCache[T any](create func(image.Point) T, release func(T)) *cache[T] {
	return &cache[T]{create: create, release: release, kept: map[slot]*picture[T]{}}
}

// get returns the picture of a slot. If drawn is false, the caller must clear the picture and draw it to match the stamp.
func (c *cache[T]) get(at slot, want stamp) (value T, drawn bool) {
	p := c.kept[at]
	if p != nil && p.stamp.size != want.size {
		c.release(p.value)
		p = nil
	}
	if p == nil {
		p = &picture[T]{value: c.create(want.size)}
		c.kept[at] = p
	}
	drawn = p.stamp == want
	p.stamp, p.frame = want, c.frame
	return p.value, drawn
}

// next begins a frame and releases pictures that have not been used for IdleFrames.
func (c *cache[T]) next() {
	c.frame++
	for at, p := range c.kept {
		if c.frame-p.frame > IdleFrames {
			c.release(p.value)
			delete(c.kept, at)
		}
	}
}

// bytes returns the memory used by the kept pictures, at four bytes per pixel.
func (c *cache[T]) bytes() int {
	n := 0
	for _, p := range c.kept {
		n += 4 * p.stamp.size.X * p.stamp.size.Y
	}
	return n
}
