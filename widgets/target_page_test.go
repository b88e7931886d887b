package widgets

import (
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestTargetInPage opens an explorer whose samples are coloured by a numeric target.
func TestTargetInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	wine := datasets.Wine().HideLabels()
	n, d := wine.Len(), wine.Dim()
	priced := ssdrnb.NewData(mat.DenseCopyOf(wine.X.Slice(0, n, 0, d-1)), nil).Standardize().WithTarget("proline", mat.Col(nil, d-1, wine.X)).KeepTarget(0.2)
	writePage(t, page, pageTask{Task: Explorer(ssdrnb.S2NE(), priced).Controls("guidance").task})
	o := openTab(t, page)
	o.until(0, isLive)
	o.until(0, `w.textContent.includes("proline ") && w.textContent.includes(" to ")`)
	o.shots(0, "explorer-target")
	o.faultless()
}
