package axes

import (
	"encoding/binary"
	"image/color"
	"math"
)

// Key spells out all on which a picture depends.
type Key []byte

// Word appends a whole number.
func (k *Key) Word(v uint64) { *k = binary.LittleEndian.AppendUint64(*k, v) }

// Number appends a number, bit by bit.
func (k *Key) Number(v float64) { k.Word(math.Float64bits(v)) }

// Text appends a text.
func (k *Key) Text(s string) {
	k.Word(uint64(len(s)))
	*k = append(*k, s...)
}

// Flag appends a yes or a no.
func (k *Key) Flag(on bool) {
	if on {
		*k = append(*k, 1)
	} else {
		*k = append(*k, 0)
	}
}

// Paint appends a colour or the lack of one.
func (k *Key) Paint(c color.Color) {
	k.Flag(c != nil)
	if c != nil {
		r, g, b, a := c.RGBA()
		k.Word(uint64(r)<<48 | uint64(g)<<32 | uint64(b)<<16 | uint64(a))
	}
}
