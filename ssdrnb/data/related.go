package data

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Data without features: samples given by their distances or neighbours.

// Nearest holds the given neighbours of n samples.
type Nearest struct {
	// K is the number of neighbours of each sample.
	K int
	// Index holds the neighbours of sample i in Index[i·K : (i+1)·K], nearest first; at
	// equal distance the lower index comes first.
	Index []int32
	// Distance holds the distances of the neighbours, in the order of Index.
	Distance []float64
}

// FromDistances returns data without features: n samples that are given by their pairwise distances
// x. Data.X of the result is nil. The matrix x is n×n, finite, not negative, and 0 on the diagonal.
// It is not copied.
//
// Methods based on neighbours or geodesics accept such data; other methods return an error. For
// each new sample, Transform takes a row of its n distances to these samples. Add labels with
// [Data.WithClasses].
func FromDistances(x *mat.SymDense) *Data {
	d := &Data{Name: "distances", Distances: x}
	if x == nil || x.IsEmpty() {
		return d.fail(advice.Errorf("give the distances of at least two samples", "%w: FromDistances of no samples", ErrEmpty))
	}
	d.err = d.Validate()
	return d
}

// FromNeighbors returns data without features: n samples that are given by their k nearest
// neighbours, as another program has found them. Samples are counted from 0. The neighbours of
// sample i are index[i·k : (i+1)·k]; distance holds their distances in the same order. Both are
// copied and sorted by distance. If the first neighbour of every sample is the sample itself at
// distance 0, as in umap-learn and pynndescent, it is removed, and a note records the removal.
//
// Methods based on neighbours or geodesics accept such data if their option Neighbors is at most k.
// For each new sample, Transform takes a row of its n distances to these samples. Add labels with
// [Data.WithClasses].
func FromNeighbors(k int, index []int32, distance []float64) *Data {
	d := &Data{Name: "neighbours"}
	switch {
	case k < 1:
		return d.fail(advice.Errorf("give at least one neighbour of each sample", "%w: FromNeighbors with k = %d", ErrOption, k))
	case len(index) == 0:
		return d.fail(advice.Errorf("give the neighbours of at least two samples", "%w: FromNeighbors of no samples", ErrEmpty))
	case len(index)%k != 0 || len(distance) != len(index):
		return d.fail(advice.Errorf("give k indices and k distances for each sample", "%w: FromNeighbors with %s and %s for k = %d", ErrShape, nouns.Number(len(index), "index", "indices"), nouns.Count(len(distance), "distance"), k))
	}
	nb := &Nearest{K: k, Index: slices.Clone(index), Distance: slices.Clone(distance)}
	if nb.beginsWithSelf() {
		if k == 1 {
			return d.fail(advice.Errorf("give neighbours other than the sample itself", "%w: FromNeighbors: the only neighbour of each sample is the sample itself", ErrOption))
		}
		nb = nb.withoutFirst()
		d = d.with("the first neighbour of each sample was the sample itself, and was left out")
	}
	d.Nearest = nb
	if d.err = d.Validate(); d.err == nil {
		nb.sort()
	}
	return d
}

// Len returns the number of samples.
func (nb *Nearest) Len() int { return len(nb.Index) / max(nb.K, 1) }

// Of returns the neighbours of sample i and their distances; read-only.
func (nb *Nearest) Of(i int) (index []int32, distance []float64) {
	return nb.Index[i*nb.K : (i+1)*nb.K], nb.Distance[i*nb.K : (i+1)*nb.K]
}

func (nb *Nearest) beginsWithSelf() bool {
	for i := range nb.Len() {
		if index, distance := nb.Of(i); int(index[0]) != i || distance[0] != 0 {
			return false
		}
	}
	return true
}

func (nb *Nearest) withoutFirst() *Nearest {
	out := &Nearest{K: nb.K - 1}
	for i := range nb.Len() {
		index, distance := nb.Of(i)
		out.Index, out.Distance = append(out.Index, index[1:]...), append(out.Distance, distance[1:]...)
	}
	return out
}

// sort sorts the neighbours of each sample by (distance, index).
func (nb *Nearest) sort() {
	type neighbor struct {
		index    int32
		distance float64
	}
	list := make([]neighbor, nb.K)
	for i := range nb.Len() {
		index, distance := nb.Of(i)
		for a := range list {
			list[a] = neighbor{index[a], distance[a]}
		}
		slices.SortFunc(list, func(a, b neighbor) int {
			return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.index, b.index))
		})
		for a, b := range list {
			index[a], distance[a] = b.index, b.distance
		}
	}
}

