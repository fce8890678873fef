// Package digits contains the logs of three PyTorch training runs on scikit-learn's handwritten digits, with two,
// eight and three losses. They serve as examples of what package runlog reads and computes. docs/recorder contains
// the scripts that produce such logs.
//
// The pictures are the UCI optical recognition of handwritten digits, CC BY 4.0: Alpaydin E and Kaynak C (1998),
// https://doi.org/10.24432/C50P49. The logs contain losses and products of gradients, but no pictures.
package digits

import (
	"bytes"
	"embed"
	"fmt"

	"paretoplay/algo/runlog"
)

// Files contains the logs: digits-NAME.npz for each of Names.
//
//go:embed *.npz
var Files embed.FS

// Names lists the names of the logs. The network of "two" predicts the left and the right of two digits. The network
// of "eight" answers eight yes-or-no questions about two digits. "units" has three regressions with different units.
var Names = []string{"two", "eight", "units"}

// File returns the file name of the log with the given name.
func File(name string) string { return "digits-" + name + ".npz" }

// Read returns the log with the given name, which must be one of Names.
func Read(name string) (*runlog.Log, error) {
	data, err := Files.ReadFile(File(name))
	if err != nil {
		return nil, fmt.Errorf("digits: unknown log %q; available: %v", name, Names)
	}
	return runlog.ReadAt(bytes.NewReader(data), int64(len(data)), runlog.NativeBytes)
}
