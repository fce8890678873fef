// Package pictures embeds the digits that package network uses, for programs other than the page. The page loads the
// digits on demand.
package pictures

import (
	"bytes"
	_ "embed"

	"paretoplay/algo/problem/network"
)

// File is the name of the digits' file in the page's directory of logs and pictures.
const File = "digits.gz"

// Packed is the content of the file.
//
//go:embed digits.gz
var Packed []byte

// Read returns the embedded digits.
func Read() (*network.Digits, error) { return network.ReadDigits(bytes.NewReader(Packed)) }
