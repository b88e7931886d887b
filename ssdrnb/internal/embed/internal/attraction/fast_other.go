//go:build !amd64 || noasm

package attraction

// fast is true if the loop runs in assembly.
const fast = false

// This platform has no assembly loop; the caller tests fast.
func sum4(*int32, *float64, int, *float64, float64, float64) (u, v float64) { return 0, 0 }
