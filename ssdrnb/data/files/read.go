package files

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// ErrNotRegular means that a path is a folder, pipe or device. It also means a symbolic link, for
// functions that do not follow links.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file, which the caller must close, and returns the size of the file in
// bytes. With this size, readers can check the lengths in the header of the file. Open never waits
// for the other end of a pipe. Its errors have remedies.
func Open(path string) (*os.File, int64, error) {
	f, info, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, 0, Unopened(path, err)
	}
	return f, info.Size(), nil
}

// Unopened adds a remedy to an error from opening path.
func Unopened(path string, err error) error {
	remedy := "check that the path is a readable file"
	if errors.Is(err, fs.ErrNotExist) {
		remedy = "check the path"
		if here, e := os.Getwd(); e == nil && !filepath.IsAbs(path) {
			remedy = fmt.Sprintf("check the path; a relative path starts in the folder %s", here)
		}
	}
	return advice.With(remedy, err)
}

// OpenOwn is [Open] for files that this library has written. They must belong to the current user
// and must not be links. Its errors have no remedies.
func OpenOwn(path string) (*os.File, int64, error) {
	f, info, err := openNoLink(path, os.O_RDONLY)
	if err != nil {
		return nil, 0, err
	}
	if !mine(info) {
		f.Close()
		return nil, 0, &os.PathError{Op: "open", Path: path, Err: errors.New("the file belongs to another user")}
	}
	return f, info.Size(), nil
}

// Update opens a regular file for reading and writing, and creates it if it does not exist. It does
// not follow links.
func Update(path string, perm os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrExist) {
		f, _, err = openNoLink(path, os.O_RDWR)
	}
	return f, err
}

// ReadFile returns the content of a regular file. If the file has more than `most` bytes, the error
// wraps [data.ErrTooLarge].
func ReadFile(path string, most int64) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path, size, most)
}

// ReadOwn is [ReadFile], but opens the file with [OpenOwn].
func ReadOwn(path string, most int64) ([]byte, error) {
	f, size, err := OpenOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path, size, most)
}

