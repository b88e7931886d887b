package ssdrnb

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Embeddings with known coordinates of some samples, for SS-LLE and SS-LTSA.

// Confidence(rho)
var confidenceOption = floatOption{Name: "confidence", Setter: "Confidence", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "the known coordinates are exact", Doc: "weight ρ of the squared deviation from the known coordinates"}

// anchorsOf returns the samples with known coordinates: the anchors of the data. If there are none,
// it returns the labelled samples with their LDA coordinates.
func anchorsOf(j *job) (rows []int, y *mat.Dense, err error) {
	if a := j.data.Anchors; a.Len() > 0 {
		return a.Rows, a.Y, checkAnchors(j, a)
	}
	s, err := spanOf(j)
	if err != nil {
		return nil, nil, err
	}
	sc := scatterOf(j, s)
	r := sc.Within.SymmetricDim()
	ridge := 1e-3 * mat.Trace(sc.Total()) / float64(r)
	if ridge == 0 {
		return nil, nil, j.fault("labels", nil, fmt.Errorf("%w: all labelled samples are equal", ErrNeedsLabels), "label samples that differ")
	}
	pairs, err := spectral.GeneralizedTop(sc.Between, dense.AddRidge(sc.Within, ridge), j.ofClasses(s, min(len(sc.Classes)-1, r), len(sc.Classes)))
	if err != nil {
		return nil, nil, err
	}
	lda := s.solution(pairs.Vectors, nil).y
	rows = order.Where(j.data.Labels, func(l int) bool { return l >= 0 })
	return rows, samples.Pick(lda, rows), nil
}

// checkAnchors returns an error if the known coordinates have a different number of dimensions from
// the embedding, or if their squares overflow.
func checkAnchors(j *job, a data.Anchors) error {
	_, d := a.Y.Dims()
	largest := max(mat.Max(a.Y), -mat.Min(a.Y))
	switch {
	case d != dimsOption.of(j):
		return j.fault("anchors", nil, fmt.Errorf("%w: the anchors have %s, but the embedding has %d", ErrOption, nouns.Count(d, "coordinate"), dimsOption.of(j)), fmt.Sprintf("set Dims(%d)", d))
	case largest > mostMeasurable:
		return j.fault("anchors", nil, fmt.Errorf("%w: the squares of coordinates up to %.3g overflow", ErrData, largest), "give the coordinates in a larger unit")
	}
	return nil
}

// extended computes the embedding Y from the known coordinates Ŷ₁ of the samples in its rows Y₁. It
// minimises tr(YᵀMY) under Y₁ = Ŷ₁, which gives Y₂ = −M₂₂⁻¹M₂₁Ŷ₁ for the other rows. If the option
// "confidence" is a number ρ, it minimises tr(YᵀMY) + ρ‖Y₁ − Ŷ₁‖² instead. The argument m must be
// positive semidefinite with m·1 = 0, and nb are the neighbours from which m was computed.
func extended(j *job, m *sparse.CSR, nb *graph.Neighbors) (*solution, error) {
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	rows, known, err := anchorsOf(j)
	if err != nil {
		return nil, err
	}
	n := m.Rows
	_, d := known.Dims()
	if err := reached(j, g, rows, d); err != nil {
		return nil, err
	}
	if len(rows) < n {
		if err := restricting(j, m, nb.K); err != nil {
			return nil, err
		}
	}
	if err := j.begin("extension"); err != nil {
		return nil, err
	}
	y := mat.NewDense(n, d, nil)
	isKnown := make([]bool, n)
	for k, i := range rows {
		isKnown[i] = true
		y.SetRow(i, known.RawRowView(k))
	}
	if confidenceOption.auto(j) {
		free := order.Where(isKnown, func(yes bool) bool { return !yes })
		if free != nil {
			if err := extend(j, m, y, rows, free); err != nil {
				return nil, unsolved(j, err)
			}
		}
	} else {
		rho, weight := confidenceOption.of(j), make([]float64, n)
		for i, yes := range isKnown {
			if yes {
				weight[i] = rho
			}
		}
		sum, err := sparse.Add(1, m, 1, sparse.Diagonal(weight))
		if err != nil {
			return nil, err
		}
		y.Scale(rho, y)
		if y, err = align.Solve(j.ctx, sum, y); err != nil {
			return nil, unsolved(j, err)
		}
	}
	// The known coordinates determine the signs.
	return &solution{y: y, mapping: barycentreOf(j, y)}, nil
}

// restricting returns an error if M is 0 up to rounding, so that known coordinates determine no
// others. This can happen only in SS-LTSA, where M is a sum of projections, if all neighbourhoods
// fit d dimensions exactly. In SS-LLE the trace of M is n or more. The argument k is the number of
// neighbours.
func restricting(j *job, m *sparse.CSR, k int) error {
	for i := range m.Rows {
		if m.At(i, i) > 1e-10 {
			return nil
		}
	}
	d, remedies := dimsOption.of(j), []string{"give more samples"}
	if k < j.mostNeighbors() {
		remedies[0] = "raise Neighbors"
	}
	if d > 1 {
		remedies = append(remedies, "ask for fewer dimensions")
	}
	return j.faultAmong([]string{"neighbors", "dims"}, "neighbors", fmt.Errorf("%w: with %d neighbours per sample, every neighbourhood fits %s exactly, so known coordinates determine no others", ErrOption, k, nouns.Count(d, "dimension")), strings.Join(remedies, ", or "))
}

