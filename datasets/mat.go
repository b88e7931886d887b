package datasets

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
)

// MAT says which variables of a MATLAB file hold what. The zero value takes the
// samples from fea, X, data or the largest matrix, and the labels from gnd, y, Y,
// label or labels; labels that count from 1 are shifted to count from 0.
type MAT struct {
	X, Y string
	// Columns is true where the samples are the columns of X.
	Columns bool
}

// ReadMAT reads a MATLAB 5 file, whose elements may be compressed (version 7):
// real numeric matrices; other variables are passed over. Version 4 and 7.3 (HDF5)
// give [ErrUnsupported].
func ReadMAT(path string, opt MAT) (*data.Data, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readMAT(raw, path, opt)
}

func readMAT(raw []byte, file string, opt MAT) (*data.Data, error) {
	if bytes.HasPrefix(raw, []byte("MATLAB 7.3")) || bytes.HasPrefix(raw, []byte("\x89HDF")) {
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "a version 7.3 (HDF5) file"))
	}
	if len(raw) < 128 || !bytes.HasPrefix(raw, []byte("MATLAB 5")) {
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "neither a version 5 nor a version 7 file"))
	}
	m := matReader{file: file, vars: map[string]*array{}}
	switch string(raw[126:128]) {
	case "IM":
		m.order = binary.LittleEndian
	case "MI":
		m.order = binary.BigEndian
	default:
		return nil, bad(ErrFormat, file, "no byte-order mark at the end of the header")
	}
	if err := m.elements(raw[128:], len(raw)); err != nil {
		return nil, err
	}
	x := m.pick(opt.X)
	if opt.X == "" {
		x = m.pick("fea", "X", "data")
	}
	if x == nil && opt.X == "" {
		for _, name := range m.names {
			if v := m.vars[name]; x == nil || len(v.values) > len(x.values) {
				x = v
			}
		}
	}
	if x == nil || len(x.shape) != 2 {
		return nil, advice.With("name it in MAT.X", bad(ErrFormat, file, "no matrix of samples among %q", m.names))
	}
	y := m.pick(opt.Y)
	if opt.Y == "" {
		y = m.pick("gnd", "y", "Y", "label", "labels")
	} else if y == nil {
		return nil, bad(ErrFormat, file, "no labels %q among %q", opt.Y, m.names)
	}
	if opt.Columns {
		x = &array{[]int{x.shape[1], x.shape[0]}, npy.RowMajor([]int{x.shape[1], x.shape[0]}, x.values)}
	}
	if y != nil && len(y.values) > 0 && slices.Min(y.values) >= 1 {
		for i := range y.values {
			y.values[i]--
		}
	}
	return x.data(file, y)
}

// matReader collects the numeric matrices of a file, row-major.
type matReader struct {
	file  string
	order binary.ByteOrder
	vars  map[string]*array
	names []string
}

func (m *matReader) pick(names ...string) *array {
	for _, n := range names {
		if v := m.vars[n]; n != "" && v != nil {
			return v
		}
	}
	return nil
}

// Types of data elements.
const (
	miINT8, miUINT8, miINT16, miUINT16, miINT32, miUINT32 = 1, 2, 3, 4, 5, 6
	miSINGLE, miDOUBLE, miINT64, miUINT64                 = 7, 9, 12, 13
	miMATRIX, miCOMPRESSED                                = 14, 15
)

var matWidth = map[uint32]int{miINT8: 1, miUINT8: 1, miINT16: 2, miUINT16: 2, miINT32: 4, miUINT32: 4, miSINGLE: 4, miDOUBLE: 8, miINT64: 8, miUINT64: 8}

