package data

import (
	"errors"
	"sync/atomic"
)

// defaultReadLimit is the default read limit in bytes.
const defaultReadLimit = 2 << 30

// ErrTooLarge means that the content of a file exceeds the read limit.
var ErrTooLarge = errors.New("larger than the read limit")

var readLimit atomic.Int64

// SetReadLimit limits the memory, in bytes, for the contents of one file. Each number counts as
// eight bytes, because it is converted to float64. The limit applies to the readers of package
// datasets, to saved models and to saved sweeps. A file whose actual or declared content is larger
// is rejected with [ErrTooLarge] before memory is allocated. Even a small compressed file can
// exceed the limit: zeros compress a thousandfold. The limit also applies to the covariance of a
// Gaussian process. A loaded model computes this covariance from its samples when the covariance is
// first needed. 0 or less restores the default, 2 GiB. An array stored in column-major order takes
// twice the memory while it is reordered.
func SetReadLimit(bytes int64) { readLimit.Store(bytes) }

// ReadLimit returns the limit of [SetReadLimit], in bytes.
func ReadLimit() int64 {
	if l := readLimit.Load(); l > 0 {
		return l
	}
	return defaultReadLimit
}
