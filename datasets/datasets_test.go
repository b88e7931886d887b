package datasets

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		d                    *data.Data
		n, features, classes int
		sum                  float64 // of all values
	}{
		{Iris(), 150, 4, 3, 2078.7}, {Wine(), 178, 13, 3, 159974.77}, {Sonar(), 208, 60, 2, 3510.0},
		{Digits(), 1797, 64, 10, 561718}, {LetterAE(), 3864, 16, 5, 0}, {Balance(), 625, 4, 3, 7500},
	} {
		if err := c.d.Err(); err != nil {
			t.Fatal(err)
		}
		if c.d.Len() != c.n || c.d.Dim() != c.features || len(c.d.Classes()) != c.classes {
			t.Errorf("%v", c.d)
		}
		if sum := mat.Sum(c.d.X); c.sum != 0 && math.Abs(sum-c.sum) > 1e-3*c.sum {
			t.Errorf("%s: the values sum to %v, want %v", c.d.Name, sum, c.sum)
		}
	}
}

func TestToys(t *testing.T) {
	for name, make := range map[string]func(uint64) *data.Data{
		"Gaussians2D": Gaussians2D, "Gaussians3D": Gaussians3D, "TwoMoons": TwoMoons, "ControlCharts": ControlCharts,
		"TwoLines": TwoLines, "HalfCircles": HalfCircles, "SwissRoll": func(s uint64) *data.Data { return SwissRoll(100, s) },
		"OilFlow": func(s uint64) *data.Data { return OilFlow(30, s) },
	} {
		a, b, c := make(1), make(1), make(2)
		if a.Err() != nil || !mat.Equal(a.X, b.X) || mat.Equal(a.X, c.X) || a.Truth == nil {
			t.Errorf("%s: %v; one seed must give one set", name, a.Err())
		}
	}
	if d := TwoLines(1); d.NumLabelled() != 6 || d.Labels[5] != 0 || d.Labels[114] != 1 {
		t.Errorf("two lines: labels %v", d.Labels)
	}
	// Alcock and Manolopoulos: shifts and trends move the mean of the last third.
	d := ControlCharts(3)
	for i := range d.Len() {
		late := 0.0
		for _, v := range d.X.RawRowView(i)[45:] {
			late += (v - 30) / 15
		}
		if up, down := d.Truth[i] == 2 || d.Truth[i] == 4, d.Truth[i] == 3 || d.Truth[i] == 5; (up && late < 4) || (down && late > -4) {
			t.Errorf("chart %d of class %s: late mean %v", i, d.ClassName(d.Truth[i]), late)
		}
	}
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCSV(t *testing.T) {
	path := write(t, "flowers.csv", []byte("width,species,\"length, cm\"\n1,rose,2\n3,?,4\n5,tulip,-6e1\n7,rose,8\n"))
	d, err := ReadCSV(path, CSV{Label: "species"})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(d.X, mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, -60, 7, 8})) || !slices.Equal(d.Labels, []int{0, -1, 1, 0}) ||
		!slices.Equal(d.ClassNames, []string{"rose", "tulip"}) || !slices.Equal(d.FeatureNames, []string{"width", "length, cm"}) || d.Name != "flowers" {
		t.Errorf("%v %v %v %v", mat.Formatted(d.X), d.Labels, d.ClassNames, d.FeatureNames)
	}
	d, err = ReadCSV(write(t, "plain.csv", []byte("1;2;0\n3;4;2\n")), CSV{Comma: ';', LabelColumn: -1})
	if err != nil || !slices.Equal(d.Labels, []int{0, 2}) || d.Dim() != 2 {
		t.Errorf("%v, %v", d, err)
	}
	for name, text := range map[string]string{
		"empty": "", "header only": "a,b\n", "ragged": "1,2\n3\n", "NaN": "1,NaN\n", "infinite": "1,2\n1,Inf\n", "gap": "1,2\n3,\n", "quote": "1,\"2\n",
	} {
		if _, err := ReadCSV(write(t, "bad.csv", []byte(text)), CSV{}); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := ReadCSV(path, CSV{Label: "colour"}); !errors.Is(err, ErrFormat) {
		t.Errorf("missing column: got %v", err)
	}
}

func TestNPY(t *testing.T) {
	for name, values := range map[string]any{
		"float64": mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}),
		"vector":  []float32{1, 2, 3},
	} {
		var b bytes.Buffer
		if err := npyio.Write(&b, values); err != nil {
			t.Fatal(err)
		}
		if d, err := ReadNPY(write(t, "a.npy", b.Bytes())); err != nil || d.X.At(0, 0) != 1 {
			t.Errorf("%s: %v, %v", name, d, err)
		}
		for cut := range b.Len() {
			if _, err := ReadNPY(write(t, "a.npy", b.Bytes()[:cut])); err == nil {
				t.Errorf("%s: %d of %d bytes are accepted", name, cut, b.Len())
			}
		}
	}
	// A header that claims more than the file holds must be rejected.
	for _, header := range []string{
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 2), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }",
		"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
		"{'descr': '<f8'", "",
	} {
		raw := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
		raw = append(append(raw, header...), make([]byte, 16)...)
		if _, err := ReadNPY(write(t, "a.npy", raw)); !errors.Is(err, ErrFormat) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v", header, err)
		}
	}
	if got := files.RowMajor([]int{2, 3}, []float64{1, 4, 2, 5, 3, 6}); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("Fortran order: %v", got)
	}
}

