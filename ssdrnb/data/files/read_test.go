package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func TestBudget(t *testing.T) {
	data.SetReadLimit(800)
	defer data.SetReadLimit(0)
	for _, c := range []struct {
		shape []int
		count int
		ok    bool
	}{
		{[]int{10, 10}, 100, true}, {[]int{10, 11}, 0, false}, {nil, 1, true}, {[]int{0, math.MaxInt}, 0, true},
		{[]int{math.MaxInt32, math.MaxInt32, 4}, 0, false}, {[]int{1 << 16, 1 << 16, 1 << 16, 1 << 16}, 0, false}, {[]int{-1, -1}, 0, false},
	} {
		b := NewBudget()
		count, err := b.TakeArray(c.shape)
		if (err == nil) != c.ok || count != c.count || err != nil && !errors.Is(err, data.ErrTooLarge) {
			t.Errorf("%v: %d, %v", c.shape, count, err)
		}
		if b.Left() != 800-8*int64(count) {
			t.Errorf("%v: %d bytes are left", c.shape, b.Left())
		}
	}
	// A budget cannot be spent twice.
	b := NewBudget()
	if _, err := b.TakeArray([]int{60}); err != nil {
		t.Error(err)
	}
	if _, err := b.TakeArray([]int{60}); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if data.SetReadLimit(0); data.ReadLimit() != 2<<30 {
		t.Errorf("the default is %d", data.ReadLimit())
	}
}

func TestReadNumbers(t *testing.T) {
	const n = 1<<18 + 7 // more than the first allocation
	raw := make([]byte, 2*n)
	for i := range n {
		binary.BigEndian.PutUint16(raw[2*i:], uint16(i))
	}
	got, err := ReadNumbers(bytes.NewReader(raw), n, binary.BigEndian, Numbers["u2"])
	if err != nil || len(got) != n {
		t.Fatalf("%d numbers, %v", len(got), err)
	}
	for i, v := range got {
		if v != float64(i&0xffff) {
			t.Fatalf("number %d is %v", i, v)
		}
	}
	for _, cut := range []int{0, 1, 1 << 15, 2*n - 1} {
		if _, err := ReadNumbers(bytes.NewReader(raw[:cut]), n, binary.BigEndian, Numbers["u2"]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", cut, len(raw), err)
		}
	}
}

// Reading a large array takes little more memory than the array, and a truncated file costs little.
func TestReadNumbersMemory(t *testing.T) {
	const count = 1 << 21
	raw := make([]byte, 4*count)
	allocated := func(part []byte) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := ReadNumbers(bytes.NewReader(part), count, binary.LittleEndian, Numbers["f4"]); (err != nil) != (len(part) < len(raw)) {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / (8 * count)
	}
	if all := allocated(raw); all > 1.3 {
		t.Errorf("%.2f copies of the numbers", all)
	}
	if few := allocated(raw[:len(raw)/32]); few > 0.5 {
		t.Errorf("a thirty-second of the numbers takes the memory of %.2f of all", few)
	}
}
