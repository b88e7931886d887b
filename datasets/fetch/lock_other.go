//go:build (!unix && !windows) || aix || solaris

package fetch

import "os"

// lock does nothing, because this system has no file lock that is released when a process ends.
func lock(*os.File) (busy bool, err error) { return false, nil }