// next splits the first element off b.
func (m *matReader) next(b []byte) (kind uint32, body, rest []byte, err error) {
	if len(b) < 8 {
		return 0, nil, nil, bad(ErrFormat, m.file, "the file ends within an element")
	}
	tag := m.order.Uint32(b)
	if small := tag >> 16; small != 0 { // up to four bytes beside the tag
		if small > 4 {
			return 0, nil, nil, bad(ErrFormat, m.file, "a small element of %d bytes", small)
		}
		return tag & 0xffff, b[4 : 4+small], b[8:], nil
	}
	size := uint64(m.order.Uint32(b[4:]))
	if size > uint64(len(b)-8) {
		return 0, nil, nil, bad(ErrFormat, m.file, "an element of %d bytes where %d are left; the file is cut off", size, len(b)-8)
	}
	end := 8 + int(size)
	if pad := end % 8; pad != 0 && tag != miCOMPRESSED {
		end = min(end+8-pad, len(b))
	}
	return tag, b[8 : 8+size], b[end:], nil
}

// elements reads the variables of b, from a file of size bytes.
func (m *matReader) elements(b []byte, size int) error {
	for len(b) > 0 {
		kind, body, rest, err := m.next(b)
		if err != nil {
			return err
		}
		b = rest
		switch kind {
		case miCOMPRESSED:
			z, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				return bad(ErrFormat, m.file, "%v", err)
			}
			limit := int64(maxDeflate)*int64(len(body)) + 1024
			plain, err := io.ReadAll(io.LimitReader(z, limit))
			if err != nil {
				return bad(ErrFormat, m.file, "%v", err)
			}
			kind, body, _, err = m.next(plain)
			if err != nil {
				return err
			}
			if kind != miMATRIX {
				continue
			}
			if err := m.matrix(body); err != nil {
				return err
			}
		case miMATRIX:
			if err := m.matrix(body); err != nil {
				return err
			}
		}
	}
	return nil
}

// matrix reads one variable.
func (m *matReader) matrix(b []byte) error {
	_, flags, b, err := m.next(b)
	if err != nil {
		return err
	}
	_, dims, b, err := m.next(b)
	if err != nil {
		return err
	}
	_, name, b, err := m.next(b)
	if err != nil {
		return err
	}
	if len(flags) < 8 {
		return bad(ErrFormat, m.file, "array flags of %d bytes", len(flags))
	}
	const complexBit, double, uint64Class = 0x0800, 6, 15
	word := m.order.Uint32(flags)
	if class := word & 0xff; class < double || class > uint64Class || word&complexBit != 0 {
		return nil // cells, structures, text, sparse or complex
	}
	kind, values, _, err := m.next(b)
	if err != nil {
		return err
	}
	a := &array{}
	count := uint64(1)
	for k := 0; k+4 <= len(dims); k += 4 {
		side := m.order.Uint32(dims[k:])
		if side != 0 && count > uint64(len(values)+1)/uint64(side)+1 {
			return bad(ErrFormat, m.file, "variable %q claims more values than it has", name)
		}
		a.shape = append(a.shape, int(side))
		count *= uint64(side)
	}
	width := matWidth[kind]
	if width == 0 || count*uint64(width) != uint64(len(values)) {
		return bad(ErrFormat, m.file, "variable %q of shape %v has %d bytes of type %d", name, a.shape, len(values), kind)
	}
	a.values = make([]float64, count)
	for i := range a.values {
		a.values[i] = m.value(kind, values[i*width:])
	}
	a.values = npy.RowMajor(a.shape, a.values)
	key := strings.TrimRight(string(name), "\x00")
	m.vars[key] = a
	m.names = append(m.names, key)
	return nil
}

// value decodes one number.
func (m *matReader) value(kind uint32, b []byte) float64 {
	switch kind {
	case miINT8:
		return float64(int8(b[0]))
	case miUINT8:
		return float64(b[0])
	case miINT16:
		return float64(int16(m.order.Uint16(b)))
	case miUINT16:
		return float64(m.order.Uint16(b))
	case miINT32:
		return float64(int32(m.order.Uint32(b)))
	case miUINT32:
		return float64(m.order.Uint32(b))
	case miSINGLE:
		return float64(math.Float32frombits(m.order.Uint32(b)))
	case miINT64:
		return float64(int64(m.order.Uint64(b)))
	case miUINT64:
		return float64(m.order.Uint64(b))
	}
	return math.Float64frombits(m.order.Uint64(b))
}
