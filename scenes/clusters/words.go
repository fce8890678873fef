package clusters

import "paretoplay/scenes/scene"

// About is what is known of the scene without making one.
var About = scene.About{
	ID:      "clusters",
	Title:   "Many goals, few solutions",
	Hero:    "plane",
	Keys:    []string{"a", "b", "m", "method"},
	Methods: Methods,
	Several: true,
	New:     func() scene.Scene { return New() },
}
