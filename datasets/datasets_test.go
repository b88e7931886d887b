package datasets

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
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

// The options determine the treatment of non-numeric columns and of gaps.
func TestCSVColumns(t *testing.T) {
	const text = "id,width,note,length,kind\na7,1,good,10,rose\na8,NA,,20,tulip\na9,6,\"bad, torn\",,rose\nb1,2,?,60,\n"
	path := write(t, "flowers.csv", []byte(text))
	_, err := ReadCSV(path, CSV{Label: "kind"})
	if !errors.Is(err, ErrFormat) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{`"id" (line 2: "a7")`, `"note" (line 2: "good")`, `gaps in: "width" (1, on line 3), "length" (1, on line 4)`,
		`CSV{Drop: []string{"id", "note"}}`, "Attributes", "Missing: datasets.Mean", "datasets.Drop"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %s: %v", part, err)
		}
	}
	for name, c := range map[string]struct {
		opt    CSV
		x      []float64
		labels []int
		ids    []string
		note   string
	}{
		"mean":    {CSV{Label: "kind", Drop: []string{"note"}, Attributes: []string{"id"}, Missing: Mean}, []float64{1, 10, 3, 20, 6, 30, 2, 60}, []int{0, 1, 0, -1}, []string{"a7", "a8", "a9", "b1"}, "2 gaps filled with the column mean"},
		"median":  {CSV{Label: "kind", Keep: []string{"width", "length"}, Missing: Median}, []float64{1, 10, 2, 20, 6, 20, 2, 60}, []int{0, 1, 0, -1}, nil, "2 gaps filled with the column median"},
		"drop":    {CSV{LabelColumn: -1, Drop: []string{"note"}, Attributes: []string{"id"}, Missing: Drop}, []float64{1, 10, 2, 60}, []int{0, -1}, []string{"a7", "b1"}, "2 samples with gaps dropped"},
		"numbers": {CSV{Label: "5", Keep: []string{"4"}, Attributes: []string{"1"}, Missing: Mean}, []float64{10, 20, 30, 60}, []int{0, 1, 0, -1}, []string{"a7", "a8", "a9", "b1"}, "1 gap filled with the column mean"},
	} {
		d, err := ReadCSV(path, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(d.X.RawMatrix().Data, c.x) || !slices.Equal(d.Labels, c.labels) || !slices.Equal(d.Attribute("id"), c.ids) || !slices.Equal(d.Notes, []string{c.note}) {
			t.Errorf("%s: %v, labels %v, attributes %v, notes %q", name, d.X.RawMatrix().Data, d.Labels, d.Attributes, d.Notes)
		}
		if slices.Contains(d.FeatureNames, "id") || slices.Contains(d.FeatureNames, "note") || len(d.FeatureNames) != d.Dim() {
			t.Errorf("%s: features %q", name, d.FeatureNames)
		}
	}
	// Without a header columns are named by number, and a gap in the first line is a gap.
	bare := write(t, "bare.csv", []byte("x,1,?\ny,2,5\nz,4,7\n"))
	d, err := ReadCSV(bare, CSV{Attributes: []string{"1"}, Missing: Median})
	if err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{1, 6, 2, 5, 4, 7}) || !slices.Equal(d.Attribute("1"), []string{"x", "y", "z"}) || d.FeatureNames != nil {
		t.Errorf("without a header: %v, %v", d, err)
	}
	years := write(t, "years.csv", []byte("1990,1991\n1,2\n3,4\n"))
	if d, err := ReadCSV(years, CSV{Drop: []string{"1990"}}); err != nil || d.Len() != 2 || !slices.Equal(d.FeatureNames, []string{"1991"}) {
		t.Errorf("a header of numbers: %v, %v", d, err)
	}
	for name, c := range map[string]struct {
		opt  CSV
		want string
	}{
		"unknown column":   {CSV{Drop: []string{"colour"}}, `CSV.Drop: the header has no column "colour"`},
		"two roles":        {CSV{Label: "kind", Attributes: []string{"kind"}}, "CSV.Label and in CSV.Attributes"},
		"keep and drop":    {CSV{Keep: []string{"id"}, Drop: []string{"note"}}, "both Keep and Drop"},
		"two labels":       {CSV{Label: "kind", LabelColumn: 2}, "both Label and LabelColumn"},
		"unknown filling":  {CSV{Missing: "mode"}, "Mean, Median, MostFrequent"},
		"no feature":       {CSV{Keep: []string{}}, "no column is left as a feature"},
		"no complete line": {CSV{Keep: []string{"width", "length", "note"}, Missing: Drop}, "not finite numbers"},
	} {
		if _, err := ReadCSV(path, c.opt); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadCSV(write(t, "empty.csv", []byte("a,b\n1,\n2,\n")), CSV{Missing: Mean}); err == nil || !strings.Contains(err.Error(), `"b" (no value at all)`) {
		t.Errorf("an empty column: %v", err)
	}
	if _, err := ReadCSV(write(t, "gaps.csv", []byte("a,b\n1,\n,2\n")), CSV{Missing: Drop}); err == nil || !strings.Contains(err.Error(), "every sample has gaps") {
		t.Errorf("gaps everywhere: %v", err)
	}
	// Very many columns do not make an endless message.
	wide := strings.Repeat("x,", 999) + "x\n" + strings.Repeat("a,", 999) + "a\n"
	if _, err := ReadCSV(write(t, "wide.csv", []byte(wide)), CSV{}); err == nil || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "980 more") {
		t.Errorf("1000 columns of text: %v", err)
	}
}

