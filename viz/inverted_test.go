package viz_test

import (
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Images along a path are drawn for a method without a decoder, and positions in empty space are
// counted.
func TestInverted(t *testing.T) {
	m := ssdrnb.UMAP().Iterations(50).MustFit(datasets.Digits().Take(20))
	path := viz.PathThrough(m, 6, 0, 50)
	p := viz.Inverted(m, path, 6)
	if err := viz.Pictures(p).Err(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Caption, "6 images along a path") {
		t.Errorf("caption %q", p.Caption)
	}
	for k := range 6 {
		path.Set(k, 0, 1e6)
	}
	if p = viz.Inverted(m, path, 6); !strings.Contains(p.Caption, "6 of them far from all samples") {
		t.Errorf("caption %q", p.Caption)
	}
	refused(t, map[string]viz.Figure{"path is nil": viz.Pictures(viz.Inverted(m, nil, 6))})
}