func readAll(f *os.File, path string, size, most int64) ([]byte, error) {
	if size > most {
		return nil, &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: the file has %d bytes, but the limit is %d", data.ErrTooLarge, size, most)}
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// CheckOwnFolder returns an error unless path is a folder of the current user that nobody else can
// write to. A link to a folder is an error too.
func CheckOwnFolder(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &os.PathError{Op: "open", Path: path, Err: errors.New("the path is a symbolic link or not a folder")}
	case !mine(info):
		return &os.PathError{Op: "open", Path: path, Err: errors.New("the folder belongs to another user")}
	case writable(info):
		return &os.PathError{Op: "open", Path: path, Err: errors.New("other users can write to the folder")}
	}
	return nil
}

func open(path string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, flag|nonblocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// openNoLink opens path if it is a regular file and not a link. It fails if the path changes
// between the checks before and after opening.
func openNoLink(path string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, err
	}
	f, after, err := open(path, flag)
	if err == nil && !os.SameFile(before, after) {
		f.Close()
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, err
	}
	return f, after, nil
}

// Budget counts the bytes of memory that the contents of a file may still take.
type Budget struct{ left, limit int64 }

// NewBudget returns the full budget for one file, [data.ReadLimit].
func NewBudget() *Budget {
	limit := data.ReadLimit()
	return &Budget{limit, limit}
}

// Take takes n bytes from the budget, or fails with [data.ErrTooLarge].
func (b *Budget) Take(n int64) error {
	if err := b.Spare(n); err != nil {
		return err
	}
	b.left -= n
	return nil
}

// Spare returns the error that Take(n) would return, without taking anything. It is for memory that
// is needed only temporarily.
func (b *Budget) Spare(n int64) error {
	if n < 0 || n > b.left {
		return b.exceeded()
	}
	return nil
}

// Left returns the number of bytes that Take can still take.
func (b *Budget) Left() int64 { return b.left }

// TakeArray takes the memory of an array of float64 from the budget and returns the number of
// elements of the array.
func (b *Budget) TakeArray(shape []int) (count int, err error) {
	n, ok := Count(shape, b.left/8)
	if !ok {
		return 0, fmt.Errorf("an array of shape %v: %w", shape, b.exceeded())
	}
	return int(n), b.Take(8 * n)
}

// Count returns the number of elements of an array, the product of its dimensions. ok is false if
// the number exceeds `most` or a dimension is negative.
func Count(shape []int, most int64) (count int64, ok bool) {
	if len(shape) > 0 && slices.Min(shape) <= 0 {
		return 0, slices.Min(shape) == 0
	}
	count = 1
	for _, side := range shape {
		if count > most/int64(side) {
			return 0, false
		}
		count *= int64(side)
	}
	return count, count <= most
}

// MaxRank is the largest number of dimensions of an array that can be read, as in NumPy.
const MaxRank = 64

// RaiseLimit is the remedy for a file above the read limit.
const RaiseLimit = "raise the limit with data.SetReadLimit if you trust the file"

func (b *Budget) exceeded() error {
	return advice.Errorf(RaiseLimit, "%w of %d bytes for one file", data.ErrTooLarge, b.limit)
}

// Number is a numeric type in a file.
type Number struct {
	// Width is the size of a number in bytes.
	Width int
	value func(o binary.ByteOrder, b []byte) float64
}

// Numbers maps NumPy's names of numeric types, without the byte order, to the types.
var Numbers = map[string]Number{
	"f8": {8, func(o binary.ByteOrder, b []byte) float64 { return math.Float64frombits(o.Uint64(b)) }},
	"f4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(math.Float32frombits(o.Uint32(b))) }},
	"f2": {2, func(o binary.ByteOrder, b []byte) float64 { return half(o.Uint16(b)) }},
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

// half returns the value of an IEEE 754 half-precision number.
func half(bits uint16) float64 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch {
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	case exponent < 31:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	case fraction == 0:
		return math.Inf(int(sign))
	}
	return math.NaN()
}

// ReadNumbers reads `count` numbers. It allocates memory as the numbers arrive: at first at most 1
// MiB, then at most sixteen times the amount received. A false size in a header thus wastes little
// memory. After at most an eighth of the numbers, ReadNumbers allocates memory for all of them, so
// that most of a large array is never copied. If r ends early, the error wraps io.ErrUnexpectedEOF.
func ReadNumbers(r io.Reader, count int, order binary.ByteOrder, n Number) ([]float64, error) {
	const first, chunk = 1 << 17, 1 << 13 // numbers
	out := make([]float64, 0, min(count, first))
	buf := make([]byte, min(count, chunk)*n.Width)
	for len(out) < count {
		raw := buf[:min(count-len(out), chunk)*n.Width]
		if got, err := io.ReadFull(r, raw); err != nil {
			got = len(out) + got/n.Width
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return nil, fmt.Errorf("only %d of %s could be read, because the file is truncated: %w", got, nouns.Count(count, "number"), io.ErrUnexpectedEOF)
			}
			return nil, fmt.Errorf("%d of %s read: %w", got, nouns.Count(count, "number"), err)
		}
		if len(out)+chunk > cap(out) && cap(out) < count {
			most := 2 * cap(out)
			if most >= count/8 {
				most = count
			}
			grown := make([]float64, len(out), most)
			copy(grown, out)
			out = grown
		}
		for at := 0; at < len(raw); at += n.Width {
			out = append(out, n.value(order, raw[at:]))
		}
	}
	return out, nil
}

// Order returns the byte order of a file, big-endian or little-endian.
func Order(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// RowMajor converts the values v of an array from column-major order (Fortran, MATLAB) to row-major
// order. v is not changed.
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
