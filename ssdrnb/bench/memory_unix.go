//go:build unix

package main

import (
	"math"
	"os"
	"runtime"
	"syscall"
)

// largest returns the peak resident memory, in bytes, of a process that has ended.
func largest(s *os.ProcessState) float64 {
	unit := 1024.0
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return unit * float64(s.SysUsage().(*syscall.Rusage).Maxrss)
}

// processorTime returns the processor time of this process in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
