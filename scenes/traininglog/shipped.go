//go:build !js

package traininglog

import (
	"paretoplay/algo/runlog"
	"paretoplay/algo/runlog/digits"
)

// shipped reads a log that comes with the page: natively they are part of the program.
func shipped(name string) (*runlog.Log, error) { return digits.Read(name) }
