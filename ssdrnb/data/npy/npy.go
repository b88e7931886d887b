// Package npy reads NumPy arrays from files that nobody has checked: nothing is
// allocated because a header says so, and nothing panics.
package npy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sbinet/npyio"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrFormat says that the array is damaged.
	ErrFormat = errors.New("not a valid NumPy array")
	// ErrUnsupported says that its values are no plain numbers.
	ErrUnsupported = errors.New("unsupported type of array")
)

// Array is an array of any rank with its values in row-major order.
type Array struct {
	Shape  []int
	Values []float64
}

// Read reads one .npy of at most size bytes, header included: numbers of any width
// and byte order, and booleans, in C or Fortran order.
func Read(r io.Reader, size int64) (a *Array, err error) {
	defer func() {
		if p := recover(); p != nil { // npyio panics on some malformed headers
			a, err = nil, fmt.Errorf("%w: %v", ErrFormat, p)
		}
	}()
	in := bufio.NewReader(r)
	// Versions 2 and 3 have a header length of four bytes, for which npyio would
	// make room before it looks.
	if head, err := in.Peek(12); err == nil && head[6] >= 2 && int64(binary.LittleEndian.Uint32(head[8:])) > size {
		return nil, fmt.Errorf("%w: the header claims more bytes than there are", ErrFormat)
	}
	npy, err := npyio.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	h := npy.Header.Descr
	kind, ok := npyTypes[strings.TrimLeft(h.Type, "<>|=")]
	if !ok {
		return nil, advice.Errorf("save it as numbers, e.g. by X.astype(float)", "%w: %q", ErrUnsupported, h.Type)
	}
	count := int64(1)
	for _, s := range h.Shape {
		if s < 0 || (s > 0 && count > size/int64(s)) {
			return nil, fmt.Errorf("%w: shape %v does not fit in %d bytes", ErrFormat, h.Shape, size)
		}
		count *= int64(s)
	}
	if count*kind.width > size {
		return nil, fmt.Errorf("%w: shape %v of %s does not fit in %d bytes", ErrFormat, h.Shape, h.Type, size)
	}
	// The values are decoded here: npyio takes a file that is cut off for zeros.
	raw := make([]byte, count*kind.width)
	if got, err := io.ReadFull(in, raw); err != nil {
		return nil, fmt.Errorf("%w: %d of %d bytes of values; the file is cut off", ErrFormat, got, len(raw))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(h.Type, ">") {
		order = binary.BigEndian
	}
	a = &Array{Shape: h.Shape, Values: make([]float64, count)}
	for i := range a.Values {
		a.Values[i] = kind.value(order, raw[int64(i)*kind.width:])
	}
	if h.Fortran && len(h.Shape) > 1 {
		a.Values = RowMajor(a.Shape, a.Values)
	}
	return a, nil
}

// npyType is a type of number: its bytes, and how to read one.
type npyType struct {
	width int64
	value func(o binary.ByteOrder, b []byte) float64
}

var npyTypes = map[string]npyType{
	"f8": {8, func(o binary.ByteOrder, b []byte) float64 { return math.Float64frombits(o.Uint64(b)) }},
	"f4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(math.Float32frombits(o.Uint32(b))) }},
	"b1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
	"i1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(int8(b[0])) }},
	"i2": {2, func(o binary.ByteOrder, b []byte) float64 { return float64(int16(o.Uint16(b))) }},
	"i4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(int32(o.Uint32(b))) }},
	"i8": {8, func(o binary.ByteOrder, b []byte) float64 { return float64(int64(o.Uint64(b))) }},
	"u1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
	"u2": {2, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint16(b)) }},
	"u4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint32(b)) }},
	"u8": {8, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint64(b)) }},
}

// RowMajor turns the values of an array in column-major (Fortran, MATLAB) order into
// row-major order.
func RowMajor(shape []int, v []float64) []float64 {
	out := make([]float64, len(v))
	index := make([]int, len(shape))
	for at := range out {
		from, step := 0, 1
		for k, s := range shape {
			from += index[k] * step
			step *= s
		}
		out[at] = v[from]
		for k := len(shape) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}
