package datasets

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// MAT names the variables of a MATLAB file. If X is "", the samples are fea, X or data, or else the
// largest matrix, which a note then names. If Y is "", the labels are gnd, y, Y, label or labels.
// If all labels are at least 1, each is reduced by 1, and the class names are the numbers in the
// file. Otherwise the rules of [NPZ] apply. The rows of a character matrix and the texts of a cell
// array are class names. Target is a variable with a measured value for each sample, see [NPZ]. It
// is not read as labels or samples unless Y or X names it too.
type MAT struct {
	X, Y, Target string
	// Columns means that the samples are the columns of X.
	Columns bool
}

// ReadMAT reads the matrices of a MATLAB 5 file, whose elements may be compressed (version 7). It
// supports real numbers, logical values, sparse matrices (read as dense matrices) and texts.
// Samples or labels of another type give [ErrUnsupported], as do files of versions 4 and 7.3 (HDF5)
// and files that do not come from MATLAB. Other variables are skipped. Images are detected as in
// [ReadNPZ], with pixels in MATLAB's column-major order.
func ReadMAT(path string, opt MAT) (*data.Data, error) {
	d, err := openMAT(path, opt)
	return withImage(d, err, true)
}

func openMAT(path string, opt MAT) (*data.Data, error) {
	return opened(path, func(f *os.File, size int64) (*data.Data, error) { return readMAT(f, size, path, opt) })
}

// readMAT reads a MATLAB file. size is its length in bytes.
func readMAT(r io.Reader, size int64, file string, opt MAT) (*data.Data, error) {
	var head [128]byte
	got, _ := io.ReadFull(r, head[:])
	switch {
	case bytes.HasPrefix(head[:], []byte("MATLAB 7.3")) || bytes.HasPrefix(head[:], []byte("\x89HDF")):
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "this is a file of version 7.3 (HDF5)"))
	case got < len(head) || !bytes.HasPrefix(head[:], []byte("MATLAB 5")):
		return nil, advice.With("save it in MATLAB with -v7", bad(ErrUnsupported, file, "this is not a MATLAB file of version 5 or 7"))
	}
	m := matReader{file: file, vars: map[string]*variable{}, budget: files.NewBudget()}
	switch string(head[126:]) {
	case "IM":
		m.order = binary.LittleEndian
	case "MI":
		m.order = binary.BigEndian
	default:
		return nil, damaged(file, "the header does not end with a byte-order mark")
	}
	if err := m.elements(&io.LimitedReader{R: bufio.NewReader(r), N: size - int64(len(head))}); err != nil {
		return nil, err
	}
	if len(m.names) == 0 {
		return nil, advice.With("save the samples as a matrix X", bad(ErrFormat, file, "the file has no variables"))
	}
	if opt.Target != "" && m.vars[opt.Target] == nil {
		return nil, advice.With("name one of them in MAT.Target", bad(ErrFormat, file, "there is no target %q among the variables %q", opt.Target, m.names))
	}
	x, y, note, err := m.samples(opt)
	if err != nil {
		return nil, err
	}
	if opt.Columns {
		x = x.turned()
		if y != nil && len(y.shape) == 2 && y.shape[1] == x.shape[0] && y.texts == nil {
			y = y.turned()
		}
	}
	from1 := y != nil && fromOne(y.values)
	if from1 {
		y = &array{shape: y.shape, values: slices.Clone(y.values)} // X and Target may name the same variable
		for i := range y.values {
			y.values[i]--
		}
	}
	d, err := x.data(file, y)
	if err != nil {
		if y != nil && !opt.Columns && len(y.values) == x.shape[1] && x.shape[0] != x.shape[1] {
			err = advice.With("set MAT.Columns if the samples are the columns", advice.Cause(err))
		}
		return nil, err
	}
	if opt.Target != "" {
		if d, err = m.target(d, opt.Target); err != nil {
			return nil, err
		}
	}
	if from1 {
		d.ClassNames = numbered(d)
	}
	if note != "" {
		d.Notes = append(d.Notes, note)
	}
	return d, nil
}

