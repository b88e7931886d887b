package blas

import "fmt"

func avx2() (*engine, error) { return nil, fmt.Errorf("%w: no AVX2 kernels", ErrNoEngine) }
