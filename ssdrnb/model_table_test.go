package ssdrnb_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// withUnits are blobs with attributes whose texts must be quoted in tables, and scaled features.
func withUnits() *data.Data {
	d := blobs(3, 21)
	d.FeatureNames = []string{"length", "row", "weight"}
	n := d.Len()
	ids, prices, quotes := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		ids[i], prices[i], quotes[i] = "00"+strconv.Itoa(i), strconv.Itoa(i)+".50", "a \"b\",\n<c> ü "+strconv.Itoa(i)
	}
	prices[4] = ""
	d.ClassNames = []string{"red", "green, dark", "blue"}
	return d.WithAttribute("id", ids).WithAttribute("price", prices).WithAttribute("label", quotes).Standardize()
}

// A text table has the positions to the last digit, classes by name, and attributes and features in
// their original units.
func TestWriteTableAsText(t *testing.T) {
	d := withUnits()
	model, err := ssdrnb.S2NE().Iterations(20).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for ending, comma := range map[string]rune{".csv": ',', ".tsv": '\t'} {
		path := filepath.Join(t.TempDir(), "table"+ending)
		if err := model.WriteTable(path); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := csv.NewReader(f)
		in.Comma = comma
		lines, err := in.ReadAll()
		if err != nil || len(lines) != d.Len()+1 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		want := []string{"row", "projection_x", "projection_y", "neighbors", "label", "class", "predicted", "probability", "id", "price", "label (data)", "length", "row (data)", "weight"}
		if !slices.Equal(lines[0], want) {
			t.Fatalf("columns %q, want %q", lines[0], want)
		}
		number := func(i int, column string) float64 {
			v, err := strconv.ParseFloat(lines[i+1][slices.Index(want, column)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		opinion, err := model.Opinions()
		if err != nil {
			t.Fatal(err)
		}
		length := d.Original(0)
		for i := range d.Len() {
			line := lines[i+1]
			if number(i, "row") != float64(i) || number(i, "projection_x") != model.Embedding().At(i, 0) || number(i, "projection_y") != model.Embedding().At(i, 1) {
				t.Fatalf("line %d: %q", i, line)
			}
			label := ""
			if d.Labels[i] >= 0 {
				label = d.ClassName(d.Labels[i])
			}
			if line[4] != label || line[5] != d.ClassName(d.Truth[i]) || line[6] != d.ClassName(opinion.Predicted()[i]) {
				t.Errorf("line %d: label %q, class %q, predicted %q", i, line[4], line[5], line[6])
			}
			if p := number(i, "probability"); p != 1-opinion.Doubt()[i] && math.Abs(p-1+opinion.Doubt()[i]) > 1e-15 {
				t.Errorf("line %d: probability %v", i, p)
			}
			if line[8] != d.Attribute("id")[i] || line[9] != d.Attribute("price")[i] || line[10] != d.Attribute("label")[i] {
				t.Errorf("line %d: attributes %q", i, line[8:11])
			}
			if number(i, "length") != length[i] {
				t.Errorf("line %d: length %v, want %v", i, number(i, "length"), length[i])
			}
		}
	}
}

// JSON lines have numbers as numbers, gaps as null, and neighbours in the format of Embedding
// Atlas.
func TestWriteTableAsLines(t *testing.T) {
	d := withUnits()
	model, err := ssdrnb.TRSDA().Metric(ssdrnb.Manhattan).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "table.jsonl")
	if err := model.WriteTable(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	i := 0
	for in := bufio.NewScanner(f); in.Scan(); i++ {
		var line struct {
			X         float64 `json:"projection_x"`
			Neighbors struct {
				IDs       []int     `json:"ids"`
				Distances []float64 `json:"distances"`
			} `json:"neighbors"`
			Label, Class, Predicted any
			ID, Price               any
			Text                    string `json:"label (data)"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			t.Fatalf("line %d: %v\n%s", i, err, in.Text())
		}
		if line.X != model.Embedding().At(i, 0) || line.ID != d.Attribute("id")[i] || line.Text != d.Attribute("label")[i] || line.Predicted != nil {
			t.Errorf("line %d: %s", i, in.Text())
		}
		if want, ok := line.Price.(float64); i == 4 && line.Price != nil || i != 4 && (!ok || want != float64(i)+0.5) {
			t.Errorf("line %d: price %v", i, line.Price)
		}
		if (line.Label == nil) != (d.Labels[i] < 0) || len(line.Neighbors.IDs) != 10 {
			t.Errorf("line %d: label %v, neighbours %v", i, line.Label, line.Neighbors)
		}
		sum := 0.0
		for j := range d.Dim() {
			sum += math.Abs(d.X.At(i, j) - d.X.At(line.Neighbors.IDs[0], j))
		}
		if math.Abs(sum-line.Neighbors.Distances[0]) > 1e-12 {
			t.Errorf("line %d: the Manhattan distance of the nearest is %v, want %v", i, line.Neighbors.Distances[0], sum)
		}
	}
	if i != d.Len() {
		t.Errorf("%d lines", i)
	}
}

// Attributes become numbers only if no text loses anything, in JSON lines and in registered formats.
func TestWriteTableAttributes(t *testing.T) {
	d := data.New(mat.NewDense(3, 2, []float64{0, 1, 2, 4, 5, 5}), nil)
	for _, c := range []struct {
		text   string
		number bool
	}{
		{"7", true}, {"-0.50", true}, {"1e300", true}, {"", true}, {"9007199254740991", true},
		{"9007199254740993", false}, {"-900719925474099101", false}, {"123456789012345678901.5", false}, {"1e400", false},
		{"7 ", false}, {" 7", false}, {"7\n", false}, {"7\r\n", false}, {"007", false}, {"+7", false}, {"0x7", false}, {"1_000", false},
		{"NaN", false}, {"Inf", false}, {"true", false}, {"null", false}, {"[7]", false}, {"{}", false}, {"seven", false},
	} {
		texts := []string{"1", c.text, ""}
		model, err := ssdrnb.PCA().Fit(d.WithAttribute("a", texts))
		must(t, err)
		path := filepath.Join(t.TempDir(), "table.jsonl")
		must(t, model.WriteTable(path))
		raw, err := os.ReadFile(path)
		must(t, err)
		lines := strings.Split(string(raw), "\n")
		if len(lines) != 4 {
			t.Fatalf("%q: %d lines", c.text, len(lines)-1)
		}
		var line struct{ A any }
		must(t, json.Unmarshal([]byte(lines[1]), &line))
		switch v := line.A.(type) {
		case float64:
			if want, err := strconv.ParseFloat(c.text, 64); !c.number || v != want || err != nil {
				t.Errorf("%q is the number %v", c.text, v)
			}
		case string:
			if c.number || v != c.text {
				t.Errorf("%q is the text %q", c.text, v)
			}
		default:
			if c.text != "" {
				t.Errorf("%q is %v", c.text, v)
			}
		}
		ssdrnb.RegisterTable(".columns", func(_ io.Writer, columns []ssdrnb.TableColumn, rows int) error {
			a := columns[slices.IndexFunc(columns, func(c ssdrnb.TableColumn) bool { return c.Name == "a" })]
			for i, text := range texts {
				if a.Text(i) != text {
					t.Errorf("%q is %q", text, a.Text(i))
				}
				if a.Number == nil {
					continue
				}
				if _, ok := a.Number(i); ok != (text != "") {
					t.Errorf("%q is a number: %v", text, ok)
				}
			}
			if (a.Number != nil) != c.number {
				t.Errorf("a column with %q has numbers: %v", c.text, a.Number != nil)
			}
			return nil
		})
		defer ssdrnb.RegisterTable(".columns", nil)
		must(t, model.WriteTable(filepath.Join(t.TempDir(), "table.columns")))
	}
}

// Models of every kind of data can be written as a table, as can loaded models; unknown file
// extensions and missing folders give an error with a remedy.
func TestWriteTableOfAnyModel(t *testing.T) {
	d := blobs(6, 22)
	related := data.FromDistances(symmetric(distancesBetween(d.X, d.X))).WithClasses(d.Truth)
	fitted := func(s ssdrnb.Estimator, d *data.Data) *ssdrnb.Model {
		m, err := s.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	many := data.New(mat.NewDense(4, 120, nil), nil)
	many.X.Set(1, 3, 2)
	many.X.Set(2, 5, 1)
	saved := filepath.Join(t.TempDir(), "model.npz")
	model := fitted(ssdrnb.UMAP().Iterations(5).Dims(4), d)
	if err := model.Save(saved); err != nil {
		t.Fatal(err)
	}
	loaded, err := ssdrnb.Load(saved)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		model *ssdrnb.Model
		head  string
	}{
		"distances":     {fitted(ssdrnb.LAE(), related), "row,projection_x,projection_y,neighbors,label,class\n"},
		"many features": {fitted(ssdrnb.PCA(), many), "row,projection_x,projection_y,neighbors\n"},
		"four dims":     {model, "row,projection_1,projection_2,projection_3,projection_4,neighbors,label,class,feature 0,feature 1,feature 2,feature 3,feature 4,feature 5\n"},
		"of a file":     {loaded, "row,projection_1,projection_2,projection_3,projection_4,label,class\n"},
	} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := c.model.WriteTable(path); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(raw), c.head) {
			t.Errorf("%s: %v, %.200s", name, err, raw)
		}
	}
	if err := model.WriteTable("table.parquet"); !errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("another ending: %v", err)
	} else {
		refused(t, "another ending", err)
	}
	refused(t, "no such folder", model.WriteTable(filepath.Join(t.TempDir(), "no", "table.csv")))
}