// fromOne reports whether the numbers of the classes begin at 1: at least one label is known, and
// all known labels are whole numbers of at least 1.
func fromOne(labels []float64) bool {
	known := false
	for _, v := range labels {
		if v < 1 || v-math.Trunc(v) > 0 { // both conditions are false for NaN
			return false
		}
		known = known || v >= 1
	}
	return known
}

// turned returns the transpose of a matrix of numbers.
func (a *array) turned() *array {
	shape := []int{a.shape[1], a.shape[0]}
	return &array{shape: shape, values: files.RowMajor(shape, a.values)}
}

// numbered returns the class names "1", "2", …, which are the numbers of the classes in the file.
// It returns nil if there are too many classes for names.
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

// matReader collects the variables of a file.
type matReader struct {
	file   string
	order  binary.ByteOrder
	budget *files.Budget
	vars   map[string]*variable
	names  []string
}

// variable is an array of a file. kind is "", or a description of the type if it is not supported.
// In that case, remedy is a format string for a remedy: a way to save the variable in a supported
// type. The argument of the format is the name of the variable.
type variable struct {
	*array
	sparse       *sparse // sparse matrix, converted to a dense array by get
	kind, remedy string
}

// size returns the number of values of the variable as a dense array.
func (v *variable) size() float64 {
	size := 1.0
	for _, s := range v.shape {
		size *= float64(s)
	}
	return size
}

// Usual names of samples and labels in MATLAB files.
var (
	sampleNames = []string{"fea", "X", "data"}
	labelNames  = []string{"gnd", "y", "Y", "label", "labels"}
)

// target returns the data with the named variable as target values.
func (m *matReader) target(d *data.Data, name string) (*data.Data, error) {
	t, err := m.get(name)
	if err != nil {
		return nil, err
	}
	return t.target(d, m.file, name, "MAT")
}

// samples returns the samples, and the labels or nil. If opt.X is "" and no variable has one of the
// names in sampleNames, the note names the variable that was read as samples, and the variables
// that were skipped because their types are not supported.
func (m *matReader) samples(opt MAT) (x, y *array, note string, err error) {
	xName, yName := m.pick(opt.X, sampleNames, opt.Target), m.pick(opt.Y, labelNames, opt.Target)
	if opt.Y != "" && yName == "" {
		return nil, nil, "", advice.With("set MAT.Y to one of them", bad(ErrFormat, m.file, "there are no labels %q among the variables %q", opt.Y, m.names))
	}
	if xName == "" && opt.X == "" {
		for _, name := range m.names {
			v := m.vars[name]
			number := v.texts == nil && (v.kind == "" || v.kind == complexKind)
			if number && len(v.shape) == 2 && !slices.Contains(labelNames, name) && name != yName && name != opt.Target && (xName == "" || v.size() > m.vars[xName].size()) {
				xName = name
			}
		}
		note = fmt.Sprintf("samples read from %s, the largest matrix in the file; choose another with MAT.X", xName)
		for _, name := range m.names {
			switch v := m.vars[name]; {
			case v.kind == "" || name == xName:
			case xName == "":
				_, err := m.get(name)
				return nil, nil, "", err
			default:
				note += fmt.Sprintf("; %s is %s and was skipped", name, v.kind)
			}
		}
	}
	if xName == "" && opt.X != "" {
		return nil, nil, "", advice.With("set MAT.X to one of them", bad(ErrFormat, m.file, "there is no matrix %q among the variables %q", opt.X, m.names))
	}
	if xName == "" {
		return nil, nil, "", advice.With("set MAT.X to the variable that contains the samples, or save them as X", bad(ErrFormat, m.file, "none of the variables %q looks like a matrix of samples", m.names))
	}
	if x, err = m.get(xName); err != nil {
		return nil, nil, "", err
	}
	if len(x.shape) != 2 {
		return nil, nil, "", advice.With(fmt.Sprintf("save it with one sample per row, with X = reshape(%[1]s, [], size(%[1]s, ndims(%[1]s)))' if the last axis counts the samples", xName),
			bad(ErrFormat, m.file, "%s has shape %v and is not a matrix of samples", xName, x.shape))
	}
	if x.texts != nil {
		return nil, nil, "", advice.With("set MAT.X to a numeric matrix", bad(ErrFormat, m.file, "%s contains text", xName))
	}
	if yName == "" {
		return x, nil, note, nil
	}
	if y, err = m.get(yName); err != nil {
		return nil, nil, "", err
	}
	n := x.shape[0]
	if opt.Columns {
		n = x.shape[1]
	}
	// If there is not one text per sample, the texts are not labels but, for example, a title.
	if opt.Y == "" && y.texts != nil && len(y.texts) != n {
		if note != "" {
			note += "; "
		}
		return x, nil, note + fmt.Sprintf("%s has %s for %s and was not read as labels", yName, nouns.Count(len(y.texts), "text"), nouns.Count(n, "sample")), nil
	}
	return x, y, note, nil
}

