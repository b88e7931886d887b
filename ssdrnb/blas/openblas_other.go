//go:build !((linux || darwin) && (amd64 || arm64)) || noopenblas

package blas

import "fmt"

func openBLAS() (*engine, error) {
	return nil, fmt.Errorf("%w: OpenBLAS is supported only on Linux and macOS, on amd64 and arm64, without the build tag noopenblas", ErrNoEngine)
}
