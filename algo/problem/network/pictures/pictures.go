// Package pictures holds the digits that package network trains on, for programs that are not the page, which
// fetches them when they are asked for.
package pictures

import (
	"bytes"
	_ "embed"

	"paretoplay/algo/problem/network"
)

// File is the name of the file in the page, below its directory of logs and pictures.
const File = "digits.gz"

// Packed is the file.
//
//go:embed digits.gz
var Packed []byte

// Read reads the digits.
func Read() (*network.Digits, error) { return network.ReadDigits(bytes.NewReader(Packed)) }