// pick chooses a variable and returns its name, or "" if the file has no such variable. name is the
// choice of the user. If it is "", pick takes the first variable in `usual` that is not `taken`.
func (m *matReader) pick(name string, usual []string, taken string) string {
	if name != "" {
		usual, taken = []string{name}, ""
	}
	for _, n := range usual {
		if m.vars[n] != nil && n != taken {
			return n
		}
	}
	return ""
}

// get returns the array of a variable.
func (m *matReader) get(name string) (*array, error) {
	v := m.vars[name]
	if v.kind != "" {
		return nil, advice.With(fmt.Sprintf(v.remedy, name), bad(ErrUnsupported, m.file, "%s is %s", name, v.kind))
	}
	if v.sparse != nil {
		return v.sparse.array(m.file+"/"+name, m.budget)
	}
	return v.array, nil
}

// Types of data elements.
const (
	miMATRIX, miCOMPRESSED = 14, 15
)

// matTypes maps type codes to number types.
var matTypes = map[uint32]files.Number{
	1: files.Numbers["i1"], 2: files.Numbers["u1"], 3: files.Numbers["i2"], 4: files.Numbers["u2"], 5: files.Numbers["i4"],
	6: files.Numbers["u4"], 7: files.Numbers["f4"], 9: files.Numbers["f8"], 12: files.Numbers["i8"], 13: files.Numbers["u8"],
}

// element is a data element with its body.
type element struct {
	kind uint32
	body *io.LimitedReader
	pad  int64             // bytes between the body and the next element
	in   *io.LimitedReader // the stream that contains the element
}

// next reads the tag of the next element of in. At the end of in, it returns io.EOF.
func (m *matReader) next(in *io.LimitedReader) (*element, error) {
	var tag [8]byte
	if _, err := io.ReadFull(in, tag[:]); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, m.broken(err)
	}
	word := m.order.Uint32(tag[:])
	// An element of up to four bytes is stored within the tag.
	if small := int64(word >> 16); small != 0 {
		if small > 4 {
			return nil, damaged(m.file, "a small element has %d bytes, more than 4", small)
		}
		return &element{kind: word & 0xffff, body: &io.LimitedReader{R: bytes.NewReader(tag[4:]), N: small}, in: in}, nil
	}
	size := int64(m.order.Uint32(tag[4:]))
	if size > in.N {
		return nil, damaged(m.file, "an element has %d bytes, but only %d are left; the file is truncated", size, in.N)
	}
	e := &element{kind: word, body: &io.LimitedReader{R: in, N: size}, in: in}
	if word != miCOMPRESSED {
		e.pad = min(-size&7, in.N-size)
	}
	return e, nil
}

// skip moves past the element and its padding.
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

// part returns the body of the next element. A body of more than `most` bytes is an error.
func (m *matReader) part(in *io.LimitedReader, most int64) ([]byte, error) {
	e, err := m.next(in)
	if err != nil {
		return nil, m.broken(err)
	}
	if e.body.N > most {
		return nil, damaged(m.file, "a part has %d bytes, more than the expected %d", e.body.N, most)
	}
	raw := make([]byte, e.body.N)
	if _, err := io.ReadFull(e.body, raw); err != nil {
		return nil, m.broken(err)
	}
	return raw, m.skip(e)
}

// broken returns the error for a file that ends too early, or that contains damaged compressed
// parts. Errors of this package are returned unchanged.
func (m *matReader) broken(err error) error {
	if errors.Is(err, ErrFormat) || errors.Is(err, data.ErrTooLarge) {
		return err
	}
	return damaged(m.file, "within an element: %v", err)
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

// compressed reads the compressed variable in body.
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
	// Reading to the end of the stream verifies its checksum.
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return m.broken(err)
	}
	return nil
}

