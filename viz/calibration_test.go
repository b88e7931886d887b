package viz_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// A reliability diagram has a point for each bin, below the diagonal if all predictions are wrong.
func TestCalibration(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(4).Seed(1)
	o, err := ssdrnb.Opinions(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	points := func(truth []int) []any {
		p := payload(t, viz.Calibration(o, truth))
		for _, s := range series(p) {
			if s["name"] == "predicted classes" && len(s["data"].([]any)) > 0 {
				return s["data"].([]any)
			}
		}
		t.Fatal("there is no curve")
		return nil
	}
	if got := points(d.Truth); len(got) != 10 {
		t.Errorf("%d points", len(got))
	}
	wrong := o.Predicted()
	for i := range wrong {
		wrong[i] = (wrong[i] + 1) % 3
	}
	for _, v := range points(wrong) {
		if y := v.([]any)[1].(float64); y != 0 {
			t.Errorf("%v are right where all are wrong", y)
		}
	}
	bundle, err := viz.Calibration(o, d.Truth).Bundle()
	if err != nil || !strings.Contains(bundle["text/html"].(string), "Expected calibration error: 0.") {
		t.Errorf("no expected calibration error below (%v)", err)
	}
	refused(t, map[string]viz.Figure{
		"opinions are nil, ssdrnb.Opinions":           viz.Calibration(nil, d.Truth),
		"3 values, 178 samples, each":                 viz.Calibration(o, d.Truth[:3]),
		"no class for any unlabelled sample, classes": viz.Calibration(o, slices.Repeat([]int{-1}, d.Len())),
		"no class for any unlabelled sample, true":    viz.Calibration(o, d.Labels),
	})
}
