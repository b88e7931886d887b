package metrics

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestProcrustes(t *testing.T) {
	square := mat.NewDense(4, 2, []float64{1, 1, 1, -1, -1, 1, -1, -1})
	line := mat.NewDense(4, 2, []float64{1, 0, 1, 0, -1, 0, -1, 0})
	moved := mat.NewDense(4, 2, nil) // rotated by a right angle, reflected, and scaled by 1e100
	for i := range 4 {
		moved.SetRow(i, []float64{1e100 * (7 + square.At(i, 1)), 1e100 * (square.At(i, 0) - 3)})
	}
	for name, c := range map[string]struct {
		a, b *mat.Dense
		want float64
	}{"itself": {square, square, 0}, "moved": {square, moved, 0}, "flattened": {square, line, 0.5}, "the other way": {line, square, 0.5}} {
		if got, err := Procrustes(c.a, c.b); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := mat.NewDense(500, 2, nil), mat.NewDense(500, 2, nil)
	for k := range a.RawMatrix().Data {
		a.RawMatrix().Data[k], b.RawMatrix().Data[k] = rng.NormFloat64(), rng.NormFloat64()
	}
	if got, err := Procrustes(a, b); err != nil || got < 0.95 {
		t.Errorf("unrelated: %v, %v", got, err)
	}
	for name, bad := range map[string]*mat.Dense{"equal": mat.NewDense(4, 2, nil), "not finite": mat.NewDense(4, 2, []float64{1, 2, math.NaN(), 0, 1, 1, 1, 1}), "short": mat.NewDense(3, 2, nil), "none": nil} {
		if v, err := Procrustes(square, bad); err == nil {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func TestNeighborhoodHit(t *testing.T) {
	y := mat.NewDense(6, 1, []float64{0, 1, 3, 100, 101, 103})
	mean, each, err := NeighborhoodHit(t.Context(), y, []int{0, 0, 1, 2, -1, 2}, 1)
	// Sample 4 is not counted: 3 and 5 are each other's nearest.
	if want := []float64{1, 1, 0, 1, math.NaN(), 1}; err != nil || mean != 0.8 || !slices.EqualFunc(each, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
		t.Errorf("%v, %v, %v", mean, each, err)
	}
	for name, c := range map[string]struct {
		classes []int
		k       int
		want    error
	}{"few classes": {[]int{0}, 1, ErrShape}, "k of 0": {make([]int, 6), 0, ErrOption}, "k of n": {make([]int, 6), 6, ErrOption}} {
		if _, _, err := NeighborhoodHit(t.Context(), y, c.classes, c.k); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Planted islands are found in at least 95 of 100 embeddings, and one island in uniform noise.
func TestIslands(t *testing.T) {
	found, whole := 0, 0
	for run := range uint64(100) {
		rng := rand.New(rand.NewPCG(run, 5))
		five, noise := mat.NewDense(300, 2, nil), mat.NewDense(300, 2, nil)
		for i := range 300 {
			angle := 2 * math.Pi * float64(i%5) / 5
			five.SetRow(i, []float64{10*math.Cos(angle) + rng.NormFloat64(), 10*math.Sin(angle) + rng.NormFloat64()})
			noise.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		}
		island, count, err := Islands(t.Context(), five, 10)
		if err != nil {
			t.Fatal(err)
		}
		right := count == 5
		for i, k := range island {
			right = right && (k < 0 || k == island[i%5] || island[i%5] < 0)
		}
		if right {
			found++
		}
		if _, count, err = Islands(t.Context(), noise, 10); err != nil {
			t.Fatal(err)
		} else if count == 1 {
			whole++
		}
	}
	if found < 95 || whole < 95 {
		t.Errorf("%d of 100 embeddings show their five islands, and %d of noise a single one", found, whole)
	}
	// Eight samples in a row, and ten far from them: the larger island is the first.
	line := mat.NewDense(18, 1, nil)
	for i := range 18 {
		line.Set(i, 0, float64(i+1000*(i/8)-1000*(i/16)))
	}
	for least, want := range map[int][2]int{8: {1, 0}, 9: {-1, 0}} {
		island, _, err := Islands(t.Context(), line, least)
		if err != nil || island[0] != want[0] || island[7] != want[0] || island[8] != want[1] || island[17] != want[1] {
			t.Errorf("at least %d: %v, %v", least, island, err)
		}
	}
	if _, _, err := Islands(t.Context(), mat.NewDense(2, 1, nil), 1); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
}
