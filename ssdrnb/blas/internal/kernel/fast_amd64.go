//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

// Instructions names the instruction set of the loops.
const Instructions = "avx2"

// Fast is true if the loops run in assembly.
var Fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA
