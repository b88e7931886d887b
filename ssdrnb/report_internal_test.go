package ssdrnb

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The remedy of a collapsed embedding names only options that have an effect.
func TestUncollapseWithoutUnused(t *testing.T) {
	t.Parallel()
	s := Then(LapRLS().Ambient(5), UMAP().Spread(2)).Spec()
	names := s.Changed()
	if len(names) != 2 {
		t.Fatalf("changed options: %q", names)
	}
	for k, name := range names {
		m := &Model{spec: s, data: data.New(mat.NewDense(2, 1, nil), nil), report: &Report{}}
		m.report.warnUnused(name, "the option %s has no effect", name)
		if text := m.uncollapse(); strings.Contains(text, name+" (") || !strings.Contains(text, names[1-k]+" (") {
			t.Errorf("without %s: %s", name, text)
		}
	}
}
