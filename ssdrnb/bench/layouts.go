package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Time from samples to embedding, including the search for neighbours, and the growth of this time
// with the number of samples. The library and the peer return the share of 1,000 random images
// whose nearest image in the embedding shows the same digit. The computation of this share is not
// timed. The shares may differ by a tenth of the peer's share. MNIST is read from SSDRNB_DATA.
func init() {
	labelled := ssdrnb.S2NE().Spec()
	for _, n := range []int{10_000, 20_000, 40_000, 70_000} {
		lines = append(lines, layout(fmt.Sprintf("S2NE of %d,000 images of MNIST, 5 labels per class", n/1000), "umap-learn with labels", "umap_labelled_picture", images(n), labelled))
	}
	lines = append(lines,
		layout("UMAP of 70,000 images of MNIST", "umap-learn", "umap_picture", images(70_000), ssdrnb.UMAP().Spec()),
		layout("t-SNE of 50 components of MNIST", "openTSNE", "tsne_picture", components(50), ssdrnb.TSNE().Spec()),
	)
	million := func() *data.Data { return datasets.Mixture(1_000_000, 128, 1).KeepLabels(5) }
	flat := ssdrnb.S2NE().Unfold(0).Spec()
	demands = append(demands,
		demand{"S2NE of MNIST, 5 labels per class", fitting(images(70_000), labelled)},
		demand{"S2NE of MNIST, 5 labels per class, Unfold(0)", fitting(images(70_000), flat)},
		demand{"S2NE of a mixture of 1,000,000×128, 5 labels per class", fitting(million, labelled)},
		demand{"S2NE of a mixture of 1,000,000×128, 5 labels per class, Unfold(0)", fitting(million, flat)},
	)
}

// fitting returns the function `prepare` of a [demand]. This function loads the samples and returns
// the timed work, which fits the method to the samples.
func fitting(samples func() *data.Data, method ssdrnb.Spec) func(context.Context) (func() error, error) {
	return func(ctx context.Context) (func() error, error) {
		d := samples()
		return func() error {
			_, err := method.FitContext(ctx, d)
			return err
		}, d.Err()
	}
}

// images returns the first n images of MNIST with 5 labels per class.
func images(n int) func() *data.Data {
	return func() *data.Data {
		d := datasets.MNIST()
		if d.Err() != nil {
			return d
		}
		return d.Subset(first(n)).KeepLabels(5)
	}
}

// first returns the row indices 0 … n-1 of the first n samples.
func first(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// components returns the first k principal components of MNIST, with 5 labels per class.
func components(k int) func() *data.Data {
	return func() *data.Data {
		x, err := reduced(mnist, k)()
		if err != nil {
			return data.Failed("MNIST", err)
		}
		return ssdrnb.NewData(x, datasets.MNIST().Truth).KeepLabels(5)
	}
}

// layout returns a line that compares the method with the peer on the samples.
func layout(name, label, peer string, samples func() *data.Data, method ssdrnb.Spec) line {
	var d *data.Data
	var y *mat.Dense
	return line{name, label, peer, func(context.Context) (map[string]*mat.Dense, error) {
		if d = samples(); d.Err() != nil {
			return nil, d.Err()
		}
		n := d.Len()
		given, truth, chosen := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(queries, 1, nil)
		for i := range n {
			given.Set(i, 0, float64(d.Labels[i]))
			truth.Set(i, 0, float64(d.Truth[i]))
		}
		for a, i := range rand.New(rand.NewPCG(7, 7)).Perm(n)[:queries] {
			chosen.Set(a, 0, float64(i))
		}
		return map[string]*mat.Dense{"x": d.X, "labels": given, "truth": truth, "queries": chosen}, nil
	}, func(ctx context.Context, _ map[string]*mat.Dense) (float64, error) {
		m, err := method.FitContext(ctx, d)
		if err != nil {
			return 0, err
		}
		y = m.Embedding()
		return 0, nil
	}, 0.1, func(in map[string]*mat.Dense) float64 {
		n, _ := y.Dims()
		same := 0
		for _, f := range in["queries"].RawMatrix().Data {
			q := int(f)
			best, least := -1, math.Inf(1)
			for i := range n {
				if v := math.Hypot(y.At(i, 0)-y.At(q, 0), y.At(i, 1)-y.At(q, 1)); i != q && v < least {
					best, least = i, v
				}
			}
			if d.Truth[best] == d.Truth[q] {
				same++
			}
		}
		return float64(same) / queries
	}}
}
