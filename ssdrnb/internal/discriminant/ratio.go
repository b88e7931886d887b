package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// InCommonRange restricts A and B to the directions in which at least one of them does not vanish.
// In the other directions, all samples that contribute to A or B have the same value. These
// directions do not change the ratio, but the maximiser could select them instead of discriminative
// ones. If there are no such other directions, basis is nil, and A and B are returned unchanged.
func InCommonRange(a, b *mat.SymDense) (basis *mat.Dense, ra, rb *mat.SymDense, err error) {
	if basis, err = spectral.CommonRange(a, b); err != nil || basis == nil {
		return nil, a, b, err
	}
	return basis, spectral.Restrict(a, basis), spectral.Restrict(b, basis), nil
}
