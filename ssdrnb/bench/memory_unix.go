//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// largest returns the peak resident memory of a process that has ended, in bytes.
func largest(s *os.ProcessState) float64 {
	unit := 1024.0
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return unit * float64(s.SysUsage().(*syscall.Rusage).Maxrss)
}
