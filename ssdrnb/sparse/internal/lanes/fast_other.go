//go:build !amd64 || noasm

package lanes

// fast is true if the loops run in assembly.
const fast = false

// These stubs are never called, because callers test fast first.
func add2(int, *float64, *float64, *float64, *float64, *float64) {}
func gather8(int, *int32, *float64, *float64, int, *float64)     {}
func dot2(int, *float64, *float64, *float64, *float64, *float64) {}
