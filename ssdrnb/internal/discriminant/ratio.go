package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// InCommonRange restricts A and B to the directions in which they do not both
// vanish. The others, in which all samples that count have the same value, cost a
// ratio nothing: it would take them in place of genuine discriminants. basis is
// nil where there are none.
func InCommonRange(a, b *mat.SymDense) (basis *mat.Dense, ra, rb *mat.SymDense, err error) {
	if basis, err = spectral.CommonRange(a, b); err != nil || basis == nil {
		return nil, a, b, err
	}
	return basis, spectral.Restrict(a, basis), spectral.Restrict(b, basis), nil
}