// Spreadsheets write a byte-order mark before the text, semicolons, and decimal commas.
func TestCSVSpreadsheet(t *testing.T) {
	path := write(t, "bäume.csv", []byte("\uFEFFid;Höhe;Breite;Art\nB1;5,02;-1,5e1;Linde\nB2;;7;\nB3;3;0,5;Ahorn\n"))
	// The separator and the decimal mark are detected, or taken from the options.
	for name, opt := range map[string]CSV{
		"neither": {Label: "Art"}, "separator": {Label: "Art", Comma: ';'}, "mark": {Label: "Art", Decimal: ','}, "both": {Label: "Art", Comma: ';', Decimal: ','},
	} {
		_, err := ReadCSV(path, opt)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `not finite numbers: "id" (line 2: "B1"); gaps in: "Höhe" (1, on line 3)`) || !strings.Contains(err.Error(), `CSV{Drop: []string{"id"}}`) {
			t.Errorf("%s: got %v", name, err)
		}
		opt.Attributes, opt.Missing = []string{"id"}, Mean
		d, err := ReadCSV(path, opt)
		if err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{5.02, -15, 4.01, 7, 3, 0.5}) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if _, err := ReadCSV(path, CSV{Label: "Art", Decimal: '.'}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `"Höhe" (line 2: "5,02")`) {
		t.Errorf("another mark: %v", err)
	}
	d, err := ReadCSV(path, CSV{Label: "Art", Comma: ';', Decimal: ',', Attributes: []string{"id"}, Missing: Mean})
	if err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{5.02, -15, 4.01, 7, 3, 0.5}) || !slices.Equal(d.Attribute("id"), []string{"B1", "B2", "B3"}) {
		t.Errorf("%v, %v", d, err)
	}
	// A thousands point is not read as a decimal point.
	for _, opt := range []CSV{{}, {Comma: ';', Decimal: ','}} {
		if d, err := ReadCSV(write(t, "thousands.csv", []byte("a;b\n1.234;1\n2,5;2\n")), opt); err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{1234, 1, 2.5, 2}) {
			t.Errorf("thousands: %v, %v", d, err)
		}
	}
	if d, err := ReadCSV(write(t, "bare.csv", []byte("1,5;2\n3;4,5\n")), CSV{Comma: ';', Decimal: ','}); err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{1.5, 2, 3, 4.5}) {
		t.Errorf("without a header: %v, %v", d, err)
	}
	// A marker of gaps among numbers may be the name of a class.
	d, err = ReadCSV(write(t, "classes.csv", []byte("a,kind\n1,NA\n2,rose\n")), CSV{Label: "kind"})
	if err != nil || !slices.Equal(d.ClassNames, []string{"NA", "rose"}) || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], `CSV{Unknown: "NA"}`) {
		t.Errorf("class NA: %v, %v, notes %q", d, err, d.Notes)
	}
}

// Classes are numbered in sorted order, not in the order of the file.
func TestCSVClasses(t *testing.T) {
	for text, want := range map[string][]string{
		"b,a,c,a":        {"a", "b", "c"},
		"2.5,-1,10,?":    {"-1", "2.5", "10"},
		"x10,x9,x1":      {"x1", "x9", "x10"},
		"3,1,2":          nil,
		"é,z,a":          {"a", "z", "é"},
		"1e3,20,nan, 20": {"1e3", "20", "nan"},
	} {
		table := "v,c\n"
		for k, c := range strings.Split(text, ",") {
			table += fmt.Sprintf("%d,%s\n", k, c)
		}
		d, err := ReadCSV(write(t, "c.csv", []byte(table)), CSV{Label: "c"})
		if err != nil || !slices.Equal(d.ClassNames, want) {
			t.Errorf("%s: %q, %v", text, d.ClassNames, err)
			continue
		}
		for k, c := range strings.Split(text, ",") {
			if c != "?" && d.ClassName(d.Labels[k]) != strings.TrimSpace(c) {
				t.Errorf("%s: sample %d is of class %q", text, k, d.ClassName(d.Labels[k]))
			}
		}
	}
}

