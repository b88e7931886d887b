//go:build !noasm

package fft

import "golang.org/x/sys/cpu"

// fast says that the stages run in assembly.
var fast = cpu.X86.HasAVX2
