//go:build !unix

package main

import (
	"math"
	"os"
)

// largest returns NaN: this system does not report the peak memory.
func largest(*os.ProcessState) float64 { return math.NaN() }

// processorTime returns NaN: this system does not report the processor time.
func processorTime() float64 { return math.NaN() }
