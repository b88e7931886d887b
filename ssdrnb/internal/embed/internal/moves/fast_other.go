//go:build !amd64 || noasm

package moves

// fast is true if the loop runs in assembly.
const fast = false

// move8 is never called without assembly, because fast is false.
func move8(int, *int32, *int32, *float32, *float32, int, *bool, *uint32, *float32, *float32, float32, int) {
}
