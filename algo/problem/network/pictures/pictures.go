// Package pictures embeds the digits that package network trains on, for programs other than the page. The
// page loads them on demand.
package pictures

import (
	"bytes"
	_ "embed"

	"paretoplay/algo/problem/network"
)

// File is the name of the file in the page's directory of logs and pictures.
const File = "digits.gz"

// Packed is the file.
//
//go:embed digits.gz
var Packed []byte

// Read reads the digits.
func Read() (*network.Digits, error) { return network.ReadDigits(bytes.NewReader(Packed)) }
