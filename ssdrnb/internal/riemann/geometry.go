// Package riemann learns the semi-Riemannian metric of samples for S3RMM (Zhang, Lin, Tang 2011).
// Numbers of equations, tables and sections refer to this paper.
package riemann

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Geometry holds the graph, affinities and distances from which the metric is learned.
type Geometry struct {
	Distance  *mat.SymDense // n×n distances d_ji; both triangles are filled
	Affinity  *sparse.CSR   // affinities A of the neighbourhood graph
	Laplacian *sparse.CSR   // Laplacian L_A of A
	Floor     float64       // largest distance at which samples count as duplicates
	perUnit   float64       // 1/unit for the unit of Square
}

// NewGeometry returns the geometry of samples with the given distances (n×n, with both triangles
// filled) and affinities.
func NewGeometry(distance *mat.SymDense, affinity *sparse.CSR) *Geometry {
	typical := MeanPositive(distance)
	_, exponent := math.Frexp(typical)
	return &Geometry{Distance: distance, Affinity: affinity, Laplacian: graph.Laplacian(affinity), Floor: SameSpot * typical, perUnit: math.Ldexp(1, -exponent)}
}

// Square returns d² in units of a typical distance. Tensors are products of up to four distances,
// which could overflow or underflow in other units. The unit is a power of 2, so that tensors do
// not depend on it.
func (g *Geometry) Square(d float64) float64 {
	d *= g.perUnit
	return d * d
}

// Row returns the distances from all samples to sample i.
func (g *Geometry) Row(i int) []float64 {
	raw := g.Distance.RawSymmetric()
	return raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
}

// SameSpot is the largest distance, relative to a typical distance, at which two samples count as
// duplicates.
const SameSpot = 1e-9

// Straight returns the n×n Euclidean distances between the rows of x. Both triangles are filled.
func Straight(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	d := make([]float64, n*n)
	par.Blocks(n, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := x.RawRowView(i)
			for k := range n {
				d[i*n+k] = math.Sqrt(samples.SquaredDistance(a, x.RawRowView(k)))
			}
		}
	})
	return mat.NewSymDense(n, d)
}

// MeanPositive returns the mean of the positive entries of d, or 0 if there are none.
func MeanPositive(d *mat.SymDense) float64 {
	sum, count := 0.0, 0
	raw := d.RawSymmetric()
	for i := range raw.N {
		for _, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			if v > 0 {
				sum, count = sum+v, count+1
			}
		}
	}
	return sum / float64(max(count, 1))
}
