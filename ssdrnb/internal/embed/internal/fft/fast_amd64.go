//go:build !noasm

package fft

import "golang.org/x/sys/cpu"

// fast is true if the stages run in assembly.
var fast = cpu.X86.HasAVX2