// Square images are recognised by their values, and other tables are not.
func TestGuessImage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table := func(n, features int, f func(i, k int) float64) *data.Data {
		x := mat.NewDense(n, features, nil)
		for i := range n {
			for k := range features {
				x.Set(i, k, f(i, k))
			}
		}
		return data.New(x, nil)
	}
	digits := Digits()
	digits.Image = data.Image{}
	scaled := digits.Scale01()
	mixed := rng.Perm(64)
	read := func(d *data.Data) *data.Data {
		path := filepath.Join(t.TempDir(), "d.npz")
		if err := WriteNPZ(path, d); err != nil {
			t.Fatal(err)
		}
		got, err := ReadNPZ(path, NPZ{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for name, c := range map[string]struct {
		d    *data.Data
		side int
	}{
		"digits":        {digits, 8},
		"scaled digits": {scaled, 8},
		"one digit":     {digits.Subset([]int{3}), 8},
		"mixed pixels":  {table(200, 64, func(i, k int) float64 { return digits.X.At(i, mixed[k]) }), 0},
		"sonar":         {Sonar(), 0},
		"letters":       {LetterAE(), 0},
		"noise":         {table(100, 100, func(int, int) float64 { return float64(rng.IntN(256)) }), 0},
		"constant":      {table(10, 64, func(i, _ int) float64 { return float64(i) }), 0},
		"curves":        {table(100, 100, func(i, k int) float64 { return math.Sin(float64(k)/20 + float64(i)) }), 0},
		"walks":         {table(100, 144, func(i, k int) float64 { return math.Abs(math.Sin(float64(i*k)/300)) * math.Cos(float64(k)/40) }), 0},
		"other values":  {table(200, 64, func(i, k int) float64 { return 1.5 * digits.X.At(i, k) / 16 }), 0},
	} {
		got := read(c.d)
		if got.Image.Height != c.side || got.Image.Width != c.side || (c.side > 0) != (len(got.Notes) == 1) {
			t.Errorf("%s: %+v, notes %q", name, got.Image, got.Notes)
		}
		if refused := got.WithImage(data.Image{}); !refused.Image.IsZero() {
			t.Errorf("%s: refused, but %+v", name, refused.Image)
		}
	}
	if report := fmt.Sprint(ssdrnb.PCA().MustFit(read(digits)).Report()); !strings.Contains(report, "images of 8×8 pixels") {
		t.Errorf("the report does not mention it:\n%s", report)
	}
	// MATLAB stores pixels by columns, and labels from 1 keep their names.
	x, y := digits.X, mat.NewDense(digits.Len(), 1, nil)
	for i, l := range digits.Labels {
		y.Set(i, 0, float64(l+1))
	}
	d, err := ReadMAT(write(t, "d.mat", matFile(false, map[string]*mat.Dense{"fea": x, "gnd": y})), MAT{})
	if err != nil || d.Image != (data.Image{Height: 8, Width: 8, ColumnMajor: true}) || d.ClassName(0) != "1" || d.ClassName(9) != "10" {
		t.Errorf("MATLAB: %+v, %q, %v", d.Image, d.ClassNames, err)
	}
	if got := read(digits); got.ClassName(3) != "3" {
		t.Errorf("class 3 is called %q", got.ClassName(3))
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

// idx returns an IDX file of bytes.
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

// matFile returns a MATLAB 5 file of double matrices (values in column-major order).
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
	// Images beside the class folders have no known class.
	if err := os.WriteFile(filepath.Join(dir, "0.pgm"), []byte("P2 3 2 255 1 2 3 4 5 6"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err = ReadImages(dir)
	if err != nil || !slices.Equal(d.Labels, []int{0, 0, 1, 1, data.Unlabelled}) || d.X.At(4, 5) != 6 {
		t.Fatalf("with an image without a class: %v, %v", d, err)
	}
	for name, raw := range map[string]string{"p.pgm": "P5 3 2 255 ", "q.png": "not a picture", "r.pgm": "P5 1000000000 1000000000 255\n", "s.pgm": "P2 1 1 255 7", "t.pgm": "P2 3 2 9 0 1 2 3 4 10", "u.pgm": "P2 3 2 9 0 1 2 3 4 -1", "v.pgm": "P5 3 2 9 \x00\x01\x02\x03\x04\x0a", "w.pgm": "P5 3 2 256 \x00\x00\x00\x01\x00\x02\x00\x03\x00\x04\x01\x01"} {
		other := filepath.Join(dir, "dogs", name)
		if err := os.WriteFile(other, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadImages(dir); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v", name, err)
		}
		os.Remove(other)
	}
	numbers := t.TempDir()
	for _, class := range []string{"10", "9", "1"} {
		if err := os.Mkdir(filepath.Join(numbers, class), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(numbers, class, "a.pgm"), []byte("P2 1 1 255 "+class), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if d, err := ReadImages(numbers); err != nil || !slices.Equal(d.ClassNames, []string{"1", "9", "10"}) || d.X.At(2, 0) != 10 {
		t.Errorf("folders of numbers: %v, %v", d, err)
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
		t.Errorf("%v; MATLAB images are column-major", d)
	}
}

// The real files, if they are on the machine.
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
