package datasets

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// remediesOfReaders are the cases of errors and notes of readers.
func remediesOfReaders(t *testing.T) []advicetest.Case {
	t.Helper()
	folder, names := t.TempDir(), 0
	// file writes a file in its own folder.
	file := func(name, content string) string {
		names++
		dir := filepath.Join(folder, fmt.Sprint(names))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	is := func(_ any, err error) error { return err }
	// note returns the note that contains the words, or the error of the reader.
	note := func(words string) func(d *data.Data, err error) error {
		return func(d *data.Data, err error) error {
			if err != nil {
				return err
			}
			return advicetest.Warning(d.Notes, words)
		}
	}
	csv := func(text string, o CSV) (*data.Data, error) { return ReadCSV(file("t.csv", text), o) }
	table := func(text string, options ...TableOption) (*Table, error) {
		return ReadTable(file("t.csv", text), options...)
	}
	tableNote := func(words, text string, options ...TableOption) error {
		read, err := table(text, options...)
		if err != nil {
			return err
		}
		return advicetest.Warning(read.Notes(), words)
	}
	sheetWith := func(text string, read []TableOption, options ...DataOption) (*data.Data, error) {
		t, err := table(text, read...)
		if err != nil {
			return nil, err
		}
		return t.Data(options...)
	}
	sheet := func(text string, options ...DataOption) (*data.Data, error) { return sheetWith(text, nil, options...) }
	like := func(training, text string, options ...DataOption) (*data.Data, error) {
		d, err := sheet(training)
		if err != nil {
			return nil, err
		}
		t, err := table(text)
		if err != nil {
			return nil, err
		}
		return t.DataLike(d, options...)
	}
	likeComponents := func(k int) (*data.Data, error) {
		d, err := sheet("x,y\n1.5,2\n2.5,3\n0.5,9\n")
		if err != nil {
			return nil, err
		}
		if k > 0 {
			d = d.PCA(float64(k))
		}
		t, err := table("x,y\n1.5,2\n2.5,3\n")
		if err != nil {
			return nil, err
		}
		return t.DataLike(d)
	}
	likeLoaded := func(row string) error {
		t, err := table("width,length,kind\n1.5,8,rose\n" + row + "\n")
		if err != nil {
			return err
		}
		return is(t.DataLike(&data.Data{FeatureNames: []string{"width", "length", "kind = lily", "kind = rose"}}))
	}
	const signs = "x,y\n1,-1\n2,1\n3,-1\n4,1\n"
	named := func(name, content string) error { return is(ReadTable(file(name, content))) }
	flowers := "width,length,kind\n1.5,10,rose\n2.5,20,lily\n3,25,rose\n"
	gapped := "width,length,kind\n1.5,,rose\n2.5,20,lily\n3,25,rose\n"
	twice := "a,a,b\n1,rose,2\n3,lily,4\n5,rose,7\n"
	counted := ",x,y\n0,1.5,3\n1,2.5,5\n2,0.5,9\n3,7.5,1\n"
	numbered := "row number,x,y\n1,1.5,3\n2,2.5,5\n3,0.5,9\n4,7.5,1\n"
	people := "id,age,city\nT1,30,Rome\nT2,41,Oslo\nT3,52,Rome\nT4,29,Oslo\n"
	var textNames []string
	for i := range maxFaults + 1 {
		textNames = append(textNames, fmt.Sprint("text", i))
	}
	texts := strings.Join(textNames, ",") + ",x\n" + strings.Repeat(strings.Repeat("b c,", len(textNames))+"1.5\n", 3)
	var many strings.Builder // thirty categories and a number
	many.WriteString("name,x\n")
	for i := range 720 {
		fmt.Fprintf(&many, "name%d,%d.5\n", i%120, i*7%31)
	}
	var wide strings.Builder // gaps in every row
	wide.WriteString("x,y\n")
	for i := range 6 {
		fmt.Fprintf(&wide, "%s\n", []string{"1.5,", ",2.5"}[i%2])
	}
	var measured strings.Builder
	measured.WriteString("x,y,class\n")
	for i := range 200 {
		fmt.Fprintf(&measured, "%d.5,%d.25,%d.%d\n", i%7, i%11, i, i%9+1)
	}
	var torn strings.Builder
	torn.WriteString("x,street,y\n")
	for i := range 8 {
		fmt.Fprintf(&torn, "%d.5,Mill Lane %d,%d.5\n", i, i, 2*i)
	}
	categories := func(options ...DataOption) (*data.Data, error) {
		read, err := table(many.String(), Column("name").As(Category))
		if err != nil {
			return nil, err
		}
		return read.Data(options...)
	}
	archive := func(labels int, texts []string) error {
		arrays := map[string]any{"X": mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 9})}
		if arrays["y"] = make([]int64, labels); texts != nil {
			arrays["y"] = texts
		}
		return is(ReadNPZ(file("a.npz", string(sparseNPZ(t, "", arrays))), NPZ{}))
	}
	flat := string(matFile(false, map[string]*mat.Dense{"X": mat.NewDense(4, 6, nil)}))
	cube := flat // its axes are 4, 3, 2
	le := binary.LittleEndian
	axes := func(n ...uint32) (out []byte) {
		out = le.AppendUint32(le.AppendUint32(nil, 5), uint32(4*len(n)))
		for _, v := range n {
			out = le.AppendUint32(out, v)
		}
		return append(out, make([]byte, (8-len(out)%8)%8)...)
	}
	cube = strings.Replace(cube, string(axes(4, 6)), string(axes(4, 3, 2)), 1)
	cube = cube[:132] + string(le.AppendUint32(nil, le.Uint32([]byte(cube[132:136]))+8)) + cube[136:]
	// elsewhere calls ORL with fetch as the function [Fetch], in new folders that contain a file of
	// the given kind.
	elsewhere := func(fetch func(Source, string) (string, error), kind string) error {
		old := Fetch
		defer func() { Fetch = old }()
		Fetch = fetch
		names++
		dir := filepath.Join(folder, fmt.Sprint(names))
		t.Setenv("SSDRNB_CACHE", dir)
		t.Setenv("SSDRNB_DATA", dir)
		if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		switch kind {
		case "npz":
			err = WriteNPZ(filepath.Join(dir, "orl_32x32.npz"), data.New(mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 9}), []int{0, 1}))
		case "mat":
			err = os.WriteFile(filepath.Join(dir, "data", "ORL_32x32.mat"), []byte(flat), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return ORL().Err()
	}
	var gaps strings.Builder
	gaps.WriteString("x,y,z\n")
	for i := range 90_000 {
		fmt.Fprintf(&gaps, "%d,%d,\n", i%7, i%5)
	}
	gaps.WriteString("1,2,3\n")
	marked := "x\n1.5\n2.5\n1.7\n-999\n-999\n2.2\n"
	markedTwice := "x,y,z\n1.5,2.5,7\n2.5,1.5,900\n-200,-200,-200\n-200,-200,-200\n1.7,2.2,20\n"
	codes := "" // codes without an order
	for i := range 30 {
		codes += fmt.Sprintf("%d,%d.5\n", 1000+i*i*7919%9973, i%4)
	}
	censored := "x,y\n" + strings.Repeat("1.5,1\n2.5,2\n3.5,3\n<=5,4\n<0.5,5\n", 8)
	totals := "site,a,b\n" + strings.Repeat("north,1.5,2\nsouth,3,4\n", 5) + "Total,22.5,30\n"
	described := "gene,one,two,three\ntype,A,B,C\n" + strings.Repeat("g1,1.5,2,7\ng2,3,4,5\n", 8)
	sections := "x,y\n1,2\n3,4\n\nu,v,w\n5,6,7\n8,9,10\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, strings.Repeat(flowers, 400))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	cut := zipped.String()[:zipped.Len()/2]
	picture := func(side int) string {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	pictures := func(second string, content string) error {
		path := file("a.png", picture(4))
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), second), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return is(ReadImages(filepath.Dir(path)))
	}
	tiff := func(name, content string) error { return is(ReadImages(filepath.Dir(file(name, content)))) }
	scipy := func(name string, o MAT) error { return is(ReadMAT(scipyFile(name), o)) }
	npz := func(name string, o NPZ) error { return is(ReadNPZ(scipyFile(name), o)) }
	// binaryFile reads a MAT file (matlab) or an IDX file with the given content.
	binaryFile := func(name, content string, matlab bool) error {
		if matlab {
			return is(ReadMAT(file(name, content), MAT{}))
		}
		return is(ReadIDX(file(name, content), ""))
	}
	numbers := string(matFile(false, map[string]*mat.Dense{"X": mat.NewDense(3, 2, nil)}))
	pixels := string(idx([]uint32{2, 2, 3}, make([]byte, 12)))
	matlab := func(version string) error {
		return is(ReadMAT(file("a.mat", version+strings.Repeat(" ", 200)), MAT{}))
	}
	find := func(text, name string) error {
		read, err := table(text)
		if err != nil {
			return err
		}
		return is(read.Find(name))
	}
	market := func(text string) error { return named("m.mtx", text) }
	sparse := "%%MatrixMarket matrix coordinate real general\n"
	svm := func(text string) error { return named("d.svm", text) }
	arff := func(text string) error { return named("d.arff", text) }
	head := "@relation r\n@attribute x numeric\n@attribute y numeric\n"
	return []advicetest.Case{
		{"an unknown filling", is(csv(gapped, CSV{Missing: "mode"})), "give Mean, Median, MostFrequent, Nearest, Indicator or Drop", func() error {
			var all []error
			for _, m := range []Missing{Mean, Median, Drop, MostFrequent, Nearest, Indicator} {
				all = append(all, is(csv(gapped, CSV{Missing: m, Label: "kind"})))
			}
			return errors.Join(all...)
		}},
		{"Keep and Drop", is(csv(flowers, CSV{Keep: []string{"width"}, Drop: []string{"kind"}})), "set only one of them", func() error {
			return errors.Join(is(csv(flowers, CSV{Keep: []string{"width"}})), is(csv(flowers, CSV{Drop: []string{"kind"}})))
		}},
		{"two labels", is(csv(flowers, CSV{Label: "kind", LabelColumn: 3})), "set only one of them", func() error {
			return errors.Join(is(csv(flowers, CSV{Label: "kind"})), is(csv(flowers, CSV{LabelColumn: 3})))
		}},
		{"a fourth of three columns", is(csv(flowers, CSV{LabelColumn: 4})), "give 1 to 3, or -1 to -3 from the end", func() error {
			return errors.Join(is(csv(flowers, CSV{LabelColumn: 3})), is(csv(flowers, CSV{LabelColumn: -1})))
		}},
		{"a decimal x", is(csv(flowers, CSV{Decimal: 'x', Label: "kind"})), "give '.' or ',', or 0 for automatic detection", func() error {
			return errors.Join(is(csv(flowers, CSV{Decimal: '.', Label: "kind"})), is(csv(flowers, CSV{Label: "kind"})))
		}},
		{"a comma x", is(csv(flowers, CSV{Comma: '"', Label: "kind"})), "give ',', ';' or '\\t', or 0 for automatic detection", func() error {
			return errors.Join(is(csv(flowers, CSV{Comma: ',', Label: "kind"})), is(csv(flowers, CSV{Label: "kind"})))
		}},
		{"no header", is(csv("1.5,2\n3,4.5\n5,6\n", CSV{Drop: []string{"colour"}})), "give a column number from 1 to 2", func() error { return is(csv("1.5,2\n3,4.5\n5,6\n", CSV{Drop: []string{"2"}})) }},
		{"two roles", is(csv(flowers, CSV{Label: "kind", Attributes: []string{"kind"}})), "list it in only one of them", func() error { return is(csv(flowers, CSV{Label: "kind"})) }},
		{"two columns of one name", is(csv(twice, CSV{Label: "a"})), "choose one with CSV.LabelColumn", func() error { return is(csv(twice, CSV{LabelColumn: 2})) }},
		{"two targets of one name", is(csv("m,m,kind\n1.5,2.5,x\n2.5,3,y\n", CSV{Target: "m", Label: "kind"})), "give the number of one of the columns, counted from 1", func() error { return is(csv("m,m,kind\n1.5,2.5,x\n2.5,3,y\n", CSV{Target: "2", Label: "kind"})) }},
		{"a target of texts", is(csv(flowers, CSV{Target: "kind"})), "name a column of numbers in CSV.Target, or this one in CSV.Attributes", func() error {
			return errors.Join(is(csv(flowers, CSV{Target: "length", Label: "kind"})), is(csv(flowers, CSV{Attributes: []string{"kind"}})))
		}},
		{"a nameless counter", note("was dropped")(csv(counted, CSV{})), "list it in CSV.Keep to keep it", func() error { return note("was dropped")(csv(counted, CSV{Keep: []string{"1", "2", "3"}})) }},
		{"a counter", note("contains row numbers")(csv(numbered, CSV{})), `drop it with CSV{Drop: []string{"row number"}}`, func() error {
			return note("contains row numbers")(csv(numbered, CSV{Drop: []string{"row number"}}))
		}},
		{"no feature", is(csv(flowers, CSV{Keep: []string{}})), "list other columns in CSV.Keep", func() error { return is(csv(flowers, CSV{Keep: []string{"width"}})) }},
		{"no feature beside dropped columns", is(csv(flowers, CSV{Label: "kind", Drop: []string{"width", "length"}})), "list fewer columns in CSV.Drop and CSV.Attributes", func() error {
			return is(csv(flowers, CSV{Label: "kind", Drop: []string{"width"}}))
		}},
		{"no column beside the label", is(csv("kind\na\nb\n", CSV{Label: "kind"})), "give a file with columns besides the label and the target", func() error {
			return is(csv("kind,x\na,1\nb,2\n", CSV{Label: "kind"}))
		}},
		{"a column kept twice", is(csv(flowers, CSV{Keep: []string{"width", "width"}})), "list it once", func() error { return is(csv(flowers, CSV{Keep: []string{"width"}})) }},
		{"a kept column of text", is(csv(flowers, CSV{Keep: []string{"width", "kind"}})), "move columns from CSV.Keep to CSV.Attributes, make one the CSV.Label instead, or leave them out", func() error {
			only := []string{"width"}
			return errors.Join(is(csv(flowers, CSV{Keep: only, Attributes: []string{"kind"}})), is(csv(flowers, CSV{Keep: only, Label: "kind"})), is(csv(flowers, CSV{Keep: only})))
		}},
		{"a kept column of text beside the label", is(csv(people, CSV{Keep: []string{"id", "age"}, Label: "city"})), "move columns from CSV.Keep to CSV.Attributes, or leave them out", func() error {
			only := []string{"age"}
			return errors.Join(is(csv(people, CSV{Keep: only, Attributes: []string{"id"}, Label: "city"})), is(csv(people, CSV{Keep: only, Label: "city"})))
		}},
		{"a column of text beside the label", is(csv(people, CSV{Label: "city"})), `drop columns with CSV{Drop: []string{"id"}}, or keep them as text with CSV.Attributes; to use`, func() error {
			return errors.Join(is(csv(people, CSV{Label: "city", Drop: []string{"id"}})), is(csv(people, CSV{Label: "city", Attributes: []string{"id"}})))
		}},
		{"many columns of text", is(csv(texts, CSV{})), "drop columns with CSV.Drop, keep them as text with CSV.Attributes, or make one the CSV.Label", func() error {
			return errors.Join(is(csv(texts, CSV{Drop: textNames})), is(csv(texts, CSV{Attributes: textNames})), is(csv(texts, CSV{Label: textNames[0], Drop: textNames[1:]})))
		}},
		{"a column of text", is(csv(flowers, CSV{})), `drop columns with CSV{Drop: []string{"kind"}}, keep them as text with CSV.Attributes, or make one the CSV.Label`, func() error {
			return errors.Join(is(csv(flowers, CSV{Drop: []string{"kind"}})), is(csv(flowers, CSV{Attributes: []string{"kind"}})), is(csv(flowers, CSV{Label: "kind"})))
		}},
		{"a column of text, otherwise", is(csv(flowers, CSV{})), "read the file with datasets.ReadTable and call Data()", func() error { return is(sheet(flowers)) }},
		{"gaps", is(csv(gapped, CSV{Label: "kind"})), "fill gaps with CSV{Missing: datasets.Mean} or datasets.Median, or drop these samples with datasets.Drop", func() error {
			return errors.Join(is(csv(gapped, CSV{Label: "kind", Missing: Mean})), is(csv(gapped, CSV{Label: "kind", Missing: Median})), is(csv(gapped, CSV{Label: "kind", Missing: Drop})))
		}},
		{"pictures of two sizes", pictures("b.png", picture(5)), "resize all pictures to one size", func() error { return pictures("b.png", picture(4)) }},
		{"no picture that is read", tiff("a.webp", "RIFF    WEBP"), "save pictures as PNG", func() error { return tiff("a.png", picture(4)) }},
		{"a portable bitmap", tiff("a.pgm", "P1\n2 2\n0 1 1 0\n"), "save it as PNG, or as P5 or P2", func() error {
			return errors.Join(tiff("a.png", picture(2)), tiff("a.pgm", "P2\n2 2\n9\n0 1 1 0\n"), tiff("a.pgm", "P5\n2 2\n255\n0000"))
		}},
		{"soft labels", npz("labels.npz", NPZ{Y: "soft"}), "y.argmax(axis=1)", func() error { return npz("labels.npz", NPZ{Y: "half"}) }},
		{"labels of other samples", scipy("turned.mat", MAT{}), "set MAT.Columns if the samples are the columns", func() error { return scipy("turned.mat", MAT{Columns: true}) }},
		{"fractions for labels", npz("labels.npz", NPZ{Y: "frac"}), "number the classes, in NumPy with np.unique(y, return_inverse=True)[1]", func() error { return npz("labels.npz", NPZ{Y: "half"}) }},
		{"a version 7.3", matlab("MATLAB 7.3 MAT-file"), "save it in MATLAB with -v7", func() error { return scipy("sparsez.mat", MAT{}) }},
		{"a version 4", matlab("MATLAB 4"), "save it in MATLAB with -v7", func() error { return scipy("sparsez.mat", MAT{}) }},
		{"unknown labels", scipy("cells.mat", MAT{Y: "none"}), "set MAT.Y to one of them", func() error { return scipy("cells.mat", MAT{Y: "chars"}) }},
		{"a guess", note("samples read from Z")(ReadMAT(scipyFile("guess.mat"), MAT{})), "choose another with MAT.X", func() error { return note("samples read from")(ReadMAT(scipyFile("guess.mat"), MAT{X: "Z"})) }},
		{"no matrix", scipy("labelsonly.mat", MAT{}), "set MAT.X to the variable that contains the samples, or save them as X", func() error {
			return errors.Join(scipy("guess.mat", MAT{X: "Z"}), binaryFile("x.mat", numbers, true))
		}},
		{"a MAT file without variables", binaryFile("empty.mat", numbers[:128], true), "save the samples as a matrix X", func() error { return binaryFile("x.mat", numbers, true) }},
		{"an archive without arrays", is(ReadNPZ(file("empty.npz", "PK\x05\x06"+strings.Repeat("\x00", 18)), NPZ{})), "save the samples as X, in NumPy with np.savez(file, X=X)", func() error { return archive(4, nil) }},
		{"an unknown matrix", scipy("guess.mat", MAT{X: "nothing"}), "set MAT.X to one of them", func() error { return scipy("guess.mat", MAT{X: "Z"}) }},
		{"text for samples", scipy("cells.mat", MAT{X: "chars"}), "set MAT.X to a numeric matrix", func() error { return scipy("cells.mat", MAT{}) }},
		{"unknown labels of NPZ", npz("labels.npz", NPZ{Y: "none"}), "set NPZ.Y to one of them", func() error { return npz("labels.npz", NPZ{Y: "half"}) }},
		{"a measurement for labels of NPZ", npz("labels.npz", NPZ{Y: "frac"}), "or name the array in Target if it contains measurements", func() error { return npz("labels.npz", NPZ{Target: "frac"}) }},
		{"a truncated MAT file", binaryFile("cut.mat", numbers[:len(numbers)-9], true), "download or save the file again", func() error { return binaryFile("whole.mat", numbers, true) }},
		{"a truncated IDX file", binaryFile("cut.idx", pixels[:len(pixels)-1], false), "download or save the file again", func() error { return binaryFile("whole.idx", pixels, false) }},
		{"a file of another format than IDX", binaryFile("text.idx", "a,b\n1,2\n", false), "give a file in the IDX format, such as one of MNIST", func() error { return binaryFile("whole.idx", pixels, false) }},
		{"unknown target of MAT", scipy("guess.mat", MAT{Target: "none"}), "name one of them in MAT.Target", func() error {
			return is(ReadMAT(file("target.mat", string(matFile(false, map[string]*mat.Dense{"X": mat.NewDense(3, 2, nil), "y": mat.NewDense(3, 1, nil)}))), MAT{Target: "y"}))
		}},
		{"unknown target of NPZ", npz("labels.npz", NPZ{Target: "none"}), "name one of them in NPZ.Target", func() error { return npz("labels.npz", NPZ{Target: "frac"}) }},
		{"a target of columns", npz("labels.npz", NPZ{Target: "soft"}), "set NPZ.Target to the name of an array with one number for each row", func() error { return npz("labels.npz", NPZ{Target: "frac"}) }},
		{"unknown samples of NPZ", npz("labels.npz", NPZ{X: "none"}), "set NPZ.X to one of them", func() error { return npz("labels.npz", NPZ{X: "X"}) }},
		{"a sparse format", npz("bsr.npz", NPZ{}), "save it with scipy.sparse.save_npz(file, X.tocsr())", func() error { return npz("csr.npz", NPZ{}) }},
		{"text for samples of NPZ", npz("labels.npz", NPZ{X: "text"}), "save measurements as numbers in one array", func() error { return npz("labels.npz", NPZ{Y: "text"}) }},
		{"a bad type", is(table(flowers, Column("width").As("colour"))), "give Number, Integer, Boolean, Category, Date, Text or Identifier", func() error { return is(table(flowers, Column("width").As(Text))) }},
		{"a bad quote", is(table(flowers, Quote('é'))), "give an ASCII character, or 0 for no quotes", func() error {
			return errors.Join(is(table(flowers, Quote('|'))), is(table(flowers, Quote(0))))
		}},
		{"a bad decimal mark", is(table(flowers, Decimal('x'))), "give '.' or ','", func() error { return is(table(flowers, Decimal('.'))) }},
		{"a bad decimal mark of a column", is(table(flowers, Column("width").Decimal('x'))), "give '.' or ','", func() error { return is(table(flowers, Column("width").Decimal('.'))) }},
		{"a negative number of lines", is(table(flowers, Skip(-1))), "give 0 or more", func() error { return is(table(flowers, Skip(0))) }},
		{"a bad encoding", is(table(flowers, Encoding("latin1"))), `give "UTF-8", "UTF-16LE", "UTF-16BE" or "Windows-1252"`, func() error {
			return errors.Join(is(table(flowers, Encoding("UTF-8"))), is(table(flowers, Encoding("Windows-1252"))))
		}},
		{"an option twice", is(table(flowers, Skip(0), Skip(1))), "give it once", func() error { return is(table(flowers, Skip(0))) }},
		{"two types of a column", is(table(flowers, Column("1").As(Text), Column("width").As(Number))), "give it once", func() error { return is(table(flowers, Column("1").As(Text))) }},
		{"two decimal marks of a column", is(table(flowers, Column("1").Decimal('.'), Column("width").Decimal(','))), "give it once", func() error { return is(table(flowers, Column("1").Decimal('.'))) }},
		{"a decimal mark for all columns", tableNote("that was detected", "a;b\n1,484;2.5\n2,828;3.75\n1,968;9.1\n", Decimal(',')), "override with Column(name).Decimal('.')", func() error {
			return tableNote("that was detected", "a;b\n1,484;2.5\n2,828;3.75\n1,968;9.1\n", Column("a").Decimal(','), Column("b").Decimal('.'))
		}},
		{"thousands or decimal commas", tableNote("a comma before three digits", "a;b\n1,484;2.5\n2,828;3.75\n1,968;9.1\n"), "override with Column(name).Decimal(',')", func() error {
			return tableNote("a comma before three digits", "a;b\n1,484;2.5\n2,828;3.75\n1,968;9.1\n", Column("a").Decimal(','))
		}},
		{"different units", tableNote("different units", "x,y\n5%,1\n0.04,2\n7%,3\n"), `convert them in the file, or override with Column("x").As(Text)`, func() error {
			return errors.Join(tableNote("different units", "x,y\n5%,1\n4%,2\n7%,3\n"), tableNote("different units", "x,y\n5%,1\n0.04,2\n7%,3\n", Column("x").As(Text)))
		}},
		{"an empty file", is(table("")), "give a file with a table", func() error { return is(table(flowers)) }},
		{"blank lines", is(table("\n\n")), "give a file with a table", func() error { return is(table(flowers)) }},
		{"a header alone", is(table("width,length\n")), "or read this one with NoHeader()", func() error { return is(table("width,length\n", NoHeader())) }},
		{"one name twice", find(twice, "a"), "use the column number, counted from 1, such as \"2\"", func() error { return find(twice, "2") }},
		{"an unknown column", find(flowers, "colour"), `its columns are "width", "length", "kind"`, func() error { return find(flowers, "kind") }},
		{"an unknown Fill", is(sheet(gapped, Fill("zero"))), "give Mean, Median, MostFrequent, Nearest, Indicator or Drop", func() error {
			var all []error
			for _, m := range []Missing{Mean, Median, Drop, MostFrequent, Nearest, Indicator} {
				all = append(all, is(sheet(gapped, Fill(m))))
			}
			return errors.Join(all...)
		}},
		{"two roles of a column", is(sheet(flowers, Label("kind"), Features("kind"))), "list it in only one of them", func() error { return is(sheet(flowers, Label("kind"), Features("width"))) }},
		{"a feature without values", is(sheet("x,y\n1.5,\n2.5,\n3.5,\n", Features("x", "y"))), "remove it from Features", func() error { return is(sheet("x,y\n1.5,\n2.5,\n3.5,\n", Features("x"))) }},
		{"a feature of text", is(sheet(people, Features("id", "age"))), `read the table with Column("id").As(Category)`, func() error {
			read, err := table(people, Column("id").As(Category))
			if err != nil {
				return err
			}
			return is(read.Data(Features("id", "age")))
		}},
		{"many categories", note("is therefore an attribute")(categories()), "make it a feature with Features", func() error { return note("is therefore an attribute")(categories(Features("name", "x"))) }},
		{"an unknown label", is(csv(flowers, CSV{Label: "colour"})), `its columns are "width", "length", "kind"`, func() error { return is(csv(flowers, CSV{Label: "kind"})) }},
		{"labels of fewer samples", archive(3, nil), "save one label for each sample, and samples as the rows of X", func() error { return archive(4, nil) }},
		{"names of fewer samples", archive(0, []string{"a", "b"}), "save one label for each sample", func() error { return archive(0, []string{"a", "b", "a", "b"}) }},
		{"a cube", is(ReadMAT(file("cube.mat", cube), MAT{})), "save it with one sample per row, with X = reshape(X, [], size(X, ndims(X)))'", func() error { return is(ReadMAT(file("flat.mat", flat), MAT{})) }},
		{"a set that is nowhere", elsewhere(nil, ""), "orl_32x32.npz, in NumPy's format with X (one sample per row) and y", func() error { return elsewhere(nil, "npz") }},
		{"a set that is nowhere, otherwise", elsewhere(nil, ""), `import _ "github.com/ssdrnb/ssdrnb/datasets/fetch" to download it`, func() error {
			return elsewhere(func(s Source, dir string) (string, error) { return file("ORL.mat", flat), nil }, "")
		}},
		{"a set that cannot be downloaded", elsewhere(func(s Source, dir string) (string, error) { return "", errors.New("no network") }, ""), "download it by hand from ", func() error { return elsewhere(nil, "mat") }},
		{"many gaps", is(sheet(gaps.String(), Fill(Nearest))), "fill with Median, or drop these samples with Drop", func() error {
			return errors.Join(is(sheet(gaps.String(), Fill(Median))), is(sheet(gaps.String(), Fill(Drop))))
		}},
		{"a counter of a table", note("contains row numbers")(sheet(numbered)), `drop it with Without("row number")`, func() error { return note("contains row numbers")(sheet(numbered, Without("row number"))) }},
		{"no feature of a table", is(sheet(people, Attributes("age", "city"))), "read columns as numbers or categories, for example with Column(name).As(Category), or name other Features", func() error { return is(sheet(people, Features("age"))) }},
		{"no column beside the options of a table", is(sheet(flowers, Label("kind"), Without("width", "length"))), "give a table with more columns, or list fewer columns in the options", func() error {
			return errors.Join(is(sheet(people, Label("city"), Without("id"))), is(sheet(flowers, Label("kind"), Without("width"))))
		}},
		{"gaps everywhere", is(sheet(wide.String(), Fill(Drop))), "fill the gaps with Mean or Median", func() error {
			return errors.Join(is(sheet(wide.String(), Fill(Mean))), is(sheet(wide.String(), Fill(Median))))
		}},
		{"numbers beside categories", note("standardised")(sheet(people)), "Unscaled() keeps their units", func() error { return note("standardised")(sheet(people, Unscaled())) }},
		{"different spreads", note("very different spreads")(sheet("x,y\n1.5,100000\n2.5,900000\n0.5,400000\n1.75,200000\n")), "Standardize() weighs them equally", func() error {
			d, err := sheet("x,y\n1.5,100000\n2.5,900000\n0.5,400000\n1.75,200000\n")
			if err != nil {
				return err
			}
			return d.Standardize().Err()
		}},
		{"a measurement as class", note("looks like a measurement")(csv(measured.String(), CSV{Label: "class"})), `call Data(Target("class"))`, func() error { return note("looks like a measurement")(sheet(measured.String(), Target("class"))) }},
		{"a class that may mean a gap", note("is a class; if")(csv("x,kind\n1.5,a\n2.5,NA\n3,a\n4,b\n", CSV{Label: "kind"})), `read with CSV{Unknown: "NA"}`, func() error {
			return note("is a class; if")(csv("x,kind\n1.5,a\n2.5,NA\n3,a\n4,b\n", CSV{Label: "kind", Unknown: "NA"}))
		}},
		{"another kind of file", named("t.csv", "PAR1"+strings.Repeat("\x00", 40)), "read it with its package, in two lines: import \"github.com/ssdrnb/ssdrnb/datasets/parquet\"", func() error { return is(table(flowers)) }}, // tried by the tests of package parquet
		{"a short row", is(NewTable("t", make([]TableColumn, 2), rowsOf("1.5"))), "give each row one cell for each column, with an empty cell for a gap", func() error { return is(NewTable("t", make([]TableColumn, 2), rowsOf("1.5|"))) }},
		{"an empty sheet", is(NewTable("t", nil, rowsOf("|", ""))), "give a sheet with a table", func() error { return is(NewTable("t", nil, rowsOf("x|y", "1|2"))) }},
		{"no reader", is(ReadTableFrom(nil, "t")), "give a reader of text, such as strings.NewReader(text)", func() error { return is(ReadTableFrom(strings.NewReader(flowers), "t")) }},
		{"numbers as texts", inTexts(), `override with Column("x").As(Number)`, func() error { return inTexts(Column("x").As(Number)) }},
		{"a web page", named("t.csv", "<!doctype html><html><body>log in</body></html>"), "download the file itself", func() error { return is(table(flowers)) }},
		{"XML", named("t.csv", "<?xml version=\"1.0\"?><a></a>"), "save the table as CSV", func() error { return is(table(flowers)) }},
		{"half a gzip archive", named("t.csv.gz", cut), "download or pack it again", func() error { return named("t.csv.gz", zipped.String()) }},
		{"a gzip archive of a few bytes", named("t.csv.gz", cut[:6]), "download or pack it again", func() error { return named("t.csv.gz", zipped.String()) }},
		{"bytes", named("t.csv", "a,b\n1,\x00\x00\x00\x002\n"), "give the path of a text table", func() error { return is(table(flowers)) }},
		{"a folder", is(ReadTable(folder)), "give the path of a file in it", func() error { return is(table(flowers)) }},
		{"a folder of pictures", is(ReadTable(filepath.Dir(file("a.png", picture(4))))), "or read pictures with datasets.ReadImages", func() error { return tiff("a.png", picture(4)) }},
		{"a market without rows", market(sparse + "0 0 0\n"), "give a file with samples", func() error { return market(sparse + "2 2 1\n1 1 3\n") }},
		{"a damaged market", market(sparse + "2 2 1\nx\n"), "write the file again, in Python with scipy.io.mmwrite", func() error { return market(sparse + "2 2 1\n1 1 3\n") }},
		{"a complex market", market("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 4\n"), "write its real part or its absolute values", func() error { return market(sparse + "2 2 1\n1 1 3\n") }},
		{"classes -1 and 1 of a table", note("two classes; if")(csv(signs, CSV{Label: "y"})), `read with CSV{Unknown: "-1"}`, func() error {
			return note("two classes; if")(csv(signs, CSV{Label: "y", Unknown: "-1"}))
		}},
		{"classes -1 and 1 of a file", note("two classes; if")(sheet(signs, Label("y"))), `read with Gaps("-1")`, func() error {
			return note("two classes; if")(sheetWith(signs, []TableOption{Gaps("-1")}, Label("y")))
		}},
		{"two labels", is(sheet(flowers, Label("kind"), Label("width"))), "give it once", func() error { return is(sheet(flowers, Label("kind"))) }},
		{"new rows with other features", is(like(flowers, flowers, Features("width"))), "give only Label and Without, because the training data determine the features", func() error {
			return is(like(flowers, "width,length,kind,note\n1.5,10,rose,7\n2.5,8,rose,9\n", Without("note")))
		}},
		{"new rows like components", is(likeComponents(1)), "give the data from Table.Data, before PCA", func() error { return is(likeComponents(0)) }},
		{"new rows that use a feature as class", is(like(flowers, flowers, Label("width"))), "leave it out of the options", func() error { return is(like(flowers, flowers)) }},
		{"new rows without a column", is(like(flowers, "width\n1.5\n2.5\n")), "give a table with all columns of the training data, even if some are empty", func() error { return is(like(flowers, "width,length,kind\n1.5,,\n2.5,,\n")) }},
		{"new rows with a name twice", is(like("a,b\n1.5,2\n2.5,3\n", "a,a,b\n1.5,7,2\n2.5,7,3\n")), "leave the others out by their numbers, for example with Without(\"2\")", func() error {
			return is(like("a,b\n1.5,2\n2.5,3\n", "a,a,b\n1.5,7,2\n2.5,7,3\n", Without("2")))
		}},
		{"new rows of fewer columns, without names", is(like("1.5,2,5\n2.5,3,1\n", "1.5,2\n2.5,3\n")), "give a table with a column for each feature, in the order of the training data", func() error {
			return is(like("1.5,2,5\n2.5,3,1\n", "1.5,2,6\n2.5,3,7\n"))
		}},
		{"new rows without names", is(like("1.5,2,5\n2.5,3,1\n", "1.5,2,5,9\n2.5,3,1,8\n")), "name the other columns in Label and Without, or read both tables with a header", func() error {
			return errors.Join(is(like("1.5,2,5\n2.5,3,1\n", "1.5,2,5,9\n2.5,3,1,8\n", Without("4"))), is(like("x,y\n1.5,2\n2.5,3\n", "z,x,y\n1.5,2,5\n2.5,3,1\n")))
		}},
		{"new rows with gaps for a loaded model", likeLoaded(",10,rose"), "give the training data instead, or leave these rows out", func() error {
			return errors.Join(is(like(flowers, "width,length,kind\n,10,rose\n1.5,8,rose\n")), likeLoaded("2.5,10,rose"))
		}},
		{"a libsvm line", svm(strings.Repeat("1 1:2 2:3\n-1 1:1 2:4\n", 20) + "1 2:3 1:2\n"), "write each line as a class and then index:value pairs with ascending indices from 1", func() error { return svm("1 1:2 2:3\n-1 1:1 2:4\n1 1:1\n") }},
		{"a sparse file of zeros", market(sparse + "100000000 90 1\n1 1 3\n"), "remove empty rows and columns", func() error { return market(sparse + "1 1 1\n1 1 3\n") }},
		{"ARFF without data", arff(head), "give a file with a line @data and rows after it", func() error { return arff(head + "@data\n1,2\n3,4\n") }},
		{"an ARFF attribute without a type", arff("@relation r\n@attribute x\n@data\n1\n"), "write each column as a line @attribute name type", func() error { return arff("@relation r\n@attribute x numeric\n@data\n1\n") }},
		{"ARFF without attributes", arff("@relation r\n@data\n1\n"), "write each column as a line @attribute name type", func() error { return arff("@relation r\n@attribute x numeric\n@data\n1\n") }},
		{"a sparse ARFF row", arff(head + "@data\n{0 1, x 2}\n"), "write a sparse row as {index value, …} with indices from 0", func() error { return arff(head + "@data\n{0 1, 1 2}\n{0 3}\n") }},
		{"a short ARFF row", arff(head + "@data\n1\n"), "give each row a value for each attribute, with ? for a gap", func() error { return arff(head + "@data\n1,?\n2,3\n") }},
		{"JSON lines", named("d.jsonl", "{\"a\": 1}\n{\"a\": }\n"), "write one object in each line", func() error {
			return named("d.jsonl", "{\"length\": 5.1, \"kind\": \"rose\"}\n{\"length\": 4, \"kind\": \"lily\"}\n")
		}},
		{"lines above", tableNote("above the table skipped", "A title\n\n"+flowers), "override with Header or Skip", func() error {
			return errors.Join(tableNote("above the table skipped", "A title\n\n"+flowers, Skip(2)))
		}},
		{"two tables", tableNote("tables and this is the first", sections), "read the second with Skip(", func() error { return tableNote("tables and this is the first", sections, Skip(4)) }},
		{"mostly numbers", tableNote("others are texts such as", censored), `override with Column("x").As(Number)`, func() error {
			return tableNote("others are texts such as", censored, Column("x").As(Number))
		}},
		{"totals", tableNote("looks like a total", totals), "leave it out with Footer(1)", func() error { return tableNote("looks like a total", totals, Footer(1)) }},
		{"a described header", tableNote("describes the columns", described), "read it as data with Header(1)", func() error { return tableNote("describes the columns", described, Header(1)) }},
		{"a header of two rows", tableNote("rows, joined", "x,y\ncm,s\nlength,time\n1.5,2\n3,4.5\n5,6\n", Header(2)), "override with Header", func() error { return is(table("x,y\n1.5,2\n3,4.5\n", Header(1))) }},
		{"words among numbers", tableNote("not of the type number", "x\n"+strings.Repeat("1.5\n2.5\n", 20)+"below limit\nbelow limit\n"), `override with Column("x").As(Text)`, func() error {
			return tableNote("not of the type number", "x\n"+strings.Repeat("1.5\n2.5\n", 20)+"below limit\nbelow limit\n", Column("x").As(Text))
		}},
		{"leading zeros", tableNote("leading zeros", "code,x\n00123,1.5\n00456,2.5\n00789,3.5\n"), `read with Column("code").As(Category)`, func() error {
			return tableNote("leading zeros", "code,x\n00123,1.5\n00456,2.5\n00789,3.5\n", Column("code").As(Category))
		}},
		{"numbers of rows without a name", tableNote("different whole numbers", codes), `leave the column out with Data(Without("1"))`, func() error {
			d, err := readTable(strings.NewReader(codes), -1, "t.csv")
			if err != nil {
				return err
			}
			return is(d.Data(Without("1")))
		}},
		{"signs", tableNote("not as a gap", "x,y\n1.5,+\n2.5,-\n3.5,+\n"), `override with Gaps("-")`, func() error { return tableNote("not as a gap", "x,y\n1.5,+\n2.5,-\n3.5,+\n", Gaps("-")) }},
		{"a number that may mark gaps in two columns", tableNote("is far from all other values; if", markedTwice), `read with Gaps("-200")`, func() error { return tableNote("is far from all other values", markedTwice, Gaps("-200")) }},
		{"a number that may mark gaps in a wide column", tableNote("stands out in other columns", markedTwice), `read with Gaps("-200")`, func() error { return tableNote("stands out in other columns", markedTwice, Gaps("-200")) }},
		{"a number that may mark gaps", tableNote("is far from all other values", marked), `read with Gaps("-999")`, func() error { return tableNote("is far from all other values", marked, Gaps("-999")) }},
	}
}

// rowsOf returns rows of cells separated by bars.
func rowsOf(rows ...string) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		for _, r := range rows {
			if !yield(bytes.Split([]byte(r), []byte("|")), nil) {
				return
			}
		}
	}
}

// inTexts returns the note about a column of numbers that the source declares as text.
func inTexts(options ...TableOption) error {
	t, err := NewTable("t", []TableColumn{{"x", Text}, {"y", ""}}, rowsOf("1|2", "3|4", "5|6"), options...)
	if err != nil {
		return err
	}
	for _, n := range t.Notes() {
		if strings.Contains(n, "declared as text") {
			return errors.New(n)
		}
	}
	return nil
}
