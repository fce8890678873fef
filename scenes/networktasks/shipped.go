//go:build !js

package networktasks

import (
	"sync"

	"paretoplay/algo/problem/network/pictures"
)

// shipped reads the pictures of digits, once: natively they are part of the program.
var shipped = sync.OnceValues(pictures.Read)
