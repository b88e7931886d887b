//go:build !noasm

package distance

import "golang.org/x/sys/cpu"

// Fast is true if the loops run in assembly.
var Fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA
