//go:build !amd64 || noasm

package distance

// Fast is true if the loops run in assembly.
const Fast = false

// This platform has no assembly loops; callers test Fast.
func squares(int, *float32, *float32, int, *int32, int, *float32) {}
func dots(int, *float32, *float32, int, *int32, int, *float32)    {}
func sums(int, *float32, *float32, int, *int32, int, *float32)    {}
func mosts(int, *float32, *float32, int, *int32, int, *float32)   {}
func differs(int, *float32, *float32, int, *int32, int, *float32) {}
