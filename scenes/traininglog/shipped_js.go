package traininglog

import "paretoplay/algo/runlog"

// shipped returns nil: the page fetches logs when they are needed.
func shipped(string) (*runlog.Log, error) { return nil, nil }
