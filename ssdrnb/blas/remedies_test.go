package blas

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Arguments within the range that an error states give eigenvalues.
func TestRemedies(t *testing.T) {
	eigen := func(from, to int) error {
		_, _, err := EigenSymRange(mat.NewSymDense(3, []float64{1, 0, 0, 0, 2, 0, 0, 0, 3}), from, to)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{
		"%s lacks %s; is it OpenBLAS":               "takes another library in its place; the engine of this package is used then",
		"%s has 64-bit integers":                    "takes such a build of OpenBLAS; the engine of this package is used then",
		"no usable OpenBLAS library was found; set": "a process loads a library once; TestChoice tries the variable in other processes",
	}, []advicetest.Case{
		{"an empty range", eigen(1, 1), "choose 0 ≤ il < iu ≤ 3", func() error { return errors.Join(eigen(0, 1), eigen(0, 3)) }},
		{"a range beyond the order", eigen(2, 4), "choose 0 ≤ il < iu ≤ 3", func() error { return eigen(2, 3) }},
	})
}
