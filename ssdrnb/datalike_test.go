package ssdrnb_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// A model embeds the rows of a later table as those of its training table, whatever the order of
// the columns and the categories of the later table are, also after it was saved.
func TestTransformOfLaterTable(t *testing.T) {
	table := func(header string, rows ...int) *datasets.Table {
		var b strings.Builder
		b.WriteString(header + "\n")
		for _, i := range rows {
			cells := map[string]string{"a": fmt.Sprintf("%.2f", 10+math.Sin(float64(i))), "b": fmt.Sprintf("%.1f", 200+20*math.Cos(float64(3*i))), "c": []string{"red", "blue"}[i%2]}
			for k, name := range strings.Split(header, ",") {
				if k > 0 {
					b.WriteString(",")
				}
				b.WriteString(cells[name])
			}
			b.WriteString("\n")
		}
		read, err := datasets.ReadTableFrom(strings.NewReader(b.String()), "t")
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	all := rowsIn(60, func(int) bool { return true })
	training := datasets.Must(table("a,b,c", all...).Data())
	m := ssdrnb.PCA().MustFit(training)
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"a,b,c", "c,b,a"} {
		for _, rows := range [][]int{{4, 6, 8}, {7}} {
			for _, of := range []*ssdrnb.Model{m, loaded} {
				d, err := table(header, rows...).DataLike(of.Data())
				if err != nil {
					t.Fatal(err)
				}
				y, err := of.Transform(d.X)
				if err != nil {
					t.Fatal(err)
				}
				for k, i := range rows {
					if want := m.Embedding().Slice(i, i+1, 0, 2); !mat.EqualApprox(y.Slice(k, k+1, 0, 2), want, 1e-9) {
						t.Errorf("%s, %v: row %d is at %v instead of %v", header, rows, i, y.RawRowView(k), want)
					}
				}
			}
		}
	}
}
