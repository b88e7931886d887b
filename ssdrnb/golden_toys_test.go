package ssdrnb

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func init() {
	goldenFamilies["trsda_toy_summary"] = goldenTRSDAToys
}

// goldenTRSDAToys repeats the toys of the trace-ratio paper with the noise of the reference
// program: mean accuracies over 20 draws, with all samples classified by the nearest labelled one.
func goldenTRSDAToys(c *golden) {
	c.ignore("two classes have one direction between them; the second is arbitrary", "gauss3.sda")
	const draws, neighbors = 20, 8
	sum := map[string]float64{}
	add := func(path string, e Estimator, d *Data) { sum[path] += c.ofAll(c.model(e, d)) / draws }
	for seed := range uint32(draws) {
		for name, dims := range map[string]int{"gauss2": 2, "gauss3": 3} {
			d := gaussToy(seed, dims)
			alpha := 1e-3 * mat.Trace(discriminant.NewScatter(d.X, d.Labels, d.Classes()).Within) / float64(dims)
			add(name+".lda_d1", LDA().PCA(1).Within(WithinScatter).Ridge(alpha).Dims(1), d)
			sda := SDA().PCA(1).Within(WithinScatter).Neighbors(neighbors).Manifold(10).Ridge(alpha).Dims(1)
			add(name+".sda_d1", sda, d)
			if dims == 2 {
				add(name+".sda", sda, d)
			}
			add(name+".tr_lda", TRLDA().PCA(1).Ridge(alpha).Dims(dims-1), d)
			add(name+".tr_sda", TRSDA().PCA(1).Neighbors(neighbors).Manifold(10).Ridge(alpha).Dims(dims-1), d)
		}
		d := moonToy(seed)
		half, err := graph.HalfMedian(context.Background(), d.X, graph.Euclidean)
		if err != nil {
			c.Fatal(err)
		}
		scale := half / 2
		// In the feature space the scatter within a class of two samples is 1 minus their kernel.
		// The ridge is a thousandth of its mean over all samples.
		alpha := 0.0
		for class := range 2 {
			a, b := d.X.RawRowView(100*class+25), d.X.RawRowView(100*class+75)
			alpha += 1e-3 / 200 * (1 - math.Exp(-(math.Pow(a[0]-b[0], 2)+math.Pow(a[1]-b[1], 2))/(2*scale*scale)))
		}
		add("moons.tr_klda", TRKLDA().Scale(scale).Cut(1e-10).Dims(1).Ridge(alpha), d)
		add("moons.ksda", KSDA().Scale(scale).Cut(1e-10).Neighbors(neighbors).Manifold(1).Dims(1).Ridge(alpha), d)
		add("moons.tr_ksda", TRKSDA().Scale(scale).Cut(1e-10).Neighbors(neighbors).Manifold(1).Dims(1).Ridge(alpha), d)
	}
	for path, got := range sum {
		c.near(path, got, 1e-12)
	}
}

// ofAll is the share of all samples whose nearest labelled sample in the embedding has their class.
func (c *golden) ofAll(m *Model) float64 {
	c.Helper()
	d, y := m.Data(), m.Embedding()
	var rows, labels []int
	for i, l := range d.Labels {
		if l >= 0 {
			rows, labels = append(rows, i), append(labels, l)
		}
	}
	got, err := metrics.NearestNeighbor(samples.Pick(y, rows), labels, y)
	if err != nil {
		c.Fatal(err)
	}
	right := 0
	for i, l := range got {
		if l == d.Truth[i] {
			right++
		}
	}
	return float64(right) / float64(len(got))
}

// gaussToy is two flat Gaussians of 100 samples, one above the other, in the plane or with noise in
// a third dimension. Two samples of each, near fixed positions, are labelled.
func gaussToy(seed uint32, dims int) *Data {
	rng := newReferenceNormal(seed)
	x, truth := mat.NewDense(200, dims, nil), make([]int, 200)
	for i := range 200 {
		truth[i] = i / 100
		x.Set(i, 0, 3*rng.next())
		x.Set(i, 1, float64(1-2*truth[i])+0.25*rng.next())
		if dims > 2 {
			x.Set(i, 2, rng.next())
		}
	}
	labels := slices.Repeat([]int{-1}, 200)
	for class := range 2 {
		side := float64(1 - 2*class)
		for _, place := range [][]float64{{-0.3, 1.25, 0}, {-0.1, 0.75, 0}} {
			best, least := -1, math.Inf(1)
			for i := 100 * class; i < 100*(class+1); i++ {
				square := 0.0
				for k := range dims {
					square += math.Pow(x.At(i, k)-side*place[k], 2)
				}
				if labels[i] < 0 && square < least {
					best, least = i, square
				}
			}
			labels[best] = class
		}
	}
	return NewData(x, truth).WithLabels(labels)
}

// moonToy is two half-moons of 100 samples, two of each labelled.
func moonToy(seed uint32) *Data {
	rng := newReferenceNormal(seed)
	x, truth, labels := mat.NewDense(200, 2, nil), make([]int, 200), slices.Repeat([]int{-1}, 200)
	for i := range 200 {
		truth[i] = i / 100
		at := math.Pi * (float64(i%100) + 0.5) / 100
		u, v := math.Cos(at), math.Sin(at)
		if truth[i] == 1 {
			u, v = 1-u, 0.5-v
		}
		x.Set(i, 0, u+0.08*rng.next())
		x.Set(i, 1, v+0.08*rng.next())
		if i%100 == 25 || i%100 == 75 {
			labels[i] = truth[i]
		}
	}
	return NewData(x, truth).WithLabels(labels)
}
