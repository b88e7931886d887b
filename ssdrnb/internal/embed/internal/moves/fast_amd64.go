//go:build !noasm

package moves

import "golang.org/x/sys/cpu"

// fast says that the loop runs in assembly.
var fast = cpu.X86.HasAVX2
