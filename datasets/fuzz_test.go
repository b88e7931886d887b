package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// fuzzLimit is the read limit while readers are fuzzed.
const fuzzLimit = 1 << 18

// limited sets the read limit for a test.
func limited(t testing.TB, bytes int64) {
	t.Helper()
	data.SetReadLimit(bytes)
	t.Cleanup(func() { data.SetReadLimit(0) })
}

// typed fails the test if a reader's error is undocumented.
func typed(t *testing.T, err error) {
	t.Helper()
	for _, known := range []error{ErrFormat, ErrUnsupported, data.ErrTooLarge, data.ErrNotFinite, data.ErrLabels, data.ErrEmpty} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Errorf("an error of no kind: %v", err)
}

// sound fails the test if the data returned by a reader violate an assumption of Fit.
func sound(t *testing.T, d *data.Data) {
	t.Helper()
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.Err() != nil {
		t.Fatalf("the reader gives no error and data with %v", d.Err())
	}
	if 8*d.Len()*d.Dim() > fuzzLimit {
		t.Fatalf("%d×%d numbers are more than %d bytes", d.Len(), d.Dim(), fuzzLimit)
	}
	if !d.Image.IsZero() && (d.Image.Height < 0 || d.Image.Height*d.Image.Width != d.Dim()) {
		t.Fatalf("images of %+v with %d features", d.Image, d.Dim())
	}
}

// same fails the test if two sets differ in a number, a label or a name.
func same(t *testing.T, got, want *data.Data) {
	t.Helper()
	if got.Len() != want.Len() || got.Dim() != want.Dim() {
		t.Fatalf("%d×%d, want %d×%d", got.Len(), got.Dim(), want.Len(), want.Dim())
	}
	for i := range want.Len() {
		for k, v := range want.X.RawRowView(i) {
			if g := got.X.At(i, k); math.Float64bits(g) != math.Float64bits(v) {
				t.Fatalf("X[%d][%d] = %v, want %v", i, k, g, v)
			}
		}
	}
	if (got.Labels == nil) != (want.Labels == nil) {
		t.Fatalf("labels %v, want %v", got.Labels, want.Labels)
	}
	for i, l := range want.Labels {
		if g := className(got, got.Labels[i]); g != className(want, l) {
			t.Fatalf("sample %d is of class %q, want %q", i, g, className(want, l))
		}
	}
	if len(got.Attributes) != len(want.Attributes) {
		t.Fatalf("attributes %v, want %v", got.Attributes, want.Attributes)
	}
	for k, a := range want.Attributes {
		if got.Attributes[k].Name != a.Name || !slices.Equal(got.Attributes[k].Values, a.Values) {
			t.Fatalf("attributes %v, want %v", got.Attributes[k], a)
		}
	}
	if len(got.Classes()) != len(want.Classes()) {
		t.Fatalf("%d classes, want %d", len(got.Classes()), len(want.Classes()))
	}
}

// backCSV writes a table and reads it back: the result is the same, or the table was rejected with
// [ErrNames].
func backCSV(t *testing.T, d *data.Data) {
	t.Helper()
	if err := checkTable(d); err != nil {
		if !errors.Is(err, ErrNames) && !errors.Is(err, data.ErrTooLarge) {
			t.Fatal(err)
		}
		return
	}
	var b bytes.Buffer
	if err := writeCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	got, err := readCSV(&b, "back", readBackBy(d))
	if errors.Is(err, data.ErrTooLarge) { // near the limit
		return
	}
	if err != nil {
		t.Fatalf("%v\n%q", err, text)
	}
	same(t, got, d)
	if !slices.Equal(got.FeatureNames, featureNames(d)) {
		t.Fatalf("features %q, want %q", got.FeatureNames, featureNames(d))
	}
}

// Any table is rejected with a reason, or gives data that can be written and read back.
func FuzzCSV(f *testing.F) {
	limited(f, fuzzLimit)
	f.Add([]byte("a,b\n1,2\n3,4\n"), 0)
	f.Add([]byte("1,x\n\"2\",?\n"), 2)
	f.Add([]byte("class,class\n1,2\n"), 1)
	f.Add([]byte("-1, 01 \n+1,\"a\nb\"\r\n"), -1)
	f.Add([]byte("id,a,b,kind\nx,1,?,q\ny,,2,r\nz,3,4,?\n"), 4+8+32)
	f.Add([]byte("x,1,NA\ny,2,3\n"), 8+64)
	f.Add([]byte("1,2,\n,4,-\n5,,6\n"), 96)
	f.Fuzz(func(t *testing.T, raw []byte, how int) {
		opt := CSV{LabelColumn: how % 4, Missing: []Missing{"", Mean, Median, Drop}[how>>5&3]}
		if how&8 != 0 {
			opt.Attributes = []string{"1"}
		}
		if how&16 != 0 {
			opt.Drop = []string{"2"}
		}
		d, err := readCSV(bytes.NewReader(raw), "f", opt)
		if err != nil {
			typed(t, err)
			return
		}
		sound(t, d)
		backCSV(t, d)
	})
}

