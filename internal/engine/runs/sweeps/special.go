package sweeps

import "paretoplay/algo/blocks"

// Special changes a configuration to the special case of Block-SMOO that a method represents.
func Special(method string, c blocks.Config) blocks.Config {
	for _, s := range family {
		if s.ID == method {
			return s.special(c)
		}
	}
	panic("sweeps: unknown method " + method)
}
