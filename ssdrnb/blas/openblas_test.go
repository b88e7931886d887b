//go:build (linux || darwin) && (amd64 || arm64)

package blas

import (
	"slices"
	"testing"
)

// TestLibraryEigen tests LAPACK's eigenpairs, which are used where this module has no
// kernels, on every machine that has the library.
func TestLibraryEigen(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *engine) {
		if e.name != OpenBLAS {
			t.Skip("the engine has no library")
		}
		withLibrary := *e
		withLibrary.eigen = libraryEigen
		current.Store(&withLibrary)
		for name, c := range symmetricCases() {
			n := c.a.SymmetricDim()
			values, vectors, err := EigenSym(c.a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkPairs(t, name, c.a, values, vectors)
			alone, err := EigenValuesSym(c.a)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(values) || !slices.IsSorted(alone) {
				t.Errorf("%s: values are not ascending", name)
			}
			part, some, err := EigenSymRange(c.a, n/2, n)
			if err != nil {
				t.Fatal(err)
			}
			checkPairs(t, name, c.a, part, some)
		}
	})
}