// Classes of arrays.
const (
	mxCELL, mxSTRUCT, mxOBJECT, mxCHAR, mxSPARSE, mxDOUBLE, mxUINT64, mxOPAQUE = 1, 2, 3, 4, 5, 6, 15, 17
)

const complexKind = "a matrix of complex numbers"

// matrix reads one variable.
func (m *matReader) matrix(in *io.LimitedReader) error {
	name, v, err := m.variable(in)
	if err != nil || name == "" { // MATLAB's internal data have no name
		return err
	}
	if m.vars[name] == nil {
		m.names = append(m.names, name)
	}
	m.vars[name] = v
	return nil
}

// variable reads an array with its name.
func (m *matReader) variable(in *io.LimitedReader) (name string, v *variable, err error) {
	flags, err := m.part(in, 8)
	if err != nil {
		return "", nil, err
	}
	if len(flags) < 8 {
		return "", nil, damaged(m.file, "array flags have %d bytes, fewer than 8", len(flags))
	}
	const complexBit = 0x0800
	word := m.order.Uint32(flags)
	class := word & 0xff
	v = &variable{array: &array{}}
	if class != mxOPAQUE { // opaque objects have no dimensions
		dims, err := m.part(in, 4*files.MaxRank)
		if err != nil {
			return "", nil, err
		}
		for k := 0; k+4 <= len(dims); k += 4 {
			v.shape = append(v.shape, int(m.order.Uint32(dims[k:])))
		}
	}
	raw, err := m.part(in, 1<<10)
	if err != nil {
		return "", nil, err
	}
	name = strings.TrimRight(string(raw), "\x00")
	switch {
	case word&complexBit != 0 && class >= mxSPARSE && class <= mxUINT64:
		v.kind, v.remedy = complexKind, "save real(%[1]s) or abs(%[1]s)"
	case class >= mxDOUBLE && class <= mxUINT64:
		err = m.numeric(in, name, v.array)
	case class == mxSPARSE:
		v.sparse, err = m.sparse(in, name, v.shape)
	case class == mxCHAR:
		err = m.char(in, name, v.array)
	case class == mxCELL:
		err = m.cell(in, name, v)
	case class == mxSTRUCT || class == mxOBJECT:
		v.kind, v.remedy = "a structure", "save its fields as variables, with save('file.mat', '-struct', '%s', '-v7')"
	default:
		v.kind, v.remedy = "an object of MATLAB, such as a table, categories or strings", "save text as cellstr(%[1]s) and a table as table2array(%[1]s)"
	}
	return name, v, err
}

// numbers reads an element that contains numbers.
func (m *matReader) numbers(in *io.LimitedReader, name string) ([]float64, error) {
	e, err := m.next(in)
	if err != nil {
		return nil, m.broken(err)
	}
	kind, known := matTypes[e.kind]
	if !known || e.body.N%int64(kind.Width) != 0 {
		return nil, damaged(m.file, "variable %q has %d bytes of values, which do not match type %d", name, e.body.N, e.kind)
	}
	count, err := m.budget.TakeArray([]int{int(e.body.N / int64(kind.Width))})
	if err != nil {
		return nil, tooLarge(m.file, err)
	}
	values, err := files.ReadNumbers(e.body, count, m.order, kind)
	if err != nil {
		return nil, m.broken(err)
	}
	return values, m.skip(e)
}

// numeric reads the values of an array of numbers.
func (m *matReader) numeric(in *io.LimitedReader, name string, a *array) (err error) {
	if a.values, err = m.numbers(in, name); err != nil {
		return err
	}
	if n, ok := files.Count(a.shape, int64(len(a.values))); !ok || n != int64(len(a.values)) {
		return damaged(m.file, "variable %q has %d values, which do not match its shape %v", name, len(a.values), a.shape)
	}
	a.values = files.RowMajor(a.shape, a.values)
	return nil
}