// openUnit and looseUnit are used in extend, in units of the mean diagonal entry of M. If the
// diagonal entry of a sample with unknown coordinates is at most openUnit, only rounding errors
// determine these coordinates. This happens if the sample is so far from all others that its
// neighbourhood is nearly a line. looseUnit is the weight of the term that extend then adds.
const openUnit, looseUnit = 1e-14, 1e-10

// extend computes the unknown rows of y from the known rows. The arguments rows and free hold the
// indices of the known and of the unknown rows. If M does not determine all unknown rows, extend
// adds a term that attracts the unknown rows to the mean of the known ones.
func extend(j *job, m *sparse.CSR, y *mat.Dense, rows, free []int) error {
	n, d := y.Dims()
	mean := 0.0 // mean diagonal entry
	for i := range n {
		mean += m.At(i, i) / float64(n)
	}
	var open []int
	for _, i := range free {
		if m.At(i, i) <= openUnit*mean {
			open = append(open, i)
		}
	}
	if open == nil {
		err := align.Extend(j.ctx, m, y, free)
		if !errors.Is(err, sparse.ErrNotPositive) {
			return err
		}
	}
	weight, centre := make([]float64, n), make([]float64, d)
	for _, i := range free {
		weight[i] = looseUnit * mean
	}
	for _, i := range rows {
		floats.AddScaled(centre, 1/float64(len(rows)), y.RawRowView(i))
	}
	loose, err := sparse.Add(1, m, 1, sparse.Diagonal(weight))
	if err != nil {
		return err
	}
	shift := func(sign float64) {
		for i := range n {
			floats.AddScaled(y.RawRowView(i), sign, centre)
		}
	}
	shift(-1) // the added term attracts to 0; M is unaffected, because M·1 = 0
	if err := align.Extend(j.ctx, loose, y, free); err != nil {
		return err
	}
	shift(1)
	if open == nil {
		j.warn("the neighbourhoods do not determine all coordinates: the undetermined coordinates were placed near the mean of the known ones")
		return nil
	}
	remedy := "leave out samples far from all others, or label them"
	if j.data.Anchors.Len() > 0 {
		remedy = "leave out samples far from all others, or give their coordinates"
	}
	j.warn("the neighbourhoods do not determine the coordinates of %s, which were placed near the mean of the known ones; %s", listed(open), remedy)
	return nil
}

// unsolved adds a remedy to the error err of the linear system of the unknown coordinates.
func unsolved(j *job, err error) error {
	switch {
	case errors.Is(err, sparse.ErrNotPositive):
		remedy := "label more samples, or set another Confidence"
		if j.data.Anchors.Len() > 0 {
			remedy = "give the coordinates of more samples, or set another Confidence"
		}
		return advice.Errorf(remedy, "the system of the unknown coordinates is singular: %w", sparse.ErrNotPositive)
	case errors.Is(err, sparse.ErrFill):
		return advice.With("lower Neighbors", err)
	}
	return err
}

// reached returns an error if a component of the graph g contains none of the samples with known
// coordinates. The argument rows holds the indices of these samples. The position of a component
// without such samples is undetermined. reached warns if a component has fewer of these samples
// than an affine map in d dimensions needs.
func reached(j *job, g *sparse.CSR, rows []int, d int) error {
	count, of := graph.Components(g)
	has := make([]int, count)
	for _, i := range rows {
		has[of[i]]++
	}
	few := len(order.Where(has, func(known int) bool { return known < d+1 }))
	for i, c := range of {
		if has[c] == 0 {
			given, known, remedy := "labels", "labelled sample", "raise Neighbors, or label a sample in each component"
			if j.data.Anchors.Len() > 0 {
				given, known, remedy = "anchors", "sample with known coordinates", "raise Neighbors, or give the coordinates of a sample in each component"
			}
			return j.faultAmong([]string{"neighbors"}, given, fmt.Errorf("%w: the neighbourhood graph has %d components, but the component of sample %d contains no %s", ErrData, count, i, known), remedy)
		}
	}
	switch l := len(rows); {
	case few > 0 && count == 1:
		j.warn("%s not determine the position of an embedding in %s, which needs %d", nouns.Number(l, "sample with known coordinates does", "samples with known coordinates do"), nouns.Count(d, "dimension"), d+1)
	case few > 0:
		j.warn("the neighbourhood graph has %d components, and %s fewer samples with known coordinates than the %d that determine the position of a component in %s; raise Neighbors", count, nouns.Number(few, "component has", "components have"), d+1, nouns.Count(d, "dimension"))
	}
	return nil
}
