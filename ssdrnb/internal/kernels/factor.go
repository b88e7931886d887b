package kernels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Factor is the pivoted Cholesky factor of a kernel matrix.
type Factor struct {
	F      *mat.Dense // n×r, K ≈ F·Fᵀ for the kernel matrix K
	Pivots []int      // the r samples selected as pivots, in order of selection
	Total  float64    // trace of K
	Rest   float64    // share of the trace not reproduced: tr(K − F·Fᵀ)/tr K
}

// PivotTolerance is a relative tolerance. The factorisation ends when no diagonal entry of K − F·Fᵀ
// exceeds PivotTolerance times the largest diagonal entry of K. F then has the numerical rank of K.
const PivotTolerance = 1e-10

// Factorise returns F with K ≈ F·Fᵀ for the kernel matrix K of the centred samples x. The rank r of
// F is at most `most`. Each step selects the sample with the largest diagonal entry of K − F·Fᵀ
// (ties go to the first) and computes only its column of K. The rows of F at the pivots, in the
// order of Pivots, form a lower triangle. Factorise takes O(n·r²) time and O(n·r) memory and never
// forms K.
func Factorise(ctx context.Context, k Kernel, x *mat.Dense, most int) (*Factor, error) {
	n, _ := x.Dims()
	most = min(most, n)
	diag := make([]float64, n)
	total := 0.0
	for i := range diag {
		diag[i] = k.Pair(x.RawRowView(i), x.RawRowView(i))
		total += diag[i]
	}
	if math.IsInf(total, 0) || math.IsNaN(total) {
		return nil, fmt.Errorf("%w at scale %g", ErrOverflow, k.Scale)
	}
	floor := PivotTolerance * slices.Max(diag)
	out := &Factor{F: mat.NewDense(n, min(most, 64), nil)}
	for r := range most {
		p := 0
		for i, v := range diag {
			if v > diag[p] {
				p = i
			}
		}
		if !(diag[p] > floor) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, room := out.F.Dims(); r == room {
			wider := mat.NewDense(n, min(most, 2*room), nil)
			wider.Copy(out.F)
			out.F = wider
		}
		root, fp, xp := math.Sqrt(diag[p]), out.F.RawRowView(p)[:r], x.RawRowView(p)
		par.Blocks(n, 256, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if diag[i] == 0 && i != p { // row i of F is complete; i is usually a former pivot
					continue
				}
				row := out.F.RawRowView(i)
				if i == p {
					row[r], diag[i] = root, 0
					continue
				}
				row[r] = (k.Pair(x.RawRowView(i), xp) - floats.Dot(row[:r], fp)) / root
				diag[i] = max(diag[i]-row[r]*row[r], 0)
			}
		})
		out.Pivots = append(out.Pivots, p)
	}
	r := len(out.Pivots)
	if r == 0 {
		return nil, ErrVanishes
	}
	out.F = mat.DenseCopyOf(out.F.Slice(0, n, 0, r))
	out.Total, out.Rest = total, floats.Sum(diag)/total
	return out, nil
}

// ErrOverflow means that values of a kernel overflow float64. ErrVanishes means that k(x, x) is 0
// for all samples x.
var (
	ErrOverflow = errors.New("the kernel overflows")
	ErrVanishes = errors.New("the kernel vanishes on all samples")
)

// Names of the kernels.
const (
	RBF        = "rbf"
	Linear     = "linear"
	Polynomial = "polynomial"
)
