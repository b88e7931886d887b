//go:build unix && !aix && !solaris

package fetch

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file until f is closed or the process ends. busy is true if another
// process or call holds the lock.
func lock(f *os.File) (busy bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		return true, nil
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
		return false, nil // the file system does not support locks
	}
	return false, err
}