// idx makes an IDX file of bytes.
func idx(shape []uint32, values []byte) []byte {
	raw := []byte{0, 0, 8, byte(len(shape))}
	for _, s := range shape {
		raw = binary.BigEndian.AppendUint32(raw, s)
	}
	return append(raw, values...)
}

func TestIDX(t *testing.T) {
	pictures := idx([]uint32{2, 2, 3}, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255})
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(idx([]uint32{2}, []byte{7, 3})); err != nil {
		t.Fatal(err)
	}
	z.Close()
	d, err := ReadIDX(write(t, "images", pictures), write(t, "labels.gz", zipped.Bytes()))
	if err != nil || d.Image.Height != 2 || d.Image.Width != 3 || d.X.At(1, 5) != 255 || !slices.Equal(d.Labels, []int{7, 3}) {
		t.Fatalf("%v, %v", d, err)
	}
	for name, raw := range map[string][]byte{
		"empty": nil, "magic": {1, 2, 3, 4}, "cut": pictures[:len(pictures)-1], "longer": append(slices.Clone(pictures), 0),
		"huge": idx([]uint32{1 << 31, 1 << 31, 1 << 31}, nil), "header cut": pictures[:9],
	} {
		if _, err := ReadIDX(write(t, "x", raw), ""); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// matFile makes a MATLAB 5 file of double matrices (column-major values).
func matFile(compressed bool, vars map[string]*mat.Dense) []byte {
	raw := make([]byte, 128)
	copy(raw, "MATLAB 5.0 MAT-file")
	copy(raw[124:], "\x00\x01IM")
	le := binary.LittleEndian
	element := func(kind uint32, body []byte) []byte {
		out := le.AppendUint32(le.AppendUint32(nil, kind), uint32(len(body)))
		out = append(out, body...)
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
		return out
	}
	for name, m := range vars {
		rows, cols := m.Dims()
		body := element(6, le.AppendUint32(le.AppendUint32(nil, 6), 0))
		body = append(body, element(5, le.AppendUint32(le.AppendUint32(nil, uint32(rows)), uint32(cols)))...)
		body = append(body, element(1, []byte(name))...)
		var values []byte
		for j := range cols {
			for i := range rows {
				values = le.AppendUint64(values, math.Float64bits(m.At(i, j)))
			}
		}
		one := element(miMATRIX, append(body, element(9, values)...))
		if compressed {
			var b bytes.Buffer
			z := zlib.NewWriter(&b)
			z.Write(one)
			z.Close()
			one = le.AppendUint32(le.AppendUint32(nil, miCOMPRESSED), uint32(b.Len()))
			one = append(one, b.Bytes()...)
		}
		raw = append(raw, one...)
	}
	return raw
}

func TestMAT(t *testing.T) {
	x, y := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), mat.NewDense(3, 1, []float64{1, 2, 2})
	for _, compressed := range []bool{false, true} {
		raw := matFile(compressed, map[string]*mat.Dense{"fea": x, "gnd": y})
		d, err := ReadMAT(write(t, "faces.mat", raw), MAT{})
		if err != nil || !mat.Equal(d.X, x) || !slices.Equal(d.Labels, []int{0, 1, 1}) {
			t.Fatalf("compressed %v: %v, %v", compressed, d, err)
		}
		for cut := 0; cut < len(raw); cut += 5 {
			if d, err := ReadMAT(write(t, "faces.mat", raw[:cut]), MAT{}); err == nil && d.Len() != 3 {
				t.Errorf("%d of %d bytes give %v", cut, len(raw), d)
			}
		}
	}
	for name, raw := range map[string][]byte{"version 4": []byte("\x00\x00\x00\x00 an old file"), "HDF5": []byte("MATLAB 7.3 MAT-file ...")} {
		if _, err := ReadMAT(write(t, "x.mat", raw), MAT{}); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := ReadMAT(write(t, "x.mat", matFile(false, map[string]*mat.Dense{"fea": x})), MAT{X: "other"}); !errors.Is(err, ErrFormat) {
		t.Errorf("missing variable: got %v", err)
	}
}

func TestImages(t *testing.T) {
	dir := t.TempDir()
	for k, class := range []string{"cats", "dogs"} {
		if err := os.Mkdir(filepath.Join(dir, class), 0o700); err != nil {
			t.Fatal(err)
		}
		img := image.NewGray(image.Rect(0, 0, 3, 2))
		img.SetGray(2, 1, color.Gray{uint8(100 + k)})
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		for name, raw := range map[string][]byte{"a.png": b.Bytes(), "b.pgm": append([]byte("P5\n# made by hand\n3 2\n255\n"), 0, 0, 0, 0, 0, byte(100+k)), "notes.txt": {1}} {
			if err := os.WriteFile(filepath.Join(dir, class, name), raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	d, err := ReadImages(dir)
	if err != nil || d.Len() != 4 || !slices.Equal(d.Labels, []int{0, 0, 1, 1}) || math.Abs(d.X.At(2, 5)-101) > 1e-9 || math.Abs(d.X.At(3, 5)-101) > 1e-9 {
		t.Fatalf("%v, %v", d, err)
	}
	// Pictures next to the folders of the classes have no known class.
	if err := os.WriteFile(filepath.Join(dir, "0.pgm"), []byte("P2 3 2 255 1 2 3 4 5 6"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err = ReadImages(dir)
	if err != nil || !slices.Equal(d.Labels, []int{0, 0, 1, 1, data.Unlabelled}) || d.X.At(4, 5) != 6 {
		t.Fatalf("with a picture of no class: %v, %v", d, err)
	}
	for name, raw := range map[string]string{"p.pgm": "P5 3 2 255 ", "q.png": "not a picture", "r.pgm": "P5 1000000000 1000000000 255\n", "s.pgm": "P2 1 1 255 7"} {
		other := filepath.Join(dir, "dogs", name)
		if err := os.WriteFile(other, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadImages(dir); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v", name, err)
		}
		os.Remove(other)
	}
	if _, err := ReadImages(t.TempDir()); !errors.Is(err, ErrFormat) {
		t.Errorf("empty folder: got %v", err)
	}
}

func TestNamed(t *testing.T) {
	t.Setenv("SSDRNB_DATA", t.TempDir())
	t.Setenv("SSDRNB_CACHE", t.TempDir())
	d := ORL()
	if !errors.Is(d.Err(), ErrMissing) {
		t.Fatalf("got %v", d.Err())
	}
	cache, err := CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(2, 1024, nil)
	x.Set(0, 1, 9)
	raw := matFile(true, map[string]*mat.Dense{"fea": x, "gnd": mat.NewDense(2, 1, []float64{1, 2})})
	if err := os.WriteFile(filepath.Join(cache, "ORL_32x32.mat"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if d = ORL(); d.Err() != nil || d.X.At(0, d.Image.At(1, 0)) != 9 {
		t.Errorf("%v; pictures of MATLAB are column-major", d)
	}
}

// The real files, if the machine has them.
func TestBenchmarkFiles(t *testing.T) {
	dir := os.Getenv("SSDRNB_DATA")
	if _, err := os.Stat(filepath.Join(dir, "orl_32x32.npz")); dir == "" || err != nil {
		t.Skip("SSDRNB_DATA names no folder with the benchmark sets")
	}
	for _, c := range []struct {
		d                    *data.Data
		n, features, classes int
	}{{ORL(), 400, 1024, 40}, {Yale(), 165, 1024, 15}, {YaleB(), 2414, 1024, 38}, {UMIST(), 575, 1024, 20}, {USPS(), 9298, 256, 10},
		{USPS11000(), 11000, 256, 10}, {COIL20(), 1440, 1024, 20}, {COIL100(), 7200, 1024, 100}, {MNIST(), 70000, 784, 10}, {Oil(), 1000, 12, 3}} {
		if c.d.Err() != nil || c.d.Len() != c.n || c.d.Dim() != c.features || len(c.d.Classes()) != c.classes {
			t.Errorf("%v", c.d)
		}
	}
	npz := ORL()
	for _, name := range []string{"ORL.v5.mat", "ORL_32x32.v7.mat"} {
		d, err := ReadMAT(filepath.Join(dir, "original", name), MAT{})
		if err != nil || !slices.Equal(d.Labels, npz.Labels) || (name == "ORL_32x32.v7.mat" && !mat.Equal(d.X, npz.X)) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	for _, name := range []string{"3Class.v4-bigendian.mat", "BinAlpha.v73-hdf5.mat", "Yale32.v73-hdf5.mat"} {
		if _, err := ReadMAT(filepath.Join(dir, "original", name), MAT{}); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	d, err := ReadIDX(filepath.Join(dir, "original", "t10k-images-idx3-ubyte.gz"), filepath.Join(dir, "original", "t10k-labels-idx1-ubyte.gz"))
	if err != nil || d.Len() != 10000 || d.Image.Width != 28 {
		t.Errorf("IDX: %v, %v", d, err)
	}
}
