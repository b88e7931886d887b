//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblocking makes opening a pipe return at once.
const nonblocking = syscall.O_NONBLOCK

// mine reports whether a file belongs to the current user.
func mine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}

// writable reports whether other users may write to a file or folder.
func writable(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }
