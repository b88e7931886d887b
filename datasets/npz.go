package datasets

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// NPZ says which arrays of a NumPy file hold what. The zero value reads X, y and,
// where there is one, image_shape.
type NPZ struct {
	// X names the array with one sample per row; "" means "X". An array of more
	// than two axes is flattened to rows, and rank 3 makes pictures.
	X string
	// Y names the labels; "" means "y". They may be missing. Values below 0 are
	// unlabelled.
	Y string
}

// maxDeflate is the best ratio of deflate: an entry that claims more lies.
const maxDeflate = 1032

// ReadNPZ reads a NumPy .npz file, compressed or not.
func ReadNPZ(path string, opt NPZ) (*data.Data, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readNPZ(f, info.Size(), path, opt)
}

// ReadNPY reads a NumPy .npy file as samples without labels.
func ReadNPY(path string) (*data.Data, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	a, err := readNPY(f, info.Size(), path)
	if err != nil {
		return nil, err
	}
	return a.data(path, nil)
}

func readNPZ(r io.ReaderAt, size int64, file string, opt NPZ) (*data.Data, error) {
	if opt.X == "" {
		opt.X = "X"
	}
	if opt.Y == "" {
		opt.Y = "y"
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, bad(ErrFormat, file, "%v", err)
	}
	arrays := map[string]*array{}
	var names []string
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		names = append(names, name)
		if name != opt.X && name != opt.Y && name != "image_shape" {
			continue
		}
		if f.UncompressedSize64 > maxDeflate*uint64(size)+1024 {
			return nil, bad(ErrFormat, file, "array %s claims %d bytes in a file of %d", name, f.UncompressedSize64, size)
		}
		entry, err := f.Open()
		if err != nil {
			return nil, bad(ErrFormat, file, "array %s: %v", name, err)
		}
		a, err := readNPY(entry, int64(f.UncompressedSize64), file+"/"+name)
		if err == nil {
			if _, e := io.Copy(io.Discard, entry); e != nil { // the checksum
				err = bad(ErrFormat, file, "array %s: %v", name, e)
			}
		}
		entry.Close()
		if err != nil {
			return nil, err
		}
		arrays[name] = a
	}
	x := arrays[opt.X]
	if x == nil {
		return nil, bad(ErrFormat, file, "no array %q among %q; name it in NPZ.X", opt.X, names)
	}
	d, err := x.data(file, arrays[opt.Y])
	if err != nil {
		return nil, err
	}
	if s := arrays["image_shape"]; s != nil && len(s.values) == 2 && int(s.values[0])*int(s.values[1]) == d.Dim() {
		d.Image = data.Image{Height: int(s.values[0]), Width: int(s.values[1])}
	}
	return d, nil
}

// array is a NumPy array of any rank, row-major.
type array struct {
	shape  []int
	values []float64
}

// data makes samples of the array and labels of y, which may be nil.
func (a *array) data(file string, y *array) (*data.Data, error) {
	n, features := 1, 1
	if len(a.shape) > 0 {
		n = a.shape[0]
	}
	for _, s := range a.shape[min(1, len(a.shape)):] {
		features *= s
	}
	if n < 1 || features < 1 {
		return nil, bad(ErrFormat, file, "array of shape %v has no samples", a.shape)
	}
	var labels []int
	if y != nil {
		if len(y.values) != n {
			return nil, bad(ErrFormat, file, "%d labels for %d samples", len(y.values), n)
		}
		labels = make([]int, n)
		for i, v := range y.values {
			if v != float64(int32(v)) {
				return nil, bad(ErrFormat, file, "label %d is %v, not a whole number", i, v)
			}
			labels[i] = max(int(v), data.Unlabelled)
		}
	}
	d := data.New(mat.NewDense(n, features, a.values), labels)
	d.Name = baseName(file)
	if len(a.shape) == 3 {
		d.Image = data.Image{Height: a.shape[1], Width: a.shape[2]}
	}
	return d, d.Err()
}

// readNPY reads a .npy stream of at most size bytes, header included.
func readNPY(r io.Reader, size int64, file string) (a *array, err error) {
	defer func() {
		if p := recover(); p != nil { // npyio panics on some malformed headers
			a, err = nil, bad(ErrFormat, file, "malformed array: %v", p)
		}
	}()
	npy, err := npyio.NewReader(io.LimitReader(r, size))
	if err != nil {
		return nil, bad(ErrFormat, file, "%v", err)
	}
	h := npy.Header.Descr
	kind, ok := npyTypes[strings.TrimLeft(h.Type, "<>|=")]
	if !ok {
		return nil, bad(ErrUnsupported, file, "array of type %q; save it as numbers, e.g. by X.astype(float)", h.Type)
	}
	count := int64(1)
	for _, s := range h.Shape {
		if s < 0 || (s > 0 && count > size/int64(s)) {
			return nil, bad(ErrFormat, file, "shape %v does not fit in %d bytes", h.Shape, size)
		}
		count *= int64(s)
	}
	if count*int64(kind.Size()) > size {
		return nil, bad(ErrFormat, file, "shape %v of %s does not fit in %d bytes", h.Shape, h.Type, size)
	}
	raw := reflect.New(reflect.SliceOf(kind))
	raw.Elem().Set(reflect.MakeSlice(reflect.SliceOf(kind), int(count), int(count)))
	if err := npy.Read(raw.Interface()); err != nil {
		return nil, bad(ErrFormat, file, "%v", err)
	}
	a = &array{shape: h.Shape, values: make([]float64, count)}
	convert(a.values, raw.Elem().Interface())
	if h.Fortran && len(h.Shape) > 1 {
		a.values = fromFortran(a.shape, a.values)
	}
	return a, nil
}

var npyTypes = map[string]reflect.Type{
	"f8": reflect.TypeFor[float64](), "f4": reflect.TypeFor[float32](), "b1": reflect.TypeFor[bool](),
	"i1": reflect.TypeFor[int8](), "i2": reflect.TypeFor[int16](), "i4": reflect.TypeFor[int32](), "i8": reflect.TypeFor[int64](),
	"u1": reflect.TypeFor[uint8](), "u2": reflect.TypeFor[uint16](), "u4": reflect.TypeFor[uint32](), "u8": reflect.TypeFor[uint64](),
}

func convert(dst []float64, src any) {
	switch s := src.(type) {
	case []float64:
		copy(dst, s)
	case []bool:
		for i, v := range s {
			if v {
				dst[i] = 1
			}
		}
	case []float32:
		widen(dst, s)
	case []int8:
		widen(dst, s)
	case []int16:
		widen(dst, s)
	case []int32:
		widen(dst, s)
	case []int64:
		widen(dst, s)
	case []uint8:
		widen(dst, s)
	case []uint16:
		widen(dst, s)
	case []uint32:
		widen(dst, s)
	case []uint64:
		widen(dst, s)
	default:
		panic(fmt.Sprintf("type %T", src)) // not reached: npyTypes lists the same types
	}
}

func widen[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32](dst []float64, src []T) {
	for i, v := range src {
		dst[i] = float64(v)
	}
}

// fromFortran turns column-major values into row-major ones.
func fromFortran(shape []int, v []float64) []float64 {
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

// baseName is the file's name without folder and ending.
func baseName(file string) string {
	file = file[strings.LastIndexAny(file, `/\`)+1:]
	if dot := strings.IndexByte(file, '.'); dot > 0 {
		file = file[:dot]
	}
	return file
}
