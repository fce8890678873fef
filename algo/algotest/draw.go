package algotest

// Draw returns element k, in [0, 1), of the sequence with the given seed: SplitMix64 (Steele, Lea & Flood 2014).
// Programs in other languages can produce the same numbers in one or two lines, so that benchmarks in several languages
// can use the same input.
func Draw(seed, k int) float64 {
	z := uint64(seed)<<32 + uint64(k+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) * 0x1p-53
}
