package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// inverted are the data sets of the table of [ssdrnb.Model.Inverse]. The weights of Inverse were
// chosen on the first three.
var inverted = []struct {
	name string
	data func() *data.Data
}{
	{"digits", datasets.Digits}, {"COIL-20", datasets.COIL20}, {"letters", allLetters},
	{"USPS", datasets.USPS}, {"MNIST", datasets.MNIST}, {"UMIST", datasets.UMIST},
}

// invertedSamples is the largest number of samples of a set. One of every invertedPart samples is
// held out.
const invertedSamples, invertedPart = 2000, 4

// writeInverse prints the error of Inverse: the root mean square distance between held-out samples
// and the results of Inverse at their positions, divided by the root mean square distance between
// these samples and the mean of the training samples. For comparison, it prints the error of taking
// the nearest training sample in the embedding instead.
func writeInverse(match *regexp.Regexp) error {
	fmt.Println("| set, method | nearest sample | Inverse |")
	fmt.Println("|---|---:|---:|")
	for _, set := range inverted {
		if !match.MatchString("inverse, " + set.name) {
			continue
		}
		d := set.data()
		if err := d.Err(); err != nil {
			return err
		}
		rows := rand.New(rand.NewPCG(9, 9)).Perm(d.Len())
		rows = rows[:min(len(rows), invertedSamples)]
		held := len(rows) / invertedPart
		asked, rest := d.Subset(rows[:held]), d.Subset(rows[held:]).KeepLabels(5).Seed(1)
		for _, e := range []ssdrnb.Estimator{ssdrnb.UMAP(), ssdrnb.TSNE(), ssdrnb.S2NE()} {
			m, err := e.FitContext(context.Background(), rest)
			if err != nil {
				return err
			}
			z, err := m.Transform(asked.X)
			if err != nil {
				return err
			}
			near, err := graph.Query(context.Background(), m.Embedding(), z, 1, graph.Euclidean)
			if err != nil {
				return err
			}
			nearest := mat.NewDense(held, d.Dim(), nil)
			for i := range held {
				index, _ := near.Of(i)
				nearest.SetRow(i, rest.X.RawRowView(int(index[0])))
			}
			back, err := m.Inverse(z)
			if err != nil {
				return err
			}
			fmt.Printf("| %s, %s | %.3f | %.3f |\n", set.name, m.Method(), missed(rest.X, asked.X, nearest), missed(rest.X, asked.X, back.X))
		}
	}
	return nil
}

// missed returns the root mean square distance between the rows of the matrices `asked` and `got`,
// divided by the root mean square distance between the rows of `asked` and the mean row of `known`.
func missed(known, asked, got *mat.Dense) float64 {
	n, features := asked.Dims()
	mean := make([]float64, features)
	for j := range mean {
		mean[j] = stat.Mean(mat.Col(nil, j, known), nil)
	}
	far, whole := 0.0, 0.0
	for i := range n {
		for j, v := range asked.RawRowView(i) {
			far += math.Pow(v-got.At(i, j), 2)
			whole += math.Pow(v-mean[j], 2)
		}
	}
	return math.Sqrt(far / whole)
}
