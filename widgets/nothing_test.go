package widgets

import (
	"image"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// With a nil method, nil data, a nil image or a nil sweep the result of Show has an error, never a
// panic.
func TestNil(t *testing.T) {
	t.Chdir(t.TempDir())
	iris, base := datasets.Iris(), image.NewGray(image.Rect(0, 0, 2, 2))
	var none *ssdrnb.PCABuilder
	of := func(s ssdrnb.Spec) error { return s.Err() }
	for name, show := range map[string]func() error{
		"Explorer method":          func() error { return of(Explorer(nil, iris).Show()) },
		"Explorer pointer":         func() error { return of(Explorer(none, iris).Show()) },
		"Explorer data":            func() error { _, err := Explorer(ssdrnb.PCA(), nil).Show().Fit(nil); return err },
		"ConstraintEditor method":  func() error { return ConstraintEditor(nil, iris).Show().Err() },
		"ConstraintEditor data":    func() error { return ConstraintEditor(ssdrnb.PCA(), nil).Show().Err() },
		"Scribble method":          func() error { return Scribble(nil, iris, base).Show().Err() },
		"Scribble data":            func() error { return Scribble(ssdrnb.PCA(), nil, base).Show().Err() },
		"Scribble picture":         func() error { return Scribble(ssdrnb.PCA(), iris, nil).Show().Err() },
		"Labeler data":             func() error { return Labeler(nil).Show().Err() },
		"Labels of no data":        func() error { return LabelsOf("x", []byte(`{"format":1}`)).Apply(nil).Err() },
		"Paint method":             func() error { return Paint("p", nil).Show().Err() },
		"Paint data":               func() error { return Paint("p").Start(nil).Show().Err() },
		"Playground method":        func() error { return of(Playground(iris, nil).Show()) },
		"Playground data":          func() error { return of(Playground(nil).Show()) },
		"SweepExplorer sweep":      func() error { return of(SweepExplorer(nil, iris).Show()) },
		"SweepExplorer sweep, all": func() error { return of(SweepExplorer(nil, nil).Show()) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("panic: %v", e)
				}
			}()
			if err := show(); err == nil {
				t.Error("no error")
			}
		})
	}
}
