package embed

import "math/bits"

// stream is a sequence of random numbers determined by its seed. Each task or sample has its own
// stream in each epoch, whichever worker processes it (SplitMix64: Steele, Lea, Flood 2014).
type stream uint64

func newStream(seed uint64, epoch, sample int) stream {
	return stream(mix(mix(seed^0x5851f42d4c957f2d+uint64(epoch)*0xd1342543de82ef95) + uint64(sample)))
}

func mix(z uint64) uint64 {
	z ^= z >> 30
	z *= 0xbf58476d1ce4e5b9
	z ^= z >> 27
	z *= 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return mix(uint64(*s))
}

// index returns a random integer below n.
func (s *stream) index(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// share returns a random number in [0, 1).
func (s *stream) share() float64 { return float64(s.next()>>11) / (1 << 53) }
