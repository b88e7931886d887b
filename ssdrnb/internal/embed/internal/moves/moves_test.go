package moves

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// example returns edges and positions of n samples, some of which are held and some coincide with
// others.
func example(n, d, count int, rng *rand.Rand) (*Forces, *Batch, []float32, []bool, Random) {
	a, power := 0.2+2*rng.Float64(), 0.4+1.2*rng.Float64()
	f := &Forces{Rate: 0.7, Negatives: 1 + rng.IntN(7),
		Pull: NewTable(func(s float64) float64 { return -2 * a * power * math.Pow(s, power-1) / (1 + a*math.Pow(s, power)) }),
		Push: NewTable(func(s float64) float64 { return 2 * power / ((1e-3 + s) * (1 + a*math.Pow(s, power))) })}
	batch := &Batch{Count: count}
	for k := range batch.Heads {
		batch.Heads[k], batch.Tails[k] = int32(rng.IntN(n)), int32(rng.IntN(n))
	}
	at, held := make([]float32, n*d), make([]bool, n)
	for i := range n {
		far := math.Exp(6 * rng.NormFloat64())
		for c := range d {
			at[i*d+c] = float32(far * rng.NormFloat64())
		}
		if rng.IntN(4) == 0 {
			copy(at[i*d:][:d], at[:d])
		}
		held[i] = rng.IntN(9) == 0
	}
	var r Random
	for l := range r {
		r[l] = rng.Uint32()
	}
	return f, batch, at, held, r
}

// All loops agree to the last digit.
func TestMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, 40, 3000} {
		for count := range Size + 1 {
			f, b, rest, held, r := example(n, 2, count, rng)
			want, random := slices.Clone(rest), r
			moveAny(f, b, want, rest, 2, held, &random)
			for name, move := range map[string]func(*Forces, *Batch, []float32, []float32, []bool, *Random){
				"Move": func(f *Forces, b *Batch, at, rest []float32, held []bool, r *Random) {
					Move(f, b, at, rest, 2, held, r)
				},
				"movePlane": movePlane,
			} {
				at, r := slices.Clone(rest), r
				move(f, b, at, rest, held, &r)
				for i := range at {
					if at[i] != want[i] {
						t.Fatalf("%s: %d samples, %d edges: coordinate %d moves from %v to %v, want %v", name, n, count, i, rest[i], at[i], want[i])
					}
				}
				if count > 0 && r != random {
					t.Fatalf("%s: %d edges: the state of the random numbers is %v, want %v", name, count, r, random)
				}
			}
		}
	}
}

// An edge pulls both ends together along their difference, and pushes its head away from other
// samples; held samples do not move.
func TestDirections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range []int{1, 2, 3, 5} {
		f, b, rest, held, r := example(3, d, 1, rng)
		b.Heads[0], b.Tails[0] = 0, 1
		copy(rest, make([]float32, 3*d))
		clear(held)
		rest[0], rest[d], rest[2*d] = 0, 1, -1
		f.Negatives = 1
		at := slices.Clone(rest)
		pull := -f.Rate * f.Pull.Of(1)
		Move(f, b, at, rest, d, held, &r)
		if got := rest[d] - at[d]; !(math.Abs(float64(got-pull)) < 1e-6) {
			t.Errorf("d = %d: the tail moves by %g, not %g", d, got, pull)
		}
		held[0], held[1] = true, true
		at = slices.Clone(rest)
		Move(f, b, at, rest, d, held, &r)
		if !slices.Equal(at, rest) {
			t.Errorf("d = %d: samples that are held move", d)
		}
	}
}

// A table agrees with its function, from 2⁻⁴⁰ to 2⁴⁰.
func TestTable(t *testing.T) {
	for _, power := range []float64{-1, -0.3, 0.5, 0.9} {
		table := NewTable(func(s float64) float64 { return math.Pow(s, power) })
		for s := 1e-12; s < 1e12; s *= 1.0137 {
			at := float32(s)
			want := math.Pow(float64(at), power)
			if got := float64(table.Of(at)); !(math.Abs(got-want) < 2e-4*want) {
				t.Fatalf("%g to the power of %g is %g, not %g", at, power, got, want)
			}
		}
		for _, far := range []float32{0, 1e-30, 1e30, float32(math.Inf(1))} {
			if v := float64(table.Of(far)); !(v > 0) || math.IsInf(v, 0) {
				t.Errorf("%g at %g", v, far)
			}
		}
	}
}

// Samples are drawn uniformly.
func TestDrawn(t *testing.T) {
	const n, draws = 10, 200_000
	var count [n]int
	state := uint32(12345)
	for range draws {
		state += step
		count[uint64(scrambled(state))*n>>32]++
	}
	sum := 0.0
	for _, c := range count {
		sum += math.Pow(float64(c)-draws/n, 2) / (draws / n)
	}
	if sum > 30 { // χ² with 9 degrees of freedom exceeds 30 with probability 0.0004
		t.Errorf("χ² is %g: %v", sum, count)
	}
}

func BenchmarkMove(b *testing.B) {
	const n = 70_000
	rng := rand.New(rand.NewPCG(1, 2))
	f, batch, at, held, r := example(n, 2, Size, rng)
	f.Negatives = 5
	for i := range at {
		at[i] = float32(10 * rng.NormFloat64())
	}
	rest := slices.Clone(at)
	for name, move := range map[string]func(){
		"fast":  func() { Move(f, batch, at, rest, 2, held, &r) },
		"plane": func() { movePlane(f, batch, at, rest, held, &r) },
		"any":   func() { moveAny(f, batch, at, rest, 2, held, &r) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				move()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(Size*6), "ns/move")
		})
	}
}
