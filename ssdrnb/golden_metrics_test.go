package ssdrnb

import (
	"context"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func init() {
	goldenFamilies["metrics"] = goldenMetrics
	goldenFamilies["kmeans"] = goldenKMeans
}

// goldenMetrics: accuracy, mutual information in bits and NMI of pairs of partitions.
func goldenMetrics(c *golden) {
	for k := range c.count("input.pairs") {
		at := fmt.Sprintf("input.pairs.%d.", k)
		truth, predicted := c.whole(at+"truth"), c.whole(at+"predicted")
		for name, score := range map[string]func(_, _ []int) (float64, error){
			"accuracy": metrics.ClusterAccuracy, "mi_bits": metrics.MutualInformation, "nmi": metrics.NMI,
		} {
			got, err := score(truth, predicted)
			if err != nil {
				c.Fatal(err)
			}
			c.near(fmt.Sprintf("output.%s.%d", name, k), got, 1e-12)
		}
	}
}

// goldenKMeans: Lloyd's algorithm from given centres.
func goldenKMeans(c *golden) {
	x, first, truth := c.mat("input.X"), c.mat("input.centres"), c.whole("input.truth")
	k, _ := first.Dims()
	run, err := metrics.KMeans(context.Background(), x, k, metrics.KMeansOptions{Centers: first})
	if err != nil {
		c.Fatal(err)
	}
	for i, want := range c.whole("output.labels") {
		if run.Labels[i] != want {
			c.Errorf("sample %d in cluster %d, want %d", i, run.Labels[i], want)
		}
	}
	c.nearMat("output.centres", run.Centers, 1e-12)
	c.near("output.inertia", run.Inertia, 1e-12)
	ac, err := metrics.ClusterAccuracy(truth, run.Labels)
	if err != nil {
		c.Fatal(err)
	}
	nmi, err := metrics.NMI(truth, run.Labels)
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.accuracy", ac, 1e-12)
	c.near("output.nmi", nmi, 1e-12)
}
