package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"golang.org/x/image/bmp"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// The files in testdata/scipy were written by NumPy 2.4 and SciPy 1.17. Each has the
// matrix scipyMatrix.
var scipyMatrix = mat.NewDense(4, 3, []float64{0, 1.5, 0, 2, 0, 0, 0, 0, -3, 0, 4, 0})

func scipyFile(name string) string { return filepath.Join("testdata", "scipy", name) }

// understood fails the test unless the data have the matrix scipyMatrix, the given labels and
// names, and a note with the given text.
func understood(t *testing.T, d *data.Data, err error, labels []int, names []string, note string) {
	t.Helper()
	if err != nil {
		t.Error(err)
		return
	}
	if !mat.Equal(d.X, scipyMatrix) {
		t.Errorf("samples %v", mat.Formatted(d.X))
	}
	if !slices.Equal(d.Labels, labels) || !slices.Equal(d.ClassNames, names) {
		t.Errorf("labels %v of classes %q, want %v of %q", d.Labels, d.ClassNames, labels, names)
	}
	notes := strings.Join(d.Notes, "\n")
	if !strings.Contains(notes, note) || note == "" && notes != "" {
		t.Errorf("notes %q, want %q", notes, note)
	}
}

// refused fails the test unless err is of the given kind, contains `what`, and has the given
// remedy.
func refused(t *testing.T, err, kind error, what, remedy string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), what) || !strings.Contains(advice.Of(err), remedy) {
		t.Errorf("got %v, want %v with %q and the remedy %q", err, kind, what, remedy)
	}
}

// Labels that are not whole numbers are not shifted, so that an error names the value in the file.
func TestFromOne(t *testing.T) {
	for want, labels := range map[bool][]float64{true: {1, math.NaN(), 3}, false: {1, 1.5}} {
		if fromOne(labels) != want {
			t.Errorf("%v: got %v", labels, !want)
		}
	}
}

func TestMATByScipy(t *testing.T) {
	for _, c := range []struct {
		file   string
		opt    MAT
		labels []int
		names  []string
		note   string
	}{
		{"sparse.mat", MAT{}, []int{0, 1, 1, 2}, []string{"1", "2", "3"}, ""},
		{"sparsez.mat", MAT{X: "fea", Y: "gnd"}, []int{0, 1, 1, 2}, []string{"1", "2", "3"}, ""},
		{"cells.mat", MAT{}, []int{2, 1, -1, 0}, []string{"größe", "normal", "tumour"}, "1 sample with an empty label"},
		{"cellsz.mat", MAT{}, []int{2, 1, -1, 0}, []string{"größe", "normal", "tumour"}, "1 sample with an empty label"},
		{"cells.mat", MAT{Y: "chars"}, []int{1, 0, 1, 0}, []string{"aa", "b"}, ""},
		{"cellsz.mat", MAT{Y: "logical"}, []int{1, 0, 1, 1}, nil, ""},
		{"guess.mat", MAT{}, []int{0, 1, -1, 0}, []string{"1", "2"}, "samples read from Z, the largest matrix in the file; choose another with MAT.X; info is a structure"},
		{"turned.mat", MAT{Columns: true}, []int{0, 1, 1, 2}, []string{"1", "2", "3"}, ""},
		{"title.mat", MAT{}, nil, nil, "label has 1 text for 4 samples and was not read as labels"},
	} {
		t.Run(c.file+" "+c.opt.Y, func(t *testing.T) {
			d, err := ReadMAT(scipyFile(c.file), c.opt)
			if c.names != nil { // in alphabetical order
				slices.SortFunc(c.names, data.CompareNames)
			}
			understood(t, d, err, c.labels, c.names, c.note)
		})
	}
	d, err := ReadMAT(scipyFile("bool.mat"), MAT{})
	if err != nil || d.X.At(0, 1) != 1 || d.X.At(2, 2) != 1 || mat.Sum(d.X) != 4 || !slices.Equal(d.Labels, []int{0, 1, 1, 0}) || !slices.Equal(d.ClassNames, []string{"-1", "1"}) {
		t.Errorf("logical values: %v, %v", d, err)
	}
	for _, c := range []struct {
		file         string
		opt          MAT
		kind         error
		what, remedy string
	}{
		{"complex.mat", MAT{}, ErrUnsupported, "fea is a matrix of complex numbers", "real(fea)"},
		{"guesscomplex.mat", MAT{}, ErrUnsupported, "Z is a matrix of complex numbers", "abs(Z)"},
		{"struct.mat", MAT{}, ErrUnsupported, "X is a structure", "'-struct', 'X'"},
		{"cells.mat", MAT{Y: "bad"}, ErrUnsupported, "bad is a cell array with elements that are not text", "cellstr(string(bad))"},
		{"cells.mat", MAT{X: "chars"}, ErrFormat, "chars contains text", "MAT.X"},
		{"cells.mat", MAT{Y: "none"}, ErrFormat, `no labels "none"`, "MAT.Y"},
		{"labelsonly.mat", MAT{}, ErrFormat, "looks like a matrix of samples", "MAT.X"},
		{"turned.mat", MAT{}, ErrFormat, "do not match 3 samples", "MAT.Columns"},
	} {
		_, err := ReadMAT(scipyFile(c.file), c.opt)
		refused(t, err, c.kind, c.what, c.remedy)
	}
	// The matrix beside a complex one can be selected by name.
	if d, err := ReadMAT(scipyFile("complex.mat"), MAT{X: "other"}); err != nil || !mat.Equal(d.X, scipyMatrix) {
		t.Errorf("%v, %v", d, err)
	}
}

