package datasets

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// MAT says which variables of a MATLAB file hold what. The zero value takes the
// samples from fea, X, data or the largest matrix, and the labels from gnd, y, Y,
// label or labels; labels that count from 1 are shifted to count from 0, and the
// classes are called by their numbers in the file.
type MAT struct {
	X, Y string
	// Columns is true where the samples are the columns of X.
	Columns bool
}

// ReadMAT reads the real numeric matrices of a MATLAB 5 file, whose elements may be
// compressed (version 7). Other variables are skipped. Versions 4 and 7.3 (HDF5) give
// [ErrUnsupported]. Pictures are recognised as by [ReadNPZ], with pixels by columns as
// MATLAB writes them.
func ReadMAT(path string, opt MAT) (*data.Data, error) {
	d, err := openMAT(path, opt)
	if err != nil {
		return nil, err
	}
	return guessImage(d, true), nil
}

func openMAT(path string, opt MAT) (*data.Data, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readMAT(f, size, path, opt)
}

// readMAT reads a file of size bytes.
func readMAT(r io.Reader, size int64, file string, opt MAT) (*data.Data, error) {
	var head [128]byte
	got, _ := io.ReadFull(r, head[:])
	switch {
	case bytes.HasPrefix(head[:], []byte("MATLAB 7.3")) || bytes.HasPrefix(head[:], []byte("\x89HDF")):
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "a version 7.3 (HDF5) file"))
	case got < len(head) || !bytes.HasPrefix(head[:], []byte("MATLAB 5")):
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "neither a version 5 nor a version 7 file"))
	}
	m := matReader{file: file, vars: map[string]*array{}, budget: files.NewBudget()}
	switch string(head[126:]) {
	case "IM":
		m.order = binary.LittleEndian
	case "MI":
		m.order = binary.BigEndian
	default:
		return nil, bad(ErrFormat, file, "no byte-order mark at the end of the header")
	}
	if err := m.elements(&io.LimitedReader{R: bufio.NewReader(r), N: size - int64(len(head))}); err != nil {
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
		x = &array{[]int{x.shape[1], x.shape[0]}, files.RowMajor([]int{x.shape[1], x.shape[0]}, x.values)}
	}
	if y != nil && len(y.values) > 0 && slices.Min(y.values) >= 1 {
		for i := range y.values {
			y.values[i]--
		}
		d, err := x.data(file, y)
		if err == nil {
			d.ClassNames = numbered(d)
		}
		return d, err
	}
	return x.data(file, y)
}

// numbered returns the numbers from 1 that classes had in the file, nil if they are too
// many for names.
func numbered(d *data.Data) []string {
	const most = 10_000
	classes := d.Classes()
	if len(classes) == 0 || classes[len(classes)-1] >= most {
		return nil
	}
	names := make([]string, classes[len(classes)-1]+1)
	for k := range names {
		names[k] = strconv.Itoa(k + 1)
	}
	return names
}

// matReader collects the numeric matrices of a file, row-major.
type matReader struct {
	file   string
	order  binary.ByteOrder
	budget *files.Budget
	vars   map[string]*array
	names  []string
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
	miMATRIX, miCOMPRESSED = 14, 15
)

// matTypes are the types of numbers.
var matTypes = map[uint32]files.Number{
	1: files.Numbers["i1"], 2: files.Numbers["u1"], 3: files.Numbers["i2"], 4: files.Numbers["u2"], 5: files.Numbers["i4"],
	6: files.Numbers["u4"], 7: files.Numbers["f4"], 9: files.Numbers["f8"], 12: files.Numbers["i8"], 13: files.Numbers["u8"],
}

// element is a data element, whose body is read from in.
type element struct {
	kind uint32
	body *io.LimitedReader
	pad  int64 // bytes between the body and the next element
	in   *io.LimitedReader
}

// next begins the next element of in; at the end of in it returns io.EOF.
func (m *matReader) next(in *io.LimitedReader) (*element, error) {
	var tag [8]byte
	if _, err := io.ReadFull(in, tag[:]); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, m.broken(err)
	}
	word := m.order.Uint32(tag[:])
	if small := int64(word >> 16); small != 0 { // up to four bytes within the tag
		if small > 4 {
			return nil, bad(ErrFormat, m.file, "a small element of %d bytes", small)
		}
		return &element{kind: word & 0xffff, body: &io.LimitedReader{R: bytes.NewReader(tag[4:]), N: small}, in: in}, nil
	}
	size := int64(m.order.Uint32(tag[4:]))
	if size > in.N {
		return nil, bad(ErrFormat, m.file, "an element of %d bytes where %d are left; the file is truncated", size, in.N)
	}
	e := &element{kind: word, body: &io.LimitedReader{R: in, N: size}, in: in}
	if word != miCOMPRESSED {
		e.pad = min(-size&7, in.N-size)
	}
	return e, nil
}

