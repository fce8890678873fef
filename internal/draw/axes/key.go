package axes

import (
	"encoding/binary"
	"image/color"
	"math"
)

// Key is an encoding of everything that a picture depends on.
type Key []byte

// Word appends an integer.
func (k *Key) Word(v uint64) { *k = binary.LittleEndian.AppendUint64(*k, v) }

// Number appends the bits of a floating-point number.
func (k *Key) Number(v float64) { k.Word(math.Float64bits(v)) }

// Text appends a string, preceded by its length.
func (k *Key) Text(s string) {
	k.Word(uint64(len(s)))
	*k = append(*k, s...)
}

// Flag appends a boolean.
func (k *Key) Flag(on bool) {
	if on {
		*k = append(*k, 1)
	} else {
		*k = append(*k, 0)
	}
}

// Paint appends a colour, which may be nil.
func (k *Key) Paint(c color.Color) {
	k.Flag(c != nil)
	if c != nil {
		r, g, b, a := c.RGBA()
		k.Word(uint64(r)<<48 | uint64(g)<<32 | uint64(b)<<16 | uint64(a))
	}
}
