//go:build !amd64 || noasm

package fft

// fast is true if the stages run in assembly.
const fast = false

// pass2 to pass5 are never called without assembly, because fast is false.
func pass2(int, int, *float64, *float64, *float64) {}
func pass3(int, int, *float64, *float64, *float64) {}
func pass4(int, int, *float64, *float64, *float64) {}
func pass5(int, int, *float64, *float64, *float64) {}
