package traininglog

import "paretoplay/algo/runlog"

// shipped returns nil, because the page fetches logs when they are needed.
func shipped(string) (*runlog.Log, error) { return nil, nil }
