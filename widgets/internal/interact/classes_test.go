package interact

import (
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// A subset of the data has the colours of the whole set in the page as well.
func TestColoursOfPartsInPage(t *testing.T) {
	whole := datasets.Digits()
	whole.ClassNames = nil
	d := whole.Only(3, 8)
	got, err := dataToWire(d).data()
	if err != nil || !slices.Equal(got.AllClasses(), d.AllClasses()) {
		t.Fatalf("classes %v, %v, want %v", got.AllClasses(), err, d.AllClasses())
	}
	if a, b := look.ClassesOf(got, got.Len()).Legend(), look.ClassesOf(d, d.Len()).Legend(); !slices.Equal(a.Colors, b.Colors) || a.Colors[0] != look.CSS(look.Color(3)) {
		t.Errorf("colours %v, want %v", a.Colors, b.Colors)
	}
	if w := dataToWire(whole); w.Classes != nil {
		t.Errorf("the whole carries its classes twice: %v", w.Classes)
	}
}
