package ssdrnb_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// remediesOfMethods are the cases of errors and warnings within the methods.
func remediesOfMethods(t *testing.T) []advicetest.Case {
	t.Helper()
	// told returns the first warning of a fit that contains the words, or its error.
	told := func(words string, e ssdrnb.Estimator, d *data.Data) error {
		m, err := e.Spec().Fit(d)
		if err != nil {
			return err
		}
		return advicetest.Warning(m.Report().Warnings, words)
	}
	fit := func(e ssdrnb.Estimator, d *data.Data) error {
		_, err := e.Spec().Fit(d)
		return err
	}
	with := func(name string, options ...any) ssdrnb.Spec {
		s := ssdrnb.New(name)
		for k := 0; k < len(options); k += 2 {
			s = s.With(options[k].(string), options[k+1])
		}
		return s
	}
	d := blobs(6, 20)
	free := d.WithPairs(data.Pairs{})
	bare, crowd := free.HideLabels(), manySamples()
	big, raw := inUnits(bare, 1e10), ssdrnb.GPLVM().Scaling(ssdrnb.MeanRemoved).Start(ssdrnb.RawScores).Rounds(1).Steps(1)
	one := free.WithLabels(make([]int, d.Len()))
	n := d.Len()
	parts := applied(blobs(6, 41), func(i, _ int, v float64) float64 { return v + 1e4*float64(i%3) })
	parts = parts.WithPairs(data.Pairs{})
	partsLabelled := parts.WithLabels(parts.Truth)
	oneClass := slices.Repeat([]int{data.Unlabelled}, parts.Len()) // labels of one component, the rows 0, 3, 6 …
	for k, i := range []int{0, 3, 6, 9} {
		oneClass[i] = k % 2
	}
	eachPart := slices.Clone(oneClass)
	eachPart[1], eachPart[2] = 0, 1
	near := applied(blobs(6, 41), func(i, _ int, v float64) float64 { return v + 5*float64(i%3) }).HideLabels()
	bridge := func() *data.Data { // two groups, and one sample between them
		rng := rand.New(rand.NewPCG(1, 9))
		x := mat.NewDense(13, 2, nil)
		for i := range 12 {
			x.SetRow(i, []float64{10*float64(i%2) + rng.Float64(), rng.Float64()})
		}
		x.SetRow(12, []float64{5.5, 0.5})
		return data.New(x, nil)
	}()
	single, pushed := bare.WithLabels(labelsAt(n, map[int]int{0: 0, 1: 1, 2: 2})), ssdrnb.S3RMM().Alpha1(0).Alpha2(0)
	moons := datasets.TwoMoons(1).KeepLabels(3).Seed(1)
	fiveClasses := bare.WithLabels(labelsAt(n, map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: 4}))
	tied := labelsAt(n, map[int]int{0: 0, 1: 1})
	many := rareGroup(5001, 0, 0)
	must, cannot := []data.Pair{{I: 0, J: 3}, {I: 1, J: 4}}, []data.Pair{{I: 0, J: 1}, {I: 3, J: 4}}
	paired := bare.WithPairs(data.Pairs{Must: must, Cannot: cannot})
	all := free.WithLabels(free.Truth)
	nearly := all.WithLabels(append(slices.Clone(free.Truth[:n-1]), data.Unlabelled)).WithPairs(data.Pairs{Must: must, Cannot: cannot})
	inFirst := labelsAt(n, map[int]int{0: 0, 3: 0})
	apart := func() *data.Data { // more features than samples, in three parts
		rng := rand.New(rand.NewPCG(9, 1))
		x := mat.NewDense(50, 200, nil)
		for i := range 50 {
			for j := range 200 {
				x.Set(i, j, rng.NormFloat64())
			}
			x.Set(i, i%3, x.At(i, i%3)+60)
		}
		return data.New(x, nil)
	}()
	equal := applied(blobs(6, 43), func(i, _ int, v float64) float64 {
		if i == 59 {
			return v
		}
		return 7
	})
	units := applied(bare, func(_, j int, v float64) float64 { return v * []float64{1e5, 1, 1, 1, 1, 1}[j] })
	lone := applied(bare, func(i, _ int, v float64) float64 {
		if i == 5 {
			return v + 1000
		}
		return v
	})
	rows := []int{0, 7, 14, 21, 28, 35}
	line := mat.NewDense(len(rows), 2, nil)
	spread := mat.NewDense(len(rows), 2, nil)
	huge := mat.NewDense(len(rows), 2, nil)
	for k := range rows {
		line.SetRow(k, []float64{float64(k), 2 * float64(k)})
		spread.SetRow(k, []float64{float64(k), float64(k % 2)})
		huge.SetRow(k, []float64{float64(k) * 1e200, float64(k%2) * 1e200})
	}
	start := func(columns int, unit float64) *mat.Dense {
		rng := rand.New(rand.NewPCG(3, 1))
		y := mat.NewDense(n, columns, nil)
		for i := range n {
			for k := range columns {
				y.Set(i, k, unit*rng.NormFloat64())
			}
		}
		return y
	}
	wrong := data.Pairs{Must: []data.Pair{{I: 0, J: 3}, {I: 3, J: 6}}, Cannot: []data.Pair{{I: 0, J: 6}}}
	zero := mat.DenseCopyOf(d.X)
	zero.SetRow(4, make([]float64, 6))
	zeroed := data.New(zero, nil)
	nonzero := data.New(zero, nil).Subset(append(seq(4), seq(n)[5:]...))
	faint := applied(bare, func(_, j int, v float64) float64 {
		if j == 2 {
			return v * 1e-170
		}
		return v
	})
	short := ssdrnb.UMAP().Iterations(5)
	dose := slices.Repeat([]float64{math.NaN()}, n)
	copy(dose, []float64{1, 2, 4, 3})
	valued := data.New(d.X, nil).WithTarget("dose", dose)
	large := slices.Clone(dose)
	for i := range large {
		large[i] *= 1e140
	}
	unscaled, faraway := ssdrnb.SSGPLVM().Back(true).Scaling(ssdrnb.MeanRemoved).Rounds(1).Steps(1), inUnits(valued, 1e-35).WithTarget("dose", large)
	groups := applied(bare, func(i, _ int, v float64) float64 { return v + 1e12*float64(i%2) })
	allFar := applied(oneFar(60, 0), func(i, _ int, v float64) float64 {
		if i == 0 {
			return 1e9
		}
		return v
	})
	thirds, once, twice := make([]int, 60), mat.NewDense(60, 4, nil), mat.NewDense(60, 5, nil)
	for i := range thirds {
		thirds[i] = i % 3
		row := []float64{5 * float64(i%3), float64(i % 3), float64(i % 2), math.Sin(float64(i))}
		for j := range row {
			row[j] += 0.1 * math.Cos(float64(7*i+j))
		}
		once.SetRow(i, row)
		twice.SetRow(i, append(row, row[0]))
	}
	singular := apart.WithLabels(append(labelsBy(24, 3), slices.Repeat([]int{data.Unlabelled}, 26)...))
	points := applied(all, func(i, j int, v float64) float64 { return float64((i % 3) * (j + 1)) })
	copies := surveyed(0)
	mixed := copies.WithLabels(labelsBy(copies.Len(), 2))
	wide := applied(all, func(_, j int, v float64) float64 {
		if j == 0 {
			return 1e8 * v
		}
		return v
	})
	// Two groups of 12 samples with more features than samples.
	broad := mat.NewDense(24, 60, nil)
	spots := rand.New(rand.NewPCG(3, 5))
	broad.Apply(func(i, k int, _ float64) float64 {
		if k == 0 {
			return spots.NormFloat64() + 50*float64(i%2)
		}
		return spots.NormFloat64()
	}, broad)
	wideParts := data.New(broad, labelsBy(24, 2))
	triangle := data.New(mat.NewDense(3, 2, []float64{0, 0, 1, 2, 3, 1}), []int{0, 1, 1})
	return []advicetest.Case{
		{"copies as nearest neighbours", told("coincides with its nearest neighbour", ssdrnb.SDA().Neighbors(1), copies), "raise Neighbors", func() error { return told("coincide", ssdrnb.SDA().Neighbors(60), copies) }},
		{"copies as neighbours", told("all of its", ssdrnb.SDA(), copies), "raise Neighbors", func() error { return told("coincide", ssdrnb.SDA().Neighbors(60), copies) }},
		{"mostly copies as neighbours", told("coincide with all of their", ssdrnb.SDA(), surveyed(2)), "raise Neighbors", func() error { return told("coincide", ssdrnb.SDA().Neighbors(60), surveyed(2)) }},
		{"copies as neighbours of t-SNE", told("all of its", ssdrnb.TSNE().Perplexity(4).Iterations(5), copies), "raise Perplexity", func() error { return told("coincide with all", ssdrnb.TSNE().Perplexity(30).Iterations(5), copies) }},
		{"copies of different classes", fit(ssdrnb.MFA().Homogeneous(80).Heterogeneous(2), mixed), "raise Heterogeneous", func() error { return fit(ssdrnb.MFA().Homogeneous(80).Heterogeneous(5000), mixed) }},
		{"copies of one class", fit(ssdrnb.MFA().Heterogeneous(5000), mixed), "raise Homogeneous", func() error { return fit(ssdrnb.MFA().Homogeneous(80).Heterogeneous(5000), mixed) }},
		{"copies of one class, otherwise", fit(ssdrnb.MFA().Heterogeneous(5000), mixed), "or set Ridge", func() error { return fit(ssdrnb.MFA().Heterogeneous(5000).Ridge(1), mixed) }},
		{"a singular denominator", told("denominator vanishes", ssdrnb.LDA().Ridge(0), singular), "set Ridge", func() error { return told("denominator", ssdrnb.LDA().Ridge(1), singular) }},
		{"a singular denominator with a ridge", told("denominator vanishes", ssdrnb.LDA().Ridge(1e-20), singular), "raise Ridge", func() error { return told("denominator", ssdrnb.LDA().Ridge(1), singular) }},
		{"a singular denominator, otherwise", told("denominator vanishes", ssdrnb.LDA().Ridge(0), singular), "or use the trace-ratio method", func() error { return fit(ssdrnb.TRLDA(), singular) }},
		{"a singular denominator without an option for a ridge", told("denominator vanishes", ssdrnb.SSLDA().Manifold(0).PCA(1), singular), "keep fewer directions with PCA", func() error {
			return told("denominator", ssdrnb.SSLDA().Manifold(0).PCA(0.5), singular)
		}},
		{"three points", fit(ssdrnb.SSLDA(), points), "label two different samples of a class", func() error {
			return fit(ssdrnb.SSLDA(), points.WithLabels(append([]int{0, 0}, points.Labels[2:]...)))
		}},
		{"three points, otherwise", fit(ssdrnb.SSLDA(), points), "or use TRLDA", func() error { return fit(ssdrnb.TRLDA(), points) }},
		{"features of a tiny scale", told("requested dimensions", ssdrnb.LDA(), wide), "standardise the features with Data.Standardize", func() error { return told("dimension", ssdrnb.LDA(), wide.Standardize()) }},
		{"features of a tiny scale, left out", told("were left out", ssdrnb.LDA().Dims(1).Ridge(0), wide), "standardise the features with Data.Standardize", func() error {
			return told("left out", ssdrnb.LDA().Dims(1), wide.Standardize())
		}},
		{"a model with an adaptive graph of two samples", fit(ssdrnb.LMRAG(), free.WithLabels(free.Truth).Subset([]int{0, 1})), "give at least 3", func() error { return fit(ssdrnb.LMRAG(), free.WithLabels(free.Truth).Subset([]int{0, 1, 2})) }},
		{"equal labelled samples", fit(ssdrnb.LDA(), equal), "label samples that differ", func() error { return fit(ssdrnb.LDA(), d) }},
		{"no constraints", fit(ssdrnb.New("CS1"), bare), "give pairs with Data.WithPairs", func() error {
			return fit(ssdrnb.New("CS1"), bare.WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"a path without dimensions", func() error { _, err := ssdrnb.PCA().Spec().FitPath(context.Background(), d); return err }(), "give at least one", func() error {
			_, err := ssdrnb.PCA().Spec().FitPath(context.Background(), d, 1)
			return err
		}},
		{"HLLE of six samples", fit(ssdrnb.HLLE(), bare.Subset(seq(6))), "ask for fewer dimensions", func() error { return fit(ssdrnb.HLLE().Dims(1), bare.Subset(seq(6))) }},
		{"HLLE of six samples, otherwise", fit(ssdrnb.HLLE(), bare.Subset(seq(6))), "or give at least 7 samples", func() error { return fit(ssdrnb.HLLE(), bare.Subset(seq(7))) }},
		{"a graph in parts", fit(ssdrnb.Isomap().Neighbors(5).Disconnected(ssdrnb.Refuse), parts), "raise Neighbors", func() error { return fit(ssdrnb.Isomap().Neighbors(25).Disconnected(ssdrnb.Refuse), parts) }},
		{"a graph in parts, otherwise", fit(ssdrnb.Isomap().Neighbors(5).Disconnected(ssdrnb.Refuse), parts), "or join the components with Disconnected(Join)", func() error { return fit(ssdrnb.Isomap().Neighbors(5).Disconnected(ssdrnb.Join), parts) }},
		{"LLE in parts", told("groups of samples", ssdrnb.LLE().Dims(1).Neighbors(5), bridge), "raise Neighbors", func() error { return told("groups of samples", ssdrnb.LLE().Dims(1).Neighbors(9), bridge) }},
		{"LLE without regularization", fit(ssdrnb.LLE().Neighbors(12).Regularization(1e-300), bare), "raise Regularization", func() error { return fit(ssdrnb.LLE().Neighbors(12).Regularization(1e-3), bare) }},
		{"LPP in parts", told("coincide at 3 points", ssdrnb.LPP(), apart), "raise Neighbors", func() error { return told("coincide at", ssdrnb.LPP().Neighbors(20), apart) }},
		{"LPP in parts, otherwise", told("coincide at 3 points", ssdrnb.LPP(), apart), "keep fewer directions, for example with PCA(0.9)", func() error { return told("coincide at", ssdrnb.LPP().PCA(0.9), apart) }},
		{"a sample far from all others", told("lies so far away that all others occupy only", ssdrnb.LDA(), oneFar(60, 1e9)), "or fit the others alone, with Data.Subset", func() error {
			return told("so far away", ssdrnb.LDA(), oneFar(60, 1e9).Subset(seq(60)[1:]))
		}},
		{"a scaled sample far from all others", told("lies so far away that all others occupy only", ssdrnb.PCA().Dims(1), allFar.Standardize()), "with Data.Subset before scaling", func() error {
			return told("so far away", ssdrnb.PCA().Dims(1), allFar.Subset(seq(60)[1:]).Standardize())
		}},
		{"groups far apart in every feature", told("coincide at 2 points", ssdrnb.PCA().Dims(1), groups), "fit the groups of samples separately, with Data.Subset", func() error {
			return told("coincide", ssdrnb.PCA().Dims(1), groups.Subset(every(n, 2)))
		}},
		{"anchors on a line", told("distinct dimension", ssdrnb.SSLLE(), bare.WithAnchors(rows, line)), "give the known samples coordinates that differ in every dimension", func() error {
			return told("distinct dimension", ssdrnb.SSLLE(), bare.WithAnchors(rows, spread))
		}},
		{"scores without must-links", told("no must-link", ssdrnb.CS1(), free.KeepLabels(1)), "or label more samples of a class", func() error {
			return told("no must-link", ssdrnb.CS1(), free.KeepLabels(3))
		}},
		{"scores without must-links, otherwise", told("no must-link", ssdrnb.CS1(), bare.WithPairs(data.Pairs{Cannot: cannot})), "give must-link pairs", func() error {
			return told("no must-link", ssdrnb.CS1(), paired)
		}},
		{"a feature twice", told("3 distinct dimensions of 4", ssdrnb.CS1().Dims(4), data.New(twice, thirds)), "remove features that are constant or copies of others", func() error {
			return told("distinct dimensions", ssdrnb.CS1().Dims(4), data.New(once, thirds))
		}},
		{"a heavy weight", told("coincide at one point", ssdrnb.LapRLS().Ambient(1e300), d), "move ambient (1e+300) nearer to the default", func() error { return told("coincide", ssdrnb.LapRLS(), d) }},
		{"small units", told("coincide at one point", ssdrnb.LapRLS(), inUnits(d, 1e-41)), "standardise the features", func() error { return told("coincide", ssdrnb.LapRLS(), inUnits(d, 1e-41).Standardize()) }},
		{"no null space", fit(ssdrnb.NLDA(), d.WithLabels(d.Truth)), "or use LDA or TRLDA", func() error {
			return errors.Join(fit(ssdrnb.LDA(), d.WithLabels(d.Truth)), fit(ssdrnb.TRLDA(), d.WithLabels(d.Truth)))
		}},
		{"no null space after PCA", fit(ssdrnb.NLDA().PCA(0.5), apart.WithLabels(labelsBy(50, 3))), "raise PCA, or use LDA or TRLDA", func() error { return fit(ssdrnb.NLDA().PCA(1), apart.WithLabels(labelsBy(50, 3))) }},
		{"no null space with all directions", fit(ssdrnb.NLDA().PCA(0.99), d.WithLabels(d.Truth)), "or use LDA or TRLDA", func() error { return fit(ssdrnb.LDA().PCA(0.99), d.WithLabels(d.Truth)) }},
		{"no null space whatever PCA keeps", fit(ssdrnb.NLDA().PCA(0.5), d.WithLabels(d.Truth)), "give more features than labelled samples", func() error { return fit(ssdrnb.NLDA().PCA(1), wideParts) }},
		{"must-links between samples that are not neighbours", told("not neighbours", ssdrnb.S2LLE().Neighbors(2), free.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 57}}, Cannot: cannot})), "raise Neighbors", func() error {
			return told("not neighbours", ssdrnb.S2LLE().Neighbors(58), free.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 57}}, Cannot: cannot}))
		}},
		{"classes far apart", told("exp is truncated", ssdrnb.SIsomap(), partsLabelled), "scale the features", func() error { return told("exp is truncated", ssdrnb.SIsomap(), partsLabelled.Standardize()) }},
		{"classes far apart, otherwise", told("exp is truncated", ssdrnb.SIsomap(), partsLabelled), "or raise Width above", func() error { return told("exp is truncated", ssdrnb.SIsomap().Width(1e8), partsLabelled) }},
		{"a nil method", fit(ssdrnb.Then(nil, ssdrnb.TSNE()), d), "give a builder, such as PCA()", func() error { return fit(ssdrnb.Then(ssdrnb.PCA(), ssdrnb.TSNE().Iterations(5)), d) }},
		{"a target without back constraints", told("moves only the samples", ssdrnb.SSGPLVM().Rounds(1), valued), "set Back(true)", func() error {
			return told("moves only the samples", ssdrnb.SSGPLVM().Rounds(1).Back(true), valued)
		}},
		{"a target in a unit far from that of the features", fit(unscaled, faraway), "set Scaling(GlobalScale)", func() error { return fit(unscaled.Scaling(ssdrnb.GlobalScale), faraway) }},
		{"a target in a unit far from that of the features, otherwise", fit(unscaled, faraway), "or give the values in a unit closer to that of the features with Data.WithTarget", func() error {
			return fit(unscaled, faraway.WithTarget("dose", dose))
		}},
		{"drawn pairs", told("away from the others", ssdrnb.SSGPLVM().Rounds(1), free), "set Back(true)", func() error { return told("away from the others", ssdrnb.SSGPLVM().Rounds(1).Back(true), free) }},
		{"a metric of weight 0", fit(pushed.Gamma(1), single), "move Gamma away from 0 and 1", func() error { return fit(pushed.Gamma(0.9), single) }},
		{"a metric of weight 0, otherwise", fit(pushed.Gamma(1), single), "or raise Alpha1 and Alpha2", func() error {
			return fit(pushed.Gamma(1).Alpha1(0.1).Alpha2(0.1), single)
		}},
		{"a graph that splits too far", told("instead of", ssdrnb.LMRAG(), moons), "try more Neighbors", func() error { return told("instead of", ssdrnb.LMRAG().Neighbors(10), moons) }},
		{"a graph that splits too far, otherwise", told("instead of", ssdrnb.LMRAG(), moons), "or other Candidates", func() error {
			return told("instead of", ssdrnb.LMRAG().Candidates(ssdrnb.AllCandidates), moons)
		}},
		{"a graph that has yet to split", told("instead of", ssdrnb.ULMRAG().Clusters(10).Iterations(2), datasets.Iris()), "raise Iterations", func() error {
			return told("instead of", ssdrnb.ULMRAG().Clusters(10).Iterations(30), datasets.Iris())
		}},
		{"a graph that cannot split", told("instead of", ssdrnb.ULMRAG().Clusters(25), bare), "ask for fewer Clusters", func() error { return told("instead of", ssdrnb.ULMRAG().Clusters(3), bare) }},
		{"more classes than a graph has components", told("instead of", ssdrnb.LMRAG(), fiveClasses.Subset(seq(8))), "add samples, with or without labels", func() error { return told("instead of", ssdrnb.LMRAG(), fiveClasses) }},
		{"reconstruction in parts", told("do not relate", ssdrnb.SSML().Neighbors(5), partsLabelled), "raise Neighbors", func() error { return told("do not relate", ssdrnb.SSML().Neighbors(25), partsLabelled) }},
		{"a graph of all neighbours that does not split", told("component instead of 3 after 1 iteration", ssdrnb.ULMRAG().Clusters(3).Neighbors(8).With("iterations", 1), bare.Subset(seq(10))), "; raise Iterations", func() error {
			return told("instead of", ssdrnb.ULMRAG().Clusters(3).Neighbors(8).With("iterations", 30), bare.Subset(seq(10)))
		}},
		{"too many neighbours of an adaptive graph", fit(ssdrnb.ULMRAG().Neighbors(n), bare), fmt.Sprintf("each of %d samples has only %d; ask for at most %d", n, n-1, n-2), func() error { return fit(ssdrnb.ULMRAG().Neighbors(n-2).With("iterations", 1), bare) }},
		{"a neighbourhood of one sample", fit(ssdrnb.LTSA().IncludeSelf(false).Dims(1), bare.Subset(seq(2))), "a neighbourhood of 1 sample has at most 0 directions, not 1; give more samples", func() error {
			return fit(ssdrnb.LTSA().IncludeSelf(false).Dims(1), bare.Subset(seq(4)))
		}},
		{"a neighbourhood of one sample among many", fit(ssdrnb.LTSA().IncludeSelf(false).Dims(1).Neighbors(1), bare), "not 1; raise Neighbors", func() error {
			return fit(ssdrnb.LTSA().IncludeSelf(false).Dims(1).Neighbors(2), bare)
		}},
		{"more dimensions than directions of all samples", fit(ssdrnb.LTSA().IncludeSelf(false).Dims(3), bare.Subset(seq(4))), "not 3; ask for fewer dimensions", func() error {
			return fit(ssdrnb.LTSA().IncludeSelf(false).Dims(2), bare.Subset(seq(4)))
		}},
		{"LTSA in parts", told("instead of unfolding", ssdrnb.LTSA().Neighbors(5), parts), "raise Neighbors", func() error { return told("instead of unfolding", ssdrnb.LTSA().Neighbors(30), parts) }},
		{"equal labelled samples of LLE", fit(ssdrnb.SSLLE(), equal), "label samples that differ", func() error { return fit(ssdrnb.SSLLE(), d) }},
		{"anchors in a small unit", fit(ssdrnb.SSLLE(), bare.WithAnchors(rows, huge)), "in a larger unit", func() error { return fit(ssdrnb.SSLLE(), bare.WithAnchors(rows, spread)) }},
		{"an intersection in parts", told("mean little", ssdrnb.UMAP().Neighbors(5).MixRatio(0), bare), "or set MixRatio above 0", func() error {
			return told("mean little", ssdrnb.UMAP().Neighbors(5).MixRatio(1), bare)
		}},
		{"a sample too far for its tangent space", told("do not determine the coordinates of sample 0", ssdrnb.SSLTSA(), oneFar(60, 1e9)), "leave out samples far from all others", func() error {
			rest := make([]int, 59)
			for k := range rest {
				rest[k] = k + 1
			}
			return told("do not determine", ssdrnb.SSLTSA(), oneFar(60, 1e9).Subset(rest))
		}},
		{"neighbourhoods that fit exactly", fit(ssdrnb.SSLTSA().Neighbors(2), bare.WithAnchors(rows, spread)), "raise Neighbors", func() error { return fit(ssdrnb.SSLTSA().Neighbors(3), bare.WithAnchors(rows, spread)) }},
		{"neighbourhoods that fit exactly, otherwise", fit(ssdrnb.SSLTSA().Neighbors(2), bare.WithAnchors(rows, spread)), "or ask for fewer dimensions", func() error {
			return fit(ssdrnb.SSLTSA().Neighbors(2).Dims(1), bare.WithAnchors(rows, mat.DenseCopyOf(spread.Slice(0, len(rows), 0, 1))))
		}},
		{"neighbourhoods of three samples", fit(ssdrnb.SSLTSA(), bare.Subset([]int{0, 7, 14}).WithAnchors([]int{0, 1}, mat.NewDense(2, 2, []float64{0, 0, 1, 0}))), "give more samples", func() error {
			return fit(ssdrnb.SSLTSA(), bare.WithAnchors(rows, spread))
		}},
		{"a sample with anchors too far for its tangent space", told("of sample 0, which were placed", ssdrnb.SSLTSA(), oneFar(60, 1e9).WithAnchors(rows[1:], mat.DenseCopyOf(spread.Slice(1, 6, 0, 2)))), "or give their coordinates", func() error {
			return told("do not determine", ssdrnb.SSLTSA(), oneFar(60, 1e9).WithAnchors(rows, spread))
		}},
		{"a sample too far for its tangent space, otherwise", told("do not determine the coordinates of sample 0", ssdrnb.SSLTSA(), oneFar(60, 1e9).WithLabels(slices.Concat([]int{-1}, labelsBy(59, 3)))), "or label them", func() error {
			return told("do not determine", ssdrnb.SSLTSA(), oneFar(60, 1e9).WithLabels(labelsBy(60, 3)))
		}},
		{"a part without anchors", fit(ssdrnb.SSLLE().Neighbors(5), parts.HideLabels().WithAnchors([]int{0, 3, 6}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}))), "raise Neighbors", func() error {
			return fit(ssdrnb.SSLLE().Neighbors(30), parts.HideLabels().WithAnchors([]int{0, 3, 6}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1})))
		}},
		{"a part without anchors, otherwise", fit(ssdrnb.SSLLE().Neighbors(5), parts.HideLabels().WithAnchors([]int{0, 3, 6}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}))), "or give the coordinates of a sample in each component", func() error {
			return fit(ssdrnb.SSLLE().Neighbors(5), parts.HideLabels().WithAnchors([]int{0, 3, 6, 1, 2}, mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1, 2, 1})))
		}},
		{"a part with few anchors", told("fewer samples with known", ssdrnb.SSLLE().Neighbors(5), parts.HideLabels().WithAnchors([]int{0, 3, 6, 1, 2}, mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1, 2, 1}))), "raise Neighbors", func() error {
			return told("fewer samples with known", ssdrnb.SSLLE().Neighbors(30), parts.HideLabels().WithAnchors([]int{0, 3, 6, 1, 2}, mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1, 2, 1})))
		}},
		{"a part without labels", fit(ssdrnb.SSLLE().Neighbors(5), parts.WithLabels(oneClass)), "or label a sample in each component", func() error {
			return fit(ssdrnb.SSLLE().Neighbors(5), parts.WithLabels(eachPart))
		}},
		{"a part without labels, otherwise", fit(ssdrnb.SSLLE().Neighbors(5), parts.WithLabels(oneClass)), "raise Neighbors, or label", func() error {
			return fit(ssdrnb.SSLLE().Neighbors(30), parts.WithLabels(oneClass))
		}},
		{"a graph nearly in parts", told("nearly disconnected", ssdrnb.LAE(), rareGroup(400, 5, 12)), "raise Neighbors and set Affinity(Binary)", func() error {
			return told("nearly disconnected", ssdrnb.LAE().Neighbors(40).Affinity(ssdrnb.Binary), rareGroup(400, 5, 12))
		}},
		{"a graph of equal weights nearly in parts", told("nearly disconnected", ssdrnb.LTSA(), rareGroup(400, 1, 30)), "from all others; fit the parts separately", func() error {
			return told("nearly disconnected", ssdrnb.LTSA(), rareGroup(400, 1, 30).Subset(seq(400)[1:]))
		}},
		{"a graph nearly in parts, otherwise", told("nearly disconnected", ssdrnb.LAE(), rareGroup(400, 5, 12)), "or fit the parts separately", func() error {
			return told("nearly disconnected", ssdrnb.LAE(), rareGroup(400, 5, 12).Subset(seq(400)[5:]))
		}},
		{"a graph of all neighbours nearly in parts", told("nearly disconnected", ssdrnb.LAE(), triangle), "from all others; set Affinity(Binary)", func() error { return told("nearly disconnected", ssdrnb.LAE().Affinity(ssdrnb.Binary), triangle) }},
		{"a denominator that vanishes", fit(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0), d), "set Ridge; the paper uses 1e-3", func() error { return fit(ssdrnb.S2LAE().Ridge(1e-3).UnlabelledWeight(0), d) }},
		{"a denominator that nearly vanishes", fit(ssdrnb.S2LAE().Ridge(1e-300).UnlabelledWeight(0), d), "raise Ridge; the paper uses 1e-3", func() error { return fit(ssdrnb.S2LAE().Ridge(1e-3).UnlabelledWeight(0), d) }},
		{"pairs that contradict labels", fit(ssdrnb.S2LAE().With("constraints", "given and graph").With("proportion", 1.0), d.WithLabels(d.Truth).WithPairs(data.Pairs{Cannot: nearest(d)})), "correct the pair or the labels", func() error {
			return fit(ssdrnb.S2LAE().With("constraints", "given and graph").With("proportion", 1.0), d.WithLabels(d.Truth).WithPairs(data.Pairs{Must: nearest(d)}))
		}},
		{"as many dimensions as samples", fit(ssdrnb.S2LAE().Dims(5), d.WithLabels(d.Truth).Subset(seq(6))), "ask for at most 4", func() error {
			return fit(ssdrnb.S2LAE().Dims(4), d.WithLabels(d.Truth).WithPairs(data.Pairs{Must: must, Cannot: cannot}).Subset(seq(6)))
		}},
		{"a trace ratio of two samples", fit(ssdrnb.S2LAE(), triangle.Subset([]int{0, 1})), "at most 0 dimensions; give at least 3 samples, and set Dims(1)", func() error { return fit(ssdrnb.S2LAE().Dims(1), triangle) }},
		{"more dimensions than samples of a trace ratio", fit(ssdrnb.S2LAE().Dims(9), d.WithLabels(d.Truth).Subset(seq(6))), "ask for at most 4", func() error {
			return fit(ssdrnb.S2LAE().Dims(4), d.WithLabels(d.Truth).WithPairs(data.Pairs{Must: must, Cannot: cannot}).Subset(seq(6)))
		}},
		{"no labelled edge", fit(ssdrnb.S2LAE().Proportion(0.01), free.WithLabels(tied)), "give pairs", func() error {
			return fit(ssdrnb.S2LAE().Proportion(0.01), free.WithLabels(tied).WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"no labelled edge, otherwise", fit(ssdrnb.S2LAE().Proportion(0.01), free.WithLabels(tied)), "label more samples", func() error { return fit(ssdrnb.S2LAE().Proportion(0.01), free.WithLabels(d.Truth)) }},
		{"no labelled edge, by the share", fit(ssdrnb.S2LAE().Proportion(0.01), free.WithLabels(tied)), "label more samples, or raise Proportion", func() error { return fit(ssdrnb.S2LAE().Proportion(0.5), free.WithLabels(tied)) }},
		{"no pairs, and none of the graph", fit(ssdrnb.S2LAE().Proportion(0.01).Constraints(ssdrnb.FromGraph), free.WithLabels(tied)), "give pairs and set Constraints(GivenElseGraph)", func() error {
			return fit(ssdrnb.S2LAE().Proportion(0.01).Constraints(ssdrnb.GivenElseGraph), free.WithLabels(tied).WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"given pairs, but none of the graph", fit(ssdrnb.S2LAE().Constraints(ssdrnb.FromGraph), paired), "set Constraints(GivenElseGraph) to use the given pairs", func() error {
			return fit(ssdrnb.S2LAE().Constraints(ssdrnb.GivenElseGraph), paired)
		}},
		{"given pairs, but none of the graph, otherwise", fit(ssdrnb.S2LAE().Constraints(ssdrnb.FromGraph), paired), ", or label more samples", func() error {
			return fit(ssdrnb.S2LAE().Constraints(ssdrnb.FromGraph), paired.WithLabels(d.Truth))
		}},
		{"the ratio trace of many samples", fit(ssdrnb.S2LAE().Neighbors(3).Criterion(ssdrnb.RatioTrace), many), "set Criterion(TraceRatio)", func() error { return fit(ssdrnb.S2LAE().Neighbors(3).Criterion(ssdrnb.TraceRatio), many) }},
		{"the ratio trace of many samples, otherwise", fit(ssdrnb.S2LAE().Neighbors(3).Criterion(ssdrnb.RatioTrace), many), "or fit fewer samples", func() error {
			return fit(ssdrnb.S2LAE().Neighbors(3).Criterion(ssdrnb.RatioTrace), rareGroup(200, 0, 0))
		}},
		{"the printed solver of many samples", fit(with("S2LAE", "solver", "ITR-Score as printed"), rareGroup(600, 0, 0)), "set Solver(ITR)", func() error { return fit(ssdrnb.S2LAE().Solver(ssdrnb.ITR), rareGroup(600, 0, 0)) }},
		{"the printed solver of many samples, otherwise", fit(with("S2LAE", "solver", "ITR-Score as printed"), rareGroup(600, 0, 0)), "or fit fewer samples", func() error {
			return fit(with("S2LAE", "solver", "ITR-Score as printed"), rareGroup(200, 0, 0))
		}},
		{"labels in one part only", told("without a label", ssdrnb.S2NE().Iterations(5).Neighbors(5), near.WithLabels(inFirst)), "label a sample of each component", func() error {
			return told("without a label", ssdrnb.S2NE().Iterations(5).Neighbors(5), near.WithLabels(labelsAt(n, map[int]int{0: 0, 3: 0, 1: 1, 2: 2})))
		}},
		{"one class and no spread", fit(ssdrnb.S2LAE().Global(0), one), "set Global above 0", func() error { return fit(ssdrnb.S2LAE().Global(0.1), one) }},
		{"one class and no spread, otherwise", fit(ssdrnb.S2LAE().Global(0), one), "or give cannot-link pairs", func() error {
			return fit(ssdrnb.S2LAE().Global(0), free.WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"no must-link pair", fit(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0), free.WithPairs(data.Pairs{Cannot: cannot})), "set Ridge above 0", func() error {
			return fit(ssdrnb.S2LAE().Ridge(1e-3).UnlabelledWeight(0), free.WithPairs(data.Pairs{Cannot: cannot}))
		}},
		{"samples in no pair", told("in no pair", ssdrnb.S2LAE().UnlabelledWeight(0), paired), "UnlabelledWeight(0.1) ties them to their neighbours", func() error { return told("in no pair", ssdrnb.S2LAE().UnlabelledWeight(0.1), paired) }},
		{"a sample in no pair", told("in no pair", ssdrnb.S2LAE().UnlabelledWeight(0).Dims(1), triangle.HideLabels().WithPairs(data.Pairs{Cannot: []data.Pair{{I: 0, J: 1}}})), "its position; UnlabelledWeight(0.1) ties it to its neighbours", func() error {
			return told("in no pair", ssdrnb.S2LAE().UnlabelledWeight(0.1).Dims(1), triangle.HideLabels().WithPairs(data.Pairs{Cannot: []data.Pair{{I: 0, J: 1}}}))
		}},
		{"samples in no pair, some labelled", told("in no pair", ssdrnb.S2LAE().UnlabelledWeight(0), d), "leave UnlabelledWeight at Auto", func() error { return told("in no pair", ssdrnb.S2LAE(), d) }},
		{"labelled samples in no pair", told("in no pair", ssdrnb.S2LAE(), all.WithPairs(data.Pairs{Must: must, Cannot: cannot})), "set Constraints(GivenAndGraph)", func() error {
			return told("in no pair", ssdrnb.S2LAE().Constraints(ssdrnb.GivenAndGraph), all.WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"labelled samples in no pair, against the labels", told("in no pair", ssdrnb.S2LAE(), all.WithPairs(data.Pairs{Must: cannot, Cannot: must})), "set Constraints(FromGraph) to link", func() error {
			return told("in no pair", ssdrnb.S2LAE().Constraints(ssdrnb.FromGraph), all.WithPairs(data.Pairs{Must: cannot, Cannot: must}))
		}},
		{"few of all pairs", told("in no pair", ssdrnb.S2LAE().Proportion(0.05), all), "set Constraints(FromGraph) and Proportion(1)", func() error {
			return told("in no pair", ssdrnb.S2LAE().Constraints(ssdrnb.FromGraph).Proportion(1), all)
		}},
		{"a labelled sample among labelled neighbours", told("in no pair", ssdrnb.S2LAE().Neighbors(3).UnlabelledWeight(0.1), nearly), "leave UnlabelledWeight at Auto", func() error { return told("in no pair", ssdrnb.S2LAE().Neighbors(3), nearly) }},
		{"guided edges in parts", told("raise Neighbors to connect them", ssdrnb.S2LAE().Neighbors(5), parts.KeepLabels(3)), "raise Neighbors to connect them", func() error { return told("to connect them", ssdrnb.S2LAE().Neighbors(30), parts.KeepLabels(3)) }},
		{"pairs that contradict each other", told("arbitrary", ssdrnb.SSDR(), bare.WithPairs(wrong)), "remove the wrong pairs or labels", func() error {
			return told("arbitrary", ssdrnb.SSDR(), bare.WithPairs(data.Pairs{Must: wrong.Must, Cannot: cannot}))
		}},
		{"features of very different scale", told("little effect", ssdrnb.PCA(), units), "call Data.Standardize to weigh all features equally", func() error { return told("little effect", ssdrnb.PCA(), units.Standardize()) }},
		{"no scatter within the classes", fit(ssdrnb.LDA().PCA(1), free.WithLabels(labelsAt(n, map[int]int{0: 0, 1: 1, 2: 2}))), "label two different samples of a class", func() error {
			return fit(ssdrnb.LDA().PCA(1), free.WithLabels(labelsAt(n, map[int]int{0: 0, 3: 0, 1: 1, 2: 2})))
		}},
		{"no scatter within the classes, otherwise", fit(ssdrnb.LDA().PCA(1), free.WithLabels(labelsAt(n, map[int]int{0: 0, 1: 1, 2: 2}))), "set Ridge, or use TRLDA", func() error {
			l := free.WithLabels(labelsAt(n, map[int]int{0: 0, 1: 1, 2: 2}))
			return errors.Join(fit(ssdrnb.LDA().PCA(1).Ridge(1e-3), l), fit(ssdrnb.TRLDA().PCA(1), l))
		}},
		{"directions without scatter", told("handles this case", ssdrnb.LDA().PCA(1).Ridge(0), apart.WithLabels(labelsBy(50, 3))), "set Ridge", func() error {
			return told("handles this case", ssdrnb.LDA().PCA(1).Ridge(1), apart.WithLabels(labelsBy(50, 3)))
		}},
		{"directions without scatter, otherwise", told("handles this case", ssdrnb.LDA().PCA(1).Ridge(0), apart.WithLabels(labelsBy(50, 3))), "or use the trace-ratio method", func() error {
			return told("handles this case", ssdrnb.TRLDA().PCA(1), apart.WithLabels(labelsBy(50, 3)))
		}},
		{"an unbounded trace ratio", told("null-space solution", ssdrnb.TRLDA().PCA(1).Ridge(0), apart.WithLabels(labelsBy(50, 3))), "set Ridge to avoid this", func() error {
			return told("null-space solution", ssdrnb.TRLDA().PCA(1).Ridge(1), apart.WithLabels(labelsBy(50, 3)))
		}},
		{"an unbounded trace ratio without a ridge", told("null-space solution", ssdrnb.SSML().Structure(0).Dims(1), bare.WithPairs(data.Pairs{Must: must[:1], Cannot: cannot})), "raise Structure to avoid this", func() error {
			return told("null-space solution", ssdrnb.SSML().Structure(1).Dims(1), bare.WithPairs(data.Pairs{Must: must[:1], Cannot: cannot}))
		}},
		{"an unbounded trace ratio in parts", told("null-space solution", ssdrnb.SSML().PCA(1).Dims(1).Neighbors(5), wideParts), "raise Neighbors", func() error {
			return told("null-space solution", ssdrnb.SSML().PCA(1).Dims(1).Neighbors(12), wideParts)
		}},
		{"an unbounded trace ratio in parts, otherwise", told("null-space solution", ssdrnb.SSML().PCA(1).Dims(1).Neighbors(5), wideParts), "or keep fewer directions with PCA to avoid this", func() error {
			return told("null-space solution", ssdrnb.SSML().PCA(0.9).Dims(1).Neighbors(5), wideParts)
		}},
		{"a low rank", told("approximated at rank", ssdrnb.KSDA().Rank(3), d), "raise Rank to miss less", func() error { return told("approximated at rank", ssdrnb.KSDA().Rank(n), d) }},
		{"a constant kernel", fit(ssdrnb.KSDA().Scale(1e8), d), "lower Scale", func() error { return fit(ssdrnb.KSDA().Scale(2), d) }},
		{"a kernel that overflows", fit(ssdrnb.KSDA().Kernel(ssdrnb.Polynomial).Scale(1e-30).Degree(20), d), "raise Scale or lower Degree", func() error {
			return errors.Join(fit(ssdrnb.KSDA().Kernel(ssdrnb.Polynomial).Scale(10).Degree(20), d), fit(ssdrnb.KSDA().Kernel(ssdrnb.Polynomial).Scale(1).Degree(2), d))
		}},
		{"no direction above the cut", fit(ssdrnb.KSDA().Cut(1), d), "lower Cut", func() error { return fit(ssdrnb.KSDA().Cut(0.01), d) }},
		{"a kernel that is the identity", told("nearly the identity", ssdrnb.KSDA().Scale(1e-3), d), "raise Scale", func() error { return told("nearly the identity", ssdrnb.KSDA().Scale(2), d) }},
		{"a kernel with negative values", fit(ssdrnb.KS2LAE().Kernel(ssdrnb.LinearKernel), d), "set Kernel(RBF)", func() error { return fit(ssdrnb.KS2LAE().Kernel(ssdrnb.RBF), d) }},
		{"a kernel that vanishes for pairs", told("nearly vanishes", ssdrnb.KS2LAE().Scale(1e-2), d), "raise Scale", func() error { return told("nearly vanishes", ssdrnb.KS2LAE().Scale(3), d) }},
		{"a kernel without cannot-links", fit(ssdrnb.KS2LLE().Scale(1e-2).Global(0), d), "raise Scale", func() error { return fit(ssdrnb.KS2LLE().Scale(3).Global(0), d) }},
		{"a kernel without cannot-links, otherwise", fit(ssdrnb.KS2LLE().Scale(1e-2).Global(0), d), "or set Global above 0", func() error { return fit(ssdrnb.KS2LLE().Scale(1e-2).Global(0.5), d) }},
		{"one round", told("not converged", ssdrnb.GPLVM().Rounds(1).Steps(1), bare), "raise Rounds", func() error { return told("not converged", ssdrnb.GPLVM().Rounds(400), bare.Subset(seq(12))) }},
		{"one step of a round", told("rejected all steps", ssdrnb.GPLVM().Optimizer(ssdrnb.SCG).Steps(1), datasets.Iris().Take(8)), "raise Steps", func() error {
			return told("rejected all steps", ssdrnb.GPLVM().Optimizer(ssdrnb.SCG).Steps(20), datasets.Iris().Take(8))
		}},
		{"no step that raises the objective", told("stopped after", ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Scaling(ssdrnb.MeanRemoved), inUnits(bare, 1e4)), "set Schedule(Alternate)", func() error {
			return told("stopped after", ssdrnb.GPLVM().Schedule(ssdrnb.Alternate).Scaling(ssdrnb.MeanRemoved), inUnits(bare, 1e4))
		}},
		{"back constraints of many samples", fit(ssdrnb.BCGPLVM(), crowd), "keep at most 23170 samples with Data.Subset", func() error {
			return fit(ssdrnb.BCGPLVM().Rounds(1).Steps(1), crowd.Subset(seq(50)))
		}},
		{"an exact likelihood of many samples", fit(ssdrnb.GPLVM().Approximation(ssdrnb.ExactLikelihood), crowd), "set Approximation(VFE)", func() error {
			return fit(ssdrnb.GPLVM().Approximation(ssdrnb.VFE).Rounds(1).Steps(1), crowd)
		}},
		{"many inducing points", fit(ssdrnb.GPLVM().Inducing(20000), crowd), "lower Inducing", func() error { return fit(ssdrnb.GPLVM().Inducing(5).Rounds(1).Steps(1), crowd) }},
		{"a start far away", fit(raw, big), "set Start(Whitened)", func() error { return fit(raw.Start(ssdrnb.Whitened), big) }},
		{"a start far away, otherwise", fit(raw, big), "or Scaling(GlobalScale)", func() error { return fit(raw.Scaling(ssdrnb.GlobalScale), big) }},
		{"features in a large unit", told("at its limit", ssdrnb.GPLVM().Scaling(ssdrnb.MeanRemoved), inUnits(bare, 3e-4)), "set Scaling(GlobalScale)", func() error {
			return told("at its limit", ssdrnb.GPLVM().Scaling(ssdrnb.GlobalScale).Rounds(1), inUnits(bare, 3e-4))
		}},
		{"constant back constraints", fit(ssdrnb.BCGPLVM().BackScale(1e12), bare), "lower BackScale", func() error { return fit(ssdrnb.BCGPLVM().BackScale(1).Rounds(1), bare) }},
		{"constant back constraints of pairs", fit(ssdrnb.SSGPLVM().Back(true).BackScale(1e12), d), "lower BackScale", func() error {
			return fit(ssdrnb.SSGPLVM().Back(true).BackScale(1).Rounds(1), d)
		}},
		{"an objective without maximum", told("no maximum", with("SSGPLVM", "form", "trace", "rounds", 20), d), "set Form(MixedForm)", func() error { return told("no maximum", ssdrnb.SSGPLVM().Form(ssdrnb.MixedForm).Rounds(20), d) }},
		{"a faint feature", fit(ssdrnb.GPLVM().Rounds(1).With("scaling", "standardize"), faint), "for example with Data.Standardize", func() error { return fit(ssdrnb.GPLVM().Rounds(1).With("scaling", "standardize"), faint.Standardize()) }},
		{"a local connectivity above the neighbours", fit(short.LocalConnectivity(9).Neighbors(5), bare), "set LocalConnectivity to at most 5", func() error { return fit(short.LocalConnectivity(5).Neighbors(5), bare) }},
		{"a local connectivity above the neighbours, otherwise", fit(short.LocalConnectivity(8.5).Neighbors(5), bare), "or Neighbors to at least 9", func() error { return fit(short.LocalConnectivity(8.5).Neighbors(9), bare) }},
		{"a local connectivity above the other samples", fit(short.LocalConnectivity(12), bare.Subset(seq(10))), "set LocalConnectivity to at most 9", func() error { return fit(short.LocalConnectivity(9), bare.Subset(seq(10))) }},
		{"a local connectivity above all neighbours", fit(short.LocalConnectivity(9).Neighbors(1).Dims(1), bare.Subset(seq(2))), "each sample has only 1 neighbour; set LocalConnectivity to at most 1", func() error { return fit(short.LocalConnectivity(1).Neighbors(1).Dims(1), bare.Subset(seq(2))) }},
		{"a layout in parts", told("mean little", short.Neighbors(5), near), "raise Neighbors", func() error { return told("mean little", short.Neighbors(40), near) }},
		{"t-SNE in parts", told("mean little", ssdrnb.TSNE().Perplexity(3).Iterations(5), near), "raise Perplexity", func() error { return told("mean little", ssdrnb.TSNE().Perplexity(18).Iterations(5), near) }},
		{"a layout in parts, otherwise", told("mean little", short.Neighbors(5), near), "or fit the parts separately", func() error { return told("mean little", short.Neighbors(5), near.Subset(every(n, 3))) }},
		{"a start of other dimensions", fit(short, bare.WithStart(start(3, 1))), "set Dims(3)", func() error { return fit(short.Dims(3), bare.WithStart(start(3, 1))) }},
		{"a start of other dimensions, otherwise", fit(short, bare.WithStart(start(3, 1))), "or give positions of 2 coordinates with Data.WithStart", func() error { return fit(short, bare.WithStart(start(2, 1))) }},
		{"a start on one point", fit(short, bare.WithStart(start(2, 0))), "give different positions with Data.WithStart, or none", func() error {
			return errors.Join(fit(short, bare.WithStart(start(2, 1))), fit(short, bare.WithStart(nil)))
		}},
		{"a huge start", fit(short, bare.WithStart(start(2, 1e200))), "in a larger unit", func() error { return fit(short, bare.WithStart(start(2, 1))) }},
		{"a faint start", fit(short, bare.WithStart(start(2, 1e-200))), "in a smaller unit", func() error { return fit(short, bare.WithStart(start(2, 1))) }},
		{"a row of zeros under the cosine", fit(short.Metric(ssdrnb.Cosine), zeroed), "remove the row", func() error { return fit(short.Metric(ssdrnb.Cosine), nonzero) }},
		{"a row of zeros under the cosine, otherwise", fit(short.Metric(ssdrnb.Cosine), zeroed), "or set Metric(Euclidean)", func() error { return fit(short.Metric(ssdrnb.Euclidean), zeroed) }},
		{"a lone sample", told("underflow", ssdrnb.LPP().Affinity(ssdrnb.Heat), lone), "check the values", func() error { return told("underflow", ssdrnb.LPP().Affinity(ssdrnb.Heat), bare) }},
		{"more tangent directions than features", fit(ssdrnb.LTSA().Dims(7), bare), "ask for at most 6", func() error { return fit(ssdrnb.LTSA().Dims(6), bare) }},
		{"more tangent directions than neighbours", fit(ssdrnb.LTSA().Dims(4).Neighbors(3), bare), "raise Neighbors", func() error { return fit(ssdrnb.LTSA().Dims(4).Neighbors(8), bare) }},
		{"more tangent directions than neighbours, otherwise", fit(ssdrnb.LTSA().Dims(4).Neighbors(3), bare), "or ask for fewer dimensions", func() error { return fit(ssdrnb.LTSA().Dims(2).Neighbors(3), bare) }},
		{"two options of one name", fit(ssdrnb.Then(ssdrnb.PCA().Dims(3), ssdrnb.Then(ssdrnb.PCA().Dims(2), short)), d), "use a different method in one of the two places", func() error {
			return fit(ssdrnb.Then(ssdrnb.MMC().Dims(3), ssdrnb.Then(ssdrnb.PCA().Dims(2), short)), d)
		}},
		{"more components than samples", fit(ssdrnb.ULMRAG().Clusters(n+1), bare), "ask for at most 60", func() error { return fit(ssdrnb.ULMRAG().Clusters(n), bare) }},
		{"true or false of a number", fit(with("SSDR", "cannot", true), datasets.Iris()), "takes a finite number", func() error {
			return fit(with("SSDR", "cannot", 1.0), d.WithPairs(data.Pairs{Must: must, Cannot: cannot}))
		}},
		{"a number for a choice", fit(with("KSDA", "kernel", 3), d), "takes one of", func() error { return fit(with("KSDA", "kernel", "rbf"), d) }},
		{"a fraction for a whole number", fit(with("PCA", "dims", 1.5), d), "takes a whole number", func() error { return fit(with("PCA", "dims", 1), d) }},
		{"a number for true or false", fit(with("SSGPLVM", "back", 1), d), "takes true or false", func() error { return fit(with("SSGPLVM", "back", true, "rounds", 1), d) }},
		{"an automatic value where there is none", fit(with("PCA", "dims", ssdrnb.Auto), d), "must lie in", func() error { return fit(with("PCA", "dims", 1), d) }},
	}
}

// labelsBy returns the labels 0 to classes − 1 in turn, n of them.
func labelsBy(n, classes int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i % classes
	}
	return out
}

// labelsAt returns n labels, unknown except for those given by row.
func labelsAt(n int, of map[int]int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = data.Unlabelled
		if l, ok := of[i]; ok {
			out[i] = l
		}
	}
	return out
}

// nearest returns the pair of the first sample and the nearest sample of its class.
func nearest(d *data.Data) []data.Pair {
	at, least := 0, 0.0
	for i := 1; i < d.Len(); i++ {
		sum := 0.0
		for k, v := range d.X.RawRowView(i) {
			sum += (v - d.X.At(0, k)) * (v - d.X.At(0, k))
		}
		if d.Truth[i] == d.Truth[0] && (at == 0 || sum < least) {
			at, least = i, sum
		}
	}
	return []data.Pair{{I: 0, J: at}}
}
