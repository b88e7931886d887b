//go:build !unix

package files

import "io/fs"

const nonblocking = 0

// Ownership is not checked on systems without Unix owners and permission bits.
func mine(fs.FileInfo) bool     { return true }
func writable(fs.FileInfo) bool { return false }
