package ssdrnb_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// One Gaussian cloud has no clusters in at least nine of ten draws.
func TestClustersOfOneCloud(t *testing.T) {
	none := 0
	for draw := range 10 {
		rng := rand.New(rand.NewPCG(uint64(draw), 7))
		x := mat.NewDense(400, 10, nil)
		for i := range 400 {
			for k := range 10 {
				x.Set(i, k, rng.NormFloat64())
			}
		}
		found, err := ssdrnb.Clusters().Find(ssdrnb.NewData(x, nil))
		if err != nil {
			t.Fatal(err)
		}
		if found.Count() == 0 {
			none++
		}
	}
	if none < 9 {
		t.Errorf("%d of 10 clouds have no cluster", none)
	}
}

func TestClustersErrors(t *testing.T) {
	iris := datasets.Iris()
	for name, s := range map[string]ssdrnb.ClusterSearch{
		"no neighbours":  ssdrnb.Clusters().Neighbors(0),
		"too many":       ssdrnb.Clusters().Neighbors(150),
		"no core":        ssdrnb.Clusters().Core(0),
		"core":           ssdrnb.Clusters().Neighbors(4).Core(5),
		"smallest":       ssdrnb.Clusters().Smallest(1),
		"smallest above": ssdrnb.Clusters().Smallest(151),
		"trust":          ssdrnb.Clusters().Trust(1.5),
	} {
		var e *ssdrnb.Error
		if _, err := s.Find(iris); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrOption) || e.Param == "" || e.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, k := range []int{-5, 0} { // the error has the given value
		var e *ssdrnb.Error
		if _, err := ssdrnb.Clusters().Neighbors(k).Find(iris); !errors.As(err, &e) || e.Value != k {
			t.Errorf("Clusters: %d neighbours: %v", k, err)
		}
		if _, err := ssdrnb.Communities().Neighbors(k).Find(iris); !errors.As(err, &e) || e.Value != k {
			t.Errorf("Communities: %d neighbours: %v", k, err)
		}
	}
	if _, err := ssdrnb.Clusters().Find(nil); !errors.Is(err, ssdrnb.ErrData) {
		t.Error(err)
	}
	for n := 2; n < 8; n++ {
		rows := []int{0, 50, 100, 1, 51, 101, 2, 52}[:n]
		if _, err := ssdrnb.Clusters().Find(iris.Subset(rows)); err != nil {
			t.Errorf("%d samples: %v", n, err)
		}
	}
	everyone, err := ssdrnb.Clusters().Everyone(true).Find(iris)
	if err != nil || everyone.Count() < 2 || slices.Contains(everyone.Of(), -1) {
		t.Errorf("noise is left: %v %v", everyone, err)
	}
}

// Iris has two well separated clusters.
func ExampleClusters() {
	found, err := ssdrnb.Clusters().Find(datasets.Iris().HideLabels())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Count(), "clusters")
	// Output: 2 clusters
}

func TestNames(t *testing.T) {
	iris := datasets.Iris()
	found, err := ssdrnb.Clusters().Find(iris)
	if err != nil {
		t.Fatal(err)
	}
	names, err := ssdrnb.Names(iris, found)
	if err != nil || len(names) != found.Count() || names[0] == names[1] || names[0] == "cluster 0" {
		t.Errorf("%q, %v", names, err)
	}
	for _, err := range []error{
		func() error { _, err := ssdrnb.Names(nil, found); return err }(),
		func() error { _, err := ssdrnb.Names(iris, nil); return err }(),
		func() error { _, err := ssdrnb.Names(datasets.Wine(), found); return err }(),
	} {
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Remedy == "" {
			t.Error(err)
		}
	}
}
