//go:build unix

package widgets

import (
	"os"
	"syscall"
)

// lock locks an open file. It fails if the file is locked already. The lock is released when the
// file is closed or the process ends in any way.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
