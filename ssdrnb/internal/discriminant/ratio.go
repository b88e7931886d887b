package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// InCommonRange restricts the positive semidefinite matrices A and B to the common range: the
// directions in which at least one of them does not vanish. It returns an orthonormal basis of this
// range (as columns), basisᵀ·A·basis and basisᵀ·B·basis. Outside the range, all samples that
// contribute to A or B have the same value. Such directions do not change the ratio
// tr(VᵀAV)/tr(VᵀBV), but the maximiser could select them instead of discriminative ones. If the
// range is the whole space, or if A + B is 0, basis is nil, and A and B are returned unchanged.
func InCommonRange(a, b *mat.SymDense) (basis *mat.Dense, ra, rb *mat.SymDense, err error) {
	if basis, err = spectral.CommonRange(a, b); err != nil || basis == nil {
		return nil, a, b, err
	}
	return basis, spectral.Restrict(a, basis), spectral.Restrict(b, basis), nil
}
