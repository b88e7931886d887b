package data

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCompareNames(t *testing.T) {
	want := []string{"", "0", "00", "01", "1", "2", "9 a", "10", "10a", "10b2", "10b10", "99999999999999999999998", "99999999999999999999999", "100000000000000000000000",
		"A10", "a", "a 1", "a01", "a1", "a1b", "a01c", "a2", "a10", "category", "category 1", "category 2", "category 10", "category 10, second", "é2", "é10"}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		got := slices.Clone(want)
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, CompareNames)
		if !slices.Equal(got, want) {
			t.Fatalf("sorted are %q", got)
		}
	}
	// The order is consistent whatever leading zeros numbers have.
	for _, three := range [][3]string{{"a01bc", "a1b", "a1bb"}, {"a01", "a1b", "a1"}} {
		less := 0
		for k, a := range three {
			if CompareNames(a, three[(k+1)%3]) < 0 {
				less++
			}
		}
		if less == 0 || less == 3 {
			t.Errorf("%q have no order", three)
		}
	}
	const letters = "01ab"
	text := func() string {
		b := make([]byte, rng.IntN(7))
		for k := range b {
			b[k] = letters[rng.IntN(len(letters))]
		}
		return string(b)
	}
	for range 1_000_000 {
		a, b, c := text(), text(), text()
		if ab, ba := CompareNames(a, b), CompareNames(b, a); ab > 0 != (ba < 0) || ab == 0 != (a == b) {
			t.Fatalf("%q and %q: %d and %d", a, b, ab, ba)
		}
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 && CompareNames(a, c) >= 0 {
			t.Fatalf("%q, %q, %q", a, b, c)
		}
	}
	if n := testing.AllocsPerRun(100, func() { CompareNames("category 2 of 10", "category 10 of 10") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