// check returns an error unless each sample has K distinct other samples as neighbours, at finite
// distances ≥ 0.
func (nb *Nearest) check() error {
	n := nb.Len()
	if nb.K < 1 || len(nb.Index) != n*nb.K || len(nb.Distance) != n*nb.K {
		return advice.Errorf("make the data with FromNeighbors", "%w: the neighbours have K = %d, %s and %s, but K must be at least 1, and each sample must have K indices and K distances", ErrShape, nb.K, nouns.Number(len(nb.Index), "index", "indices"), nouns.Count(len(nb.Distance), "distance"))
	}
	seen := make([]int, n) // seen[j] is 1 + the last sample with the neighbour j, or 0 if there is none yet
	for i := range n {
		index, distance := nb.Of(i)
		for a, j := range index {
			switch v := distance[a]; {
			case j < 0 || int(j) >= n:
				return advice.Errorf("count samples from 0, and replace -1, which some programs return instead of a neighbour", "%w: neighbour %d of sample %d is %d, but samples run from 0 to %d", ErrOption, a, i, j, n-1)
			case int(j) == i:
				return advice.Errorf("remove the sample itself, or list every sample as its own first neighbour, at distance 0", "%w: neighbour %d of sample %d is the sample itself", ErrOption, a, i)
			case seen[j] == i+1:
				return advice.Errorf("list each neighbour once", "%w: sample %d has the neighbour %d twice", ErrOption, i, j)
			case !(v >= 0) || math.IsInf(v, 1):
				return advice.Errorf("give finite distances that are not negative", "%w: the distance of neighbour %d of sample %d is %v", unmeasured(v), a, i, v)
			}
			seen[j] = i + 1
		}
	}
	return nil
}

// unmeasured returns the sentinel error for a distance that is negative or not finite.
func unmeasured(distance float64) error {
	if distance < 0 && !math.IsInf(distance, -1) {
		return ErrOption
	}
	return ErrNotFinite
}

// checkDistances returns an error unless the distances are finite, not negative and 0 on the
// diagonal.
func checkDistances(x *mat.SymDense) error {
	n := x.SymmetricDim()
	for i := range n {
		if v := x.At(i, i); v != 0 {
			return advice.Errorf("give distances, not similarities", "%w: the distance of sample %d from itself is %v, not 0", ErrOption, i, v)
		}
		for j := i + 1; j < n; j++ {
			if v := x.At(i, j); !(v >= 0) || math.IsInf(v, 1) {
				return advice.Errorf("give finite distances that are not negative", "%w: the distance of samples %d and %d is %v", unmeasured(v), i, j, v)
			}
		}
	}
	return nil
}

// Related reports whether the samples are given by distances or neighbours instead of
// features.
func (d *Data) Related() bool { return d != nil && (d.Distances != nil || d.Nearest != nil) }

// HasSamples reports whether the data have features, distances or neighbours. The data of a loaded
// model do not.
func (d *Data) HasSamples() bool {
	return d != nil && (d.X != nil || d.Related() || d.Rows != nil)
}

// WithClasses returns a copy whose labels and true classes are the given classes, one per row,
// [Unlabelled] where unknown. nil removes the labels and true classes.
func (d *Data) WithClasses(classes []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Labels, c.Truth, c.keep, c.share = slices.Clone(classes), slices.Clone(classes), 0, 0
	c.err = c.Validate()
	return c
}

// subsetDistances returns the distances between the given rows.
func subsetDistances(x *mat.SymDense, rows []int) *mat.SymDense {
	out := mat.NewSymDense(len(rows), nil)
	for a, i := range rows {
		for b := a; b < len(rows); b++ {
			out.SetSym(a, b, x.At(i, rows[b]))
		}
	}
	return out
}

// toTraining sets X of the test data to the distances from the test samples (rows b of d) to the
// training samples (rows a), because Transform takes these distances in place of features.
func (d *Data) toTraining(a, b []int, test *Data) {
	if d.Distances == nil || test.err != nil {
		return
	}
	test.Distances, test.X = nil, mat.NewDense(len(b), len(a), nil)
	for r, i := range b {
		for c, j := range a {
			test.X.Set(r, c, d.Distances.At(i, j))
		}
	}
}