// sparse reads the values of a sparse matrix, stored by MATLAB in compressed columns.
func (m *matReader) sparse(in *io.LimitedReader, name string, shape []int) (*sparse, error) {
	if len(shape) != 2 {
		return nil, damaged(m.file, "variable %q is a sparse matrix of shape %v instead of two dimensions", name, shape)
	}
	s := &sparse{rows: shape[0], cols: shape[1]}
	for _, part := range []*[]float64{&s.row, &s.ptr, &s.values} {
		var err error
		if *part, err = m.numbers(in, name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// char reads a character matrix as one string per row, without trailing blanks and NUL bytes.
func (m *matReader) char(in *io.LimitedReader, name string, a *array) error {
	const miUTF8, miUTF16 = 16, 17
	e, err := m.next(in)
	if err != nil {
		return m.broken(err)
	}
	wide, width := e.kind == 4 || e.kind == miUTF16, int64(1)
	if wide {
		width = 2
	} else if e.kind != miUTF8 && e.kind != 1 && e.kind != 2 {
		return damaged(m.file, "variable %q has text of the unknown type %d", name, e.kind)
	}
	if err := m.budget.Take(8 * e.body.N); err != nil {
		return tooLarge(m.file, err)
	}
	raw, err := io.ReadAll(e.body)
	if err != nil {
		return m.broken(err)
	}
	var units []uint16
	switch {
	case wide:
		for k := 0; k+int(width) <= len(raw); k += int(width) {
			units = append(units, m.order.Uint16(raw[k:]))
		}
	case e.kind == miUTF8:
		units = utf16.Encode([]rune(string(raw)))
	default:
		for _, b := range raw {
			units = append(units, uint16(b))
		}
	}
	n, ok := files.Count(a.shape, int64(len(units)))
	if !ok || n != int64(len(units)) || len(a.shape) != 2 {
		return damaged(m.file, "variable %q has %d characters, which do not match its shape %v", name, len(units), a.shape)
	}
	a.texts = []string{}
	if n > 0 {
		row := make([]uint16, a.shape[1])
		for i := range a.shape[0] {
			for j := range row {
				row[j] = units[j*a.shape[0]+i]
			}
			a.texts = append(a.texts, strings.TrimRight(string(utf16.Decode(row)), " \x00"))
		}
	}
	return m.skip(e)
}

// cell reads a cell array of strings.
func (m *matReader) cell(in *io.LimitedReader, name string, v *variable) error {
	const least = 8 // minimum size of a cell in the file, in bytes
	count, ok := files.Count(v.shape, in.N/least)
	if !ok {
		return damaged(m.file, "variable %q claims a cell array of shape %v in %d bytes", name, v.shape, in.N)
	}
	const head = 16 // size of a string header in bytes
	if err := m.budget.Take(head * count); err != nil {
		return tooLarge(m.file, err)
	}
	v.texts = []string{}
	for range count {
		e, err := m.next(in)
		if err != nil {
			return m.broken(err)
		}
		if e.kind != miMATRIX {
			return damaged(m.file, "variable %q has a cell of type %d, which is not a matrix", name, e.kind)
		}
		text, ok, err := m.text(e.body)
		if err != nil {
			return err
		}
		if !ok {
			v.texts = nil
			v.kind, v.remedy = "a cell array with elements that are not text", "save numbers with cell2mat(%[1]s) and text with cellstr(string(%[1]s))"
			return nil // the caller skips the other cells
		}
		v.texts = append(v.texts, text)
		if err := m.skip(e); err != nil {
			return err
		}
	}
	return nil
}

// text reads the text of a cell. ok is false if the cell contains something else, or several rows
// of text.
func (m *matReader) text(in *io.LimitedReader) (text string, ok bool, err error) {
	flags, err := m.part(in, 8)
	if err != nil {
		return "", false, err
	}
	if len(flags) < 8 || m.order.Uint32(flags)&0xff != mxCHAR {
		return "", false, nil
	}
	dims, err := m.part(in, 4*files.MaxRank)
	if err != nil {
		return "", false, err
	}
	if _, err := m.part(in, 1<<10); err != nil { // skip the name of the cell
		return "", false, err
	}
	a := &array{}
	for k := 0; k+4 <= len(dims); k += 4 {
		a.shape = append(a.shape, int(m.order.Uint32(dims[k:])))
	}
	if err := m.char(in, "", a); err != nil || len(a.texts) > 1 {
		return "", false, err
	}
	return strings.Join(a.texts, ""), true, nil
}
