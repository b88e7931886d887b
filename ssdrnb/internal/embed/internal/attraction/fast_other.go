//go:build !amd64 || noasm

package attraction

// fast is true if the loop runs in assembly.
const fast = false

// sum4 is never called without assembly, because fast is false.
func sum4(*int32, *float64, int, *float64, float64, float64) (u, v float64) { return 0, 0 }
