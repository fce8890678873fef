//go:build !js

package networktasks

import (
	"sync"

	"paretoplay/algo/problem/network/pictures"
)

// shipped returns the pictures of digits that native programs contain. It reads them once.
var shipped = sync.OnceValues(pictures.Read)
