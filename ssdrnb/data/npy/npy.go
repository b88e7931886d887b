// Package npy reads NumPy arrays from untrusted files. It does not panic, and it does not allocate
// memory based on an unchecked header.
//
// It is exported only because packages datasets and ssdrnb share it.
package npy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sbinet/npyio"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrFormat means that the array is damaged.
	ErrFormat = errors.New("not a valid NumPy array")
	// ErrUnsupported means that the values are neither plain numbers nor strings.
	ErrUnsupported = errors.New("unsupported type of array")
)

// Array is an array of any rank in row-major order.
type Array struct {
	Shape []int
	// Values holds the numbers; nil for an array of strings.
	Values []float64
	// Texts holds the strings without their padding zeros; nil for an array of numbers.
	Texts []string
}

// maxHeader is the largest size of a header's text in bytes. The header of a numeric array needs
// about 100 bytes.
const maxHeader = 1 << 16

// Read reads a .npy array of at most size bytes, including the header. It accepts numbers of up to
// 64 bits in either byte order, booleans, and strings (U and S), in C or Fortran order. The values
// count against the budget; if they exceed it, the error wraps data.ErrTooLarge.
func Read(r io.Reader, size int64, budget *files.Budget) (a *Array, err error) {
	defer func() {
		if p := recover(); p != nil { // npyio panics on some malformed headers
			a, err = nil, fmt.Errorf("%w: %v", ErrFormat, p)
		}
	}()
	in := bufio.NewReader(r)
	// In versions 2 and 3 the header length has four bytes. npyio would allocate that much before
	// it checks the length.
	if head, err := in.Peek(12); err == nil && head[6] >= 2 {
		if n := int64(binary.LittleEndian.Uint32(head[8:])); n > min(size, maxHeader) {
			return nil, fmt.Errorf("%w: the length of the header is given as %d bytes, more than a header can have", ErrFormat, n)
		}
	}
	npy, err := npyio.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	h := npy.Header.Descr
	plain := strings.TrimLeft(h.Type, "<>|=")
	if len(plain) > 1 && (plain[0] == 'U' || plain[0] == 'S') {
		return readTexts(in, size, h.Shape, h.Fortran, h.Type, plain, budget)
	}
	kind, ok := files.Numbers[plain]
	if !ok {
		return nil, advice.With(remedy(plain), fmt.Errorf("%w: %q", ErrUnsupported, h.Type))
	}
	if _, ok := files.Count(h.Shape, size/int64(kind.Width)); !ok || len(h.Shape) > files.MaxRank {
		return nil, fmt.Errorf("%w: an array of shape %v and type %s does not fit in %d bytes or has more than %d dimensions", ErrFormat, h.Shape, h.Type, size, files.MaxRank)
	}
	count, err := budget.TakeArray(h.Shape)
	if err != nil {
		return nil, err
	}
	// The values are decoded here, because npyio reads zeros from a truncated file.
	a = &Array{Shape: h.Shape}
	if a.Values, err = files.ReadNumbers(in, count, files.Order(strings.HasPrefix(h.Type, ">")), kind); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if h.Fortran && len(h.Shape) > 1 {
		a.Values = files.RowMajor(a.Shape, a.Values)
	}
	return a, nil
}

// remedy returns the Python call that converts an array of an unsupported type.
func remedy(kind string) string {
	switch {
	case strings.HasPrefix(kind, "O"):
		return "save numbers with X.astype(float), class names with y.astype(str), and a sparse matrix with scipy.sparse.save_npz"
	case strings.HasPrefix(kind, "c"):
		return "save its real part, X.real, or its absolute values, np.abs(X)"
	case strings.ContainsAny(kind, "(["):
		return "save its fields as columns with numpy.lib.recfunctions.structured_to_unstructured(X)"
	}
	return "save it as numbers, for example with X.astype(float)"
}

// readTexts reads strings of fixed length: type U with four bytes per character, or S with one.
func readTexts(in io.Reader, size int64, shape []int, fortran bool, descr, plain string, budget *files.Budget) (*Array, error) {
	const longest = 1 << 20 // in characters
	length, err := strconv.Atoi(plain[1:])
	if err != nil || length < 1 || length > longest {
		return nil, fmt.Errorf("%w: the length of the string type %q is not between 1 and %d characters", ErrFormat, descr, longest)
	}
	width := length
	if plain[0] == 'U' {
		width *= 4
	}
	count, ok := files.Count(shape, size/int64(width))
	if !ok || len(shape) > files.MaxRank {
		return nil, fmt.Errorf("%w: an array of shape %v and type %s does not fit in %d bytes or has more than %d dimensions", ErrFormat, shape, descr, size, files.MaxRank)
	}
	const head = 16 // size in bytes of a string header
	if err := budget.Take(count * int64(width+head)); err != nil {
		return nil, err
	}
	order := files.Order(strings.HasPrefix(descr, ">"))
	a, raw, seen := &Array{Shape: shape, Texts: []string{}}, make([]byte, width), map[string]string{}
	for range count {
		if _, err := io.ReadFull(in, raw); err != nil {
			return nil, fmt.Errorf("%w: only %d of %s could be read, because the file is truncated: %w", ErrFormat, len(a.Texts), nouns.Count(int(count), "text"), io.ErrUnexpectedEOF)
		}
		text := string(raw)
		if plain[0] == 'U' {
			runes := make([]rune, length)
			for k := range runes {
				runes[k] = rune(order.Uint32(raw[4*k:]))
			}
			text = string(runes)
		}
		text = strings.ToValidUTF8(strings.TrimRight(text, "\x00"), "\uFFFD")
		if known, ok := seen[text]; ok { // equal texts, such as class names, share memory
			text = known
		} else {
			seen[text] = text
		}
		a.Texts = append(a.Texts, text)
	}
	if fortran && len(shape) > 1 {
		at := make([]float64, len(a.Texts))
		for k := range at {
			at[k] = float64(k)
		}
		turned := make([]string, len(at))
		for k, v := range files.RowMajor(shape, at) {
			turned[k] = a.Texts[int(v)]
		}
		a.Texts = turned
	}
	return a, nil
}
