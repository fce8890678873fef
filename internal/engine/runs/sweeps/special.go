package sweeps

import "paretoplay/algo/blocks"

// Special is the case of Block-SMOO that a method of the family is, of a configuration.
func Special(method string, c blocks.Config) blocks.Config {
	for _, s := range family {
		if s.ID == method {
			return s.special(c)
		}
	}
	panic("sweeps: there is no method " + method)
}
