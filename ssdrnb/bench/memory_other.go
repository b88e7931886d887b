//go:build !unix

package main

import (
	"math"
	"os"
)

// largest returns NaN: this system does not tell.
func largest(*os.ProcessState) float64 { return math.NaN() }

// processorTime returns NaN: this system does not tell.
func processorTime() float64 { return math.NaN() }