// Any file is rejected with a reason, or gives a consistent table with sound samples.
func FuzzTable(f *testing.F) {
	limited(f, fuzzLimit)
	for _, text := range []string{
		"a,b\n1,2\n3,4\n", "# c\na;b;;\n1,5;x;;\n2,5;y;;\n", "t\n,\nh,n\n\"a\nb\",1\n,\nend\n", "\xff\xfea\x00,\x00b\x00\n\x00", "x\ty\n'1'\t2\n\t",
		"a b  c\n1 2 3\n", "\"\"\"\"\",\"\n\"", "1,2\n3\n4,5,6\n", "{\"a\":1,\"b\":[2]}\n{\"a\":null}\n", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3.5\n",
		"@relation r\n@attribute a numeric\n@attribute 'b c' {x,y}\n@data\n1,x\n?,y\n", "1 1:0.5 3:2\n-1 2:1\n", "d,t,b\n2024-01-01,12:30:00,yes\n2024-01-02,,no\n",
	} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(7))
	}
	f.Fuzz(func(t *testing.T, raw []byte, how uint8) {
		var options []TableOption
		if how&1 != 0 {
			options = append(options, NoHeader())
		}
		if how&2 != 0 {
			options = append(options, Transpose())
		}
		if how&4 != 0 {
			options = append(options, Skip(1), Separator(';'), Quote(0))
		}
		table, err := readTable(bytes.NewReader(raw), -1, "f", options...)
		if err != nil {
			typed(t, err)
			return
		}
		names := table.Names()
		if table.Rows() == 0 || len(names) == 0 {
			t.Fatalf("%d rows, names %q", table.Rows(), names)
		}
		for j := range names {
			numbers := table.Numbers(j)
			for i := range table.Rows() {
				s := table.Text(i, j)
				if strings.TrimSpace(s) != s {
					t.Fatalf("cell %q is not trimmed", s)
				}
				if numbers != nil && (numbers[i] != numbers[i]) != table.Gap(i, j) {
					t.Fatalf("%q is %v, a gap: %v", s, numbers[i], table.Gap(i, j))
				}
			}
		}
		if table.String() == "" {
			t.Fatal("no print")
		}
		for _, fill := range []Missing{"", Nearest, Indicator, Drop} {
			if fill == Nearest && table.Rows() > 300 {
				continue
			}
			d, err := table.Data(Fill(fill))
			if err != nil {
				typed(t, err)
				continue
			}
			sound(t, d)
		}
	})
}

// Any names of features and classes are read back unchanged, or rejected.
func FuzzWriteCSV(f *testing.F) {
	limited(f, fuzzLimit)
	f.Add("1", "2", "a", "b", uint8(0))
	f.Add("class", "x", "?", "", uint8(1))
	f.Add("a\nb", "c\r\nd", " a", "a", uint8(5))
	f.Add("\"", ",", "01", "1", uint8(9))
	f.Add("", "#", "-1", "+1", uint8(14))
	f.Fuzz(func(t *testing.T, first, second, one, two string, bits uint8) {
		var labels []int
		if bits&1 != 0 {
			labels = []int{int(bits>>1&3) - 1, int(bits>>3&3) - 1, int(bits>>5&3) - 1}
		}
		features := 1 + int(bits>>7)
		d := data.New(mat.NewDense(3, features, slices.Repeat([]float64{1, -2, 0.1}, features)), labels)
		d.FeatureNames, d.ClassNames = []string{first, second}[:features], []string{one, two}
		backCSV(t, d)
	})
}

