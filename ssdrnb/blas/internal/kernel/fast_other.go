//go:build (!amd64 || noasm) && !(js && wasm && ssdrnb_simd128)

package kernel

// Instructions names the instruction set of the loops.
const Instructions = "none"

// Fast is true if the loops run in assembly.
const Fast = false

// These stubs are never called, because callers test Fast first.
func gemm4x12(int, *float64, *float64, *float64, int, bool)            {}
func symv4(int, *float64, int, *float64, *float64, *float64, *float64) {}
func dot4(int, *float64, int, *float64, *float64)                      {}
func axpy4(int, *float64, int, *float64, *float64)                     {}
func dot(int, *float64, *float64) float64                              { return 0 }
func axpy(int, float64, *float64, *float64)                            {}
func cross4(int, *float64, int, *float64, int, *float64)               {}
func expand4(int, *float64, int, *float64, *float64, int)              {}
