package data

import (
	"errors"
	"sync/atomic"
)

// DefaultReadLimit is the read limit of a process that sets none, in bytes.
const DefaultReadLimit = 2 << 30

// ErrTooLarge says that a file holds more than the read limit.
var ErrTooLarge = errors.New("larger than the read limit")

var readLimit atomic.Int64

// SetReadLimit bounds what every reader of this library takes from one file, in bytes
// of memory: eight for each number of its arrays, as they become float64. It holds for
// the readers of package datasets, and for saved models and sweeps. A file that holds,
// or claims, more is refused with [ErrTooLarge] before memory is taken for it. A small
// file may hold much, as zeros are compressed a thousandfold. 0 or less sets
// [DefaultReadLimit], 2 GiB, again. Turning an array that is stored column by column
// takes the same memory once more.
func SetReadLimit(bytes int64) { readLimit.Store(bytes) }

// ReadLimit returns the bound that [SetReadLimit] set, in bytes.
func ReadLimit() int64 {
	if l := readLimit.Load(); l > 0 {
		return l
	}
	return DefaultReadLimit
}
