package datasets

import (
	"errors"
	"runtime"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

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
