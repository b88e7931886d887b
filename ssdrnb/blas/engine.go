package blas

// Name returns the name of the engine that runs: "openblas", "avx2" or "gonum".
func Name() string { return "gonum" }
