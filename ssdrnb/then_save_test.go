package ssdrnb_test

import (
	"fmt"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Every chain of two methods that can be fitted maps points as before after saving and loading:
// each method before a cheap second one, each method after PCA, and first methods with every kind
// of map before second methods with every kind. The whole grid is part of test --all.
func TestThenSaved(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := blobs(6, 1)
	var firsts, seconds []string
	for _, m := range ssdrnb.Methods() {
		if m.Shape == ssdrnb.Nonlinear {
			seconds = append(seconds, m.Name)
		} else {
			firsts = append(firsts, m.Name)
		}
	}
	kinds := map[string]bool{"PCA": true, "KLDA": true, "BCGPLVM": true, "LLE": true, "UMAP": true, "t-SNE": true, "S2NE": true, "Isomap": true, "LAE": true, "GPLVM": true}
	saved := 0
	for _, first := range firsts {
		for _, second := range seconds {
			if os.Getenv("SSDRNB_TEST_ALL") == "" && first != "PCA" && second != "LLE" && !(kinds[first] && kinds[second]) {
				continue
			}
			chain := ssdrnb.New(first + " then " + second)
			for _, option := range []string{"iterations", first + " iterations"} {
				if _, ok := chain.Method().Param(option); ok {
					chain = chain.With(option, 5)
				}
			}
			m, err := chain.Fit(d)
			if err != nil {
				continue // these methods need other data, see the conformance tests
			}
			saved++
			if err := sameWhenReloaded(t, m, d.X); err != nil {
				t.Errorf("%s: %v", chain, err)
			}
		}
	}
	if saved < len(firsts)+len(seconds)/2 {
		t.Errorf("only %d chains were fitted", saved)
	}
	t.Logf("%d chains", saved)
}

// Chains of chains keep the maps of all their parts apart.
func TestThenOfThenSaved(t *testing.T) {
	d := blobs(6, 1)
	m, err := ssdrnb.Then(ssdrnb.PCA().Dims(4), ssdrnb.Then(ssdrnb.LDA().Dims(2), ssdrnb.UMAP().Iterations(5))).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := sameWhenReloaded(t, m, d.X); err != nil {
		t.Error(err)
	}
}

// sameWhenReloaded saves and loads a model twice and compares its maps.
func sameWhenReloaded(t *testing.T, m *ssdrnb.Model, x *mat.Dense) error {
	t.Helper()
	want, wantErr := m.Transform(x)
	for range 2 {
		path := t.TempDir() + "/m.npz"
		if err := m.Save(path); err != nil {
			return err
		}
		var err error
		if m, err = ssdrnb.Load(path); err != nil {
			return err
		}
		got, err := m.Transform(x)
		if (err == nil) != (wantErr == nil) || err == nil && !mat.Equal(got, want) {
			return fmt.Errorf("another map than before: %v, %v", err, wantErr)
		}
	}
	return nil
}
