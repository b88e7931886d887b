//go:build unix

package widgets

import (
	"os"
	"syscall"
)

// lock locks the file for this process. The lock is released when the process ends in any way.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
