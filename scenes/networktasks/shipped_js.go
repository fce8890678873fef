package networktasks

import model "paretoplay/algo/problem/network"

// shipped returns nil, because the page fetches the pictures when they are needed.
func shipped() (*model.Digits, error) { return nil, nil }
