package networktasks

import model "paretoplay/algo/problem/network"

// shipped returns nil: the page fetches the pictures when they are asked for.
func shipped() (*model.Digits, error) { return nil, nil }
