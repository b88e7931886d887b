package datasets

import (
	"archive/zip"
	"errors"
	"io"
	"math"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
)

// NPZ names the arrays of a NumPy file. The zero value reads X and, if they exist, y and
// image_shape.
type NPZ struct {
	// X names the array with one sample per row. "" means "X", or the matrix of a file written by
	// scipy.sparse.save_npz. An array with more than two axes is flattened to rows. With three
	// axes, the samples are images.
	X string
	// Y names the labels. "" means "y", which may be missing. Whole numbers below 0 and NaN mean
	// unlabelled. If −1 and 1 are the only numbers, they are two classes instead. Texts are class
	// names. One-hot labels are accepted too: one column per class, with a single 1 in each row. If
	// the labels are ambiguous, the interpretation is recorded in the Notes of the data.
	Y string
	// Target names an array with one measured value for each row, or NaN if the value is unknown,
	// see [data.Data.WithTarget]. "" means none. If there is a target, "y" is not read as labels,
	// unless Y names it.
	Target string
}

// maxDeflate is the maximum compression ratio of deflate. An entry with a higher ratio is invalid.
const maxDeflate = 1032

// ReadNPZ reads a NumPy .npz file, compressed or not. It also reads the sparse matrices of SciPy
// (CSR, CSC, COO), as dense matrices. If the file has no image_shape, rows are treated as square
// images if the side is at least 8 pixels and the values look like grey values. This is recorded in
// the Notes of the data, and WithImage(data.Image{}) undoes it.
func ReadNPZ(path string, opt NPZ) (*data.Data, error) {
	d, err := openNPZ(path, opt)
	return withImage(d, err, false)
}

func openNPZ(path string, opt NPZ) (*data.Data, error) {
	return opened(path, func(f *os.File, size int64) (*data.Data, error) { return readNPZ(f, size, path, opt) })
}

// ReadNPY reads a NumPy .npy file as samples without labels. Images are detected as in [ReadNPZ].
func ReadNPY(path string) (*data.Data, error) {
	a, err := opened(path, func(f *os.File, size int64) (*array, error) { return readNPY(f, size, path, files.NewBudget()) })
	if err != nil {
		return nil, err
	}
	d, err := a.data(path, nil)
	return withImage(d, err, false)
}

func readNPZ(r io.ReaderAt, size int64, file string, opt NPZ) (*data.Data, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, bad(ErrFormat, file, "%v", err)
	}
	named := opt.Y != ""
	if !named {
		opt.Y = "y"
	}
	entries := map[string]*zip.File{}
	var names []string
	for _, f := range z.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			entries[name] = f
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, advice.With("save the samples as X, in NumPy with np.savez(file, X=X)", bad(ErrFormat, file, "the archive has no arrays"))
	}
	n := npzReader{file: file, size: size, entries: entries, budget: files.NewBudget()}
	if named && entries[opt.Y] == nil {
		return nil, advice.With("set NPZ.Y to one of them", bad(ErrFormat, file, "there are no labels %q among the variables %q", opt.Y, names))
	}
	if opt.Target != "" && entries[opt.Target] == nil {
		return nil, advice.With("name one of them in NPZ.Target", bad(ErrFormat, file, "there is no target %q among the variables %q", opt.Target, names))
	}
	var x *array
	if entries["format"] != nil && entries["shape"] != nil && (opt.X == "" && entries["X"] == nil || opt.X == "data") {
		x, err = n.sparse()
	} else {
		if opt.X == "" {
			opt.X = "X"
		}
		if entries[opt.X] == nil {
			return nil, advice.With("set NPZ.X to one of them", bad(ErrFormat, file, "there is no array %q among %q", opt.X, names))
		}
		x, err = n.array(opt.X)
	}
	if err != nil {
		return nil, err
	}
	arrays := map[string]*array{}
	for _, name := range []string{opt.Y, opt.Target, "image_shape"} {
		if entries[name] != nil && arrays[name] == nil {
			if arrays[name], err = n.array(name); err != nil {
				return nil, err
			}
		}
	}
	labels := arrays[opt.Y]
	if !named && opt.Y == opt.Target {
		labels = nil
	}
	d, err := x.data(file, labels)
	if err != nil {
		return nil, err
	}
	if t := arrays[opt.Target]; t != nil {
		if d, err = t.target(d, file, opt.Target, "NPZ"); err != nil {
			return nil, err
		}
	}
	if s := arrays["image_shape"]; s != nil && len(s.values) == 2 {
		h, w := s.values[0], s.values[1]
		if h >= 1 && h == math.Trunc(h) && w == math.Trunc(w) && h*w == float64(d.Dim()) {
			d.Image = data.Image{Height: int(h), Width: int(w)}
		}
	}
	return d, nil
}

// npzReader reads the arrays of a file. size is the size of the file in bytes.
type npzReader struct {
	file    string
	size    int64
	entries map[string]*zip.File
	budget  *files.Budget
}