func TestNPZByScipy(t *testing.T) {
	for _, name := range []string{"csr", "csc", "coo", "array"} {
		for _, x := range []string{"", "data"} {
			d, err := ReadNPZ(scipyFile(name+".npz"), NPZ{X: x})
			understood(t, d, err, nil, nil, "")
		}
	}
	_, err := ReadNPZ(scipyFile("bsr.npz"), NPZ{})
	refused(t, err, ErrUnsupported, `"bsr"`, "tocsr()")
	for _, c := range []struct {
		y      string
		labels []int
		names  []string
		note   string
	}{
		{"text", []int{1, 0, 2, 0}, []string{"c2", "c10", "é"}, ""},
		{"bytes", []int{1, 0, -1, 1}, []string{"a", "b"}, "1 sample with an empty label"},
		{"big", []int{1, 0, 1, 0}, []string{"a", "b"}, ""},
		{"onehot", []int{2, 0, 1, 0}, nil, "one-hot labels converted: the class is the column of the 1, from 0 to 2"},
		{"nan", []int{1, -1, 0, 2}, nil, "1 sample with the label NaN"},
		{"pm", []int{0, 1, 1, 0}, []string{"-1", "1"}, "labels -1 and 1 read as two classes"},
		{"pmnan", []int{0, 1, -1, 0}, []string{"-1", "1"}, "1 sample with the label NaN"},
		{"neg", []int{-1, 0, 1, -1}, nil, "2 samples with a label below 0"},
		{"half", []int{1, 0, 2, 0}, nil, ""},
	} {
		t.Run(c.y, func(t *testing.T) {
			d, err := ReadNPZ(scipyFile("labels.npz"), NPZ{Y: c.y})
			understood(t, d, err, c.labels, c.names, c.note)
		})
	}
	for _, c := range []struct {
		opt          NPZ
		kind         error
		what, remedy string
	}{
		{NPZ{Y: "soft"}, ErrFormat, "labels of shape [4 2] do not match 4 samples", "argmax(axis=1)"},
		{NPZ{Y: "frac"}, ErrFormat, "the label of sample 1 is 0.5", "np.unique"},
		{NPZ{Y: "obj"}, ErrUnsupported, "obj", "y.astype(str)"},
		{NPZ{Y: "none"}, ErrFormat, `no labels "none"`, "NPZ.Y"},
		{NPZ{X: "text"}, ErrUnsupported, "contains text", "numbers"},
	} {
		_, err := ReadNPZ(scipyFile("labels.npz"), c.opt)
		refused(t, err, c.kind, c.what, c.remedy)
	}
	d, err := ReadNPY(scipyFile("half.npy"))
	if want := []float64{1, -2.5, 65504, 0x1p-24, 0, 0x1p-14}; err != nil || !slices.Equal(d.X.RawMatrix().Data, want) {
		t.Errorf("%v, %v", d, err)
	}
}

