package algo

import "math/rand/v2"

// Purpose separates the uses of randomness, so that a change to one use does not affect the others.
type Purpose uint64

const (
	StartPoints  Purpose = iota + 1
	StaticWeight         // random fixed weights of linear scalarization
	Noise
	Shuffle
	Dirichlet
	Data
	Decision // random draws of a weighting, such as RLW's weights
	Sign     // draws of a self-balancing walk
	Record   // independent batch in the log of a run
)

// Stream returns the random number generator for the given seed, start (or run), iteration and purpose. The same
// arguments always give the same generator, so methods do not affect each other's numbers.
func Stream(seed uint64, start, iteration int, p Purpose) rand.PCG {
	hi := mix(seed ^ mix(uint64(p)))
	lo := mix(uint64(int64(start))*0x9e3779b97f4a7c15 ^ mix(uint64(int64(iteration))+hi))
	return *rand.NewPCG(hi, lo)
}

// mix applies the finalizer of SplitMix64 (Steele, Lea & Flood 2014), which spreads neighbouring keys over all 64
// bits.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
