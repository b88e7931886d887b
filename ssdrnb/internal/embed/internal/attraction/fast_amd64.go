//go:build !noasm

package attraction

import "golang.org/x/sys/cpu"

// fast is true if the loop runs in assembly.
var fast = cpu.X86.HasAVX2
