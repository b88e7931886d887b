package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Null is a subspace that a solver excludes, usually the known null space of an operator. The
// solver works on the orthogonal complement. [ShiftInvert], which [Auto] may choose, needs an
// operator that maps this complement to itself.
type Null interface {
	// Rank is the dimension of the subspace.
	Rank() int
	// Project subtracts from every column of x its projection onto the subspace.
	Project(x *mat.Dense)
	// Vectors returns columns lo to hi−1 of an orthonormal basis.
	Vectors(lo, hi int) *mat.Dense
}

// Constant returns the span of the constant vector of length n.
func Constant(n int) Null {
	return &components{component: make([]int, n), vector: constant(n), norm: []float64{math.Sqrt(float64(n))}}
}

func constant(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Components returns the span of the restrictions of a vector to the components of a graph. The
// slice `of` holds the component of each sample, from 0 to count−1. A vector of ones gives the null
// space of the graph's Laplacian; the square roots of the degrees give the null space of the
// normalised Laplacian. A nil vector stands for ones. The first basis vector is the whole vector.
// The error wraps [ErrOption] if a restriction is 0 or the sizes do not match.
func Components(count int, of []int, vector []float64) (Null, error) {
	if vector == nil {
		vector = constant(len(of))
	}
	if len(vector) != len(of) || count < 1 {
		return nil, fmt.Errorf("%w: %s, %s and a vector of length %d are given; give at least one component, and a vector with one entry per sample", ErrOption, nouns.Count(count, "component"), nouns.Count(len(of), "sample"), len(vector))
	}
	c := &components{component: of, vector: vector, norm: make([]float64, count)}
	for i, k := range of {
		if k < 0 || k >= count {
			return nil, fmt.Errorf("%w: sample %d is in component %d, but components are numbered from 0 to %d", ErrOption, i, k, count-1)
		}
		c.norm[k] = math.Hypot(c.norm[k], vector[i])
	}
	for k, v := range c.norm {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: the norm of the vector is %v on component %d, but must be positive and finite", ErrOption, v, k)
		}
	}
	return c, nil
}

// components is the subspace of [Components]. It takes O(n) memory for any number of components.
type components struct {
	component []int
	vector    []float64
	norm      []float64 // norm of the restriction of the vector to each component
}

func (c *components) Rank() int { return len(c.norm) }

func (c *components) Project(x *mat.Dense) {
	raw := x.RawMatrix()
	b, count := raw.Cols, len(c.norm)
	// Sums of fixed blocks of rows are added in order, so that the result is bitwise equal for any
	// number of processors. With many components, all rows form one block, which saves memory.
	block := max(rowBlock, raw.Rows)
	if count <= 16 {
		block = rowBlock
	}
	blocks := (raw.Rows + block - 1) / block
	parts := make([]float64, blocks*count*b)
	par.Blocks(raw.Rows, block, func(lo, hi int) {
		sums := parts[lo/block*count*b:][:count*b]
		for i := lo; i < hi; i++ {
			v, to := c.vector[i], sums[c.component[i]*b:][:b]
			for e, f := range raw.Data[i*raw.Stride:][:b] {
				to[e] += v * f
			}
		}
	})
	sums := parts[:count*b]
	for k := 1; k < blocks; k++ {
		for e, v := range parts[k*count*b:][:count*b] {
			sums[e] += v
		}
	}
	for k, norm := range c.norm {
		for e := range b {
			sums[k*b+e] = sums[k*b+e] / norm / norm
		}
	}
	par.Blocks(raw.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v, from := c.vector[i], sums[c.component[i]*b:][:b]
			to := raw.Data[i*raw.Stride:][:b]
			for e, f := range from {
				to[e] -= v * f
			}
		}
	})
}

// Vectors returns columns lo to hi−1 of an orthonormal basis: first the whole vector, normalised,
// then a vector for each component k ≥ 1. This vector is a positive multiple of the whole vector on
// the components before k, a negative multiple on component k, and 0 elsewhere.
func (c *components) Vectors(lo, hi int) *mat.Dense {
	v := mat.NewDense(len(c.component), hi-lo, nil)
	before := make([]float64, len(c.norm)) // before[k] is the squared norm of the vector on components 0 to k
	total := 0.0
	for k, norm := range c.norm {
		total += norm * norm
		before[k] = total
	}
	for i, k := range c.component {
		for j := lo; j < hi; j++ {
			switch {
			case j == 0:
				v.Set(i, 0-lo, c.vector[i]/math.Sqrt(total))
			case k < j: // sample i is in a component before j
				v.Set(i, j-lo, c.vector[i]/before[j-1]*weigh(before[j-1], c.norm[j]))
			case k == j:
				v.Set(i, j-lo, -c.vector[i]/(c.norm[j]*c.norm[j])*weigh(before[j-1], c.norm[j]))
			}
		}
	}
	return v
}

// weigh returns the factor that normalises a vector that equals x/s on one part of the samples and
// −x/q² on another. s and q² are the squared norms of x on the two parts.
func weigh(s, q float64) float64 { return 1 / math.Sqrt(1/s+1/(q*q)) }

// SpanOf returns the column space of an n×r matrix with independent columns. Two passes of Cholesky
// factorisation of the Gram matrix orthonormalise its basis from left to right, so that the first
// column keeps its direction. v is not changed.
//
// Errors wrap [ErrSingular] if the columns are linearly dependent to within 1e-7.
func SpanOf(v *mat.Dense) (Null, error) {
	v = mat.DenseCopyOf(v)
	_, r := v.Dims()
	for range 2 {
		g := dense.Symmetrized(tallProduct(v, v))
		scale := mat.NewDense(r, r, nil)
		for k := range r {
			scale.Set(k, k, 1/math.Sqrt(g.At(k, k)))
		}
		var chol mat.Cholesky
		if !chol.Factorize(congruence(g, scale)) || chol.Cond() > 1e14 {
			return nil, fmt.Errorf("%w: the %d columns are linearly dependent", ErrSingular, r)
		}
		var upper, back mat.TriDense
		chol.UTo(&upper)
		if err := back.InverseTri(&upper); err != nil {
			return nil, fmt.Errorf("%w: the %d columns are linearly dependent: %w", ErrSingular, r, err)
		}
		var turn mat.Dense
		turn.Mul(scale, &back)
		mulInPlace(v, &turn)
	}
	return span{v}, nil
}

// span is the column space of an n×r matrix with orthonormal columns.
type span struct{ v *mat.Dense }

func (s span) Rank() int { _, r := s.v.Dims(); return r }

func (s span) Project(x *mat.Dense) {
	addProduct(x, -1, s.v, tallProduct(s.v, x))
}

func (s span) Vectors(lo, hi int) *mat.Dense {
	n, _ := s.v.Dims()
	return mat.DenseCopyOf(s.v.Slice(0, n, lo, hi))
}

// joined is the sum of two mutually orthogonal subspaces.
type joined struct{ first, second Null }

func (j joined) Rank() int { return j.first.Rank() + j.second.Rank() }

func (j joined) Project(x *mat.Dense) {
	j.first.Project(x)
	j.second.Project(x)
}

func (j joined) Vectors(lo, hi int) *mat.Dense {
	r := j.first.Rank()
	switch {
	case hi <= r:
		return j.first.Vectors(lo, hi)
	case lo >= r:
		return j.second.Vectors(lo-r, hi-r)
	}
	return augmented(j.first.Vectors(lo, r), j.second.Vectors(0, hi-r))
}
