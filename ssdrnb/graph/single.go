package graph

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

const (
	// Above `wide` features, the search starts in the span of the first `leading` principal
	// components.
	wide    = 160
	leading = 64
	// learnerValues is the number of values from which the principal components are estimated.
	learnerValues = 1 << 21
)

// frame converts samples to single precision. It subtracts a centre, so that fewer digits are lost
// to rounding, and multiplies by a power of two, so that squares do not overflow.
type frame struct {
	norm   distance.Norm
	centre []float64
	unit   float64       // the power of two
	basis  distance.Rows // principal components as orthonormal rows; empty for few features
	unset  []float64     // for sets, the value of each feature that means "not set"; else nil
}

// newFrame returns the frame for m. Its centre is the median of each feature over some of the
// chosen samples, so that a few outliers do not move the centre. For Differ and Overlap, the centre
// is 0 and the power of two is 1.
func newFrame(m *measure, chosen []int32, rng *rand.Rand) *frame {
	_, d := m.x.Dims()
	f := &frame{norm: m.norm, centre: make([]float64, d), unit: 1}
	if !m.norm.Shifts() {
		f.unset = m.unset(chosen)
		return f
	}
	some := mat.NewDense(d, 63, nil)
	row := make([]float64, d)
	for c := range 63 {
		m.read(chosen[rng.IntN(len(chosen))], row)
		some.SetCol(c, row)
	}
	for j := range d {
		f.centre[j] = selectKth(some.RawRowView(j), 31)
	}
	const size = 1024
	most := make([]float64, (len(chosen)+size-1)/size)
	par.Blocks(len(chosen), size, func(lo, hi int) {
		row, top := make([]float64, d), 0.0
		for _, i := range chosen[lo:hi] {
			m.read(i, row)
			for j, v := range row {
				top = max(top, math.Abs(v-f.centre[j]))
			}
		}
		most[lo/size] = top
	})
	f.unit = samples.Unit(slices.Max(most))
	return f
}

// unscaled converts a value of the norm, computed in single precision, to the scale of the original
// samples.
func (f *frame) unscaled(key float64) float64 {
	switch f.norm {
	case distance.Square:
		return key / f.unit / f.unit
	case distance.Sum, distance.Most:
		return key / f.unit
	}
	return key
}

// read writes sample i of m to out in single precision. row is a buffer for the sample in double
// precision.
func (f *frame) read(m *measure, i int32, row []float64, out []float32) {
	m.read(i, row)
	for j, v := range row {
		out[j] = float32((v - f.centre[j]) * f.unit)
	}
}

// rows returns the chosen samples in single precision. It reuses the memory of `into`.
func (f *frame) rows(m *measure, chosen []int32, into distance.Rows) distance.Rows {
	d := len(f.centre)
	if into.Data == nil {
		into = distance.NewRows(len(chosen), d)
		into.Norm = f.norm
	}
	par.Blocks(len(chosen), 256, func(lo, hi int) {
		row := make([]float64, d)
		for a := lo; a < hi; a++ {
			f.read(m, chosen[a], row, into.Row(a))
		}
	})
	return into
}

// unset returns, for each feature, the value that counts as "not set" when samples are compared as
// sets. For Overlap this value is 0. For Differ it is the value of the first sample. unset returns
// nil if Differ cannot compare sets, because a feature has more than two values.
func (m *measure) unset(chosen []int32) []float64 {
	_, d := m.x.Dims()
	one := make([]float64, d)
	if m.norm == distance.Overlap {
		return one
	}
	copy(one, m.x.RawRowView(int(chosen[0])))
	other := slices.Clone(one)
	for _, i := range chosen {
		for j, v := range m.x.RawRowView(int(i)) {
			switch {
			case v == one[j] || v == other[j]:
			case one[j] == other[j]:
				other[j] = v
			default:
				return nil
			}
		}
	}
	return one
}

// samples returns the chosen samples as sets, or as rows in single precision that reuse the memory
// of `into`.
func (f *frame) samples(m *measure, chosen []int32, into compared) compared {
	if f.unset == nil {
		space, _ := into.(distance.Rows)
		return f.rows(m, chosen, space)
	}
	out := distance.NewSets(len(chosen), len(f.unset), f.norm)
	par.Blocks(len(chosen), 256, func(lo, hi int) {
		for a := lo; a < hi; a++ {
			for j, v := range m.x.RawRowView(int(chosen[a])) {
				if v != f.unset[j] {
					out.Put(a, j)
				}
			}
		}
	})
	return out
}

