package main

import (
	"context"
	"errors"
	"time"
)

// The times of fits are processor times, so that other processes on the machine have little
// influence. On systems that do not report processor times, elapsed times are used instead.

var started = time.Now()

// errSlow is the cause of cancelling a fit that took too long.
var errSlow = errors.New("the fit took too long")

// patience is the maximum elapsed time of a fit, in multiples of the limit of processor time. It is
// large because a fit may wait for other processes.
const patience = 100

// withProcessorTime returns a context that is cancelled when this process has used more processor
// time than `limit`, or when a time of patience·limit has elapsed.
func withProcessorTime(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	from, began := processorTime(), time.Now()
	go func() {
		tick := time.NewTicker(min(limit, 50*time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if processorTime()-from > limit || time.Since(began) > patience*limit {
					stop(errSlow)
				}
			}
		}
	}()
	return ctx, func() { stop(nil) }
}
