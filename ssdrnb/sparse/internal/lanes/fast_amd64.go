//go:build !noasm

package lanes

import "golang.org/x/sys/cpu"

// fast is true if the loops run in assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA
