//go:build unix

package widgets

import (
	"os"
	"syscall"
)

// lock locks the file for this process. The lock ends with the process, however it
// ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
