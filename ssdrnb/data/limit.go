package data

import (
	"errors"
	"sync/atomic"
)

// defaultReadLimit is the default read limit in bytes.
const defaultReadLimit = 2 << 30

// ErrTooLarge means that a file holds more than the read limit.
var ErrTooLarge = errors.New("larger than the read limit")

var readLimit atomic.Int64

// SetReadLimit bounds the memory, in bytes, for the contents of one file: eight bytes for each
// number of its arrays, which become float64. It holds for the readers of package datasets and
// for saved models and sweeps. A file that holds or claims more is rejected with [ErrTooLarge]
// before the memory is allocated. A small file may hold much, because zeros are compressed a
// thousandfold. 0 or less restores the default, 2 GiB. An array that is stored column by column
// takes the same memory once more while it is reordered.
func SetReadLimit(bytes int64) { readLimit.Store(bytes) }

// ReadLimit returns the limit of [SetReadLimit], in bytes.
func ReadLimit() int64 {
	if l := readLimit.Load(); l > 0 {
		return l
	}
	return defaultReadLimit
}