// One class and unlabelled samples are not read back as the classes -1 and 1.
func TestWriteNPZOneClass(t *testing.T) {
	want := data.New(scipyMatrix, []int{1, -1, -1, 1})
	path := filepath.Join(t.TempDir(), "x.npz")
	if err := WriteNPZ(path, want); err != nil {
		t.Fatal(err)
	}
	d, err := ReadNPZ(path, NPZ{})
	understood(t, d, err, want.Labels, nil, "2 samples with the label NaN")
}

func TestIDXMinusPlus(t *testing.T) {
	samples := write(t, "x", idx([]uint32{2, 1}, []byte{5, 6}))
	labels := write(t, "y", []byte{0, 0, 9, 1, 0, 0, 0, 2, 0xff, 1}) // int8
	d, err := ReadIDX(samples, labels)
	if err != nil || !slices.Equal(d.Labels, []int{0, 1}) || !slices.Equal(d.ClassNames, []string{"-1", "1"}) || len(d.Notes) != 1 {
		t.Errorf("%v, %v", d, err)
	}
}

// sparseNPZ returns a file like scipy.sparse.save_npz.
func sparseNPZ(t testing.TB, format string, arrays map[string]any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, a := range arrays {
		w, err := z.Create(name + ".npy")
		if err == nil {
			err = npyio.Write(w, a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	header := fmt.Sprintf("{'descr': '|S%d', 'fortran_order': False, 'shape': (), }\n", len(format))
	w, err := z.Create("format.npy")
	if err == nil {
		_, err = w.Write(append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0), header+format...))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSparseHostile(t *testing.T) {
	type arrays = map[string]any
	good := arrays{"data": []float64{1, 2}, "indices": []int32{0, 1}, "indptr": []int32{0, 1, 2}, "shape": []int64{2, 2}}
	d, err := ReadNPZ(write(t, "x.npz", sparseNPZ(t, "csr", good)), NPZ{})
	if err != nil || !mat.Equal(d.X, mat.NewDense(2, 2, []float64{1, 0, 0, 2})) {
		t.Fatalf("%v, %v", d, err)
	}
	for name, c := range map[string]struct {
		change arrays
		kind   error
	}{
		"index beyond":       {arrays{"indices": []int32{0, 2}}, ErrFormat},
		"index below":        {arrays{"indices": []int32{0, -1}}, ErrFormat},
		"index of no number": {arrays{"indices": []float64{0, math.NaN()}}, ErrFormat},
		"index of a part":    {arrays{"indices": []float64{0, 0.5}}, ErrFormat},
		"few indices":        {arrays{"indices": []int32{0}}, ErrFormat},
		"pointers turn back": {arrays{"indptr": []int32{0, 2, 1}}, ErrFormat},
		"pointers beyond":    {arrays{"indptr": []int32{0, 1, 1 << 30}}, ErrFormat},
		"pointers from 1":    {arrays{"indptr": []int32{1, 1, 2}}, ErrFormat},
		"few pointers":       {arrays{"indptr": []int32{0, 1}}, ErrFormat},
		"no pointers":        {arrays{"indptr": []int32{}}, ErrFormat},
		"huge":               {arrays{"shape": []int64{2, 1 << 40}}, data.ErrTooLarge},
		"beyond all":         {arrays{"shape": []int64{2, math.MaxInt64}}, ErrFormat},
		"below 0":            {arrays{"shape": []int64{2, -2}}, ErrFormat},
		"empty":              {arrays{"shape": []int64{2, 0}, "data": []float64{}, "indices": []int32{}, "indptr": []int32{0, 0, 0}}, ErrFormat},
		"one side":           {arrays{"shape": []int64{4}}, ErrFormat},
		"lacks data":         {arrays{"data": nil}, ErrFormat},
	} {
		t.Run(name, func(t *testing.T) {
			all := arrays{}
			for k, v := range good {
				all[k] = v
			}
			for k, v := range c.change {
				if all[k] = v; v == nil {
					delete(all, k)
				}
			}
			if _, err := ReadNPZ(write(t, "x.npz", sparseNPZ(t, "csr", all)), NPZ{}); !errors.Is(err, c.kind) {
				t.Errorf("got %v", err)
			}
		})
	}
	// COO: values at the same position are added, and indices are checked.
	coo := arrays{"data": []float64{1, 2}, "row": []int32{1, 1}, "col": []int32{0, 0}, "shape": []int64{2, 1}}
	if d, err := ReadNPZ(write(t, "x.npz", sparseNPZ(t, "coo", coo)), NPZ{}); err != nil || d.X.At(1, 0) != 3 {
		t.Errorf("%v, %v", d, err)
	}
	for _, row := range [][]int32{{1, 2}, {1}, {-1, 0}} {
		coo["row"] = row
		if _, err := ReadNPZ(write(t, "x.npz", sparseNPZ(t, "coo", coo)), NPZ{}); !errors.Is(err, ErrFormat) {
			t.Errorf("rows %v: got %v", row, err)
		}
	}
}

// Any byte may be damaged, and the file may end at any byte.
func TestScipyDamaged(t *testing.T) {
	limited(t, fuzzLimit)
	for _, name := range []string{"sparse.mat", "cells.mat", "complex.mat", "guess.mat"} {
		raw, err := os.ReadFile(scipyFile(name))
		if err != nil {
			t.Fatal(err)
		}
		for at := range raw {
			for _, damaged := range [][]byte{raw[:at], append(append(slices.Clone(raw[:at]), raw[at]^0xff), raw[at+1:]...)} {
				d, err := readMAT(bytes.NewReader(damaged), int64(len(damaged)), "f", MAT{})
				if err != nil {
					typed(t, err)
				} else {
					sound(t, d)
				}
			}
		}
	}
	// A sparse matrix of 2³²−1 columns cannot be read, but is no error if another matrix is
	// selected.
	raw, err := os.ReadFile(scipyFile("sparse.mat"))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 4), 3)) // its shape
	binary.LittleEndian.PutUint32(raw[at+4:], math.MaxUint32)
	if _, err := readMAT(bytes.NewReader(raw), int64(len(raw)), "f", MAT{}); !errors.Is(err, ErrFormat) && !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if d, err := readMAT(bytes.NewReader(raw), int64(len(raw)), "f", MAT{X: "gnd"}); err != nil || d.Len() != 4 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestTextsHostile(t *testing.T) {
	for _, c := range []struct{ descr, shape string }{
		{"<U0", "(1000000000,)"}, {"<U-1", "(2,)"}, {"<U99999999999999999999", "(2,)"}, {"<U1000000", "(2,)"}, {"|S4", "(1000000000,)"}, {"<U1", "(-1,)"}, {"<U8", "(2,)"},
	} {
		header := "{'descr': '" + c.descr + "', 'fortran_order': False, 'shape': " + c.shape + ", }\n"
		raw := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
		raw = append(append(raw, header...), make([]byte, 16)...)
		if _, err := readNPY(bytes.NewReader(raw), int64(len(raw)), "f", files.NewBudget()); !errors.Is(err, ErrFormat) {
			t.Errorf("%v: got %v", c, err)
		}
	}
	// Invalid characters and Fortran order.
	header := "{'descr': '>U1', 'fortran_order': True, 'shape': (2, 2), }\n"
	raw := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	raw = append(append(raw, header...), 0, 0, 0, 'a', 0, 0, 0, 'b', 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 'd')
	a, err := readNPY(bytes.NewReader(raw), int64(len(raw)), "f", files.NewBudget())
	if err != nil || !slices.Equal(a.texts, []string{"a", "\uFFFD", "b", "d"}) {
		t.Errorf("%v, %v", a, err)
	}
}

func TestOtherPictures(t *testing.T) {
	dir := t.TempDir()
	place := func(name string, raw []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	palette := color.Palette{color.White, color.Gray{100}, color.RGBA{10, 200, 30, 255}}
	img := image.NewPaletted(image.Rect(0, 0, 3, 1), palette)
	copy(img.Pix, []uint8{0, 1, 2})
	want := []float64{255, 100, 0.299*10 + 0.587*200 + 0.114*30}
	var b bytes.Buffer
	if err := gif.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	place("a.gif", b.Bytes())
	// An image that covers a part of its screen.
	b.Reset()
	part := image.NewPaletted(image.Rect(1, 0, 2, 1), palette)
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{part}, Delay: []int{0}, Config: image.Config{ColorModel: palette, Width: 3, Height: 1}}); err != nil {
		t.Fatal(err)
	}
	place("c.gif", b.Bytes())
	b.Reset()
	if err := bmp.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	place("b.bmp", b.Bytes())
	d, err := ReadImages(dir)
	if err != nil || d.Len() != 3 || d.Notes != nil {
		t.Fatalf("%v, %v", d, err)
	}
	for i, row := range [][]float64{want, want, {0, 255, 0}} {
		for j, v := range row {
			if got := d.X.At(i, j); math.Abs(got-v) > 1e-9 || v == math.Trunc(v) && got != v {
				t.Errorf("pixel %d of image %d is %v, want %v", j, i, got, v)
			}
		}
	}
	place("d.TIF", nil)
	place("e.tiff", nil)
	place("f.webp", nil)
	d, err = ReadImages(dir)
	if err != nil || d.Len() != 3 || len(d.Notes) != 1 || d.Notes[0] != "3 pictures in unsupported formats (2 TIFF, 1 WebP) skipped; save such pictures as PNG to have them read" {
		t.Fatalf("%v, %v", d, err)
	}
	for _, name := range []string{"a.gif", "b.bmp", "c.gif"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		place(name, raw[:len(raw)/2])
		if _, err := ReadImages(dir); !errors.Is(err, ErrFormat) {
			t.Errorf("half of %s: got %v", name, err)
		}
		os.Remove(filepath.Join(dir, name))
	}
	_, err = ReadImages(dir)
	refused(t, err, ErrUnsupported, "only 3 pictures", "PNG")
}