// array reads an array of the file.
func (n *npzReader) array(name string) (*array, error) {
	f := n.entries[name]
	if f.UncompressedSize64 > maxDeflate*uint64(n.size)+1024 {
		return nil, bad(ErrFormat, n.file, "array %s claims %d bytes in a file of %d bytes", name, f.UncompressedSize64, n.size)
	}
	entry, err := f.Open()
	if err != nil {
		return nil, bad(ErrFormat, n.file, "array %s: %v", name, err)
	}
	defer entry.Close()
	a, err := readNPY(entry, int64(f.UncompressedSize64), n.file+"/"+name, n.budget)
	if err != nil {
		return nil, err
	}
	// Reading to the end verifies the checksum.
	if _, err := io.Copy(io.Discard, entry); err != nil {
		return nil, bad(ErrFormat, n.file, "array %s: %v", name, err)
	}
	return a, nil
}

// sparse reads the matrix in a file written by scipy.sparse.save_npz.
func (n *npzReader) sparse() (*array, error) {
	format, err := n.array("format")
	if err != nil {
		return nil, err
	}
	shape, err := n.array("shape")
	if err != nil {
		return nil, err
	}
	s, kind := &sparse{}, ""
	if len(format.texts) == 1 {
		kind = format.texts[0]
	}
	parts := map[string]*[]float64{"data": &s.values}
	switch kind {
	case "csr":
		parts["indices"], parts["indptr"] = &s.col, &s.ptr
	case "csc":
		parts["indices"], parts["indptr"] = &s.row, &s.ptr
	case "coo":
		parts["row"], parts["col"] = &s.row, &s.col
	default:
		return nil, advice.With("save it with scipy.sparse.save_npz(file, X.tocsr())", bad(ErrUnsupported, n.file, "the sparse matrix has the format %q instead of csr, csc or coo", kind))
	}
	// Bound each side, so that the budget can check the product of both sides.
	const longest = 1 << 48
	if len(shape.values) != 2 || !whole(shape.values[0], longest) || !whole(shape.values[1], longest) {
		return nil, bad(ErrFormat, n.file, "a sparse matrix has the invalid shape %v", shape.values)
	}
	s.rows, s.cols = int(shape.values[0]), int(shape.values[1])
	for _, name := range []string{"data", "indices", "indptr", "row", "col"} {
		to := parts[name]
		if to == nil {
			continue
		}
		if n.entries[name] == nil {
			return nil, bad(ErrFormat, n.file, "a sparse matrix lacks its array %q", name)
		}
		a, err := n.array(name)
		if err != nil {
			return nil, err
		}
		if a.values == nil || len(a.shape) != 1 {
			return nil, bad(ErrFormat, n.file, "the array %q of a sparse matrix has the invalid shape %v", name, a.shape)
		}
		*to = a.values
	}
	return s.array(n.file, n.budget)
}

// array is an array of numbers or texts, of any rank and in row-major order.
type array struct {
	shape  []int
	values []float64
	texts  []string
}

// data converts the array to samples, and y to labels. y may be nil.
func (a *array) data(file string, y *array) (*data.Data, error) {
	if a.texts != nil {
		return nil, advice.With("save measurements as numbers in one array, and class names in another", bad(ErrUnsupported, file, "the array of samples contains text"))
	}
	n, features := 1, 1
	if len(a.shape) > 0 {
		n = a.shape[0]
	}
	for _, s := range a.shape[min(1, len(a.shape)):] {
		features *= s
	}
	if n < 1 || features < 1 {
		return nil, bad(ErrFormat, file, "an array of shape %v has no samples or no features", a.shape)
	}
	var c classes
	if y != nil {
		var err error
		if c, err = y.classes(file, n); err != nil {
			return nil, err
		}
	}
	d := data.New(mat.NewDense(n, features, a.values), c.labels)
	d.Name, d.ClassNames, d.Notes = baseName(file), c.names, c.notes
	if len(a.shape) == 3 {
		d.Image = data.Image{Height: a.shape[1], Width: a.shape[2]}
	}
	return d, d.Err()
}

// readNPY reads a .npy stream of at most size bytes, including the header.
func readNPY(r io.Reader, size int64, file string, budget *files.Budget) (*array, error) {
	a, err := npy.Read(r, size, budget)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil, tooLarge(file, err)
	case errors.Is(err, npy.ErrUnsupported):
		return nil, advice.With(advice.Of(err), bad(ErrUnsupported, file, "%v", advice.Cause(err)))
	case err != nil:
		return nil, bad(ErrFormat, file, "%v", err)
	}
	return &array{a.Shape, a.Values, a.Texts}, nil
}

// baseName returns the name of a file without the folder and without the extensions of format and
// compression.
func baseName(file string) string {
	file = file[strings.LastIndexAny(file, `/\`)+1:]
	for _, compression := range []string{".gz", ".zst"} {
		file = strings.TrimSuffix(file, compression)
	}
	if dot := strings.LastIndexByte(file, '.'); dot > 0 {
		file = file[:dot]
	}
	return file
}