// components sets basis to the leading principal components of some samples, by subspace iteration.
// An approximate basis suffices.
func (f *frame) components(ctx context.Context, m *measure, chosen []int32, rng *rand.Rand) error {
	d := len(f.centre)
	count := min(max(256, learnerValues/d), len(chosen))
	a := mat.NewDense(count, d, nil)
	for r := range count {
		row := a.RawRowView(r)
		m.read(chosen[rng.IntN(len(chosen))], row)
		for j := range row {
			row[j] = (row[j] - f.centre[j]) * f.unit
		}
	}
	q := mat.NewDense(leading, d, nil) // one direction per row
	for c := range leading {
		for j := range d {
			q.Set(c, j, rng.NormFloat64())
		}
	}
	var z mat.Dense
	for range 3 {
		if err := ctx.Err(); err != nil {
			return err
		}
		z.Mul(q, a.T())
		q.Mul(&z, a)
		orthonormalize(q)
	}
	f.basis = distance.NewRows(leading, d)
	for c := range leading {
		for j := range d {
			f.basis.Row(c)[j] = float32(q.At(c, j))
		}
	}
	return nil
}

// orthonormalize orthonormalises the rows one after another. Rows that depend linearly on earlier
// rows become zero.
func orthonormalize(q *mat.Dense) {
	n, _ := q.Dims()
	for c := range n {
		row := q.RawRowView(c)
		before := floats.Norm(row, 2)
		for range 2 { // twice, because of rounding
			for b := range c {
				other := q.RawRowView(b)
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
		}
		norm := floats.Norm(row, 2)
		if norm <= 1e-10*before {
			clear(row)
			continue
		}
		floats.Scale(1/norm, row)
	}
}

// project returns the coordinates of the chosen samples in the basis.
func (f *frame) project(m *measure, chosen []int32) distance.Rows {
	d := len(f.centre)
	out := distance.NewRows(len(chosen), leading)
	every := make([]int32, leading)
	for c := range every {
		every[c] = int32(c)
	}
	par.Blocks(len(chosen), 256, func(lo, hi int) {
		row, single := make([]float64, d), make([]float32, f.basis.Stride)
		for a := lo; a < hi; a++ {
			f.read(m, chosen[a], row, single)
			f.basis.Dots(single, every, out.Row(a))
		}
	})
	return out
}

// twins lists the sets of equal samples. The members of set a are member[start[a]:start[a+1]],
// ordered by index.
type twins struct{ member, start []int32 }

func (t *twins) members(a int32) []int32 { return t.member[t.start[a]:t.start[a+1]] }

// findTwins returns the first sample of every set of equal samples, in order, and the sets. The
// sets are nil if no two samples are equal.
func findTwins(x *mat.Dense) (first []int32, t *twins) {
	n, _ := x.Dims()
	type hashed struct {
		hash  uint64
		index int32
	}
	all := make([]hashed, n)
	par.Blocks(n, 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			h := uint64(1)
			for _, v := range x.RawRowView(i) {
				// Adding 0 turns −0 into 0, so that both hash alike.
				h = (h ^ math.Float64bits(v+0)) * 0x9e3779b97f4a7c15
				h ^= h >> 29
			}
			all[i] = hashed{h, int32(i)}
		}
	})
	slices.SortFunc(all, func(a, b hashed) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.index, b.index))
	})
	of := make([]int32, n) // the first sample equal to each sample
	distinct := 0
	for lo, hi := 0, 0; lo < n; lo = hi {
		for hi = lo + 1; hi < n && all[hi].hash == all[lo].hash; hi++ {
		}
		var kinds []int32 // the first of each kind of equal samples; several kinds if hashes collide
		for _, h := range all[lo:hi] {
			row := x.RawRowView(int(h.index))
			at := slices.IndexFunc(kinds, func(i int32) bool { return slices.Equal(x.RawRowView(int(i)), row) })
			if at < 0 {
				at, kinds = len(kinds), append(kinds, h.index)
				distinct++
			}
			of[h.index] = kinds[at]
		}
	}
	first = make([]int32, 0, distinct)
	for i, o := range of {
		if int(o) == i {
			first = append(first, o)
		}
	}
	if distinct == n {
		return first, nil
	}
	t = &twins{member: make([]int32, n), start: make([]int32, distinct+1)}
	for a, i := range first {
		of[i] = int32(a)
	}
	for i := range of {
		// At this point, `of` maps a first sample to its set, and any other sample to the first
		// sample of its set.
		if a := of[i]; int(a) >= distinct || first[a] != int32(i) {
			of[i] = of[a]
		}
	}
	for _, a := range of {
		t.start[a+1]++
	}
	for a := range distinct {
		t.start[a+1] += t.start[a]
	}
	next := slices.Clone(t.start[:distinct])
	for i, a := range of {
		t.member[next[a]] = int32(i)
		next[a]++
	}
	return first, t
}
