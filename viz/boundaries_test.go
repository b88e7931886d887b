package viz_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

func TestBoundaries(t *testing.T) {
	lines, circles := datasets.TwoLines(1), datasets.HalfCircles(1)
	models := []*ssdrnb.Model{ssdrnb.DLA().Dims(1).MustFit(lines), ssdrnb.PCA().MustFit(lines), ssdrnb.PCA().MustFit(circles)}
	p := payload(t, viz.Boundaries(models...))
	all := series(p)
	if got := fmt.Sprint(kinds(p)[:4]); got != "[lines lines lines scatter]" {
		t.Fatalf("series %s", got)
	}
	for k, m := range models {
		if all[k]["name"] != m.Method() || all[k]["xAxisIndex"] != float64(k/2) {
			t.Errorf("line %d is %v in panel %v", k, all[k]["name"], all[k]["xAxisIndex"])
		}
		w, mean, err := m.Projection()
		if err != nil {
			t.Fatal(err)
		}
		ends := all[k]["data"].([]any)
		axes := p["option"].(map[string]any)
		for e := range 2 {
			off, edge := 0.0, false
			for dim, name := range []string{"xAxis", "yAxis"} {
				v := ends[2*e+dim].(float64)
				off += w.At(dim, 0) * (v - mean[dim])
				axis := axes[name].([]any)[k/2].(map[string]any)
				// The end may also be beyond the edge, because the script widens the axes and clips
				// the line.
				edge = edge || v < axis["min"].(float64)+1e-2 || v > axis["max"].(float64)-1e-2
			}
			if math.Abs(off) > 1e-2 || !edge {
				t.Errorf("line %d: end %d is %g off the boundary, at an edge: %v", k, e, off, edge)
			}
		}
	}
	refused(t, map[string]viz.Figure{
		"no model":      viz.Boundaries(),
		"4 features":    viz.Boundaries(ssdrnb.PCA().MustFit(datasets.Iris())),
		"LAE, linear":   viz.Boundaries(ssdrnb.LAE().MustFit(lines)),
		"model to draw": viz.Boundaries(nil),
	})
	harmless(t, func(evil string) viz.Figure {
		d := datasets.TwoLines(1)
		d.Name, d.ClassNames, d.FeatureNames = evil, []string{evil, "b"}, []string{evil, "y"}
		return viz.Boundaries(ssdrnb.PCA().MustFit(d))
	})
}
