//go:build !js

package networktasks

import (
	"sync"

	"paretoplay/algo/problem/network/pictures"
)

// shipped reads the pictures of digits once: native programs contain them.
var shipped = sync.OnceValues(pictures.Read)