// skip moves to the end of the element.
func (m *matReader) skip(e *element) error {
	if _, err := io.Copy(io.Discard, e.body); err != nil {
		return m.broken(err)
	}
	if e.body.N > 0 {
		return m.broken(io.ErrUnexpectedEOF)
	}
	if _, err := io.CopyN(io.Discard, e.in, e.pad); err != nil && err != io.EOF {
		return m.broken(err)
	}
	return nil
}

// part returns the whole of the next element, of at most most bytes.
func (m *matReader) part(in *io.LimitedReader, most int64) ([]byte, error) {
	e, err := m.next(in)
	if err != nil {
		return nil, m.broken(err)
	}
	if e.body.N > most {
		return nil, bad(ErrFormat, m.file, "a part of %d bytes where at most %d are expected", e.body.N, most)
	}
	raw := make([]byte, e.body.N)
	if _, err := io.ReadFull(e.body, raw); err != nil {
		return nil, m.broken(err)
	}
	return raw, m.skip(e)
}

// broken returns the error for a file that ends too early or whose compressed parts are
// damaged. Errors of this package are returned unchanged.
func (m *matReader) broken(err error) error {
	if errors.Is(err, ErrFormat) || errors.Is(err, data.ErrTooLarge) {
		return err
	}
	return bad(ErrFormat, m.file, "within an element: %v", err)
}

// elements reads the variables of a file.
func (m *matReader) elements(in *io.LimitedReader) error {
	for {
		e, err := m.next(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch e.kind {
		case miCOMPRESSED:
			if err := m.compressed(e.body); err != nil {
				return err
			}
		case miMATRIX:
			if err := m.matrix(e.body); err != nil {
				return err
			}
		}
		if err := m.skip(e); err != nil {
			return err
		}
	}
}

// compressed reads the variable that body holds.
func (m *matReader) compressed(body *io.LimitedReader) error {
	limit := maxDeflate*body.N + 1024
	z, err := zlib.NewReader(body)
	if err != nil {
		return m.broken(err)
	}
	defer z.Close()
	plain := &io.LimitedReader{R: z, N: limit}
	e, err := m.next(plain)
	if err != nil {
		return m.broken(err)
	}
	if e.kind == miMATRIX {
		if err := m.matrix(e.body); err != nil {
			return err
		}
	}
	// The end of the stream verifies its checksum.
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return m.broken(err)
	}
	return nil
}

// matrix reads one variable; it skips those that are not real numeric arrays.
func (m *matReader) matrix(in *io.LimitedReader) error {
	flags, err := m.part(in, 8)
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
	dims, err := m.part(in, 4*files.MaxRank)
	if err != nil {
		return err
	}
	name, err := m.part(in, 1<<10)
	if err != nil {
		return err
	}
	values, err := m.next(in)
	if err != nil {
		return m.broken(err)
	}
	a := &array{}
	for k := 0; k+4 <= len(dims); k += 4 {
		a.shape = append(a.shape, int(m.order.Uint32(dims[k:])))
	}
	kind, known := matTypes[values.kind]
	if size := values.body.N; !known {
		return bad(ErrFormat, m.file, "variable %q has values of type %d", name, values.kind)
	} else if n, ok := files.Count(a.shape, size); !ok || n*int64(kind.Width) != size {
		return bad(ErrFormat, m.file, "variable %q of shape %v has %d bytes of values of %d", name, a.shape, size, kind.Width)
	}
	count, err := m.budget.TakeArray(a.shape)
	if err != nil {
		return tooLarge(m.file, err)
	}
	if a.values, err = files.ReadNumbers(values.body, count, m.order, kind); err != nil {
		return m.broken(err)
	}
	a.values = files.RowMajor(a.shape, a.values)
	key := strings.TrimRight(string(name), "\x00")
	m.vars[key] = a
	m.names = append(m.names, key)
	return nil
}
