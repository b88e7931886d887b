package look

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Live plots use the colours of figures, by class rank, and have no more entries than a legend
// holds.
func TestLegend(t *testing.T) {
	few := ClassesOf(&data.Data{X: mat.NewDense(3, 1, nil), Labels: []int{-1, 3, 7}}, 3).Legend()
	if fmt.Sprint(few.Names, few.Of) != "[unlabelled 3 7] [0 1 2]" || few.Colors[1] != CSS(Color(0)) || few.Colors[2] != CSS(Color(1)) || few.Colors[0] != CSS(NoClass) {
		t.Errorf("classes of a live plot: %+v", few)
	}
	const n = 10_000
	each := make([]int, n)
	for i := range each {
		each[i] = i
	}
	many := ClassesOf(data.New(mat.NewDense(n, 1, nil), each), n).Legend()
	if len(many.Names) > 300 || len(many.Of) != n || len(many.Colors) != len(many.Names) || len(many.Symbols) != len(many.Names) {
		t.Errorf("a live plot lists %d classes", len(many.Names))
	}
	for i, k := range many.Of {
		if k >= len(many.Names) || i < 200 && many.Names[k] != fmt.Sprint(i) {
			t.Fatalf("sample %d is of class %d, %s", i, k, many.Names[k])
		}
	}
}
