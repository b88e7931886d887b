package distance

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every loop agrees with the sum by its definition, for rows and lists of all lengths and both
// orders of a pair, and writes only its output.
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

// Norms other than the squared Euclidean agree with their definitions, for rows and lists of all
// lengths, and write only their output. The same holds for sets, whose comparison of two distances
// is exact.
func TestNormsAreTheirDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 30
	for _, d := range []int{0, 1, 7, 8, 9, 24, 63, 64, 65, 200} {
		for norm := Sum; norm <= Overlap; norm++ {
			x, sets, values := NewRows(n, d), NewSets(n, d, norm), 7
			x.Norm = norm
			if norm == Overlap {
				values = 2
			}
			for i := range n {
				for j := range d {
					x.Row(i)[j] = float32(rng.IntN(values) - values/2)
					if x.Row(i)[j] != 0 && values == 2 {
						sets.Put(i, j)
					}
				}
			}
			value := func(p, q int32) float64 {
				sum, most, differ, both, either := 0.0, 0.0, 0, 0, 0
				for j, v := range x.Row(int(p)) {
					w := x.Row(int(q))[j]
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
				return []float64{0, sum, most, float64(differ), apart}[norm]
			}
			loops := map[string]func(int32, []int32, []float32){
				"chosen": x.Compare, "plain Go": func(q int32, index []int32, out []float32) { x.normsGo(x.Row(int(q)), index, out) },
			}
			if norm == Overlap {
				loops = map[string]func(int32, []int32, []float32){"sets": sets.Compare}
			}
			for count := range 10 {
				index := make([]int32, count)
				for a := range index {
					index[a] = rng.Int32N(n)
				}
				q := rng.Int32N(n)
				for name, loop := range loops {
					got := make([]float32, count+1)
					got[count] = -7
					loop(q, index, got)
					for a, i := range index {
						if want := value(q, i); math.Abs(float64(got[a])-want) > 1e-6 {
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

// The distance of sets is the number of differing entries of their rows, whichever value counts as
// set. Between compares two distances exactly, for sets and for rows in the Euclidean metric.
func TestSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const n = 20
	for _, d := range []int{1, 63, 64, 65, 200} {
		x := NewRows(n, d)
		both := map[Norm]Sets{Differ: NewSets(n, d, Differ), Overlap: NewSets(n, d, Overlap)}
		for i := range n {
			for j := range d {
				if rng.IntN(3) == 0 {
					x.Row(i)[j] = 1
					both[Differ].Put(i, j)
					both[Overlap].Put(i, j)
				}
			}
		}
		x.Norm = Differ
		out, rows := make([]float32, n), make([]float32, n)
		index := make([]int32, n)
		for a := range index {
			index[a] = int32(a)
		}
		for i := range int32(n) {
			x.Compare(i, index, rows)
			for norm, sets := range both {
				sets.Compare(i, index, out)
				for j := range int32(n) {
					if float32(sets.Value(i, j)) != out[j] || sets.Value(i, j) != sets.Value(j, i) || norm == Differ && out[j] != rows[j] {
						t.Fatalf("norm %d, %d places: %v and %v, rows have %v", norm, d, out[j], sets.Value(i, j), rows[j])
					}
				}
				p, q := rng.Int32N(n), rng.Int32N(n)
				half := sets.Between(p, q, index, out)
				for j := range int32(n) {
					if near := sets.Value(j, p) < sets.Value(j, q); near != (out[j] > half) {
						t.Fatalf("norm %d, %d places: %v from one and %v from the other, and Between gives %v", norm, d, sets.Value(j, p), sets.Value(j, q), out[j])
					}
				}
			}
			p, q := rng.Int32N(n), rng.Int32N(n)
			half := x.Between(p, q, index, out)
			for j := range int32(n) { // binary rows: the number of differences
				if a, b := both[Differ].Value(j, p), both[Differ].Value(j, q); a < b != (out[j] > half) {
					t.Fatalf("%d numbers: %v from one and %v from the other, and Between gives %v, half %v", d, a, b, out[j], half)
				}
			}
		}
	}
}
