package datasets

import (
	"archive/zip"
	"errors"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
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

// maxDeflate is the best ratio of deflate; an entry that claims more is invalid.
const maxDeflate = 1032

// ReadNPZ reads a NumPy .npz file, compressed or not. If it does not say how rows are laid
// out as pictures, but their width is a square from 8×8 and their values look like pixels,
// they are taken for square pictures; a note of the data says so, and
// WithImage(data.Image{}) refuses.
func ReadNPZ(path string, opt NPZ) (*data.Data, error) {
	d, err := openNPZ(path, opt)
	if err != nil {
		return nil, err
	}
	return guessImage(d, false), nil
}

func openNPZ(path string, opt NPZ) (*data.Data, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readNPZ(f, size, path, opt)
}

// ReadNPY reads a NumPy .npy file as samples without labels. Pictures are recognised as by
// [ReadNPZ].
func ReadNPY(path string) (*data.Data, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := readNPY(f, size, path, files.NewBudget())
	if err != nil {
		return nil, err
	}
	d, err := a.data(path, nil)
	if err != nil {
		return nil, err
	}
	return guessImage(d, false), nil
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
	budget := files.NewBudget()
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
		a, err := readNPY(entry, int64(f.UncompressedSize64), file+"/"+name, budget)
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
		return nil, advice.With("name it in NPZ.X", bad(ErrFormat, file, "no array %q among %q", opt.X, names))
	}
	d, err := x.data(file, arrays[opt.Y])
	if err != nil {
		return nil, err
	}
	if s := arrays["image_shape"]; s != nil && len(s.values) == 2 {
		h, w := s.values[0], s.values[1]
		if h >= 1 && h == math.Trunc(h) && w == math.Trunc(w) && h*w == float64(d.Dim()) {
			d.Image = data.Image{Height: int(h), Width: int(w)}
		}
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
			if v != math.Trunc(v) || math.Abs(v) > data.MaxLabel {
				return nil, bad(ErrFormat, file, "label %d is %v; labels are whole numbers up to %d", i, v, data.MaxLabel)
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
func readNPY(r io.Reader, size int64, file string, budget *files.Budget) (*array, error) {
	a, err := npy.Read(r, size, budget)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil, tooLarge(file, err)
	case errors.Is(err, npy.ErrUnsupported):
		return nil, bad(ErrUnsupported, file, "%v", err)
	case err != nil:
		return nil, bad(ErrFormat, file, "%v", err)
	}
	return &array{a.Shape, a.Values}, nil
}

// baseName is the file's name without folder and ending.
func baseName(file string) string {
	file = file[strings.LastIndexAny(file, `/\`)+1:]
	if dot := strings.IndexByte(file, '.'); dot > 0 {
		file = file[:dot]
	}
	return file
}
