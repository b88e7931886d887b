//go:build !amd64 || noasm

package fft

// fast is true if the stages run in assembly.
const fast = false

// This platform has no assembly stages; the caller tests fast.
func pass2(int, int, *float64, *float64, *float64) {}
func pass3(int, int, *float64, *float64, *float64) {}
func pass4(int, int, *float64, *float64, *float64) {}
func pass5(int, int, *float64, *float64, *float64) {}
