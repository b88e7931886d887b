package main

import (
	"context"
	"errors"
	"time"
)

// All times are processor times, so that other work on the machine does not count.

var started = time.Now()

// errSlow is the cause of the end of a fit that took too long.
var errSlow = errors.New("the fit took too long")

// patience is by how much more time may pass than a fit may compute: it may wait for other work.
const patience = 100

// within ends a context when this process has computed for a limit, or when time has passed
// patience times the limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
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
