package metrics_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func ExampleClusterAccuracy() {
	truth := []int{0, 0, 0, 1, 1, 1}
	clusters := []int{2, 2, 5, 5, 5, 5} // the numbers of clusters are arbitrary
	ac, _ := metrics.ClusterAccuracy(truth, clusters)
	nmi, _ := metrics.NMI(truth, clusters)
	fmt.Printf("AC %.3f, NMI %.3f\n", ac, nmi)
	// Output: AC 0.833, NMI 0.459
}

func ExampleAssign() {
	cost := mat.NewDense(2, 3, []float64{
		4, 1, 3,
		2, 0, 5,
	})
	columns, total, _ := metrics.Assign(cost)
	fmt.Println(columns, total)
	// Output: [1 0] 3
}

func ExampleKMeans() {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	c, _ := metrics.KMeans(context.Background(), x, 2, metrics.KMeansOptions{Starts: 5, Seed: 1})
	ac, _ := metrics.ClusterAccuracy([]int{0, 0, 0, 1, 1, 1}, c.Labels)
	fmt.Println(c.Inertia, ac)
	// Output: 4 1
}

func ExampleScoreClusters() {
	y := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	s, _ := metrics.ScoreClusters(context.Background(), y, []int{0, 0, 0, 1, 1, 1}, 3, metrics.KMeansOptions{Starts: 10})
	fmt.Printf("AC %.2f, NMI %.2f, mean of %d of %d\n", s.MeanByInertia.AC, s.MeanByInertia.NMI, s.Kept, s.Starts)
	// Output: AC 1.00, NMI 1.00, mean of 3 of 10
}

func ExampleTrustworthiness() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2.1, 3.3, 4.6, 6, 7.5, 9.1})
	folded := mat.NewDense(8, 1, []float64{0, 1, 2.1, 3.3, 3.35, 2.15, 1.05, 0.05}) // the ends meet
	trust, _ := metrics.Trustworthiness(context.Background(), x, folded, 2)
	keeps, _ := metrics.Continuity(context.Background(), x, folded, 2)
	fmt.Printf("trustworthiness %.2f, continuity %.2f\n", trust, keeps)
	// Output: trustworthiness 0.46, continuity 0.74
}

func ExampleNearestNeighborPath() {
	train := mat.NewDense(2, 2, []float64{0, 0, 1, 9})
	queries := mat.NewDense(2, 2, []float64{0.4, 8, 0.9, 9})
	path, _ := metrics.NearestNeighborPath(train, []int{0, 1}, queries, []int{1, 1})
	fmt.Println(path)
	// Output: [0.5 1]
}

// Two of six samples have moved.
func ExampleReliability() {
	x := mat.NewDense(6, 1, []float64{0, 1, 2.1, 10, 11, 12.1})
	y := mat.NewDense(6, 1, []float64{0, 1, 10.5, 10, 11, 2.1})
	kept, _ := metrics.Reliability(context.Background(), x, y, 2)
	fmt.Println(kept)
	_, area, _ := metrics.RNX(context.Background(), x, y)
	fmt.Printf("area below R_NX %.2f\n", area)
	// Output:
	// [0.5 0.5 0 0.5 0.5 0]
	// area below R_NX 0.10
}

// The classes are separated in the embedding but not in the data.
func ExampleLabelContinuity() {
	classes := []int{0, 1, 0, 1}
	x := mat.NewDense(4, 1, []float64{0, 0, 1, 1})
	y := mat.NewDense(4, 1, []float64{0, 5, 1, 6})
	trust, _ := metrics.LabelTrustworthiness(x, y, classes)
	keeps, _ := metrics.LabelContinuity(x, y, classes)
	fmt.Println(trust, keeps)
	// Output: 1 0
}
