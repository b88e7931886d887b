//go:build !amd64

package blas

import "fmt"

func avx2() (*engine, error) {
	return nil, fmt.Errorf("%w: the AVX2 kernels are for amd64", ErrNoEngine)
}
