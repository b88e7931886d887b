package metrics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ClusterAccuracy returns the share of samples, in [0, 1], whose cluster is matched with their
// class by the best one-to-one assignment of clusters to classes (equation 23 of the S2LAE paper,
// "AC"). The numbers of clusters and classes may differ. The cost is O(n + c³) for n samples, where
// c is the larger of the two numbers.
func ClusterAccuracy(truth, clusters []int) (float64, error) {
	t, err := contingency(truth, clusters)
	if err != nil {
		return 0, err
	}
	negative := mat.DenseCopyOf(t.count)
	negative.Scale(-1, negative)
	_, total, err := Assign(negative)
	return -total / t.n, err
}

// MutualInformation returns the mutual information of classes and clusters in bits (equation 24 of
// the S2LAE paper). It is 0 if they are independent.
func MutualInformation(truth, clusters []int) (float64, error) {
	t, err := contingency(truth, clusters)
	if err != nil {
		return 0, err
	}
	return t.information(), nil
}

// NMI returns the mutual information divided by the larger of the two entropies (equation 25 of the
// S2LAE paper), in [0, 1]. Most other libraries divide by the mean of the entropies, which gives
// larger values. NMI is 1 if there is only one class and one cluster. It is 0 if there is one class
// and several clusters, or one cluster and several classes.
func NMI(truth, clusters []int) (float64, error) {
	t, err := contingency(truth, clusters)
	if err != nil {
		return 0, err
	}
	larger := max(entropy(t.classes, t.n), entropy(t.clusters, t.n))
	if larger == 0 {
		return 1, nil
	}
	return min(t.information()/larger, 1), nil
}

// CohenKappa returns the agreement beyond chance of two labellings of the same samples (Cohen
// 1960): (observed − chance)/(1 − chance). It is 1 if the labellings are equal, including the case
// of a single label for all samples. Any integer is a label, including −1.
func CohenKappa(a, b []int) (float64, error) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, fmt.Errorf("%w: the lengths of the labellings are %d and %d; give both the same number of labels, at least one", ErrShape, len(a), len(b))
	}
	n := float64(len(a))
	inA, inB := map[int]float64{}, map[int]float64{}
	observed := 0.0
	for i := range a {
		inA[a[i]]++
		inB[b[i]]++
		if a[i] == b[i] {
			observed++
		}
	}
	chance := 0.0 // a sum of whole numbers, so map order does not matter
	for l, count := range inA {
		chance += count * inB[l]
	}
	if chance >= n*n {
		return 1, nil
	}
	return (observed*n - chance) / (n*n - chance), nil
}

// table counts the samples of every class in every cluster.
type table struct {
	n        float64
	count    *mat.Dense // classes × clusters
	classes  []float64  // row sums
	clusters []float64  // column sums
}

func contingency(truth, clusters []int) (*table, error) {
	if len(truth) != len(clusters) {
		return nil, fmt.Errorf("%w: classes are given for %d samples, but clusters for %d; give a class and a cluster for every sample", ErrShape, len(truth), len(clusters))
	}
	rows, err := known(truth)
	if err != nil {
		return nil, err
	}
	// Number the labels in the order of their first sample.
	number := func(of []int) map[int]int {
		m := map[int]int{}
		for _, i := range rows {
			if _, ok := m[of[i]]; !ok {
				m[of[i]] = len(m)
			}
		}
		return m
	}
	class, cluster := number(truth), number(clusters)
	t := &table{n: float64(len(rows)), count: mat.NewDense(len(class), len(cluster), nil),
		classes: make([]float64, len(class)), clusters: make([]float64, len(cluster))}
	for _, i := range rows {
		a, b := class[truth[i]], cluster[clusters[i]]
		t.count.Set(a, b, t.count.At(a, b)+1)
		t.classes[a]++
		t.clusters[b]++
	}
	return t, nil
}

// information returns Σ p(a, b)·log₂(p(a, b)/(p(a)p(b))) ≥ 0 over classes a and clusters b.
func (t *table) information() float64 {
	sum := 0.0
	for a, na := range t.classes {
		for b, nb := range t.clusters {
			if c := t.count.At(a, b); c > 0 {
				sum += c / t.n * math.Log2(c*t.n/(na*nb))
			}
		}
	}
	return max(sum, 0)
}

// entropy returns −Σ p·log₂p in bits for the shares p = count/n.
func entropy(counts []float64, n float64) float64 {
	h := 0.0
	for _, c := range counts {
		if c > 0 && c < n {
			h -= c / n * math.Log2(c/n)
		}
	}
	return h
}
