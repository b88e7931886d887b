package distance

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every loop gives the sum by its definition, for rows of all lengths and lists of
// all lengths, in both orders of a pair, and writes nothing beside its output.
func TestLoopsAreTheirDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fill := func(x Rows, d int) {
		for i := range x.N {
			for j := range d {
				x.Row(i)[j] = float32(rng.NormFloat64())
			}
		}
	}
	for _, d := range []int{0, 1, 7, 8, 9, 16, 17, 24, 50, 128} {
		x := NewRows(30, d)
		fill(x, d)
		for count := range 14 {
			index := make([]int32, count)
			for a := range index {
				index[a] = rng.Int32N(30)
			}
			for name, loops := range map[string][2]func([]float32, []int32, []float32){
				"chosen": {x.Squares, x.Dots}, "plain Go": {x.squaresGo, x.dotsGo},
			} {
				q := int(rng.Int32N(30))
				got := [2][]float32{make([]float32, count+3), make([]float32, count+3)}
				for o, loop := range loops {
					for a := range got[o] {
						got[o][a] = -7
					}
					loop(x.Row(q), index, got[o])
				}
				for a, i := range index {
					square, dot := 0.0, 0.0
					for j, v := range x.Row(q) {
						w := x.Row(int(i))[j]
						square += (float64(v) - float64(w)) * (float64(v) - float64(w))
						dot += float64(v) * float64(w)
					}
					for o, want := range []float64{square, dot} {
						if math.Abs(float64(got[o][a])-want) > 1e-5*(1+square+math.Abs(want)) {
							t.Fatalf("%s, %d numbers, %d of %d rows: %v, want %v", name, d, a, count, got[o][a], want)
						}
						var back [1]float32
						loops[o](x.Row(int(i)), []int32{int32(q)}, back[:])
						if back[0] != got[o][a] {
							t.Fatalf("%s, %d numbers: %v one way, %v the other", name, d, got[o][a], back[0])
						}
					}
				}
				for o := range got {
					for a := count; a < count+3; a++ {
						if got[o][a] != -7 {
							t.Fatalf("%s writes beyond %d rows", name, count)
						}
					}
				}
			}
		}
	}
}

func BenchmarkSquares(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := NewRows(200, 128)
	for a := range x.Data {
		x.Data[a] = rng.Float32()
	}
	index, out := make([]int32, 64), make([]float32, 64)
	for a := range index {
		index[a] = rng.Int32N(200)
	}
	for b.Loop() {
		x.Squares(x.Row(0), index, out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/pair")
}

// The norms other than the squared Euclidean give the number by their definition, for rows
// of all lengths and lists of all lengths, and write nothing beside their output.
func TestNormsAreTheirDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, d := range []int{0, 1, 7, 8, 9, 24, 63, 64, 65, 200} {
		for norm := Sum; norm <= Overlap; norm++ {
			x := NewRows(30, d)
			x.Norm = norm
			for i := range x.N {
				for j := range d {
					x.Row(i)[j] = float32(rng.IntN(7) - 3)
				}
			}
			x.Pack()
			loops := map[string]func([]float32, []int32, []float32){"chosen": x.Squares}
			if norm != Overlap {
				loops["plain Go"] = x.normsGo
			}
			for count := range 10 {
				index := make([]int32, count)
				for a := range index {
					index[a] = rng.Int32N(30)
				}
				q := x.Row(rng.IntN(30))
				for name, loop := range loops {
					got := make([]float32, count+1)
					got[count] = -7
					loop(q, index, got)
					for a, i := range index {
						sum, most, differ, both, either := 0.0, 0.0, 0, 0, 0
						for j, v := range q {
							w := x.Row(int(i))[j]
							sum += math.Abs(float64(v - w))
							most = max(most, math.Abs(float64(v-w)))
							if v != w {
								differ++
							}
							if v != 0 || w != 0 {
								either++
							}
							if v != 0 && w != 0 {
								both++
							}
						}
						apart := 0.0
						if either > 0 {
							apart = 1 - float64(both)/float64(either)
						}
						want := []float64{0, sum, most, float64(differ), apart}[norm]
						if math.Abs(float64(got[a])-want) > 1e-6 {
							t.Fatalf("norm %d, %s, %d numbers: %v, want %v", norm, name, d, got[a], want)
						}
					}
					if got[count] != -7 {
						t.Fatalf("norm %d, %s: writes beyond %d rows", norm, name, count)
					}
				}
			}
		}
	}
}