// Every grey value is exact.
func TestGreyIsExact(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 256, 1), nil)
	for v := range 256 {
		img.Palette = append(img.Palette, color.Gray{uint8(v)})
		img.Pix[v] = uint8(v)
	}
	var b bytes.Buffer
	if err := bmp.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	row, _, err := readImage(write(t, "x.bmp", b.Bytes()), ".bmp", files.NewBudget())
	if err != nil || len(row) != 256 {
		t.Fatal(err)
	}
	for v, got := range row {
		if got != float64(v) {
			t.Errorf("grey %d is %v", v, got)
		}
	}
}

// A damaged image gives an error or an image for any bytes.
func TestPicturesDamaged(t *testing.T) {
	limited(t, fuzzLimit)
	img := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.White, color.Black, color.Gray{9}})
	copy(img.Pix, []uint8{0, 1, 2, 2, 1, 0})
	var asBMP, asGIF bytes.Buffer
	if err := errors.Join(bmp.Encode(&asBMP, img), gif.Encode(&asGIF, img, nil)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for ext, raw := range map[string][]byte{".bmp": asBMP.Bytes(), ".gif": asGIF.Bytes()} {
		path := filepath.Join(dir, "x"+ext)
		for at := range raw {
			for _, by := range []byte{0xff, 1, 0x80} {
				damaged := slices.Clone(raw)
				damaged[at] ^= by
				if err := os.WriteFile(path, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				row, size, err := readImage(path, ext, files.NewBudget())
				if err != nil {
					typed(t, err)
				} else if len(row) != size.Width*size.Height {
					t.Errorf("byte %d of %s: %d pixels of %+v", at, ext, len(row), size)
				}
			}
		}
	}
	// The palette of this image has two colours, and a pixel has the third.
	raw := slices.Clone(asBMP.Bytes())
	binary.LittleEndian.PutUint32(raw[46:], 2)
	start := 54 + 2*4
	binary.LittleEndian.PutUint32(raw[10:], uint32(start))
	raw = append(raw[:start], 2, 2, 2, 0, 2, 2, 2, 0)
	_, _, err := readImage(write(t, "x.bmp", raw), ".bmp", files.NewBudget())
	if !errors.Is(err, ErrFormat) {
		t.Errorf("got %v", err)
	}
}
