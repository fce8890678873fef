package sweeps

import "paretoplay/algo/blocks"

// Special turns a configuration into the special case of Block-SMOO that a method is.
func Special(method string, c blocks.Config) blocks.Config {
	for _, s := range family {
		if s.ID == method {
			return s.special(c)
		}
	}
	panic("sweeps: unknown method " + method)
}