func FuzzIDX(f *testing.F) {
	limited(f, fuzzLimit)
	f.Add(idx([]uint32{2, 2}, []byte{1, 2, 3, 4}))
	f.Add(idx([]uint32{2, 1, 2}, []byte{1, 2, 3, 4}))
	f.Add(zippedIDX(f, idx([]uint32{3}, []byte{1, 2, 3})))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := readIDX(bytes.NewReader(raw), int64(len(raw)), "f", files.NewBudget())
		var d *data.Data
		if err == nil {
			d, err = a.data("f", nil)
		}
		if err != nil {
			typed(t, err)
			return
		}
		sound(t, d)
		again := []byte{0, 0, 0x0e, byte(len(a.shape))}
		for _, s := range a.shape {
			again = binary.BigEndian.AppendUint32(again, uint32(s))
		}
		for _, v := range a.values {
			again = binary.BigEndian.AppendUint64(again, math.Float64bits(v))
		}
		b, err := readIDX(bytes.NewReader(again), int64(len(again)), "f", files.NewBudget())
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.data("f", nil)
		if err != nil || got.Image != d.Image {
			t.Fatal(got.Image, err)
		}
		same(t, got, d)
	})
}

// addFiles adds files written by other programs.
func addFiles(f *testing.F, pattern string) {
	names, err := filepath.Glob(scipyFile(pattern))
	if err != nil || len(names) == 0 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

func FuzzMAT(f *testing.F) {
	limited(f, fuzzLimit)
	x, y := mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.NewDense(2, 1, []float64{1, 2})
	f.Add(matFile(false, map[string]*mat.Dense{"fea": x}))
	f.Add(matFile(false, map[string]*mat.Dense{"X": x, "y": y}))
	f.Add(matFile(true, map[string]*mat.Dense{"fea": x, "gnd": y}))
	addFiles(f, "*.mat")
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := readMAT(bytes.NewReader(raw), int64(len(raw)), "f", MAT{})
		if err != nil {
			typed(t, err)
			return
		}
		sound(t, d)
		vars := map[string]*mat.Dense{"fea": d.X}
		if d.Labels != nil {
			vars["gnd"] = mat.NewDense(d.Len(), 1, nil)
			for i, l := range d.Labels {
				vars["gnd"].Set(i, 0, float64(l))
			}
			one := slices.Equal(d.Classes(), []int{1}) // else read as two classes
			if slices.Min(d.Labels) > 0 || one {       // they would be counted from 0
				return
			}
		}
		again := matFile(true, vars)
		got, err := readMAT(bytes.NewReader(again), int64(len(again)), "f", MAT{})
		if errors.Is(err, data.ErrTooLarge) { // with the labels
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got.ClassNames = d.ClassNames // names of labels from 1 are not written
		same(t, got, d)
	})
}

func FuzzNPZ(f *testing.F) {
	raw, err := embedded.ReadFile("embedded/iris.npz")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	addFiles(f, "*.npz")
	for _, d := range []*data.Data{Iris().Take(2), Digits().Take(1), SwissRoll(3, 1)} {
		var b bytes.Buffer
		if err := writeNPZ(&b, d); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	limited(f, fuzzLimit)
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := readNPZ(bytes.NewReader(raw), int64(len(raw)), "f", NPZ{})
		if err != nil {
			typed(t, err)
			return
		}
		sound(t, d)
		var b bytes.Buffer
		if err := writeNPZ(&b, d); err != nil {
			t.Fatal(err)
		}
		got, err := readNPZ(bytes.NewReader(b.Bytes()), int64(b.Len()), "f", NPZ{})
		if errors.Is(err, data.ErrTooLarge) { // with the labels
			return
		}
		if err != nil || got.Image != d.Image {
			t.Fatal(got, err)
		}
		got.ClassNames = d.ClassNames // they are not written
		same(t, got, d)
	})
}

func FuzzNPY(f *testing.F) {
	limited(f, fuzzLimit)
	for _, v := range []any{mat.NewDense(2, 2, []float64{1, 2, 3, 4}), []float32{1, 2}, []int64{7}} {
		var b bytes.Buffer
		if err := npyio.Write(&b, v); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	for _, header := range []string{
		"{'descr': '<U1', 'fortran_order': True, 'shape': (2, 2), }\n", "{'descr': '|S4', 'fortran_order': False, 'shape': (4,), }\n",
		"{'descr': '<f2', 'fortran_order': False, 'shape': (2, 4), }\n",
	} {
		raw := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
		f.Add(append(append(raw, header...), "0123456789abcdef"...))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := readNPY(bytes.NewReader(raw), int64(len(raw)), "f", files.NewBudget())
		var d *data.Data
		if err == nil {
			d, err = a.data("f", nil)
		}
		if err != nil {
			typed(t, err)
			return
		}
		sound(t, d)
		var b bytes.Buffer
		if err := npyio.Write(&b, d.X); err != nil {
			t.Fatal(err)
		}
		again, err := readNPY(&b, int64(b.Len()), "f", files.NewBudget())
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.data("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, d)
	})
}
