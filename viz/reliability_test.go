package viz_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/viz"
)

// kept are the percentages in the line below an embedding.
func kept(t *testing.T, f viz.Figure) []int {
	t.Helper()
	var out []int
	for _, line := range strings.Split(f.Text(), "\n") {
		if strings.HasPrefix(line, "Neighbourhoods: ") {
			for _, found := range regexp.MustCompile(`(\d+) %`).FindAllStringSubmatch(line, -1) {
				v, _ := strconv.Atoi(found[1])
				out = append(out, v)
			}
		}
	}
	return out
}

// The line below an embedding is the mean of the reliabilities, of some samples where they
// are many.
func TestKeptLine(t *testing.T) {
	for name, d := range map[string]*ssdrnb.Data{"all": datasets.Iris(), "some": datasets.Digits()} {
		a, b := ssdrnb.PCA().MustFit(d), ssdrnb.LPP().MustFit(d)
		var want []float64
		for _, m := range []*ssdrnb.Model{a, b} {
			r, err := metrics.Reliability(context.Background(), d.X, m.Embedding(), 15)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, v := range r {
				sum += 100 * v / float64(len(r))
			}
			want = append(want, sum)
		}
		within := 0.6
		if name == "some" {
			within = 3
		}
		got := append(kept(t, viz.Compare(a, b).Color(viz.Residual)), kept(t, viz.Embedding(b))...)
		if len(got) != 3 || !near(got[0], want[0], within) || !near(got[1], want[1], within) || got[2] != got[1] {
			t.Errorf("%s: the lines say %d %%, the reliabilities are %.1f", name, got, want)
		}
	}
	d := datasets.Iris()
	if got := kept(t, viz.Embedding(ssdrnb.PCA().Dims(4).MustFit(d))); fmt.Sprint(got) != "[100]" {
		t.Errorf("all dimensions of PCA keep %d %%", got)
	}
	// Equal samples, and too few.
	same := data.New(mat.NewDense(40, 2, nil), nil)
	few := data.New(mat.NewDense(2, 2, []float64{0, 1, 2, 3}), nil)
	if got := kept(t, viz.Compare(placed{same, mat.NewDense(40, 2, nil)})); len(got) != 1 || got[0] < 0 || got[0] > 100 {
		t.Errorf("of equal samples %d %%", got)
	}
	for name, f := range map[string]viz.Figure{"two samples": viz.Compare(placed{few, mat.NewDense(2, 2, []float64{0, 1, 2, 3})}), "no model": viz.Compare(viz.Samples(d))} {
		if got := kept(t, f); got != nil {
			t.Errorf("%s: %d %%", name, got)
		}
	}
	many := make([]viz.Embedded, 8)
	for k := range many {
		many[k] = ssdrnb.PCA().MustFit(d)
	}
	if got := kept(t, viz.Compare(many...)); len(got) != 2 {
		t.Errorf("of eight panels %d %%", got)
	}
	began := time.Now()
	m := ssdrnb.TRSDA().Dims(2).MustFit(datasets.Digits().KeepLabels(20))
	fit := time.Since(began)
	began = time.Now()
	_ = viz.Embedding(m).Text()
	t.Logf("1,797 digits: a fit of TR-SDA takes %v, the line %v", fit, time.Since(began))
}

func near(got int, want, within float64) bool {
	return float64(got) > want-within && float64(got) < want+within
}
