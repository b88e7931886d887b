package datasets

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The read limit includes the memory for all cells of a coordinate file.
func TestCoordinateCells(t *testing.T) {
	const side, limit = 400, 400 * 400 * 30
	path := write(t, "x.mtx", []byte(fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n%d %d 1\n1 1 1\n", side, side)))
	limited(t, limit/2)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := ReadTable(path)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("got %v, %v", d, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > limit/2 {
		t.Errorf("%d bytes were taken with the limit %d", took, limit/2)
	}
	limited(t, 4*limit)
	if d, err := ReadTable(path); err != nil || d.Rows() != side {
		t.Errorf("with a larger limit: %v, %v", d, err)
	}
}

// A small file whose header claims a large matrix costs little memory.
func TestAnnouncedSize(t *testing.T) {
	for name, c := range map[string]struct{ file, text string }{
		"coordinates":   {"x.mtx", "%%MatrixMarket matrix coordinate real general\n5000000 4 1\n1 1 1\n"},
		"wide":          {"x.mtx", "%%MatrixMarket matrix coordinate real general\n4 5000000 1\n1 1 1\n"},
		"array":         {"x.mtx", "%%MatrixMarket matrix array real general\n5000000 4\n1\n2\n"},
		"symmetric":     {"x.mtx", "%%MatrixMarket matrix array real symmetric\n4000 4000\n1\n2\n"},
		"libsvm":        {"x.libsvm", "1 1:1 9000000:2\n-1 2:1\n"},
		"libsvm, large": {"x.libsvm", "1 1:1 2000000000:2\n-1 2:1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, c.file, []byte(c.text))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := ReadTable(path)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrFormat) && !errors.Is(err, data.ErrTooLarge) {
				t.Errorf("got %v, %v", d, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("%d MB were taken", took>>20)
			}
		})
	}
}
