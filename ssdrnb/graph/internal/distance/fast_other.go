//go:build !amd64 || noasm

package distance

// Fast is true if the loops run in assembly.
const Fast = false

// These stubs are never called, because callers test Fast first.
func squares(int, *float32, *float32, int, *int32, int, *float32) {}
func dots(int, *float32, *float32, int, *int32, int, *float32)    {}
func sums(int, *float32, *float32, int, *int32, int, *float32)    {}
func mosts(int, *float32, *float32, int, *int32, int, *float32)   {}
func differs(int, *float32, *float32, int, *int32, int, *float32) {}
