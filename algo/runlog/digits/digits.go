// Package digits holds three logs of trainings in PyTorch on scikit-learn's handwritten digits, of two,
// eight and three losses: what package runlog reads, and what its figures are like on real runs.
// docs/recorder has the scripts that make such logs.
//
// The pictures are the UCI optical recognition of handwritten digits, CC BY 4.0: Alpaydin E and Kaynak C
// (1998), https://doi.org/10.24432/C50P49. The logs hold losses and products of gradients, no picture.
package digits

import (
	"bytes"
	"embed"
	"fmt"

	"paretoplay/algo/runlog"
)

// Files are the logs, digits-NAME.npz for each of Names.
//
//go:embed *.npz
var Files embed.FS

// Names are the names of the logs: the left and the right one of two digits; eight yes-or-no questions
// about two digits; three regressions in units of their own.
var Names = []string{"two", "eight", "units"}

// File returns the name of a log's file.
func File(name string) string { return "digits-" + name + ".npz" }

// Read reads the log of that name.
func Read(name string) (*runlog.Log, error) {
	data, err := Files.ReadFile(File(name))
	if err != nil {
		return nil, fmt.Errorf("digits: there is no log %q; there are %v", name, Names)
	}
	return runlog.ReadAt(bytes.NewReader(data), int64(len(data)), runlog.NativeBytes)
}
