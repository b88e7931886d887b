package viz_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// The panels have the order of the ranking, and the first line is the code of the best method.
func TestRecommended(t *testing.T) {
	r, err := ssdrnb.Recommend(t.Context(), datasets.Iris().KeepLabels(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	f := viz.Recommended(r)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	if _, err := f.PNG(); err != nil {
		t.Fatal(err)
	}
	text := f.Text()
	if want := fmt.Sprintf("Code of the best method: ssdrnb.New(%q).Fit(data)", r.Best().Method().Name); !strings.Contains(text, want) || strings.Count(text, ".Fit(data)") != 6 {
		t.Errorf("%q is missing, or other lines: %s", want, text)
	}
	refused(t, map[string]viz.Figure{
		"the recommendation is nil":   viz.Recommended(nil),
		"the recommendation is empty": viz.Recommended(&ssdrnb.Recommendation{}),
	})
}
