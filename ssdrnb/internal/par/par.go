// Package par runs loops in parallel, in blocks that do not depend on the number of workers.
package par

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks calls f(lo, hi) for consecutive blocks of at most `size` indices that cover 0..n-1, from
// up to GOMAXPROCS goroutines. The blocks do not depend on the number of workers. A caller is
// therefore deterministic if it writes per index, or sums per block and adds the sums in order.
func Blocks(n, size int, f func(lo, hi int)) {
	if n <= 0 {
		return
	}
	size = max(size, 1)
	blocks := (n + size - 1) / size
	workers := min(runtime.GOMAXPROCS(0), blocks)
	if workers == 1 {
		for b := range blocks {
			f(b*size, min(n, (b+1)*size))
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
			f(b*size, min(n, (b+1)*size))
		}
	}
	// The caller works too, so that short loops finish before other goroutines wake up.
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
