//go:build !unix

package main

import "time"

// processorTime returns the time since the start: this system does not tell more.
func processorTime() time.Duration { return time.Since(started) }
