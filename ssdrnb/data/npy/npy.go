// Package npy reads NumPy arrays from untrusted files: it does not panic, and it does not
// allocate memory only because a header claims it.
package npy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sbinet/npyio"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrFormat says that the array is damaged.
	ErrFormat = errors.New("not a valid NumPy array")
	// ErrUnsupported says that its values are not plain numbers.
	ErrUnsupported = errors.New("unsupported type of array")
)

// Array is an array of any rank with its values in row-major order.
type Array struct {
	Shape  []int
	Values []float64
}

// maxHeader bounds the text of a header in bytes; an array of numbers needs about a
// hundred.
const maxHeader = 1 << 16

// Read reads one .npy of at most size bytes, header included: numbers of any width
// and byte order, and booleans, in C or Fortran order. Its numbers count against the
// budget; if they exceed it, the error wraps [data.ErrTooLarge].
func Read(r io.Reader, size int64, budget *files.Budget) (a *Array, err error) {
	defer func() {
		if p := recover(); p != nil { // npyio panics on some malformed headers
			a, err = nil, fmt.Errorf("%w: %v", ErrFormat, p)
		}
	}()
	in := bufio.NewReader(r)
	// Versions 2 and 3 store the length of the header in four bytes, and npyio would
	// allocate that much before it checks it.
	if head, err := in.Peek(12); err == nil && head[6] >= 2 {
		if n := int64(binary.LittleEndian.Uint32(head[8:])); n > min(size, maxHeader) {
			return nil, fmt.Errorf("%w: the header claims %d bytes", ErrFormat, n)
		}
	}
	npy, err := npyio.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	h := npy.Header.Descr
	kind, ok := files.Numbers[strings.TrimLeft(h.Type, "<>|=")]
	if !ok {
		return nil, advice.Errorf("save it as numbers, e.g. by X.astype(float)", "%w: %q", ErrUnsupported, h.Type)
	}
	if _, ok := files.Count(h.Shape, size/int64(kind.Width)); !ok || len(h.Shape) > files.MaxRank {
		return nil, fmt.Errorf("%w: shape %v of %s does not fit in %d bytes", ErrFormat, h.Shape, h.Type, size)
	}
	count, err := budget.TakeArray(h.Shape)
	if err != nil {
		return nil, err
	}
	// The values are decoded here, as npyio reads zeros from a truncated file.
	a = &Array{Shape: h.Shape}
	if a.Values, err = files.ReadNumbers(in, count, files.Order(strings.HasPrefix(h.Type, ">")), kind); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if h.Fortran && len(h.Shape) > 1 {
		a.Values = files.RowMajor(a.Shape, a.Values)
	}
	return a, nil
}
