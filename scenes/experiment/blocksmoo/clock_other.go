//go:build !unix

package blocksmoo

import "time"

// clock is the time of day.
func clock() time.Duration { return time.Since(begun) }
