package fetch

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks the file until f is closed or the process ends. busy is true if another
// process or call holds the lock.
func lock(f *os.File) (busy bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
