package widgets

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Widgets report that data have no dense features, and do not panic.
func TestShowNeedsDenseFeatures(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	d := ssdrnb.FromDistances(mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0}))
	explorer, playground := Explorer(ssdrnb.UMAP(), d), Playground(d, ssdrnb.UMAP())
	for _, got := range []ssdrnb.Spec{explorer.Show(), explorer.Live().Show(), playground.Show(), playground.Live().Show()} {
		if want := ssdrnb.UMAP().Spec().String(); got.String() != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if ConstraintEditor(ssdrnb.SDA(), d).Show().Err() == nil || Labeler(d).Show().Err() == nil || Paint("x").Start(d).Show().Err() == nil {
		t.Error("a widget shows distances")
	}
}
